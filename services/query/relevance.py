"""Is anything that was found relevant at all? Several signs together, because none alone can tell: over questions with and without an answer, the
best BM25F score alone separates them with an area under the curve of .77, the best cosine with .75.

The judgement is conservative: one good sign is enough to answer, and a question is refused only if every sign that can be read is bad.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exegesis.bm25f import K1_CHUNK
from exegesis.terms import stop_words, terms_of, units_of, words
from services.query.intent import Intent
from services.query.rank import Ranking
from services.query.retrieve import Seeds


@dataclass(frozen=True, slots=True)
class Signs:
    known: float
    """Share of the question's weight (inverse document frequency) on terms that occur at all."""
    matched: float
    """Best lexical score over the highest that the question allows."""
    named: float
    """Best share of a name that the question says, among the first results."""
    path: float
    """Best share of the question that a path among the first files says."""
    cosine: float | None
    """Best similarity; None without vectors."""
    defined: bool
    """Some symbol bears a name that the question writes like code."""
    is_topic: bool = False
    """Words without a question around them: whoever searches judges the hits himself."""
    is_overview: bool = False
    """The question is about the whole, and the whole has places to begin."""
    foreign: bool = False
    """The question names things by proper names, and none of them occurs anywhere."""
    is_translated: bool = False
    """Its grammar is not that of English, and the words that occur are names: what its other words mean nobody can tell from the code."""


@dataclass(frozen=True, slots=True)
class Relevance:
    relevant: bool
    reasons: tuple[str, ...]
    """The signs that were bad, in words."""


@dataclass(frozen=True, slots=True)
class Test:
    name: str
    good: Callable[[Signs], bool]
    reason: str
    """What is said when the sign is bad."""


LOOKED_AT = 10  # results and files among which a sign is looked for
FOREIGN_WORDS = 2  # words that occur nowhere, from which on a question may be in another language than the code
FOREIGN_SHARE = 3  # such words for each English function word; English questions have at most two, unless they are about what is not there

TESTS: tuple[Test, ...] = (
    Test("definition", lambda signs: signs.defined, "no symbol bears a name from the question"),
    Test("overview", lambda signs: signs.is_overview, "it does not ask about the whole"),
    Test("words", lambda signs: _is_known(signs, 0.5) and signs.matched >= 0.18, "the words that carry the question do not occur together"),
    Test(
        "name", lambda signs: _is_known(signs, 0.35) and signs.named >= 0.5 and signs.matched >= 0.11, "no symbol's name says what the question says"
    ),
    Test("topic", lambda signs: signs.is_topic and signs.known >= 0.35, "hardly a word of it occurs"),
    Test("path", lambda signs: signs.path >= 0.5, "no file is named after the question's words"),
    Test("names in another language", lambda signs: signs.is_translated, "hardly a word of it occurs in names"),
    Test("similarity", lambda signs: signs.cosine is not None and signs.cosine >= 0.45, "nothing that was found means something similar"),
)
"""With these thresholds all of 208 answerable questions and change subjects on eight Swift repositories are answered."""


def _is_known(signs: Signs, share: float) -> bool:
    """Words carry a judgement only if enough of them occur, the proper names among them."""
    return signs.known >= share and (not signs.foreign or signs.matched >= 0.3)


def judge(seeds: Seeds, ranking: Ranking) -> Relevance:
    """Whether to answer. Nothing found at all is never relevant."""
    if not ranking.chunks:
        return Relevance(False, ("nothing that was searched shares a word with the question",))
    signs = read_signs(seeds, ranking)
    if seeds.intent.terms.is_empty and not signs.defined and not signs.is_overview:
        return Relevance(False, ("every word of it stands in all texts, so none can be searched",))
    return decide(signs)


def decide(signs: Signs) -> Relevance:
    """One good sign is enough."""
    bad = tuple(test.reason for test in TESTS if not test.good(signs))
    return Relevance(len(bad) < len(TESTS), bad)


def read_signs(seeds: Seeds, ranking: Ranking) -> Signs:
    first = sorted(ranking.chunks, key=lambda chunk: (-chunk.list_score, chunk.candidate.place))[:LOOKED_AT]
    parts = [{part.name: part.value for part in chunk.list_parts} for chunk in first]
    paths = [{part.name: part.value for part in file.parts} for file in ranking.files[:LOOKED_AT]]
    masses = seeds.masses
    known = max((mass.known / mass.total for mass in masses.values() if mass.total > 0), default=0.0)
    matched = max(
        (
            candidate.lexical / ((K1_CHUNK + 1) * masses[candidate.repository].total)
            for candidate in seeds.candidates
            if masses[candidate.repository].total > 0
        ),
        default=0.0,
    )
    cosines = [candidate.cosine for candidate in seeds.candidates if candidate.cosine is not None]
    return Signs(
        known=known,
        matched=matched,
        named=max((part.get("name", 0.0) / 0.3 for part in parts), default=0.0),
        path=max((part.get("path", 0.0) / 0.6 for part in paths), default=0.0),
        cosine=max(cosines, default=None),
        defined=_defined(seeds.intent, ranking),
        is_topic=not seeds.intent.is_question,
        is_overview=any(candidate.landmark > 0 for candidate in seeds.candidates),
        foreign=_foreign(seeds),
        is_translated=_translated(seeds, ranking),
    )


def _defined(intent: Intent, ranking: Ranking) -> bool:
    names = {name.lower() for name in (*intent.identifiers, intent.symbol, *(intent.terms.words if intent.terms.is_empty else ())) if name}
    return any(chunk.candidate.chunk.name.lower() in names for chunk in ranking.chunks)


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
