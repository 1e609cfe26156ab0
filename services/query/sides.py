"""Which sides of the map a question about the whole asks for: parts, dependencies, where it starts. Pure; one table.

A row is a kind of question about a whole code base. Parts of something in it (``the parts of a URL``) are no parts of it, so a row that could mean
either asks for words which stand for the whole.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from exegesis.terms import question_terms
from services.query.aims import ends_of


class Side(StrEnum):
    ENTRIES = "entries"
    """Where control comes in."""
    PARTS = "parts"
    DEPENDENCIES = "dependencies"


_WHOLE: Final = (
    r"(?:this|the|that|our|its)\s+(?:(?:whole|entire|software)\s+)?"
    r"(?:systems?|projects?|repositor(?:y|ies)|repos?|code ?bases?|code|app(?:lication)?s?|packages?|librar(?:y|ies)|framework|programs?|product"
    r"|software|whole)"
)
_PIECES: Final = r"(?:modules?|packages?|targets?|parts?|components?|layers?|subsystems?|libraries|building blocks|source members?|service programs?)"
_SEVERAL: Final = r"(?:modules|packages|targets|parts|pieces|components|layers|subsystems|libraries|building blocks|source members|service programs)"
_END: Final = r"(?:\s*[?.!]?\s*$|\s*,?\s+and\s+(?:how|where|what|which)\s+(?:do|does|are|is|of|they|it)\b)"
"""Of a question, or of the first half of one that goes on about the same."""
_STAND: Final = (
    r"(?:(?:of|in) (?:the|this|that|our|its) \w+ )?(?:all\s+)?"
    r"(?:depend|relat|hang|fit|work|interact|connect|belong|play|call|use|build|talk|organi[sz]ed)"
)
_MADE: Final = r"(?:structured|organi[sz]ed|divided|split|laid out|built up|put together|composed|made up)"
_PROGRAMS: Final = r"(?:programs|executables|binaries)"
_LIST: Final = r"(?:list|show|name|tell|describe|explain)"


@dataclass(frozen=True, slots=True)
class Row:
    sides: frozenset[Side]
    patterns: tuple[str, ...]
    reason: str


ROWS: Final[tuple[Row, ...]] = (
    Row(
        frozenset({Side.DEPENDENCIES}),
        (
            rf"\b(?:how|in what way)\s+(?:do|are)\s+(?:all\s+)?(?:the|its|these|those|different|various)?\s*(?:\w+\s+)?{_SEVERAL}\s+{_STAND}",
            rf"\b{_SEVERAL}(?!\s+(?:of|in)\s+(?:an?\b|(?-i:[A-Z])))\b[^.?!]*\band\s+how\s+(?:do|are)\s+(?:they|these|those)\s+{_STAND}",
            rf"\b{_SEVERAL}\b[^.?!]*\bwhich of (?:them|these|those)\s+(?:use|need|call|depend)",
            r"\bhow\s+does\s+(?:everything|it all|all of (?:it|this))\s+(?:fit|hang|work|belong|play)\s+together\b",
            r"^\s*what\s+depends\s+on\s+what\b",
        ),
        "how pieces stand to each other",
    ),
    Row(
        frozenset({Side.DEPENDENCIES}),
        (
            rf"\b{_PIECES}[- ](?:dependenc(?:y|ies)|graph|diagram|cycles?)\b",
            rf"\bdependenc(?:y|ies)\s+(?:between|among|of)\s+(?:the|its|all)?\s*{_PIECES}\b",
            r"\bdependency (?:graph|diagram|structure)\b",
            rf"\bwhich {_PIECES}\s+depends?\s+on\s+(?:which|what|each other|one another)\b",
            rf"\bcycles?\s+(?:between|among)\s+(?:the\s+)?{_PIECES}\b",
            rf"\blayers? (?:of|in) {_WHOLE}",
        ),
        "dependencies by their name",
    ),
    Row(
        frozenset({Side.PARTS}),
        (
            rf"\b(?:what|which)\s+(?:are|is)\s+(?:all\s+)?(?:the|its)\s+(?:\w+\s+)?{_PIECES}\s+(?:of|in|that make up|making up)\s+{_WHOLE}",
            rf"\b(?:what|which)\s+(?:\w+\s+)?{_PIECES}\s+(?:are there|exist|does {_WHOLE}|make up|are in {_WHOLE})\b",
            rf"\b{_LIST}\b[^?.]*\b(?:the|all|its)\s+(?:\w+\s+)?{_PIECES}\s+(?:of|in)\s+{_WHOLE}",
            rf"\b(?:what|which)\s+(?:are|is)\s+(?:the|its)\s+(?:(?:main|major|different|top[- ]level)\s+{_PIECES}|{_SEVERAL}){_END}",
            rf"\b(?:what|which)\s+(?:\w+\s+)?{_SEVERAL}\s+does\s+it\s+(?:have|contain|consist of)\b",
            rf"\b(?:break|divide|split|take)\s+{_WHOLE}\s+(?:down\s+|apart\s+|up\s+)?into\b",
            rf"\bin(?:to)?\s+(?:what|which)\s+(?:\w+\s+)?{_SEVERAL}\s+(?:is|does)\s+{_WHOLE}",
            rf"^\s*(?:list|show(?: me)?|name)\s+(?:all\s+)?(?:the|its)?\s*(?:main\s+)?(?:modules|packages|targets|components|subsystems){_END}",
        ),
        "pieces of the whole",
    ),
    Row(
        frozenset({Side.PARTS, Side.DEPENDENCIES}),
        (
            rf"\bhow\s+(?:is|are)\s+{_WHOLE}\s+(?:\w+\s+)?{_MADE}\b",
            rf"\b(?:structure|map|layout|organi[sz]ation) of {_WHOLE}",
            rf"\bhow\s+(?:is|are)\s+(?:the\s+)?(?:\w+\s+)?(?:{_SEVERAL}|code)\s+of\s+{_WHOLE}\s+(?:\w+\s+)?{_MADE}\b",
            rf"\boverview\s+(?:of|over)\s+(?:all\s+)?(?:the|its|all)\s+(?:\w+\s+)?{_SEVERAL}{_END}",
            rf"\bshow\s+(?:me\s+)?(?:the|a)\s+map{_END}",
        ),
        "how the whole is made up",
    ),
    Row(
        frozenset({Side.ENTRIES}),
        (
            r"\bmain\s+(?:procedures?|programs?|functions?|routines?|entry)\b",
            rf"\bentry[- ]?points?\b(?!\s+(?:of|to|for|into|in)\s+(?!{_WHOLE}))",
            rf"\b(?:which|what)\s+(?:(?!service\b)\w+\s+)?{_PROGRAMS}\s+(?:are there|exist|(?:are in|make up) {_WHOLE})\b",
            rf"\b(?:which|what)\s+(?:(?!service\b)\w+\s+)?{_PROGRAMS}\s+does (?:it|{_WHOLE})\s+(?:have|contain|consist of)\b",
            rf"^\s*(?:list|show(?: me)?|name)\s+(?:all\s+)?(?:of\s+)?(?:the|its)?\s*{_PROGRAMS}{_END}",
            rf"\bwhere\s+{_WHOLE}\s+(?:starts|begins|is\s+(?:started|launched))\b",
            r"^\s*(?:and\s+)?where\s+does\s+it\s+(?:all\s+)?(?:start|begin)\s*\??\s*$",
            r"\b(?:which|what)\s+(?:program|procedure|module|function|file)\s+(?:is|gets)\s+(?:run|called|started|executed)\s+first\b",
            rf"\bwhere\s+(?:does|do|is)\s+(?:{_WHOLE}|execution|control|everything|it all)\s+(?:start|begin|started|launched)\b",
        ),
        "where it starts",
    ),
    Row(
        frozenset(Side),
        (
            rf"\b(?:overview|big picture|architecture)\b(?:\s+(?:of|for|in)\s+{_WHOLE}|{_END})",
            r"\b(?:overall|general|high[- ]level)\s+(?:structure|design|architecture|overview)\b",
            rf"\bwhat\s+(?:is|does)\s+{_WHOLE}(?:\s+(?:do|about|for|made of))?{_END}",
            rf"^\s*(?:describe|explain|summari[sz]e)\s+{_WHOLE}{_END}",
            r"\bwhere\s+(?:do|should|can)\s+(?:i|we|one)\s+(?:start|begin)\b",
        ),
        "everything at once",
    ),
)


def read_sides(text: str) -> frozenset[Side]:
    """The sides of the map that a question asks for; none where it asks about something in particular."""
    wording = ends_of(text)
    return frozenset(
        side for row, patterns in zip(ROWS, _compiled(), strict=True) if any(each.search(wording) for each in patterns) for side in row.sides
    )


_ABOUT_THE_WHOLE: Final = (
    r"overviews?|architecture|architectural|structured?|design(?:ed)?|pictures?|maps?|layouts?|diagrams?|graphs?|cycles?|circles?|dependenc(?:y|ies)"
    r"|main|major|entry|entries|points?|start(?:s|ed|ing)?|begin(?:s|ning)?|launch(?:ed|es)?|execut(?:es?|ed|ion)|control|first|high|level|general|big"
    r"|overall|whole|everything|together|fit|hang|works?|working|interact\w*|depend\w*|relat\w*|connect\w*|belong\w*|built|made|organi[sz]\w*|divided|split"
    r"|different|various|top|there|exist|consist|contain|procedures?|routines?|functions?|programs?|systems?|projects?|repositor(?:y|ies)|repos?"
    r"|code ?bases?|code|app(?:lication)?s?|librar(?:y|ies)|frameworks?|software|draw|break|down|short|brief|quick"
    r"|new|understand|use[sd]?|need|list|show|name|run|called"
)
"""Words with which people ask for the map, beside those for its pieces."""


def asks_for_more(text: str) -> bool:
    """Whether a question about the whole says anything that the map does not answer: words for something in particular."""
    rest = re.sub(rf"\b(?:{_PIECES}|{_SEVERAL}|{_ABOUT_THE_WHOLE})\b", " ", ends_of(text), flags=re.IGNORECASE)
    return bool(rest.strip(" ?!.,:")) and not question_terms(rest).is_empty


@functools.cache
def _compiled() -> tuple[tuple[re.Pattern[str], ...], ...]:
    return tuple(tuple(re.compile(pattern, re.IGNORECASE) for pattern in row.patterns) for row in ROWS)
