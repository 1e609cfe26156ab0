"""What is asked of descriptions as such: a list of those that words find, and those of something named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from exegesis.bm25f import PHRASE_WEIGHT
from exegesis.errors import NotFound, NothingRelevant, UnknownSymbol
from exegesis.model import Description, Question, Result, ScorePart, Subject, Symbol
from exegesis.terms import term_id
from services.query.corpus import Corpus
from services.query.described import document_of
from services.query.intent import Intent, read_question

MOST_OF_A_NAME: Final = 12
"""Descriptions that one name may mean."""


def asked_terms(intent: Intent) -> Mapping[int, float]:
    """A question's own terms by their count, and its phrases at half."""
    phrases = {term_id(phrase): PHRASE_WEIGHT for phrase in intent.terms.phrases}
    return phrases | {term_id(term): float(count) for term, count in intent.terms.counts}


def list_descriptions(question: Question, corpora: Sequence[Corpus]) -> tuple[Result, ...]:
    """The descriptions that say most of a question. Raises ``NothingRelevant`` where none says any of it."""
    weights = asked_terms(read_question(question.text, question.options))
    found = [(corpus, each) for corpus in corpora for each in corpus.descriptions.search(weights, limit=question.options.limit)]
    if not found:
        raise NothingRelevant("No description says any word of this.")
    found.sort(key=lambda pair: -pair[1].score)
    return tuple(_result(corpus.repository, each.description, each.score) for corpus, each in found[: question.options.limit])


def _result(repository: str, description: Description, score: float) -> Result:
    document = document_of(description)
    why = f"a {description.subject.value} whose description says so"
    parts = (ScorePart("words", round(score, 6)),)
    return Result(
        repository, document.path, document.runs[0].start, document.runs[0].end, document.qualified, document.kind.value, round(score, 6), why, parts
    )


def descriptions_about(corpus: Corpus, about: str) -> Sequence[Description]:
    """Those of what a person calls so: a path or its end, a module, a type by its name; of the repository and its modules where nothing is named.

    What is too small to be described beforehand is described now. Raises ``NotFound``.
    """
    wanted = about.strip()
    if not wanted:
        return [each for each in corpus.descriptions.all() if each.subject in {Subject.REPOSITORY, Subject.MODULE}]
    meant, offer = _meant(corpus, wanted)
    symbols = [symbol.id for symbol in meant]
    found = _matching(corpus.descriptions.all(), wanted, symbols) or _matching(corpus.graph.descriptions(corpus.pin, small=True), wanted, symbols)
    if not found and meant:
        name, kind = meant[0].name, meant[0].kind.value
        raise NotFound(
            f"`{name}` is a {kind} ({meant[0].path}:{meant[0].line}), and descriptions are of types, files and modules.",
            hint=f'`exegesis explain "How does {name} work?"` tells of it, and `exegesis graph callers {name}` who calls it.',
        )
    if not found:
        raise NotFound(f"No type, file or module is called {about!r}.{offer}", hint="`exegesis search` finds code by other words.")
    return found[:MOST_OF_A_NAME]


def _meant(corpus: Corpus, wanted: str) -> tuple[Sequence[Symbol], str]:
    """Symbols that may be meant; and where there are none, which names are near."""
    try:
        return corpus.graph.find(corpus.pin, wanted), ""
    except UnknownSymbol as error:
        return (), error.message.partition("The nearest")[1] and f" The nearest{error.message.partition('The nearest')[2]}"


def _matching(descriptions: Iterable[Description], wanted: str, symbols: Sequence[int]) -> list[Description]:
    """Exact ones first, then symbols as a person is likely to mean them, then ends of paths."""
    order = {symbol: place for place, symbol in enumerate(symbols)}
    ranked: list[tuple[int, int, Description]] = []
    for each in descriptions:
        if each.name == wanted or each.path == wanted == each.name:
            ranked.append((0, 0, each))
        elif each.symbol is not None and each.symbol in order:
            ranked.append((1, order[each.symbol], each))
        elif each.subject is Subject.FILE and f"/{each.path}".endswith(f"/{wanted.lstrip('/')}"):
            ranked.append((2, 0, each))
    best = min((rank for rank, _, _ in ranked), default=0)
    return [each for rank, _, each in sorted(ranked, key=lambda entry: entry[:2]) if rank == best]
