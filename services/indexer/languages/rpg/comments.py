"""Comments: the blocks that belong to what follows, as documentation, and what they say about deprecation."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from services.indexer.languages.rpg.lines import Form, Line

FARTHEST = 80
"""Lines of comment that may belong to a declaration. The longest of 400 in real sources has 61; what is longer is a file's licence or dead code."""

LONGEST = 400
"""Characters of a comment line that are read."""

GAP = 2
"""Blank lines that may stand between a comment and what it is about."""

_MARK = re.compile(r"[ \t]*(?:/+|\*+)[ \t]?")
_RULE = re.compile(r"[\W_]*")
_BEGINS = re.compile(r"[*|+=\-#~]{3,}[ \t]*")
_ENDS = re.compile(r"[\s*/|+=\-#~]{3,}$|\s*\*+/?$")
_DEPRECATED = re.compile(r"^\W*(?:@?deprecated\b|obsolete\b)|\b(?:is|are|been|now)\s+(?:deprecated|obsolete)\b", re.IGNORECASE | re.MULTILINE)


_RIGHTS = re.compile(r"copyright|\(c\)|licen[cs]e|all rights", re.IGNORECASE)
_CONTROL = re.compile(r"[ \t]*ctl-opt\b", re.IGNORECASE)
_QUIET = frozenset({Form.BLANK, Form.COMMENT, Form.CONTROL, Form.DIRECTIVE})
"""What may stand above the heading of a file."""


class Comments:
    """The comment lines of a file, to be asked for the block above a line."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines

    def above(self, line: int, floor: int) -> int:
        """First line of the comments that lead to a declaration which starts on a line (1-based); that line itself where there are none.

        ``floor`` is the last line of what came before. The whole of the comments between two declarations belongs to the second, as far as
        blank lines do not set them apart; at the top of a file only the nearest block does, since the first is its heading.
        """
        first = line
        at = line - 1
        blanks = 0
        while at > floor and line - at <= FARTHEST:
            form = self._form(at)
            if form is Form.COMMENT:
                if blanks > GAP or (blanks and floor <= 0 and first != line):
                    break
                blanks = 0
                first = at
            elif form is Form.BLANK:
                blanks += 1
            elif form is Form.DIRECTIVE and first == line and self._is_quiet(at):
                pass
            else:
                break
            at -= 1
        return first

    def text(self, start: int, end: int) -> str:
        """What the comments from a line up to before another say, without marks and rules."""
        found: list[str] = []
        for number in range(start, end):
            line = self._lines[number - 1] if number - 1 < len(self._lines) else None
            if line is None or line.form is not Form.COMMENT:
                continue
            words = plain(line)
            if words or (found and found[-1]):
                found.append(words)
        while found and not found[-1]:
            found.pop()
        return textwrap.dedent("\n".join(found))

    def heading(self) -> str:
        """What the comment at the top of a file says; empty where none stands there, and where it only gives rights away."""
        start = next((line.number for line in self._lines if line.form is Form.COMMENT and plain(line)), 0)
        before = self._lines[: max(start - 1, 0)]
        if not start or any(line.form not in _QUIET and not _CONTROL.match(line.text) for line in before):
            return ""
        end = next((line.number for line in self._lines[start:] if line.form is not Form.COMMENT), len(self._lines) + 1)
        said = self.text(start, min(end, start + FARTHEST))
        return "" if _RIGHTS.search(said) else said

    def _form(self, number: int) -> Form | None:
        return self._lines[number - 1].form if 0 < number <= len(self._lines) else None

    def _is_quiet(self, number: int) -> bool:
        """Directives that change how code is written and not whether it is there."""
        line = self._lines[number - 1]
        word = line.text[line.start + 1 :].strip().lower()
        return word.startswith(("free", "end-free", "eject", "space", "title"))


def plain(line: Line) -> str:
    """The words of a comment line."""
    text = line.text[line.start : line.start + LONGEST]
    mark = _MARK.match(text)
    words = text[mark.end() :] if mark else text
    words = _ENDS.sub("", _without_rule(words.rstrip())).rstrip()
    return "" if _RULE.fullmatch(words) else words


def _without_rule(words: str) -> str:
    """``=== Main ===`` begins with a rule."""
    rule = _BEGINS.match(words)
    return words[rule.end() :] if rule else words


def says_deprecated(doc: str) -> bool:
    """Whether a comment says so of what it stands above, not merely mentions that something is."""
    return _DEPRECATED.search(doc) is not None
