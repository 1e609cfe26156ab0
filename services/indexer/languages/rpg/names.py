"""Names: how they are compared, what a member is called, and which member a /COPY names."""

from __future__ import annotations

import re

NAME = r"[^\W\d][\w#$@§£]*|[#$@§£][\w#$@§£]*"
"""A name of RPG. National variants of ``#@$`` occur, so letters are those of Unicode."""

_SUFFIXES = re.compile(r"\.(?:mbr|rpgle|sqlrpgle|rpgleinc|rpginc|rpg|pgm|inc|cpy|copy|txt)$", re.IGNORECASE)


def fold(name: str) -> str:
    """The form in which names are compared: letter case says nothing."""
    return name.upper()


def member_of(path: str) -> str:
    """The member a file holds: its name up to the first dot, for ``depts.pgm.sqlrpgle`` makes the program DEPTS."""
    name = path.rpartition("/")[2]
    return name.lstrip(".").partition(".")[0] or name


def copied(directive: str) -> str:
    """What a /COPY or /INCLUDE names, as a path in capitals without suffix: ``MEMBER``, ``FILE/MEMBER`` or ``LIB/FILE/MEMBER``; empty for nothing."""
    text = directive.strip()
    text = text[1:].partition("'")[0] if text[:1] in {"'", '"'} else text.partition(" ")[0]
    parts = [part.strip() for part in re.split(r"[/\\,]", text.strip("\"';"))]
    parts = [part for part in parts if part not in {"", ".", ".."}]
    if not parts:
        return ""
    parts[-1] = _SUFFIXES.sub("", parts[-1])
    return fold("/".join(parts[-3:]))
