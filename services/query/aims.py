"""Which question is it? Told by rules over the wording alone. A rule is a kind of question, never one question; pure.

A rule that is more particular stands above one that would match as well: "why is it called twice?" wants a reason and not callers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from services.graph.api import Direction


class Aim(StrEnum):
    SYMBOL = "symbol"
    """The whole question is one identifier."""
    USAGE = "usage"
    """From where something is used."""
    WHY = "why"
    OVERVIEW = "overview"
    EVENT = "event"
    """What happens when something else does."""
    FIND = "find"
    """Where something is, or which thing it is."""
    FLOW = "flow"
    """How something works: everything else that is asked."""
    TOPIC = "topic"
    """Words without a question around them: a search, the subject of a change."""


DIRECTIONS: Final[Mapping[Aim, Direction]] = {
    Aim.SYMBOL: Direction.BOTH,
    Aim.USAGE: Direction.CALLERS,
    Aim.WHY: Direction.BOTH,
    Aim.OVERVIEW: Direction.BOTH,
    Aim.EVENT: Direction.BOTH,  # forward from what happens, but what is found is as often the end of the way as its beginning
    Aim.FIND: Direction.BOTH,
    Aim.FLOW: Direction.BOTH,
    Aim.TOPIC: Direction.BOTH,
}
"""Along which edges the answer lies."""


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    aim: Aim
    wording: re.Pattern[str]
    reason: str


_CLAUSE = r"(?:^\s*|[,;:.?!(]\s*|\s-+\s+|\b(?:and|or|but|so|then|me|out|find|list|see|know|explain|describe|trace|exactly|in|from|please)\s+)"
_WHOLE = (
    r"(?:whole\s+|entire\s+)?(?:project|package|repository|repo|code ?base|source code|code|library|app(?:lication)?|framework|system|tool|program)"
)
_PARTS = r"(?:modules?|components?|parts?|pieces|packages|subsystems?|layers?|building blocks|executables?|folders|directories)"
_WHY = r"(?:why\b|how come\b|for what (?:reason|purpose)\b|(?:warum|wieso|weshalb|wozu)\b)"
_USE = r"(?:calls?|uses?|invokes?|references?|depends? on|rel(?:y|ies) on|consumes?|needs?(?!\s+to\b))"
_WHEN = r"(?:when|whenever|if|after|once|on|upon|while|as soon as)"


def _rule(name: str, aim: Aim, wording: str, reason: str) -> Rule:
    return Rule(name, aim, re.compile(wording, re.IGNORECASE), reason)


RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "why",
        Aim.WHY,
        rf"^\s*(?:(?:and|but|so|then|please|explain|describe|tell me|show me)\s+)*{_WHY}"
        rf"|^(?![\s\S]*(?:(?-i:\bI\b)|\bmy\b))(?:(?!\b(?:how(?! come)|who|what|which)\b)[\s\S])*?{_CLAUSE}{_WHY}"
        r"|\b(?:rationale|motivation)\b|\b(?:(?:what|which|the|any|a) reasons?|reasons? (?:for|why))\b(?! phrase)|\bwhat(?:['’]s| is) the point of\b",
        "asks for a reason first, which stands in comments and documents; who asks how, and why besides, is told how, and so is who tells what goes"
        " wrong for him and ends in why: the mechanism is his reason",
    ),
    _rule(
        "event",
        Aim.EVENT,
        r"\bwhat(?:['’]s|\s+\w+)?\s+(?:happen(?:s|ed|ing)?|occurs?|takes place|goes on)\b"
        rf"|\bwhat(?:['’]s| is| gets) done {_WHEN}\b"
        rf"|\bwhat (?:does|do|will|would)\b.*\bdo {_WHEN}\b"
        rf"|^\s*(?:and |but |so )?{_WHEN}\b.*,\s*(?:how|what|who|which|where|does|do|did|is|are|can|could|will|would|should)\b"
        r"|\b(?:how|what) (?:does|do|will|would)\b.*\b(?:react|respond|behave|recover|cope)\b"
        r"|\bwhere does (?:control|execution) (?:go|continue|end)\b|\bwhat then\b|\bwas (?:passiert|geschieht)\b",
        "asks what follows from something",
    ),
    _rule(
        "thing used",
        Aim.FIND,
        r"^\s*(?:what|which)\s+(?!(?:is|are|does|do|code)\b)(?:[^\s?!,]+\s+){1,8}?(?:is|are|gets?)\s+(?:\w+ly\s+)?used\b(?!\s+(?:by|from))",
        "asks which thing is used, and not from where",
    ),
    _rule(
        "usage",
        Aim.USAGE,
        rf"{_CLAUSE}(?:who|what|which)\b(?:(?!\b(?:do|does|did|can|could|is|are)\b).)*\b(?:{_USE}|imports?|subscribes? to)\b"
        rf"|{_CLAUSE}where\b.*\b{_USE}\b"
        r"|\b(?:who|what|which(?: \w+)?)\s+(?:implements?|conforms? to|inherits? from|subclass(?:es)?|extends?|constructs?|instantiates?)\b"
        r"|\b(?:is|are|gets?)\s+(?:[^\s?!]+\s+){0,4}?(?:used|called|invoked|referenced|instantiated)\b"
        r"|\b(?:everything|everyone|anything|all|code|places?|classes|files|functions|methods|modules)"
        rf" (?:that|which|who|where)\s+(?:\w+\s+)?{_USE}\b"
        r"|\bcallers?\b|\bcall ?sites?\b|\busages\b|\busage (?:of|for)\b|\bused (?:by|from|in)\b|\bcalled (?:by|from)\b"
        r"|\bwhere\b.*\b(?:used|called|created|constructed)\b"
        r"|\bhow (?:to|do (?:i|we|you|people|others)|(?:can|should|would) (?:i|we|you|one)) (?:use|call|invoke)\b"
        r"|\bwer\b.*\b(?:ruft|benutzt|verwendet|nutzt)\b|\bwo\w*\b.*\b(?:verwendet|benutzt|genutzt|aufgerufen|gerufen)\b",
        "asks from where something is used, so its callers belong in the answer",
    ),
    _rule(
        "overview",
        Aim.OVERVIEW,
        r"\boverview\b|\barchitecture\b|\bbig picture\b|\b(?:overall|general|high[- ]level) (?:structure|design)\b"
        r"|\bmain (?:procedure|program|entry)\b|\bentry points?\b|\bwhere (?:do|should|can|would) (?:i|we|one) (?:start|begin)\b"
        rf"|\b(?:new to|map of|tour of|guide to|introduction to) (?:this|the)\s+{_WHOLE}\b"
        r"|\b(?:new here|i(?:['’]m| am) new|(?:a|the|quick|guided) tour)\b"
        rf"|\b(?:want|like|try|trying|going|begin|start) to (?:read|understand|learn) (?:this|the)\s+{_WHOLE}\b"
        rf"|\bhow (?:is|are) (?:this|the)\s+{_WHOLE}\s+(?:organi[sz]ed|structured|laid out|built|divided|split|put together|set up)\b"
        rf"|\bwhat (?:is|does) (?:this|the)\s+{_WHOLE}(?:\s+(?:do|for|about|provide|offer|consist of))?\s*(?:[?.!,]|$|\band\b)"
        rf"|\bwhat(?:['’]s| is) in (?:this|the)\s+{_WHOLE}\b|\bwalk (?:me|us) through (?:this|the)\s+{_WHOLE}\b"
        rf"|^\s*(?:please )?(?:explain|describe|summari[sz]e|introduce) (?:this|the)\s+{_WHOLE}\s*[.?!]?\s*$"
        rf"|\bwhat are the (?:main |key |core |major |central |most important )?{_PARTS}\b(?!\s+of\s+an?\b)"
        rf"|\b(?:what|which) (?:main |key )?{_PARTS} (?:are there|exist|make up|hold)\b"
        rf"|\bhow (?:do|does) (?:the|its|all) {_PARTS} (?:fit|work|play|belong) together\b|\b(?:aufgebaut|überblick|architektur)\b",
        "asks about the whole, which documents and entry points tell",
    ),
    _rule(
        "place",
        Aim.FIND,
        r"^\s*(?:and |but |so |then |please |exactly )*(?:in |from |at |to )?"
        r"(?:where|which|what (?:file|folder|place|module|class)|wo|welche[rsn]?)\b"
        r"|^\s*what\s+(?!is\b|are\b|does\b|do\b|did\b|was\b|can\b|will\b|would\b|about\b)\w"
        r"|\bwhat(?:['’]s| is| are) the\b.*"
        r"\b(?:defaults?|values?|names?|types?|settings?|limits?|constants?|paths?|options?|sizes?|timeouts?|thresholds?)\b"
        r"|^\s*(?:please |can you |could you )*(?:find(?: me)?|locate|show(?: me)?|list|give me)\s+(?:the|all|every|where|which)\b(?!.*\bhow\b)",
        "asks for a place or a thing, which a few pieces show",
    ),
)
"""The first that matches decides."""

_ASKING: Final = re.compile(
    r"\?\s*$|^\s*(?:and |but |so |please |can you |could you )*(?:how|what|where|when|which|who|whose|why|is|are|does|do|did"
    r"|can|could|should|will"
    r"|explain|describe|show (?:me|the|all|every|how|where|which|what)"
    r"|tell|trace|outline|walk|find out|summari[sz]e|(?:find|locate) (?:me|the|all|where)"
    r"|wie|wo|warum|wieso|weshalb|wer|welche[rsn]?|erkläre?|zeige?)\b",
    re.IGNORECASE,
)
"""A question or a request for an explanation; the rest are topics, where doc comments are as likely to be wanted as code."""


_BEGINNING: Final = 600
_END: Final = 400
"""Characters of a long text that are read: who pastes a log asks before it or after it, and the rules look back and forth."""


def is_asking(text: str) -> bool:
    return _ASKING.search(ends_of(text)) is not None


def aim_of(text: str) -> Aim:
    """What a question wants that is no identifier. Never fails: what matches no rule is a flow if it asks, else a topic.

    A place is only found for who asks; the other rules hold in topics as well ("callers of resume").
    """
    asks, wording = is_asking(text), ends_of(text)
    for rule in RULES:
        if (asks or rule.aim is not Aim.FIND) and rule.wording.search(wording):
            return rule.aim
    return Aim.FLOW if asks else Aim.TOPIC


_WHERE: Final = re.compile(
    r"^\s*(?:and |but |so |then |please |exactly )*(?:in |from |at |to )?(?:where\b|(?:which|what) (?:file|folder|place|module|line)\b|wo\b)"
    r"|^\s*(?:please |can you |could you )*(?:find(?: me)?|locate|show(?: me)?)\s+where\b",
    re.IGNORECASE,
)


def asks_where(text: str) -> bool:
    """One place is the answer: what asks for values, for all of something, or for the parts of a thing does not."""
    return _WHERE.search(ends_of(text)) is not None


def ends_of(text: str) -> str:
    """What of a text rules of wording read: all of it, or of a long one its beginning and its end."""
    return text if len(text) <= _BEGINNING + _END else f"{text[:_BEGINNING]}\n{text[-_END:]}"
