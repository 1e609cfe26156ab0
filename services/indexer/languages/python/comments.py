"""Comments above declarations and docstrings inside them: where they start and what they say."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_REMARK = re.compile(r"(TODO|FIXME|XXX|type:|noqa|pylint|pragma|mypy|fmt:|-\*-|!)", re.IGNORECASE)
"""Comments that address tools, not readers."""

_RULE = re.compile(r"[-=#*~ ]*")

_DEPRECATED = re.compile(r"^\s*(?:\.\. deprecated::|:?deprecated\b)", re.IGNORECASE | re.MULTILINE)

_QUOTES = re.compile(r"^[a-zA-Z]{0,2}(\"\"\"|'''|\"|')(.*)\1$", re.DOTALL)


def start_of_comments(lines: Sequence[bytes], row: int, column: int) -> int:
    """Row (0-based) of the first of the comment lines directly above a declaration, at its indentation; its own row where there are none."""
    first = row
    while first > 0:
        above = lines[first - 1]
        if not above[column:].startswith(b"#") or above[:column].strip() or above.startswith(b"#!"):
            break
        first -= 1
    return first


def read_comments(lines: Sequence[bytes], first: int, end: int) -> str:
    """What the comment lines in ``[first, end)`` say, without markers."""
    said = []
    for raw in lines[first:end]:
        text = raw.decode("utf-8", "replace").strip().lstrip("#").strip()
        if text and not _REMARK.match(text) and not _RULE.fullmatch(text):
            said.append(text)
    return "\n".join(said)


def docstring(content: bytes, body: Node | None) -> str:
    """The string that a body begins with, without its indentation."""
    first = next((child for child in body.named_children if child.type != "comment"), None) if body is not None else None
    if first is None or first.type != "expression_statement" or len(first.named_children) != 1 or first.named_children[0].type != "string":
        return ""
    string = first.named_children[0]
    found = _QUOTES.match(content[string.start_byte : string.end_byte].decode("utf-8", "replace"))
    return inspect.cleandoc(found[2]) if found else ""


def says_deprecated(doc: str) -> bool:
    return _DEPRECATED.search(doc) is not None
