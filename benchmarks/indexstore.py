"""The index store reader against the toolchain's own library, and how fast it is.

    python benchmarks/indexstore.py STORE|MODULE=FOLDER... [--swift-version 5] [--out benchmarks/results/indexstore.jsonl]

STORE is a folder that holds ``v5``. MODULE=FOLDER compiles all Swift files below the folder as one module first, into a temporary store; files
that do not type-check are indexed as far as the compiler understood them. The ``bin`` folder of a Swift toolchain must be on the path, or
``SWIFT_TOOLCHAIN`` name its parent.

Differences are counted in units, dependencies, symbols, occurrences and relations; each should be zero. Speeds are in seconds of one processor:
reading all units and records of the store from files in memory of the system, then the facts of them from a cache, and the share of names that
stand where the records say (freshness).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # the oracle lives with the tests, which are not installed

from exegesis.adapters.sqlite_cache import SqliteCache
from services.indexer.exact.examine import CACHE_SPACE
from services.indexer.exact.facts import IndexedFile, calls, definitions, links
from services.indexer.exact.freshness import measure_freshness
from services.indexer.exact.indexstore import read_records, read_units
from services.indexer.exact.kept import keep, recall
from services.indexer.exact.recorded import recorded
from services.indexer.exact.units import DependencyKind, Unit
from tests.unit.services.indexer.exact.oracle import Oracle, find_library, plain_record, plain_unit

COLUMNS = ("units", "dependencies", "records", "symbols", "occurrences", "relations")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="+", metavar="STORE|MODULE=FOLDER")
    parser.add_argument("--swift-version", default="5")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    library = find_library()
    if library is None:
        print("no libIndexStore: speeds only", file=sys.stderr)
    rows = []
    for named in options.stores:
        with store_of(named, library, options.swift_version) as (name, store):
            rows.append(measure(name, store, library))
            print_row(rows[-1], first=len(rows) == 1)
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        with options.out.open("a") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    if any(row["different"].values() for row in rows):
        raise SystemExit(1)


@contextmanager
def store_of(named: str, library: Path | None, swift_version: str) -> Iterator[tuple[str, Path]]:
    module, equals, folder = named.partition("=")
    if not equals:
        yield Path(named).name, Path(named)
        return
    if library is None:
        raise SystemExit("Compiling needs a Swift toolchain on the path.")
    with tempfile.TemporaryDirectory() as temporary:
        compile_module(library.parent.parent / "bin" / "swiftc", module, Path(folder), Path(temporary), swift_version)
        yield module, Path(temporary) / "store"


def compile_module(compiler: Path, module: str, sources: Path, into: Path, swift_version: str) -> None:
    """Leaves ``into / "store"``. Errors of the code are no errors here: what could be understood is indexed."""
    files = sorted(str(path.resolve()) for path in sources.rglob("*.swift"))
    outputs = {file: {"object": str(into / f"{number}-{Path(file).name}.o")} for number, file in enumerate(files)}
    (into / "files").write_text("\n".join(f'"{file}"' for file in files))
    (into / "outputs.json").write_text(json.dumps(outputs))
    command = [str(compiler), "-c", "-incremental", "-suppress-warnings", "-swift-version", swift_version, "-module-name", module, "-j", "1"]
    command += ["-index-store-path", str(into / "store"), "-index-ignore-system-modules", "-output-file-map", str(into / "outputs.json")]
    subprocess.run([*command, f"@{into / 'files'}"], cwd=into, capture_output=True, check=False, timeout=1800)
    if not (into / "store" / "v5" / "units").is_dir():
        raise SystemExit(f"{module} left no store: it does not compile far enough here.")


def measure(name: str, store: Path, library: Path | None) -> dict[str, Any]:
    paths = [path for path in (store / "v5" / "records").glob("*/*") if path.is_file()]
    names = [path.name for path in paths]
    size = sum(path.stat().st_size for path in (*paths, *(store / "v5" / "units").iterdir()))
    read_everything(store, names)  # once, so that files are in memory
    started = time.process_time()
    units, records, problems = read_everything(store, names)
    reading = time.process_time() - started

    files = [IndexedFile(key, "", record) for key, record in records.items()]
    with tempfile.TemporaryDirectory() as folder, closing(SqliteCache(Path(folder) / "cache.db")) as cache:
        facts = {file.path.encode(): recorded(file.path, [file], is_fresh=True) for file in files}
        keep(cache, CACHE_SPACE, facts)
        started = time.process_time()
        kept = recall(cache, CACHE_SPACE, list(facts))
        recalling = time.process_time() - started
        cached = sum(map(len, cache.get(CACHE_SPACE, list(facts)).values()))
    if kept != facts:
        raise SystemExit("The cache gives other facts than it was given.")

    started = time.process_time()
    explicit, all_calls = len(list(calls(files, implicit=False))), len(list(calls(files)))
    definitions(files)
    relations = len(list(links(files)))
    asking = time.process_time() - started

    sizes = sizes_of(units, records)
    return {
        "store": name,
        "mb": size / 1e6,
        "sizes": sizes,
        "different": differences(store, units, records, library) if library else {},
        "problems": len(problems),
        "seconds": reading,
        "mb_per_second": size / 1e6 / reading,
        "occurrences_per_second": sizes["occurrences"] / reading,
        "cached_seconds": recalling,
        "cached_mb": cached / 1e6,
        "facts_seconds": asking,
        "calls": all_calls,
        "explicit_calls": explicit,
        "links": relations,
        **freshness_of(units, records),
    }


def read_everything(store: Path, names: Sequence[str]) -> tuple[tuple[Unit, ...], Mapping[str, Any], tuple[Any, ...]]:
    units, unit_problems = read_units(str(store), system=True)
    records, record_problems = read_records(str(store), names)
    return units, records, (*unit_problems, *record_problems)


def sizes_of(units: Sequence[Unit], records: Mapping[str, Any]) -> dict[str, int]:
    return {
        "units": len(units),
        "dependencies": sum(len(unit.dependencies) for unit in units),
        "records": len(records),
        "symbols": sum(len(record.symbols) for record in records.values()),
        "occurrences": sum(len(record.columns) for record in records.values()),
        "relations": sum(len(record.columns.relation_roles) for record in records.values()),
    }


def differences(store: Path, units: Sequence[Unit], records: Mapping[str, Any], library: Path) -> dict[str, int]:
    oracle = Oracle(library, store)
    wrong = dict.fromkeys(COLUMNS, 0)
    ours = {unit.name: plain_unit(unit) for unit in units}
    for name in oracle.units():
        theirs = oracle.unit(name)
        mine = ours.pop(name, {"dependencies": []})
        wrong["dependencies"] += count_different(theirs.pop("dependencies"), mine.pop("dependencies"))
        wrong["units"] += theirs != mine
    wrong["units"] += len(ours)
    for name, record in records.items():
        theirs, mine = oracle.record(name), plain_record(record)
        wrong["records"] += theirs != mine
        wrong["symbols"] += count_different(theirs["symbols"], mine["symbols"])
        wrong["occurrences"] += count_different([it[:4] for it in theirs["occurrences"]], [it[:4] for it in mine["occurrences"]])
        wrong["relations"] += count_different(
            [relation for it in theirs["occurrences"] for relation in it[4]], [relation for it in mine["occurrences"] for relation in it[4]]
        )
    oracle.close()
    return wrong


def count_different(theirs: Sequence[Any], mine: Sequence[Any]) -> int:
    return sum(one != other for one, other in zip_longest(theirs, mine))


def freshness_of(units: Sequence[Unit], records: Mapping[str, Any]) -> dict[str, int]:
    """How many of the project's files that are still there are fresh."""
    fresh = stale = nothing = 0
    for path, name in {(it.path, it.name) for unit in units for it in unit.dependencies if it.kind == DependencyKind.RECORD and not it.is_system}:
        if name in records and Path(path).is_file():
            freshness = measure_freshness(records[name], Path(path).read_bytes())
            fresh += freshness.is_fresh
            nothing += not freshness.tested
            stale += bool(freshness.tested) and not freshness.is_fresh
    return {"fresh_files": fresh, "stale_files": stale, "files_without_names": nothing}


def print_row(row: dict[str, Any], *, first: bool) -> None:
    if first:
        heads = ("MB", "MB/s", "occ/s", "read s", "cache s", "facts s", "fresh/stale")
        print(f"{'store':<16}" + "".join(f"{head:>13}" for head in (*COLUMNS, *heads)))
    speeds = (
        f"{row['mb']:.2f}",
        f"{row['mb_per_second']:.1f}",
        f"{row['occurrences_per_second']:,.0f}",
        f"{row['seconds']:.2f}",
        f"{row['cached_seconds']:.2f}",
        f"{row['facts_seconds']:.2f}",
        f"{row['fresh_files']}/{row['stale_files']}",
    )
    print(f"{row['store'][:16]:<16}" + "".join(f"{row['sizes'][column]:>13,}" for column in COLUMNS) + "".join(f"{speed:>13}" for speed in speeds))
    if row["different"]:
        print(f"{'  different':<16}" + "".join(f"{row['different'][column]:>13,}" for column in COLUMNS))


if __name__ == "__main__":
    main()
