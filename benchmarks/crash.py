"""Kill an index run with SIGKILL at random moments: the generation before goes on answering, and the next run equals a clean build.

    python benchmarks/crash.py [FOLDER] [--kills 20] [--seed 1]

FOLDER (by default the example package) is copied first. Exit code 0 if nothing was found wrong.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if __package__:
    from benchmarks.edits import edit
    from benchmarks.tables import differences, read_tables
else:
    from edits import edit
    from tables import differences, read_tables

from exegesis.model import Generation
from exegesis.settings import Settings
from services.assembly import Assembly
from services.graph.api import Pin
from services.indexer.api import IndexOptions, IndexReport

HOUSE = Path(__file__).resolve().parents[1]
EXAMPLE = HOUSE / "examples" / "swift-oauth"

_RUN = """
import sys
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
assembly = Assembly(Settings(home=sys.argv[1], embedder="none", workers=2))
assembly.indexer.index(sys.argv[2], IndexOptions(embed=False), lambda progress: None)
assembly.close()
"""


@contextmanager
def opened(home: Path) -> Iterator[Assembly]:
    assembly = Assembly(Settings(home=str(home), embedder="none", workers=2))
    try:
        yield assembly
    finally:
        assembly.close()


def index(home: Path, folder: Path) -> IndexReport:
    with opened(home) as assembly:
        return assembly.indexer.index(str(folder), IndexOptions(embed=False), lambda _progress: None)


def start(home: Path, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _RUN, str(home), str(folder)], cwd=HOUSE)


def ask(home: Path, generation: Generation) -> tuple[object, ...]:
    """What a reader sees of a generation: the head it is sent to, all chunks with their text, all edges."""
    with opened(home) as assembly:
        pin = Pin(generation.repository, generation.id)
        head = assembly.catalog.head(generation.repository)
        paths = [row.file.path for row in assembly.graph.files(pin)]
        chunks = assembly.graph.chunks_in(pin, paths, text=True)
        lexical = assembly.chunk_index.vectors(generation.repository, generation.id, [chunk.id for chunk in chunks])
        return head, tuple(chunks), len(lexical)


def kill_runs(folder: Path, scratch: Path, kills: int, order: random.Random) -> list[str]:
    """Edit, start a run, kill it somewhere, look at what is left, finish it, compare; so many times. Returns what was wrong."""
    wrong: list[str] = []
    home = scratch / "home"
    started = time.monotonic()
    process = start(home, folder)
    process.wait()
    whole = time.monotonic() - started
    for number in range(kills):
        with opened(home) as assembly:
            before = assembly.catalog.head(assembly.indexer.locate(str(folder)).id)
        assert before is not None
        answered = ask(home, before)
        change = ", ".join(edit(folder, order) for _ in range(3))
        moment = order.uniform(0.0, whole)
        process = start(home, folder)
        time.sleep(moment)
        process.kill()
        survived = process.wait() == 0
        if not survived and ask(home, before)[1:] != answered[1:]:
            wrong.append(f"kill {number} after {moment:.2f} s: the generation before is damaged")
        report = index(home, folder)
        clean_home = scratch / f"clean-{number}"
        clean = index(clean_home, folder)
        found = differences(read_tables(home, report.generation), read_tables(clean_home, clean.generation))
        wrong += [f"kill {number} after {moment:.2f} s ({change}): {difference}" for difference in found]
        with opened(home) as assembly:
            kept = {generation.id for generation in assembly.catalog.generations(report.repository.id)}
            strays = set(assembly.graph.stored(report.repository.id)) | set(assembly.chunk_index.generations(report.repository.id))
        if not report.unchanged and strays - kept:
            wrong.append(f"kill {number}: left behind {strays - kept}")
        shutil.rmtree(clean_home)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=EXAMPLE)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / arguments.folder.name
        shutil.copytree(arguments.folder, folder, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        wrong = kill_runs(folder, Path(scratch), arguments.kills, random.Random(arguments.seed))
    print(f"{arguments.kills} kills, {len(wrong)} faults", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
