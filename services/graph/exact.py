"""Edges that a compiler knows. Where its record of a file is of the present text, it says what every name means, and no rule is asked.

A compiler names symbols by their USR and places them by line and column, so a USR means the declaration that the parser found at the place of its
definition. Three things it cannot say are taken from the syntax: closures and local functions have no USR, so a use starts in the innermost
declaration around it, whatever that is; calls of local functions are no uses at all, and are left to the rules; and so is code that was not compiled.

Where the file of a definition has changed since, its place means nothing. Then the declaration is found anew by name, labels and owner, and an edge
to it is no longer called exact: what the caller means may have changed as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exegesis.model import EdgeKind, ExactFacts, ExactSymbol, Symbol, SymbolKind
from services.graph.types import last_component, split_type

_LONGEST_WAY = 8
"""From an accessor to its property, from an implicit initialiser over its extension to its type; more steps are circles."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The declaration that a USR names."""

    symbol: Symbol
    is_certain: bool
    """It stands where the compiler saw it. Otherwise it was found anew."""
    name: str
    """As the compiler names what the USR names, which may be a part of the declaration."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What a compiler said is defined, and the declaration that it is; None where the parser sees none there."""

    said: ExactSymbol
    symbol: Symbol | None
    is_certain: bool


class ExactTable:
    """What compilers recorded about a repository, indexed for linking. Like ``SymbolTable`` it remembers the questions it was asked.

    Args:
        outlines: What was recorded about each file, uses left out.
        symbols: At least all symbols of those files.

    """

    def __init__(self, outlines: Iterable[ExactFacts], symbols: Iterable[Symbol]) -> None:
        self.consulted: set[str] = set()
        self._definitions: dict[str, list[Definition]] = {}
        self._usrs: dict[int, list[str]] = defaultdict(list)
        self._satisfied: dict[str, list[str]] = defaultdict(list)
        self._extended: dict[str, str] = {}
        self._kinds: dict[int, SymbolKind] = {}
        recorded = {each.path: each for each in outlines}
        of_file: dict[str, list[Symbol]] = {path: [] for path in recorded}
        for symbol in symbols:
            if symbol.path in of_file:
                of_file[symbol.path].append(symbol)
                self._kinds[symbol.id] = symbol.kind
        for path, facts in sorted(recorded.items()):
            for each in defined(facts, of_file[path]):
                self._definitions.setdefault(each.said.usr, []).append(each)
                if each.symbol is not None and each.is_certain:
                    self._usrs[each.symbol.id].append(each.said.usr)
            for tie in facts.ties:
                if tie.kind is EdgeKind.OVERRIDE:
                    self._satisfied[tie.target].append(tie.source)
                elif tie.kind is EdgeKind.EXTEND:
                    self._extended.setdefault(tie.source, tie.target)

    def start(self) -> None:
        """Begin to record for another file."""
        self.consulted = set()

    def meaning(self, usr: str) -> Meant | None:
        """The declaration that a USR names: of an accessor its property, of what nobody wrote the type that has it. None if it is not here."""
        name = ""
        for _ in range(_LONGEST_WAY):
            self.consulted.add(usr_key(usr))
            known = self._definitions.get(usr, ())
            chosen = next((each for each in known if each.symbol is not None or each.said.stands_for_owner), None)
            if chosen is None:
                return None
            name = name or chosen.said.name
            if not chosen.said.stands_for_owner and chosen.symbol is not None:
                return Meant(chosen.symbol, chosen.is_certain, name)
            self.consulted.add(usr_key(chosen.said.owner))
            usr = self._extended.get(chosen.said.owner, chosen.said.owner)
        return None

    def is_defined(self, usr: str) -> bool:
        """Whether the project defines it at all, be it where the parser sees nothing."""
        self.consulted.add(usr_key(usr))
        return usr in self._definitions

    def usrs_of(self, symbol: Symbol) -> Sequence[str]:
        """The keys under which a compiler knows a declaration as it stands; several where several targets compile its file."""
        self.consulted.add(symbol_key(symbol.id))
        return self._usrs.get(symbol.id, ())

    def knows(self, symbol_id: int) -> bool:
        self.consulted.add(symbol_key(symbol_id))
        return symbol_id in self._usrs

    def satisfying(self, usr: str) -> Sequence[str]:
        """What overrides a member or satisfies a requirement, wherever that is said."""
        self.consulted.add(tie_key(usr))
        return self._satisfied.get(usr, ())

    def kind_of(self, symbol_id: int | None) -> SymbolKind | None:
        """Kind of the symbol that encloses another, in a file that a compiler recorded."""
        return None if symbol_id is None else self._kinds.get(symbol_id)


def usr_key(usr: str) -> str:
    """The question what a USR means."""
    return f"U:{usr}"


def symbol_key(symbol_id: int) -> str:
    """The question whether a compiler knows a declaration."""
    return f"S:{symbol_id}"


def tie_key(usr: str) -> str:
    """The question what satisfies or overrides a symbol."""
    return f"W:{usr}"


def defined(facts: ExactFacts, symbols: Iterable[Symbol]) -> list[Definition]:
    """Each definition of a file with the declaration that it is."""
    if facts.is_fresh:
        at = {(symbol.line, symbol.column): symbol for symbol in symbols if symbol.kind is not SymbolKind.CLOSURE}
        return [Definition(each, at.get((each.line, each.column)), is_certain=True) for each in facts.symbols]
    called: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        if symbol.kind not in {SymbolKind.CLOSURE, SymbolKind.EXTENSION}:
            called[_written(symbol), last_component(split_type(symbol.container)[0])].append(symbol)
    names = {each.usr: last_component(each.name) for each in facts.symbols}
    found = []
    for each in facts.symbols:
        alike = called.get((each.name, names.get(each.owner, "")), ())
        found.append(Definition(each, alike[0] if len(alike) == 1 else None, is_certain=False))
    return found


def _written(symbol: Symbol) -> str:
    """A name as compilers write it: with labels, where it has a list of parameters."""
    if symbol.kind.is_callable or symbol.parameters:
        return f"{symbol.name}({''.join(f'{each.label}:' for each in symbol.parameters)})"
    return symbol.name


def keys_of_difference(before: Iterable[ExactFacts], after: Iterable[ExactFacts], old: Iterable[Symbol], new: Iterable[Symbol]) -> frozenset[str]:
    """Questions whose answers may differ where some files were recorded anew or changed; the symbols are at least those of these files."""
    return frozenset(key for view in _views(before, old) ^ _views(after, new) for key in view.keys)


@dataclass(frozen=True, slots=True)
class _View:
    """One thing that links can depend on, and the questions that bring it up."""

    keys: tuple[str, ...]
    seen: tuple[object, ...]


def _views(recorded: Iterable[ExactFacts], symbols: Iterable[Symbol]) -> set[_View]:
    of_file: dict[str, list[Symbol]] = defaultdict(list)
    kinds: dict[int | None, SymbolKind] = {}
    for symbol in symbols:
        of_file[symbol.path].append(symbol)
        kinds[symbol.id] = symbol.kind
    views = set()
    for facts in recorded:
        for each in defined(facts, of_file[facts.path]):
            said, it = each.said, each.symbol
            found = None if it is None else (it.id, it.kind, kinds.get(it.parent))
            keys = (usr_key(said.usr),) if it is None else (usr_key(said.usr), symbol_key(it.id))
            views.add(_View(keys, (facts.path, found, each.is_certain, said.name, said.owner, said.stands_for_owner)))
        for tie in facts.ties:
            key = usr_key(tie.source) if tie.kind is EdgeKind.EXTEND else tie_key(tie.target)
            views.add(_View((key,), (facts.path, tie.kind, tie.source, tie.target)))
    return views
