"""Comments above declarations: where they start and what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence

_INDENTATION = 400
"""Bytes; what stands further right does not begin its line. Bounds the work on files of one line."""

_BLOCK_LINES = 400
"""Lines of a block comment that are searched for its start."""

_REMARK = re.compile(r"(TODO|FIXME|XXX|eslint|prettier|@?ts-|tslint|istanbul|c8 |v8 |#region|#endregion|biome-|webpack|global )", re.IGNORECASE)
"""Comments that address tools, not readers."""

_RULE = re.compile(r"[-=*/~ ]*")
_DEPRECATED = re.compile(r"^\s*@?deprecated\b", re.IGNORECASE | re.MULTILINE)


def start_of_comments(lines: Sequence[bytes], row: int, column: int) -> int:
    """Row (0-based) of the first of the comment lines directly above a declaration; its own row where there are none.

    A declaration that shares its line with what precedes it has none: they belong to that.
    """
    if column > _INDENTATION or lines[row][:column].strip():
        return row
    first = row
    while first > 0:
        above = lines[first - 1].strip()
        if above.startswith(b"//"):
            first -= 1
        elif above.endswith(b"*/"):
            start = _start_of_block(lines, first - 1)
            if start is None:
                break
            first = start
        else:
            break
    return first


def _start_of_block(lines: Sequence[bytes], row: int) -> int | None:
    for candidate in range(row, max(-1, row - _BLOCK_LINES), -1):
        line = lines[candidate]
        if b"/*" in line:
            return candidate if line.lstrip().startswith(b"/*") else None
    return None


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
