"""What the pieces of a context lead to together, once most of it is chosen.

Before anything is chosen the graph is followed from the ten best pieces; a context of the usual size holds a hundred and more. What several of these
call is a step of what they do, however little it resembles the question: a tenth of a large context is kept for such steps. At 8,000 tokens there is
no room to spare (.01 to .03 of the essential places are lost), and an overview has no one mechanism.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from exegesis.model import Chunk, ChunkKind, Edge, FileRole
from exegesis.ports import Degrees
from services.graph.api import Direction
from services.query.aims import Aim
from services.query.corpus import Corpus, Key, chunks_holding, has_role
from services.query.expand import FAN_OUT, HUB_DEGREE, KIND_WEIGHTS
from services.query.intent import Intent
from services.query.noise import noise_factor
from services.query.rank import RankedChunk, Ranking, unranked
from services.query.retrieve import Seeds
from services.query.symbols import declared_in

JOINED_SHARE: Final = 0.1
"""Of the budget; .05 and .15 gain half as much."""
SMALLEST_BUDGET: Final = 16_000
"""Tokens of a context that has room for it."""
OWN: Final = 0.5
"""What a piece's own score weighs beside what leads to it; 0 and 1 gain less."""


def joined_share(seeds: Seeds) -> float:
    """The share of a context's budget that is kept for what its pieces lead to."""
    asks = seeds.intent.is_question and seeds.intent.aim is not Aim.OVERVIEW
    return JOINED_SHARE if asks and seeds.question.options.budget >= SMALLEST_BUDGET else 0.0


def joined_chunks(seeds: Seeds, ranking: Ranking, taken: Sequence[RankedChunk]) -> list[RankedChunk]:
    """Chunks that those taken call, create, read or name, best first: by how many, how good and how certain, damped at hubs. Nothing of a repository
    whose graph is too slow.
    """
    best = max((ranked.score for ranked in taken), default=0.0)
    if best <= 0:
        return []
    known = ranking.by_key()
    scored: list[tuple[float, RankedChunk]] = []
    for repository, corpus in seeds.corpora.items():
        shares = {
            ranked.candidate.chunk.id: (ranked.candidate.chunk, ranked.score / best)
            for ranked in taken
            if ranked.candidate.repository == repository and ranked.candidate.chunk.kind is not ChunkKind.DESCRIPTION
        }
        for chunk, value in _led_to(corpus, seeds.intent, shares):
            key: Key = (repository, chunk.id)
            ranked = known.get(key) or unranked(repository, chunk)
            scored.append((value + OWN * ranked.score / best, ranked))
    return [ranked for _, ranked in sorted(scored, key=lambda entry: (-entry[0], entry[1].candidate.place))]


def _led_to(corpus: Corpus, intent: Intent, shares: Mapping[int, tuple[Chunk, float]]) -> list[tuple[Chunk, float]]:
    """Chunks at the other ends of edges, and what all that leads to them adds up to; of each piece its best edge counts. ``shares``: the pieces, each
    with its score over the best.
    """
    nothing: tuple[Sequence[Edge], Mapping[int, int], Mapping[int, int], Mapping[int, Chunk], Mapping[int, Degrees]] = ((), {}, {}, {}, {})
    edges, piece_of, holding, chunks, degrees = corpus.hurry.ask(lambda: _edges_from(corpus, [chunk for chunk, _ in shares.values()]), nothing)
    values: dict[int, dict[int, float]] = {}
    for edge in edges:
        piece, neighbor = piece_of[edge.source], holding.get(edge.target)
        if neighbor is None or neighbor in shares or neighbor not in chunks:
            continue
        file = corpus.table.rows[chunks[neighbor].path].file
        if has_role(file.roles, FileRole.TEST) and not has_role(intent.asked_roles, FileRole.TEST):
            continue
        degree = degrees[edge.target].callers + degrees[edge.target].callees if edge.target in degrees else 0
        value = shares[piece][1] * edge.confidence * KIND_WEIGHTS[edge.kind] * noise_factor(file, intent) / math.sqrt(max(1.0, degree / HUB_DEGREE))
        by_piece = values.setdefault(neighbor, {})
        by_piece[piece] = max(by_piece.get(piece, 0.0), value)
    return [(chunks[neighbor], sum(by_piece.values())) for neighbor, by_piece in values.items()]


def _edges_from(
    corpus: Corpus, pieces: Sequence[Chunk]
) -> tuple[Sequence[Edge], Mapping[int, int], Mapping[int, int], Mapping[int, Chunk], Mapping[int, Degrees]]:
    """Edges out of the pieces, the piece that declares each of their sources, the chunk that shows each target, those chunks, and how busy targets
    are.
    """
    piece_of = {symbol: piece for piece, symbols in declared_in(corpus, pieces).items() for symbol in symbols}
    edges = corpus.graph.edges(corpus.pin, sorted(piece_of), Direction.CALLEES, per_node=FAN_OUT)
    targets = sorted({edge.target for edge in edges})
    holding = chunks_holding(corpus, targets)
    return edges, piece_of, holding, corpus.graph.chunks(corpus.pin, sorted(set(holding.values()))), corpus.graph.degrees(corpus.pin, targets)
