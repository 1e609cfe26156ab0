"""How long indexing a repository takes, as whole processes: cold, unchanged, and after one file changed.

    python benchmarks/index_speed.py REPOSITORY [--edit FILE] [--out benchmarks/results/index_speed.jsonl]

The repository is copied first. Lexical and graph parts only, which is when an index is usable; vectors come later and are measured by their rate.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from processes import Cost, measure

HOUSE = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--edit", default="", help="file that changes, relative to the repository (default: a Swift file of middling size)")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    for package in ("exegesis", "services"):  # as an installation does
        compileall.compile_dir(HOUSE / package, quiet=2)
    with tempfile.TemporaryDirectory() as scratch:
        folder, home = Path(scratch) / arguments.repository.name, Path(scratch) / "home"
        shutil.copytree(arguments.repository, folder, symlinks=True)
        sources = sorted((path for path in folder.rglob("*.swift") if path.is_file() and not path.is_symlink()), key=lambda path: path.stat().st_size)
        edited = folder / arguments.edit if arguments.edit else sources[len(sources) // 2]
        time.sleep(3)  # a stat cache trusts no file that was written a moment ago

        def run() -> Cost:
            return measure([sys.executable, "-m", "exegesis", "index", "--no-embed", str(folder)], environment={"EXEGESIS_HOME": str(home)})

        costs = {"cold": run(), "unchanged": run()}
        edited.write_text(edited.read_text() + "\nfunc addedByTheBenchmark() {}\n")
        costs["one file"] = run()
        size = sum(path.stat().st_blocks * 512 for path in home.rglob("*") if path.is_file())
    load = os.getloadavg()[0]
    print(f"{arguments.repository.name}: {len(sources)} Swift files, {size / 2**20:.0f} MiB of index, load {load:.1f} on {os.cpu_count()} cores")
    print(f"{'':10} {'wall s':>8} {'cpu s':>8} {'peak MiB':>9}  exit")
    for name, cost in costs.items():
        print(f"{name:10} {cost.seconds:8.2f} {cost.processor:8.2f} {cost.peak_mib:9.0f}  {cost.exit_code}")
        if cost.exit_code:
            print(cost.output)
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        figures = {name: [round(cost.seconds, 2), round(cost.processor, 2), round(cost.peak_mib)] for name, cost in costs.items()}
        with arguments.out.open("a") as out:
            print(json.dumps({"repository": arguments.repository.name, "time": time.time(), "load": load, **figures}), file=out)
    return max(cost.exit_code for cost in costs.values())


if __name__ == "__main__":
    sys.exit(main())
