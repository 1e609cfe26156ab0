"""What the text of an import names: files of the project. One module for each way that languages have of finding modules.

Which files a text means depends on which files there are, so every look goes through :class:`Files`, which remembers what was asked for: a file that
comes or goes answers the names of :meth:`ModuleSystem.names_of`, and whoever asked one of them is linked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol


class ModuleSystem(Protocol):
    """Stateless: everything it knows of the project it asks of ``files``."""

    def names_of(self, path: str, module: str) -> Iterable[str]:
        """Names under which a file can be asked for; ``module`` is its build target or package, empty when unknown."""

    def find(self, text: str, path: str, files: Files) -> tuple[str, ...]:
        """The files that an import of ``text`` in the file ``path`` means; empty when it leads out of the project or cannot be told."""

    def inner(self, module: Sequence[str], name: str, files: Files) -> tuple[str, ...]:
        """The files of a module of that name inside of another one; empty when there is none."""


class Files:
    """The files of one family of languages, by the names under which they can be asked for."""

    def __init__(self, modules: Mapping[str, str], system: ModuleSystem, consult: Callable[[str], None]) -> None:
        """``modules`` has the module of each path, ``consult`` is told of every name that is asked for."""
        self._consult = consult
        self._modules = modules
        self._called: dict[str, list[str]] = {}
        for path in sorted(modules):
            for name in set(system.names_of(path, modules[path])):
                self._called.setdefault(name, []).append(path)

    def called(self, name: str) -> Sequence[str]:
        """Paths of files that can be asked for by this name, ascending."""
        self._consult(name)
        return self._called.get(name, ())

    def module_of(self, path: str) -> str:
        """The build target or package of a file; its name is one of those the file is asked for by, or the answer is not remembered."""
        return self._modules.get(path, "")


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def nearest(paths: Sequence[str], path: str) -> str:
    """Of several paths the one that shares most folders with ``path``, empty when two share equally many."""
    if len(paths) < 2:
        return paths[0] if paths else ""
    here = path.split("/")[:-1]
    ranked = sorted(((_shared(here, each.split("/")), each) for each in paths), reverse=True)
    return ranked[0][1] if ranked[0][0] > ranked[1][0] else ""


def _shared(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count
