"""Figures of retrieval: what share of the places that answer a question was found, and how early.

A *place* is a path with or without lines. A result meets a place when the paths agree (one may be a suffix of the other, because questions may be
relative to another folder) and the lines overlap. Figures are means over the questions of a repository, then over repositories, so that a
repository with many questions does not drown the others.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Location:
    path: str
    start: int | None = None
    end: int | None = None

    def meets(self, other: Location) -> bool:
        if not same_path(self.path, other.path):
            return False
        if self.start is None or self.end is None or other.start is None or other.end is None:
            return True
        return self.start <= other.end and other.start <= self.end


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was found for one question: the result list, best first, and the context."""

    results: tuple[Location, ...]
    context: tuple[Location, ...]
    tokens: int


def location(record: Mapping[str, Any]) -> Location:
    return Location(str(record["path"]), record.get("start"), record.get("end"))


def same_path(one: str, other: str) -> bool:
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def ndcg(results: Sequence[Location], gold: Sequence[Location], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with binary gain. Places met by the same result share its rank; the ideal ranks each place alone."""
    if not gold:
        return 0.0
    top = results[:depth]
    met = {rank for place in gold if (rank := _first(top, place)) is not None}
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(depth, len(gold))))
    return sum(1 / math.log2(rank + 2) for rank in met) / ideal


def _first(results: Sequence[Location], place: Location) -> int | None:
    return next((rank for rank, result in enumerate(results) if result.meets(place)), None)


def figures(gold: Sequence[Location], found: Prediction) -> dict[str, float]:
    """The figures of one question; those that make no sense for it are left out."""
    files = tuple(Location(path) for path in dict.fromkeys(place.path for place in gold))
    named_once = tuple(Location(path) for path in dict.fromkeys(result.path for result in found.results))
    scored = {
        "ndcg10": ndcg(found.results, gold),
        "ndcg10_file": ndcg(named_once, files),
        "hit10": float(any(same_path(result.path, place.path) for result in found.results[:10] for place in gold)),
        "mrr": next((1 / rank for rank, result in enumerate(found.results, start=1) if any(result.meets(place) for place in gold)), 0.0),
        "span_recall": _share(gold, found.context),
        "file_recall": _share(files, found.context),
        "tokens": float(found.tokens),
    }
    if all(place.start is not None for place in gold):
        scored["line_prec"] = _line_precision(gold, found.context)
    return scored


def _share(places: Sequence[Location], context: Sequence[Location]) -> float:
    return sum(any(item.meets(place) for item in context) for place in places) / len(places)


def _line_precision(gold: Sequence[Location], context: Sequence[Location]) -> float:
    """Share of the context's lines that lie in a gold place."""
    lines = {(item.path, line) for item in context if item.start is not None and item.end is not None for line in range(item.start, item.end + 1)}
    good = sum(any(Location(path, line, line).meets(place) for place in gold) for path, line in lines)
    return good / len(lines) if lines else 0.0


def mean_over_repositories(scored: Iterable[tuple[str, Mapping[str, float]]]) -> dict[str, float]:
    """Mean of every figure per repository, then over the repositories in which it occurs."""
    by_figure: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for repository, values in scored:
        for name, value in values.items():
            by_figure[name][repository].append(value)
    return {name: sum(sum(values) / len(values) for values in repositories.values()) / len(repositories) for name, repositories in by_figure.items()}
