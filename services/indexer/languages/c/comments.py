"""What the comments above declarations say."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LICENCE = re.compile(r"copyright|licen[cs]e|all rights reserved", re.IGNORECASE)
"""Says whose a file is, not what the first declaration does."""

_DEPRECATED = re.compile(r"[@\\]deprecated\b|^\W*deprecated\b", re.IGNORECASE | re.MULTILINE)


def read_doc(lines: Sequence[bytes], first: int, end: int) -> str:
    """What the comment lines in ``[first, end)`` say, without markers; empty for a licence."""
    said: list[str] = []
    for raw in lines[first:end]:
        line = raw.decode("utf-8", "replace").strip()
        line = re.sub(r"^(?:///?<?|/\*+<?!?|\*+/?)\s?", "", line).removesuffix("*/").rstrip()
        if line or said:
            said.append(line)
    doc = "\n".join(said).strip()
    return "" if _LICENCE.search(doc[:600]) else doc


def says_deprecated(doc: str) -> bool:
    return _DEPRECATED.search(doc) is not None
