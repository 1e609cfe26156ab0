"""Swift, on the grammar of tree-sitter-swift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.indexer.language import Language, Source, Syntax


class Swift(Language):
    """Swift 5 and 6."""

    name = "swift"
    suffixes = (".swift",)
    version = 4
    manifests = ("Package.swift",)

    def parse(self, source: Source) -> Syntax:
        from services.indexer.languages.swift.source import read

        return read(source)

    def modules(self, manifests: Mapping[str, str], paths: Sequence[str]) -> Mapping[str, str]:
        from services.indexer.languages.swift.source import modules

        return modules(manifests, paths)
