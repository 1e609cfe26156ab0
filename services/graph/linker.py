"""Linking many files: what a repository declares is read once, then each file's references become links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from exegesis.model import ExactFacts, FileFacts, Symbol
from exegesis.ports import GraphReader
from services.graph.exact import ExactTable
from services.graph.exact_edges import link_exactly
from services.graph.families import Families
from services.graph.link import Links
from services.graph.table import FileContext


class Linker:
    """All that the links of a repository's files depend on, as its reader has it when this is made."""

    def __init__(self, reader: GraphReader, contexts: Mapping[str, FileContext]) -> None:
        self._reader = reader
        self._symbols: dict[str, list[Symbol]] = {}
        symbols = list(reader.all_symbols())
        for symbol in symbols:
            self._symbols.setdefault(symbol.path, []).append(symbol)
        self._tables = Families(symbols, contexts)
        self._exact = ExactTable(reader.exact(uses=False), symbols)

    def links_of(self, paths: Iterable[str]) -> Iterator[tuple[str, Links]]:
        """Each path with the links that start in it, by path. All that is needed has been read when this returns."""
        wanted = list(paths)
        recorded = {each.path: each for each in self._reader.exact(wanted, uses=True)}
        return self._link(self._reader.references_in(wanted), recorded)

    def _link(self, read: Iterable[FileFacts], recorded: dict[str, ExactFacts]) -> Iterator[tuple[str, Links]]:
        for facts in read:
            whole = replace(facts, symbols=tuple(self._symbols.get(facts.path, ())))
            yield facts.path, link_exactly(whole, self._tables.of(facts.language), recorded.pop(facts.path, None), self._exact)
