"""Further chunks of the best files, chosen by what is rare within each file.

A word that every file has may still single out one function of this one: inverse document frequency is taken over the chunks of the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from exegesis.bm25f import idf, term_weights
from exegesis.model import Chunk, Edge
from exegesis.terms import term_id
from services.graph.api import Direction
from services.query.corpus import Corpus, Key
from services.query.rank import RankedChunk, Ranking, unranked
from services.query.retrieve import Seeds

FILES = 5  # best files that may give more
LINKED = 0.5  # for an edge with a chunk that was chosen already
RANK_DECAY = 0.1  # the file of rank r counts 1 / (1 + .1 r)
EDGES = 16


def further_chunks(seeds: Seeds, ranking: Ranking, taken: frozenset[Key]) -> list[RankedChunk]:
    """Chunks of the best files that are not taken yet, best first: file-local BM25F over the best of the file, plus cosine, plus an edge with a
    chosen chunk.
    """
    known = ranking.by_key()
    linked = {repository: _linked(corpus, known, taken) for repository, corpus in seeds.corpora.items()}
    scored: list[tuple[float, RankedChunk]] = []
    for rank, file in enumerate(ranking.files[:FILES]):
        corpus = seeds.corpora[file.candidate.repository]
        chunks = {chunk.id: chunk for chunk in corpus.graph.chunks_in(corpus.pin, [file.candidate.row.file.path])}
        local = _local_scores(seeds, corpus, chunks)
        highest = max(local.values(), default=0.0) or 1.0
        for id_, chunk in chunks.items():
            key = (corpus.repository, id_)
            if key in taken:
                continue
            ranked = known.get(key) or unranked(corpus.repository, chunk)
            score = (
                local.get(id_, 0.0) / highest
                + max(ranked.candidate.cosine or 0.0, 0.0)
                + (LINKED if chunk.symbol in linked[corpus.repository] else 0.0)
            )
            if score > 0:
                scored.append((score / (1 + RANK_DECAY * rank), ranked))
    return [ranked for _, ranked in sorted(scored, key=lambda entry: (-entry[0], entry[1].candidate.place))]


def _local_scores(seeds: Seeds, corpus: Corpus, chunks: Mapping[int, Chunk]) -> dict[int, float]:
    packed = {id_: blob for id_, _, blob in corpus.graph.terms(corpus.pin, sorted(chunks))}
    asked = {term_id(term): count for term, count in seeds.intent.terms.counts}
    terms = sorted(asked)
    table = term_weights(list(packed.values()), corpus.table.statistics, terms)
    weights = [asked[term] * idf(len(packed), int(number)) for term, number in zip(terms, (table > 0).sum(axis=0), strict=True)]
    return dict(zip(packed, (table @ np.array(weights)).tolist(), strict=True))


def _linked(corpus: Corpus, known: Mapping[Key, RankedChunk], taken: frozenset[Key]) -> frozenset[int | None]:
    """Symbols with an edge to or from the symbol of a taken chunk."""
    own = {known[key].candidate.chunk.symbol for key in taken if key[0] == corpus.repository and key in known}
    symbols = sorted(symbol for symbol in own if symbol is not None)
    nothing: Sequence[Edge] = ()
    edges = corpus.hurry.ask(lambda: corpus.graph.edges(corpus.pin, symbols, Direction.BOTH, per_node=EDGES), nothing)
    return frozenset(end for edge in edges for end in (edge.source, edge.target))
