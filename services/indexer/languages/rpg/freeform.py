"""Free definitions taken apart: name, type, and what else is said."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.indexer.languages.rpg.entities import Part
from services.indexer.languages.rpg.keywords import keywords
from services.indexer.languages.rpg.names import NAME
from services.indexer.languages.rpg.statements import Cell, Statement

_DECLARES = re.compile(rf"\s*[A-Za-z-]+\s+(?:\*n\b|(?P<name>\*?(?:{NAME})))?(?P<rest>.*)", re.DOTALL | re.IGNORECASE)
_PART = re.compile(rf"\s*(?:dcl-(?:subf|parm)\s+)?(?:\*n\b|(?P<name>{NAME}))(?P<rest>.*)", re.DOTALL | re.IGNORECASE)
_TYPE = re.compile(r"\s*(?P<word>[A-Za-z]+)(?:\s*\([^)]*\))?")

_TYPES = frozenset(
    {
        *("CHAR", "VARCHAR", "UCS2", "VARUCS2", "GRAPH", "VARGRAPH", "IND", "PACKED", "ZONED", "BINDEC", "INT", "UNS", "FLOAT", "DATE", "TIME"),
        *("TIMESTAMP", "POINTER", "OBJECT", "LIKE", "LIKEDS", "LIKEREC"),
    }
)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What any definition says, in either form."""

    name: Cell
    type: str
    rest: str
    """Its keywords."""


def declaration(statement: Statement) -> Declaration:
    """``dcl-s name type keywords``, and whatever else begins with a word and a name."""
    match = _DECLARES.match(statement.text)
    if match is None:
        return Declaration(Cell(line=statement.start), "", "")
    type_, rest = _split(match["rest"])
    return Declaration(_cell(statement, match), type_, rest)


def part(statement: Statement) -> Part:
    """A line of a block: ``name type keywords``, with or without DCL-SUBF or DCL-PARM."""
    match = _PART.match(statement.text)
    if match is None:
        return Part(Cell(line=statement.start), "", "", statement.start, statement.end)
    type_, rest = _split(match["rest"])
    return Part(_cell(statement, match), type_, rest.strip(), statement.start, statement.end)


def enclosed(operation: str, declared: Declaration) -> bool:
    """Whether a definition is one statement: it says its own end, or has its parts from elsewhere."""
    said = keywords(f"{declared.type} {declared.rest}")
    if f"END-{operation[4:]}" in said:
        return True
    return (operation == "DCL-DS" and ("LIKEDS" in said or "LIKEREC" in said)) or (operation == "DCL-PR" and "OVERLOAD" in said)


def _cell(statement: Statement, match: re.Match[str]) -> Cell:
    if match["name"] is None:
        return Cell(line=statement.start)
    return Cell(match["name"], *statement.place(match.start("name")))


def _split(rest: str) -> tuple[str, str]:
    """The type that a definition begins with, and the rest; a first word that is no type belongs to the rest."""
    match = _TYPE.match(rest)
    if match is None or match["word"].upper() not in _TYPES:
        return "", rest
    return " ".join(match.group().split()), rest[match.end() :]
