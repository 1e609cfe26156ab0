"""Where code decides: conditions under which it stops, throws or returns, read from its lines by keywords.

Deliberately shallow and the same for all languages whose statements begin with these words: it says what a reader sees on the line, in the order
of the lines, and nothing about what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from exegesis.model import ContextItem
from services.query.flow import is_description
from services.query.telling.columns import say_lines, stands_in_columns


class Outcome(StrEnum):
    THROWS = "throws"
    RETURNS = "returns"
    STOPS = "stops"
    """Ends the program or the loop."""
    REPEATS = "repeats"


@dataclass(frozen=True, slots=True)
class Branch:
    line: int
    condition: str
    """As written; empty when nothing on the lines before says when."""
    negated: bool
    """It happens unless the condition holds."""
    outcome: Outcome
    value: str
    """What is thrown or returned, as written; empty for nothing."""


LONGEST_CODE: Final = 72
"""Characters of code that are quoted within a sentence; longer conditions say too much at once."""

REACH: Final = 4
"""Lines after a condition within which its consequence must stand: early exits are short."""

LONGEST_LINE: Final = 500
"""Characters. Longer lines are data or machine-made, and nobody reads a condition in them."""

_COMMENT: Final = re.compile(r"^\s*(?://|#(?!if|else)|\*|/\*|--|\"\"\")")
_CONDITION: Final = (
    # (pattern, negated); the first that matches a line opens a condition
    (re.compile(r"^\s*guard\s+(?P<condition>.+?)\s+else\b"), True),
    (re.compile(r"^\s*guard\s+(?P<condition>.+)$"), True),
    (
        re.compile(
            r"^\s*(?:\}\s*)?(?:else\s+if|if|elif|elsif)\b\s*(?P<condition>[^{]+?)\s*(?:\{|:\s*$|:\s(?=raise|return)|\bthen\b|$)", re.IGNORECASE
        ),
        False,
    ),
    (re.compile(r"^\s*unless\s+(?P<condition>.+?)\s*$"), True),
    (re.compile(r"^\s*(?:\}\s*)?(?:catch|except|rescue)\b\s*(?P<condition>[^{:]*)"), False),
    (re.compile(r"^\s*(?P<condition>case\s+[^:]+):"), False),
)
_FAILURE: Final = re.compile(r"^\s*(?:\}\s*)?(?:catch|except|rescue)\b")
_EXIT: Final = (
    (re.compile(r"(?:^|[{:;]\s*|\s)(?:throw|raise)\s+(?P<value>[^;}]+)"), Outcome.THROWS),
    (re.compile(r"(?:^|[{:;]\s*)\s*return\b\s*(?P<value>[^;}]*)"), Outcome.RETURNS),
    (re.compile(r"(?:^|[{:;]\s*)\s*(?P<value>fatalError|preconditionFailure|panic|exit|abort)\s*\("), Outcome.STOPS),
)
_REMARK: Final = re.compile(r"\s*/\*.*?\*/|\s//.*")
_STATEMENT: Final = re.compile(r"^\s*(?:\}\s*)?(?:else\s+)?(?:guard|if|while|unless|elif)\b")
_LOOP: Final = re.compile(
    r"^\s*(?:for\s+(?:await\s+)?(?P<each>.+?)\s+in\s+(?P<values>[^{]+?)|(?:while|until)\s+(?P<condition>[^{]+?))\s*(?:\{|:\s*$|$)"
)


def read_branches(item: ContextItem) -> tuple[Branch, ...]:
    """The decisions in the lines of an item, in order."""
    return tuple(_branches(tuple(said_lines(item))))


def said_lines(item: ContextItem) -> Iterator[tuple[int, str]]:
    """Each line of an item with its number, as it is said where code stands in columns."""
    lines = numbered_lines(item)
    if not stands_in_columns(item.path):
        return lines
    known = list(lines)
    numbers, written = zip(*known, strict=True) if known else ((), ())
    return ((number, said) for number, said in zip(numbers, say_lines(written), strict=True) if said)


def numbered_lines(item: ContextItem) -> Iterator[tuple[int, str]]:
    """Each line of an item with its number in the file; none of what is no text of a file."""
    if is_description(item):
        return
    lines = iter(item.text.split("\n"))
    for run in item.runs:
        for number in range(run.start, run.end + 1):
            yield number, next(lines, "")


def _quoted(lines: Sequence[tuple[int, str]]) -> set[int]:
    """Lines of texts between three quotes: an "if" in a docstring decides nothing. None in a run that shows only one end of such a text."""
    found: set[int] = set()
    inside: set[int] = set()
    opened, before = False, 0
    for number, line in [*lines, (0, "")]:
        if number != before + 1:
            found |= set() if opened else inside
            inside, opened = set(), False
        before = number
        toggles = (line.count('"""') + line.count("'''")) % 2 == 1
        if opened or toggles:
            inside.add(number)
        opened ^= toggles
    return found


def _branches(lines: Sequence[tuple[int, str]]) -> Iterator[Branch]:
    quoted = _quoted(lines)
    for first, (number, written) in enumerate(lines):
        if len(written) > LONGEST_LINE or _COMMENT.match(written) or number in quoted:
            continue
        line, last = _whole(lines, first)
        if loop := _LOOP.match(line):
            yield Branch(number, _shorten(loop["condition"] or f"{loop['each']} in {loop['values']}"), False, Outcome.REPEATS, "")
            continue
        opened = _condition(line)
        if opened is None:
            continue
        condition, negated, failure = opened
        found = _consequence([(number, line), *lines[last + 1 : last + REACH]])
        if found is not None and (condition or failure):
            outcome, value = found
            yield Branch(number, condition or "an error is caught", negated, outcome, value)


def _whole(lines: Sequence[tuple[int, str]], first: int) -> tuple[str, int]:
    """A statement that is broken after a comma or an operator, on one line, and the index of its last line."""
    line, last = lines[first][1], first
    while last + 1 < len(lines) and last - first < REACH and line.rstrip().endswith((",", "&&", "||", "guard")) and _STATEMENT.match(line):
        last += 1
        line = f"{line.rstrip()} {lines[last][1].strip()}"
    return line, last


def _condition(line: str) -> tuple[str, bool, bool] | None:
    for pattern, negated in _CONDITION:
        if match := pattern.match(line):
            return _shorten(match["condition"]), negated, bool(_FAILURE.match(line))
    return None


def _consequence(lines: Sequence[tuple[int, str]]) -> tuple[Outcome, str] | None:
    """The first way out within the block that the first of the lines opens."""
    for offset, (_, line) in enumerate(lines):
        if _COMMENT.match(line):
            continue
        if offset and (_condition(line) is not None or line.strip() in {"}", "end"}):
            return None
        for pattern, outcome in _EXIT:
            if match := pattern.search(line):
                return outcome, _shorten(match["value"])
    return None


def _shorten(code: str) -> str:
    flat = _REMARK.sub("", " ".join(code.split())).strip(" ,{")
    if flat.startswith("(") and flat.endswith(")") and flat.count("(") == flat.count(")") == 1:
        flat = flat[1:-1].strip()
    return flat if len(flat) <= LONGEST_CODE else flat[: LONGEST_CODE - 1].rstrip() + "…"
