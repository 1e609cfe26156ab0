"""What is asked of a language. A language is one file in ``languages/``; that folder is scanned. How it is linked is said in the graph service."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from exegesis.model import Binding, Reference, Symbol


@dataclass(frozen=True, slots=True)
class Source:
    """A decoded file."""

    path: str
    text: str
    content: bytes
    """``text`` in UTF-8: what parsers read and columns count."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """What a language sees in a file. A pure function of the source."""

    symbols: tuple[Symbol, ...] = ()
    """In the order of their start; a symbol that encloses others comes before them."""
    references: tuple[Reference, ...] = ()
    """In the order of their position."""
    imports: tuple[str, ...] = ()
    breaks: tuple[int, ...] = ()
    """Lines after which a long body may be cut: the last lines of statements that are direct children of a body, ascending."""
    problems: tuple[str, ...] = ()
    bindings: tuple[Binding, ...] = ()
    """Names that imports bind, and names under which others see what is declared here."""


class Language(ABC):
    """Everything particular to one language: what declares, what refers, how a receiver's type is guessed, what is noise."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    filenames: ClassVar[tuple[str, ...]] = ()
    folders: ClassVar[tuple[str, ...]] = ()
    """Source files of IBM i, in small letters: their members lie in a folder of this name, without a suffix or with that of a member."""
    version: ClassVar[int]
    """Raised whenever the same source yields other facts, so that cached facts are not used."""

    @abstractmethod
    def parse(self, source: Source) -> Syntax:
        """Raises nothing but what a broken runtime raises: broken source yields what can be seen, and ``problems``."""

    def modules(self, manifests: Mapping[str, str], paths: Sequence[str]) -> Mapping[str, str]:  # noqa: ARG002 - a default for languages without targets
        """Build target of each of the paths, from the text of the manifests that this language names; unknown ones are left out."""
        return {}

    manifests: ClassVar[tuple[str, ...]] = ()
    """File names that ``modules`` wants to read, such as ``Package.swift``."""


@functools.cache
def languages() -> Mapping[str, Language]:
    """Every language by name, found by scanning the folder."""
    package = importlib.import_module("services.indexer.languages")
    found: dict[str, Language] = {}
    for entry in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        module = importlib.import_module(f"{package.__name__}.{entry.name}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Language) and value is not Language and value.__module__ == module.__name__:
                found[value.name] = value()
    return found


MEMBER = ".mbr"
"""Suffix of a member of a source file; the file is a folder, and may be called ``QRPGLESRC.FILE``."""


@functools.cache
def _claims() -> tuple[Mapping[str, Language], Mapping[str, Language], Mapping[str, Language]]:
    by_suffix = {suffix: language for language in languages().values() for suffix in language.suffixes}
    by_name = {name: language for language in languages().values() for name in language.filenames}
    by_folder = {folder: language for language in languages().values() for folder in language.folders}
    return by_suffix, by_name, by_folder


def language_of(path: str) -> Language | None:
    """The language that claims a path by its file name, the source file it is a member of, or its suffix (letter case ignored), or None."""
    by_suffix, by_name, by_folder = _claims()
    folder, _, name = path.rpartition("/")
    if name in by_name:
        return by_name[name]
    dot = name.rfind(".")
    suffix = name[dot:].lower() if dot > 0 else ""
    if folder and suffix in {"", MEMBER} and dot != 0:
        member = by_folder.get(folder.rpartition("/")[2].lower().removesuffix(".file"))
        if member is not None:
            return member
    return by_suffix.get(suffix)
