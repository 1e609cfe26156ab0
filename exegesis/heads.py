"""What a file says of itself at its top, before it declares anything. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exegesis.model import Span

DEEPEST = 120
"""Lines within which a file speaks of itself; what comes later speaks of its parts."""

FEWEST_WORDS = 4
FEWEST_OF_A_PARAGRAPH = 6
"""Words; a shorter line of a document is a label."""

PARAGRAPHS = 12
"""Of a document, among which it says what it is about."""

_LINE = re.compile(r"^\s*(?://[/!]?|\*{1,3}|#+!?(?!\s*(?:if|else|endif|define|include|pragma)\b)|--|;+)\s?(?P<text>.*?)\s*(?:\*+/)?\s*\+?\s*$")
_OPENS = re.compile(r'^\s*(?:/\*+!?|[rR]?"""|[rR]?\'\'\')\s?(?P<text>.*)$')
_CLOSES = re.compile(r"\*/|\"\"\"|'''")
_LICENCE = re.compile(r"copyright|licen[sc]e|all rights reserved|permission is hereby|redistribut|warrant|\bSPDX\b", re.IGNORECASE)
_NOTHING = re.compile(r"^[\W_]*$|^\s*-\*-|coding[:=]|^\s*(?:eslint|ruff|flake8|mypy|pylint|swiftlint|clang-format|go:build|\+build)\b", re.IGNORECASE)
_NO_PROSE = ("#", "!", "[!", "[", "<", "|", "```", "-", "*", "=", "..", ":", ">", "$")
_DEFINES = re.compile(
    r"^\W*(?:the |this |it )?(?:[\w.*`-]+ ){1,3}(?:is|are) (?:an? |the |your )|\b(?:provides|implements|lets you|allows you to)\b", re.IGNORECASE
)
_CREATED = re.compile(r"^(?:\S+\.\w{1,10}|created by\b.*|(?:author|date|file|version|since)\s*:.*)$", re.IGNORECASE)
"""Lines that editors write: the file's name, who made it and when."""


@dataclass(frozen=True, slots=True)
class Head:
    lines: Span
    text: str


def head_of(lines: Sequence[tuple[int, str]]) -> Head | None:
    """The first comment among numbered lines that says something, licences and marks for tools left out; None where there is none."""
    for block in _blocks([(number, line) for number, line in lines if number <= DEEPEST]):
        said = [(number, text) for number, text in block if not _NOTHING.search(text) and not _CREATED.match(text.strip())]
        text = "\n".join(text for _, text in said)
        if len(text.split()) >= FEWEST_WORDS and not is_licence(text):
            return Head(Span(said[0][0], said[-1][0]), text)
    return None


def telling_paragraph(lines: Sequence[tuple[int, str]]) -> Head | None:
    """The paragraph of a document that says what something is, else its first; headings, pictures, badges, lists and code left out."""
    found: list[Head] = []
    block: list[tuple[int, str]] = []
    fenced = False
    for number, line in [*lines, (0, "")]:
        text = line.strip()
        fenced ^= text.startswith("```")
        if text and not fenced and not text.startswith(_NO_PROSE) and len(text.split()) > 1:
            block.append((number, text))
            continue
        if sum(len(text.split()) for _, text in block) >= FEWEST_OF_A_PARAGRAPH:
            found.append(Head(Span(block[0][0], block[-1][0]), "\n".join(text for _, text in block)))
        block = []
    return next((head for head in found[:PARAGRAPHS] if _DEFINES.search(head.text)), found[0] if found else None)


def is_licence(text: str) -> bool:
    return _LICENCE.search(text) is not None


def _blocks(lines: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Comments as paragraphs: lines that follow one another, without their marks; an empty line of comment ends one."""
    block: list[tuple[int, str]] = []
    inside = False
    before = 0
    for number, line in lines:
        text = _text(line, inside=inside)
        opens = not inside and _OPENS.match(line)
        if opens:
            text, inside = opens["text"], True
            if _CLOSES.search(text):
                text, inside = _CLOSES.split(text)[0], False
        elif inside and _CLOSES.search(line):
            text, inside = _text(_CLOSES.split(line)[0], inside=True), False
        if block and (text is None or not text.strip() or number != before + 1):
            yield block
            block = []
        if text is not None and text.strip():
            block.append((number, text.strip()))
        before = number
    if block:
        yield block


def _text(line: str, *, inside: bool) -> str | None:
    """Of a line of comment what it says; None for anything else."""
    match = _LINE.match(line)
    if match:
        return match["text"]
    return line.strip() if inside else None
