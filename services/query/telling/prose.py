"""Documents among the evidence: which items are prose, and which of them are worth naming. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from exegesis.model import ContextItem

MOST_DOCUMENTS: Final = 3
MOST_OF_ONE_FILE: Final = 2
"""Sections of one document that are named: the best two say where to read on."""

_PROSE: Final = frozenset({"heading", "section"})
_CHRONICLE: Final = re.compile(r"(?:^|/)(?:change-?_?logs?|changes|history|news|release[-_ ]?notes?|releases)(?:[-_.\w]*)$", re.IGNORECASE)
"""Documents that list what was changed when: they name everything and explain nothing."""


_LEGAL: Final = re.compile(r"(?:^|/)(?:[\w.-]*(?:licen[cs]es?|notices?|copying|copyright|authors|patents))(?:\.\w+)?$", re.IGNORECASE)
"""Documents that say who may copy what: they explain nothing either."""


def is_prose(item: ContextItem) -> bool:
    return item.kind in _PROSE or item.path.lower().endswith((".md", ".markdown", ".rst", ".txt"))


def best_documents(items: Sequence[ContextItem]) -> Iterator[ContextItem]:
    """The best sections, few of one file."""
    of_file: dict[tuple[str, str], int] = {}
    chosen = 0
    for item in sorted(
        (item for item in items if is_prose(item) and not _CHRONICLE.search(item.path) and not _LEGAL.search(item.path)), key=lambda item: -item.score
    ):
        of_file[item.repository, item.path] = of_file.get((item.repository, item.path), 0) + 1
        if of_file[item.repository, item.path] <= MOST_OF_ONE_FILE and chosen < MOST_DOCUMENTS:
            chosen += 1
            yield item
