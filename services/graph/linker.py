"""Linking many files: what a repository declares is read once, then each file's references become links."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from exegesis.model import ExactFacts, FileFacts, Symbol, SymbolKind
from exegesis.ports import GraphReader
from services.graph.exact import ExactTable
from services.graph.exact_edges import link_exactly
from services.graph.families import Families
from services.graph.link import Links
from services.graph.table import FileContext

_TYPES = frozenset(kind for kind in SymbolKind if kind.is_type)


class Linker:
    """All that the links of some files of a repository depend on."""

    def __init__(self, reader: GraphReader, contexts: Mapping[str, FileContext], paths: Collection[str], *, by_name: bool = False) -> None:
        """``by_name`` reads symbols when links ask for their names, which pays where few files are linked. Otherwise all are read at once."""
        outlines = list(reader.exact(uses=False))
        symbols = list(reader.all_symbols(_TYPES if by_name else None))
        own = reader.symbols_in(paths) if by_name else symbols
        self._reader = reader
        self._paths = paths
        self._tables = Families(symbols, contexts, reader if by_name else None)
        self._exact = ExactTable(outlines, reader.symbols_in([each.path for each in outlines]) if by_name else symbols)
        self._symbols: dict[str, list[Symbol]] = {path: [] for path in paths}
        for symbol in own:
            if symbol.path in self._symbols:
                self._symbols[symbol.path].append(symbol)

    def links(self) -> Iterator[tuple[str, Links]]:
        """Each path with the links that start in it, by path. All that is needed has been read when this returns, unless it is read by name."""
        recorded = {each.path: each for each in self._reader.exact(self._paths, uses=True)}
        return self._link(self._reader.references_in(self._paths), recorded)

    def _link(self, read: Iterable[FileFacts], recorded: dict[str, ExactFacts]) -> Iterator[tuple[str, Links]]:
        for facts in read:
            whole = replace(facts, symbols=tuple(self._symbols[facts.path]))
            yield facts.path, link_exactly(whole, self._tables.of(facts.language), recorded.pop(facts.path, None), self._exact)
