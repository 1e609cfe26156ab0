"""What is said where little or nothing bears on a question: which of its words no file has, where was searched, and what comes nearest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from exegesis.errors import ExegesisError, NothingRelevant
from exegesis.model import SymbolKind
from exegesis.terms import stop_words, terms_of
from services.graph.api import GraphReading, Pin
from services.query.api import BESIDE
from services.query.rank import Ranking
from services.query.relevance import Grade, Relevance
from services.query.retrieve import Seeds
from services.query.telling.wording import join_words

MOST_PLACES: Final = 3
MOST_WORDS: Final = 12
"""Words that are named: whoever pasted a log has thousands, and an error that crosses a network has room for a few kilobytes."""

LONGEST_WORD: Final = 40
_SOUGHT: Final = 3
"""Names in the question for which others that resemble them are looked for."""


def refuse(seeds: Seeds, ranking: Ranking, relevance: Relevance, names: Mapping[str, str]) -> NothingRelevant:
    """The error to raise. ``names`` are those that people call the repositories by."""
    files = sum(corpus.table.statistics.files for corpus in seeds.corpora.values())
    chunks = sum(corpus.table.statistics.chunks for corpus in seeds.corpora.values())
    searched = f"{_counted(files, 'file')} ({_counted(chunks, 'chunk')}) {'was' if files == 1 else 'were'}"
    where = join_words([names.get(repository, repository) for repository in seeds.corpora])
    asked = _asked(seeds)
    said = [
        f"Nothing in {where} bears on this question: {searched} searched",
        f"for {_quoted(asked)}." if asked else "and no word of the question can be searched.",
    ]
    if missing := unknown_words(seeds):
        said.append(f"{_unknown(missing)}.")
    said += [f"{_capital(reason)}." for reason in relevance.reasons[:1]]
    said += [f"{_capital(nearest)}." for nearest in [_nearest(seeds, ranking)] if nearest]
    return NothingRelevant(" ".join(said))


def warn_of_doubt(seeds: Seeds, ranking: Ranking, relevance: Relevance) -> tuple[str, ...]:
    """The warning that goes with an answer, or with a list, which may be beside the question; none with others."""
    if relevance.grade is Grade.ANSWER:
        return ()
    missing = unknown_words(seeds)
    why = _unknown(missing) if missing else relevance.reasons[0]
    said = [f"{BESIDE}: {why}", _nearest(seeds, ranking)]
    return ("; ".join(part for part in said if part) + ".",)


def unknown_words(seeds: Seeds) -> list[str]:
    """Words of the question that no file of any repository has, in their order."""
    terms = {term for term, _ in seeds.intent.terms.counts}
    unknown = [set(mass.unknown) for mass in seeds.masses.values()]
    return [word for word in _asked(seeds) if all(terms & set(terms_of(word)) <= missing for missing in unknown)]


def _asked(seeds: Seeds) -> list[str]:
    """The words that were searched for."""
    if seeds.intent.terms.is_empty:
        return []
    terms = {term for term, _ in seeds.intent.terms.counts}
    passed = stop_words("long") | stop_words("conversation")
    said = dict.fromkeys(word for word in seeds.intent.terms.words if word.lower() not in passed)
    return [word for word in said if not terms.isdisjoint(terms_of(word))]


def _unknown(missing: list[str]) -> str:
    return f"{_quoted(missing)} {'occur' if len(missing) > 1 else 'occurs'} in no file"


def _quoted(words: list[str]) -> str:
    """The first of them, each cut where nobody would read on, and how many more there are."""
    named = [f"“{word if len(word) <= LONGEST_WORD else f'{word[: LONGEST_WORD - 1]}…'}”" for word in words[:MOST_WORDS]]
    return join_words([*named, f"{len(words) - MOST_WORDS} more"] if len(words) > MOST_WORDS else named)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _nearest(seeds: Seeds, ranking: Ranking) -> str:
    places = nearest_places(seeds, ranking)
    return f"the nearest {'are' if len(places) > 1 else 'is'} {join_words(places)}" if places else ""


def nearest_places(seeds: Seeds, ranking: Ranking) -> list[str]:
    """Declarations that resemble what the question writes like code, then the best of what was found, tests last; each with its place."""
    found: dict[str, None] = {}
    for corpus in seeds.corpora.values():
        for name in dict.fromkeys([*filter(None, [seeds.intent.symbol]), *seeds.intent.identifiers][:_SOUGHT]):
            found.update(dict.fromkeys(_find(corpus.graph, corpus.pin, name)))
    for chunk in ranking.chunks:
        shown = chunk.candidate.chunk
        if len(found) >= MOST_PLACES:
            break
        if shown.name and shown.symbol_kind not in {None, SymbolKind.HEADING}:
            found[f"`{shown.name}` ({_one_line(shown.path)}:{shown.start})"] = None
    return list(found)[:MOST_PLACES]


def _find(graph: GraphReading, pin: Pin, name: str) -> list[str]:
    try:
        return [f"`{symbol.qualified or symbol.name}` ({_one_line(symbol.path)}:{symbol.line})" for symbol in graph.find(pin, name)[:1]]
    except ExegesisError:  # no such name: that is what we are about to say
        return []


def _one_line(path: str) -> str:
    """Names of files may hold line ends, and what follows one could pass for a line of ours."""
    return path.replace("\r", "\\r").replace("\n", "\\n")


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
