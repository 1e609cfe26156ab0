"""What the comments above declarations say."""

from __future__ import annotations

import re
from collections.abc import Sequence

_REMARK = re.compile(r"(MARK|TODO|FIXME|swiftlint|swiftformat|sourcery)\b", re.IGNORECASE)
"""Ordinary comments that address tools, not readers."""

_DEPRECATED = re.compile(r"^\W*(- *)?\**deprecated\b", re.IGNORECASE | re.MULTILINE)


def read_doc(lines: Sequence[bytes], first: int, end: int) -> str:
    """What the comment lines in ``[first, end)`` say, without markers: doc comments where there are any, else ordinary ones."""
    documented: list[str] = []
    ordinary: list[str] = []
    block: list[str] | None = None
    for raw in lines[first:end]:
        line = raw.decode("utf-8", "replace").strip()
        if block is not None:
            ended = line.endswith("*/")
            block.append(line.removesuffix("*/").lstrip("*").strip())
            block = None if ended else block
        elif line.startswith("///"):
            documented.append(line.lstrip("/").strip())
        elif line.startswith("//"):
            text = line.lstrip("/").strip()
            if text and not _REMARK.match(text):
                ordinary.append(text)
        elif line.startswith("/*"):
            target = documented if line.startswith("/**") else ordinary
            target.append(line.removesuffix("*/").lstrip("/*").strip())
            block = None if line.endswith("*/") else target
    return "\n".join(documented or ordinary).strip()


def says_deprecated(doc: str) -> bool:
    return _DEPRECATED.search(doc) is not None
