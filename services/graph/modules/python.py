"""Python's modules: dotted names, found from the folders that hold packages; relative ones from the folder of the file.

What is on the search path is not written in the sources. A folder is taken for one if it is no package itself and is one of the usual ones, or lies
above the importing file, or the name is too long to mean anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.graph.modules import Files, folder_of, nearest

_SUFFIXES = (".py", ".pyi", ".pyx")
_PACKAGE = "__init__"

_ROOTS = frozenset({"", "src", "lib", "python"})
"""Folders of a repository that projects put on the search path."""

STANDARD = frozenset(
    # Modules of the standard library that are nobody's own, whatever a project calls its files; without names that are as likely a project's.
    """
    abc array ast asyncio base64 bisect builtins calendar codecs collections concurrent configparser contextlib contextvars copy csv ctypes
    dataclasses datetime decimal difflib dis doctest email enum errno fnmatch fractions functools gc getpass gettext glob graphlib gzip hashlib
    heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox math mimetypes mmap
    multiprocessing numbers operator optparse os pathlib pdb pickle pkgutil platform plistlib pprint queue random re reprlib sched secrets select
    selectors shelve shlex shutil signal smtplib socket sqlite3 ssl stat statistics string struct subprocess sys sysconfig tempfile textwrap
    threading time timeit tokenize tomllib trace traceback types typing unicodedata unittest urllib uuid venv warnings wave weakref xml zipfile zlib
    zoneinfo
    """.split()  # noqa: SIM905 - a hundred words are read more easily than a hundred literals
)


class PythonModules:
    def names_of(self, path: str, module: str) -> Iterable[str]:  # noqa: ARG002 - packages follow from folders alone
        """The last part of its dotted name."""
        *folders, file = path.split("/")
        stem = _stem(file)
        if stem != _PACKAGE:
            return (stem,) if stem else ()
        return folders[-1:]

    def find(self, text: str, path: str, files: Files) -> tuple[str, ...]:
        absolute = text.lstrip(".")
        parts = [part for part in absolute.split(".") if part]
        level = len(text) - len(absolute)
        if level:
            folder = folder_of(path)
            for _ in range(level - 1):
                folder = folder_of(folder)
            return _at("/".join((*filter(None, (folder,)), *parts)), files)
        return self._absolute(parts, path, files)

    def inner(self, module: Sequence[str], name: str, files: Files) -> tuple[str, ...]:
        for path in module:
            folder, _, file = path.rpartition("/")
            if _stem(file) == _PACKAGE:
                found = _at(f"{folder}/{name}", files)
                if found:
                    return found
        return ()

    def _absolute(self, parts: Sequence[str], path: str, files: Files) -> tuple[str, ...]:
        if not parts or parts[0] in STANDARD:
            return ()
        roots: dict[str, str] = {}
        wanted = "/".join(parts)
        for candidate in files.called(parts[-1]):
            name = _module_path(candidate)
            if name == wanted or name.endswith(f"/{wanted}"):
                root = name[: -len(wanted)].rstrip("/")
                if root not in roots or _stem(candidate.rpartition("/")[2]) == _PACKAGE:
                    roots[root] = candidate
        above = f"{folder_of(path)}/"
        strict = len(parts) == 1
        fitting = [
            candidate
            for root, candidate in roots.items()
            if (root in _ROOTS or above.startswith(f"{root}/") or not strict or _is_package(candidate)) and not _holds_package(root, files)
        ]
        found = nearest(sorted(fitting), path)
        return (found,) if found else ()


def _stem(file: str) -> str:
    for suffix in _SUFFIXES:
        if file.endswith(suffix):
            return file[: -len(suffix)]
    return ""


def _is_package(path: str) -> bool:
    return _stem(path.rpartition("/")[2]) == _PACKAGE


def _holds_package(folder: str, files: Files) -> bool:
    """Is a folder a package, so that what lies in it is named with it?"""
    return bool(folder) and any(_is_package(each) and folder_of(each) == folder for each in files.called(folder.rpartition("/")[2]))


def _module_path(path: str) -> str:
    """``src/pkg/mod`` of ``src/pkg/mod.py``, ``src/pkg`` of ``src/pkg/__init__.py``."""
    folder, _, file = path.rpartition("/")
    stem = _stem(file)
    return folder if stem == _PACKAGE else f"{folder}/{stem}" if folder else stem


def _at(name: str, files: Files) -> tuple[str, ...]:
    """The file of the module at a place in the tree: a package before a module of its name, source before stubs."""
    candidates = files.called(name.rpartition("/")[2])
    found = [candidate for candidate in candidates if _module_path(candidate) == name]
    return tuple(sorted(found, key=lambda each: (not _is_package(each), not each.endswith(".py"), each))[:1])
