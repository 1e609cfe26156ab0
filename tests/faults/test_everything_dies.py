"""Whatever runs is killed at random while a repository is indexed again and again: each run ends with the content of a clean one, or says why not.

Faults 1, 2, 6 and 14 at moments that nobody chose. Processes are those of ``make up``, started again by its supervisor. ``KILLS`` and ``SEED`` in
the environment say how many and which, ``GRAPH_STORE=database`` where graphs are kept; with ``-s`` it tells how far it is.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import shutil
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from benchmarks.edits import edit
from benchmarks.tables import Tables, differences, read_tables
from deploy.programs import Places, servers, services
from deploy.supervise import Supervisor
from deploy.up import prepare
from exegesis.errors import ExegesisError, NotIndexed
from exegesis.model import Generation, Options, Question, RunState
from exegesis.settings import Settings, read_settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from tests.fakes.tei_server import tei_server

HOUSE: Final = Path(__file__).resolve().parents[2]
KILLS: Final = int(os.environ.get("KILLS", "12"))
"""One takes five seconds and more on two cores: what was killed has to start, and others to find out."""
LEASE: Final = "3"
"""Seconds. Fifteen times shorter than in an installation, so that a death is found out while others are already killed."""
VICTIMS: Final = ("interactive", "bulk", "valkey", "graph", "postgres", "beat", "query", "gateway")
pytestmark = pytest.mark.endurance


@dataclass
class Installation:
    places: Places
    supervisor: Supervisor
    keeping: threading.Thread
    told: Mapping[str, str]
    said: list[tuple[str, str]] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        return read_settings({**self.places.environment(), **self.told})

    def kill(self, name: str) -> None:
        """With all that it started, as when its machine stops; unless it is just being started."""
        process = self.supervisor.process_of(name)
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)

    def log(self) -> str:
        return "\n".join(f"{name} | {line}" for name, line in self.said[-80:])


@pytest.fixture
def installation(monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """Started, and kept running by a thread; the embedding server is not ours, and lives."""
    with tei_server() as embedder:
        told = {
            "EXEGESIS_EMBEDDER": "bundled",
            "EXEGESIS_EMBEDDER_ADDRESS": embedder.url,
            "EXEGESIS_EMBEDDER_MODEL": embedder.model,
            "EXEGESIS_LEASE_SECONDS": LEASE,
            "EXEGESIS_POLL_SECONDS": "0",
            "EXEGESIS_GRAPH_STORE": os.environ.get("GRAPH_STORE", "files"),
        }
        for name, value in told.items():
            monkeypatch.setenv(name, value)
        with kept_running(told) as made:
            yield made


@contextlib.contextmanager
def kept_running(told: Mapping[str, str]) -> Iterator[Installation]:
    folder = Path(tempfile.mkdtemp(prefix="all-"))  # reached by whoever the database runs as
    folder.chmod(0o755)
    places = Places(folder / "up", folder / "s", "127.0.0.1:0", "127.0.0.1:0")
    places.sockets.mkdir()
    prepare(places)
    said: list[tuple[str, str]] = []
    stopping, hurried = threading.Event(), threading.Event()
    supervisor = Supervisor(
        [*servers(places), *services(places, workers=1)], lambda name, line: said.append((name, line)), stopping, most_starts=10 * KILLS + 10
    )
    keeping = threading.Thread(target=supervisor.keep)
    try:
        supervisor.start()
        keeping.start()
        yield Installation(places, supervisor, keeping, told, said)
    finally:
        stopping.set()
        if keeping.ident:
            keeping.join(30)
        supervisor.end(hurried)
        shutil.rmtree(folder, ignore_errors=True)


def test_whatever_is_killed_at_whatever_moment(installation: Installation, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    """A run that fails says why and the next one succeeds; the head is at every moment a whole generation that answers."""
    chance = random.Random(int(os.environ.get("SEED", "1")))
    project = tmp_path / "project"
    shutil.copytree(HOUSE / "examples" / "swift-oauth" / "Sources", project)
    killed, failures, wrong, begun = Counter[str](), list[str](), list[str](), time.monotonic()
    with contextlib.closing(Assembly(installation.settings)) as assembly:
        generation = index(assembly, project, failures, installation)
        watching = threading.Event()
        watcher = threading.Thread(target=watch, args=(installation.settings, generation.repository, watching, wrong))
        watcher.start()
        try:
            for number in itertools.count():
                edit(project, chance)
                over = threading.Event()
                most = min(3, KILLS - killed.total())
                killer = threading.Thread(target=kill_now_and_then, args=(installation, chance, over, most, done := list[str]()))
                killer.start()
                generation = index(assembly, project, failures, installation)
                over.set()
                killer.join()
                killed.update(done)
                settle(assembly, installation)
                if done:
                    print(f"{time.monotonic() - begun:.0f} s: {killed.total()} kills, {', '.join(done)}; {len(failures)} failures", flush=True)  # noqa: T201 - how far it is
                    found = read_tables(installation.places.home, generation)
                    assert differences(found, clean(project, tmp_path / f"clean-{number}", installation)) == [], installation.log()
                if killed.total() == KILLS:
                    break
        finally:
            watching.set()
            watcher.join()
        unfinished = [errand for errand in assembly.errands.of(generation.repository) if errand.state in {RunState.QUEUED, RunState.RUNNING}]
    assert wrong == []
    assert unfinished == []
    record_property("kills", dict(killed))
    record_property("failures", failures)
    assert all(failures)


def clean(project: Path, home: Path, installation: Installation) -> Tables:
    """What one process makes of it that nobody disturbs."""
    told = {name: value for name, value in installation.told.items() if name.startswith("EXEGESIS_EMBEDDER")}
    with contextlib.closing(Assembly(read_settings({"EXEGESIS_HOME": str(home), **told}))) as near:
        tables = read_tables(home, near.indexer.index(str(project), IndexOptions(), lambda _: None).generation)
    shutil.rmtree(home)
    return tables


def index(assembly: Assembly, project: Path, failures: list[str], installation: Installation) -> Generation:
    """A generation with all its vectors, by as many runs as it takes; what is said on the way is noted."""
    deadline = time.monotonic() + 300
    while True:
        assert installation.keeping.is_alive(), installation.log()
        assert time.monotonic() < deadline, installation.log()
        try:
            made = assembly.indexer.index(str(project), IndexOptions(), lambda _: None).generation
        except ExegesisError as error:
            failures.append(error.message)
            time.sleep(1)
        else:
            if made.coverage.dense == 1.0:  # who died before asking for vectors is made up for by asking again
                return made


def kill_now_and_then(installation: Installation, chance: random.Random, over: threading.Event, most: int, done: list[str]) -> None:
    while len(done) < most and not over.wait(chance.uniform(0.05, 2.0)):
        victim = chance.choice(VICTIMS)
        installation.kill(victim)
        done.append(victim)


def settle(assembly: Assembly, installation: Installation) -> None:
    """Until everything that was killed is there again."""
    deadline = time.monotonic() + 60
    while True:
        with contextlib.suppress(ExegesisError):
            assembly.catalog.repositories()
            assembly.graph.stored("nobody")
            return
        assert time.monotonic() < deadline, installation.log()
        time.sleep(0.2)


def watch(settings: Settings, repository: str, over: threading.Event, wrong: list[str]) -> None:
    """Asks all the time. A store that is away is no answer; an answer of half an index would be."""
    question = Question("How does a token get refreshed?", (repository,), Options(use_model=False))
    with contextlib.closing(Assembly(settings)) as assembly:
        while not over.wait(0.2):
            try:
                composed = assembly.query.compose(question)
                if len(composed.context.items) < 3:
                    wrong.append(f"{len(composed.context.items)} items")
            except NotIndexed as error:
                wrong.append(error.message)
            except ExegesisError:
                continue
