"""Which member of a type, or which of its initialisers, a use means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from exegesis.model import Symbol, SymbolKind
from services.graph.fit import labels_of, spare_parameters
from services.graph.table import PRIVATE, STATIC, SymbolTable, Type, has
from services.graph.values import NOWHERE, Found, Standing, Use, Value


class Members:
    """Members as one file sees them."""

    def __init__(self, path: str, table: SymbolTable) -> None:
        self._path = path
        self._table = table
        self._levels: dict[tuple[str, int, str, bool], Sequence[tuple[Type, Sequence[Symbol]]]] = {}

    def member(self, value: Value, use: Use) -> Found:
        """The member that a use on a value of a known type means."""
        owner = value.type
        if owner is None:
            return Found(candidates=self.rivals(use), external=value.standing is Standing.EXTERNAL)
        static = value.standing is Standing.METATYPE
        refused = 0
        for distance, (level, members) in enumerate(self.levels_with(owner, use.name, above=value.standing is Standing.SUPER)):
            chosen, candidates = self.choose(members, use, static=static)
            if chosen is not None and owner.declaration is None and self._is_the_librarys_own(chosen):
                return NOWHERE
            if chosen is not None:
                rule = "T3" if owner.declaration is None else "T2" if distance or level.name != owner.name else "T1"
                return Found(chosen, rule, level, 1)
            if candidates > 1:
                return Found(candidates=candidates)
            refused += candidates
        if owner.declaration is None:
            return NOWHERE
        return Found(candidates=refused, external=not refused)

    def _is_the_librarys_own(self, member: Symbol) -> bool:
        """On an external type: what a requirement asks for it has itself, and its plain subscripts are called like any the project adds."""
        if self._table.kind_of(member.parent) is SymbolKind.PROTOCOL:
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

    def choose(self, members: Sequence[Symbol], use: Use, *, static: bool) -> tuple[Symbol | None, int]:
        """The one of some equally near declarations that a use means, and how many it might be."""
        if not members:
            return None, 0
        seen = [each for each in members if each.path == self._path or not has(each, PRIVATE)]
        standing = [each for each in seen if _is_static(each) == static] or seen
        if use.labels is None:
            plain = [each for each in standing if not each.kind.is_callable]
            fitting = plain or standing
        else:
            fitting = best_fits(standing, use.labels, use.trailing) or [
                each for each in standing if not each.kind.is_callable and not each.kind.is_type
            ]
        if len(fitting) > 1:
            fitting = [each for each in fitting if self._table.kind_of(each.parent) is SymbolKind.PROTOCOL] or fitting
        if len(fitting) > 1 and _are_branches(fitting):
            fitting = fitting[:1]
        if len(fitting) == 1:
            return fitting[0], 1
        # Nothing fits: one candidate of another shape is not ambiguous, and the search goes on above it.
        return None, len(fitting) or min(len(standing), 1)

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
            fitting = best_fits(self._visible(self._table.initializers(owner)), labels, use.trailing)
            if len(fitting) == 1 and any(label != "_" for label in labels):
                return Found(fitting[0], "C5", owner, 1)
            return Found(candidates=len(fitting), external=not fitting)
        declared = 0
        for level in self._table.levels(owner):
            initializers = self._visible([each for holder in level for each in self._table.initializers(holder)])
            declared += len(initializers)
            fitting = best_fits(initializers, labels, use.trailing)
            if len(fitting) > 1 and _are_branches(fitting):
                fitting = fitting[:1]
            if len(fitting) == 1:
                return Found(fitting[0], "C1", owner, 1)
            if fitting:
                return Found(declaration, "C3", owner, len(fitting))
        return Found(declaration, "C4" if declared else "C2", owner, 1)

    def _visible(self, symbols: Iterable[Symbol]) -> list[Symbol]:
        return [each for each in symbols if each.path == self._path or not has(each, PRIVATE)]


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


def best_fits(symbols: Iterable[Symbol], labels: Sequence[str], trailing: int) -> list[Symbol]:
    """Those callables and cases that the arguments fit while leaving the fewest parameters to their defaults; and all types: they are constructed."""
    fitting: list[Symbol] = []
    least: int | None = None
    for symbol in symbols:
        if symbol.kind.is_type:
            fitting.append(symbol)
            continue
        if not symbol.kind.is_callable and not (symbol.kind is SymbolKind.CASE and symbol.parameters):
            continue
        spare = spare_parameters(symbol, labels, trailing)
        if spare is None or (least is not None and spare > least):
            continue
        if least is None or spare < least:
            fitting = [each for each in fitting if each.kind.is_type]
            least = spare
        fitting.append(symbol)
    return fitting


def _is_static(symbol: Symbol) -> bool:
    return has(symbol, STATIC) or symbol.kind in {SymbolKind.CASE, SymbolKind.INITIALIZER} or symbol.kind.is_type


def _are_branches(symbols: Sequence[Symbol]) -> bool:
    """Equal declarations side by side in one file can only be branches of conditional compilation: one of them is compiled."""
    if any(each.parent != symbols[0].parent for each in symbols):
        return False
    shapes = {(each.path, each.parent, each.kind, labels_of(each), tuple(p.type for p in each.parameters), each.type) for each in symbols}
    return len(shapes) == 1
