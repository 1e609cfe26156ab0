"""The promise of the graph service kept in this process, over a ``GraphStore``."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exegesis.errors import Conflict, NotIndexed
from exegesis.model import (
    Chunk,
    Companion,
    Cycle,
    Description,
    Edge,
    EntryPoint,
    ExactFacts,
    FileFacts,
    Hub,
    ModuleSummary,
    OnlyThrough,
    Relation,
    SourceFile,
    Span,
    Symbol,
    Unresolved,
)
from exegesis.ports import Degrees, FileRow, GraphDraft, GraphReader, GraphStore, LexicalStatistics
from services.graph import questions
from services.graph.api import Beside, BuildReport, Crossing, Direction, Pin
from services.graph.change import contexts_of, difference
from services.graph.find import find
from services.graph.link_pool import LinkPool
from services.graph.table import FileContext

if TYPE_CHECKING:
    from services.graph.whole import WholeGraph

KEPT_OPEN = 8
"""Generations kept open for reading: the repositories that a team asks about at one time. Each costs a file handle and a few pages."""

KEPT_WHOLE = 2
"""Whole graphs kept as arrays: 20 MB each for a large repository."""


KEPT_DESCRIBED = 2
"""Generations whose descriptions are kept: 1 kB for each large type or file."""


@dataclass(slots=True)
class _Build:
    draft: GraphDraft
    basis: str | None
    written: set[str] = field(default_factory=set)


class LocalGraph:
    """A ``GraphService``. Reading is safe from several threads; each generation is built by one."""

    def __init__(self, store: GraphStore, linking: LinkPool | None = None) -> None:
        self._store = store
        self._linking = linking or LinkPool()
        self._builds: dict[Pin, _Build] = {}
        self._readers: OrderedDict[Pin, GraphReader] = OrderedDict()
        self._wholes: OrderedDict[Pin, WholeGraph] = OrderedDict()
        self._maps: OrderedDict[Pin, Sequence[ModuleSummary]] = OrderedDict()
        self._described: OrderedDict[Pin, Sequence[Description]] = OrderedDict()
        self._guard = threading.Lock()

    # ---- building

    def begin(self, pin: Pin, *, basis: str | None) -> None:
        with self._guard:
            if pin in self._builds:
                raise Conflict(f"Generation {pin.generation} of {pin.repository} is being built already.")
            self._builds[pin] = _Build(self._store.draft(pin.repository, pin.generation, basis=basis), basis)

    def write(self, pin: Pin, facts: Iterable[FileFacts], exact: Iterable[ExactFacts] = ()) -> int:
        build = self._build(pin)
        count = 0

        def noted() -> Iterator[FileFacts]:
            nonlocal count
            for each in facts:
                build.written.add(each.path)
                count += 1
                yield each

        def noted_exact() -> Iterator[ExactFacts]:
            for each in exact:
                build.written.add(each.path)
                yield each

        build.draft.put_facts(noted())
        build.draft.put_exact(noted_exact())
        return count

    def finish(self, pin: Pin, files: Sequence[SourceFile]) -> BuildReport:
        with self._guard:
            build = self._builds.get(pin)
        if build is None:
            return self._report(pin, relinked=0)
        draft = build.draft
        draft.put_files(files)
        paths, contexts = self._to_link(pin, build)
        if paths:
            for path, links in self._linking.link(draft, contexts, {file.path: file.size for file in files if file.path in paths}):
                draft.put_links(path, links.edges, links.unresolved, links.consulted)
        draft.commit()
        with self._guard:
            del self._builds[pin]
            self._readers.pop(pin, None)  # an earlier build of the same generation
            self._wholes.pop(pin, None)
            self._maps.pop(pin, None)
            self._described.pop(pin, None)
        return self._report(pin, relinked=len(paths))

    def _report(self, pin: Pin, *, relinked: int) -> BuildReport:
        reader = self._reader(pin)
        totals = reader.totals()
        return BuildReport(
            symbols=totals.symbols,
            edges=totals.edges,
            chunks=totals.chunks,
            statistics=reader.statistics(),
            unresolved=totals.unresolved,
            external=totals.external,
            relinked_files=relinked,
        )

    def share(self, pin: Pin, generation: str) -> None:
        self._store.share(pin.repository, pin.generation, generation)

    def abort(self, pin: Pin) -> None:
        with self._guard:
            build = self._builds.pop(pin, None)
        if build is not None:
            build.draft.discard()

    def delete(self, pin: Pin) -> None:
        with self._guard:
            self._readers.pop(pin, None)  # whoever reads it now still holds it, and closes it by letting go
            self._wholes.pop(pin, None)
            self._maps.pop(pin, None)
            self._described.pop(pin, None)
        self._store.delete(pin.repository, pin.generation)

    def stored(self, repository: str) -> Sequence[str]:
        return self._store.generations(repository)

    def _build(self, pin: Pin) -> _Build:
        with self._guard:
            build = self._builds.get(pin)
        if build is None:
            raise NotIndexed(f"Generation {pin.generation} of {pin.repository} is not being built.", hint="Begin it first.")
        return build

    def _to_link(self, pin: Pin, build: _Build) -> tuple[AbstractSet[str], Mapping[str, FileContext]]:
        """All files of a clean build; else those that differ, and those that asked something whose answer differs. And the contexts of all files."""
        draft = build.draft
        if build.basis is None:
            contexts = contexts_of(draft)
            return contexts.keys(), contexts
        changed = difference(self._reader(Pin(pin.repository, build.basis)), draft, build.written)
        return changed.contexts.keys() & {*changed.files, *draft.files_consulting(changed.keys)}, changed.contexts

    # ---- reading

    def _reader(self, pin: Pin) -> GraphReader:
        with self._guard:
            reader = self._readers.get(pin)
            if reader is not None:
                self._readers.move_to_end(pin)
                return reader
        opened = self._store.open(pin.repository, pin.generation)  # which may take long where it is fetched first: others need not wait
        with self._guard:
            reader = self._readers.setdefault(pin, opened)
            self._readers.move_to_end(pin)
            if len(self._readers) > KEPT_OPEN:
                self._readers.popitem(last=False)
        if reader is not opened:  # another thread was faster
            opened.close()
        return reader

    def close(self) -> None:
        """Let go of everything that is open; unfinished builds are thrown away."""
        with self._guard:
            pins, readers = list(self._builds), list(self._readers.values())
            self._readers.clear()
            self._wholes.clear()
            self._maps.clear()
            self._described.clear()
        for pin in pins:
            self.abort(pin)
        for reader in readers:
            reader.close()

    def files(self, pin: Pin, paths: Sequence[str] | None = None) -> Sequence[FileRow]:
        return self._reader(pin).files(paths)

    def symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Symbol]:
        return self._reader(pin).symbols(ids)

    def symbols_in(self, pin: Pin, paths: Sequence[str]) -> Sequence[Symbol]:
        return self._reader(pin).symbols_in(paths)

    def symbols_at(self, pin: Pin, places: Mapping[str, Sequence[Span]]) -> Sequence[Symbol]:
        return self._reader(pin).symbols_at(places)

    def symbols_named(self, pin: Pin, names: Sequence[str]) -> Sequence[Symbol]:
        return self._reader(pin).symbols_named(names)

    def find(self, pin: Pin, pattern: str) -> Sequence[Symbol]:
        return find(self._reader(pin), pattern)

    def chunks(self, pin: Pin, ids: Sequence[int], *, text: bool = False) -> Mapping[int, Chunk]:
        return self._reader(pin).chunks(ids, text=text)

    def chunks_in(self, pin: Pin, paths: Sequence[str], *, text: bool = False) -> Sequence[Chunk]:
        return self._reader(pin).chunks_in(paths, text=text)

    def chunks_of_symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        return self._reader(pin).chunks_of_symbols(ids)

    def terms(self, pin: Pin, chunks: Sequence[int] | None = None) -> Iterator[tuple[int, str, bytes]]:
        return self._reader(pin).terms(chunks)

    def vocabulary(self, pin: Pin, terms: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        return self._reader(pin).vocabulary(terms)

    def statistics(self, pin: Pin) -> LexicalStatistics:
        return self._reader(pin).statistics()

    def edges(self, pin: Pin, ids: Sequence[int], direction: Direction, *, per_node: int = 16) -> Sequence[Edge]:
        reader = self._reader(pin)
        out = () if direction is Direction.CALLERS else reader.edges_from(ids, per_node=per_node)
        into = () if direction is Direction.CALLEES else reader.edges_to(ids, per_node=per_node)
        # One direction names no edge twice; and edges are dear to compare.
        return tuple(dict.fromkeys((*out, *into))) if out and into else tuple(out or into)

    def degrees(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Degrees]:
        return self._reader(pin).degrees(ids)

    def unresolved(self, pin: Pin, ids: Sequence[int]) -> Sequence[Unresolved]:
        return self._reader(pin).unresolved(ids)

    # ---- questions

    def callers(self, pin: Pin, symbol: int) -> Sequence[Relation]:
        return questions.callers(self._reader(pin), symbol)

    def callees(self, pin: Pin, symbol: int) -> Sequence[Relation]:
        return questions.callees(self._reader(pin), symbol)

    def impact(self, pin: Pin, symbol: int, *, depth: int = 5, limit: int = 200) -> Sequence[Relation]:
        return questions.impact(self._reader(pin), symbol, depth=depth, limit=limit)

    def elsewhere(self, pin: Pin, symbols: Sequence[int], crossing: Crossing, others: Sequence[Beside]) -> Sequence[Relation]:
        from services.graph.across import elsewhere

        return elsewhere(self, pin, symbols, crossing, others)

    def path(self, pin: Pin, source: int, target: int, *, limit: int = 5) -> Sequence[Sequence[Relation]]:
        from services.graph.ways import path

        return path(self._reader(pin), self._whole_graph(pin), source, target, limit=limit)

    def hubs(self, pin: Pin, *, limit: int = 20) -> Sequence[Hub]:
        return questions.hubs(self._reader(pin), limit=limit)

    def map(self, pin: Pin) -> Sequence[ModuleSummary]:
        with self._guard:
            known = self._maps.get(pin)
        if known is None:
            from services.graph.map import map_of

            known = tuple(map_of(self._reader(pin)))
            with self._guard:
                self._maps[pin] = known
                if len(self._maps) > KEPT_OPEN:
                    self._maps.popitem(last=False)
        return known

    def descriptions(self, pin: Pin, *, small: bool = False) -> Sequence[Description]:
        with self._guard:
            known = self._described.get(pin)
        if known is not None and not small:
            return known
        from services.graph.descriptions import descriptions_of

        made = descriptions_of(self._reader(pin), self.map(pin), small=small)
        if not small:
            with self._guard:
                self._described[pin] = made
                if len(self._described) > KEPT_DESCRIBED:
                    self._described.popitem(last=False)
        return made

    # ---- questions about the whole graph; what answers them brings its libraries, and is loaded when one is asked

    def only_through(self, pin: Pin, symbols: Sequence[int], *, limit: int = 200) -> OnlyThrough:
        from services.graph.reach import only_through

        return only_through(self._reader(pin), self._whole_graph(pin), symbols, limit=limit)

    def always_with(self, pin: Pin, symbols: Sequence[int], *, limit: int = 20) -> Sequence[Companion]:
        from services.graph.companions import always_with

        return always_with(self._reader(pin), self._whole_graph(pin), symbols, limit=limit)

    def cycles(self, pin: Pin, *, limit: int = 20) -> Sequence[Cycle]:
        from services.graph.cycles import cycles

        return cycles(self._reader(pin), self._whole_graph(pin), limit=limit)

    def dead_ends(self, pin: Pin, *, limit: int = 500) -> Sequence[Symbol]:
        from services.graph.reach import dead_ends

        return dead_ends(self._reader(pin), self._whole_graph(pin), limit=limit)

    def entry_points(self, pin: Pin, *, limit: int = 50) -> Sequence[EntryPoint]:
        from services.graph.reach import entry_points

        return entry_points(self._reader(pin), self._whole_graph(pin), limit=limit)

    def _whole_graph(self, pin: Pin) -> WholeGraph:
        """Kept for the generations asked last; two threads may both load one, and either result is right."""
        with self._guard:
            known = self._wholes.get(pin)
        if known is None:
            from services.graph.whole import load_whole

            known = load_whole(self._reader(pin))
        with self._guard:
            self._wholes[pin] = known
            self._wholes.move_to_end(pin)
            if len(self._wholes) > KEPT_WHOLE:
                self._wholes.popitem(last=False)
        return known
