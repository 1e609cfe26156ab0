"""Code that takes part in a story without adding to it: accessors, initialisers that only store, forwards. Read from the lines. Pure."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final

from exegesis.model import ContextItem
from services.query.flow import is_description
from services.query.telling.columns import say_lines, stands_in_columns

LONGEST_LINE: Final = 500
"""Characters. Longer lines are data or machine-made and say nothing that can be read."""

SHORT: Final = 4
"""Statements of a property that nobody found worth a comment, and that only reads and writes something."""

_COMMENT: Final = re.compile(r"^\s*(?://|#(?!if|else)|\*|/\*|--|\"\"\"|@\w+(?:\([^)]*\))?\s*$)")
_ASSIGNMENT: Final = re.compile(r"^(?:self\.|this\.|@)?\w+\s*=\s*[\w.?!]+(?:\(\))?$|^super\.init\(.*\)$")
_FORWARD: Final = re.compile(r"^(?:return\s+)?(?:try[?!]?\s+)?(?:await\s+)?[\w.?!]+\(.*\)(?:\.\w+)*$")
_FRAMES: Final = frozenset({"get {", "set {", "end", "else", "} else {", "didSet {", "willSet {"})
_STORED: Final = frozenset({"case", "property", "variable"})


def body_of(item: ContextItem) -> tuple[str, ...]:
    """Statements of a body, one a line, without comments, signature and lone brackets; of ``{ x }`` on one line the ``x``."""
    return () if is_description(item) else _body(item.path, item.text)


def is_trivial(item: ContextItem) -> bool:
    """Nothing but a value: stored properties, one-line accessors, initialisers that only store what they are given."""
    body = body_of(item)
    if item.kind in _STORED:
        return len(body) <= (1 if item.doc else SHORT)
    if item.kind in {"initializer", "deinitializer"}:
        return all(_ASSIGNMENT.match(statement) for statement in body)
    return False


def forwards(item: ContextItem) -> bool:
    """Whether all it does is to call something else."""
    body = body_of(item)
    return len(body) == 1 and bool(_FORWARD.match(body[0]))


@functools.lru_cache(maxsize=1024)
def _body(path: str, text: str) -> tuple[str, ...]:
    """Explanation, outline and diagram of an answer, and each weighing in them, look at the same pieces."""
    return tuple(_statements(path, text))


def _statements(path: str, text: str) -> Iterator[str]:
    if stands_in_columns(path):
        yield from (line for line in say_lines(text.split("\n")) if line and line != "}" and not line.startswith("//"))
        return
    inside = False
    for raw in text.split("\n"):
        line = raw.strip()
        if not line or len(line) > LONGEST_LINE or _COMMENT.match(line):
            continue
        if not inside:
            opened = re.search(r"\{(?P<rest>[^{}]*)\}\s*$", line)
            if opened:
                inside = True
                if opened["rest"].strip():
                    yield opened["rest"].strip()
            elif line.endswith(("{", "in", ":")) or line == "{":
                inside = True
            continue
        if line.strip("{}()[];,") and line not in _FRAMES:
            yield line
