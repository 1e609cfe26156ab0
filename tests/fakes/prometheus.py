"""Whether a rule of Prometheus fires on pages that were scraped: as much of its language as the rules of this project use.

Prometheus itself is no wheel. Its parser is (``promql-parser``, the one of GreptimeDB in Rust), so what is evaluated here is what it would read;
`increase` does without extrapolation, which changes no comparison with nothing and hardly any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import eq, gt
from typing import Any, Final

import pytest

promql = pytest.importorskip("promql_parser", reason="`make venv` has it")

Page = Mapping[str, Sequence[tuple[Mapping[str, str], float]]]
"""Samples by metric, each with its labels."""
Scrapes = Sequence[tuple[float, Page]]
"""Pages by the second at which they were read, ascending."""

_COMPARED: Final[Mapping[str, Callable[[float, float], bool]]] = {">": gt, "==": eq}


def read_page(text: str) -> Page:
    """Samples of a page in the format that Prometheus scrapes."""
    found: dict[str, list[tuple[Mapping[str, str], float]]] = {}
    for line in text.splitlines():
        if sample := re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line):
            labels = dict(re.findall(r'(\w+)="([^"]*)"', sample[2] or ""))
            found.setdefault(sample[1], []).append((labels, float(sample[3])))
    return found


def fires(rule: Mapping[str, Any], scrapes: Scrapes) -> bool:
    """Whether the rule holds at every scrape of the last minutes that it wants to be sure of, and there are that many."""
    expression = promql.parse(rule["expr"])
    number, unit = re.fullmatch(r"(\d+)([sm])", rule["for"]).groups()  # type: ignore[union-attr]  # the rules have one
    since = scrapes[-1][0] - int(number) * {"s": 1, "m": 60}[unit]
    return scrapes[0][0] <= since and all(_values(expression, scrapes, at) for at, _ in scrapes if at >= since)


def _values(node: Any, scrapes: Scrapes, at: float) -> list[float]:
    """What an expression selects at a moment."""
    match type(node).__name__:
        case "NumberLiteral":
            return [node.val]
        case "VectorSelector":
            return _selected(node, next(page for moment, page in reversed(scrapes) if moment <= at))
        case "AggregateExpr":
            return [max(inner)] if (inner := _values(node.expr, scrapes, at)) else []
        case "Call":
            (window,) = node.args
            inside = [page for moment, page in scrapes if at - window.range.total_seconds() <= moment <= at]
            first, last = (_selected(window.vector_selector, page) for page in (inside[0], inside[-1]))
            return [after - before for before, after in zip(first, last, strict=True)]
        case "BinaryExpr":
            return _joined(node, _values(node.lhs, scrapes, at), _values(node.rhs, scrapes, at))
    raise NotImplementedError(type(node).__name__)


def _selected(selector: Any, page: Page) -> list[float]:
    wanted = {matcher.name: matcher.value for matcher in selector.matchers.matchers}
    return [value for labels, value in page.get(selector.name, ()) if wanted.items() <= labels.items()]


def _joined(node: Any, left: list[float], right: list[float]) -> list[float]:
    whole, end = (" ".join(part.prettify().split()) for part in (node, node.rhs))
    operator = whole.removesuffix(end).split()[-1]  # the parser tells it by a number
    if operator == "and":
        return left if right else []
    return [value for value in left if _COMPARED[operator](value, right[0])]
