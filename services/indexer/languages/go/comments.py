"""Comments above declarations: where they start and what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DIRECTIVE = re.compile(r"//(?:[a-z]+:\S|\s*(?:nolint|lint:|\+build\b))")
"""Comments that address tools, not readers."""

_DEPRECATED = re.compile(r"^Deprecated:", re.MULTILINE)


def start_of_comments(lines: Sequence[bytes], row: int) -> int:
    """Row (0-based) of the first of the comment lines that stand directly above a declaration; its own row where there are none."""
    first = row
    while first > 0 and lines[first - 1].lstrip().startswith(b"//"):
        first -= 1
    if first == row and first > 0 and lines[first - 1].rstrip().endswith(b"*/"):
        for candidate in range(first - 1, max(-1, first - 400), -1):  # longer blocks are licences, not documentation
            if lines[candidate].lstrip().startswith(b"/*"):
                return candidate
            if b"/*" in lines[candidate]:
                break
    return first


def read_doc(lines: Sequence[bytes], first: int, end: int) -> str:
    """What the comment lines in ``[first, end)`` say, without markers and without directives."""
    said = []
    for raw in lines[first:end]:
        line = raw.decode("utf-8", "replace").strip()
        if line.startswith("//"):
            if not _DIRECTIVE.match(line):
                said.append(line[2:].strip())
        else:
            said.append(line.removeprefix("/*").removesuffix("*/").strip().lstrip("*").strip())
    return "\n".join(said).strip()


def says_deprecated(doc: str) -> bool:
    """As the language's own tools read it: a paragraph that begins with the word."""
    return _DEPRECATED.search(doc) is not None
