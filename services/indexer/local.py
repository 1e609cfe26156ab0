"""The indexer's promise kept in this process: a folder in, a generation that can be asked out."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exegesis.errors import Cancelled, CorruptIndex, ExegesisError, NotIndexed, Unavailable
from exegesis.model import Coverage, Generation, Progress, Repository, RunState, SourceFile
from exegesis.ports import Embedder, WriteLock
from exegesis.telemetry import Attribute, SpanName, stage
from services.graph.api import Pin
from services.indexer.api import IndexOptions, IndexReport, Report, Status
from services.indexer.background import Background
from services.indexer.exact.account import Examination, exact_status
from services.indexer.identity import GenerationName, facts_space, inputs_of, repository_of
from services.indexer.modules import with_modules
from services.indexer.pool import ParserPool
from services.indexer.stores import Stores, registered
from services.indexer.survey import Look, includes_dependencies, is_current, look, note_failures, recipe, relabelled, stores_of, survey
from services.indexer.sweep import drop, sweep, wipe
from services.indexer.tree import FolderTree
from services.indexer.watch import changes
from services.indexer.work import Work

if TYPE_CHECKING:
    from services.indexer.queued import Consume
    from services.indexer.tell import Teller

_log: Final = logging.getLogger(__name__)

FACTS_KEPT = 512 << 20
"""Bytes of parsed files kept per repository: about twenty branches of one that has half a million lines."""

DIMENSIONS = 384
"""Of an index without an embedder: what the bundled one would need, so that it can be added later."""


class LocalIndexer:
    """``IndexerService`` over the stores of this machine.

    Args:
        stores: Catalog, cache, graph and chunk index.
        embedder: Computes vectors, and remembers those of texts that it has seen; None for an index without vectors.
        lock: Keeps a second writer away.
        consume: Makes the queue that the jobs of a run go through.
        workers: Processes that parse at the same time.
        folder: Where the stores keep their files; measured for ``status``, and not watched.
        teller: A language model that may describe what is large; None where descriptions are made from declarations alone.

    """

    def __init__(
        self,
        stores: Stores,
        *,
        embedder: Embedder | None,
        lock: WriteLock,
        consume: Consume,
        workers: int,
        folder: Path,
        teller: Teller | None = None,
    ) -> None:
        self._stores = stores
        self._embedder = embedder
        self._lock = lock
        self._consume = consume
        self._workers = workers
        self._folder = folder
        self._teller = teller

    # ---- building

    def index(self, root: str, options: IndexOptions, report: Report, *, cancelled: threading.Event | None = None) -> IndexReport:
        started = self._stores.clock.monotonic()
        stop = cancelled or threading.Event()
        with stage(SpanName.INDEX) as run:
            outcome = self._completed(self._usable(root, options, report, stop), options, report, stop)
            run.mark(Attribute.REPOSITORY, outcome.repository.id)
            run.mark(Attribute.GENERATION, outcome.generation.id)
            run.count(items_in=outcome.generation.coverage.seen, items_out=outcome.generation.chunks)
        return replace(outcome, seconds=self._stores.clock.monotonic() - started)

    def _usable(self, root: str, options: IndexOptions, report: Report, stop: threading.Event) -> IndexReport:
        """Up to a head that says what is there; and what is large in it described, which takes a fraction of linking it."""
        repository = repository_of(root)
        with self._lock.hold(repository.id):
            outcome = self._bring_up_to_date(repository, options, report, stop)
            sweep(repository.id, self._stores)
        report(Progress("usable", 1, 1, outcome.generation.id))
        return self._described(outcome, report) if options.describe else outcome

    def _completed(self, outcome: IndexReport, options: IndexOptions, report: Report, stop: threading.Event) -> IndexReport:
        """What takes long, and is as good as there while it is computed: vectors, and the words of a language model."""
        if options.embed and self._embedder is not None:
            outcome = replace(outcome, generation=self._embed(outcome.repository.id, report, stop))
        if options.describe and self._teller is not None:
            from services.indexer.describe import tell_head

            head, told = tell_head(self._stores, self._lock, outcome.repository.id, self._teller, report, dimensions=self._dimensions, cancelled=stop)
            outcome = replace(outcome, generation=head or outcome.generation, told=told)
        if options.describe and not outcome.generation.described:
            from services.indexer.describe import say_described

            head = say_described(self._stores, self._lock, outcome.repository.id, dimensions=self._dimensions)
            outcome = replace(outcome, generation=head or outcome.generation)
        return outcome

    def _bring_up_to_date(
        self, repository: Repository, options: IndexOptions, report: Report, stop: threading.Event, *, anew: bool = False
    ) -> IndexReport:
        stores = self._stores
        catalog = stores.catalog
        if repository not in catalog.repositories():
            catalog.register(repository)
        with ParserPool(workers=self._workers) as parsers:
            found = survey(
                repository,
                stores,
                dimensions=self._dimensions,
                options=options,
                report=report,
                changed=parsers.warm_up,
                chunks_are_read_later=True,
                anew=anew,
            )
            if found.is_current and found.head is not None:
                return IndexReport(repository, self._relabel(found.head, found.commit), 0, 0, resumed=False, unchanged=True, seconds=0.0)
            work = found.work
            run, resumed = catalog.start_run(repository.id, found.fingerprint)
            parsers.warm_up(len(work.parse), sorted({file.language for file in work.parse}))
            from services.indexer.build import Build  # loads numpy and the wire format, which an unchanged folder does not need

            records = Examination(repository, stores, found.holdings, work.exact, anew=found.basis is None)
            build = Build(
                stores=stores,
                pin=Pin(repository.id, str(found.name)),
                run=run,
                answers=self._parsing(repository, run, work, parsers, stop),
                exact=records,
                dimensions=self._dimensions,
                report=report,
                cancelled=stop,
            )
            try:
                generation = build.generation(replace(work, files=with_modules(FolderTree(repository.root), work.files)), found.basis, found.commit)
            except Cancelled:
                raise  # the run stays unfinished, and the next one goes on with it
            except ExegesisError as error:
                catalog.end_run(run, RunState.FAILED, error.message)
                if not isinstance(error, CorruptIndex) or found.basis is None:
                    raise
                damaged = True
            else:
                damaged = False
        if damaged:  # what was built upon: without it everything is made from the files
            return self._bring_up_to_date(repository, options, report, stop, anew=True)
        note_failures(generation, stores)
        records.remember()
        stores.cache.trim(facts_space(repository.id), keep_bytes=FACTS_KEPT)
        return IndexReport(repository, generation, len(work.parse), work.removed, resumed=resumed, unchanged=False, seconds=0.0)

    def _parsing(
        self, repository: Repository, run: str, work: Work, parsers: ParserPool, stop: threading.Event
    ) -> Generator[Mapping[str, bytes], None, None]:
        """The answers of the files to be parsed, by the processes of this machine."""
        from services.indexer.handlers import plan_of
        from services.indexer.queued import parse_queued

        plan = plan_of(repository, run, work)
        sizes = {file.path: file.size for file in work.parse}
        yield from parse_queued(plan, sizes, self._stores.catalog, self._stores.cache, parsers, consume=self._consume, cancelled=stop)
        parsers.end()  # what follows needs the memory more

    @property
    def _dimensions(self) -> int:
        return self._embedder.dimensions if self._embedder else DIMENSIONS

    def _relabel(self, head: Generation, commit: str) -> Generation:
        labelled = relabelled(head, commit)
        if labelled is None:
            return head
        run, _ = self._stores.catalog.start_run(head.repository, f"relabel {head.id} {commit}")
        self._stores.catalog.activate(run, labelled)
        return labelled

    def _embed(self, repository: str, report: Report, stop: threading.Event) -> Generation:
        from services.indexer.embed import embed_head  # loads numpy

        assert self._embedder is not None
        with stage(SpanName.EMBED) as embedding:
            generation = embed_head(self._stores, self._lock, repository, self._embedder, report, cancelled=stop)
            embedding.count(items_in=generation.chunks, items_out=generation.chunks)
        return generation

    def _described(self, outcome: IndexReport, report: Report) -> IndexReport:
        """With what was described of the generation, which has been usable since."""
        from services.indexer.describe import describe_head  # loads the wire format, which a question to an unchanged folder does not need

        made = describe_head(self._stores, outcome.repository.id, report)
        return replace(outcome, described=made.made, descriptions_kept=made.kept)

    # ---- looking

    def locate(self, root: str) -> Repository:
        return repository_of(root)

    def is_stale(self, repository: str) -> bool:
        head = self._stores.catalog.head(repository)
        known = registered(self._stores.catalog, repository)
        if head is None or not Path(known.root).is_dir():
            return head is None
        return self._is_stale(head, self._look(known))

    def _may_be_stale(self, repository: str) -> bool:
        """Also where looking fails: the run that follows will tell why."""
        try:
            return self.is_stale(repository)
        except ExegesisError:
            return True

    def _look(self, repository: Repository) -> Look:
        return look(repository, self._stores, include_dependencies=includes_dependencies(repository.id, self._stores))

    def _is_stale(self, head: Generation, looked: Look) -> bool:
        return not is_current(head, GenerationName.make(inputs_of(looked.walk.files), recipe(self._dimensions)), self._stores)

    def files(self, repository: str) -> Sequence[SourceFile]:
        head = self._stores.catalog.head(repository)
        if head is None:
            raise NotIndexed(f"{registered(self._stores.catalog, repository).name} is not indexed.")
        return [row.file for row in self._stores.graph.files(Pin(repository, head.id))]

    def status(self, repository: str | None = None) -> Sequence[Status]:
        found = [known for known in self._stores.catalog.repositories() if repository in {None, known.id}]
        return [self._status(known) for known in found]

    def _status(self, repository: Repository) -> Status:
        head = self._stores.catalog.head(repository.id)
        disk_bytes = self._disk_bytes(repository.id)
        if head is None or not Path(repository.root).is_dir():
            return Status(repository, head, self._coverage(head) if head else None, head is None, disk_bytes)
        try:
            looked = self._look(repository)
            exact = exact_status(repository.id, looked.holdings, self._stores)
            return Status(repository, head, self._coverage(head), self._is_stale(head, looked), disk_bytes, exact)
        except ExegesisError as error:
            problem = error.message
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one repository, the others are listed
            _log.exception("%s cannot be looked at", repository.id)
            problem = f"It cannot be looked at ({type(error).__name__})."
        return Status(repository, head, self._coverage(head), stale=True, disk_bytes=disk_bytes, problem=problem)

    def _coverage(self, head: Generation) -> Coverage:
        return head.covered_for(self._embedder.fingerprint) if self._embedder else head.coverage

    def remove(self, repository: str) -> None:
        stores = self._stores
        registered(stores.catalog, repository)
        with self._lock.hold(repository):
            try:
                stores.catalog.forget(repository)  # first, so that nobody is sent to what is about to go
            except Unavailable:  # a full disk: forgetting takes a little room itself, which the generations have
                drop(repository, stores)
                stores.catalog.forget(repository)
            wipe(repository, stores)

    def watch(self, root: str, options: IndexOptions, report: Report, *, cancelled: threading.Event) -> None:
        repository = repository_of(root)
        background = Background()

        def complete(usable: IndexReport) -> Callable[[threading.Event], None]:
            def work(stop: threading.Event) -> None:
                try:
                    self._completed(usable, options, report, stop)
                except Cancelled:
                    pass  # files changed; what was computed is remembered
                except ExegesisError as error:
                    report(Progress("waiting", 0, 0, error.message))

            return work

        try:
            stores = stores_of(repository, options.index_store)
            for _ in changes(repository.root, lambda: self._may_be_stale(repository.id), ignored=self._folder, cancelled=cancelled, stores=stores):
                background.stop()
                try:
                    with stage(SpanName.INDEX) as run:
                        usable = self._usable(root, options, report, cancelled)
                        run.mark(Attribute.REPOSITORY, repository.id)
                        run.mark(Attribute.GENERATION, usable.generation.id)
                except Cancelled:
                    break
                except ExegesisError as error:  # somebody else is at it, the folder is away for a moment, the disk is full: the next change may do
                    report(Progress("waiting", 0, 0, error.message))
                    continue
                background.start(complete(usable))
        finally:
            background.stop()

    def _disk_bytes(self, repository: str) -> int:
        """What the stores of this machine occupy for a repository. Files may come and go meanwhile."""
        total = 0
        for store in self._folder.iterdir():
            for folder, _, names in os.walk(store / repository):  # which passes over folders that are gone by now
                for name in names:
                    with contextlib.suppress(OSError):
                        total += Path(folder, name).lstat().st_blocks * 512
        return total
