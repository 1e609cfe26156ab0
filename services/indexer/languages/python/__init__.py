"""Python 3 (and what its grammar takes of Python 2), on the grammar of tree-sitter-python."""

from __future__ import annotations

from services.indexer.language import Language, Source, Syntax


class Python(Language):
    name = "python"
    suffixes = (".py", ".pyi", ".pyw")
    version = 3

    def parse(self, source: Source) -> Syntax:
        from services.indexer.languages.python.source import read

        return read(source)
