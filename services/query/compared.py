"""Things that a question sets beside each other: "the difference between A and B", "A or B, which should I use?". Pure; one table of wordings.

Only names are compared, and only where code bears at least two of them. "The difference between a session and a request" may be about words, and
whoever asks it that way is told how these work, like anybody.
"""

from __future__ import annotations

import re
from typing import Final

from exegesis.terms import stop_words
from services.query.aims import ends_of
from services.query.kinds import is_kind_word

MOST_COMPARED: Final = 4
"""Things that are told beside each other; nobody keeps more apart."""

_NAME: Final = r"(?:`[^`\s]+`|[\w$#@]+(?:(?:\.|::|->)[\w$#@]+)*(?:\([\w:,]*\))?)"
_THING: Final = rf"(?:{_NAME}\s+){{0,3}}?{_NAME}"
"""A name, with an article and its kind before it or behind it: ``the method open``, ``the open method``."""
_AND: Final = r"(?:\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|vs\.?|versus|with|to|from|against)\s+)"
_OR: Final = r"(?:\s*,\s*(?:or\s+)?|\s+(?:or|over|vs\.?|versus|instead\s+of|rather\s+than|and\s+when)\s+)"
_VERSUS: Final = r"\s+(?:vs\.?|versus)\s+"
_END: Final = r"\s*(?:[?.!;:]|$|\s(?:in|here|for|when|work|and\s+(?:when|which|how|why))\b)"


def _listed(joined: str) -> str:
    return rf"(?P<things>{_THING}(?:{joined}{_THING}){{1,3}}?)"


WORDINGS: Final[tuple[tuple[str, str], ...]] = (
    (rf"\bdifferences?\s+between\s+{_listed(_AND)}{_END}", _AND),
    (rf"\b(?:how|where)\s+(?:do|does|is|are)\s+{_listed(_AND)}\s+(?:differ|different|compare|relate|related)(?:\s+to\s+each\s+other)?{_END}", _AND),
    (
        rf"\b(?:how|where)\s+(?:do|does|is|are)\s+(?P<things>{_THING}\s+(?:differ|different|distinguished|compare)\s+(?:from|to|with)\s+{_THING}){_END}",
        r"\s+(?:differ|different|distinguished|compare)\s+(?:from|to|with)\s+",
    ),
    (rf"\b(?:compare|comparison of)\s+{_listed(_AND)}{_END}", _AND),
    (rf"\bwhat\s+(?:distinguishes|sets)\s+{_listed(_AND)}(?:\s+apart)?{_END}", _AND),
    (rf"\b(?:when|which|should)\b[^?]*?\b(?:use|call|prefer|choose|take)(?:,|:)?\s+{_listed(_OR)}{_END}", _OR),
    (rf"^\s*{_listed(_VERSUS)}{_END}", _VERSUS),
)
"""How questions set things beside each other, and what stands between the things."""

_PATTERNS: Final = tuple((re.compile(wording, re.IGNORECASE), re.compile(between, re.IGNORECASE)) for wording, between in WORDINGS)


def compared_names(text: str) -> tuple[str, ...]:
    """What stands where names would in a question that compares, in its order and letters, qualified where they are written so; they need not be
    names. Empty for fewer than two, and where one of the things is more than a name ("async requests").
    """
    wording = ends_of(text)
    for pattern, between in _PATTERNS:
        if match := pattern.search(wording):
            found = dict.fromkeys(_name_of(thing) for thing in between.split(match["things"]) if thing)
            return tuple(found)[:MOST_COMPARED] if len(found) > 1 and all(found) else ()
    return ()


def _name_of(thing: str) -> str:
    """The name of a thing without article and kind; empty where more than one word is left."""
    words = [word for word in thing.split() if word.startswith("`") or not (is_kind_word(word) or word.lower() in stop_words("short"))]
    return re.sub(r"::|->|#(?=\w)", ".", words[0].strip("`").partition("(")[0]).strip(".") if len(words) == 1 else ""
