"""Where references and declarations stand: the types around them, whether they are static, and which locals they can see."""

from __future__ import annotations

from exegesis.model import FileFacts, Symbol, SymbolKind
from services.graph.table import STATIC, Scope, SymbolTable, full_name, has
from services.graph.types import enclosing_names, split_type
from services.graph.values import Place


class Places:
    """Places in one file. Equal ones are one object, so that what was found out at one holds at all, and can be kept by identity."""

    def __init__(self, facts: FileFacts, table: SymbolTable) -> None:
        self._table = table
        self._path = facts.path
        self._symbols = {symbol.id: symbol for symbol in facts.symbols}
        self._local: dict[tuple[int, str], list[Symbol]] = {}
        for symbol in facts.symbols:
            enclosing = self._symbols.get(symbol.parent) if symbol.parent is not None else None
            if enclosing is not None and not enclosing.kind.is_type:
                self._local.setdefault((enclosing.id, symbol.name), []).append(symbol)
        self._telling = {enclosing for enclosing, _ in self._local} | {symbol.id for symbol in facts.symbols if symbol.generics}
        self._places: dict[int, Place] = {}
        self._distinct: dict[tuple[str, bool, tuple[int, ...]], Place] = {}
        self._declared: dict[int, Place] = {}

    def locals_called(self, enclosing: int, name: str) -> list[Symbol]:
        """Declarations directly inside a function or closure of this file."""
        return self._local.get((enclosing, name), [])

    def generics_of(self, enclosing: int) -> tuple[tuple[str, str], ...]:
        """Generic parameters of a symbol of this file, with their bounds."""
        known = self._symbols.get(enclosing)
        return known.generics if known else ()

    def place_of(self, symbol_id: int) -> Place:
        """The place of what a symbol of this file contains."""
        found = self._places.get(symbol_id)
        if found is None:
            found = self._places[symbol_id] = self._locate(symbol_id)
        return found

    def _locate(self, symbol_id: int) -> Place:
        seen: list[int] = []
        container, is_static = "", False
        current = self._symbols.get(symbol_id)
        while current is not None and current.id not in seen:
            seen.append(current.id)
            if not container:
                if current.kind.is_type and current.kind is not SymbolKind.TYPEALIAS:
                    container = full_name(current)
                else:
                    container = split_type(current.container)[0]
                    is_static = has(current, STATIC) if container else is_static or has(current, STATIC)
            current = self._symbols.get(current.parent) if current.parent is not None else None
        key = (container, is_static, tuple(each for each in seen if each in self._telling))
        found = self._distinct.get(key)
        if found is None:
            own = self._table.declared(container, self._path) if container else None
            found = self._distinct[key] = Place(Scope(enclosing_names(container), self._path), own, is_static, key[2])
        return found

    def of_declaration(self, symbol: Symbol) -> Place:
        """The place where a declaration, perhaps of another file, is read: its locals cannot be seen from here, and are not needed."""
        found = self._declared.get(symbol.id)
        if found is None:
            container = split_type(symbol.container)[0]
            own = self._table.declared(container, symbol.path) if container else None
            found = Place(Scope(enclosing_names(container), symbol.path), own, has(symbol, STATIC), ())
            self._declared[symbol.id] = found
        return found
