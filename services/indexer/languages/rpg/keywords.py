"""Keywords of definitions: which are there and what stands in their parentheses."""

from __future__ import annotations

import re

_KEYWORD = re.compile(r"'(?:[^']|'')*'?|(?P<word>[A-Za-z][\w-]*)[ \t]*(?P<open>\()?|(?P<bracket>[()])")
_LITERAL = re.compile(r"'((?:[^']|'')*)'?")
_JOINED = re.compile(r"[+-][ \t]+")


def keywords(text: str) -> dict[str, str]:
    """Keywords in capitals, each with what its parentheses hold (empty without). The first of a name counts."""
    found: dict[str, str] = {}
    depth = 0
    word, start = "", 0
    for match in _KEYWORD.finditer(text):
        if match["word"]:
            if depth == 0:
                word = match["word"].upper()
                found.setdefault(word, "")
                start = match.end()
            if match["open"]:
                depth += 1
        elif match["bracket"] == "(":
            depth += 1
        elif match["bracket"] == ")" and depth:
            depth -= 1
            if depth == 0 and word and not found[word]:
                found[word] = text[start : match.start()].strip()
    if depth and word and not found[word]:
        found[word] = text[start:].strip()
    return found


def external(inside: str) -> str:
    """The name that EXTPROC or EXTPGM gives; empty for none, for ``*DCLCASE`` and for methods of classes.

    ``*CL:'x'``, ``*CNOWIDEN:'x'`` and the like say how to call, and then what.
    """
    parts = [part.strip() for part in inside.split(":")]
    if parts[0].upper() == "*JAVA":
        return ""
    match = _LITERAL.match(parts[-1])
    if match is not None:
        return _JOINED.sub("", match.group(1)).strip().rpartition("/")[2]
    return "" if parts[-1].startswith("*") else parts[-1]


def literal(text: str) -> str:
    """The literal that stands first in a text, without its quotes; empty where there is none."""
    match = _LITERAL.search(text)
    return match.group(1) if match else ""
