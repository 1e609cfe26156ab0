"""One index run, once it is known that something changed: from files to a generation that can be asked."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from exegesis.errors import Cancelled, Conflict, NotIndexed
from exegesis.model import Coverage, ExactFacts, FileFacts, FileStatus, Generation, Progress, SourceFile, file_id
from exegesis.ports import ChunkIndexDraft, LexicalPoint, LexicalStatistics
from exegesis.telemetry import SpanName, stage
from exegesis.wire import decode_facts
from services.graph.api import BuildReport, Pin
from services.indexer.api import Report
from services.indexer.freeze import freeze, same_weights
from services.indexer.parse_process import FACTS, FOR_NOW, SKIPPED, WORDS
from services.indexer.passing import PASSING
from services.indexer.progress import Phase
from services.indexer.stores import Stores
from services.indexer.work import Basis, Work


@dataclass(frozen=True, slots=True)
class Build:
    """Builds one generation aside and makes it the head."""

    stores: Stores
    pin: Pin
    run: str
    answers: Generator[Mapping[str, bytes], None, None]
    """What parsing the files of the work yields (see :mod:`services.indexer.parse_process`), some at a time, in any order; closed when it is left."""
    exact: Iterable[ExactFacts]
    """What compilers recorded about files where that is another than the basis knows; read once everything is parsed."""
    dimensions: int
    report: Report
    cancelled: threading.Event
    parsing: SpanName = SpanName.PARSE
    """What waiting for the answers is: parsing them, or collecting what was parsed elsewhere."""
    again: bool = False
    """Somebody has died of this very build, or while at it: what was linked by then need not be linked again."""

    def generation(self, work: Work, basis: Basis | None, commit: str) -> Generation:
        """Raises ``Conflict`` if another run has taken over, ``Cancelled`` if the caller wants to stop; either way nothing has changed."""
        stores, pin = self.stores, self.pin
        start = basis.pin.generation if basis else None
        with contextlib.ExitStack() as undo:
            linked = self._linked_before(work)
            if linked is None:
                stores.graph.begin(pin, basis=start)
            undo.callback(stores.graph.delete, pin)
            undo.callback(stores.graph.abort, pin)
            # Copied before anything is parsed: the processes that parse take as long to start.
            points = stores.chunks.draft(pin.repository, pin.generation, basis=start, dimensions=self.dimensions)
            undo.callback(stores.chunks.delete, pin.repository, pin.generation)
            undo.callback(points.discard)
            files, built = linked or self._link(work)
            with stage(SpanName.UPSERT) as upserting:
                self._freeze(points, work, basis, built)
                self.report(Progress("saving", 0, 1))
                points.commit()
                upserting.count(items_in=built.chunks, items_out=built.chunks)
            generation = Generation(
                id=pin.generation,
                repository=pin.repository,
                commit=commit,
                created=stores.clock.now(),
                symbols=built.symbols,
                edges=built.edges,
                chunks=built.chunks,
                coverage=coverage_of(files),
            )
            with stage(SpanName.ACTIVATE):
                active = stores.catalog.activate(self.run, generation)
            if not active:
                raise Conflict(f"Another run has taken over the index of {pin.repository}.")
            undo.pop_all()
        return generation

    def _link(self, work: Work) -> tuple[Sequence[SourceFile], BuildReport]:
        """All files, with what became of them, and what their graph holds."""
        with stage(self.parsing) as parsing:
            files = self._parse(work)
            parsing.count(items_in=len(work.parse))
        if work.exact:
            self.stores.graph.write(self.pin, (), self._exact(work))
        self.report(Progress("linking", 0, 1))
        with stage(SpanName.LINK) as linking:
            built = self.stores.graph.finish(self.pin, files)
            linking.count(items_in=built.symbols, items_out=built.edges)
        return files, built

    def _linked_before(self, work: Work) -> tuple[Sequence[SourceFile], BuildReport] | None:
        """The same, where an attempt before this one came as far; a generation's name is its run's alone. What a compiler recorded is told to whoever
        examines it, so that is done again.
        """
        if not self.again or work.exact:
            return None
        try:
            self.report(Progress("linking", 0, 1))
            built = self.stores.graph.finish(self.pin, work.files)
            found = {row.file.path: row.file for row in self.stores.graph.files(self.pin)}
        except (NotIndexed, Conflict):
            return None
        return [found[file.path] for file in work.files], built

    def _parse(self, work: Work) -> list[SourceFile]:
        """Write the facts of changed files to the draft; returns all files, with what became of them."""
        verdicts: dict[str, tuple[FileStatus, str]] = {}
        phase = Phase("parsing", len(work.parse), self.stores.clock, self.report)
        with contextlib.closing(self.answers):
            for answers in self.answers:
                self.stores.graph.write(self.pin, _facts(answers, verdicts))
                phase.advance(len(answers), detail=next(iter(answers), ""))
        return [_with_verdict(file, verdicts.get(file.path)) for file in work.files]

    def _exact(self, work: Work) -> Iterator[ExactFacts]:
        phase = Phase("reading what the compiler recorded", len(work.exact), self.stores.clock, self.report)
        for facts in self.exact:
            yield facts
            phase.advance(1, detail=facts.path)
            if self.cancelled.is_set():
                raise Cancelled("Indexing was interrupted.")

    def _freeze(self, points: ChunkIndexDraft, work: Work, basis: Basis | None, built: BuildReport) -> None:
        """Bring the points of the basis up to date: all of them where average lengths moved, else those of changed files."""
        graph = self.stores.graph
        moved = True
        if basis is not None:
            moved = not same_weights(graph.statistics(basis.pin), built.statistics)
            old = [chunk.id for chunk in graph.chunks_in(basis.pin, work.gone)]
            points.remove([*old, *map(file_id, work.gone)])
        points.put_lexical(self._points(work, built.statistics, everything=moved, total=built.chunks))

    def _points(self, work: Work, statistics: LexicalStatistics, *, everything: bool, total: int) -> Iterator[LexicalPoint]:
        graph, pin = self.stores.graph, self.pin
        changed = None if everything else [chunk.id for chunk in graph.chunks_in(pin, [file.path for file in work.parse])]
        phase = Phase("weighing", total if changed is None else len(changed), self.stores.clock, self.report)
        for point in freeze(graph.terms(pin, changed), statistics):
            yield point
            phase.advance(0 if point.is_file else 1)
            if self.cancelled.is_set():
                raise Cancelled("Indexing was interrupted.")


def coverage_of(files: Sequence[SourceFile]) -> Coverage:
    skipped = Counter(file.reason for file in files if file.status is FileStatus.SKIPPED)
    return Coverage(
        seen=len(files),
        indexed=sum(file.status is FileStatus.INDEXED for file in files),
        skipped=tuple(sorted(skipped.items(), key=lambda entry: (-entry[1], entry[0]))),
        failed=tuple((file.path, file.reason) for file in files if file.status is FileStatus.FAILED),
        degraded=tuple((file.path, file.reason) for file in files if file.status is FileStatus.INDEXED and file.reason),
    )


def _facts(answers: Mapping[str, bytes], verdicts: dict[str, tuple[FileStatus, str]]) -> Iterator[FileFacts]:
    """The facts among the answers; ``verdicts`` learns of the files that have none, or no more than their words."""
    for path, answer in answers.items():
        if answer[:1] in {FACTS, WORDS}:
            facts = decode_facts(answer[1:])
            if facts.fault:
                verdicts[path] = (FileStatus.INDEXED, facts.fault)
            yield facts
        else:
            reason = answer[1:].decode("utf-8", "replace")
            if answer[:1] == FOR_NOW:
                reason = PASSING + reason
            verdicts[path] = (FileStatus.SKIPPED if answer[:1] == SKIPPED else FileStatus.FAILED, reason)


def _with_verdict(file: SourceFile, verdict: tuple[FileStatus, str] | None) -> SourceFile:
    return file if verdict is None else replace(file, status=verdict[0], reason=verdict[1])
