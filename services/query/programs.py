"""Programs that a question names: source members by the name of what is compiled from them. Pure.

Names of programs are words like any other (``employees``), so the question has to say that a program is meant, or write the name as code. A program
is told from where it begins: who calls it, and in which folder it lies, says nothing about what it does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from exegesis.model import ContextItem, SymbolKind
from exegesis.terms import stop_words

MEMBERS: Final = frozenset({"rpg", "cl"})
"""Languages in which a file is a program and bears its name. In others it is called like what it holds, and so are its tests and its documents."""

BINDER: Final = (".bnd", ".binder", ".bndsrc")
"""Suffixes of binder source, as its language in the indexer claims them."""

_NAME: Final = r"`?([A-Za-z#@$][\w#@$]*)`?"
_SAID: Final = (
    re.compile(rf"\bprogram(?:s)?\s+(?:named\s+|called\s+)?{_NAME}", re.IGNORECASE),  # program depts
    re.compile(rf"\bthe\s+{_NAME}\s+program\b", re.IGNORECASE),  # the depts program
)


def said_programs(text: str) -> tuple[str, ...]:
    """What stands where the name of a program would; it need not be one. In the letters of the question."""
    found = dict.fromkeys(match[1] for pattern in _SAID for match in pattern.finditer(text))
    return tuple(name for name in found if name.lower() not in stop_words("short"))


def stem_of(path: str) -> str:
    """The name of a source member, in small letters: ``qrpglesrc/depts.pgm.sqlrpgle`` is ``depts``."""
    return path.rpartition("/")[2].partition(".")[0].lower()


def is_program(name: str, kind: str, path: str) -> bool:
    """Whether a symbol stands for the whole program of its member. Only languages of programs declare procedures."""
    return kind == SymbolKind.PROCEDURE.value and name.lower() == stem_of(path)


def is_export_list(name: str, kind: str, path: str) -> bool:
    """Whether a symbol is a binder's list of what a service program shows: a declaration of every procedure in it, and a call of none."""
    return kind == SymbolKind.STRUCT.value and name.lower() == stem_of(path) and path.lower().endswith(BINDER)


def programs_among(items: Iterable[ContextItem], names: Collection[str]) -> frozenset[str]:
    """Identifiers of the items that are programs of these names, which are in small letters."""
    return frozenset(item.id for item in items if item.symbol.lower() in names and is_program(item.symbol, item.kind, item.path))
