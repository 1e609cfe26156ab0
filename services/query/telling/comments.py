"""Comments in the evidence that speak of the question: where code says why it is as it is."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.heads import is_licence
from exegesis.model import ContextItem, Span
from exegesis.terms import question_terms, terms_of, words
from services.query.telling.branches import numbered_lines, quoted_lines
from services.query.telling.wording import plain

_COMMENT: Final = re.compile(r"^\s*(?:///?|#+(?!if|else|endif|define|include)|--|/?\*+/?)[!\s]?(?P<text>.*?)(?:\*+/)?\s*$")


_RULER: Final = re.compile(r"([^\w\s`])\1{3,}")

_REASON: Final = re.compile(
    r"\b(?:because|since|so that|in order to|to (?:avoid|prevent|ensure|allow|keep|make sure)|otherwise|must not|workaround|due to|reason)\b",
    re.IGNORECASE,
)
"""Words with which comments give reasons."""
REASON: Final = 1.5
"""What these make of the worth of a comment."""


@dataclass(frozen=True, slots=True)
class Comment:
    item: ContextItem
    lines: Span
    text: str
    """As plain prose on one line."""
    subject: str
    """The line of code below it."""


def comments_on(question: str, items: Sequence[ContextItem], most: int) -> tuple[Comment, ...]:
    """The comments that say most of the question's words, themselves or in the line they stand above, and reasons; none that says no word, and none
    twice. A word says the more the fewer of the comments have it.

    Best first, ties in the order of the evidence.
    """
    units = question_terms(question).units
    read = [comment for item in items for comment in read_comments(item)]
    comments = list({comment.text: comment for comment in reversed(read)}.values())[::-1]
    said = [_units_said(comment, units) for comment in comments]
    bearers = Counter(itertools.chain.from_iterable(said))
    rarity = {unit: math.log(1 + len(comments) / number) for unit, number in bearers.items()}
    worth = [sum(rarity[unit] for unit in found) for found in said]
    worth = [value * (REASON if _REASON.search(comment.text) else 1) for comment, value in zip(comments, worth, strict=True)]
    best = sorted(range(len(comments)), key=lambda at: -worth[at])
    return tuple(comments[at] for at in best[:most] if worth[at] > 0)


def _units_said(comment: Comment, units: Sequence[Sequence[str]]) -> list[int]:
    """Which words of a question a comment says."""
    said = {term for word in words(f"{comment.text} {comment.subject}") for term in terms_of(word)}
    return [number for number, unit in enumerate(units) if any(spelling in said for spelling in unit)]


def read_comments(item: ContextItem) -> Iterator[Comment]:
    """Blocks of comment lines that follow one another. What looks like one within a text over several lines is an example."""
    lines = list(numbered_lines(item))
    quoted = quoted_lines(lines)
    block: list[tuple[int, str]] = []
    for number, line in [*lines, (0, "")]:
        match = _COMMENT.match(line) if number not in quoted else None
        if match and (not block or block[-1][0] == number - 1):
            block.append((number, match["text"]))
            continue
        text = plain(" ".join(_RULER.sub("", text) for _, text in block))
        if len(text.split()) > 2 and not text.startswith("MARK:") and not is_licence(text):
            yield Comment(item, Span(block[0][0], block[-1][0]), text, line)
        block = [(number, match["text"])] if match else []
