"""Questions to the call graph as people put them: by names, where one without labels stands for all overloads that bear it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from exegesis.model import FileRole, Relation
from services.gateway.overloads import is_exact, join_paths, join_relations, overloads
from services.graph.api import Beside, Crossing, GraphService, Pin

Answer = TypeVar("Answer")


def ask_relations(graph: GraphService, pin: Pin, written: str, ask: Callable[[Pin, int], Sequence[Relation]]) -> Sequence[Relation]:
    """What ``ask`` says about all that the name stands for. Raises ``UnknownSymbol`` where nothing bears it."""
    answers = [ask(pin, symbol) for symbol in _symbols(graph, pin, written)]
    if len(answers) == 1:
        return answers[0]
    paths = sorted({relation.source.path for answer in answers for relation in answer})
    tests = {row.file.path for row in graph.files(pin, paths) if row.file.roles & FileRole.TEST}
    return join_relations(answers, last=tests)


def ask_across(graph: GraphService, pin: Pin, written: str, question: Crossing, others: Mapping[str, Pin]) -> Sequence[Relation]:
    """The same of other repositories, told by their names, for all that the name stands for."""
    if not others:
        return []
    beside = [Beside(name, other) for name, other in others.items()]
    return graph.elsewhere(pin, _symbols(graph, pin, written), question, beside)


def ask_paths(graph: GraphService, pin: Pin, source: str, target: str) -> Sequence[Sequence[Relation]]:
    """Shortest ways from anything of one name to anything of another."""
    starts, goals = _symbols(graph, pin, source), _symbols(graph, pin, target)
    return join_paths(graph.path(pin, start, goal) for start in starts for goal in goals if start != goal or len(starts) == 1)


def ask_whole(graph: GraphService, pin: Pin, written: str, ask: Callable[[Pin, Sequence[int]], Answer]) -> Answer:
    """What ``ask`` says about all that the name stands for, taken together."""
    return ask(pin, _symbols(graph, pin, written))


def _symbols(graph: GraphService, pin: Pin, written: str) -> list[int]:
    found = graph.find(pin, written)
    return [symbol.id for symbol in (found[:1] if is_exact(written) else overloads(found))]
