"""How a piece of evidence is sent to a model: the line above it, and its text below. One place for who composes, and counts it, and for who writes
the prompt, so that what is sent of the evidence stays within the budget.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from exegesis.model import Span
from services.query.excerpt import estimate_tokens, with_gaps

_ANY_NAME: Final = "E100"
_UNSEEN: Final = r"[\x00-\x08\x0e-\x1f\x7f\xad\u200b-\u200f\ufeff]*"
_LIKE_OURS: Final = re.compile(rf"(?:^|(?<=[\r\v\f\x1c-\x1e\x85\u2028\u2029]))(?={_UNSEEN}\[(?:E\d|Part:))", re.MULTILINE | re.IGNORECASE)
"""At the beginning of a line, whatever ends the one before, and whatever stands before it that nobody sees."""


def heading(name: str, path: str, runs: Sequence[Span], symbol: str, *, is_described: bool = False) -> str:
    """``[E3] Sources/Net/Session.swift:40-63 Session.request(_:)``, on one line, whatever a path or a name holds. The lines are the first and the
    last: where something is left out between, the text has a line that says so, and to list the runs of a type would cost as much as a method of it.
    """
    kind = "description made from the declarations of " if is_described else ""
    return f"[{name}] " + " ".join(f"{path}:{runs[0].start}-{runs[-1].end} {kind}{symbol}".split())


def title(text: str) -> str:
    """The line above pieces that belong together."""
    return f"[Part: {text}]"


def without_headings(text: str) -> str:
    """A piece in which no line begins like one of ours: such a line is indented by a blank."""
    return _LIKE_OURS.sub(" ", text)


def without_mark(text: str, mark: str) -> str:
    """A text that holds the mark nowhere, however it was put together."""
    while mark in text:
        text = text.replace(mark, "")
    return text


def text_below(text: str, runs: Sequence[Span], *, is_described: bool) -> str:
    """The text of a piece, with its gaps and without lines like ours; a description shows no lines, so it has no gaps. It ends with its last line."""
    return without_headings(text if is_described else with_gaps(text, runs)).rstrip() + "\n"


def tokens_as_sent(text: str, path: str, runs: Sequence[Span], symbol: str, *, is_described: bool) -> int:
    """What a piece costs at most, with its heading and the ends of both."""
    above = heading(_ANY_NAME, path, runs, symbol, is_described=is_described)
    return estimate_tokens(text_below(text, runs, is_described=is_described)) + estimate_tokens(f"{above}\n\n")
