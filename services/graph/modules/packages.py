"""Modules that are folders: all files of a package are one, and an import names the package by its path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.graph.modules import Files


class FolderPackages:
    """The module of a file is the path of its package, as the language's manifests tell."""

    def names_of(self, path: str, module: str) -> Iterable[str]:  # noqa: ARG002 - the package says where the file is
        return (module,) if module else ()

    def find(self, text: str, path: str, files: Files) -> tuple[str, ...]:  # noqa: ARG002 - the same from everywhere
        return tuple(files.called(text))

    def inner(self, module: Sequence[str], name: str, files: Files) -> tuple[str, ...]:  # noqa: ARG002 - packages are named whole
        return ()
