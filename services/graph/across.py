"""Calls between repositories of IBM i, joined when they are asked for: a program object is known by its name wherever it was compiled.

What one repository wants and does not have is what its graph keeps anyway: calls that became no edge, and prototypes and files that lead to nothing
there. What another offers is its programs, the procedures that it exports, and its tables. Libraries are not compared, for they are chosen when a
program runs; so a join is a guess of stated confidence, and a weaker one where several repositories offer the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from exegesis.errors import CorruptIndex, NotIndexed
from exegesis.model import Edge, EdgeKind, Modifier, Relation, Symbol, SymbolKind
from services.graph.api import Direction, GraphService, Pin
from services.graph.dialects import dialect_of
from services.graph.modules.copies import member_of
from services.graph.programs import is_command, is_dynamic, is_program
from services.graph.rules import RULES

_ENTRY, _PUBLIC = int(Modifier.ENTRY), int(Modifier.PUBLIC)
_MOST_CROSSINGS = 100
"""Symbols of one answer that are looked for elsewhere, and callers there from which it goes on."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Another repository that may be asked, and what people call it."""

    name: str
    pin: Pin


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
    members: Mapping[str, Sequence[str]]
    """Paths by the names of their members."""
    standing: Mapping[Name, Sequence[Symbol]]
    """Prototypes and files by what they stand for."""
    gaps: Mapping[str, Sequence[_Wanted]]
    """Calls that became no edge, by what they name. Whether a program or a procedure is meant, only a member tells that lies elsewhere."""


def callers_elsewhere(graph: GraphService, pin: Pin, symbol_id: int, others: Sequence[Beside]) -> list[Relation]:
    """Who calls a symbol from other repositories, the most confident first; their paths begin with the name of the repository and a colon."""
    symbol = graph.symbols(pin, [symbol_id]).get(symbol_id)
    if symbol is None or not _is_ours(graph, pin, symbol):
        return []
    return _callers(graph, symbol, _sights(graph, others))


def callees_elsewhere(graph: GraphService, pin: Pin, symbol_id: int, others: Sequence[Beside]) -> list[Relation]:
    """What a symbol calls in other repositories, in the order of the calls; their paths begin with the name of the repository and a colon."""
    source = graph.symbols(pin, [symbol_id]).get(symbol_id)
    if source is None or not _is_ours(graph, pin, source):
        return []
    wanted = [
        _Wanted(source, Name(gap.name.upper(), rule), gap.line, gap.column) for gap in graph.unresolved(pin, [symbol_id]) for rule in ("U7", "U8")
    ]
    for relation in graph.callees(pin, symbol_id):
        name = _stood_for(relation.target)
        if name is not None:
            wanted.append(_Wanted(source, name, relation.edge.line, relation.edge.column))
    sights = _sights(graph, others) if wanted else []
    found: list[Relation] = []
    for each in wanted:
        offers = [(sight.beside, symbol) for sight in sights for symbol in _offers(graph, sight, each.name)]
        found += [_relation(source, _abroad(symbol, other), each, len(offers) - 1) for other, symbol in offers]
    return sorted(found, key=lambda each: (each.edge.line, each.edge.column, -each.confidence, each.target.path))


def impact_elsewhere(graph: GraphService, pin: Pin, symbol_id: int, others: Sequence[Beside]) -> list[Relation]:
    """Everything in other repositories that reaches a symbol, or what reaches it in its own: nearest first, each with the way's confidence."""
    symbol = graph.symbols(pin, [symbol_id]).get(symbol_id)
    if symbol is None or not _is_ours(graph, pin, symbol):
        return []
    sights = _sights(graph, others)
    reached = [(symbol, 0, 1.0), *((each.source, each.depth, each.confidence) for each in graph.impact(pin, symbol_id))]
    found: dict[tuple[str, int], Relation] = {}
    followed = 0
    for target, depth, confidence in reached[:_MOST_CROSSINGS]:
        for sight in sights:
            for relation in _callers(graph, target, [sight], sights):
                sure = confidence * relation.confidence
                found.setdefault((sight.beside.name, relation.source.id), replace(relation, depth=depth + 1, confidence=sure))
                followed += 1
                for further in graph.impact(sight.beside.pin, relation.source.id) if followed <= _MOST_CROSSINGS else ():
                    ends = replace(further, source=_abroad(further.source, sight.beside), target=_abroad(further.target, sight.beside))
                    later = replace(ends, depth=depth + 1 + further.depth, confidence=sure * further.confidence)
                    found.setdefault((sight.beside.name, further.source.id), later)
    return sorted(found.values(), key=lambda each: (each.depth, -each.confidence, each.source.path, each.edge.line))


def _callers(graph: GraphService, symbol: Symbol, sights: Sequence[_Sight], rivals: Sequence[_Sight] | None = None) -> list[Relation]:
    """``rivals`` are all repositories that may offer the name as well, where those are not ``sights``."""
    name = _offered(symbol)
    if name is None:
        return []
    others = sum(1 for sight in rivals or sights if _offers(graph, sight, name))
    found = [_relation(_abroad(wanted.source, sight.beside), symbol, wanted, others) for sight in sights for wanted in _wants(graph, sight, name)]
    return sorted(found, key=lambda each: (-each.confidence, each.source.path, each.edge.line))


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


def _sights(graph: GraphService, others: Sequence[Beside]) -> list[_Sight]:
    """Of those that can be read: an index of another version, or one that was replaced meanwhile, is no fault of whoever asks about this one."""
    found: list[_Sight] = []
    for other in others:
        with suppress(CorruptIndex, NotIndexed):
            found.append(_seen(graph, other))
    return found


def _seen(graph: GraphService, other: Beside) -> _Sight:
    paths = [row.file.path for row in graph.files(other.pin) if dialect_of(row.file.language).programs]
    symbols = {symbol.id: symbol for symbol in graph.symbols_in(other.pin, paths)} if paths else {}
    members: dict[str, list[str]] = {}
    for path in paths:
        members.setdefault(member_of(path), []).append(path)
    standing: dict[Name, list[Symbol]] = {}
    for symbol in symbols.values():
        name = _stood_for(symbol)
        if name is not None:
            standing.setdefault(name, []).append(symbol)
    gaps: dict[str, list[_Wanted]] = {}
    callable_ = [symbol.id for symbol in symbols.values() if symbol.kind.is_callable]
    for gap in graph.unresolved(other.pin, callable_) if callable_ else ():
        name = Name(gap.name.upper(), "U7")
        gaps.setdefault(name.text, []).append(_Wanted(symbols[gap.source], name, gap.line, gap.column))
    return _Sight(other, members, standing, gaps)


def _offers(graph: GraphService, sight: _Sight, name: Name) -> list[Symbol]:
    """Declarations of another repository that are known by this name. Programs are called like their members."""
    pin = sight.beside.pin
    if name.rule == "U7":
        paths = sight.members.get(name.text, ())
        found = graph.symbols_in(pin, paths) if paths else ()
    else:
        found = graph.symbols_named(pin, [name.text])
    return [each for each in found if _offered(each) == name]


def _wants(graph: GraphService, sight: _Sight, name: Name) -> Iterator[_Wanted]:
    """Calls of a name, and files of that name, that lead to nothing in a repository."""
    pin, standing = sight.beside.pin, sight.standing.get(name, ())
    led = {edge.source for edge in graph.edges(pin, [symbol.id for symbol in standing], Direction.CALLEES)} if standing else set()
    for symbol in standing:
        if symbol.id in led:
            continue
        if symbol.kind is SymbolKind.TABLE:
            yield _Wanted(symbol, name, symbol.line, symbol.column)
        for relation in graph.callers(pin, symbol.id):
            yield _Wanted(relation.source, name, relation.edge.line, relation.edge.column)
    if name.rule != "U9":
        yield from (replace(gap, name=name) for gap in sight.gaps.get(name.text, ()))


def _is_ours(graph: GraphService, pin: Pin, symbol: Symbol) -> bool:
    return any(dialect_of(row.file.language).programs for row in graph.files(pin, [symbol.path]))


def _abroad(symbol: Symbol, other: Beside) -> Symbol:
    return replace(symbol, path=f"{other.name}:{symbol.path}")


def _relation(source: Symbol, target: Symbol, wanted: _Wanted, rivals: int) -> Relation:
    """``rivals`` are further declarations of the name that may be meant as well."""
    rule = RULES[wanted.name.rule]
    confidence = rule.confidence / (1 + rivals)
    kind = EdgeKind.CALL if target.kind.is_callable else EdgeKind.ACCESS
    edge = Edge(source.id, target.id, kind, rule.id, rule.tier, confidence, wanted.line, wanted.column)
    return Relation(source, target, edge, 1, confidence)
