from __future__ import annotations

from services.query.prune import parents_among, prune
from tests.fakes.evidence import context, flow_of, item


def left(scores: dict[str, float], calls: list[tuple[str, str, int]], most: int) -> list[str]:
    items = [item(number, name, start=number * 10, path=f"{name[0]}.swift", score=score) for number, (name, score) in enumerate(scores.items(), 1)]
    flow = flow_of(context(items, calls))
    parents = parents_among(flow.starts, {one.id for one in items})
    return [step.item.symbol for step in prune(flow.in_order(), parents, most)]


def test_short_stories_are_left_alone() -> None:
    """Nothing goes that need not go."""
    assert left({"a": 1.0, "b": 0.0}, [("a", "b", 11)], 2) == ["a", "b"]


def test_ends_go_before_what_leads_to_something() -> None:
    """A weak step in the middle stays as long as something behind it does."""
    assert left({"a": 0.1, "b": 0.1, "c": 0.9, "d": 0.05}, [("a", "b", 11), ("b", "c", 21), ("a", "d", 12)], 3) == ["a", "b", "c"]


def test_what_found_code_calls_matters_without_a_word_of_the_question() -> None:
    """The callee of the best step outlives a step that only shares words, in a story of its own."""
    scores = {"a": 1.0, "a2": 0.0, "b": 0.5, "b2": 0.4}
    assert left(scores, [("a", "a2", 11), ("b", "b2", 31)], 3) == ["a", "a2", "b"]
