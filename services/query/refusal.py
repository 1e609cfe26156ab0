"""What is said instead of an answer: where was searched, for which words, and what bears the nearest names."""

from __future__ import annotations

from collections.abc import Mapping

from exegesis.errors import ExegesisError, NothingRelevant
from exegesis.model import SymbolKind
from exegesis.terms import terms_of
from services.graph.api import GraphReading, Pin
from services.query.relevance import Relevance
from services.query.retrieve import Seeds
from services.query.telling.wording import join_words

MOST_NAMES = 5


def refuse(seeds: Seeds, relevance: Relevance, names: Mapping[str, str]) -> NothingRelevant:
    """The error to raise. ``names`` are those that people call the repositories by."""
    files = sum(corpus.table.statistics.files for corpus in seeds.corpora.values())
    chunks = sum(corpus.table.statistics.chunks for corpus in seeds.corpora.values())
    where = join_words([names.get(repository, repository) for repository in seeds.corpora])
    terms = {term for term, _ in seeds.intent.terms.counts}
    words = () if seeds.intent.terms.is_empty else dict.fromkeys(seeds.intent.terms.words)
    asked = [word for word in words if not terms.isdisjoint(terms_of(word))]
    unknown = [set(mass.unknown) for mass in seeds.masses.values()]
    nowhere = [word for word in asked if all(terms & set(terms_of(word)) <= missing for missing in unknown)]
    said = [
        f"Nothing in {where} bears on this question: {files} files ({chunks} chunks) were searched",
        f"for {join_words([f'“{word}”' for word in asked])}" if asked else "and no word of the question can be searched",
    ]
    message = " ".join(said) + "."
    if nowhere:
        message += f" No file contains {join_words([f'“{word}”' for word in nowhere])}."
    if relevance.reasons:
        message += f" {relevance.reasons[0][:1].upper()}{relevance.reasons[0][1:]}."
    nearest = nearest_names(seeds)
    if nearest:
        message += f" The nearest name{'s are' if len(nearest) > 1 else ' is'} {join_words([f'`{name}`' for name in nearest])}."
    return NothingRelevant(message)


def nearest_names(seeds: Seeds) -> list[str]:
    """Names of symbols that resemble the words of the question, else of what shared any word with it; best first."""
    found: dict[str, None] = {}
    for corpus in seeds.corpora.values():
        for word in sorted(seeds.intent.terms.words, key=lambda word: (-len(word), word))[:3]:
            found.update(dict.fromkeys(_find(corpus.graph, corpus.pin, word)))
    best = sorted(seeds.candidates, key=lambda candidate: (-candidate.lexical, candidate.place))
    found.update(dict.fromkeys(candidate.chunk.name for candidate in best if candidate.chunk.symbol_kind not in {None, SymbolKind.HEADING}))
    return [name for name in found if name][:MOST_NAMES]


def _find(graph: GraphReading, pin: Pin, word: str) -> list[str]:
    try:
        return [symbol.qualified or symbol.name for symbol in graph.find(pin, word)[:2]]
    except ExegesisError:  # no such name: that is what we are about to say
        return []
