"""Rows of generations that were read before. A generation never changes, so what was read of it once holds for every later question.

Questions about one repository come back to the same code: the second question finds half of its rows here, and a follow-up nearly all. Where the
graph is another process, every row that is here saves a part of a call.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeVar

from exegesis.model import Chunk, Edge, Symbol
from exegesis.ports import Degrees
from services.graph.api import Direction, GraphReading, Pin

Id = TypeVar("Id", int, str)
Row = TypeVar("Row")

GENERATIONS: Final = 4
"""Generations of which rows are kept, those asked last: what a team asks about at one time."""

ROWS: Final = 8_000
"""Rows of each kind kept of one generation. A question reads about 800 chunks, 500 symbols and the edges of 400 more; a chunk without its text or a
symbol takes 1 kB, so all kinds of all generations together take 80 MB at most. Of whole files, the chunks are counted."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """What was read of one generation, by identifier; edges by direction and cap as well."""

    chunks: dict[int, Chunk] = field(default_factory=dict)
    symbols: dict[int, Symbol] = field(default_factory=dict)
    degrees: dict[int, Degrees] = field(default_factory=dict)
    holding: dict[int, tuple[int, ...]] = field(default_factory=dict)
    of_files: dict[str, tuple[Chunk, ...]] = field(default_factory=dict)
    edges: dict[tuple[Direction, int], dict[int, tuple[Edge, ...]]] = field(default_factory=dict)


class RememberedGraph:
    """A ``GraphReading`` that reads from another what it has not read before. Usable from several threads.

    Answers follow the order in which rows were asked for, whatever was read before.
    """

    def __init__(self, graph: GraphReading, *, generations: int = GENERATIONS, rows: int = ROWS) -> None:
        self._graph = graph
        self._most_generations = generations
        self._most_rows = rows
        self._guard = threading.Lock()
        self._generations: OrderedDict[Pin, _Rows] = OrderedDict()
        # What is read once for a question, is large, or is kept elsewhere is not kept here.
        self.files = graph.files
        self.symbols_in = graph.symbols_in
        self.symbols_at = graph.symbols_at
        self.symbols_named = graph.symbols_named
        self.find = graph.find
        self.terms = graph.terms
        self.vocabulary = graph.vocabulary
        self.statistics = graph.statistics
        self.hubs = graph.hubs
        self.map = graph.map
        self.descriptions = graph.descriptions

    def symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Symbol]:
        return self._remember(self._rows(pin).symbols, ids, lambda missing: self._graph.symbols(pin, missing))

    def chunks(self, pin: Pin, ids: Sequence[int], *, text: bool = False) -> Mapping[int, Chunk]:
        if text:
            return self._graph.chunks(pin, ids, text=True)
        return self._remember(self._rows(pin).chunks, ids, lambda missing: self._graph.chunks(pin, missing))

    def chunks_in(self, pin: Pin, paths: Sequence[str], *, text: bool = False) -> Sequence[Chunk]:
        if text:
            return self._graph.chunks_in(pin, paths, text=True)

        def read(missing: Sequence[str]) -> Mapping[str, tuple[Chunk, ...]]:
            found: dict[str, list[Chunk]] = {path: [] for path in missing}
            for chunk in self._graph.chunks_in(pin, missing):
                found[chunk.path].append(chunk)
            return {path: tuple(chunks) for path, chunks in found.items()}

        kept = self._rows(pin).of_files
        found = self._remember(kept, sorted(paths), read)
        with self._guard:
            held = sum(map(len, kept.values()))
            while held > self._most_rows:
                held -= len(kept.pop(next(iter(kept))))
        return [chunk for chunks in found.values() for chunk in chunks]

    def chunks_of_symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        def read(missing: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
            return dict.fromkeys(missing, ()) | dict(self._graph.chunks_of_symbols(pin, missing))

        found = self._remember(self._rows(pin).holding, ids, read)
        return {symbol: chunks for symbol, chunks in found.items() if chunks}

    def degrees(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Degrees]:
        return self._remember(self._rows(pin).degrees, ids, lambda missing: self._graph.degrees(pin, missing))

    def edges(self, pin: Pin, ids: Sequence[int], direction: Direction, *, per_node: int = 16) -> Sequence[Edge]:
        if direction is Direction.BOTH:
            out, into = (self.edges(pin, ids, each, per_node=per_node) for each in (Direction.CALLEES, Direction.CALLERS))
            return tuple(dict.fromkeys((*out, *into)))

        def read(missing: Sequence[int]) -> Mapping[int, tuple[Edge, ...]]:
            found: dict[int, list[Edge]] = {node: [] for node in missing}
            for edge in self._graph.edges(pin, missing, direction, per_node=per_node):
                found[edge.target if direction is Direction.CALLERS else edge.source].append(edge)
            return {node: tuple(edges) for node, edges in found.items()}

        kept = self._rows(pin).edges.setdefault((direction, per_node), {})
        found = self._remember(kept, ids, read)
        return [edge for edges in found.values() for edge in edges]

    # ---- what is kept

    def _rows(self, pin: Pin) -> _Rows:
        with self._guard:
            rows = self._generations.get(pin)
            if rows is None:
                rows = self._generations[pin] = _Rows()
                if len(self._generations) > self._most_generations:
                    self._generations.popitem(last=False)
            self._generations.move_to_end(pin)
            return rows

    def _remember(self, kept: dict[Id, Row], ids: Iterable[Id], read: Callable[[Sequence[Id]], Mapping[Id, Row]]) -> dict[Id, Row]:
        """The rows of ``ids`` that exist, in their order. Those read longest ago make room."""
        asked = list(dict.fromkeys(ids))
        found = {id_: row for id_ in asked if (row := kept.get(id_)) is not None}
        missing = [id_ for id_ in asked if id_ not in found]
        if not missing:
            return found
        fresh = read(missing)
        with self._guard:
            kept.update(fresh)
            for oldest in list(islice(kept, max(0, len(kept) - self._most_rows))):
                del kept[oldest]
        rows = {**found, **fresh}
        return {id_: rows[id_] for id_ in asked if id_ in rows}
