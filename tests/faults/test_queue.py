"""What the queue, its broker and its workers survive: a run ends with the content of a clean one, or says why it does not.

Faults 2, 6, 7, 8, 9, 10 and 12. Faults 1 and 5 stand in ``tests/integration/test_workers.py``.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from benchmarks.tables import Tables, differences, read_tables
from exegesis.errors import Unavailable
from exegesis.model import Progress, RunState
from exegesis.rpc.failures import RETRY_SECONDS
from exegesis.settings import read_settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions, IndexReport
from tests.fakes.crew import HOUSE, Crew, crew
from tests.fakes.gate import Way, gate

pytestmark = pytest.mark.slow

WORDS = IndexOptions(embed=False)
COPIES = 16
"""Of the example's sources: enough to be in the middle of them, also where nothing else runs: a run is watched twice a second or so."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some hundred files outside of any repository."""
    folder = tmp_path_factory.mktemp("project") / "many"
    for number in range(COPIES):
        shutil.copytree(HOUSE / "examples" / "swift-oauth" / "Sources" / "OAuthKit", folder / f"Part{number}")
    return folder


@pytest.fixture(scope="module")
def clean(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """What one process makes of it."""
    return tables_of(project, tmp_path_factory.mktemp("clean"))


def tables_of(project: Path, home: Path) -> Tables:
    with contextlib.closing(Assembly(read_settings({"EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none"}))) as assembly:
        return read_tables(home, assembly.indexer.index(str(project), WORDS, lambda _: None).generation)


@dataclass
class Run:
    """An index run that somebody waits for in a thread."""

    report: Future[IndexReport]
    parsing: threading.Event

    def reach_parsing(self, workers: Crew) -> None:
        deadline = time.monotonic() + 60
        while not self.parsing.wait(0.05):
            assert time.monotonic() < deadline, workers.log()
            assert not self.report.done(), workers.log()


@contextlib.contextmanager
def running(workers: Crew, project: Path) -> Iterator[Run]:
    parsing = threading.Event()

    def report(progress: Progress) -> None:
        if progress.phase == "parsing" and progress.done > 0:
            parsing.set()

    def index() -> IndexReport:
        with contextlib.closing(workers.assembly()) as assembly:
            return assembly.indexer.index(str(project), WORDS, report)

    with ThreadPoolExecutor(1) as asking:
        yield Run(asking.submit(index), parsing)


def children(process: subprocess.Popen[bytes]) -> list[int]:
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8")
    return [int(number) for number in found.split()]


def eventually(holds: Callable[[], bool], seconds: float, workers: Crew) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, workers.log()
        time.sleep(0.1)


def test_a_killed_child_of_a_worker_costs_its_batch_a_second_try(project: Path, clean: Tables, tmp_path: Path) -> None:
    """Fault 2: the worker itself goes on, and no file is blamed."""
    with crew(tmp_path) as workers:
        worker = workers.join("worker")
        workers.join("beat")
        with running(workers, project) as run:
            run.reach_parsing(workers)
            for child in children(worker):
                os.kill(child, signal.SIGKILL)
            made = run.report.result(120)
        assert worker.poll() is None
        assert made.generation.coverage.failed == ()
        assert differences(read_tables(workers.home, made.generation), clean) == [], workers.log()


@pytest.mark.endurance
def test_a_broker_that_is_killed_is_found_again(project: Path, clean: Tables, tmp_path: Path) -> None:
    """Fault 6: within a minute, without starting any worker again."""
    with crew(tmp_path) as workers:
        worker = workers.join("worker")
        workers.join("beat")
        with running(workers, project) as run:
            run.reach_parsing(workers)
            workers.broker.kill()
            time.sleep(3)
            workers.broker.start()
            made = run.report.result(60)
        assert worker.poll() is None
        assert differences(read_tables(workers.home, made.generation), clean) == [], workers.log()


def test_a_broker_that_forgets_everything_is_told_again(project: Path, clean: Tables, tmp_path: Path) -> None:
    """Fault 7: in the middle of a run. What was not taken yet is rung for again within two minutes; nothing is missing in the end."""
    with crew(tmp_path) as workers:
        workers.join("worker")
        workers.join("beat")
        with running(workers, project) as run:
            run.reach_parsing(workers)
            workers.broker.flush()
            made = run.report.result(120)
        assert differences(read_tables(workers.home, made.generation), clean) == [], workers.log()


@pytest.mark.endurance
def test_a_half_open_connection_to_the_broker_is_given_up(project: Path, clean: Tables, tmp_path: Path) -> None:
    """Fault 8: connections that are there are dead and say nothing; within a minute new ones are made, and by them the run comes to its end."""
    with crew(tmp_path) as workers, gate(str(workers.broker.folder / "socket")) as between:
        worker = workers.join("worker", EXEGESIS_QUEUE_ADDRESS=f"redis://{between.address}/0")
        workers.join("beat")
        with running(workers, project) as run:
            run.reach_parsing(workers)
            before = between.connections
            between.turn(Way.STALE)
            eventually(lambda: between.connections > before, 60, workers)
            made = run.report.result(120)
        assert worker.poll() is None
        assert differences(read_tables(workers.home, made.generation), clean) == [], workers.log()


def test_a_broker_that_is_full_delays_and_loses_nothing(project: Path, tmp_path: Path) -> None:
    """Fault 9: whoever asks is told to come back, what is asked for stands in the ledger, and is done when there is room."""
    with crew(tmp_path) as workers, contextlib.closing(workers.assembly()) as assembly:
        broker = redis.Redis(unix_socket_path=str(workers.broker.folder / "socket"))
        broker.config_set("maxmemory-policy", "noeviction")
        broker.config_set("maxmemory", "1")
        with pytest.raises(Unavailable, match="the run is written down") as refused:
            assembly.indexer.index(str(project), WORDS, lambda _: None)
        assert RETRY_SECONDS[type(refused.value)] > 0
        repository = assembly.indexer.locate(str(project)).id

        def states() -> list[RunState]:
            return [errand.state for errand in assembly.errands.of(repository)]

        assert states() == [RunState.QUEUED]
        workers.join("worker")
        workers.join("beat")
        broker.config_set("maxmemory", "0")
        broker.close()
        eventually(lambda: states() == [RunState.DONE] * 2, 90, workers)  # indexed, and described
        head = assembly.catalog.head(repository)
        assert head is not None
        assert head.symbols > 100


def test_a_worker_that_is_told_to_end_gives_its_work_back(project: Path, clean: Tables, tmp_path: Path) -> None:
    """Fault 10: it ends in time, the other one goes on at once and not when a lease is over, and the run does not fail."""
    with crew(tmp_path, EXEGESIS_LEASE_SECONDS="300") as workers:
        first = workers.join("worker")
        with running(workers, project) as run:
            run.reach_parsing(workers)
            workers.join("worker")
            started = time.monotonic()
            first.send_signal(signal.SIGTERM)
            assert first.wait(45) == 0
            made = run.report.result(60)
        assert time.monotonic() - started < 60
        assert differences(read_tables(workers.home, made.generation), clean) == [], workers.log()


def test_what_is_pushed_meanwhile_takes_the_place_of_what_is_being_indexed(project: Path, tmp_path: Path) -> None:
    """Fault 12: the head is that of the second push, the first one's never was, and nothing of it is kept."""
    own = tmp_path / "own"
    shutil.copytree(project, own)
    with crew(tmp_path / "crew") as workers, contextlib.closing(workers.assembly()) as assembly:
        workers.join("worker")
        with running(workers, own) as first:
            first.reach_parsing(workers)
            for part in ("Part0", "Part1"):
                shutil.rmtree(own / part)
            (own / "Second.swift").write_text("func second() {}\n", "utf-8")
            with running(workers, own) as second:
                made = second.report.result(120)
            first.report.result(120)
        repository = made.repository.id
        head = assembly.catalog.head(repository)
        assert head is not None
        assert differences(read_tables(workers.home, head), tables_of(own, tmp_path / "again")) == []
        states = [errand.state for errand in assembly.errands.of(repository)]
        assert RunState.FAILED not in states
        kept = {generation.id for generation in assembly.catalog.generations(repository)}
        eventually(lambda: set(assembly.graph.stored(repository)) <= kept, 20, workers)
