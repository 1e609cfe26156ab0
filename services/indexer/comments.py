"""Where the comments above a declaration begin, in languages that write them as ``//`` and ``/* */``. What they say is each language's own."""

from __future__ import annotations

from collections.abc import Sequence

_INDENTATION = 400
"""Bytes; what stands further right does not begin its line. Bounds the work on files of one line."""

_BLOCK_LINES = 400
"""Lines of a block comment that are searched for its start."""


def start_of_comments(lines: Sequence[bytes], row: int, column: int = 0) -> int:
    """Row (0-based) of the first of the comment lines that stand directly above a declaration; its own row where there are none.

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
