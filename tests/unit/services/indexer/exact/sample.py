"""The sample package, the store that a compiler made of it, and what libIndexStore reads in that store.

    python -m tests.unit.services.indexer.exact.sample      makes store and golden file anew, with the Swift toolchain on the path

The compiler is told to write neutral paths, so the fixture does not say on which machine it was made.
"""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from services.indexer.exact.facts import Definition, IndexedFile, calls, definitions
from services.indexer.exact.indexstore import ProjectIndex, keep_fresh, read_project
from tests.unit.services.indexer.exact.oracle import Oracle, find_library

FIXTURE = Path(__file__).parents[4] / "fixtures" / "swift-store"
PACKAGE = FIXTURE / "package"
STORE = FIXTURE / "store"
COMPRESSED = FIXTURE / "compressed-store"
"""The same, from a compiler that was told to compress."""
GOLDEN = FIXTURE / "golden.json"
CALLS = FIXTURE / "calls.txt"
"""Every explicit call between symbols of the sample, checked by reading the source: not made anew with the rest."""
BUILT_IN = "/src/harvest"
"""Where the store believes that the package lay."""


def source_files(package: Path = PACKAGE) -> list[str]:
    return sorted(path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file() and ".build" not in path.parts)


def read_source(path: str) -> bytes:
    return (PACKAGE / path).read_bytes()


@functools.cache
def read_sample() -> ProjectIndex:
    """The fresh part of the committed store, which is all of it."""
    fresh, stale = keep_fresh(read_project(str(STORE), source_files(), root=str(PACKAGE)), read_source)
    assert not stale
    assert not fresh.problems
    return fresh


@functools.cache
def golden() -> dict[str, Any]:
    return json.loads(GOLDEN.read_text())  # type: ignore[no-any-return]


def build(toolchain: Path, into: Path, *, compressed: bool = False) -> Path:
    """Compile the sample with the toolchain in a folder that does not exist yet; the store that this leaves."""
    shutil.copytree(PACKAGE, into)
    maps = {str(into.resolve()): BUILT_IN, str(toolchain.resolve()): "/usr", str(Path.home()): "/home"}
    command = [str(toolchain / "bin" / "swift"), "build", "--package-path", str(into), "-Xswiftc", "-index-ignore-system-modules"]
    for old, new in maps.items():
        command += ["-Xswiftc", "-file-prefix-map", "-Xswiftc", f"{old}={new}", "-Xcc", f"-ffile-prefix-map={old}={new}"]
    if compressed:
        command += ["-Xswiftc", "-Xfrontend", "-Xswiftc", "-index-store-compress"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return next(path.parent.parent for path in (into / ".build").rglob("v5/units") if path.is_dir())


def title(usr: str, known: Mapping[str, tuple[Definition, ...]]) -> str:
    """Module, enclosing types and name of a symbol that is defined in the sample; the USR of any other."""
    if usr not in known:
        return usr
    it = known[usr][0]
    return f"{title(it.parent, known) if it.parent else it.module}.{it.symbol.name}"


def describe_calls(files: Sequence[IndexedFile]) -> list[str]:
    """The explicit calls of symbols of the sample, one a line: place, caller, callee."""
    known = definitions(files)
    return [
        f"{call.path}:{call.line} {title(call.caller, known) or '(top level)'} -> {title(call.callee.usr, known)}"
        for call in calls(files, implicit=False)
        if call.callee.usr in known
    ]


def write_golden(oracle: Oracle, store: Path, file: Path) -> None:
    units = [oracle.unit(name) for name in sorted(oracle.units())]
    records = [oracle.record(path.name) for path in sorted((store / "v5" / "records").glob("*/*"))]
    file.write_text(
        "{\n" + ",\n".join(f'"{kind}": [\n{_one_a_line(values)}\n]' for kind, values in (("units", units), ("records", records))) + "\n}\n"
    )


def _one_a_line(values: Iterable[object]) -> str:
    """Values whose lists of lists have one inner list a line, so that a change can be reviewed."""
    return ",\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("],[", "],\n[") for value in values)


def main() -> None:
    library = find_library()
    if library is None:
        raise SystemExit("No libIndexStore: put the `bin` of a Swift toolchain on the path.")
    with tempfile.TemporaryDirectory() as folder:
        for store in (STORE, COMPRESSED):
            built = build(library.parent.parent, Path(folder) / store.name, compressed=store is COMPRESSED)
            shutil.rmtree(store, ignore_errors=True)
            for kind in ("units", "records"):
                shutil.copytree(built / "v5" / kind, store / "v5" / kind)
    oracle = Oracle(library, STORE)
    write_golden(oracle, STORE, GOLDEN)
    oracle.close()


if __name__ == "__main__":
    main()
