from __future__ import annotations

import dataclasses

import pytest

from exegesis.model import Edge, EdgeKind, Modifier, Relation, Span, Symbol, SymbolKind, Tier, stable_id
from services.gateway.overloads import MOST, is_exact, join_paths, join_relations, overloads


def declared(qualified: str, *, kind: SymbolKind = SymbolKind.METHOD, path: str = "a.swift", modifiers: Modifier = Modifier.NONE) -> Symbol:
    return Symbol(
        id=stable_id(qualified, path),
        name=qualified.partition("(")[0].rpartition(".")[2],
        qualified=qualified,
        kind=kind,
        path=path,
        span=Span(1, 2),
        line=1,
        column=1,
        modifiers=modifiers,
    )


def calls(source: Symbol, target: Symbol, confidence: float = 0.9, depth: int = 1) -> Relation:
    return Relation(source, target, Edge(source.id, target.id, EdgeKind.CALL, "S1", Tier.SCOPED, confidence, 1, 1), depth, confidence)


def test_a_name_stands_for_all_its_overloads() -> None:
    """Members of other types and things that are not called do not count."""
    one, two = declared("Session.request(_:)"), declared("Session.request(_:method:)")
    assert overloads([one, declared("Retrier.request(_:)"), two]) == [one, two]
    kind = declared("Session", kind=SymbolKind.CLASS)
    assert overloads([kind, declared("Session", kind=SymbolKind.EXTENSION)]) == [kind]


def test_few_of_many_overloads_are_asked_about() -> None:
    """Paths are searched between all pairs."""
    assert len(overloads([declared(f"log({number}:)") for number in range(3 * MOST)])) == MOST


@pytest.mark.parametrize(
    ("written", "exact"),
    [("request", False), ("Session.request", False), ("Session::request", False), ("request(_:)", True), ("Sources/Session.swift:42", True)],
)
def test_labels_and_places_mean_one_declaration(written: str, exact: bool) -> None:  # noqa: FBT001 - pytest passes it
    """Everything else is a name."""
    assert is_exact(written) is exact


def test_joined_callers_are_told_once_in_the_order_of_interest() -> None:
    """Nearest first; deprecated ones after current ones, those of tests last."""
    target = declared("f()")
    old, test = declared("old()", modifiers=Modifier.DEPRECATED), declared("test()", path="Tests/t.swift")
    new, far = declared("new()"), declared("far()")
    answers = [[calls(test, target), calls(old, target)], [calls(far, new, depth=2), calls(new, target), calls(new, target)]]
    assert [relation.source for relation in join_relations(answers, last={"Tests/t.swift"})] == [new, old, test, far]


def test_of_joined_paths_the_shortest_stay() -> None:
    """The most confident of them first."""
    a, b, c = declared("a()"), declared("b()"), declared("c()")
    unsure = [calls(b, c, 0.5)]
    assert join_paths([[], [[calls(a, b), calls(b, c)]], [unsure], [[calls(a, c)]]]) == [[calls(a, c)], unsure]
    assert join_paths([[]]) == []


def test_joining_changes_nothing_about_one_answer() -> None:
    """Relations keep their fields."""
    relation = dataclasses.replace(calls(declared("a()"), declared("b()")), confidence=0.3)
    assert join_relations([[relation]], last=()) == [relation]
