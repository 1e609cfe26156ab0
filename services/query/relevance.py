"""Does what was found bear on the question? Three grades: answer, answer with a warning, refuse.

Whether a repository has a feature at all cannot be told by one score. Four signs of words, :data:`EVIDENCE`, are read from a repository's own code.
Where these settle nothing (:attr:`Relevance.is_open`) and there are vectors, two of them are weighed anew beside the nearest piece, :data:`MEANING`:
of such questions words alone tell .84 (area under the curve, on repositories that the weights were not learned from), with meaning .90. The weights
are those of a logistic regression (Cox, "The regression analysis of binary sequences", 1958) over questions about what is there and about features
that are absent; ``benchmarks/refusals.py`` learns them again and says how they do where they were not learned.

To refuse what could be answered is worse than to answer with a warning. So a question is refused only where it is put in words that code would use;
who tells what he sees uses words of his own, and that the code has none of them says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from exegesis.terms import folded, stop_words, terms_of, units_of, words
from services.query.bearing import is_general, own_pieces, read_bearing
from services.query.rank import RankedChunk, Ranking
from services.query.retrieve import Seeds


class Grade(StrEnum):
    ANSWER = "answer"
    DOUBT = "doubt"
    """Answer, and say that it may be beside the question."""
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Signs:
    known: float
    matched: float
    path: float
    together: float = 0.0
    named: int = 0
    whole: bool = False
    """These six are those of ``Bearing``."""
    nearness: float | None = None
    """That of ``Bearing``: None without vectors."""
    defined: bool = False
    """Some symbol bears a name that the question says: written like code, as a program, as what is used, or as two words side by side."""
    is_topic: bool = False
    """Words without a question around them: whoever searches judges the hits himself."""
    is_overview: bool = False
    """The question is about the whole, and the whole has places to begin."""
    foreign: bool = False
    """The question names things by proper names, and none of them occurs anywhere."""
    is_translated: bool = False
    """Its grammar is not that of English, and the words that occur are names: what its other words mean nobody can tell from the code."""
    is_told: bool = False
    """Somebody tells what he sees, in several sentences or in the first person."""
    is_general: bool = False
    """It is asked in words of any program."""


@dataclass(frozen=True, slots=True)
class Relevance:
    grade: Grade
    rule: str
    reasons: tuple[str, ...] = ()
    """What speaks against it, in words; the weightiest first. Empty for answers without doubt."""
    is_open: bool = False
    """Words alone decided, and do not settle it: meaning may say otherwise."""

    @property
    def relevant(self) -> bool:
        return self.grade is not Grade.REFUSE

    @property
    def may_be_listed(self) -> bool:
        """Whether something was found that a person may look at, whatever it says about the question."""
        return self.relevant or self.rule not in NOTHING_FOUND


@dataclass(frozen=True, slots=True)
class Weight:
    name: str
    weight: float
    value: Callable[[Signs], float]
    usual: float
    """What questions that are answered mostly have: the reason is given when it is missed."""
    reason: str


_EMPTY: Final = "empty"
_STOP_WORDS: Final = "stop words"
_WORDLESS: Final = "no words"
NOTHING_FOUND: Final = frozenset({_EMPTY, _STOP_WORDS, _WORDLESS})
"""Rules that refuse because there is nothing at all, and not for what was found."""

EVIDENCE: Final[tuple[Weight, ...]] = (
    Weight("together", 3.65, lambda signs: signs.together, 0.7, "its words do not stand together anywhere in the code"),
    Weight("matched", 7.0, lambda signs: signs.matched, 0.4, "nothing in the code says much of it"),
    Weight("path", 3.7, lambda signs: signs.path, 0.25, "no file is named after its words"),
    Weight("named", 1.0, lambda signs: signs.named, 2.0, "no declaration is named after its words"),
)
BIAS: Final = -5.5
REFUSED: Final = 0.5
"""Score below which nothing bears on a question: of those it was learned from, 6 of 100 with an answer and 93 without; of those with an answer that
are put in a few common words, 17. On four repositories that came later these were 48, and 70 without.
"""
CLEAR: Final = 1.5
"""Score from which on an answer is given without a warning."""
SETTLED: Final = 2.5
"""Score of words from which on meaning is not asked: of 261 questions about absent features five reach it, of 668 with an answer 427. Of
the others 111 are compared, the rest is decided by other rules.
"""

NEAREST: Final = 1.2
"""Beyond what any piece reaches for an absent feature. What is nearer counts as this, so that resemblance alone answers nothing."""
MEANING: Final[tuple[Weight, ...]] = (
    Weight("together", 2.6, lambda signs: signs.together, 0.7, "its words do not stand together anywhere in the code"),
    Weight("matched", 4.4, lambda signs: signs.matched, 0.4, "nothing in the code says much of it"),
    Weight("nearness", 6.2, lambda signs: min(signs.nearness or 0.0, NEAREST), 0.8, "nothing in the code resembles it"),
)
"""Beside the nearest piece, paths and names tell nothing more (area under the curve .903 with either, .904 without). The weights were learned
with the bundled model and its scale. Of another one, all-MiniLM-L6-v2, its own weights tell .869 of 326 questions, and these .872.
"""
MEANING_BIAS: Final = -7.3
"""Of 199 questions about absent features 190 are refused with it, of 608 with an answer 27."""
LONG_SENTENCE: Final = 20
"""Words from which on a question describes what is meant instead of naming it. Of questions with an answer that are put in one sentence and refused
for their words half are as long; of those about absent features one of seventy.
"""
FOREIGN_WORDS: Final = 2  # words that occur nowhere, from which on a question may be in another language than the code
FOREIGN_SHARE: Final = 3  # such words for each English function word; English questions have at most two, unless they are about what is not there


def score(signs: Signs) -> float:
    """Logarithm of the odds that the repository has an answer, as words tell it."""
    return BIAS + sum(weight.weight * weight.value(signs) for weight in EVIDENCE)


def odds(signs: Signs) -> float:
    """The same as words and meaning tell it; as words alone do where they settle it, and where nothing has a vector."""
    return MEANING_BIAS + sum(weight.weight * weight.value(signs) for weight in MEANING) if _asks_meaning(signs) else score(signs)


def _asks_meaning(signs: Signs) -> bool:
    return signs.nearness is not None and score(signs) < SETTLED


def _is_clear(signs: Signs) -> bool:
    """Resemblance alone answers nothing without a warning."""
    return score(signs) >= CLEAR and odds(signs) >= REFUSED


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    grade: Grade
    applies: Callable[[Signs], bool]
    reason: str


RULES: Final[tuple[Rule, ...]] = (
    Rule("definition", Grade.ANSWER, lambda signs: signs.defined, "a symbol bears a name from the question"),
    Rule("overview", Grade.ANSWER, lambda signs: signs.is_overview, "every repository has a whole"),
    Rule("all words", Grade.ANSWER, lambda signs: signs.whole and not signs.foreign, "one piece has all of its words"),
    Rule("names in another language", Grade.ANSWER, lambda signs: signs.is_translated, "what occurs of it are names"),
    Rule("clear", Grade.ANSWER, _is_clear, "words, files and their names bear it out"),
    Rule("topic", Grade.DOUBT, lambda signs: signs.is_topic and signs.known >= 0.35, "who searches judges the hits himself"),
    Rule("own words", Grade.DOUBT, lambda signs: signs.is_told and not signs.foreign, "words of who sees it need not be those of the code"),
    Rule("general words", Grade.DOUBT, lambda signs: signs.is_general, "it names nothing that could be absent"),
    Rule("little", Grade.DOUBT, lambda signs: odds(signs) >= REFUSED, "some of it is borne out"),
    Rule("nothing", Grade.REFUSE, lambda _: True, "nothing bears on it"),
)
"""The first that applies decides."""
_WEIGHED: Final = frozenset({"clear", "little"})
"""Those that go by the score."""


def judge(seeds: Seeds, ranking: Ranking) -> Relevance:
    """Whether to answer. Nothing found at all is never relevant, but where there is anything the whole is there, whatever words ask for it."""
    if not any(corpus.table.statistics.chunks for corpus in seeds.corpora.values()):
        return Relevance(Grade.REFUSE, _EMPTY, ("there is nothing to be searched",))
    if seeds.intent.sides:
        return Relevance(Grade.ANSWER, "sides of the map")
    if not seeds.intent.terms.words:
        return Relevance(Grade.REFUSE, _WORDLESS, ("it has no words",))
    if not ranking.chunks:
        return Relevance(Grade.REFUSE, _EMPTY, ("nothing that was searched shares a word with the question",))
    signs = read_signs(seeds, ranking)
    if seeds.intent.terms.is_empty and not signs.defined and not signs.is_overview:
        return Relevance(Grade.REFUSE, _STOP_WORDS, ("every word of it stands in all texts, so none can be searched",))
    return decide(signs)


def decide(signs: Signs) -> Relevance:
    """The first rule that applies."""
    rule = next(rule for rule in RULES if rule.applies(signs))
    is_open = signs.nearness is None and _may_turn(rule, signs)
    if rule.grade is Grade.ANSWER:
        return Relevance(rule.grade, rule.name, is_open=is_open)
    weighed = MEANING if _asks_meaning(signs) else EVIDENCE
    missed = sorted((weight.weight * (weight.value(signs) - weight.usual), weight.reason) for weight in weighed)
    reasons = tuple(reason for lack, reason in missed if lack < 0) or ("hardly a word of it occurs",)
    return Relevance(rule.grade, rule.name, reasons, is_open)


def _may_turn(rule: Rule, signs: Signs) -> bool:
    """Whether meaning could refuse what words would answer, or answer what they would refuse."""
    if rule.grade is Grade.REFUSE:
        return True
    is_doubted_at_most = signs.is_topic or signs.is_told or signs.is_general
    return rule.name in _WEIGHED and score(signs) < SETTLED and not is_doubted_at_most


def read_signs(seeds: Seeds, ranking: Ranking) -> Signs:
    bearing = read_bearing(seeds, ranking)
    return Signs(
        known=bearing.known,
        matched=bearing.matched,
        path=bearing.path,
        together=bearing.together,
        named=bearing.named,
        whole=bearing.whole,
        nearness=bearing.nearness,
        defined=_defined(seeds, ranking),
        is_topic=not seeds.intent.is_question,
        is_overview=any(candidate.landmark > 0 for candidate in seeds.candidates),
        foreign=_foreign(seeds),
        is_translated=_translated(seeds, ranking),
        is_told=is_told(seeds.intent.text),
        is_general=is_general(seeds.intent),
    )


_TELLER: Final = re.compile(r"\b(?:I|my|me|mine)\b")
_POLITE: Final = re.compile(r"\b(?:do|did|can|could|should|would|must|may|shall) I\b|\b(?:show|tell|give) me\b", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[.?!](?=\s|$)")


def is_told(text: str) -> bool:
    """Whether somebody tells what he sees: in two sentences or more, in a long one, or in the first person. "How do I ..." and "show me ..." are ways
    to ask.
    """
    sentences = len(_SENTENCE_END.findall(text))
    return sentences > 1 or len(words(text)) >= LONG_SENTENCE or _TELLER.search(_POLITE.sub("", text)) is not None


def _defined(seeds: Seeds, ranking: Ranking) -> bool:
    """Phrases are names of a repository's own code only: tests and examples call many things by the words of a feature."""
    intent = seeds.intent
    written = {name.lower() for name in (*intent.called, *(intent.terms.words if intent.terms.is_empty else ())) if name}
    written |= {spelling for name in intent.about for spelling in _numbers(name.rpartition(".")[2].lower())}
    if written and any(_called(chunk) in written for chunk in ranking.chunks):
        return True
    said = set(intent.terms.phrases)
    return bool(said) and any(_called(chunk) in said for corpus in seeds.corpora.values() for chunk in own_pieces(seeds, ranking, corpus))


def _called(chunk: RankedChunk) -> str:
    """The name of a symbol in lower case, without labels and without the signs that mark it as private."""
    return folded(chunk.candidate.chunk.name.partition("(")[0])


def _numbers(name: str) -> tuple[str, ...]:
    """A name as it is said, and in the singular."""
    return (name, name[:-1]) if name.endswith("s") else (name,)


def _foreign(seeds: Seeds) -> bool:
    """Words with a capital that do not begin the question are proper names; all of them are unknown everywhere."""
    proper = [word for word in seeds.intent.terms.words[1:] if word != word.lower() and word not in _PRONOUN and terms_of(word)]
    unknown = _nowhere(seeds)
    return bool(proper) and all(unknown.issuperset(terms_of(word)) for word in proper)


def _translated(seeds: Seeds, ranking: Ranking) -> bool:
    """An English question has a function word for every two or three others, and says what it asks with words of the code; of one in another language
    the code knows the names alone.
    """
    intent, unknown = seeds.intent, _nowhere(seeds)
    function = [word for word in intent.terms.words if word.lower() in stop_words("short") or word.lower() in stop_words("conversation")]
    content = [word for word in intent.terms.words if word not in function and terms_of(word)]
    missing = [word for word in content if unknown.issuperset(terms_of(word))]
    known = [word for word in content if word not in missing]
    if not intent.is_question or not known or len(missing) < max(FOREIGN_WORDS, FOREIGN_SHARE * len(function)):
        return False
    names = [{spelling for word in words(chunk.candidate.chunk.name) for unit in units_of(word) for spelling in unit} for chunk in ranking.chunks]
    return all(any(not name.isdisjoint(terms_of(word)) for name in names) for word in known)


def _nowhere(seeds: Seeds) -> set[str]:
    """Terms of the question that no repository has."""
    return set.intersection(*(set(mass.unknown) for mass in seeds.masses.values())) if seeds.masses else set()


_PRONOUN = frozenset({"I"})
