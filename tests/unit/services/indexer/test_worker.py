"""Runs as workers perform them, message by message: what is lost, comes twice, dies, fails, or is overtaken."""

from __future__ import annotations

import contextlib
import json
import shutil
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from exegesis.adapters.cached_embedder import SPACE, CachedEmbedder
from exegesis.adapters.edge_chunks import EdgeChunks, EdgeDraft
from exegesis.adapters.file_lock import FileLock
from exegesis.adapters.local_queue import LocalQueue
from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.sqlite_errands import sqlite_errands
from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.adapters.system_clock import SystemClock
from exegesis.errors import ChunksUnavailable, Unavailable, UsageError
from exegesis.model import Errand, ExactFacts, FileFacts, Generation, Progress, RunState, RunStep, Tally
from exegesis.wire import decode_facts
from services.graph.api import Pin
from services.graph.local import LocalGraph
from services.indexer.api import IndexOptions, IndexReport
from services.indexer.asked import AskedIndexer
from services.indexer.beat import Beat
from services.indexer.bell import Bell
from services.indexer.bench import Bench
from services.indexer.descriptions import describe_what_is_not, read_account
from services.indexer.fan_in import HOPELESS, WINDOW
from services.indexer.handlers import load_plan, parse, parse_singly
from services.indexer.identity import repository_of
from services.indexer.local import LocalIndexer
from services.indexer.mirror import Mirrors, Reach
from services.indexer.parse_batch import CAREFUL
from services.indexer.parse_process import Unparsed
from services.indexer.pool import PROGRAM, ParserPool
from services.indexer.reconcile import reconcile
from services.indexer.snapshot import load_snapshot
from services.indexer.steps import write_options
from services.indexer.stores import Stores
from services.indexer.worker import DEATHS, LAPSES, WAITS, handlers, mourn
from tests.fakes.stepwise_queue import StepwiseQueue
from tests.fakes.word_embedder import WordEmbedder

LEASE, QUIET = 30.0, 10.0
PLAIN = IndexOptions(embed=False, describe=False)

# The real one, but for a file whose name says that it kills.
POISONED = PROGRAM.replace(
    "import serve; serve()",
    "import serve, parse_file\nimport os\n"
    "def parse(root, file):\n    if 'poison' in file.path: os.kill(os.getpid(), 11)\n    return parse_file(root, file)\nserve(parse)",
)


FAULTY = PROGRAM.replace(
    "import serve; serve()",
    "import serve\nfrom services.indexer.language import languages\n"
    "markdown = languages()['markdown']\nread = markdown.parse\n"
    "def parse(source):\n    return read(source) if 'odd' not in source.path else [][len(source.text)]\nmarkdown.parse = parse\nserve()",
)


class SetClock:
    def __init__(self) -> None:
        self.time = 1_000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


class Shop:
    """One worker's bench over stores of a folder, with a clock and a queue that the test moves."""

    def __init__(self, home: Path, project: Path, parsers: ParserPool, *, embedder: WordEmbedder | None = None) -> None:
        self.clock = SetClock()
        self.queue = StepwiseQueue()
        self.catalog = SqliteCatalog(home / "catalog.db", self.clock)
        self.cache = SqliteCache(home / "cache.db", self.clock)
        self.chunks = EdgeChunks(home / "chunks")
        self.graph = LocalGraph(SqliteGraph(home / "graph"))
        stores = Stores(self.catalog, self.cache, self.graph, self.chunks, self.clock)
        self.errands = sqlite_errands(home / "catalog.db", self.clock, quiet=QUIET)
        self.lock = FileLock(home / "locks")
        mirrors = Mirrors(home / "mirrors", Reach())
        kept = CachedEmbedder(embedder, self.cache) if embedder else None
        dimensions = embedder.dimensions if embedder else 384
        self.bench = Bench(stores, self.errands, Bell(self.queue), self.lock, kept, dimensions, parsers, mirrors, "me", LEASE)
        self.jobs: Mapping[str, Callable[..., None]] = handlers(lambda: self.bench)
        near = LocalIndexer(stores, embedder=kept, lock=self.lock, consume=lambda jobs: LocalQueue(jobs, consumers=1), workers=1, folder=home)
        self.indexer = AskedIndexer(self.catalog, self.errands, self.bench.bell, near, mirrors, clock=SystemClock())
        self.project = project
        self.repository = repository_of(str(project))
        self.catalog.register(self.repository)

    def ask(self, options: IndexOptions = PLAIN) -> str:
        run = self.errands.ask(self.repository.id, RunStep.LOOK, queue="bulk", options=write_options(options))
        self.bench.bell.ring(self.find(run))
        return run

    def find(self, run: str) -> Errand:
        errand = self.errands.find(run)
        assert errand is not None
        return errand

    def deliver(self, *, until: str = "", most: int = 1_000) -> int:
        return self.queue.deliver(self.jobs, until=until, most=most)

    def head(self) -> Generation | None:
        return self.catalog.head(self.repository.id)

    def remind(self, seconds: float) -> None:
        """Let time pass, and ring for what nothing was heard of."""
        self.clock.time += seconds
        reconcile(self.catalog, self.errands, self.bench.bell)

    def close(self) -> None:
        for part in (self.errands, self.catalog, self.cache, self.chunks, self.graph):
            part.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Enough files for a few batches."""
    made = tmp_path / "project"
    made.mkdir()
    for number in range(150):
        (made / f"f{number:03}.md").write_text(f"# Title {number}\n\nText about `thing{number}`.\n")
    (made / "a.swift").write_text("func greet() { name() }\nfunc name() {}\n")
    return made


Open = Callable[..., Shop]


@pytest.fixture(scope="module")
def parsers() -> Iterator[ParserPool]:
    """One process for all tests: starting it costs more than all that it parses."""
    with ParserPool(workers=1) as pool:
        yield pool


@pytest.fixture
def open_shop(tmp_path: Path, project: Path, parsers: ParserPool) -> Iterator[Open]:
    with contextlib.ExitStack() as opened:

        def make(pool: ParserPool = parsers, *, embedder: WordEmbedder | None = None) -> Shop:
            made = Shop(tmp_path / "home", project, pool, embedder=embedder)
            opened.callback(made.close)
            return made

        yield make


@pytest.fixture
def shop(open_shop: Open) -> Shop:
    return open_shop()


def test_a_run_goes_through_its_steps(shop: Shop) -> None:
    """Looked at, parsed in batches, assembled by whoever hears that the last batch is done; then nothing is left to do."""
    run = shop.ask()
    shop.deliver(most=1)
    assert shop.queue.jobs == ["parse-batch"] * 3
    shop.deliver(until="assemble")
    assert shop.find(run).progress.done == 128
    assert shop.head() is None
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.coverage.indexed == 151
    assert shop.find(run).state is RunState.DONE
    assert json.loads(shop.find(run).outcome) == {"changed": 151, "removed": 0, "vectors": ""}
    assert shop.graph.symbols_named(Pin(head.repository, head.id), ["greet"])
    shop.remind(1_000)
    assert shop.queue.waiting == []


def test_every_message_may_come_twice(shop: Shop) -> None:
    """At the time, and long after; the run is the same, and no batch is parsed twice."""
    run = shop.ask()
    heard = []
    while shop.queue.waiting:
        heard.append(shop.queue.waiting[0])
        shop.queue.waiting.insert(0, shop.queue.waiting[0])
        shop.deliver(most=2)
    head = shop.head()
    shop.queue.waiting = heard
    shop.deliver()
    assert shop.head() == head
    assert shop.find(run).state is RunState.DONE


def test_every_message_may_be_lost(shop: Shop) -> None:
    """Each is rung for again within a while."""
    run = shop.ask()
    lost = 0
    for _ in range(100):
        if shop.find(run).state is RunState.DONE:
            break
        lost += len(shop.queue.waiting)
        shop.queue.waiting.clear()
        shop.remind(2 * QUIET)
        shop.deliver(most=1)
    assert shop.find(run).state is RunState.DONE
    assert lost > 3


def test_a_broker_that_is_away_delays_a_run_and_loses_nothing(shop: Shop) -> None:
    """Whoever asks is told; what was written down is rung for when it is back."""
    shop.queue.is_away = True
    with pytest.raises(Unavailable, match="written down"):
        shop.indexer.index(str(shop.project), PLAIN, lambda _: None)
    shop.queue.is_away = False
    shop.remind(2 * QUIET)
    shop.deliver(most=1)
    shop.queue.is_away = True
    shop.queue.waiting.clear()
    shop.queue.is_away = False
    shop.remind(2 * QUIET)
    shop.deliver()
    assert shop.head() is not None


def test_a_worker_that_dies_between_two_lines_is_made_up_for(shop: Shop) -> None:
    """After the last batch was marked done, and before anybody was told."""
    run = shop.ask()
    shop.deliver(most=1)
    shop.queue.waiting.clear()
    plan_batches = [batch.number for batch in shop.catalog.batches(run)]
    for number in plan_batches:
        shop.catalog.lease(run, number, owner="dead", seconds=LEASE)
        shop.catalog.finish_batch(run, number)
    shop.remind(2 * QUIET)
    assert shop.queue.jobs == ["assemble"]
    shop.deliver()
    assert shop.find(run).state is RunState.DONE
    head = shop.head()
    assert head is not None
    assert head.coverage.indexed == 151  # the cache had nothing, so whoever assembled has parsed


def test_a_batch_of_a_dead_worker_is_parsed_by_another(shop: Shop) -> None:
    """Once its lease has ended."""
    run = shop.ask()
    shop.deliver(most=1)
    shop.catalog.lease(run, 0, owner="dead", seconds=LEASE)
    shop.deliver()
    assert shop.find(run).step is RunStep.PARSE
    shop.remind(LEASE + 1)
    shop.remind(2 * QUIET)
    shop.deliver()
    assert shop.find(run).state is RunState.DONE


def test_a_run_that_is_overtaken_stops_and_leaves_nothing(shop: Shop) -> None:
    """Files change while it is under way: what is asked for then supersedes it, and only that becomes the head."""
    old = shop.ask()
    shop.deliver(most=2)
    (shop.project / "new.swift").write_text("func later() {}\n")
    new = shop.ask()
    shop.queue.waiting.insert(0, shop.queue.waiting.pop())
    shop.deliver()
    assert (shop.find(old).state, shop.find(new).state) == (RunState.SUPERSEDED, RunState.DONE)
    head = shop.head()
    assert head is not None
    assert head.coverage.indexed == 152
    assert list(shop.graph.stored(shop.repository.id)) == [head.id]
    assert list(shop.chunks.generations(shop.repository.id)) == [head.id]


def test_a_run_that_is_overtaken_while_it_assembles_never_becomes_the_head(shop: Shop) -> None:
    """Its draft is thrown away."""
    old = shop.ask()
    shop.deliver(until="assemble")
    (shop.project / "new.swift").write_text("func later() {}\n")
    shop.errands.adopt(shop.errands.ask(shop.repository.id, RunStep.LOOK, queue="bulk"), "other inputs")
    shop.deliver()
    assert shop.find(old).state is RunState.SUPERSEDED
    assert shop.head() is None
    assert list(shop.graph.stored(shop.repository.id)) == []


def test_a_run_of_what_is_being_indexed_joins_it(shop: Shop) -> None:
    """Whoever asked second waits for the first."""
    first = shop.ask()
    shop.deliver(most=1)
    second = shop.ask()
    shop.deliver()
    assert shop.find(second).joined == first
    assert shop.find(first).state is RunState.DONE


def test_what_has_not_changed_is_left(shop: Shop) -> None:
    """One look, and the run is done."""
    shop.ask()
    shop.deliver()
    head = shop.head()
    run = shop.ask()
    assert shop.deliver() == 1
    assert shop.head() == head
    assert json.loads(shop.find(run).outcome)["unchanged"]


def test_an_edit_builds_on_the_head(shop: Shop) -> None:
    """Only what changed is parsed; files that went are gone; deleting alone needs no batch at all."""
    shop.ask()
    shop.deliver()
    (shop.project / "f000.md").write_text("# Other\n")
    (shop.project / "f001.md").unlink()
    run = shop.ask()
    shop.deliver()
    assert json.loads(shop.find(run).outcome) == {"changed": 1, "removed": 1, "vectors": ""}
    (shop.project / "f002.md").unlink()
    shop.ask()
    assert shop.deliver() == 2
    head = shop.head()
    assert head is not None
    assert head.coverage.indexed == 149


def test_a_file_that_kills_its_parser_costs_itself_only(open_shop: Open, project: Path) -> None:
    """It has failed with the reason; the rest is indexed; the next run does not try it again."""
    (project / "poison.md").write_text("# Poison\n")
    with ParserPool(workers=1, program=POISONED) as pool:
        shop = open_shop(pool)
        shop.ask()
        shop.deliver()
        head = shop.head()
        assert head is not None
        assert head.coverage.failed == (("poison.md", "parser crashed (SIGSEGV)"),)
        assert head.coverage.indexed == 151
        shop.ask()
        assert shop.deliver() == 1
        assert shop.errands.standing().tallies[Tally.POISON] == 1


def test_a_file_whose_language_fails_is_told_and_found_by_its_words(open_shop: Open, project: Path) -> None:
    """It counts as indexed and is named with the reason, which quotes nothing of it; the next run leaves it, one with a mended parser does not."""
    (project / "odd.md").write_text("# Peculiar\n")
    with ParserPool(workers=1, program=FAULTY) as pool:
        shop = open_shop(pool)
        shop.ask()
        shop.deliver()
        head = shop.head()
        assert head is not None
        ((path, reason),) = head.coverage.degraded
        assert path == "odd.md"
        assert reason.startswith("found by its words alone: the parser for markdown failed (IndexError at services/indexer/extract.py:")
        assert (head.coverage.indexed, head.coverage.failed) == (152, ())
        assert [file.reason for file in shop.indexer.files(shop.repository.id) if file.path == "odd.md"] == [reason]
        pin = Pin(shop.repository.id, head.id)
        assert [piece.text for piece in shop.graph.chunks_in(pin, ["odd.md"], text=True)] == ["# Peculiar\n"]
        shop.ask()
        assert shop.deliver() == 1
        (project / "new.md").write_text("# New\n")
        shop.ask()
        shop.deliver()
        again = shop.head()
        assert again is not None
        assert again.coverage.degraded == ((path, reason),)
    shop.catalog.save_note(shop.repository.id, "parser", b"before it was mended")
    with ParserPool(workers=1, version="mended") as pool:
        shop = open_shop(pool)
        shop.ask()
        shop.deliver()
        mended = shop.head()
        assert mended is not None
        assert mended.coverage.degraded == ()
        assert shop.graph.symbols_in(Pin(shop.repository.id, mended.id), ["odd.md"])[0].name == "Peculiar"


def test_a_file_that_kills_the_worker_itself_is_found_and_left_out(shop: Shop) -> None:
    """By what is missing: the files before it have been parsed by those that died of it, one after the other."""
    run = shop.ask()
    shop.deliver(most=1)
    for _ in range(4):
        die_of(shop, run, "a.swift")
    shop.deliver()
    head = shop.head()
    assert head is not None
    ((path, reason),) = head.coverage.failed
    assert path == "a.swift"
    assert "ended twice" in reason
    assert head.coverage.indexed == 150


def test_a_file_at_which_machines_stop_is_not_left_out(shop: Shop) -> None:
    """They stop at another one each time, however often: every file of the batch is indexed."""
    run = shop.ask()
    shop.deliver(most=1)
    for number in range(9):
        die_of(shop, run, f"f{number:03}.md")
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.coverage.failed == ()
    assert head.coverage.indexed == 151


class Dying:
    """A pool in whose worker everything ends, once it comes to a certain file."""

    def __init__(self, parsers: ParserPool, path: str) -> None:
        self.version = parsers.version
        self._parsers, self._path = parsers, path

    def parse(self, root: str, files: Sequence[Unparsed]) -> Iterator[tuple[Unparsed, bytes]]:
        if any(file.path == self._path for file in files):
            raise MemoryError
        yield from self._parsers.parse(root, files)


def die_of(shop: Shop, run: str, path: str) -> None:
    """What a worker leaves behind that takes the first batch and dies at this file; from the third one on, files are parsed one by one."""
    batch = shop.catalog.lease(run, 0, owner="dead", seconds=LEASE)
    plan = load_plan(shop.catalog, shop.repository.id, run)
    assert batch is not None
    assert plan is not None
    if batch.attempt >= CAREFUL:
        dying = Dying(shop.bench.parsers, path)
        files = [plan.files[each] for each in batch.paths]
        with pytest.raises(MemoryError):
            parse_singly(plan, files, shop.cache, dying, leaving=threading.Event(), blame="ended")  # type: ignore[arg-type]
    shop.clock.time += LEASE + 1


def test_a_batch_that_nobody_survives_ends_the_run(shop: Shop) -> None:
    """With the reason, and without a head."""
    run = shop.ask()
    shop.deliver(most=1)
    for _ in range(HOPELESS - 1):
        shop.catalog.lease(run, 0, owner="dead", seconds=LEASE)
        shop.clock.time += LEASE + 1
    shop.deliver()
    assert shop.find(run).state is RunState.FAILED
    assert "batch 0" in shop.find(run).reason
    assert shop.head() is None


def test_a_step_that_nobody_survives_ends_the_run(shop: Shop) -> None:
    """Some deaths are borne that a worker has seen, each of which it tells before the step is begun again."""
    run = shop.ask()
    for number in range(DEATHS):
        assert shop.find(run).deaths == number
        shop.errands.take(run, RunStep.LOOK, owner="dead", seconds=LEASE)
        mourn(shop.bench, "look", {"run": run})
        shop.clock.time += LEASE + 1
    shop.deliver()
    assert shop.find(run).state is RunState.FAILED
    assert f"{DEATHS} times" in shop.find(run).reason


def test_a_step_whose_machines_are_taken_away_goes_on(shop: Shop) -> None:
    """Nobody saw what its workers died of: many of those are borne, though not for ever."""
    for lapses, state in ((LAPSES - 1, RunState.DONE), (LAPSES, RunState.FAILED)):
        (shop.project / f"{lapses}.md").write_text("# More\n")
        run = shop.ask()
        shop.deliver(until="assemble")
        for _ in range(lapses):
            assert shop.errands.take(run, RunStep.ASSEMBLE, owner="dead", seconds=LEASE) is not None
            shop.clock.time += LEASE + 1
        shop.deliver()
        assert shop.find(run).state is state


def test_a_death_at_another_step_is_not_held_against_this_one(shop: Shop) -> None:
    """Nor is one of a batch, which is the file's."""
    run = shop.ask()
    shop.errands.take(run, RunStep.LOOK, owner="dead", seconds=LEASE)
    mourn(shop.bench, "look", {"run": run})
    mourn(shop.bench, "assemble", {"run": run})
    mourn(shop.bench, "parse-batch", {"repository": shop.repository.id, "run": run, "number": 0})
    assert shop.find(run).deaths == 1
    shop.clock.time += LEASE + 1
    shop.deliver(until="assemble")
    assert shop.find(run).deaths == 0


class Noting(LocalGraph):
    """Notes of what it wrote facts."""

    def __init__(self, folder: Path) -> None:
        super().__init__(SqliteGraph(folder))
        self.written: list[Pin] = []

    def write(self, pin: Pin, facts: Iterable[FileFacts], exact: Iterable[ExactFacts] = ()) -> int:
        self.written.append(pin)
        return super().write(pin, facts, exact)


def test_what_the_dead_have_linked_is_not_linked_again(shop: Shop, tmp_path: Path) -> None:
    """Whoever takes over goes on from the finished graph."""
    run = shop.ask()
    shop.deliver(until="assemble")
    assert shop.errands.take(run, RunStep.ASSEMBLE, owner="dead", seconds=LEASE) is not None
    plan, snapshot = load_plan(shop.catalog, shop.repository.id, run), load_snapshot(shop.catalog, shop.repository.id, run)
    assert plan is not None
    assert snapshot is not None
    answers = parse(plan, list(plan.files.values()), shop.cache, shop.bench.parsers, leaving=threading.Event())
    pin = Pin(shop.repository.id, snapshot.generation)
    shop.graph.begin(pin, basis=None)
    shop.graph.write(pin, [decode_facts(answer[1:]) for answer in answers.values()])
    shop.graph.finish(pin, snapshot.work.files)
    shop.clock.time += LEASE + 1
    with contextlib.closing(Noting(tmp_path / "home" / "graph")) as graph:
        bench = replace(shop.bench, stores=replace(shop.bench.stores, graph=graph))
        shop.queue.deliver(handlers(lambda: bench))
        assert graph.written == []
    head = shop.head()
    assert head is not None
    assert (head.id, head.coverage.indexed) == (snapshot.generation, 151)
    assert list(shop.chunks.generations(shop.repository.id)) == [head.id]
    assert shop.find(run).state is RunState.DONE


def test_what_the_dead_have_not_linked_is_begun_anew(shop: Shop) -> None:
    """A draft is of no use to anybody else."""
    run = shop.ask()
    shop.deliver(until="assemble")
    assert shop.errands.take(run, RunStep.ASSEMBLE, owner="dead", seconds=LEASE) is not None
    shop.clock.time += LEASE + 1
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.coverage.indexed == 151


def test_another_writer_is_waited_for(shop: Shop) -> None:
    """The step is put off, and taken up once the lock is free."""
    run = shop.ask()
    shop.deliver(until="assemble")
    with shop.lock.hold(shop.repository.id):
        shop.deliver()
    assert shop.find(run).state is RunState.RUNNING
    assert shop.find(run).waits == 1
    shop.remind(2)
    shop.deliver()
    assert shop.find(run).state is RunState.DONE


def test_what_is_away_for_too_long_ends_the_run(shop: Shop) -> None:
    """Longer each time, and not for ever."""
    run = shop.ask()
    shop.deliver(until="assemble")
    with shop.lock.hold(shop.repository.id):
        for _ in range(WAITS + 1):
            shop.deliver()
            shop.remind(61)
        shop.deliver()
    assert shop.find(run).state is RunState.FAILED
    assert "being written" in shop.find(run).reason


def test_a_graph_service_that_forgot_its_draft_is_told_everything_again(shop: Shop) -> None:
    """And a basis that is gone leads back to a look, which plans without it."""
    shop.ask()
    shop.deliver()
    head = shop.head()
    assert head is not None
    (shop.project / "f000.md").write_text("# Other\n")
    run = shop.ask()
    shop.deliver(until="assemble")
    shop.graph.delete(Pin(head.repository, head.id))
    shop.deliver()
    assert shop.find(run).step is RunStep.LOOK
    shop.remind(2 * QUIET)
    shop.deliver()
    assert shop.find(run).state is RunState.DONE
    again = shop.head()
    assert again is not None
    assert again.coverage.indexed == 151


def test_a_folder_that_is_gone_ends_the_run_with_the_reason(shop: Shop) -> None:
    """What was indexed of it still answers."""
    shop.ask()
    shop.deliver()
    head = shop.head()
    shutil.rmtree(shop.project)
    run = shop.ask()
    shop.deliver()
    assert shop.find(run).state is RunState.FAILED
    assert "cannot be indexed" in shop.find(run).reason
    assert shop.head() == head


def test_vectors_follow(open_shop: Open) -> None:
    """By a run of their own, after the index can be asked; if that was lost, the next look asks for them."""
    shop = open_shop(embedder=WordEmbedder())
    shop.ask(IndexOptions())
    shop.deliver(until="embed")
    head = shop.head()
    assert head is not None
    assert head.coverage.dense == 0
    shop.queue.waiting.clear()
    shop.ask(IndexOptions())
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.coverage.dense == 1.0
    assert {errand.state for errand in shop.errands.of(shop.repository.id)} == {RunState.DONE}


def test_asking_for_an_index_while_vectors_are_computed_takes_nothing_away(open_shop: Open) -> None:
    """The run for vectors does not supersede what was asked for since."""
    shop = open_shop(embedder=WordEmbedder())
    shop.ask(IndexOptions())
    shop.deliver(until="embed")
    (shop.project / "new.md").write_text("# New\n")
    run = shop.ask(IndexOptions())
    shop.deliver()
    assert shop.find(run).state is RunState.DONE
    head = shop.head()
    assert head is not None
    assert (head.coverage.indexed, head.coverage.dense) == (152, 1.0)


def test_a_removed_repository_is_gone_at_once_and_its_space_soon(shop: Shop) -> None:
    """What is under way stops; what was stored is deleted by whoever comes to it."""
    shop.ask()
    shop.deliver()
    (shop.project / "f000.md").write_text("# Other\n")
    shop.ask()
    shop.deliver(most=1)
    shop.indexer.remove(shop.repository.id)
    assert shop.head() is None
    shop.deliver()
    assert list(shop.graph.stored(shop.repository.id)) == []
    assert list(shop.chunks.generations(shop.repository.id)) == []
    shop.remind(1_000)
    assert shop.queue.waiting == []


def test_a_repository_that_was_registered_again_keeps_what_it_has(shop: Shop) -> None:
    """The wiping of the old one comes late, and spares the new one."""
    shop.ask()
    shop.deliver()
    shop.indexer.remove(shop.repository.id)
    late = shop.queue.waiting.pop()
    shop.catalog.register(shop.repository)
    shop.ask()
    shop.deliver()
    head = shop.head()
    shop.queue.waiting.append(late)
    shop.deliver()
    assert head is not None
    assert list(shop.graph.stored(shop.repository.id)) == [head.id]


def test_what_happens_to_batches_is_counted(shop: Shop) -> None:
    """Those that were done, and those that somebody died of."""
    shop.ask()
    shop.deliver(until="parse-batch")
    (batch, *_) = shop.catalog.idle_batches(shop.errands.of(shop.repository.id)[0].run)
    shop.catalog.lease(shop.errands.of(shop.repository.id)[0].run, batch, owner="somebody dead", seconds=LEASE)
    shop.deliver()
    shop.remind(LEASE + 1)
    shop.deliver()
    tallies = shop.errands.standing().tallies
    assert shop.head() is not None
    assert tallies[Tally.BATCH_DONE] == 3
    assert tallies[Tally.TAKEN_OVER] == 1
    assert tallies[Tally.POISON] == tallies[Tally.PUT_OFF] == 0


def beat_of(shop: Shop, owner: str, *, lease_seconds: float = 45) -> Beat:
    return Beat(shop.catalog, shop.errands, shop.bench.bell, owner, poll_seconds=300, lease_seconds=lease_seconds)


def test_the_beat_polls_and_what_changed_is_indexed(shop: Shop) -> None:
    """What did not costs a look; nothing is polled twice within the time."""
    beat = beat_of(shop, "one")
    beat.act()
    assert shop.queue.jobs == ["poll"]
    shop.deliver()
    assert shop.head() is not None
    beat.act()
    assert shop.queue.jobs == []
    shop.clock.time += 301
    beat.act()
    assert shop.deliver() == 1
    (shop.project / "new.md").write_text("# New\n")
    shop.clock.time += 301
    beat.act()
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.coverage.indexed == 152


def test_of_two_beats_one_acts(shop: Shop) -> None:
    """Until it is not heard of any more."""
    one, two = beat_of(shop, "one"), beat_of(shop, "two")
    one.act()
    two.act()
    assert shop.queue.jobs == ["poll"]
    shop.queue.waiting.clear()
    shop.clock.time += 301
    two.act()
    one.act()
    assert shop.queue.jobs == ["poll"]


def test_a_beat_bears_what_is_away(shop: Shop) -> None:
    """A broker that takes nothing, tick by tick, until it is told to stop."""
    shop.queue.is_away = True
    stopping = threading.Event()
    running = threading.Thread(target=beat_of(shop, "one", lease_seconds=0.09).run, args=(stopping,))
    running.start()
    running.join(0.2)
    assert running.is_alive()
    stopping.set()
    running.join(5)
    assert not running.is_alive()


def test_whoever_asked_sees_how_far_it_is_and_gets_the_report(shop: Shop) -> None:
    """As the indexer of this process would report it, with the vectors left to come."""
    seen: list[Progress] = []
    made: list[IndexReport] = []
    asking = threading.Thread(target=lambda: made.append(shop.indexer.index(str(shop.project), PLAIN, seen.append)))
    asking.start()
    while asking.is_alive():
        shop.deliver(most=1)
        asking.join(0.02)
    (report,) = made
    assert report.generation == shop.head()
    assert (report.changed, report.removed, report.unchanged) == (151, 0, False)
    assert seen[-1].phase == "usable"


def test_a_watch_goes_on_after_a_run_that_failed(shop: Shop) -> None:
    """It tells why, and ends when it is told to, not before."""
    seen: list[Progress] = []
    ending = threading.Event()
    watching = threading.Thread(target=lambda: shop.indexer.watch(str(shop.project), PLAIN, seen.append, cancelled=ending))
    watching.start()
    while not shop.queue.waiting:
        time.sleep(0.01)
    (errand,) = shop.errands.of(shop.repository.id)
    shop.catalog.end_run(errand.run, RunState.FAILED, "no room on the disk")
    while Progress("waiting", 0, 0, "no room on the disk") not in seen:
        assert watching.is_alive()
        time.sleep(0.01)
    watching.join(0.3)
    assert watching.is_alive()
    ending.set()
    watching.join(5)
    assert not watching.is_alive()


def test_what_cannot_be_watched_is_said_at_once(shop: Shop) -> None:
    """A folder that is none will hardly become one."""
    with pytest.raises(UsageError):
        shop.indexer.watch(str(shop.project / "nowhere"), PLAIN, lambda _: None, cancelled=threading.Event())


def test_whoever_asked_is_told_why_it_failed(shop: Shop) -> None:
    """In the words of the run."""
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            shop.indexer.index(str(shop.project), PLAIN, lambda _: None)
        except Exception as error:  # noqa: BLE001 - looked at below
            failed.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    while not shop.queue.waiting:
        asking.join(0.01)
    shop.catalog.end_run(shop.errands.of(shop.repository.id)[0].run, RunState.FAILED, "no room on the disk")
    asking.join(10)
    assert str(failed[0]) == "no room on the disk"


def test_a_push_is_written_down_with_the_options_of_before(shop: Shop) -> None:
    """Whoever tells of it does not wait."""
    shop.ask(replace(PLAIN, include_dependencies=True))
    shop.deliver()
    (shop.project / "new.md").write_text("# New\n")
    shop.indexer.request(shop.repository.id)
    assert shop.queue.jobs == ["look"]
    shop.deliver()
    assert json.loads(shop.errands.of(shop.repository.id)[0].options).items() >= {"embed": False, "include_dependencies": True}.items()
    head = shop.head()
    assert head is not None
    assert head.coverage.indexed == 152


class Leaving:
    """A pool whose process cannot start, or a worker that is told to stop while it waits for it."""

    def __init__(self, error: BaseException) -> None:
        self.version = "none"
        self.poisonous = 0
        self.error = error

    def parse(self, _root: str, _files: object) -> Iterator[tuple[Unparsed, bytes]]:
        raise self.error
        yield


def test_a_batch_that_cannot_begin_is_given_back(open_shop: Open, parsers: ParserPool) -> None:
    """It counts as no death, and is rung for again; a worker that was told to stop passes that on."""
    shop = open_shop()
    run = shop.ask()
    shop.deliver(most=1)
    for error in (Unavailable("no process"), SystemExit()):
        away = handlers(lambda error=error: replace(shop.bench, parsers=Leaving(error)))  # type: ignore[misc]
        with contextlib.suppress(SystemExit):
            shop.queue.deliver(away)
        assert {batch.attempt for batch in shop.catalog.batches(run)} == {0}
        shop.queue.waiting.clear()
        shop.remind(60)
        assert shop.queue.jobs == ["parse-batch"] * 3
    shop.deliver()
    assert shop.find(run).state is RunState.DONE


def test_batches_that_never_can_begin_end_the_run(open_shop: Open) -> None:
    """With the reason."""
    shop = open_shop()
    run = shop.ask()
    shop.deliver(most=1)
    away = handlers(lambda: replace(shop.bench, parsers=Leaving(Unavailable("no process"))))  # type: ignore[arg-type]
    while shop.find(run).state is RunState.RUNNING:
        shop.queue.deliver(away)
        shop.remind(31)
    assert (shop.find(run).state, shop.find(run).reason) == (RunState.FAILED, "no process")


class Stopping(WordEmbedder):
    """The worker is told to stop while it embeds."""

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        raise SystemExit


def test_a_worker_that_is_told_to_stop_leaves_its_batch_to_others_at_once(open_shop: Open) -> None:
    """Nobody waits for its lease."""
    shop = open_shop(embedder=Stopping())
    shop.ask(IndexOptions())
    shop.deliver(until="embed-batch")
    with pytest.raises(SystemExit):
        shop.deliver()
    (errand,) = (errand for errand in shop.errands.of(shop.repository.id) if errand.step is RunStep.VECTORS)
    assert {batch.attempt for batch in shop.catalog.batches(errand.run)} == {0}


def test_a_worker_that_is_told_to_stop_leaves_its_step_to_others_at_once(open_shop: Open) -> None:
    """Likewise."""
    shop = open_shop(embedder=WordEmbedder())
    shop.ask(IndexOptions())
    shop.deliver(until="complete")
    shop.cache.trim(SPACE, keep_bytes=0)
    stopping = handlers(lambda: replace(shop.bench, embedder=Stopping()))
    with pytest.raises(SystemExit):
        shop.queue.deliver(stopping)
    (errand,) = (errand for errand in shop.errands.of(shop.repository.id) if errand.step is RunStep.COMPLETE)
    assert shop.errands.take(errand.run, RunStep.COMPLETE, owner="another", seconds=LEASE) is not None


def test_vectors_are_computed_by_whoever_is_free(open_shop: Open) -> None:
    """A batch each; what somebody computed before he died is not computed again, and what he had begun is taken over."""
    embedder = WordEmbedder()
    shop = open_shop(embedder=embedder)
    shop.ask(IndexOptions())
    shop.deliver(until="embed-batch")
    (errand,) = (errand for errand in shop.errands.of(shop.repository.id) if errand.step is RunStep.VECTORS)
    assert shop.queue.jobs == ["embed-batch"] * errand.batches
    assert errand.batches > 2
    assert shop.catalog.lease(errand.run, 0, owner="somebody dead", seconds=LEASE) is not None
    shop.deliver()
    done = len(embedder.embedded)
    assert shop.find(errand.run).progress.done == done > 0
    shop.remind(LEASE + 1)
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert (shop.find(errand.run).state, head.coverage.dense) == (RunState.DONE, 1.0)
    assert len(embedder.embedded) == len(set(embedder.embedded)) > done


@pytest.mark.parametrize("until", ["embed-batch", "complete"])
def test_vectors_of_a_head_that_is_none_any_more_are_begun_anew(open_shop: Open, until: str) -> None:
    """With the one that is; what they have in common is not computed again."""
    embedder = WordEmbedder()
    shop = open_shop(embedder=embedder)
    shop.ask(IndexOptions())
    shop.deliver(until=until)
    waiting, shop.queue.waiting = shop.queue.waiting, []
    (shop.project / "new.md").write_text("# New\n")
    shop.ask(PLAIN)
    shop.deliver()
    shop.queue.waiting = waiting
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert (head.coverage.indexed, head.coverage.dense) == (152, 1.0)
    assert {errand.state for errand in shop.errands.of(shop.repository.id)} == {RunState.DONE}
    assert len(embedder.embedded) == len(set(embedder.embedded))


def test_vectors_are_computed_by_one_run_at_a_time(open_shop: Open) -> None:
    """Whoever is asked for them while they are computed leaves them to it, and whoever asked waits for the first."""
    embedder = WordEmbedder()
    shop = open_shop(embedder=embedder)
    shop.ask(IndexOptions())
    shop.deliver(until="embed-batch")
    again = shop.errands.ask(shop.repository.id, RunStep.EMBED, queue="bulk")
    shop.bench.bell.ring(shop.find(again))
    shop.queue.waiting.insert(0, shop.queue.waiting.pop())
    shop.deliver(most=1)
    assert shop.find(again).state is RunState.DONE
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.coverage.dense == 1.0


@dataclass
class Overtaken(WordEmbedder):
    """Somebody else takes the batch while this one embeds its first part."""

    take: Callable[[], None] = field(default=lambda: None)

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        self.take()
        time.sleep(0.3)
        return super().embed(texts, tokens=tokens)


def test_a_batch_that_somebody_else_took_is_left_to_him(open_shop: Open) -> None:
    """Whoever loses it stops in the middle, and puts nothing off."""
    embedder = Overtaken()
    shop = open_shop(embedder=embedder)
    shop.ask(IndexOptions())
    shop.deliver(until="embed-batch")
    (errand,) = (errand for errand in shop.errands.of(shop.repository.id) if errand.step is RunStep.VECTORS)

    def take() -> None:
        shop.catalog.give_back(errand.run, 0, owner="me")
        shop.catalog.lease(errand.run, 0, owner="another", seconds=LEASE)

    embedder.take = take
    hasty = handlers(lambda: replace(shop.bench, lease_seconds=0.2))
    shop.queue.deliver(hasty, most=1)
    tallies = shop.errands.standing().tallies
    assert (tallies[Tally.BATCH_LOST], tallies[Tally.PUT_OFF], shop.find(errand.run).waits) == (1, 0, 0)
    assert 0 not in shop.catalog.idle_batches(errand.run)


def test_an_embedder_that_is_away_puts_its_batches_off(open_shop: Open) -> None:
    """The index answers without vectors meanwhile, and no chunk is lost."""
    embedder = WordEmbedder(broken=True)
    shop = open_shop(embedder=embedder)
    shop.ask(IndexOptions())
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.coverage.dense == 0
    assert shop.errands.standing().tallies[Tally.PUT_OFF] > 0
    embedder.broken = False
    shop.remind(61)
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.coverage.dense == 1.0


class Away:
    """A chunk index whose server does not answer."""

    def draft(self, *_: object, **__: object) -> EdgeDraft:
        raise ChunksUnavailable("it is away")

    def delete(self, *_: object) -> None: ...


def test_a_chunk_index_that_is_away_puts_a_run_off(shop: Shop) -> None:
    """It is nobody's death, whoever watches is told what it waits for, and it is taken up as it was when the server is back."""
    run = shop.ask()
    shop.deliver(until="assemble")
    away = replace(shop.bench, stores=replace(shop.bench.stores, chunks=Away()))  # type: ignore[arg-type]
    shop.queue.deliver(handlers(lambda: away))
    errand = shop.find(run)
    assert (errand.state, errand.step, errand.waits, errand.deaths) == (RunState.RUNNING, RunStep.ASSEMBLE, 1, 0)
    assert errand.progress == Progress("waiting", 0, 0, "it is away")
    assert shop.head() is None
    shop.remind(61)
    shop.deliver()
    assert shop.find(run).state is RunState.DONE


def test_a_large_repository_fills_the_queue_with_a_window_of_its_batches(shop: Shop) -> None:
    """The next ones come as the first are done, so another repository is never behind all of them."""
    for number in range(1_200):
        (shop.project / f"many{number}.md").write_text(f"# {number}\n")
    run = shop.ask()
    shop.deliver(most=1)
    assert shop.find(run).batches > WINDOW
    waiting = []
    while "parse-batch" in shop.queue.jobs:
        waiting.append(len(shop.queue.jobs))
        shop.deliver(most=1)
    assert waiting[0] == WINDOW
    assert max(waiting) == WINDOW
    shop.deliver()
    assert shop.find(run).state is RunState.DONE


def test_a_small_repository_does_not_wait_for_a_large_one(shop: Shop, tmp_path: Path) -> None:
    """It waits for a window of the large one's batches at most, whether they are parsed or embedded, and is done long before."""
    for number in range(3_000):
        (shop.project / f"many{number}.md").write_text(f"# {number}\n")
    large = shop.ask()
    shop.deliver(most=1)
    small = tmp_path / "small"
    small.mkdir()
    (small / "one.md").write_text("# One\n")
    other = repository_of(str(small))
    shop.catalog.register(other)
    run = shop.errands.ask(other.id, RunStep.LOOK, queue="bulk", options=write_options(PLAIN))
    shop.bench.bell.ring(shop.find(run))
    delivered = 0
    while shop.find(run).state is not RunState.DONE:
        delivered += shop.deliver(most=1)
    assert delivered <= 3 * WINDOW + 3  # look, parse and assemble, each behind a window
    assert shop.find(large).step is RunStep.PARSE


def test_what_another_version_has_planned_is_planned_anew(shop: Shop) -> None:
    """While an installation is upgraded, workers of two versions hear of the same runs."""
    run = shop.ask()
    shop.deliver(most=1)
    shop.catalog.save_note(shop.repository.id, "plan", json.dumps({"run": run, "files": "in a way that nobody knows any more"}).encode())
    shop.deliver()
    assert shop.find(run).step is RunStep.LOOK
    shop.remind(2 * QUIET)
    shop.deliver(until="assemble")
    shop.catalog.save_note(shop.repository.id, "snapshot", zlib.compress(json.dumps({"run": run, "files": "neither"}).encode()))
    shop.deliver()
    assert shop.find(run).state is RunState.DONE


def describing(shop: Shop) -> list[Errand]:
    return [errand for errand in shop.errands.of(shop.repository.id) if errand.step is RunStep.DESCRIBE]


def test_describing_is_a_run_of_its_own(shop: Shop) -> None:
    """Asked for once the index can be asked; it leaves a head that says so, and its counts; what is as it was is not described again."""
    shop.ask(IndexOptions(embed=False))
    shop.deliver(until="describe")
    head = shop.head()
    assert head is not None
    assert head.described == ""
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.described == "declarations"
    (errand,) = describing(shop)
    assert errand.state is RunState.DONE
    assert read_account(errand).described > 0
    shop.ask(IndexOptions(embed=False))
    shop.deliver()
    assert len(describing(shop)) == 1


def test_describing_takes_over_from_nobody(shop: Shop) -> None:
    """A push that comes while the head is being described is still indexed, although describing makes a generation."""
    shop.ask(IndexOptions(embed=False))
    shop.deliver(until="describe")
    pushed = shop.ask(IndexOptions(embed=False))
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert (head.described, shop.find(pushed).state) == ("declarations", RunState.DONE)


def test_a_head_that_lacks_descriptions_is_asked_for_again(shop: Shop) -> None:
    """Whoever should have asked died between two lines; while somebody is at it, or has failed of it, nobody is asked."""
    shop.ask()
    shop.deliver()
    assert describe_what_is_not(shop.catalog, shop.errands, shop.bench.bell) == 1
    assert describe_what_is_not(shop.catalog, shop.errands, shop.bench.bell) == 0
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert head.described
    assert describe_what_is_not(shop.catalog, shop.errands, shop.bench.bell) == 0


def test_whoever_dies_describing_is_followed_by_another(shop: Shop) -> None:
    """When its lease has ended, and one that was asked for in between leaves it to that."""
    shop.ask(IndexOptions(embed=False))
    shop.deliver(until="describe")
    (errand,) = describing(shop)
    assert shop.errands.take(errand.run, RunStep.DESCRIBE, owner="dead", seconds=LEASE) is not None
    shop.deliver()
    shop.remind(LEASE + 1)
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert (head.described, shop.find(errand.run).state) == ("declarations", RunState.DONE)


def test_vectors_that_are_to_come_say_that_the_head_is_described(open_shop: Open) -> None:
    """No generation is made between the one that can be asked and the one that has vectors."""
    shop = open_shop(embedder=WordEmbedder())
    shop.ask(IndexOptions())
    shop.deliver()
    head = shop.head()
    assert head is not None
    assert (head.described, head.coverage.dense) == ("declarations", 1.0)
    assert len(shop.catalog.generations(shop.repository.id)) == 2


def test_who_waits_for_a_host_that_is_not_found_is_told_after_a_while(shop: Shop) -> None:
    """The run goes on trying, because a network may be away; whoever asked learns the reason and a hint, and the status tells it."""
    ended: list[Unavailable] = []

    def wait() -> None:
        with pytest.raises(Unavailable, match=r"The host nowhere\.invalid is not found") as told:
            shop.indexer.index("https://nowhere.invalid/owner/name.git", PLAIN, lambda _: None)
        ended.append(told.value)

    waiting = threading.Thread(target=wait)
    waiting.start()
    for _ in range(100):
        shop.deliver()
        shop.remind(61)
        waiting.join(0.1)
        if not waiting.is_alive():
            break
    waiting.join(1)
    assert [error.hint[:17] for error in ended] == ["Check the address"]
    (status,) = [status for status in shop.indexer.status() if status.head is None and status.repository.name == "owner/name"]
    assert status.problem == "The host nowhere.invalid is not found."
