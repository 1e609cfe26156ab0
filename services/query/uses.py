"""Where something is used: the call sites of a definition, with the chunk that shows each, current code before deprecated, examples and tests last.

The list of uses is the answer to a question of use, so it is read from the graph as a whole and not found by words: of a callable its callers, also
those that call the requirement it implements or the method it overrides; of a type who conforms to it, inherits from it, makes it, extends it and
names it.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from exegesis.model import Chunk, Edge, EdgeKind, FileRole, Modifier, Span, Symbol, SymbolKind
from services.graph.api import Direction
from services.query.corpus import Corpus, chunks_holding
from services.query.flow import DEMONSTRATIONS
from services.query.programs import is_export_list

MOST: Final = 200
"""Uses of one symbol that are looked at, the most certain first, those in tests last: more than any context holds."""

FEW: Final = 8
"""Direct callers below which those of the requirement or of the overridden method are looked for as well."""

THROUGH: Final = 0.6
"""Confidence of a call through a requirement: which implementation runs is known at run time."""


class Group(enum.IntEnum):
    """In which order uses are told."""

    CURRENT = 0
    DEPRECATED = 1
    EXAMPLE = 2
    """Examples, demonstrations, and other people's code."""
    TEST = 3


ORDER: Final[Mapping[EdgeKind, int]] = {
    # How a use is made, the most telling first; what is missing here is no use.
    EdgeKind.INHERIT: 0,
    EdgeKind.CALL: 1,
    EdgeKind.CONSTRUCT: 1,
    EdgeKind.ACCESS: 1,
    EdgeKind.IMPLICIT: 1,
    EdgeKind.EXTEND: 2,
    EdgeKind.TYPE: 3,
}

_ASIDE: Final = FileRole.EXAMPLE | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.GENERATED | FileRole.SUPERSEDED


@dataclass(frozen=True, slots=True)
class Use:
    """One chunk that uses what is asked about."""

    chunk: Chunk
    """Without its text; of an oversize symbol the part with the first call site."""
    group: Group
    edges: tuple[Edge, ...]
    """Its uses, in the order of the lines."""
    used: str
    """Name of what its first use is of: a name may stand for several declarations."""
    own: bool
    """It belongs to what it uses: a type speaks of itself all the time."""

    @property
    def order(self) -> tuple[Group, bool, int]:
        return self.group, self.own, min(ORDER[edge.kind] for edge in self.edges)

    @property
    def confidence(self) -> float:
        return max(edge.confidence for edge in self.edges)

    @property
    def lines(self) -> frozenset[int]:
        return frozenset(edge.line for edge in self.edges)


def find_uses(corpus: Corpus, definitions: Sequence[int]) -> tuple[Use, ...]:
    """Everything that uses one of the definitions, in the order in which it is told: by group, kind of use and place.

    What stands inside a callable definition (recursion) is no use of it; that of another definition, which bears the same name, is.
    """
    defined = corpus.graph.symbols(corpus.pin, definitions)
    wanted = _with_members(corpus, defined)
    edges = [edge for edge in corpus.graph.edges(corpus.pin, sorted(wanted), Direction.CALLERS, per_node=MOST) if edge.kind in ORDER]
    if len({edge.source for edge in edges}) < FEW:
        edges += _through_requirements(corpus, defined)
    sources = corpus.graph.symbols(corpus.pin, sorted({edge.source for edge in edges}))
    outside = [edge for edge in edges if edge.source in sources and not _recurs(edge, sources[edge.source], defined)]
    targets = corpus.graph.symbols(corpus.pin, sorted({edge.target for edge in outside}))
    holding = _chunks_at(corpus, outside, sources)
    deprecated = _deprecated(corpus, sources.values())
    found: dict[int, list[Edge]] = {}
    for edge in outside:
        if (edge.source, edge.line) in holding:
            found.setdefault(holding[edge.source, edge.line].id, []).append(_as_told(edge, sources[edge.source]))
    chunks = {chunk.id: chunk for chunk in holding.values()}
    uses = []
    for id_, its in found.items():
        its.sort(key=lambda edge: (edge.line, edge.column, edge.target, edge.kind.value))
        source = sources[its[0].source]
        own = _inside(source, defined.values()) or source.container in {symbol.qualified for symbol in defined.values()}
        group = _group(corpus, source, deprecated)
        target = targets.get(its[0].target)
        uses.append(Use(chunks[id_], group, tuple(its), target.qualified if target else "", own))
    return tuple(sorted(uses, key=lambda use: (*use.order, use.chunk.path, use.chunk.start, use.chunk.id)))


def _as_told(edge: Edge, source: Symbol) -> Edge:
    """That a binder exports a procedure only declares it, as a prototype does."""
    return replace(edge, kind=EdgeKind.EXTEND) if is_export_list(source.name, source.kind.value, source.path) else edge


def _with_members(corpus: Corpus, defined: Mapping[int, Symbol]) -> set[int]:
    """A type is also used by making it and by naming its cases."""
    types = {symbol.id: symbol for symbol in defined.values() if symbol.kind.is_type}
    wanted = set(defined)
    for symbol in corpus.graph.symbols_in(corpus.pin, sorted({symbol.path for symbol in types.values()})) if types else ():
        if symbol.parent in types and symbol.kind in {SymbolKind.INITIALIZER, SymbolKind.CASE}:
            wanted.add(symbol.id)
    return wanted


def _through_requirements(corpus: Corpus, defined: Mapping[int, Symbol]) -> list[Edge]:
    """Calls of what a callable definition implements or overrides: they may run it."""
    callables = sorted(symbol.id for symbol in defined.values() if symbol.kind.is_callable)
    if not callables:
        return []
    above = {edge.source for edge in corpus.graph.edges(corpus.pin, callables, Direction.CALLERS, per_node=FEW) if edge.kind is EdgeKind.WITNESS}
    above |= {edge.target for edge in corpus.graph.edges(corpus.pin, callables, Direction.CALLEES, per_node=MOST) if edge.kind is EdgeKind.OVERRIDE}
    calls = corpus.graph.edges(corpus.pin, sorted(above - set(callables)), Direction.CALLERS, per_node=FEW * 2) if above else ()
    return [
        Edge(edge.source, edge.target, edge.kind, edge.rule, edge.tier, min(edge.confidence, THROUGH), edge.line, edge.column)
        for edge in calls
        if edge.kind in {EdgeKind.CALL, EdgeKind.ACCESS}
    ]


def _recurs(edge: Edge, source: Symbol, defined: Mapping[int, Symbol]) -> bool:
    """Whether a use stands in the callable that it is of; a call through a requirement may be of any of them."""
    meant = [defined[edge.target]] if edge.target in defined else defined.values()
    return _inside(source, meant, callable_only=True)


def _inside(source: Symbol, definitions: Iterable[Symbol], *, callable_only: bool = False) -> bool:
    spot = Span(source.line, source.line)
    return any(source.path == symbol.path and symbol.span.overlaps(spot) for symbol in definitions if not callable_only or symbol.kind.is_callable)


def _chunks_at(corpus: Corpus, edges: Sequence[Edge], sources: Mapping[int, Symbol]) -> Mapping[tuple[int, int], Chunk]:
    """The chunk that shows each call site, by source and line: of an oversize symbol the part that owns the line."""
    first = chunks_holding(corpus, sorted({edge.source for edge in edges}))
    chunks = dict(corpus.graph.chunks(corpus.pin, sorted(set(first.values()))))
    split = sorted({chunk.symbol for chunk in chunks.values() if chunk.parts > 1 and chunk.symbol is not None})
    parts = corpus.graph.chunks_of_symbols(corpus.pin, split) if split else {}
    chunks |= corpus.graph.chunks(corpus.pin, sorted({id_ for ids in parts.values() for id_ in ids} - chunks.keys())) if parts else {}
    found: dict[tuple[int, int], Chunk] = {}
    for edge in edges:
        chunk = chunks.get(first.get(edge.source, -1))
        if chunk is None or edge.source not in sources:
            continue
        line = Span(edge.line, edge.line)
        alike = [chunks[id_] for id_ in parts.get(chunk.symbol or -1, ()) if id_ in chunks]
        found[edge.source, edge.line] = next((part for part in alike if any(run.overlaps(line) for run in part.runs)), chunk)
    return found


def _deprecated(corpus: Corpus, sources: Iterable[Symbol]) -> set[int]:
    """Those that are deprecated themselves or stand in something that is."""
    known = {symbol.id: symbol for symbol in sources}
    above = {symbol.id: symbol.id for symbol in known.values()}
    found: set[int] = set()
    while above:
        found |= {source for source, at in above.items() if known[at].modifiers & Modifier.DEPRECATED}
        parents = {source: parent for source, at in above.items() if source not in found and (parent := known[at].parent) is not None}
        missing = sorted(set(parents.values()) - known.keys())
        known |= corpus.graph.symbols(corpus.pin, missing) if missing else {}
        above = {source: parent for source, parent in parents.items() if parent in known}
    return found


def _group(corpus: Corpus, source: Symbol, deprecated: Collection[int]) -> Group:
    role = corpus.role(source.path)
    if role & FileRole.TEST:
        return Group.TEST
    if role & _ASIDE or DEMONSTRATIONS.search(source.path):
        return Group.EXAMPLE
    return Group.DEPRECATED if source.id in deprecated else Group.CURRENT
