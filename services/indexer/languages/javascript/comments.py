"""What the comments above declarations say."""

from __future__ import annotations

import re
from collections.abc import Sequence

_REMARK = re.compile(r"(TODO|FIXME|XXX|eslint|prettier|@?ts-|tslint|istanbul|c8 |v8 |#region|#endregion|biome-|webpack|global )", re.IGNORECASE)
"""Comments that address tools, not readers."""

_RULE = re.compile(r"[-=*/~ ]*")
_DEPRECATED = re.compile(r"^\s*@?deprecated\b", re.IGNORECASE | re.MULTILINE)


def read_doc(lines: Sequence[bytes], first: int, end: int) -> str:
    """What the comment lines in ``[first, end)`` say, without markers: the last block for tools of documentation where there is one, else all."""
    documented: list[str] = []
    ordinary: list[str] = []
    target: list[str] | None = None
    for raw in lines[first:end]:
        line = raw.decode("utf-8", "replace").strip()
        if target is not None:
            ended = line.endswith("*/")
            target.append(line.removesuffix("*/").removeprefix("*").strip())
            target = None if ended else target
        elif line.startswith("//"):
            text = line.lstrip("/").strip()
            if text and not _REMARK.match(text) and not _RULE.fullmatch(text):
                ordinary.append(text)
        elif line.startswith("/*"):
            if line.startswith("/**"):
                documented.clear()
            target = documented if line.startswith("/**") else ordinary
            text = line.removesuffix("*/").lstrip("/*").strip()
            if not _REMARK.match(text):
                target.append(text)
            target = None if line.endswith("*/") else target
    return "\n".join(documented or ordinary).strip()


def says_deprecated(doc: str) -> bool:
    return _DEPRECATED.search(doc) is not None
