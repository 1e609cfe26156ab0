"""What the index stores of a project hold about its files, as far as their units tell: which record speaks of which file.

Records are named by their content. So the names of a file's records, which cost no look into any of them, tell whether what a compiler knew of the
file is what it was; and whether anything at all changed is told by the sizes and times of the units.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

from exegesis.errors import UsageError
from services.indexer.exact.discover import find_stores, stores_in
from services.indexer.exact.indexstore import FORMAT_FOLDER, Source, place, read_sources

SUFFIXES = (".swift", ".m", ".mm", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx")
"""Of files that compilers index."""

FOUND, NONE = "auto", "none"
"""Choices of stores beside a folder: those that are found, and none at all."""

DERIVED_DATA = "~/Library/Developer/Xcode/DerivedData"
"""Where Xcode builds, unless it was told otherwise."""

MOST_PROBLEMS = 20
"""Kept of one store: a damaged disk damages thousands of units, and twenty tell as much."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Held:
    """A record of a file."""

    store: int
    """Which of the stores, counted from 0."""
    module: str
    record: str


@dataclass(frozen=True, slots=True)
class HeldStore:
    path: str
    units: int
    """Of the project, as opposed to the system's."""
    unknown: int
    """Files that were compiled and are none of the repository's."""
    problems: tuple[str, ...]
    """What could not be read."""


@dataclass(frozen=True, slots=True)
class Holdings:
    stores: tuple[HeldStore, ...] = ()
    """The one written to last first."""
    records: Mapping[str, tuple[Held, ...]] = field(default_factory=dict)
    """Of each file that a store holds anything about, those of earlier stores first."""

    def key(self, path: str) -> str:
        """Names what is held about a file, whichever stores hold it; empty for nothing."""
        held = self.records.get(path)
        return _digest([(each.module, each.record) for each in held]) if held else ""


NOTHING = Holdings()


def chosen_stores(root: str, choice: str) -> tuple[Path, ...]:
    """The stores of a project: those that are found (``FOUND`` or empty), none, or those that are a folder or lie below it.

    Raises ``UsageError`` when that folder holds none.
    """
    if choice == NONE:
        return ()
    if choice in {"", FOUND}:
        return find_stores(Path(root), derived_data=Path(DERIVED_DATA).expanduser())
    stores = stores_in(Path(choice))
    if not stores:
        raise UsageError(
            f"{choice} is no index store, and none lies below it.",
            hint="An index store is a folder that holds v5/units and v5/records; SwiftPM keeps it in .build/debug/index/store.",
        )
    return stores


def look_into(
    root: str, known: Iterable[str], stores: Sequence[Path], remembered: bytes | None, *, reading: Callable[[], None] = lambda: None
) -> tuple[Holdings, bytes | None]:
    """What stores hold about the files of a folder, and what should be remembered for the next look; None if that is what was remembered.

    Args:
        root: The folder, an absolute path.
        known: Its files, relative to it.
        stores: As ``chosen_stores`` gives them.
        remembered: What the last look said to remember.
        reading: Called before units are read, which takes a second for each two megabytes of them.

    """
    if not stores:
        return NOTHING, None
    files = sorted(known)
    before = _decode(remembered)
    units, paths = _fingerprint(stores), _digest(files)
    if before is not None and (before["units"], before["paths"]) == (units, paths):
        return holdings_of(before), None
    if before is not None and before["units"] == units:
        sources = [[Source(*fields) for fields in store] for store in before["sources"]]
        about = [(store["path"], store["units"], store["problems"]) for store in before["stores"]]
    else:
        reading()
        sources, about = [], []
        for store in stores:
            found, problems, count = read_sources(str(store))
            sources.append(list(found))
            about.append((str(store), count, [f"{problem.path}: {problem.what}" for problem in problems[:MOST_PROBLEMS]]))
    placed = [place(found, files, root=root) for found in sources]
    document = {
        "format": _FORMAT,
        "units": units,
        "paths": paths,
        "sources": [[astuple(source) for source in found] for found in sources],
        "stores": [
            {"path": path, "units": count, "unknown": len(found.unknown), "problems": problems}
            for (path, count, problems), found in zip(about, placed, strict=True)
        ],
        "records": [found.records for found in placed],
    }
    return holdings_of(document), zlib.compress(json.dumps(document, separators=(",", ":")).encode("utf-8", "surrogatepass"), 1)


def document_of(holdings: Holdings) -> dict[str, Any]:
    """Holdings as JSON can hold them; :func:`holdings_of` reads that."""
    found: list[list[tuple[str, str, str]]] = [[] for _ in holdings.stores]
    for path, records in holdings.records.items():
        for held in records:
            found[held.store].append((path, held.module, held.record))
    stores = [{"path": store.path, "units": store.units, "unknown": store.unknown, "problems": list(store.problems)} for store in holdings.stores]
    return {"stores": stores, "records": found}


def holdings_of(document: Mapping[str, Any]) -> Holdings:
    records: dict[str, list[Held]] = {}
    for number, found in enumerate(document["records"]):
        for path, module, record in found:
            records.setdefault(path, []).append(Held(number, module, record))
    stores = [HeldStore(store["path"], store["units"], store["unknown"], tuple(store["problems"])) for store in document["stores"]]
    return Holdings(tuple(stores), {path: tuple(held) for path, held in records.items()})


def _decode(remembered: bytes | None) -> Mapping[str, Any] | None:
    """What was remembered; None for bytes of another version, which costs reading the units."""
    if not remembered:
        return None
    try:
        document: Mapping[str, Any] = json.loads(zlib.decompress(remembered))
    except (zlib.error, ValueError):
        return None
    return document if document.get("format") == _FORMAT else None


def _fingerprint(stores: Sequence[Path]) -> str:
    """Of the units as the file system shows them."""
    seen: list[tuple[str, list[tuple[str, int, int]]]] = []
    for store in stores:
        entries = []
        try:
            with os.scandir(store / FORMAT_FOLDER / "units") as found:
                for entry in found:
                    about = entry.stat(follow_symlinks=False)
                    entries.append((entry.name, about.st_size, about.st_mtime_ns))
        except OSError:
            pass  # as good as empty
        seen.append((str(store), sorted(entries)))
    return _digest(seen)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode("utf-8", "surrogatepass")).hexdigest()[:16]
