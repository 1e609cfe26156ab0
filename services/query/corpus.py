"""One repository at one generation, as the stages of a question see it."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from exegesis.model import Chunk, FileRole, FileStatus, Generation, Symbol, file_id
from exegesis.ports import ChunkSearch, ContentCache, Embedder, FileRow, LexicalStatistics, Reranker
from services.graph.api import GraphReading, Pin
from services.query.described import Descriptions, Shelf
from services.query.hurry import Hurry
from services.query.yardstick import Yardstick

Key = tuple[str, int]
"""Repository and chunk: chunk identifiers are derived from content, so a fork may have the same ones."""

File = tuple[str, str]
"""Repository and path."""


def has_role(roles: FileRole, wanted: FileRole) -> bool:
    """Whether any of the roles is there. Five times faster than the operator of the flag, which is written in Python and makes an object."""
    return int.__and__(roles, wanted) != 0


@dataclass(frozen=True, slots=True)
class FileTable:
    """All indexed files of a generation. Immutable like the generation, so it is read once and kept."""

    rows: Mapping[str, FileRow]
    paths: Mapping[int, str]
    """Path of each file by its identifier in the chunk index."""
    statistics: LexicalStatistics
    most_mentioned: float
    """Largest ln(1 + indegree), at least ln 2."""


@dataclass(frozen=True, slots=True)
class Corpus:
    pin: Pin
    graph: GraphReading
    index: ChunkSearch
    table: FileTable
    embedder: Embedder | None = None
    has_vectors: bool = False
    """The generation has vectors of this very embedder: of every chunk, or first of the code itself."""
    has_all_vectors: bool = False
    """Of every chunk."""
    hurry: Hurry = field(default_factory=Hurry, compare=False)
    descriptions: Descriptions = field(default_factory=lambda: Descriptions(tuple), compare=False)
    is_described: bool = False
    """The generation was described when it was made, so that contexts hold descriptions and no question waits for them."""
    reranker: Reranker | None = None
    yardstick: Yardstick = field(default_factory=lambda: Yardstick(None), compare=False)
    """Of the embedder."""

    @property
    def repository(self) -> str:
        return self.pin.repository

    def role(self, path: str) -> FileRole:
        row = self.table.rows.get(path)
        return row.file.roles if row else FileRole.NONE


class Corpora:
    """Opens generations for questions and remembers the file tables of the last few."""

    def __init__(
        self,
        graph: GraphReading,
        index: ChunkSearch,
        *,
        embedder: Embedder | None,
        reranker: Reranker | None = None,
        cache: ContentCache | None = None,
        keep: int = 16,
    ) -> None:
        self._graph = graph
        self._index = index
        self._embedder = embedder
        self._reranker = reranker
        self._shelf = Shelf(graph, cache)
        self._yardstick = Yardstick(embedder, cache)
        self._keep = keep
        self._tables: OrderedDict[Pin, FileTable] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, generation: Generation) -> Corpus:
        pin = Pin(generation.repository, generation.id)
        return Corpus(
            pin,
            self._graph,
            self._index,
            self._table(pin),
            self._embedder,
            has_vectors=self._embedder is not None and generation.embedder == self._embedder.fingerprint,
            has_all_vectors=self._embedder is not None and generation.has_all_vectors_of(self._embedder.fingerprint),
            descriptions=self._shelf.open(generation),
            is_described=bool(generation.described),
            reranker=self._reranker,
            yardstick=self._yardstick,
        )

    def _table(self, pin: Pin) -> FileTable:
        with self._lock:
            if pin in self._tables:
                self._tables.move_to_end(pin)
                return self._tables[pin]
        table = read_files(self._graph, pin)
        with self._lock:
            self._tables[pin] = table
            while len(self._tables) > self._keep:
                self._tables.popitem(last=False)
        return table


def read_files(graph: GraphReading, pin: Pin) -> FileTable:
    rows = {row.file.path: row for row in graph.files(pin) if row.file.status is FileStatus.INDEXED}
    most = max((math.log1p(row.indegree) for row in rows.values()), default=0.0)
    return FileTable(rows, {file_id(path): path for path in rows}, graph.statistics(pin), max(most, math.log(2)))


def chunks_holding(corpus: Corpus, symbols: Sequence[int]) -> dict[int, int]:
    """The chunk that shows each symbol: its own, that of the nearest enclosing declaration that has one, or the one that owns its line."""
    holding: dict[int, int] = {}
    waiting = {symbol: symbol for symbol in symbols}  # asked about -> the enclosing symbol that is tried now
    known: dict[int, Symbol] = {}
    while waiting:
        own = corpus.graph.chunks_of_symbols(corpus.pin, sorted(set(waiting.values())))
        missing = sorted({tried for tried in waiting.values() if not own.get(tried)} - known.keys())
        known.update(corpus.graph.symbols(corpus.pin, missing))
        following: dict[int, int] = {}
        orphans: dict[int, Symbol] = {}
        for symbol, tried in waiting.items():
            if own.get(tried):
                holding[symbol] = own[tried][0]
            elif tried in known and known[tried].parent is not None:
                following[symbol] = known[tried].parent or tried
            elif tried in known:
                orphans[symbol] = known[tried]
        holding |= _by_line(corpus, orphans)
        waiting = following
    return holding


def owner_of(chunks: Sequence[Chunk], line: int) -> Chunk | None:
    """The chunk of a file that owns a line."""
    for chunk in chunks:
        for run in chunk.runs:
            if run.start <= line <= run.end:
                return chunk
    return None


def _by_line(corpus: Corpus, symbols: Mapping[int, Symbol]) -> dict[int, int]:
    if not symbols:
        return {}
    of_file: dict[str, list[Chunk]] = {}
    for chunk in corpus.graph.chunks_in(corpus.pin, sorted({symbol.path for symbol in symbols.values()})):
        of_file.setdefault(chunk.path, []).append(chunk)
    owners = {asked: owner_of(of_file.get(symbol.path, ()), symbol.line) for asked, symbol in symbols.items()}
    return {asked: owner.id for asked, owner in owners.items() if owner is not None}
