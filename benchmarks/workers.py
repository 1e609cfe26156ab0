"""How indexing over the queue gets faster with workers, how busy each of them is, and what it costs when they die and others come.

    python benchmarks/workers.py REPOSITORY [--workers 1,2] [--churn SECONDS] [--vectors]

Each worker is a program with one process that takes jobs. Runs what `make up` runs, without the doors, in a folder that is deleted afterwards, for
each number of workers anew. Prints the seconds until the index can be asked, and how much of a core each program used meanwhile, while parsing and in
all: where the workers are near 100 % and the machine has cores left, more of them help; where the graph service is, it links, and they do not.

`--churn` kills the worker that is there for longest, with all that it started, every so many seconds while the run lasts, and starts another; the
longer half of the longest step must fit in between. What comes out is compared with what one process makes of the same files. Exit code 0 if it
is the same.
`--vectors` goes on until every chunk has one.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HOUSE))

from benchmarks.over_the_queue import Installation, installation  # noqa: E402
from benchmarks.tables import differences, read_tables  # noqa: E402
from exegesis.errors import ExegesisError  # noqa: E402
from exegesis.model import Generation, Progress  # noqa: E402
from exegesis.settings import read_settings  # noqa: E402
from services.assembly import Assembly  # noqa: E402
from services.indexer.api import IndexOptions, IndexReport  # noqa: E402

_SAMPLE_SECONDS = 0.25
_MOST_FAILURES = 10
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Meter:
    """Processor seconds of each program and everything that it started, by the moments at which they were read."""

    made: Installation
    samples: list[tuple[float, Mapping[str, float]]] = field(default_factory=list)
    _used: dict[tuple[str, int], float] = field(default_factory=dict)

    def read(self) -> None:
        groups = {running.process.pid: name for name, running in self.made.running.items()}
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
                    fields = (process / "stat").read_text().rpartition(")")[2].split()
                    name = groups.get(int(fields[3])) or groups.get(int(fields[1]))  # its session; those of the database have their own
                    if name:
                        self._used[name, int(process.name)] = (int(fields[11]) + int(fields[12])) / _TICK
        totals: dict[str, float] = defaultdict(float)
        for (name, _), seconds in self._used.items():
            totals[name] += seconds
        self.samples.append((time.monotonic(), dict(totals)))

    def share(self, since: float, until: float) -> Mapping[str, float]:
        """Of a core, by program, between two moments."""
        inside = [sample for sample in self.samples if since <= sample[0] <= until]
        if len(inside) < 2:
            return {}
        (first, before), (last, after) = inside[0], inside[-1]
        return {name: (seconds - before.get(name, 0.0)) / (last - first) for name, seconds in after.items()}


@contextmanager
def measured(made: Installation) -> Iterator[Meter]:
    meter, over = Meter(made), threading.Event()

    def keep_reading() -> None:
        while not over.wait(_SAMPLE_SECONDS):
            meter.read()

    meter.read()
    reading = threading.Thread(target=keep_reading)
    reading.start()
    try:
        yield meter
    finally:
        over.set()
        reading.join()
        meter.read()


@contextmanager
def churning(made: Installation, workers: list[str], seconds: float) -> Iterator[list[str]]:
    """Kill the worker that is there for longest and start another, every so many seconds."""
    killed: list[str] = []
    over = threading.Event()

    def churn() -> None:
        for number in itertools.count(len(workers) + 1):
            if over.wait(seconds):
                return
            made.join(f"worker {number}", like="bulk")
            workers.append(f"worker {number}")
            victim = workers.pop(0)
            made.kill(victim)
            killed.append(victim)

    churner = threading.Thread(target=churn)
    if seconds:
        churner.start()
    try:
        yield killed
    finally:
        over.set()
        if seconds:
            churner.join()


def measure(repository: Path, count: int, churn: float, clean: Path, options: IndexOptions) -> tuple[float, int]:
    """Seconds that it took with so many workers, and how many tables are wrong."""
    told = {"EXEGESIS_EMBEDDER": "bundled" if options.embed else "none", "EXEGESIS_LEASE_SECONDS": "6" if churn else "45"}
    with tempfile.TemporaryDirectory() as scratch, installation(Path(scratch) / "far", **told) as made:
        workers = [f"worker {number}" for number in range(1, count + 1)]
        made.end_one("bulk")
        for name in workers:
            made.join(name, like="bulk")
        time.sleep(3)  # workers fork and load
        seen: list[tuple[float, Progress]] = []
        failed: list[str] = []
        with measured(made) as meter, churning(made, workers, churn) as killed:
            started = time.monotonic()
            done = _index(made.settings, repository, options, seen, failed)
            ended = time.monotonic()
        usable = next((at for at, progress in seen if progress.phase == "usable"), ended)
        parsing = [at for at, progress in seen if progress.phase == "parsing"]
        after = next((at for at, progress in seen if parsing and at > parsing[-1] and progress.phase != "parsing"), usable)
        print(f"{count} workers: {usable - started:.1f} s until it can be asked", end="")
        print(f", {ended - started:.1f} s until all have vectors" if options.embed else "", end="")
        print(f"; killed {len(killed)}, runs that failed: {'; '.join(failed) or 'none'}" if churn else "")
        spans = {"while parsing": (parsing[0], after)} if parsing else {}
        if options.embed:
            spans["while embedding"] = (usable, ended)
        for what, (since, until) in {**spans, "in all": (started, ended)}.items():
            shares = sorted(meter.share(since, until).items(), key=lambda each: -each[1])
            print(f"  {what}, {until - since:.1f} s: " + ", ".join(f"{name} {share:.0%}" for name, share in shares if share >= 0.005))
        found = differences(read_tables(made.places.home, done.generation), read_tables(clean, _head_of(clean, repository)))
        print(*found, sep="\n", end="\n" if found else "")
        return (ended if options.embed else usable) - started, len(found)


def _index(
    settings: Mapping[str, str], repository: Path, options: IndexOptions, seen: list[tuple[float, Progress]], failed: list[str]
) -> IndexReport:
    """As often as it takes: a step that five workers died of fails its run."""
    with contextlib.closing(Assembly(read_settings(settings))) as assembly:
        while True:
            try:
                return assembly.indexer.index(str(repository), options, lambda progress: seen.append((time.monotonic(), progress)))
            except ExegesisError as error:
                failed.append(error.message)
                if len(failed) == _MOST_FAILURES:
                    raise


def _head_of(home: Path, repository: Path) -> Generation:
    with contextlib.closing(Assembly(read_settings({"EXEGESIS_HOME": str(home)}))) as assembly:
        head = assembly.catalog.head(assembly.indexer.locate(str(repository)).id)
        assert head is not None
        return head


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--churn", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--vectors", action="store_true")
    arguments = parser.parse_args()
    repository, options = arguments.repository.resolve(), IndexOptions(embed=arguments.vectors)
    counts = [int(written) for written in arguments.workers.split(",")]
    with tempfile.TemporaryDirectory() as clean:
        near = {"EXEGESIS_HOME": clean, "EXEGESIS_EMBEDDER": "bundled" if arguments.vectors else "none"}
        started = time.monotonic()
        _index(near, repository, options, [], [])
        alone = time.monotonic() - started
        print(f"{repository.name}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; one process, without a queue: {alone:.1f} s")
        times, wrong = {}, 0
        for count in counts:
            times[count], found = measure(repository, count, arguments.churn, Path(clean), options)
            wrong += found
    first = counts[0]
    print("; ".join(f"{count} workers: {times[first] / seconds:.2f} times as fast as {first}" for count, seconds in times.items() if count != first))
    return wrong


if __name__ == "__main__":
    sys.exit(min(1, main()))
