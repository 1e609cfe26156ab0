"""Key points: names that a context must contain to answer a question about a chain of calls.

A point names code in passing, such as ``(*Context).Abort() / abortIndex``. Its alternatives are divided by a slash, a dash or the word *or*; a point
is met when the name of one of them stands in the context as a whole word. Words in brackets behind a name explain it, and are not asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

_ALTERNATIVES: Final = re.compile(r"\s+(?:/|or|—)\s+")
_NAME: Final = re.compile(r"(?:\(\*?\w+\)\.|\w+\.)?([A-Za-z_]\w*)")
"""A name, perhaps of a member: of ``(*Engine).ServeHTTP`` and ``c.handlers`` the last part."""


def names_of(point: str) -> Iterator[str]:
    """The names any of which meets the point."""
    for alternative in _ALTERNATIVES.split(point.strip()):
        found = _NAME.match(alternative)
        if found and _is_code(alternative, found[1]):
            yield found[1]


def share_named(points: Iterable[str], text: str) -> float:
    """The share of the points of which the text says a name; points without any name in them are not counted. 0 if none is left."""
    asked = [names for point in points if (names := tuple(names_of(point)))]
    met = sum(any(re.search(rf"\b{re.escape(name)}\b", text) for name in names) for names in asked)
    return met / len(asked) if asked else 0.0


def _is_code(alternative: str, name: str) -> bool:
    """Not a word of prose: it is qualified or called, or has a capital within, or stands alone or before a bracket."""
    return "." in alternative.split(" ", maxsplit=1)[0] or "(" in alternative[: len(name) + 2] or not name.islower() or alternative == name
