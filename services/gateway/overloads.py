"""A name as a person writes it stands for all overloads that bear it; written with labels, or as a place, it stands for one declaration.

Answers about the overloads are joined into one. Pure functions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from exegesis.model import Modifier, Relation, Symbol

MOST: Final = 8
"""Overloads that are asked about: a repository of 100,000 lines has hardly a name with more, and paths are searched between all pairs."""

WAYS: Final = 5
"""Paths that are shown."""


def overloads(found: Sequence[Symbol]) -> list[Symbol]:
    """The first of what a search for a name found, and the callables that differ from it in nothing but labels or types."""
    first = found[0]
    if not first.kind.is_callable:
        return [first]
    name = _without_labels(first)
    return [symbol for symbol in found if symbol.kind is first.kind and _without_labels(symbol) == name][:MOST]


def is_exact(written: str) -> bool:
    """Whether somebody wrote labels or a place, and so means one declaration."""
    return "(" in written or ":" in written.replace("::", "")


def join_relations(answers: Iterable[Sequence[Relation]], *, last: Collection[str]) -> list[Relation]:
    """The relations of all answers, each edge once: nearest first, deprecated sources after current ones, those in the files ``last`` after all."""
    distinct: dict[tuple[int, int, int, int], Relation] = {}
    for relation in (relation for answer in answers for relation in answer):
        edge = relation.edge
        distinct.setdefault((edge.source, edge.target, edge.line, edge.column), relation)
    return sorted(
        distinct.values(),
        key=lambda relation: (relation.depth, relation.source.path in last, bool(relation.source.modifiers & Modifier.DEPRECATED)),
    )


def join_paths(answers: Iterable[Sequence[Sequence[Relation]]]) -> list[Sequence[Relation]]:
    """The shortest ways of all answers, the most confident first, ``WAYS`` at most."""
    ways = [way for answer in answers for way in answer if way]
    shortest = min(map(len, ways), default=0)
    return sorted((way for way in ways if len(way) == shortest), key=lambda way: -way[-1].confidence)[:WAYS]


def _without_labels(symbol: Symbol) -> str:
    return symbol.qualified.partition("(")[0]
