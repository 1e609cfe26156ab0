"""Where index stores lie: below a project, where SwiftPM, sourcekit-lsp and Xcode put them, and in Xcode's folder of derived data.

A store is any folder that holds ``v5/units`` and ``v5/records``. Places that are searched below a project:

    .build/<triple>/<configuration>/index/store               SwiftPM
    .build/index-build/<triple>/debug/index/store             sourcekit-lsp's own build
    DerivedData/<project>-<hash>/Index.noindex/DataStore      Xcode 14 and later, with derived data kept beside the project
    DerivedData/<project>-<hash>/Index/DataStore              Xcode before 14
"""

from __future__ import annotations

import os
import plistlib
from collections.abc import Iterator
from pathlib import Path

_BUILD_FOLDERS = frozenset({".build", "deriveddata", ".deriveddata", "derived_data", "build", ".swiftpm-build"})
"""Folders that builds write to, in lower case."""
_BUILD_FOLDER_DEPTH = 3
"""How deep below the project a build folder is looked for: packages of a repository lie in ``Packages/<name>`` or ``<group>/<name>``."""
_STORE_DEPTH = 7
"""How deep below a build folder a store is looked for; the longest place above needs 6."""
_NO_STORES = frozenset(
    {"checkouts", "repositories", "artifacts", "modulecache", "modules", "node_modules", ".git", "sourcepackages", "intermediates.noindex"}
)
"""Folders of build folders that hold no stores, or those of others, and many files."""
_NO_PROJECTS = frozenset({"node_modules", ".git"})
_MAX_FOLDERS = 20_000
"""Listed in one search. A tree without a build folder costs its three upper levels only."""


def find_stores(project: Path, *, derived_data: Path | None = None) -> tuple[Path, ...]:
    """Stores of a project, the one written to last first. Folders that cannot be listed are passed over; symbolic links are not followed.

    ``derived_data`` is Xcode's folder of derived data (``~/Library/Developer/Xcode/DerivedData``); stores in it count if made from a workspace in
    the project.
    """
    budget = _Budget(_MAX_FOLDERS)
    found = [*_below_project(project, 0, budget)]
    if derived_data is not None:
        for folder in _folders(derived_data, budget):
            if _workspace(folder).is_relative_to(project.resolve()):
                found += _below_build(folder, 0, budget)
    return tuple(sorted(dict.fromkeys(found), key=_written, reverse=True))


def stores_in(folder: Path) -> tuple[Path, ...]:
    """A folder itself if it is a store, else the stores below it, the one written to last first."""
    return tuple(sorted(_below_build(folder, 0, _Budget(_MAX_FOLDERS)), key=_written, reverse=True))


def is_store(folder: Path) -> bool:
    return (folder / "v5" / "units").is_dir() and (folder / "v5" / "records").is_dir()


class _Budget:
    """How many more folders may be listed."""

    def __init__(self, folders: int) -> None:
        self._left = folders

    def take(self) -> bool:
        self._left -= 1
        return self._left >= 0


def _below_project(folder: Path, depth: int, budget: _Budget) -> Iterator[Path]:
    for child in _folders(folder, budget):
        name = child.name.lower()
        if name in _BUILD_FOLDERS:
            yield from _below_build(child, 0, budget)
        elif depth + 1 < _BUILD_FOLDER_DEPTH and name not in _NO_PROJECTS:
            yield from _below_project(child, depth + 1, budget)


def _below_build(folder: Path, depth: int, budget: _Budget) -> Iterator[Path]:
    if is_store(folder):
        yield folder
        return
    if depth < _STORE_DEPTH:
        for child in _folders(folder, budget):
            if child.name.lower() not in _NO_STORES and not child.name.endswith((".build", ".product", ".dSYM", ".bundle")):
                yield from _below_build(child, depth + 1, budget)


def _folders(folder: Path, budget: _Budget) -> list[Path]:
    if not budget.take():
        return []
    try:
        with os.scandir(folder) as entries:
            return sorted(Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _workspace(derived: Path) -> Path:
    """The workspace that Xcode derived a folder from; the root of the file system, which lies in no project, if it does not say."""
    try:
        with (derived / "info.plist").open("rb") as file:
            path = plistlib.load(file).get("WorkspacePath", "/")
        return Path(path).resolve()
    except Exception:  # noqa: BLE001 - a property list that does not parse can raise anything; it only means that this folder is not ours
        return Path("/")


def _written(store: Path) -> int:
    try:
        return (store / "v5" / "units").stat().st_mtime_ns
    except OSError:
        return 0
