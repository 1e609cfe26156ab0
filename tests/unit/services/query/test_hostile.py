"""Questions that nobody asks in good faith, or that were pasted by mistake, cost what their length costs."""

from __future__ import annotations

import time

import pytest

from exegesis.model import Options
from services.query.api import LONGEST_QUESTION
from services.query.intent import LONGEST_NAME, MOST_USED, read_question

UNITS = (
    "aB",
    "_",
    "a_",
    "#",
    "::a",
    " ",
    "`",
    "(",
    "the ",
    "which the ",
    "method `",
    "how does ",
    "compare TokenBucket and ",
    "TokenBucket vs ",
    "the test ",
    "a-",
    "the a-a class ",
)
"""What a rule of wording might begin to match at every place, or match in several ways."""

SECONDS = 5.0
"""Of processor time: ten times what the worst of such questions takes, and what was wrong took minutes."""


@pytest.mark.parametrize("around", ["how is {} used", "the protocol {} that"])
@pytest.mark.parametrize("unit", UNITS)
def test_no_wording_costs_more_than_its_length(unit: str, around: str) -> None:
    """A pattern that runs for minutes holds up every question of its process, and no deadline ends it."""
    text = around.format((unit * LONGEST_QUESTION)[: LONGEST_QUESTION - len(around)])
    begun = time.process_time()
    read_question(text, Options())
    assert time.process_time() - begun < SECONDS


def test_of_a_log_a_few_names_are_taken_for_what_is_asked_about() -> None:
    """Each name of which the use is asked is looked for in the graph, and in the question beside every kind."""
    names = [f"Type{number}.member_{number}" for number in range(600)]
    begun = time.process_time()
    used = read_question(f"who uses {' '.join(names)}?", Options()).used
    assert time.process_time() - begun < SECONDS
    assert 0 < len(used) <= MOST_USED


def test_a_name_that_nobody_would_write_is_none_that_is_used() -> None:
    """Such as a line of base64."""
    assert read_question(f"who uses {'aB' * LONGEST_NAME} and `RetryPolicy`?", Options()).used == ("RetryPolicy",)
