"""Random edits of a folder: after each, the incremental index equals one built from nothing, table by table.

    python benchmarks/incremental.py [FOLDER] [--edits 100] [--every 1] [--seed 1]

FOLDER (by default the example package) is copied first. Exit code 0 if nothing was found wrong.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from crash import EXAMPLE, index
from edits import edit
from tables import differences, read_tables


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=EXAMPLE)
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--every", type=int, default=1, help="edits between two comparisons")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    order = random.Random(arguments.seed)
    seconds: list[float] = []
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder, home = Path(scratch) / arguments.folder.name, Path(scratch) / "home"
        shutil.copytree(arguments.folder, folder, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        index(home, folder)
        for number in range(1, arguments.edits + 1):
            change = edit(folder, order)
            started = time.monotonic()
            report = index(home, folder)
            seconds.append(time.monotonic() - started)
            if number % arguments.every:
                continue
            clean_home = Path(scratch) / "clean"
            clean = index(clean_home, folder)
            found = differences(read_tables(home, report.generation), read_tables(clean_home, clean.generation))
            shutil.rmtree(clean_home)
            if found:
                wrong += 1
                print(f"edit {number} ({change}):", *found, sep="\n  ")
    print(f"{arguments.edits} edits, {wrong} differences; an incremental run takes {statistics.median(seconds):.2f} s (median)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
