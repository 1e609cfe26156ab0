"""What a question sets apart: who asks how something is found is not told how it is put in."""

from __future__ import annotations

import pytest

from services.query.telling.contrasts import done_otherwise
from services.query.telling.extractive import story_of
from tests.fakes.evidence import context, flow_of, item

ADD = item(1, "Router.addRoute", doc="Adds a route to the tree.")
GET = item(2, "Router.get", doc="Is a shortcut.")
HANDLE = item(3, "Engine.handleRequest", doc="Handles a request.")
VALUE = item(4, "Tree.value", doc="Returns what belongs to a path.")
COOKIE = item(5, "Jar.addCookie", doc="Adds a cookie.")
REST = tuple(item(number, f"Tree.step{number}") for number in range(6, 14))
ITEMS = (ADD, GET, HANDLE, VALUE, COOKIE, *REST)
CALLS = (("Router.get", "Router.addRoute", 1), ("Engine.handleRequest", "Tree.value", 2))


@pytest.mark.parametrize(
    ("question", "apart"),
    [
        ("How are routes matched?", {"E1", "E2"}),  # what leads to it goes with it; cookies are no routes
        ("How is a route looked up?", {"E1", "E2"}),
        ("How are routes registered?", set()),
        ("How are routes registered and matched?", set()),
        ("How are requests sent?", set()),
    ],
)
def test_putting_in_is_set_apart_where_finding_is_asked_for(question: str, apart: set[str]) -> None:
    """Whoever asks for both, or for something else, sets nothing apart."""
    found = context(ITEMS, CALLS)
    assert done_otherwise(question, flow_of(found), ITEMS) == apart


def test_a_story_of_finding_leaves_out_what_puts_in() -> None:
    """Its weights still know every item."""
    found = context(ITEMS, CALLS)
    story = story_of(flow_of(found), ITEMS, "How are routes matched?")
    told = {step.item.id for thread in (*story.threads, *story.aside) for step in thread.steps}
    assert "E1" not in told
    assert {each.id for each in ITEMS} <= story.weights.keys()
