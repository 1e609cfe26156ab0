"""Descriptions in a context: of the large types that the best pieces are parts of, and that are too large to be shown.

Only of generations that say that they are described: so a generation has one context for one question, whatever was made of it since, and no question
waits for descriptions.

At 24,000 tokens they cost no gold line (.481 of the lines of ``explain_swift``, .724 of those of ``swe_qa_flask``, before and after) and bring the
names of .818 of the facts instead of .769. At 12,000 and below they take the room of code (.433 and .427, .664 and .645), so there are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from exegesis.model import Ablation, ChunkKind, Description
from services.query.aims import Aim
from services.query.corpus import Corpus
from services.query.described import document_of
from services.query.features import Candidate
from services.query.rank import RankedChunk, Ranking
from services.query.retrieve import Seeds

SMALLEST_BUDGET: Final = 16_000
"""Tokens of a context that has room for them."""

AMONG: Final = 40
"""Best pieces whose types are described."""

WHY_DESCRIBED: Final = "says what it is as a whole, of which parts are shown"

_TOLD_OTHERWISE: Final = frozenset({Aim.USAGE, Aim.WHY, Aim.SYMBOL})
"""Aims that a description does not serve: they want uses, reasons or one definition."""


def stand_ins(seeds: Seeds, ranking: Ranking) -> Iterator[RankedChunk]:
    """Descriptions as pieces, with the rank of the best piece that belongs to each."""
    options, intent = seeds.question.options, seeds.intent
    if options.budget < SMALLEST_BUDGET or not intent.is_question or intent.sides or intent.aim in _TOLD_OTHERWISE:
        return
    if options.ablation is Ablation.NO_COMPOSITION:
        return
    told: set[tuple[str, int]] = set()
    for ranked in ranking.chunks[:AMONG]:
        repository = ranked.candidate.repository
        found = _type_of(seeds.corpora[repository], ranked)
        if found is not None and (repository, found.id) not in told:
            told.add((repository, found.id))
            yield RankedChunk(Candidate(repository, document_of(found)), ranked.score, 0.0, ())


def _type_of(corpus: Corpus, ranked: RankedChunk) -> Description | None:
    """The description of the type that a piece is, or is a part of. The first one reads all of them; where that takes too long there are none."""
    if not corpus.is_described:
        return None
    chunk, nothing = ranked.candidate.chunk, None
    if chunk.kind is ChunkKind.TYPE and chunk.symbol is not None:
        symbol = chunk.symbol
        return corpus.hurry.ask(lambda: corpus.descriptions.of_type(symbol), nothing)
    return corpus.hurry.ask(lambda: corpus.descriptions.of_name(chunk.enclosing), nothing) if chunk.enclosing else None
