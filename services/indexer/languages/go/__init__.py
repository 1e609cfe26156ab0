"""Go, on the grammar of tree-sitter-go."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from services.indexer.language import Language, Source, Syntax

_MODULE = re.compile(r"^\s*module\s+(\S+)", re.MULTILINE)


class Go(Language):
    """Go 1.18 and later: functions, methods on the types they belong to, structs, interfaces, constants and variables of packages."""

    name = "go"
    suffixes = (".go",)
    version = 2
    manifests = ("go.mod",)

    def parse(self, source: Source) -> Syntax:
        from services.indexer.languages.go.source import read

        return read(source)

    def modules(self, manifests: Mapping[str, str], paths: Sequence[str]) -> Mapping[str, str]:
        """The import path of each file's package: that of the nearest module around it, and the folders below. Without a module, its folder."""
        roots: dict[str, str] = {}
        for path, text in manifests.items():
            declared = _MODULE.search(text)
            if declared:
                roots[path.rpartition("/")[0]] = declared[1].strip('"')
        return {path: _package(path.rpartition("/")[0], roots) for path in paths}


def _package(folder: str, roots: Mapping[str, str]) -> str:
    around = folder
    while True:
        if around in roots:
            below = folder[len(around) :].strip("/")
            return f"{roots[around]}/{below}" if below else roots[around]
        if not around:
            return folder or "."
        around = around.rpartition("/")[0]
