"""Questions to the call graph as people put them: by names, where one without labels stands for all overloads that bear it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from exegesis.model import FileRole, Relation, Repository
from exegesis.ports import Catalog
from services.gateway.overloads import is_exact, join_paths, join_relations, overloads
from services.graph.api import Beside, Crossing, GraphService, Pin

Answer = TypeVar("Answer")
_WITHIN: Final[Mapping[Crossing, Callable[[GraphService, Pin, int], Sequence[Relation]]]] = {
    "callers": lambda graph, pin, symbol: graph.callers(pin, symbol),
    "callees": lambda graph, pin, symbol: graph.callees(pin, symbol),
    "impact": lambda graph, pin, symbol: graph.impact(pin, symbol),
}


def ask_relations(graph: GraphService, pin: Pin, written: str, ask: Callable[[Pin, int], Sequence[Relation]]) -> Sequence[Relation]:
    """What ``ask`` says about all that the name stands for. Raises ``UnknownSymbol`` where nothing bears it."""
    answers = [ask(pin, symbol) for symbol in _symbols(graph, pin, written)]
    if len(answers) == 1:
        return answers[0]
    paths = sorted({relation.source.path for answer in answers for relation in answer})
    tests = {row.file.path for row in graph.files(pin, paths) if row.file.roles & FileRole.TEST}
    return join_relations(answers, last=tests)


def ask_relations_everywhere(
    graph: GraphService, catalog: Catalog, pin: Pin, written: str, question: Crossing, *, readable: Iterable[Repository]
) -> tuple[Sequence[Relation], Sequence[Repository]]:
    """What the repository of ``pin`` says, and then the others among ``readable``, for all that the name stands for; and those others that an answer
    came from. Their paths begin with their name and a colon, or with their identifier where the name does not tell them apart; see
    :mod:`services.graph.across`.
    """
    found = ask_relations(graph, pin, written, lambda pin, symbol: _WITHIN[question](graph, pin, symbol))
    labels = _labels(readable)
    heads = {label: catalog.head(repository.id) for label, repository in labels.items() if repository.id != pin.repository}
    beside = [Beside(label, Pin(labels[label].id, head.id)) for label, head in heads.items() if head is not None]
    if not beside:
        return found, ()
    across = graph.elsewhere(pin, _symbols(graph, pin, written), question, beside)
    far = [relation.target if question == "callees" else relation.source for relation in across]
    came_from = dict.fromkeys(end.path.partition(":")[0] for end in far)
    return [*found, *across], [labels[label] for label in came_from]


def _labels(repositories: Iterable[Repository]) -> Mapping[str, Repository]:
    """Repositories by what their paths are told by: names are not unique, and one with a colon would not end where it seems to."""
    known = list(repositories)
    taken = Counter([*(each.name for each in known), *{each.id for each in known}])
    return {(each.name if taken[each.name] == 1 and ":" not in each.name else each.id): each for each in known}


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
