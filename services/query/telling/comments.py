"""Comments in the evidence that speak of the question: where code says why it is as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.heads import is_licence
from exegesis.model import ContextItem, Span
from exegesis.terms import question_terms, terms_of, words
from services.query.telling.branches import numbered_lines
from services.query.telling.wording import plain

_COMMENT: Final = re.compile(r"^\s*(?:///?|#+(?!if|else|endif|define|include)|--|/?\*+)[!\s]?(?P<text>.*?)(?:\*+/)?\s*$")


_RULER: Final = re.compile(r"([^\w\s`])\1{3,}")

_REASON: Final = re.compile(
    r"\b(?:because|since|so that|in order to|to (?:avoid|prevent|ensure|allow|keep|make sure)|otherwise|must not|workaround|due to|reason)\b",
    re.IGNORECASE,
)
"""Words with which comments give reasons; such a comment counts like one more word of the question."""


@dataclass(frozen=True, slots=True)
class Comment:
    item: ContextItem
    lines: Span
    text: str
    """As plain prose on one line."""
    subject: str
    """The line of code below it."""


def comments_on(question: str, items: Sequence[ContextItem], most: int) -> tuple[Comment, ...]:
    """The comments that say most of the question's words, themselves or in the line they stand above, and reasons; none that says no word.

    Best first, ties in the order of the evidence.
    """
    units = question_terms(question).units
    found: list[tuple[int, Comment]] = []
    for comment in (comment for item in items for comment in read_comments(item)):
        said = {term for word in words(f"{comment.text} {comment.subject}") for term in terms_of(word)}
        if hits := sum(any(spelling in said for spelling in unit) for unit in units):
            found.append((hits + bool(_REASON.search(comment.text)), comment))
    return tuple(comment for _, comment in sorted(found, key=lambda entry: -entry[0])[:most])


def read_comments(item: ContextItem) -> Iterator[Comment]:
    """Blocks of comment lines that follow one another."""
    block: list[tuple[int, str]] = []
    for number, line in [*numbered_lines(item), (0, "")]:
        match = _COMMENT.match(line)
        if match and (not block or block[-1][0] == number - 1):
            block.append((number, match["text"]))
            continue
        text = plain(" ".join(_RULER.sub("", text) for _, text in block))
        if len(text.split()) > 2 and not text.startswith("MARK:") and not is_licence(text):
            yield Comment(item, Span(block[0][0], block[-1][0]), text, line)
        block = [(number, match["text"])] if match else []
