"""Modules of JavaScript and TypeScript: paths relative to the file, names of packages of the same repository, and the alias ``@/`` for sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.graph.modules import Files, folder_of, nearest

SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts")
"""In the order in which they are preferred: a source before what was made of it."""

_INDEX = "index"
_ALIASES = ("@/", "~/", "#/")
"""What build tools are most often told to read as the folder of the sources."""


class ScriptModules:
    def names_of(self, path: str, module: str) -> Iterable[str]:
        """Its name without suffix; of an index that of its folder, and that of its package."""
        *folders, file = path.split("/")
        stem = _stem(file)
        if stem != _INDEX:
            return (stem,) if stem else ()
        return (_INDEX, *folders[-1:], *((module,) if module else ()))

    def find(self, text: str, path: str, files: Files) -> tuple[str, ...]:
        if text.startswith("."):
            return _at(_joined(folder_of(path), text), files)
        for alias in _ALIASES:
            if text.startswith(alias):
                return _ending(text[len(alias) :], path, files)
        return _package(text, files)

    def inner(self, module: Sequence[str], name: str, files: Files) -> tuple[str, ...]:  # noqa: ARG002 - folders are no modules here
        return ()


def _stem(file: str) -> str:
    if file.endswith(".d.ts"):
        return file[: -len(".d.ts")]
    for suffix in SUFFIXES:
        if file.endswith(suffix):
            return file[: -len(suffix)]
    return ""


def _joined(folder: str, relative: str) -> str:
    """A path from a folder; above the root there is nothing."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _place(path: str) -> str:
    """Where a file is when its suffix is left out."""
    folder, _, file = path.rpartition("/")
    stem = _stem(file)
    return f"{folder}/{stem}" if folder else stem


def _at(place: str, files: Files) -> tuple[str, ...]:
    """The file at a place, or the index of the folder there."""
    folder, _, name = place.rpartition("/")
    bare = _stem(name) or name
    written = f"{folder}/{bare}" if folder else bare
    for wanted, asked in ((place, name), (written, bare)):
        found = [each for each in files.called(asked) if _place(each) == wanted]
        if found:
            return (_preferred(found),)
    index = f"{place}/{_INDEX}" if place else _INDEX
    found = [each for each in files.called(name or _INDEX) if _place(each) == index]
    return (_preferred(found),) if found else ()


def _preferred(paths: Sequence[str]) -> str:
    return min(paths, key=lambda path: (path.endswith(".d.ts"), next(rank for rank, suffix in enumerate(SUFFIXES) if path.endswith(suffix)), path))


def _ending(place: str, path: str, files: Files) -> tuple[str, ...]:
    """The file whose place ends so, nearest to the one that asks."""
    name = place.rpartition("/")[2]
    ends = (f"/{place}", f"/{place}/{_INDEX}")
    found: dict[str, list[str]] = {}
    for each in files.called(name):
        if f"/{_place(each)}".endswith(ends):
            found.setdefault(_place(each), []).append(each)
    chosen = nearest(sorted(_preferred(each) for each in found.values()), path)
    return (chosen,) if chosen else ()


def _package(text: str, files: Files) -> tuple[str, ...]:
    """The index of a package of this repository, the one nearest to its root or in its folder of sources; or a file below it."""
    depth = 2 if text.startswith("@") else 1
    parts = text.split("/")
    package, rest = "/".join(parts[:depth]), "/".join(parts[depth:])
    indexes = [each for each in files.called(package) if files.module_of(each) == package]
    if not indexes:
        return ()
    first = min(indexes, key=lambda each: (each.count("/"), "/src/" not in f"/{each}", not each.endswith((".ts", ".tsx")), each))
    if not rest:
        return (first,)
    root = folder_of(first)
    return _at(f"{root}/{rest}", files) or _at(f"{root.removesuffix('/src')}/{rest}", files)
