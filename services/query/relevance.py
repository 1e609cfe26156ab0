"""Is anything that was found relevant at all? Several signs together, because none alone can tell: over questions with and without an answer, the
best BM25F score alone separates them with an area under the curve of .77, the best cosine with .75.

The judgement is conservative: one good sign is enough to answer, and a question is refused only if every sign that can be read is bad.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exegesis.bm25f import K1_CHUNK
from exegesis.terms import terms_of
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

TESTS: tuple[Test, ...] = (
    Test("definition", lambda signs: signs.defined, "no symbol bears a name from the question"),
    Test("overview", lambda signs: signs.is_overview, "it does not ask about the whole"),
    Test("words", lambda signs: _is_known(signs, 0.5) and signs.matched >= 0.18, "the words that carry the question do not occur together"),
    Test(
        "name", lambda signs: _is_known(signs, 0.35) and signs.named >= 0.5 and signs.matched >= 0.11, "no symbol's name says what the question says"
    ),
    Test("topic", lambda signs: signs.is_topic and signs.known >= 0.35, "hardly a word of it occurs"),
    Test("path", lambda signs: signs.path >= 0.5, "no file is named after the question's words"),
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
    return decide(read_signs(seeds, ranking))


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
    )


def _defined(intent: Intent, ranking: Ranking) -> bool:
    names = {name.lower() for name in (*intent.identifiers, intent.symbol) if name}
    return any(chunk.candidate.chunk.name.lower() in names for chunk in ranking.chunks)


def _foreign(seeds: Seeds) -> bool:
    """Words with a capital that do not begin the question are proper names; all of them are unknown everywhere."""
    proper = [word for word in seeds.intent.terms.words[1:] if word != word.lower() and word not in _PRONOUN and terms_of(word)]
    unknown = set.intersection(*(set(mass.unknown) for mass in seeds.masses.values())) if seeds.masses else set()
    return bool(proper) and all(unknown.issuperset(terms_of(word)) for word in proper)


_PRONOUN = frozenset({"I"})
