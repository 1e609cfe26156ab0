"""Which member of a type, or which of its initialisers, a use means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from exegesis.model import Modifier, Symbol, SymbolKind
from services.graph.dialects import Fit
from services.graph.fit import UNLABELED, labels_of
from services.graph.overloads import Reading, suitability
from services.graph.table import PRIVATE, STATIC, SymbolTable, Type, has
from services.graph.values import NOWHERE, Found, Standing, Use, Value


class Choice(NamedTuple):
    """Of declarations that are equally near."""

    chosen: Symbol | None = None
    candidates: int = 0
    """How many might be meant."""
    among: tuple[Symbol, ...] = ()
    """Those that fit equally well, where there are several."""
    is_doubtful: bool = False
    """The labels fit, and the arguments seem not to."""


RAW_VALUE = ("rawValue",)
"""Labels of the initialiser that an enum has from a protocol of the library; the enum is mentioned by it, and no code of the project called."""

DEPRECATED = int(Modifier.DEPRECATED)

_NONE = Choice()


class Members:
    """Members as one file sees them."""

    def __init__(self, path: str, table: SymbolTable, reading: Reading) -> None:
        self._path = path
        self._table = table
        self._reading = reading
        self.compared = 0
        """How often types of arguments were looked at: what is found without that depends on their labels only."""
        self._levels: dict[tuple[str, int, str, bool], Sequence[tuple[Type, Sequence[Symbol]]]] = {}

    def member(self, value: Value, use: Use) -> Found:
        """The member that a use on a value of a known type means."""
        owner = value.type
        if owner is None:
            return Found(candidates=self.rivals(use), external=value.standing is Standing.EXTERNAL)
        static = value.standing is Standing.METATYPE
        refused = 0
        doubtful: Found | None = None
        levels = self.levels_with(owner, use.name, above=value.standing is Standing.SUPER)
        for distance, (level, members) in enumerate(levels):
            choice = self.choose(members, use, static=static, receiver=owner, doubts=len(levels) > 1)
            chosen = choice.chosen
            if chosen is not None and owner.declaration is None and self._is_the_librarys_own(chosen, use, static=static):
                return NOWHERE
            if chosen is not None:
                rule = "T3" if owner.declaration is None else "T2" if distance or level.name != owner.name else "T1"
                found = Found(chosen, rule, level, 1)
                if not choice.is_doubtful:
                    return found
                doubtful = doubtful or found
            elif choice.candidates > 1:
                several = Found(candidates=choice.candidates, among=choice.among, owner=level)
                if not choice.is_doubtful:
                    return doubtful or several
                doubtful = doubtful or several
            refused += choice.candidates
        if doubtful is not None:
            return doubtful
        if owner.declaration is None:
            return NOWHERE
        return Found(candidates=refused, external=not refused)

    def _is_the_librarys_own(self, member: Symbol, use: Use, *, static: bool) -> bool:
        """On an external type: what a requirement asks for it has itself, and its plain subscripts are called like any the project adds.

        A type has cases and static members of its own that may be called like what the project adds to its values.
        """
        if self._table.kind_of(member.parent) is SymbolKind.PROTOCOL or (static and use.labels is not None and not _is_static(member)):
            return True
        return member.kind is SymbolKind.SUBSCRIPT and all(label == "_" for label in labels_of(member))

    def levels_with(self, owner: Type, name: str, *, above: bool) -> Sequence[tuple[Type, Sequence[Symbol]]]:
        """Members of this name, level by level; members of one level stand together. ``above`` leaves the type itself out."""
        key = (owner.name, owner.declaration.id if owner.declaration else 0, name, above)
        known = self._levels.get(key)
        if known is None:
            found: list[tuple[Type, Sequence[Symbol]]] = []
            for level in self._table.levels(owner)[int(above) :]:
                here = [(holder, member) for holder in level for member in self._table.members(holder, name)]
                if here:
                    found.append((here[0][0], [member for _, member in here]))
            known = self._levels[key] = found
        return known

    def choose(self, members: Sequence[Symbol], use: Use, *, static: bool, receiver: Type | None = None, doubts: bool = False) -> Choice:
        """The one of some equally near declarations that a use means. ``doubts``: something further away may be meant as well."""
        if len(members) < 2:
            return self._only(members[0], use, receiver, doubts=doubts) if members else _NONE
        if self._table.dialect.last_counts:  # the first of several supertypes has the word, and there what is declared last
            return Choice(_last([each for each in members if each.parent == members[0].parent and each.path == members[0].path]), 1)
        seen = [each for each in members if each.path == self._path or not has(each, PRIVATE)]
        standing = [each for each in seen if _is_static(each) == static] or seen
        doubtful = False
        if use.labels is None:
            plain = [each for each in standing if not each.kind.is_callable]
            # Two properties of one name in one declaration are branches of conditional compilation.
            branches = len(plain) > 1 and all(each.parent == plain[0].parent and each.path == plain[0].path for each in plain)
            fitting = plain[:1] if branches else plain or standing
        else:
            fitting, doubtful = self.best(standing, use, receiver, doubts=doubts)
            fitting = fitting or [each for each in standing if _is_value(each) and not _is_labelled(use)]
        if len(fitting) > 1:
            # What a protocol asks for is what is called on a value of the protocol; a type calls what an extension of the protocol gives it.
            abstract = receiver is None or receiver.declaration is None or receiver.declaration.kind is SymbolKind.PROTOCOL
            fitting = [each for each in fitting if (self._table.kind_of(each.parent) is SymbolKind.PROTOCOL) == abstract] or fitting
        if len(fitting) > 1 and _are_branches(fitting):
            fitting = fitting[:1]
        if len(fitting) == 1:
            return Choice(fitting[0], 1, (), doubtful)
        # Nothing fits: one candidate of another shape is not ambiguous, and the search goes on above it.
        return Choice(None, len(fitting) or min(len(standing), 1), tuple(fitting), doubtful)

    def _only(self, member: Symbol, use: Use, receiver: Type | None, *, doubts: bool) -> Choice:
        """The same for one declaration, which most names have."""
        if has(member, PRIVATE) and member.path != self._path:
            return _NONE
        if use.labels is None:
            return Choice(member, 1)
        fitting, doubtful = self.best((member,), use, receiver, doubts=doubts)
        return Choice(member, 1, (), doubtful) if fitting or (_is_value(member) and not _is_labelled(use)) else Choice(None, 1)

    def best(self, symbols: Iterable[Symbol], use: Use, receiver: Type | None, *, doubts: bool) -> tuple[list[Symbol], bool]:
        """Those that labels and arguments fit best, and whether the arguments of all of them seem not to."""
        fitting = fits(symbols, use.labels or (), use.trailing, self._table.dialect.fit)
        if len(fitting) > 1:
            fitting = [(each, spare) for each, spare in fitting if not has(each, DEPRECATED)] or fitting
        if not fitting or (len(fitting) < 2 and not doubts):
            return _with_least_spare(fitting), False
        self.compared += 1
        if not (use.given or use.trailing):
            return _with_least_spare(fitting), False
        ranked = [(each, spare, suitability(each, use, receiver, self._table, self._reading)) for each, spare in fitting if not each.kind.is_type]
        best = max((rank for _, _, rank in ranked if rank is not None), default=None)
        if best is None:
            return _with_least_spare(fitting), bool(ranked)
        return _with_least_spare([(each, spare) for each, spare, rank in ranked if rank == best]), False

    def rivals(self, use: Use) -> int:
        """How many members of the project, of whatever type, have this name."""
        return len(self._table.members_anywhere(use.name))

    def construct(self, owner: Type, use: Use) -> Found:
        """The initialiser that a call of a type means, or the type itself in its place."""
        found = self._construct(owner, use)
        if found.rule != "C4" or use.trailing:
            return found
        closed = self._construct(owner, replace(use, trailing=1))
        return closed if closed.rule == "C1" else found

    def _construct(self, owner: Type, use: Use) -> Found:
        declaration = owner.declaration
        labels = use.labels or ()
        if declaration is None:
            fitting, _ = self.best(self._visible(self._table.initializers(owner)), use, owner, doubts=False)
            if len(fitting) == 1 and any(label != "_" for label in labels):
                return Found(fitting[0], "C5", owner, 1)
            return Found(candidates=len(fitting), external=not fitting)
        if labels == RAW_VALUE and declaration.kind is SymbolKind.ENUM and not self._table.initializers(owner):
            return Found(declaration, "S5", owner, 1)
        declared = 0
        for distance, level in enumerate(self._table.levels(owner)):
            initializers = self._visible([each for holder in level for each in self._table.initializers(holder)])
            declared += len(initializers)
            fitting, _ = self.best(initializers, use, owner, doubts=False)
            if len(fitting) > 1 and _are_branches(fitting):
                fitting = fitting[:1]
            if len(fitting) == 1 and distance and self._is_inherited_whole(owner, fitting[0]):
                return Found(declaration, "C2", owner, 1)
            if len(fitting) == 1:
                return Found(fitting[0], "C1", owner, 1)
            if fitting:
                return Found(declaration, "C3", owner, len(fitting), among=tuple(fitting))
        return Found(declaration, "C4" if declared else "C2", owner, 1)

    def _is_inherited_whole(self, owner: Type, initializer: Symbol) -> bool:
        """A class without initialisers of its own gets the designated ones of its superclass anew: the class stands for them."""
        if self._table.initializers(owner) or initializer.parent is None or _CONVENIENCE.search(initializer.signature):
            return False
        return self._table.kind_of(initializer.parent) is SymbolKind.CLASS

    def _visible(self, symbols: Iterable[Symbol]) -> list[Symbol]:
        return [each for each in symbols if each.path == self._path or not has(each, PRIVATE)]


_CONVENIENCE = re.compile(r"\bconvenience\b")

_SURE_OF_OWNER = frozenset({"S1", "S2", "T1", "T2"})
"""Rules that know whose member is called. Elsewhere a call that does not fit is one of a library's function of the same name."""


def with_trailing(look: Callable[[Use], Found], use: Use) -> Found:
    """Look as written, and if nothing fits as if one trailing closure were there.

    Steps of a chain do not say how many their calls have, and some parsers read the closure after a declared value's call as the value's own body.
    """
    found = look(use)
    if found.symbol is not None or not found.candidates or use.labels is None or use.trailing:
        return found
    closed = look(replace(use, trailing=1))
    return closed if closed.rule in _SURE_OF_OWNER else found


def fits(symbols: Iterable[Symbol], labels: Sequence[str], trailing: int, fit: Fit) -> list[tuple[Symbol, int]]:
    """Callables and cases that the arguments fit, each with the number of parameters that are left to their defaults; and all types: they are
    constructed.
    """
    found: list[tuple[Symbol, int]] = []
    for symbol in symbols:
        kind = symbol.kind
        if kind.is_callable or (kind is SymbolKind.CASE and symbol.parameters):
            spare = fit(symbol, labels, trailing)
            if spare is not None:
                found.append((symbol, spare))
        elif kind.is_type:
            found.append((symbol, 0))
    return found


def best_fits(symbols: Iterable[Symbol], labels: Sequence[str], trailing: int, fit: Fit) -> list[Symbol]:
    """Those of them that leave the fewest parameters to their defaults; types always."""
    return _with_least_spare(fits(symbols, labels, trailing, fit))


def _with_least_spare(fitting: list[tuple[Symbol, int]]) -> list[Symbol]:
    if len(fitting) < 2:
        return [symbol for symbol, _ in fitting]
    least = min((spare for symbol, spare in fitting if not symbol.kind.is_type), default=0)
    return [symbol for symbol, spare in fitting if spare == least or symbol.kind.is_type]


def _last(members: Sequence[Symbol]) -> Symbol:
    """What counts of declarations in one place: the last one, but of a property its first, which reads it."""
    plain = [each for each in members if _is_value(each)]
    return plain[0] if len(plain) == len(members) else max(members, key=lambda each: (each.line, each.column))


def _is_value(symbol: Symbol) -> bool:
    return not symbol.kind.is_callable and not symbol.kind.is_type


def _is_labelled(use: Use) -> bool:
    """What is called so is no closure that a property holds: those take no labels."""
    return any(label != UNLABELED for label in use.labels or ())


def _is_static(symbol: Symbol) -> bool:
    return has(symbol, STATIC) or symbol.kind in {SymbolKind.CASE, SymbolKind.INITIALIZER} or symbol.kind.is_type


def _are_branches(symbols: Sequence[Symbol]) -> bool:
    """Equal declarations side by side in one file can only be branches of conditional compilation: one of them is compiled.

    Canonical types do not tell ``T?`` from ``T``, by which declarations may differ; signatures do.
    """
    if any(each.parent != symbols[0].parent for each in symbols):
        return False
    shapes = {
        (each.path, each.parent, each.kind, labels_of(each), tuple(p.type for p in each.parameters), each.type, each.signature.count("?"))
        for each in symbols
    }
    return len(shapes) == 1
