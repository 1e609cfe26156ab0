"""What a question wants, told by rules in tables. A rule is a kind of question, never one question."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from exegesis.model import FileRole, Options
from exegesis.terms import QuestionTerms, question_terms, stop_words, units_of, words
from services.graph.api import Direction
from services.query.aims import DIRECTIONS, Aim, aim_of, asks_where, ends_of, is_asking
from services.query.compared import compared_names
from services.query.kinds import Kinds, Referent, is_kind_word, read_kinds, referent_of
from services.query.programs import said_programs
from services.query.sides import Side, read_sides

USE_WORDS: tuple[str, ...] = (
    *("call", "calls", "called", "caller", "callers", "use", "uses", "used", "usage", "usages"),
    *("invoke", "invokes", "invoked", "reference", "references", "referenced", "depend", "depends", "consume", "consumes"),
    *("instantiated", "created", "constructed"),
)
"""Words with which questions of use ask, and which may be all the same what is asked about."""

_IDENTIFIER = re.compile(r"\s*`?((?:[\w$]+(?:\.|::|->|#))*)([\w$]+)(?:\([\w:,\s]*\))?`?\s*\??\s*")

_QUALIFIED = re.compile(r"\b[A-Z]\w*(?:(?:\.|::|->|#)[A-Za-z_]\w*)+")
"""A member written with its type. Types have a capital, which tells them from hosts and abbreviations."""

_KEY = re.compile(r"(?<![\w$])(?:_?\$[sS](?=[\w$]*\d)[\w$]{3,}|s:[\w$]{4,}|c:[@(][\w@$:*#()-]{3,})")

MOST_KEYS = 8
"""Of one question: of a crash log the innermost frames, which come first. Each is looked for among all definitions of the compiler."""

MOST_USED = 16
"""Names of which one question asks the use. Who pastes a log writes hundreds like code, and each is looked for, and looked at from both sides."""

LONGEST_NAME = 200
"""Characters of a name that anybody writes; what is longer is not one."""

ASKED_ROLES: tuple[tuple[FileRole, re.Pattern[str]], ...] = (
    (
        FileRole.TEST,
        re.compile(r"\b(?:tests?|tested|testing|unit tests?|specs?|benchmarks?|fixtures?|assertions?|mock(?:s|ed|ing)?)\b", re.IGNORECASE),
    ),
    (
        FileRole.EXAMPLE | FileRole.DOCUMENT,
        re.compile(r"\b(?:examples?|docs?|documentation|documented|tutorials?|samples?|demos?|readme|changelog)\b", re.IGNORECASE),
    ),
    (
        FileRole.UI,
        re.compile(
            r"\b(?:ui|user interface|screens?|views?|buttons?|layouts?|storyboards?|view ?controllers?|windows?|swiftui|uikit)\b", re.IGNORECASE
        ),
    ),
    (FileRole.CLI, re.compile(r"\b(?:cli|command[- ]?lines?|commands?|arguments?|flags?|terminals?)\b", re.IGNORECASE)),
    (FileRole.GENERATED, re.compile(r"\b(?:generated|generates?|code ?gen(?:eration)?|generators?)\b", re.IGNORECASE)),
    (FileRole.VENDORED | FileRole.DEPENDENCY, re.compile(r"\b(?:vendor(?:ed)?|third[- ]party|dependenc(?:y|ies))\b", re.IGNORECASE)),
)
"""Words that ask for files which are otherwise pushed down."""

_NAME = r"`?(?P<name>(?:[\w$#@.:>-]+\s+){0,2}?[\w$#@.:>-]+(?:\([\w:,\s]*\))?)`?"
_ARTICLE = r"(?:the\s+|an?\s+|this\s+|all\s+|my\s+|our\s+|your\s+)?"

USED: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern.replace("NAME", _ARTICLE + _NAME).replace("VERB", "calls?|uses?|invokes?|references?|needs?"), re.IGNORECASE)
    for pattern in (
        r"\b(?:is|are|gets?)\s+NAME\s+(?:\w+ly\s+)?(?:used|called|invoked|referenced|instantiated|constructed|created)\b",
        r"\b(?:callers?|usages?|uses?)\s+(?:of|for)\s+NAME\s*[?.!]?\s*$",
        r"\b(?:VERB|implements?|conforms? to|inherits? from|subclass(?:es)?|extends?|constructs?|instantiates?)\s+NAME\s*[?.!]?\s*$",
        r"^\s*(?:please\s+)?(?:describe|explain|show)\s+(?:me\s+)?NAME,?\s+(?:and|,)\s+(?:how|where|who|what)\b",
        r"\bhow (?:to|do \w+|(?:can|should|would) \w+) (?:use|call|invoke)\s+NAME\s*[?.!]?\s*$",
    )
)
"""Where a question of use says what is used: up to three words, which may be one name run together (``retry policy``)."""

_SAYS_A_KIND: frozenset[str] = frozenset({"error", "errors", "exception", "exceptions", "type", "types", "object", "objects"})
"""Words that say what a named thing is, as those of the table of kinds do, but are also the ends of names: ``the Abort error``."""

_SETTINGS_FILES = re.compile(
    r"\b(?:ya?ml|json|toml|plist|ini|xml|makefile|dockerfile|lint(?:er|ing)?|workflows?|ci|scripts?|build settings?|localizations?)\b", re.IGNORECASE
)
"""Words that ask for files which no language claims."""


@dataclass(frozen=True, slots=True)
class Intent:
    """A question, understood as far as rules go."""

    text: str
    terms: QuestionTerms
    aim: Aim
    is_question: bool
    """Somebody wants an explanation; False for bare topics."""
    symbol: str
    """Last component of the identifier, for aim SYMBOL; otherwise empty."""
    qualifier: str
    identifiers: tuple[str, ...]
    """Words of the question that are written like code, members that are written with their type among them."""
    keys: tuple[str, ...]
    """Names by which compilers know symbols: mangled, as in crash logs, or USRs."""
    used: tuple[str, ...]
    """For aim USAGE the names of which the use is asked, qualified where they are written so: those written like code, else what stands where
    a name would, which need not be one. In the letters of the question; declarations may differ in case."""
    compared: tuple[str, ...]
    """What the question sets beside each other, as far as each may be a name; empty, or at least two."""
    programs: tuple[str, ...]
    """What stands where the name of a program would, which need not be one."""
    kinds: Kinds
    """What kinds of declarations are asked for: an answer begins there, if there are any."""
    asked_roles: FileRole
    """Roles of files that the question asks for, so that they are not pushed down."""
    referent: Referent
    """What it is about as of a thing; nothing where it asks for documents in so many words."""
    asks_where: bool
    """It asks for the one place where something is."""
    asks_for_settings_files: bool
    """The question wants files that no language claims: lint rules, manifests, scripts."""
    versions: frozenset[str]
    """Version folders that the question names, such as ``v3``."""
    sides: frozenset[Side] = frozenset()
    """For aim OVERVIEW the sides of the map that are asked for; empty where the question is about something in particular."""

    @property
    def called(self) -> frozenset[str]:
        """Names that are meant as names, in small letters: those written like code, and those of programs."""
        return frozenset(name.lower() for name in (self.symbol, *self.identifiers, *self.programs) if name)

    @property
    def about(self) -> tuple[str, ...]:
        """What stands where the question names what it is about: of which it asks the use, or what it compares."""
        return (*self.used, *self.compared)

    @property
    def direction(self) -> Direction:
        """Along which edges the answer lies."""
        return DIRECTIONS[self.aim]


def read_question(text: str, options: Options) -> Intent:
    """Tell what a question wants. Never fails: what matches no rule is a topic."""
    qualifier, symbol = _symbol(text)
    asking = is_asking(text)
    identifiers = tuple(dict.fromkeys([*(word for word in words(text) if looks_like_code(word)), *map(_member, qualified_names(text))]))
    sides = frozenset[Side]() if symbol or identifiers else read_sides(text)
    aim = Aim.SYMBOL if symbol else Aim.OVERVIEW if sides else aim_of(text)
    asked = FileRole.NONE
    for role, rule in ASKED_ROLES:
        if rule.search(text):
            asked |= role
    asks_for_documents = bool(asked & FileRole.DOCUMENT)
    if aim in {Aim.WHY, Aim.OVERVIEW}:
        asked |= FileRole.DOCUMENT
    used = _used(text, identifiers) if aim is Aim.USAGE else ()
    return Intent(
        text=text,
        terms=question_terms(text),
        aim=aim,
        is_question=asking and not symbol,
        symbol=symbol,
        qualifier=qualifier,
        identifiers=identifiers,
        keys=tuple(dict.fromkeys(_KEY.findall(text)))[:MOST_KEYS],
        used=used,
        compared=() if symbol or sides or used else compared_names(text),
        programs=said_programs(text),
        kinds=Kinds(frozenset({options.kind})) if options.kind else read_kinds(text, used),
        asked_roles=asked,
        referent=Referent.NONE if asks_for_documents else referent_of(text),
        asks_where=aim is Aim.FIND and asks_where(text),
        asks_for_settings_files=bool(_SETTINGS_FILES.search(text)),
        versions=frozenset(re.findall(r"\bv\d+\b", text.lower())),
        sides=sides,
    )


def _used(text: str, identifiers: tuple[str, ...]) -> tuple[str, ...]:
    if written := [name for name in identifiers if len(name) <= LONGEST_NAME]:
        return tuple(written[:MOST_USED])
    found: dict[str, None] = {}
    wording = ends_of(text)
    for pattern in USED:
        for match in pattern.finditer(wording):
            name = re.sub(r"::|->|#", ".", match["name"].partition("(")[0].strip("`.:"))
            said = [word for word in name.split() if not is_kind_word(word) and word.lower() not in stop_words("short")]
            if len(said) > 1 and said[-1].lower() in _SAYS_A_KIND and all(word[:1].isupper() for word in said[:-1]):
                found["".join(said[:-1])] = None
            if said:
                found["".join(said)] = None
    return tuple(name for name in found if len(name) <= LONGEST_NAME)


def qualified_names(text: str) -> tuple[str, ...]:
    """``Session.request`` and the like, in the order of the text, with dots whatever they are written with."""
    return tuple(dict.fromkeys(re.sub(r"::|->|#", ".", found) for found in _QUALIFIED.findall(text)))


def bears(symbol: str, qualified: Collection[str]) -> bool:
    """Whether a symbol, with its labels or without, has one of the qualified names."""
    written = symbol.partition("(")[0]
    return any(written == name or written.endswith(f".{name}") for name in qualified)


def looks_like_code(word: str) -> bool:
    """Written as only identifiers are: capitals inside, underscores, several units."""
    inner = word[1:]
    return "_" in word.strip("_") or (len(units_of(word)) > 1 and inner != inner.lower()) or (inner != inner.lower() and inner != inner.upper())


def names_in(text: str) -> frozenset[str]:
    """What a text calls by its name, in small letters: words that are written like code, and names of programs."""
    return frozenset(word.lower() for word in (*filter(looks_like_code, words(text)), *said_programs(text)))


def _member(qualified: str) -> str:
    return qualified.rpartition(".")[2]


def _symbol(text: str) -> tuple[str, str]:
    """Qualifier and name, if the whole question is one identifier with a capital, an underscore or a qualifier; else two empty strings.

    A single lower-case word is a topic: treating ``session`` as a symbol loses more than it finds.
    """
    match = _IDENTIFIER.fullmatch(text)
    if not match:
        return "", ""
    qualifier, name = match.group(1).rstrip(".:->#"), match.group(2)
    if qualifier or "_" in name or name != name.lower() or "(" in text:
        return qualifier, name
    return "", ""
