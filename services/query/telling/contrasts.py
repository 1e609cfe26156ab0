"""Deeds that are done to the same things at different times, and that a question tells apart: what is registered is looked up later.

Both speak of the same words, and the code that puts things in is often larger and better commented than the code that finds them. So where a question
asks for the one, code that does the other is no part of the story. Pure; one table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from exegesis.model import ContextItem
from exegesis.terms import question_terms, terms_of, words
from services.query.flow import Flow
from services.query.telling.names import base_name, split_name
from services.query.telling.wording import first_sentence

FEWEST_LEFT: Final = 8
"""Items that a story is made of; where fewer do something else, the rest tells it."""


@dataclass(frozen=True, slots=True)
class Contrast:
    asked: re.Pattern[str]
    """How a question names the deed."""
    other: re.Pattern[str]
    """How it names the other one; who says both sets nothing apart."""
    names: frozenset[str]
    """First words of names of code that does the other."""
    says: re.Pattern[str]
    """How comments begin that say so."""


def _contrast(asked: str, other: str, names: str, says: str) -> Contrast:
    return Contrast(
        re.compile(rf"\b(?:{asked})\b", re.IGNORECASE),
        re.compile(rf"\b(?:{other})\b", re.IGNORECASE),
        frozenset(names.split()),
        re.compile(rf"^(?:\W*\w+\W+)?(?:{says})\b", re.IGNORECASE),
    )


_PUTTING: Final = r"regist(?:er|ers|ered|ering|ration)|add(?:s|ed|ing)?|defin(?:e|es|ed|ing)|declar(?:e|es|ed|ing)|insert(?:s|ed|ing)?"
_FINDING: Final = (
    r"match(?:es|ed|ing)?|found|find(?:s|ing)?|look(?:s|ed|ing)? up|lookup|resolv(?:e|es|ed|ing)"
    r"|dispatch(?:es|ed|ing)?|select(?:s|ed|ing)?|chosen|picked"
)

CONTRASTS: Final[tuple[Contrast, ...]] = (
    _contrast(_FINDING, _PUTTING, "register add insert define declare append install mount", r"registers?|adds?|inserts?|defines?|declares?"),
)
"""The other way round nothing is set apart: what is added is looked for first, by the same code."""


def done_otherwise(question: str, flow: Flow, items: Iterable[ContextItem]) -> frozenset[str]:
    """Items that do what a question sets apart from what it asks for, and those that lead to them.

    None where it sets nothing apart, or asks for both.
    """
    contrast = next((each for each in CONTRASTS if each.asked.search(question) and not each.other.search(question)), None)
    if contrast is None:
        return frozenset()
    things = {spelling for unit in question_terms(contrast.asked.sub(" ", question)).units for spelling in unit}
    found = {item.id for item in items if _does(contrast, item, things)}
    callers: dict[str, list[str]] = {}
    for call in flow.calls:
        callers.setdefault(call.target.id, []).append(call.source.id)
    waiting = list(found)
    while waiting:
        above = [caller for caller in callers.get(waiting.pop(), ()) if caller not in found]
        found.update(above)
        waiting += above
    return frozenset(found)


def _does(contrast: Contrast, item: ContextItem, things: Collection[str]) -> bool:
    """Whether it does the other deed to what the question is about."""
    name, said = split_name(base_name(item.symbol)), first_sentence(item.doc)
    if not (name and name[0].lower() in contrast.names) and not contrast.says.search(said):
        return False
    return any(term in things for word in words(f"{' '.join(name)} {said}") for term in terms_of(word))
