"""Programs that are called by a variable: the names which the variable is given in the same member.

Flow is not followed: a name that is given anywhere may be what is called. What is read from a file or taken as a parameter stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from services.indexer.languages.rpg.entities import Outline
from services.indexer.languages.rpg.keywords import literal
from services.indexer.languages.rpg.names import NAME, fold

_GIVES = re.compile(rf"[ \t]*(?:eval[r]?(?:\([^)]*\))?[ \t]+)?(?P<name>{NAME})[ \t]*=[ \t]*'(?P<value>[^']{{1,21}})'[ \t]*+;?[ \t]*+", re.IGNORECASE)
_OBJECT = re.compile(r"[A-Za-z#$@][\w#$@]{0,9}")
_MOVES = frozenset({"MOVE", "MOVEL"})

MOST_VALUES = 16
"""Programs that one variable is followed to."""


def values_of(found: Outline) -> Mapping[str, tuple[str, ...]]:
    """For each variable that a prototype's EXTPGM or a CALL names, by its folded name: what it is given, without libraries."""
    wanted = _called(found)
    values: dict[str, dict[str, None]] = {name: {} for name in wanted}
    if not wanted:
        return {}
    for entity in found.entities:
        if fold(entity.name.text) in values and "INZ" in entity.keywords:
            _add(values, entity.name.text, literal(entity.keywords["INZ"]))
    for step in found.steps:
        statement = step.statement
        if statement.operation in _MOVES:
            _add(values, statement.result.text, literal(statement.factor2.text))
        elif (match := _GIVES.fullmatch(statement.text)) is not None:
            _add(values, match["name"], match["value"])
    return {name: tuple(given)[:MOST_VALUES] for name, given in values.items()}


def _called(found: Outline) -> set[str]:
    """Names in place of a literal, but for those of constants, which hold one."""
    written = {entity.keywords["EXTPGM"] for entity in found.entities if "EXTPGM" in entity.keywords}
    written |= {step.statement.factor2.text for step in found.steps if step.statement.operation == "CALL"}
    names = {fold(each.strip()) for each in written if each and "'" not in each}
    return names - found.constants.keys()


def _add(values: Mapping[str, dict[str, None]], name: str, value: str) -> None:
    known = values.get(fold(name))
    plain = value.rpartition("/")[2].strip()
    if known is not None and _OBJECT.fullmatch(plain):
        known[plain] = None
