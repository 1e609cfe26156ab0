"""Index a folder that is made to break indexers, and check what must hold whatever is in it.

    python benchmarks/torture.py BUILDER [--good NAME]... [--secret TEXT]...

BUILDER is a Python script that fills the folder it is given. Checked: the run ends by itself within 60 seconds and 1 GiB, exits with 0, accounts for
every file, and none of the secrets stands in anything that was stored or said. Each file that was not indexed is listed with its reason.
"""

from __future__ import annotations

import argparse
import collections
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import measure

from exegesis.model import FileStatus
from exegesis.settings import Settings
from services.assembly import Assembly
from services.graph.api import Pin

SECONDS, MIB = 60.0, 1024.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builder", type=Path)
    parser.add_argument("--good", action="append", default=[], help="name of a symbol that must be found")
    parser.add_argument("--secret", action="append", default=[], help="text that must appear nowhere")
    arguments = parser.parse_args()
    scratch = Path(tempfile.mkdtemp())
    folder, home = scratch / "torture", scratch / "home"
    folder.mkdir()
    subprocess.run([sys.executable, str(arguments.builder), str(folder)], check=True)
    try:
        cost = measure(
            [sys.executable, "-m", "exegesis", "index", "--no-embed", str(folder)], environment={"EXEGESIS_HOME": str(home)}, timeout=2 * SECONDS
        )
        print(f"{cost.seconds:.1f} s, {cost.processor:.1f} s of processor, {cost.peak_mib:.0f} MiB, exit {cost.exit_code}")
        wrong = [f"exit code {cost.exit_code}: {cost.output[-2_000:]}"] if cost.exit_code else []
        wrong += [f"took {cost.seconds:.0f} s"] if cost.seconds > SECONDS else []
        wrong += [f"took {cost.peak_mib:.0f} MiB"] if cost.peak_mib > MIB else []
        if not cost.exit_code:
            wrong += _look(folder, home, arguments.good, arguments.secret)
        wrong += [f"secret {secret[:6]}... was printed" for secret in arguments.secret if secret in cost.output]
    finally:
        for path in [folder, *folder.rglob("*")]:
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(scratch)
    print(f"{len(wrong)} faults", *wrong, sep="\n")
    return 1 if wrong else 0


def _look(folder: Path, home: Path, good: list[str], secrets: list[str]) -> list[str]:
    """What is wrong with an index; prints what became of the files."""
    assembly = Assembly(Settings(home=str(home), embedder="none"))
    (status,) = assembly.indexer.status()
    assert status.head is not None
    pin = Pin(status.repository.id, status.head.id)
    files = assembly.indexer.files(pin.repository)
    print(dict(collections.Counter(str(file.status) for file in files)))
    for file in files:
        if file.status is not FileStatus.INDEXED:
            print(f"  {file.status:8} {file.path[:80]!r}: {file.reason}")
    coverage = status.head.coverage
    wrong = []
    if coverage.seen != coverage.indexed + sum(number for _, number in coverage.skipped) + len(coverage.failed) or coverage.seen != len(files):
        wrong.append("the numbers do not add up")
    wrong += [f"{file.path!r} has no reason" for file in files if file.status is not FileStatus.INDEXED and not file.reason]
    wrong += [f"{name} is not found" for name in good if not assembly.graph.symbols_named(pin, [name])]
    indexed = [file.path for file in files if file.status is FileStatus.INDEXED]
    chunks = assembly.graph.chunks_in(pin, indexed, text=True)
    symbols = assembly.graph.symbols_in(pin, indexed)
    stored = [*map(repr, chunks), *map(repr, symbols), *(path.read_bytes().decode("latin-1") for path in home.rglob("*") if path.is_file())]
    wrong += [f"secret {secret[:6]}... is stored" for secret in secrets if any(secret in text for text in stored)]
    if status.stale and (folder / ".git").exists():
        wrong.append("stale right after indexing")
    assembly.close()
    return wrong


if __name__ == "__main__":
    sys.exit(main())
