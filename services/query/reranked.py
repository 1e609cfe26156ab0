"""Reranking: a cross-encoder reads the best candidates of a list together with the question, where somebody has set one up.

Its scores take the place of late cosines, with their weight: both say how near a passage is to the question, and a cross-encoder says it better than
two vectors that never met (Nogueira and Cho, "Passage Re-ranking with BERT", 2019). Words and names still count beside it, because a model that was
trained on prose may know little of code.
"""

from __future__ import annotations

from dataclasses import replace

from exegesis.errors import RerankerUnavailable
from services.query.passage import passage_text, texts_of_best
from services.query.rank import Ranking
from services.query.retrieve import Seeds, wants_vectors

RERANKED = 32
"""Candidates that are read: what a server takes in one request by default."""


def with_reranking(seeds: Seeds, ranking: Ranking) -> tuple[Seeds, tuple[str, ...]]:
    """The same seeds with the scores of the best candidates (by list score) as their similarities, and warnings.

    Nothing happens where there is no reranker, the question is asked without models, or what is listed was found by stored vectors alone. Where the
    reranker does not answer, the list goes on without it.
    """
    reranker = next((corpus.reranker for corpus in seeds.corpora.values() if corpus.reranker), None)
    if reranker is None or not wants_vectors(seeds.question) or seeds.has_vectors or not ranking.chunks:
        return seeds, ()
    texts = texts_of_best(seeds, ranking, RERANKED, passage_text)
    try:
        scores = reranker.rerank(seeds.question.text, list(texts.values()))
    except RerankerUnavailable as error:
        return seeds, (f"The reranker was left out: {error.message}",)
    near = dict(zip(texts, scores, strict=True))
    return replace(seeds, candidates=tuple(candidate._replace(cosine=near.get(candidate.key)) for candidate in seeds.candidates)), ()
