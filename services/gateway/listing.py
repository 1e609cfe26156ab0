"""Long lists, cut into pages that fit into messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from exegesis.model import SourceFile

FILES_A_PAGE: Final = 4_000
"""A path has 200 characters where it is long, and a digest 64: a megabyte, of the four that a message may have."""


def page_of(files: Iterable[SourceFile], after: str, most: int = FILES_A_PAGE) -> tuple[Sequence[SourceFile], bool]:
    """The first files after that path, in the order of their paths, and whether there are more."""
    rest = sorted((file for file in files if file.path > after), key=lambda file: file.path)
    return rest[:most], len(rest) > most
