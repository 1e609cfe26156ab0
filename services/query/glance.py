"""What a language model is shown that is to find words for a question: what a first search found, and the names that lie around it.

A model that does not know the repository can only choose among names that it sees. So it sees little of what words have found already, and more of
what lies beyond: names of the next finds, and of what the finds call and are called by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from exegesis.model import Chunk, Question
from services.query.corpus import Corpus
from services.query.expand import expand
from services.query.grading import grade_what_is_found
from services.query.rank import rank
from services.query.rewriting import MOST_LINES, Glance
from services.query.spelling import with_declared_spelling
from services.query.symbols import map_to_symbols
from services.query.without import AvailableSources

FURTHER: Final = 60
"""Chunks after those with a line of their own, of which the names are shown; after twice as many there is little that is right."""
AROUND: Final = 60
"""Names of what is called and calls, surest first."""


def glance(question: Question, corpora: Sequence[Corpus]) -> Glance | None:
    """None where a model has nothing to add: to a name, to a question about the whole, and to one on which nothing bears."""
    sources = AvailableSources(with_declared_spelling(question, corpora), corpora)
    graded = grade_what_is_found(sources)
    if graded.seeds.intent.symbol or graded.seeds.intent.sides or not graded.relevance.relevant:
        return None
    seeds = sources.everything()
    ranking = rank(seeds)
    best = [ranked.candidate for ranked in ranking.chunks]
    expansion = expand(seeds, map_to_symbols(seeds, ranking))
    chunks = {candidate.key: candidate.chunk for candidate in best}
    chunks |= {(repository, id_): chunk for repository, added in expansion.chunks.items() for id_, chunk in added.items()}
    around = sorted(expansion.lent, key=lambda key: (-expansion.lent[key].value, key))
    further = _names(candidate.chunk for candidate in best[MOST_LINES : MOST_LINES + FURTHER])
    found = [f"{one.chunk.path}: {_line(seeds.corpora[one.repository], one.chunk)}" for one in best[:MOST_LINES]]
    near = _names(chunks[key] for key in around if key in chunks)[:AROUND]
    return Glance(tuple(dict.fromkeys(found)), tuple(dict.fromkeys((*further, *near))))


def _names(chunks: Iterable[Chunk]) -> list[str]:
    return list(dict.fromkeys(chunk.qualified or chunk.name for chunk in chunks if chunk.name))


def _line(corpus: Corpus, chunk: Chunk) -> str:
    """What it declares; of code that declares nothing its first line that is no comment."""
    if chunk.signature or chunk.name:
        return chunk.signature or chunk.name
    lines = [line.strip() for line in corpus.graph.chunks(corpus.pin, [chunk.id], text=True)[chunk.id].text.splitlines()]
    return next((line for line in lines if line[:1].isalpha() or line[:1] in _BEGIN), "")


_BEGIN: Final = frozenset("_@$")
"""With which code begins, beside letters."""
