"""A symbol table for each family of languages: what a file may name is declared in its own, and documents mention all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from exegesis.model import Symbol
from exegesis.ports import GraphReader
from services.graph.dialects import PROSE, Dialect, dialect_of
from services.graph.imports import bindings_key, file_key
from services.graph.table import FileContext, SymbolTable, keys_of, module_key
from services.graph.unread import Unread


class Families:
    """Tables are made when they are first asked for: most repositories need one or two."""

    def __init__(self, symbols: Iterable[Symbol], contexts: Mapping[str, FileContext], unread: GraphReader | None = None) -> None:
        """With ``unread``, ``symbols`` are the types of the repository, and tables read the others from there when they are asked for."""
        self._contexts = contexts
        self._unread = unread
        self._symbols: dict[str, list[Symbol]] = {}
        self._tables: dict[str, SymbolTable] = {}
        for symbol in symbols:
            self._symbols.setdefault(_dialect(symbol.path, contexts).family, []).append(symbol)

    def of(self, language: str) -> SymbolTable:
        """The table for linking a file of this language."""
        dialect = dialect_of(language)
        table = self._tables.get(dialect.family)
        if table is None:
            table = self._tables[dialect.family] = self._make(dialect)
        return table

    def _make(self, dialect: Dialect) -> SymbolTable:
        if dialect.family == PROSE:
            everything = (symbol for symbols in self._symbols.values() for symbol in symbols)
            return SymbolTable(everything, self._contexts, dialect, Unread(self._unread, None) if self._unread else None)
        members = {path: context for path, context in self._contexts.items() if dialect_of(context.language).family == dialect.family}
        unread = Unread(self._unread, members.keys()) if self._unread else None
        return SymbolTable(self._symbols.get(dialect.family, ()), members, dialect, unread)


def _dialect(path: str, contexts: Mapping[str, FileContext]) -> Dialect:
    context = contexts.get(path)
    return dialect_of(context.language if context else "")


def in_family(family: str, keys: Iterable[str]) -> Iterator[str]:
    """Questions as a whole repository tells them apart: those of one family are not those of another."""
    return (f"{family}/{key}" for key in keys)


def questions_of(symbol: Symbol, language: str) -> Iterator[str]:
    """All questions that a symbol of a file of this language answers."""
    dialect = dialect_of(language)
    keys = keys_of(symbol)
    yield from in_family(dialect.family, (key.lower() for key in keys) if dialect.ignores_case else keys)
    if dialect.family != PROSE:
        yield from in_family(PROSE, (f"N:{symbol.name}",))


def questions_about(path: str, old: FileContext | None, new: FileContext | None) -> Iterator[str]:
    """The questions about a file itself whose answers differ between two states of it, None where it is not there."""
    for one, other in ((old, new), (new, old)):
        if one is None:
            continue
        dialect = dialect_of(one.language)
        named = dialect.modules.names_of(path, one.module) if dialect.modules and (other is None or other.module != one.module) else ()
        yield from in_family(dialect.family, map(file_key, named))
        if one.bindings != (other.bindings if other else ()):
            yield from in_family(dialect.family, (bindings_key(path),))


def module_questions(modules: Iterable[str], languages: Iterable[str]) -> Iterator[str]:
    """The questions whether modules of these names exist, asked by files of these languages."""
    families = {dialect_of(language).family for language in languages}
    return (question for family in families for question in in_family(family, map(module_key, modules)))
