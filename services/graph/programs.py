"""Linking where names lead through prototypes and program objects: RPG, and the CL, DDS and SQL around it.

A name that is called is a subroutine of the same procedure, a procedure of the same file, or a prototype that the file declares or copies; and a
prototype stands for the procedure that another module exports under that name, or for a program, which is a member of its own. Several
declarations of one name are told apart by how near they lie. Arrays are written as calls are, so a name that turns out to be data is an access.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from exegesis.model import Edge, EdgeKind, FileFacts, Modifier, Reference, ReferenceKind, Symbol, SymbolKind, Unresolved
from services.graph.modules import nearest
from services.graph.modules.copies import member_of
from services.graph.rules import RULES
from services.graph.table import COMMAND, ENTRY, PROGRAM, SymbolTable, has

PUBLIC = int(Modifier.PUBLIC)

SUBROUTINE = "*SUBR"
PROCEDURE = "*PROC"
FILE = "*FILE"
VARIABLE = "*VARIABLE"
"""What references expect, beside programs, where the operation that names something tells. Of :data:`VARIABLE` the name is one that a variable is
given, which holds the program's; where none is known, the variable's own."""

BINDER = "bnd"
"""The language of binder source."""

_CODE = frozenset({SymbolKind.PROCEDURE, SymbolKind.FUNCTION})
_MOST_OVERLOADS = 64
_MOST_LIKE = 8
"""Data structures that are like one another in a row."""

_QUALIFIED = re.compile(r"\bqualified\b|\blikeds\(", re.IGNORECASE)
_LIKE = re.compile(r"\blikeds\(\s*([^\s:)]+)", re.IGNORECASE)
"""Keywords of a data structure, in its signature."""


@dataclass(frozen=True, slots=True)
class _Target:
    symbol: Symbol
    rule: str


def link_programs(facts: FileFacts, table: SymbolTable, settled: Collection[tuple[int, int]] = ()) -> tuple[list[Edge], list[Unresolved]]:
    """The edges that start in one file, and what became none."""
    linker = _Linker(facts, table)
    for reference in facts.references:
        if (reference.line, reference.column) not in settled:
            linker.take(reference)
    linker.declare()
    return linker.edges, linker.unresolved


class _Linker:
    def __init__(self, facts: FileFacts, table: SymbolTable) -> None:
        self._table = table
        self._path = facts.path
        self._is_binder = facts.language == BINDER
        self._symbols = facts.symbols
        self._by_id = {symbol.id: symbol for symbol in facts.symbols}
        self._own: dict[str, list[Symbol]] = {}
        for symbol in facts.symbols:
            self._own.setdefault(symbol.name.upper(), []).append(symbol)
        self._files = {symbol.name.upper() for symbol in facts.symbols if symbol.kind is SymbolKind.TABLE}
        self._found: dict[tuple[object, ...], Sequence[_Target]] = {}
        self._external: set[tuple[int, str]] = set()
        self.edges: list[Edge] = []
        self.unresolved: list[Unresolved] = []

    def take(self, reference: Reference) -> None:
        """Make the edges of one reference, or note why there are none."""
        source = self._by_id.get(reference.source)
        if source is None or not reference.name:
            return
        outer = self._outer(source)
        key = (reference.kind, reference.name, reference.expected, reference.receiver, outer.id)
        targets = self._found.get(key)
        if targets is None:
            targets = self._found[key] = list(self._mean(reference, outer))
        for target in targets:
            if target.symbol.id != source.id or reference.kind is ReferenceKind.CALL:
                self._edge(reference, target)
        if not targets and reference.kind is ReferenceKind.CALL:
            self._unresolved(reference)

    def declare(self) -> None:
        """What declarations alone say: the procedure that a prototype is of, and so a part of it; the table that a program reads."""
        for symbol in self._symbols:
            if symbol.kind is SymbolKind.PROTOTYPE and not symbol.inherits and not is_dynamic(symbol):
                targets = [target for target in self._through(symbol) if target.symbol.kind is not SymbolKind.PROTOTYPE]
                own = [each for each in self._own[symbol.name.upper()] if each.kind is SymbolKind.PROCEDURE and not has(each, ENTRY)]
                if own and not is_program(symbol):
                    targets = [_Target(each, "S3") for each in own]
                kind = EdgeKind.EXTEND
            elif symbol.kind is SymbolKind.TABLE and not has(symbol, PUBLIC):
                described = symbol.initializer[0].name if symbol.initializer else symbol.name
                targets, kind = self._tables(described), EdgeKind.ACCESS
            elif symbol.kind is SymbolKind.STRUCT and symbol.initializer:
                targets, kind = self._tables(symbol.initializer[0].name), EdgeKind.ACCESS
            else:
                continue
            for target in targets:
                rule = RULES[target.rule]
                self.edges.append(Edge(symbol.id, target.symbol.id, kind, rule.id, rule.tier, rule.confidence, symbol.line, symbol.column))

    # ---- what a reference means

    def _mean(self, reference: Reference, outer: Symbol) -> Iterable[_Target]:
        name, expected = reference.name, reference.expected
        if reference.receiver:
            return self._part_of(reference.receiver[0].name, name)
        if expected == SUBROUTINE:
            return self._subroutine(name, outer)
        if expected == PROGRAM:
            return self._programs(name) or [_Target(each, "U4") for each in self._nearest(self._exported(name))]
        if expected == VARIABLE:
            return [_Target(each.symbol, "U6") for each in self._programs(name)]
        if expected == COMMAND:
            return self._commands(name)
        if self._is_binder:
            return self._external_procedure(name)  # it sees what modules export, and no prototypes
        if expected == PROCEDURE:
            return self._called(name, outer) or self._external_procedure(name)
        if expected == FILE:
            return self._own_of(name, {SymbolKind.TABLE}) or self._tables(name)
        if reference.kind is ReferenceKind.CALL:
            return self._called(name, outer)
        return self._data(name, outer)

    def _subroutine(self, name: str, outer: Symbol) -> list[_Target]:
        """Subroutines are seen in the procedure that holds them, and nowhere else."""
        return [_Target(each, "S3") for each in self._own.get(name.upper(), ()) if each.kind is SymbolKind.SUBROUTINE and each.parent == outer.id][:1]

    def _called(self, name: str, outer: Symbol) -> list[_Target]:
        own = self._own.get(name.upper(), ())
        procedures = [each for each in own if each.kind is SymbolKind.PROCEDURE and not has(each, ENTRY)]
        if procedures:
            return [_Target(procedures[0], "S3")]
        prototypes = [each for each in own if each.kind is SymbolKind.PROTOTYPE and each.parent in {None, outer.id}]
        if prototypes:
            return list(self._through(prototypes[-1]))
        data = [each for each in own if not each.kind.is_callable and each.parent is None]
        if data:
            return [_Target(data[0], "S3")]
        bound = self._table.bound(name, self._path)
        if bound is not None and bound.symbols:
            return list(self._copied(bound.symbols))
        entries = [each for each in own if each.kind is SymbolKind.PROCEDURE]
        if entries:
            return [_Target(entries[0], "S3")]
        return [_Target(each, "U4") for each in self._nearest(self._exported(name))]

    def _copied(self, symbols: Sequence[Symbol]) -> Iterator[_Target]:
        """What a member that is copied declares: code as if it stood here, prototypes, data."""
        for kind in (SymbolKind.PROCEDURE, SymbolKind.PROTOTYPE):
            found = [each for each in symbols if each.kind is kind]
            if found:
                if kind is SymbolKind.PROTOTYPE:
                    yield from self._through(found[-1])
                else:
                    yield _Target(found[0], "S9")
                return
        yield _Target(symbols[0], "S9")

    def _data(self, name: str, outer: Symbol) -> list[_Target]:
        """Data of the file or its copies; a name alone may also be a call without parameters."""
        own = self._own.get(name.upper(), ())
        found = [each for each in own if not each.kind.is_callable and each.parent is None] or self._subfields(name)
        if found:
            return [_Target(found[0], "S3")]
        if any(each.kind in {SymbolKind.PROCEDURE, SymbolKind.PROTOTYPE} and not has(each, ENTRY) for each in own):
            return self._called(name, outer)
        bound = self._table.bound(name, self._path)
        if bound is not None and bound.symbols:
            return list(self._copied(bound.symbols))
        return self._record(name) if self._files else []

    def _subfields(self, name: str) -> list[Symbol]:
        """Parts of data structures that are named without them."""
        parts = [each for each in self._own.get(name.upper(), ()) if each.kind is SymbolKind.PROPERTY]
        return [
            each for each in parts if (owner := self._by_id.get(each.parent or 0)) and owner.parent is None and not _QUALIFIED.search(owner.signature)
        ]

    def _part_of(self, structure: str, name: str) -> list[_Target]:
        """A part of a data structure of the file or of its copies, or of the one that it is like."""
        for _ in range(_MOST_LIKE):
            owners = {each.id: each for each in self._own.get(structure.upper(), ()) if each.kind is SymbolKind.STRUCT}
            declared: Sequence[Symbol] = self._own.get(name.upper(), ())
            rule = "S3"
            if not owners:
                owners = {each.id: each for each in self._bound(structure, self._path) if each.kind is SymbolKind.STRUCT}
                declared, rule = (self._table.named(name) if owners else ()), "S9"
            parts = [each for each in declared if each.kind is SymbolKind.PROPERTY and each.parent in owners]
            like = next((match[1] for each in owners.values() if (match := _LIKE.search(each.signature))), "")
            if parts or not like:
                return [_Target(each, rule) for each in parts[:1]]
            structure = like
        return []

    # ---- through prototypes

    def _through(self, prototype: Symbol, depth: int = 0) -> Iterator[_Target]:
        """What a prototype stands for; itself where that is not in the project."""
        if prototype.inherits and depth == 0:
            outer = self._by_id.get(prototype.parent or 0, prototype)
            for name in prototype.inherits[:_MOST_OVERLOADS]:
                for found in self._visible_prototypes(name, outer):
                    yield from self._through(found, 1)
            return
        external = prototype.initializer[0].name if prototype.initializer else prototype.name
        if is_dynamic(prototype):
            meant = [_Target(each.symbol, "U6") for step in prototype.initializer for each in self._programs(step.name)]
        else:
            meant = self._programs(external) if is_program(prototype) else self._external_procedure(external)
        yield from meant or [_Target(prototype, "S11")]

    def _visible_prototypes(self, name: str, outer: Symbol) -> Iterator[Symbol]:
        own = [each for each in self._own.get(name.upper(), ()) if each.kind is SymbolKind.PROTOTYPE and each.parent in {None, outer.id}]
        bound = None if own else self._table.bound(name, self._path)
        yield from own or (each for each in (bound.symbols if bound else ()) if each.kind is SymbolKind.PROTOTYPE)

    def _external_procedure(self, name: str) -> list[_Target]:
        """The procedure that some module exports under a name: its own, or the one that its prototype gives it."""
        found = {each.id: each for each in self._exported(name)}
        for each in self._table.external(name):
            if each.kind is SymbolKind.PROCEDURE:
                found[each.id] = each
            elif each.name.upper() != name.upper():
                for procedure in self._exported(each.name):
                    if procedure.path == each.path or each in self._bound(each.name, procedure.path):
                        found[procedure.id] = procedure
        return [_Target(each, "S10") for each in self._nearest(list(found.values()))]

    def _bound(self, name: str, path: str) -> Sequence[Symbol]:
        bound = self._table.bound(name, path)
        return bound.symbols if bound is not None else ()

    def _exported(self, name: str) -> list[Symbol]:
        return [
            each for each in self._table.named(name) if each.kind in _CODE and has(each, PUBLIC) and not has(each, ENTRY) and not is_command(each)
        ]

    def _programs(self, name: str) -> list[_Target]:
        return [_Target(each, "L3") for each in self._nearest(self._table.programs(name))]

    def _commands(self, name: str) -> list[_Target]:
        return [_Target(each, "L3") for each in self._nearest([each for each in self._table.named(name) if is_command(each)])]

    # ---- files

    def _own_of(self, name: str, kinds: Collection[SymbolKind]) -> list[_Target]:
        return [_Target(each, "S3") for each in self._own.get(name.upper(), ()) if each.kind in kinds][:1]

    def _tables(self, name: str) -> list[_Target]:
        declared = [each for each in self._table.named(name) if each.kind is SymbolKind.TABLE and has(each, PUBLIC) and each.path != self._path]
        return [_Target(each, "L4") for each in self._nearest(declared)]

    def _record(self, name: str) -> list[_Target]:
        """A record format of one of the files that this one declares."""
        declared = [
            each
            for each in self._table.named(name)
            if each.kind is SymbolKind.STRUCT and each.parent is not None and member_of(each.path) in self._files
        ]
        return [_Target(each, "L4") for each in self._nearest(declared)]

    # ---- outcome

    def _nearest(self, symbols: Sequence[Symbol]) -> Sequence[Symbol]:
        """The only one, or the one that lies nearest; none where that does not tell."""
        if len(symbols) < 2:
            return symbols
        path = nearest(sorted({each.path for each in symbols}), self._path)
        return [each for each in symbols if each.path == path][:1]

    def _outer(self, symbol: Symbol) -> Symbol:
        """The procedure, or the program, around a subroutine."""
        while symbol.kind is SymbolKind.SUBROUTINE and symbol.parent in self._by_id:
            symbol = self._by_id[symbol.parent]
        return symbol

    def _edge(self, reference: Reference, target: _Target) -> None:
        rule = RULES[target.rule]
        by_name = reference.kind is ReferenceKind.CALL or reference.expected != PROCEDURE
        kind = EdgeKind.CALL if target.symbol.kind.is_callable and by_name else EdgeKind.ACCESS
        self.edges.append(Edge(reference.source, target.symbol.id, kind, rule.id, rule.tier, rule.confidence, reference.line, reference.column))

    def _unresolved(self, reference: Reference) -> None:
        rivals = sum(1 for each in self._table.named(reference.name) if each.kind in _CODE and each.path != self._path)
        if not rivals:
            if (reference.source, reference.name.upper()) in self._external:
                return
            self._external.add((reference.source, reference.name.upper()))
        self.unresolved.append(Unresolved(reference.source, reference.name, reference.line, reference.column, rivals, external=not rivals))


def is_program(prototype: Symbol) -> bool:
    """Whether a prototype stands for a program object, not for a procedure."""
    return bool(prototype.initializer) and PROGRAM in prototype.initializer[0].labels


def is_dynamic(prototype: Symbol) -> bool:
    """Whether a prototype stands for the program whose name a variable holds."""
    return bool(prototype.initializer) and VARIABLE in prototype.initializer[0].labels


def is_command(symbol: Symbol) -> bool:
    """Whether a procedure is a command, which is called as CL calls commands and in no other way."""
    return bool(symbol.initializer) and COMMAND in symbol.initializer[0].labels
