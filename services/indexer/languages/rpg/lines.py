"""Physical lines of RPG, each with the form it is written in. Columns are 0-based here and count characters, as RPG's own count attribute bytes.

Three layouts occur, often in one file: specifications, whose letter stands in column 6; free statements in columns 8 to 80 of lines with a blank
there; and files that begin with ``**FREE``, which have no columns. RPG III differs in where calculations keep their fields.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LAST = 80
"""Columns from here on hold comments, dates and sequence numbers, except in free files."""

LONGEST = 20_000
"""Characters of a line that are read. RPG allows 32,766 in a free file, and what people write has a few hundred."""


class Form(enum.Enum):
    """How a line, or the statement that begins on it, is to be read."""

    BLANK = enum.auto()
    COMMENT = enum.auto()
    DIRECTIVE = enum.auto()
    FREE = enum.auto()
    CONTROL = enum.auto()
    FILE = enum.auto()
    DEFINITION = enum.auto()
    PROCEDURE = enum.auto()
    CALCULATION = enum.auto()
    SQL = enum.auto()
    LAYOUT = enum.auto()
    """Input, output, extension and line counter specifications: they describe records and call nothing."""


_FORMS = {
    "H": Form.CONTROL,
    "F": Form.FILE,
    "D": Form.DEFINITION,
    "P": Form.PROCEDURE,
    "C": Form.CALCULATION,
    "I": Form.LAYOUT,
    "O": Form.LAYOUT,
    "E": Form.LAYOUT,
    "L": Form.LAYOUT,
}

_FREE_FILE = re.compile(r"\s*\*\*free", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r"/[ \t]*(?:copy|include|free|end-free|if|elseif|else|endif|define|undefine|eof|title|eject|space|set|restore|exec|end-exec)\b", re.IGNORECASE
)
_UNINDENTED = re.compile(r" {0,5}(?:dcl-[a-z]|ctl-opt\b|end-proc\b|begsr\b)", re.IGNORECASE)
_SPECIFICATION = re.compile(r"[^A-Za-z]{5}[HFDPCIO][ *\w/+]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    """1-based."""
    form: Form
    text: str
    """With tabs expanded, cut where RPG stops reading."""
    start: int = 0
    """Column where a free statement, a directive or SQL may begin."""


def read_lines(raw: Sequence[str]) -> Iterator[Line]:
    """Each line that holds code, up to compile-time data. ``raw`` are the lines of a file without their ends."""
    free = is_free(raw)
    for number, written in enumerate(raw, 1):
        text = written[:LONGEST]
        if "\t" in text:
            text = text.expandtabs(8)
        if text.startswith("**") and text[2:3] != "*":
            if _FREE_FILE.match(text):
                yield Line(number, Form.BLANK, "")
                continue
            if text[2:].strip():
                return
        if text[-1:] == "\r":
            text = text[:-1]
        yield _read_free(number, text) if free else _read_fixed(number, text)


def is_free(raw: Sequence[str]) -> bool:
    """Whether a file has no columns: it says so, or its declarations begin where no column can hold them."""
    first = next((line for line in raw if line.strip()), "")
    if _FREE_FILE.match(first):
        return True
    unindented = sum(1 for line in raw if _UNINDENTED.match(line))
    return bool(unindented) and unindented > sum(1 for line in raw if _SPECIFICATION.match(line) and not _UNINDENTED.match(line))


def _read_free(number: int, text: str) -> Line:
    code = text.lstrip()
    if not code:
        return Line(number, Form.BLANK, "")
    start = len(text) - len(code)
    if code.startswith("//"):
        return Line(number, Form.COMMENT, text, start)
    if code[0] == "/" and _DIRECTIVE.match(code):
        return Line(number, Form.DIRECTIVE, text, start)
    return Line(number, Form.FREE, text, start)


def _read_fixed(number: int, text: str) -> Line:
    text = text[:LAST]
    if not text[5:].strip():
        return Line(number, Form.BLANK, "")
    letter, mark = text[5], text[6:7]
    if mark == "*" or letter == "*":
        return Line(number, Form.COMMENT, text, 6)
    if mark == "/" and _DIRECTIVE.match(text, 6):
        return Line(number, Form.DIRECTIVE, text, 6)
    form = _FORMS.get(letter.upper())
    if form is not None:
        if mark == "+" and form is Form.CALCULATION:
            return Line(number, Form.SQL, text, 7)
        return Line(number, form, text)
    begin = 6 if letter == " " else 0
    code = text[begin:].lstrip()
    start = len(text) - len(code)
    if not code or code.startswith("//"):
        return Line(number, Form.COMMENT, text, start)
    if code[0] == "/" and _DIRECTIVE.match(code):
        return Line(number, Form.DIRECTIVE, text, start)
    if begin == 0:
        return Line(number, Form.COMMENT, text, start)  # neither a letter nor blank: no compiler reads this as code
    return Line(number, Form.FREE, text, start)
