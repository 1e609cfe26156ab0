"""Rows of generations that were read before. A generation never changes, so what was read of it once holds for every later question.

Questions about one repository come back to the same code: the second question finds half of its rows here, and a follow-up nearly all. Where the
graph is another process, every row that is here saves a part of a call.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Final, Generic, TypeVar

from exegesis.model import Chunk, Edge, Span, Symbol
from exegesis.ports import Degrees
from services.graph.api import Direction, GraphReading, Pin

Id = TypeVar("Id", bound=Hashable)
Row = TypeVar("Row")

GENERATIONS: Final = 4
"""Generations of which rows are kept, those asked last: what a team asks about at one time."""

ROWS: Final = 8_000
"""Rows of each kind kept of one generation. A question reads about 800 chunks, 500 symbols and the edges of 400 more; a chunk without its text or a
symbol takes 1 kB, so all kinds of all generations together take 100 MB at most. What is kept by file or place counts by its chunks or symbols."""

TEXT: Final = 12_000_000
"""Bytes that chunks with their text may take of one generation: half of 200,000 lines of code. A question shows a hundred chunks, and tries more."""

WITHOUT_TEXT: Final = 1_000
"""Bytes that a chunk takes beside its text."""

Place = tuple[str, int, int]
"""Path, first and last line."""


class _Kept(Generic[Id, Row]):
    """Rows of one kind up to a weight in all; those read longest ago make room."""

    def __init__(self, most: int, weigh: Callable[[Row], int] = lambda _: 1) -> None:
        self._most = most
        self._weigh = weigh
        self._rows: dict[Id, Row] = {}
        self._held = 0
        self._guard = threading.Lock()

    def read(self, ids: Iterable[Id], read: Callable[[Sequence[Id]], Mapping[Id, Row]]) -> dict[Id, Row]:
        """The rows of ``ids`` that exist, in their order; what is not kept is read."""
        asked = list(dict.fromkeys(ids))
        found = {id_: row for id_ in asked if (row := self._rows.get(id_)) is not None}
        if len(found) == len(asked):
            return found
        fresh = read([id_ for id_ in asked if id_ not in found])
        self._add(fresh)
        rows = {**found, **fresh}
        return {id_: rows[id_] for id_ in asked if id_ in rows}

    def _add(self, fresh: Mapping[Id, Row]) -> None:
        with self._guard:
            for id_, row in fresh.items():
                if id_ not in self._rows:
                    self._rows[id_] = row
                    self._held += self._weigh(row)
            while self._held > self._most:
                self._held -= self._weigh(self._rows.pop(next(iter(self._rows))))


class _Rows:
    """What was read of one generation, by identifier, file or place; edges by direction and cap as well."""

    def __init__(self, rows: int, text: int) -> None:
        self._most = rows
        self.chunks: _Kept[int, Chunk] = _Kept(rows)
        self.texts: _Kept[int, Chunk] = _Kept(text, lambda chunk: WITHOUT_TEXT + len(chunk.text))
        self.of_files: _Kept[str, tuple[Chunk, ...]] = _Kept(rows, _number)
        self.symbols: _Kept[int, Symbol] = _Kept(rows)
        self.at_places: _Kept[Place, tuple[Symbol, ...]] = _Kept(rows, _number)
        self.named: _Kept[str, tuple[Symbol, ...]] = _Kept(rows, _number)
        self.degrees: _Kept[int, Degrees] = _Kept(rows)
        self.holding: _Kept[int, tuple[int, ...]] = _Kept(rows)
        self._edges: dict[tuple[Direction, int], _Kept[int, tuple[Edge, ...]]] = {}

    def edges(self, direction: Direction, per_node: int) -> _Kept[int, tuple[Edge, ...]]:
        return self._edges.setdefault((direction, per_node), _Kept(self._most))


def _in_order(symbols: Iterable[Symbol]) -> list[Symbol]:
    """As a graph gives them: by place."""
    return sorted(symbols, key=lambda symbol: (symbol.path, symbol.line, symbol.id))


def _number(rows: Sequence[object]) -> int:
    return 1 + len(rows)


class RememberedGraph:
    """A ``GraphReading`` that reads from another what it has not read before. Usable from several threads.

    Answers follow the order in which rows were asked for, whatever was read before.
    """

    def __init__(self, graph: GraphReading, *, generations: int = GENERATIONS, rows: int = ROWS, text: int = TEXT) -> None:
        self._graph = graph
        self._most_generations = generations
        self._most_rows = rows
        self._most_text = text
        self._guard = threading.Lock()
        self._generations: OrderedDict[Pin, _Rows] = OrderedDict()
        # What is read once for a question, is large, or is kept elsewhere is not kept here.
        self.files = graph.files
        self.symbols_in = graph.symbols_in
        self.find = graph.find
        self.terms = graph.terms
        self.vocabulary = graph.vocabulary
        self.statistics = graph.statistics
        self.hubs = graph.hubs
        self.map = graph.map
        self.descriptions = graph.descriptions

    def symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Symbol]:
        return self._rows(pin).symbols.read(ids, lambda missing: self._graph.symbols(pin, missing))

    def symbols_at(self, pin: Pin, places: Mapping[str, Sequence[Span]]) -> Sequence[Symbol]:
        def read(missing: Sequence[Place]) -> Mapping[Place, tuple[Symbol, ...]]:
            asked: dict[str, list[Span]] = {}
            for path, start, end in missing:
                asked.setdefault(path, []).append(Span(start, end))
            of_file: dict[str, list[Symbol]] = {path: [] for path in asked}
            for symbol in self._graph.symbols_at(pin, asked):
                of_file[symbol.path].append(symbol)
            return {place: tuple([symbol for symbol in of_file[place[0]] if place[1] <= symbol.line <= place[2]]) for place in missing}

        wanted = [(path, run.start, run.end) for path in sorted(places) for run in places[path]]
        found = self._rows(pin).at_places.read(wanted, read)
        return _in_order({symbol.id: symbol for symbols in found.values() for symbol in symbols}.values())

    def symbols_named(self, pin: Pin, names: Sequence[str]) -> Sequence[Symbol]:
        def read(missing: Sequence[str]) -> Mapping[str, tuple[Symbol, ...]]:
            found: dict[str, list[Symbol]] = {name: [] for name in missing}
            for symbol in self._graph.symbols_named(pin, missing):
                found[symbol.name.lower()].append(symbol)
            return {name: tuple(symbols) for name, symbols in found.items()}

        found = self._rows(pin).named.read(map(str.lower, names), read)
        return _in_order(symbol for symbols in found.values() for symbol in symbols)

    def chunks(self, pin: Pin, ids: Sequence[int], *, text: bool = False) -> Mapping[int, Chunk]:
        rows = self._rows(pin)
        return (rows.texts if text else rows.chunks).read(ids, lambda missing: self._graph.chunks(pin, missing, text=text))

    def chunks_in(self, pin: Pin, paths: Sequence[str], *, text: bool = False) -> Sequence[Chunk]:
        if text:
            return self._graph.chunks_in(pin, paths, text=True)

        def read(missing: Sequence[str]) -> Mapping[str, tuple[Chunk, ...]]:
            found: dict[str, list[Chunk]] = {path: [] for path in missing}
            for chunk in self._graph.chunks_in(pin, missing):
                found[chunk.path].append(chunk)
            return {path: tuple(chunks) for path, chunks in found.items()}

        return [chunk for chunks in self._rows(pin).of_files.read(sorted(paths), read).values() for chunk in chunks]

    def chunks_of_symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        def read(missing: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
            return dict.fromkeys(missing, ()) | dict(self._graph.chunks_of_symbols(pin, missing))

        found = self._rows(pin).holding.read(ids, read)
        return {symbol: chunks for symbol, chunks in found.items() if chunks}

    def degrees(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Degrees]:
        return self._rows(pin).degrees.read(ids, lambda missing: self._graph.degrees(pin, missing))

    def edges(self, pin: Pin, ids: Sequence[int], direction: Direction, *, per_node: int = 16) -> Sequence[Edge]:
        if direction is Direction.BOTH:
            out, into = (self.edges(pin, ids, each, per_node=per_node) for each in (Direction.CALLEES, Direction.CALLERS))
            return tuple(dict.fromkeys((*out, *into)))

        def read(missing: Sequence[int]) -> Mapping[int, tuple[Edge, ...]]:
            found: dict[int, list[Edge]] = {node: [] for node in missing}
            for edge in self._graph.edges(pin, missing, direction, per_node=per_node):
                found[edge.target if direction is Direction.CALLERS else edge.source].append(edge)
            return {node: tuple(edges) for node, edges in found.items()}

        found = self._rows(pin).edges(direction, per_node).read(ids, read)
        return [edge for edges in found.values() for edge in edges]

    # ---- what is kept

    def _rows(self, pin: Pin) -> _Rows:
        with self._guard:
            rows = self._generations.get(pin)
            if rows is None:
                rows = self._generations[pin] = _Rows(self._most_rows, self._most_text)
                if len(self._generations) > self._most_generations:
                    self._generations.popitem(last=False)
            self._generations.move_to_end(pin)
            return rows
