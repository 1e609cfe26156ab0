"""Kinds of declarations that a question names: the one table, and when a word of it counts. Pure.

A kind narrows where an answer begins: what is of the kind comes first, and everything else only where nothing good is of it. A word counts only where
grammar says so: "the authentication protocol" is no protocol of a language, "the protocol RequestAdapter" and "which protocols" are.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from exegesis.model import Chunk, FileRole, SymbolKind
from services.query.aims import ends_of


@dataclass(frozen=True, slots=True)
class Kinds:
    """What a question asks for; both empty when it names no kind."""

    symbols: frozenset[SymbolKind] = frozenset()
    roles: FileRole = FileRole.NONE
    """Kinds that are told by the file: tests, screens."""
    describe: bool = False
    """They only stand in a clause that describes something (``the class that``), which may be what is looked for or what a question is about."""

    def __bool__(self) -> bool:
        return bool(self.symbols or self.roles)

    def hold(self, chunk: Chunk, roles: FileRole) -> bool:
        """Whether a chunk is of one of the kinds. ``roles`` are those of its file."""
        return chunk.symbol_kind in self.symbols or bool(roles & self.roles)


@dataclass(frozen=True, slots=True)
class KindWord:
    words: str
    """Regular expression, in lower case."""
    symbols: frozenset[SymbolKind]
    roles: FileRole = FileRole.NONE


def _kinds(*symbols: SymbolKind) -> frozenset[SymbolKind]:
    return frozenset(symbols)


KIND_WORDS: Final[tuple[KindWord, ...]] = (
    KindWord("class(?:es)?", _kinds(SymbolKind.CLASS)),
    KindWord("structs?|structures?", _kinds(SymbolKind.STRUCT)),
    KindWord("enums?|enumerations?", _kinds(SymbolKind.ENUM)),
    KindWord("actors?", _kinds(SymbolKind.ACTOR)),
    KindWord("protocols?|interfaces?|traits?", _kinds(SymbolKind.PROTOCOL)),
    KindWord("extensions?", _kinds(SymbolKind.EXTENSION)),
    KindWord("type ?alias(?:es)?", _kinds(SymbolKind.TYPEALIAS)),
    KindWord("functions?", _kinds(SymbolKind.FUNCTION, SymbolKind.METHOD)),
    KindWord("methods?", _kinds(SymbolKind.METHOD, SymbolKind.FUNCTION)),
    KindWord("initiali[sz]ers?|constructors?", _kinds(SymbolKind.INITIALIZER)),
    KindWord("subscripts?", _kinds(SymbolKind.SUBSCRIPT)),
    KindWord("operators?", _kinds(SymbolKind.OPERATOR)),
    KindWord("propert(?:y|ies)", _kinds(SymbolKind.PROPERTY, SymbolKind.VARIABLE)),
    KindWord("macros?", _kinds(SymbolKind.MACRO)),
    KindWord("procedures?", _kinds(SymbolKind.PROCEDURE, SymbolKind.SUBROUTINE)),
    KindWord("programs?", _kinds(SymbolKind.PROCEDURE)),
    KindWord("prototypes?", _kinds(SymbolKind.PROTOTYPE)),
    KindWord("subroutines?", _kinds(SymbolKind.SUBROUTINE)),
    KindWord("tables?", _kinds(SymbolKind.TABLE)),
    KindWord("screens?", _kinds(), FileRole.UI),
    KindWord("tests?|test cases?|unit tests?", _kinds(), FileRole.TEST),
)

_ANY: Final = re.compile("|".join(f"(?:{row.words})" for row in KIND_WORDS), re.IGNORECASE)


def is_kind_word(word: str) -> bool:
    return _ANY.fullmatch(word) is not None


def read_kinds(text: str, used: tuple[str, ...] = ()) -> Kinds:
    """The kinds that a question names. ``used`` are names of which it asks the use, beside which a word of the table is always a kind."""
    text = ends_of(text)
    asked = [row for row, pattern in zip(KIND_WORDS, _asking(), strict=True) if pattern.search(text) or _beside(row, used, text)]
    found = asked or [row for row, pattern in zip(KIND_WORDS, _describing(), strict=True) if pattern.search(text)]
    roles = FileRole.NONE
    for row in found:
        roles |= row.roles
    return Kinds(frozenset(kind for row in found for kind in row.symbols), roles, describe=bool(found) and not asked)


def _beside(row: KindWord, used: tuple[str, ...], text: str) -> bool:
    """``the resume method``, ``procedure open``: a name in small letters next to the word."""
    names = "|".join(re.escape(name) for name in used)
    return bool(names) and re.search(rf"\b(?:(?:{row.words})\s+`?(?:{names})\b|(?:{names})`?\s+(?:{row.words})\b)", text, re.IGNORECASE) is not None


_CODE: Final = r"\w*?[a-z0-9_][A-Z]|\w+?_\w"
"""Looks ahead for a word that is written like code. Looking costs a word its length; matching both halves of it costs the square or the cube."""


@functools.cache
def _asking() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(
            rf"\b(?i:{row.words})\s+(?:named\s+|called\s+)?`?(?={_CODE}|[A-Z][a-z])"  # protocol RequestAdapter
            rf"|\b(?={_CODE})\w+`?\s+(?i:{row.words})\b"  # RequestAdapter protocol
            rf"|\b(?i:(?:which|what|all|every|main|list)\s+(?:the\s+)?(?:\w+\s+)?(?:{row.words}))\b"  # which methods
        )
        for row in KIND_WORDS
    )


@functools.cache
def _describing() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(rf"\b(?:the|a|an)\s+(?:{row.words})\s+(?:that|which|who|to|for|where|responsible)\b", re.IGNORECASE) for row in KIND_WORDS
    )


_OF_TEST = (
    r"(?:(?!(?:that|which|who|whose|what|to|is|are|was|does|do|did|can|will|of|in|on|at|by|for|from|with|under|into|if|when|while|after|before|and|or|but"
    r"|we|it|they|you|i|not|never|only|the|an?|this|these|those|all|any|each|every|hit|null|ratio|membership|collision|depth|primality|equality)\b)"
    r"[\w-]+\s+){0,2}?"
)
"""Words that say which test is meant. A hit test or a depth test is an operation, and no test of the program."""
_DOES = (
    r"expect|assert|verify|ensure|validate|retrieve|prove|compare|confirm|cover|exercise|simulate|create|make|know|need|wait|fail|pass|compute|generate|get"
    r"|replace|measure|check"
)
"""What a test does. "Use" and "run" are not among them: the framework that tests use and the script that runs them are none."""
_A_TEST: Final = re.compile(
    rf"\b(?:the|this|that)\s+{_OF_TEST}test(?:\s+(?:case|function|class|method))?\s+(?:that|which)\b"  # the test class that verifies
    rf"|\b(?:do|does|did)\s+(?:the|this|these|those)\s+{_OF_TEST}tests?\s+(?:{_DOES})\b"  # what does the test expect
    rf"|\bin\s+(?:the|this)\s+{_OF_TEST}test\s*(?:$|[?.!,;:]|\s(?:and|or)\b)"  # in this test, what
    r"|\bin\s+(?:these|those)\s+tests\b"
    rf"|\bin\s+the\s+(?!tests\b){_OF_TEST}tests\s*(?:$|[?.!,;:]|\s(?:and|or)\b)",  # in the C API tests
    re.IGNORECASE,
)
_A_DECLARATION: Final = re.compile(
    r"\bthe\s+(?:[\w-]+\s+){0,4}?(?:class|struct|enum|protocol|function|method|initiali[sz]er|constructor|property|procedure|subroutine|macro)"
    r"\s+(?:that|which)\b",
    re.IGNORECASE,
)


class Referent(StrEnum):
    """What a question is about as of a thing, where it says so."""

    NONE = "none"
    TEST = "test"
    DECLARATION = "declaration"


def referent_of(text: str) -> Referent:
    """A test, as in "which parameters does the test expect?", but not in "how is time controlled in tests?", which is about what controls it; or a
    declaration that is told by what it does, as in "why is the helper class that loads applications lazy?".
    """
    wording = ends_of(text)
    if _A_TEST.search(wording):
        return Referent.TEST
    return Referent.DECLARATION if _A_DECLARATION.search(wording) else Referent.NONE
