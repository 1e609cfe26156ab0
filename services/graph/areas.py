"""Into which module of the map each file falls: a build target where these are known, else what stands for one in its language.

Python has packages, RPG and CL have members, everything else has folders. What only accompanies the code of a module (its tests, its documents) is
a module beside it: Go keeps tests in the folder of what they test, and they would be counted as parts of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from exegesis.model import FileRole
from exegesis.ports import FileRow
from services.graph.dialects import dialect_of
from services.graph.modules.copies import member_of

TOP = "(top folder)"
"""Files that lie in no folder stand for the repository itself."""

KINDS = ("vendored", "tests", "examples", "documents", "build")
"""What files are for that are not the code of the project itself, in the order in which they are told."""

_ROLES = (
    (FileRole.TEST, "tests"),
    (FileRole.DOCUMENT, "documents"),
    (FileRole.EXAMPLE, "examples"),
    (FileRole.VENDORED | FileRole.DEPENDENCY, "vendored"),
)
"""The first that holds decides: documents in a folder of examples are documents."""

APART = 3
"""Files of one kind among more of another that are told apart from them; fewer go with these."""

_BUILDS = re.compile(
    r"Package(?:@swift-[\d.]+)?\.swift|setup\.py|noxfile\.py|conanfile\.py|(?:gulp|grunt)file\.[cm]?js|[\w.-]+\.config\.[cm]?[jt]s",
    re.IGNORECASE,
)
"""Programs that build the project and are no part of it."""

_SOURCE_FOLDERS = frozenset({"sources", "source", "src", "lib", "libs", "packages", "modules", "tests", "test", "apps"}) | {
    *("deps", "vendor", "vendored", "third_party", "third-party", "thirdparty", "external", "externals")
}
"""Folders that hold modules rather than being one."""

_HOST = re.compile(r"^(?:(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)/[^/]+/|[\w-]+(?:\.[\w-]+)+/)(?=[^/])")
"""Of the import path of a Go package what says where it is published: it is the same in all packages of a project."""

_PACKAGE = "__init__.py"


@dataclass(frozen=True, slots=True)
class Area:
    name: str
    kind: str
    """One of :data:`KINDS`; empty for the code of the project itself."""


def areas_of(rows: Mapping[str, FileRow], declaring: Collection[str], programs: Collection[str]) -> Mapping[str, Area]:
    """The area of each file that declares something. ``programs`` are the paths of members that hold code; other members are copied into these."""
    packages = {path.rpartition("/")[0] for path in rows if path.rpartition("/")[2] == _PACKAGE}
    kinds = {path: _kind(rows[path]) for path in declaring}
    names = {path: _folder(path) if kinds[path] and not rows[path].file.module else _name(rows[path], packages, programs) for path in declaring}
    found: dict[str, Area] = {}
    for name, paths in _grouped(names).items():
        count = Counter(kinds[path] for path in paths)
        main = "" if "" in count else max(count, key=lambda kind: (count[kind], kind))
        for path in paths:
            kind = kinds[path] if not main or count[kinds[path]] >= APART else main
            found[path] = Area(name if kind == main else f"{name} ({kind})", kind)
    return found


def _grouped(names: Mapping[str, str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, name in sorted(names.items()):
        found.setdefault(name, []).append(path)
    return found


def _kind(row: FileRow) -> str:
    for role, kind in _ROLES:
        if row.file.roles & role:
            return kind
    return "build" if _BUILDS.fullmatch(row.file.path.rpartition("/")[2]) else ""


def _name(row: FileRow, packages: Collection[str], programs: Collection[str]) -> str:
    path, module = row.file.path, row.file.module
    if module and module != ".":
        return _HOST.sub("", module)
    dialect = dialect_of(row.file.language)
    if dialect.members:
        return member_of(path) if path in programs else f"{_folder(path)} (copies)"
    if dialect.family == "python" and (package := _package(path.rpartition("/")[0], packages)):
        return package
    return _folder(path)


def _folder(path: str) -> str:
    folders = path.split("/")[:-1]
    return "/".join(folders[: 2 if len(folders) > 1 and folders[0].lower() in _SOURCE_FOLDERS else 1]) or TOP


def _package(folder: str, packages: Collection[str]) -> str:
    """The dotted name of a package, from the outermost folder on that is one. Folders within a package are packages, whether they say so or not."""
    folders = folder.split("/")
    begins = next((depth for depth in range(1, len(folders) + 1) if "/".join(folders[:depth]) in packages), 0)
    return ".".join(folders[begins - 1 :]) if begins else ""
