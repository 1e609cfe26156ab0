"""Which declaration stands for what is written in it: a type for its members and those of its extensions, else the outermost declaration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exegesis.model import Symbol, SymbolKind
from exegesis.ports import SymbolShape

_WHOLE = frozenset({SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.ACTOR, SymbolKind.PROTOCOL})
"""Kinds that have members."""


def is_whole(kind: SymbolKind) -> bool:
    return kind in _WHOLE


class Units:
    """Answers for one generation; every symbol is looked up once.

    Args:
        shapes: All symbols.
        extended: Extension and the type that it extends, as far as that is known.
        members: Members that are written outside of their type, as those of Go are, and their types.

    """

    def __init__(self, shapes: Iterable[SymbolShape], extended: Mapping[int, int], members: Mapping[int, int]) -> None:
        self._parents: dict[int, int] = {}
        self._kinds: dict[int, SymbolKind] = {}
        for shape in shapes:
            self._kinds[shape.id] = shape.kind
            if shape.parent is not None:
                self._parents[shape.id] = shape.parent
        modules = {id_ for id_, kind in self._kinds.items() if kind is SymbolKind.MODULE}  # a file that runs, which is no declaration
        self._parents = {id_: parent for id_, parent in self._parents.items() if parent not in modules}
        self._elsewhere = {**members, **extended}
        self._known: dict[int, int] = {}

    def of(self, symbol: int) -> int:
        """The nearest type around a symbol, itself if it is one; else the outermost declaration around it."""
        passed: list[int] = []
        here = symbol
        while here not in self._known and not is_whole(self._kinds.get(here, SymbolKind.CLOSURE)):
            passed.append(here)
            above = self._elsewhere.get(here, self._parents.get(here))
            if above is None or above in passed:  # a circle is no nesting, whoever made it
                break
            here = above
        found = self._known.get(here, here)
        for each in passed:
            self._known[each] = found
        return found

    def is_outermost(self, symbol: int) -> bool:
        """Whether it is written inside of no other declaration."""
        return symbol not in self._parents

    def has_member(self, whole: int, symbol: int) -> bool:
        """Whether it is a member of that type, and no local declaration inside of one."""
        parent = self._parents.get(symbol)
        return self.of(symbol) == whole and (parent is None or parent == whole or self._kinds.get(parent) is SymbolKind.EXTENSION)

    def encloses(self, outer: int, inner: int) -> bool:
        """Whether one declaration is written inside another."""
        here: int | None = inner
        for _ in range(_DEEPEST):
            if here is None or here == outer:
                return here == outer
            here = self._parents.get(here)
        return False


_DEEPEST = 64
"""Declarations inside one another; nobody writes more."""


def members_elsewhere(symbols: Iterable[Symbol]) -> Mapping[int, int]:
    """Members whose type is named and does not enclose them: of several types of that name the one in the same file, else in the same folder."""
    types: dict[str, list[Symbol]] = {}
    apart: list[Symbol] = []
    for symbol in symbols:
        if is_whole(symbol.kind):
            types.setdefault(symbol.name, []).append(symbol)
        elif symbol.parent is None and symbol.container:
            apart.append(symbol)
    found: dict[int, int] = {}
    for member in apart:
        folder = member.path.rpartition("/")[0]
        near = [each for each in types.get(member.container, ()) if each.path.rpartition("/")[0] == folder]
        if near:
            found[member.id] = min(near, key=lambda each, path=member.path: (each.path != path, each.path, each.line)).id  # type: ignore[misc]
    return found
