"""Symbols that a table reads when it is asked for their names: linking a few files takes a small part of all that a repository declares."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from exegesis.model import Symbol, SymbolKind
from exegesis.ports import GraphReader


class Unread:
    """The symbols of a family of languages besides its types, still in their generation.

    Args:
        reader: Of the generation.
        paths: The files of the family; None for all.

    """

    def __init__(self, reader: GraphReader, paths: Collection[str] | None) -> None:
        self._reader = reader
        self._paths = paths
        self._named: set[str] = set()
        self._initializers = False

    def named(self, question: str) -> Sequence[Symbol]:
        """All symbols of those names that a question can end in and that were not asked for before, letter case ignored; by identifier.

        A question ends in a name after a colon or a dot, and names may have dots of their own (``..<``): all that it can end in are read.
        """
        _, _, rest = question.partition(":")
        names = {rest[start:].lower() for start in (0, *(place + 1 for place, letter in enumerate(rest) if letter == "."))} - self._named - {""}
        self._named |= names
        return self._of_family(self._reader.symbols_named(names)) if names else ()

    def within(self, path: str) -> Sequence[Symbol]:
        """All symbols of a file; by identifier."""
        return sorted(self._reader.symbols_in((path,)), key=lambda symbol: symbol.id)

    def initializers(self) -> Sequence[Symbol]:
        """All initialisers, whatever they are called, the first time; by identifier."""
        if self._initializers:
            return ()
        self._initializers = True
        return self._of_family(self._reader.all_symbols({SymbolKind.INITIALIZER}))

    def kind_of(self, symbol_id: int) -> SymbolKind | None:
        found = self._reader.symbols([symbol_id]).get(symbol_id)
        return found.kind if found and self._is_of_family(found) else None

    def _of_family(self, symbols: Iterable[Symbol]) -> list[Symbol]:
        return sorted(filter(self._is_of_family, symbols), key=lambda symbol: symbol.id)

    def _is_of_family(self, symbol: Symbol) -> bool:
        return self._paths is None or symbol.path in self._paths
