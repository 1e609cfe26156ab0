"""What indexing over the queue costs beside indexing in one process, and what it bears.

    python benchmarks/over_the_queue.py compare REPOSITORY [--rounds 3]     the same repository, cold, in one process and through two workers
    python benchmarks/over_the_queue.py kills [FOLDER] [--kills 50]         whatever is killed, each run ends with what a clean build has
    python benchmarks/over_the_queue.py messages [--count 100000]           what is published arrives, though the broker is killed on the way

Runs what `make up` runs, without the doors: database, broker, graph service, workers and beat as processes of this machine, in a folder that is
deleted afterwards. Exit code 0 if nothing was found wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOUSE))  # for `deploy`, which is no part of the distribution

from benchmarks.edits import edit  # noqa: E402 - after the line above, as all of these
from benchmarks.tables import differences, read_tables  # noqa: E402
from deploy.programs import Places, servers, services  # noqa: E402
from deploy.supervise import Running  # noqa: E402
from deploy.up import prepare  # noqa: E402
from exegesis.adapters.celery_queue import CeleryQueue  # noqa: E402
from exegesis.errors import ExegesisError, Unavailable  # noqa: E402
from exegesis.model import Progress, RunState  # noqa: E402
from exegesis.settings import read_settings  # noqa: E402
from services.assembly import Assembly  # noqa: E402
from services.indexer.api import IndexOptions, IndexReport  # noqa: E402

EXAMPLE = HOUSE / "examples" / "swift-oauth"
WORDS = IndexOptions(embed=False)
_UNASKED = ("query", "gateway")
_ENDED_AT_ONCE = {"postgres": signal.SIGQUIT}
"""What kills a program as a machine that stops does. The processes of the database lead groups of their own, and go with it by this signal only."""


@dataclass
class Installation:
    """What runs, by name."""

    places: Places
    told: Mapping[str, str]
    of: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What else is set for programs of that name."""
    running: dict[str, Running] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Of the gateway, over gRPC."""
        return next(found[1] for line in self.said if (found := re.match(r"gateway: .*gateway listening at ([^\s,]+)", line)))

    @property
    def settings(self) -> dict[str, str]:
        return {**self.places.environment(), **self.told}

    def start(self, name: str) -> None:
        program = next(program for program in [*servers(self.places), *services(self.places, workers=1)] if program.name == name)
        if name not in {"postgres", "valkey"}:
            program = replace(program, environment={**program.environment, **self.told, **self.of.get(name.partition("-")[0], {})})
        self.running[name] = Running(program, lambda name, line: self.said.append(f"{name}: {line}"))

    def join(self, name: str, *, like: str) -> None:
        """One more of a program that is not among those of the table."""
        program = next(program for program in services(self.places, workers=1) if program.name == like)
        running = Running(
            replace(program, name=name, environment={**program.environment, **self.told}), lambda name, line: self.said.append(f"{name}: {line}")
        )
        running.await_ready(threading.Event())
        self.running[name] = running

    def end_one(self, name: str) -> None:
        self.running.pop(name).end(threading.Event())

    def await_ready(self, name: str) -> None:
        self.running[name].await_ready(threading.Event())

    def kill(self, name: str) -> None:
        running = self.running[name]
        if name in _ENDED_AT_ONCE:
            running.process.send_signal(_ENDED_AT_ONCE[name])
        else:
            os.killpg(running.process.pid, signal.SIGKILL)
        running.process.wait()
        running.end(threading.Event())

    def end(self) -> None:
        for name in reversed(list(self.running)):
            self.running[name].end(threading.Event())


@contextmanager
def installation(folder: Path, *, doors: bool = False, queries: int = 1, **told: str) -> Iterator[Installation]:
    """What `make up` runs, with whatever ``told`` sets; those who are asked by people only where ``doors`` says so."""
    sockets = Path(tempfile.mkdtemp(prefix="exegesis-"))
    places = Places(folder, sockets, "127.0.0.1:0", "127.0.0.1:0", queries)
    made = Installation(places, {"EXEGESIS_EMBEDDER": "none", "EXEGESIS_POLL_SECONDS": "0", **told})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.parent.chmod(0o711)  # the database may run as somebody else
        prepare(places)
        names = [program.name for program in [*servers(places), *services(places, workers=1)] if doors or not program.name.startswith(_UNASKED)]
        for name in names:
            made.start(name)
            made.await_ready(name)
        yield made
    finally:
        made.end()
        shutil.rmtree(sockets, ignore_errors=True)


def index(settings: Mapping[str, str], project: Path, seen: list[tuple[float, Progress]] | None = None) -> IndexReport:
    with contextlib.closing(Assembly(read_settings(settings))) as assembly:

        def report(progress: Progress) -> None:
            if seen is not None:
                seen.append((time.monotonic(), progress))

        return assembly.indexer.index(str(project), WORDS, report)


# ------------------------------------------------------------------------------------------------------------- compare


def compare(repository: Path, rounds: int) -> int:
    print(f"{repository.name}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; seconds until the index can be asked, and of processor time")
    wrong, far_times, near_times = 0, [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as scratch:
            near_home = {"EXEGESIS_HOME": f"{scratch}/near", "EXEGESIS_EMBEDDER": "none"}
            before, started = _processor(), time.monotonic()
            command = [sys.executable, "-m", "exegesis", "index", "--no-embed", str(repository)]
            subprocess.run(command, env={**os.environ, **near_home, "PYTHONPATH": str(HOUSE)}, check=True, capture_output=True)
            near, near_processor = time.monotonic() - started, _processor() - before
            seen: list[tuple[float, Progress]] = []
            before = _processor()
            with installation(Path(scratch) / "far", EXEGESIS_WORKERS="2") as made:
                time.sleep(3)  # workers fork and load
                started = time.monotonic()
                done = index(made.settings, repository, seen)
                far = time.monotonic() - started
                with contextlib.closing(Assembly(read_settings(near_home))) as assembly:
                    clean = assembly.catalog.head(assembly.indexer.locate(str(repository)).id)
                    assert clean is not None
                found = differences(read_tables(made.places.home, done.generation), read_tables(Path(scratch) / "near", clean))
            far_processor = _processor() - before
        wrong += bool(found)
        near_times.append(near)
        far_times.append(far)
        print(
            f"  one process {near:6.2f} ({near_processor:6.2f})   over the queue {far:6.2f} ({far_processor:6.2f})   ratio {far / near:4.2f}", *found
        )
        print("    " + ", ".join(f"{phase} {seconds:.1f}" for phase, seconds in _phases(started, seen).items()))
    print(f"best of {rounds}: {min(near_times):.2f} and {min(far_times):.2f}, ratio {min(far_times) / min(near_times):.2f}")
    return wrong


def _phases(started: float, seen: list[tuple[float, Progress]]) -> dict[str, float]:
    """Seconds of each phase, as whoever watches sees it."""
    spent: dict[str, float] = {}
    for (at, progress), (until, _) in itertools.pairwise(seen):
        spent[progress.phase] = spent.get(progress.phase, 0.0) + until - at
    return {"first heard": seen[0][0] - started, **spent} if seen else {}


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# --------------------------------------------------------------------------------------------------------------- kills


def kill_at_random(folder: Path, kills: int, seed: int) -> int:
    """Edit, index, and kill while that goes on; compare what comes out with a clean build of the same files."""
    chance = random.Random(seed)
    killed: Counter[str] = Counter()
    wrong, runs, failed = 0, 0, Counter[str]()
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "project"
        shutil.copytree(folder, project)
        with installation(Path(scratch) / "far", EXEGESIS_LEASE_SECONDS="4", EXEGESIS_WORKERS="2") as made:
            while killed.total() < kills:
                for _ in range(3):
                    edit(project, chance)
                runs += 1
                done = threading.Event()
                outcome: list[IndexReport] = []
                asking = threading.Thread(target=_ask_until_done, args=(made.settings, project, outcome, failed, done))
                asking.start()
                while not done.wait(chance.uniform(0.2, 4.0)) and killed.total() < kills:
                    victim = chance.choice(["interactive", "bulk", "bulk child", "graph", "valkey", "postgres", "beat"])
                    killed[victim] += 1
                    _kill(made, victim, chance)
                asking.join()
                found = _compare(project, Path(scratch) / f"clean-{runs}", made, outcome[0])
                wrong += bool(found)
                print(f"run {runs}: {killed.total()} kills so far{', WRONG: ' if found else ', as a clean build'}", *found, flush=True)
    print(f"{runs} runs, kills {dict(killed)}, runs that failed and were asked for again: {dict(failed) or 'none'}; {wrong} wrong")
    return wrong


def _kill(made: Installation, victim: str, chance: random.Random) -> None:
    if victim == "bulk child":
        children = Path(f"/proc/{made.running['bulk'].process.pid}/task/{made.running['bulk'].process.pid}/children").read_text().split()
        if children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(chance.choice(children)), signal.SIGKILL)
        return
    made.kill(victim)
    time.sleep(chance.uniform(0.0, 1.0))
    while True:
        made.start(victim)
        try:
            made.await_ready(victim)
        except Unavailable as error:  # its own servers may be those that were killed
            made.said.append(str(error))
            made.running[victim].end(threading.Event())
            time.sleep(0.5)
        else:
            return


def _ask_until_done(settings: Mapping[str, str], project: Path, outcome: list[IndexReport], failed: Counter[str], done: threading.Event) -> None:
    """As a person asks again who is told that something is away."""
    try:
        while not outcome:
            try:
                outcome.append(index(settings, project))
            except Unavailable:
                time.sleep(0.5)
            except ExegesisError as error:
                failed[error.message] += 1
                time.sleep(0.5)
    finally:
        done.set()


def _compare(project: Path, home: Path, made: Installation, report: IndexReport) -> list[str]:
    clean = index({"EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none"}, project)
    found = differences(read_tables(made.places.home, report.generation), read_tables(home, clean.generation))
    with contextlib.closing(Assembly(read_settings(made.settings))) as assembly:
        left = [errand for errand in assembly.errands.of(report.repository.id) if errand.state in {RunState.QUEUED, RunState.RUNNING}]
        found += [f"left behind: {errand.step} {errand.state}" for errand in left]
    return found


# ------------------------------------------------------------------------------------------------------------ messages

_COUNTING = """
import os, sys
from pathlib import Path
from exegesis.adapters.celery_queue import work

folder, kept = Path(sys.argv[2]), []

def note(number):
    if not kept:
        kept.append((folder / str(os.getpid())).open("ab", buffering=0))
    kept[0].write(number.to_bytes(4, "big"))

work(sys.argv[1], {"note": note}, consumers=1)
"""


def deliver_all(count: int) -> int:
    """Publish, kill the broker once in the middle, count what arrives."""
    with contextlib.ExitStack() as opened:
        scratch = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        sockets = Path(tempfile.mkdtemp(prefix="exegesis-"))
        opened.callback(shutil.rmtree, sockets, ignore_errors=True)
        places = Places(scratch, sockets, "", "")
        places.queue.mkdir()
        folder = scratch / "arrived"
        folder.mkdir()
        address = places.environment()["EXEGESIS_QUEUE_ADDRESS"]
        running = _broker(places, opened)
        started = time.monotonic()
        with contextlib.closing(CeleryQueue(address)) as queue:
            for number in range(count // 2):
                queue.publish("note", {"number": number}, queue="bulk")
            time.sleep(1.5)  # the broker writes to its disk once a second
            os.killpg(running.process.pid, signal.SIGKILL)
            running.end(threading.Event())
            _broker(places, opened)
            for number in range(count // 2, count):
                queue.publish("note", {"number": number}, queue="bulk")
        published = time.monotonic() - started
        for _ in range(2):
            worker = subprocess.Popen([sys.executable, "-c", _COUNTING, address, str(folder)], cwd=HOUSE, stderr=subprocess.DEVNULL)
            opened.callback(worker.wait)
            opened.callback(worker.terminate)
        seen: Counter[int] = Counter()
        still, before = 0, -1
        while len(seen) < count and still < 60:
            time.sleep(1.0)
            seen = Counter(int.from_bytes(content[at : at + 4], "big") for content in _contents(folder) for at in range(0, len(content) - 3, 4))
            still = still + 1 if len(seen) == before else 0
            before = len(seen)
        took = time.monotonic() - started - published
    twice = sum(times > 1 for times in seen.values())
    print(f"{count} published in {published:.0f} s ({count / published:.0f}/s), ", end="")
    print(f"{len(seen)} arrived in {took:.0f} s ({len(seen) / took:.0f}/s), ", end="")
    print(f"{count - len(seen)} lost, {twice} came twice; the broker was killed once")
    return count - len(seen)


def _broker(places: Places, opened: contextlib.ExitStack) -> Running:
    program = next(program for program in servers(places) if program.name == "valkey")
    running = Running(program, lambda _name, _line: None)
    opened.callback(running.end, threading.Event())
    running.await_ready(threading.Event())
    return running


def _contents(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.iterdir()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    comparing = commands.add_parser("compare")
    comparing.add_argument("repository", type=Path)
    comparing.add_argument("--rounds", type=int, default=3)
    killing = commands.add_parser("kills")
    killing.add_argument("folder", type=Path, nargs="?", default=EXAMPLE)
    killing.add_argument("--kills", type=int, default=50)
    killing.add_argument("--seed", type=int, default=1)
    sending = commands.add_parser("messages")
    sending.add_argument("--count", type=int, default=100_000)
    arguments = parser.parse_args()
    if arguments.command == "compare":
        return compare(arguments.repository.resolve(), arguments.rounds)
    if arguments.command == "kills":
        return kill_at_random(arguments.folder, arguments.kills, arguments.seed)
    return deliver_all(arguments.count)


if __name__ == "__main__":
    sys.exit(min(1, main()))
