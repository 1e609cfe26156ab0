"""Calls between repositories of IBM i, joined when they are asked for: a program object is known by its name wherever it was compiled.

What one repository wants and does not have is what its graph keeps anyway: calls that became no edge, and prototypes and files that lead to nothing
there. What another offers is its programs, the procedures that it exports, and its tables. Libraries are not compared, for they are chosen when a
program runs; so a join is a guess of stated confidence, and a weaker one where several repositories offer the name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from exegesis.errors import CorruptIndex, NotIndexed
from exegesis.model import Edge, EdgeKind, Modifier, Relation, Symbol, SymbolKind
from services.graph.api import Beside, Crossing, Direction, GraphService, Pin
from services.graph.dialects import dialect_of
from services.graph.modules.copies import member_of
from services.graph.programs import is_command, is_dynamic, is_program
from services.graph.rules import RULES

_ENTRY, _PUBLIC = int(Modifier.ENTRY), int(Modifier.PUBLIC)
_MOST_CROSSINGS = 100
"""Symbols of one answer that are looked for elsewhere, and callers there from which it goes on."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a program, a procedure or a file is known by outside of its repository."""

    text: str
    """In capitals."""
    rule: str
    """By which it is joined."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A call, or a declaration that stands for something, in one repository."""

    source: Symbol
    name: Name
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _Sight:
    """Another repository as it is seen from outside, read once for a question."""

    beside: Beside
    offers: Mapping[Name, Sequence[Symbol]]
    """Declarations by what they are known by. Programs are called like their members."""
    wants: Mapping[Name, Sequence[_Wanted]]
    """Calls of the names that the question is about, and files of those names, that lead to nothing in the repository."""


@dataclass(frozen=True, slots=True)
class _Crossing:
    """A call from another repository of something that leads to what is asked about."""

    relation: Relation
    depth: int
    """Steps from the end of the call to what is asked about."""
    confidence: float
    """Of those steps."""
    goes_on: bool
    """Callers of the caller are asked for as well."""


def elsewhere(graph: GraphService, pin: Pin, symbols: Sequence[int], crossing: Crossing, others: Sequence[Beside]) -> list[Relation]:
    """Callers, callees or impact of symbols in other repositories, of one symbol after the other. Paths there begin with the name of the repository
    and a colon. Each repository is read once, whatever the number of symbols.
    """
    found = graph.symbols(pin, symbols)
    paths = sorted({symbol.path for symbol in found.values()})
    ours = {row.file.path for row in graph.files(pin, paths) if dialect_of(row.file.language).programs} if paths and others else set()
    asked = [found[each] for each in symbols if each in found and found[each].path in ours]
    return _ASK[crossing](graph, pin, asked, others) if asked else []


def _callers(graph: GraphService, _pin: Pin, asked: Sequence[Symbol], others: Sequence[Beside]) -> list[Relation]:
    """The most confident first."""
    sights = _sights(graph, others, asked)
    found: list[Relation] = []
    for symbol in asked:
        calls = [relation for sight in sights for relation in _calls_from(sight, symbol, sights)]
        found += sorted(calls, key=lambda each: (-each.confidence, each.source.path, each.edge.line))
    return found


def _callees(graph: GraphService, pin: Pin, asked: Sequence[Symbol], others: Sequence[Beside]) -> list[Relation]:
    """In the order of the calls."""
    wanted: dict[int, list[_Wanted]] = {symbol.id: [] for symbol in asked}
    sources = {symbol.id: symbol for symbol in asked}
    for gap in graph.unresolved(pin, list(sources)):
        wanted[gap.source] += [_Wanted(sources[gap.source], Name(gap.name.upper(), rule), gap.line, gap.column) for rule in ("U7", "U8")]
    for symbol in asked:
        for relation in graph.callees(pin, symbol.id):
            name = _stood_for(relation.target)
            if name is not None:
                wanted[symbol.id].append(_Wanted(symbol, name, relation.edge.line, relation.edge.column))
    sights = _sights(graph, others) if any(wanted.values()) else []
    found: list[Relation] = []
    for symbol in asked:
        calls: list[Relation] = []
        for each in wanted[symbol.id]:
            offers = [(sight.beside, offered) for sight in sights for offered in sight.offers.get(each.name, ())]
            calls += [_relation(symbol, _abroad(offered, other), each, len(offers) - 1) for other, offered in offers]
        found += sorted(calls, key=lambda each: (each.edge.line, each.edge.column, -each.confidence, each.target.path))
    return found


def _impact(graph: GraphService, pin: Pin, asked: Sequence[Symbol], others: Sequence[Beside]) -> list[Relation]:
    """Of what reaches a symbol in its own repository too: nearest first, each with the way's confidence."""
    reached: list[list[tuple[Symbol, int, float]]] = []
    for symbol in asked:
        near = [(symbol, 0, 1.0), *((each.source, each.depth, each.confidence) for each in graph.impact(pin, symbol.id))]
        reached.append(near[:_MOST_CROSSINGS])
    sights = _sights(graph, others, [target for near in reached for target, _, _ in near])
    found: list[Relation] = []
    for near in reached:
        beyond = [each for sight, crossings in _crossings(near, sights) for each in _reaching(graph, sight, crossings)]
        found += sorted(beyond, key=lambda each: (each.depth, -each.confidence, each.source.path, each.edge.line))
    return found


_ASK: Final = {"callers": _callers, "callees": _callees, "impact": _impact}


def _crossings(near: Sequence[tuple[Symbol, int, float]], sights: Sequence[_Sight]) -> list[tuple[_Sight, list[_Crossing]]]:
    """By repository, since a graph service keeps few of them open. It goes on from each caller once, from the nearest on."""
    found: list[tuple[_Sight, list[_Crossing]]] = [(sight, []) for sight in sights]
    followed: set[tuple[str, int]] = set()
    for target, depth, confidence in near:
        for sight, crossings in found:
            for relation in _calls_from(sight, target, sights):
                caller = (sight.beside.name, relation.source.id)
                goes_on = caller not in followed and len(followed) < _MOST_CROSSINGS
                followed |= {caller} if goes_on else set()
                crossings.append(_Crossing(relation, depth, confidence, goes_on))
    return found


def _reaching(graph: GraphService, sight: _Sight, crossings: Sequence[_Crossing]) -> list[Relation]:
    """What reaches the target of a crossing in one repository, each symbol once; as far as it can still be read."""
    found: dict[int, Relation] = {}
    for each in crossings:
        relation, sure = each.relation, each.confidence * each.relation.confidence
        found.setdefault(relation.source.id, replace(relation, depth=each.depth + 1, confidence=sure))
        if not each.goes_on:
            continue
        with suppress(CorruptIndex, NotIndexed):
            for further in graph.impact(sight.beside.pin, relation.source.id):
                ends = replace(further, source=_abroad(further.source, sight.beside), target=_abroad(further.target, sight.beside))
                later = replace(ends, depth=each.depth + 1 + further.depth, confidence=sure * further.confidence)
                found.setdefault(further.source.id, later)
    return list(found.values())


def _calls_from(sight: _Sight, target: Symbol, sights: Sequence[_Sight]) -> list[Relation]:
    """Calls of a symbol from one repository, the most confident first. Each of the others that offers the name as well may be meant instead."""
    name = _offered(target)
    if name is None:
        return []
    rivals = sum(1 for each in sights if name in each.offers)
    calls = [_relation(_abroad(wanted.source, sight.beside), target, wanted, rivals) for wanted in sight.wants.get(name, ())]
    return sorted(calls, key=lambda each: (-each.confidence, each.source.path, each.edge.line))


# ---------------------------------------------------------------------------------------------------- what is offered and wanted


def _offered(symbol: Symbol) -> Name | None:
    """What a symbol is known by outside; None for what nobody outside can name."""
    if symbol.kind is SymbolKind.PROCEDURE and symbol.modifiers & _ENTRY:
        return Name(member_of(symbol.path), "U7")
    if symbol.kind is SymbolKind.PROCEDURE and symbol.modifiers & _PUBLIC and not is_command(symbol):
        return Name((symbol.initializer[0].name if symbol.initializer else symbol.name).upper(), "U8")
    if symbol.kind is SymbolKind.TABLE and symbol.modifiers & _PUBLIC:
        return Name(symbol.name.upper(), "U9")
    return None


def _stood_for(symbol: Symbol) -> Name | None:
    """What a declaration stands for that leads to nothing in its own repository."""
    if symbol.kind is SymbolKind.PROTOTYPE and not is_dynamic(symbol):
        return Name((symbol.initializer[0].name if symbol.initializer else symbol.name).upper(), "U7" if is_program(symbol) else "U8")
    if symbol.kind is SymbolKind.TABLE and not symbol.modifiers & _PUBLIC:
        return Name((symbol.initializer[0].name if symbol.initializer else symbol.name).upper(), "U9")
    return None


def _sights(graph: GraphService, others: Sequence[Beside], targets: Iterable[Symbol] = ()) -> list[_Sight]:
    """Of those that can be read: an index of another version, or one that was replaced meanwhile, is no fault of whoever asks about this one. What
    they want is looked for as far as it is one of ``targets``.
    """
    names = {name for target in targets if (name := _offered(target)) is not None}
    found: list[_Sight] = []
    for other in others:
        with suppress(CorruptIndex, NotIndexed):
            found.append(_seen(graph, other, names))
    return found


def _seen(graph: GraphService, other: Beside, names: Collection[Name]) -> _Sight:
    paths = [row.file.path for row in graph.files(other.pin) if dialect_of(row.file.language).programs]
    symbols = graph.symbols_in(other.pin, paths) if paths else ()
    offers: dict[Name, list[Symbol]] = {}
    for symbol in symbols:
        name = _offered(symbol)
        if name is not None:
            offers.setdefault(name, []).append(symbol)
    return _Sight(other, offers, _wants(graph, other.pin, symbols, names) if symbols and names else {})


def _wants(graph: GraphService, pin: Pin, symbols: Sequence[Symbol], names: Collection[Name]) -> Mapping[Name, Sequence[_Wanted]]:
    """Calls of these names, and files of these names, that lead to nothing in a repository, whose symbols are given."""
    found: dict[Name, list[_Wanted]] = {}
    standing = [(symbol, name) for symbol in symbols if (name := _stood_for(symbol)) is not None and name in names]
    led = {edge.source for edge in graph.edges(pin, [symbol.id for symbol, _ in standing], Direction.CALLEES)} if standing else set()
    for symbol, name in standing:
        if symbol.id in led:
            continue
        wanted = found.setdefault(name, [])
        if symbol.kind is SymbolKind.TABLE:
            wanted.append(_Wanted(symbol, name, symbol.line, symbol.column))
        wanted += [_Wanted(relation.source, name, relation.edge.line, relation.edge.column) for relation in graph.callers(pin, symbol.id)]
    callers = {symbol.id: symbol for symbol in symbols if symbol.kind.is_callable}
    for gap in graph.unresolved(pin, list(callers)) if callers else ():
        for rule in ("U7", "U8"):  # whether a program or a procedure is meant, only a member tells that lies elsewhere
            name = Name(gap.name.upper(), rule)
            if name in names:
                found.setdefault(name, []).append(_Wanted(callers[gap.source], name, gap.line, gap.column))
    return found


def _abroad(symbol: Symbol, other: Beside) -> Symbol:
    return replace(symbol, path=f"{other.name}:{symbol.path}")


def _relation(source: Symbol, target: Symbol, wanted: _Wanted, rivals: int) -> Relation:
    """``rivals`` are further declarations of the name that may be meant as well."""
    rule = RULES[wanted.name.rule]
    confidence = rule.confidence / (1 + rivals)
    kind = EdgeKind.CALL if target.kind.is_callable else EdgeKind.ACCESS
    edge = Edge(source.id, target.id, kind, rule.id, rule.tier, confidence, wanted.line, wanted.column)
    return Relation(source, target, edge, 1, confidence)
