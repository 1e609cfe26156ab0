"""Vectors at question time: late embedding of the best candidates, where the index has none yet.

Only :data:`LATE` chunks are embedded, and only if all of them can be within the time allowed: a question answered with half of them would be
answered differently the next time. Of a short chunk the same text is embedded that the indexer embeds ahead of time, of a long one the passage that
the question's words found. The embedder remembers vectors by model and text, so asking on costs less and less.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from exegesis.embedding_text import embedding_text
from exegesis.errors import EmbedderUnavailable
from exegesis.ports import Embedder
from exegesis.terms import spoken
from services.query.corpus import Key
from services.query.passage import keys_of_best, passage_text, texts_of_best
from services.query.rank import Ranking
from services.query.retrieve import Seeds, similarities, wants_vectors

LATE = 16
"""Chunks embedded for one question: 32 or all of them rank no better, and cost a second more of a laptop's time."""
TOKENS = 256
"""Tokens read of a chunk, as many as the indexer reads, so that each finds what the other has embedded."""
_BATCH = 8
"""Texts between two looks at the clock."""


def with_late_vectors(seeds: Seeds, ranking: Ranking, *, passages: bool = True) -> tuple[Seeds, tuple[str, ...]]:
    """The same seeds with the similarity of the best candidates (by list score) filled in, and warnings. Without ``passages`` it is that of their
    beginnings, as the index has it.

    Nothing happens where vectors are not wanted, not configured, or stored in the index already. Without an answer of the embedder the question
    goes on without vectors.
    """
    embedder = next((corpus.embedder for corpus in seeds.corpora.values() if corpus.embedder), None)
    options = seeds.question.options
    if embedder is None or not wants_vectors(seeds.question) or seeds.has_vectors:
        return seeds, ()
    texts = texts_of_best(seeds, ranking, LATE, passage_text if passages else lambda chunk, _: embedding_text(chunk))
    try:
        near, warning = cosines(seeds.question.text, texts, embedder, seconds=options.dense_seconds)
    except EmbedderUnavailable as error:
        near, warning = {}, f"Vectors were left out: {error.message}"
    candidates = tuple(candidate._replace(cosine=near.get(candidate.key)) for candidate in seeds.candidates)
    return replace(seeds, candidates=candidates), (warning,) if warning else ()


def with_stored_vectors(seeds: Seeds, ranking: Ranking, vector: Sequence[float]) -> Seeds:
    """The same seeds with the similarity of the best candidates filled in from the index: what late vectors of beginnings would say. ``vector`` is
    that of the question.
    """
    near: dict[Key, float] = {}
    for repository, corpus in seeds.corpora.items():
        wanted = [id_ for at, id_ in keys_of_best(ranking, LATE) if at == repository]
        near |= {(repository, id_): cosine for id_, cosine in similarities(corpus, wanted, vector).items()}
    return replace(seeds, candidates=tuple(candidate._replace(cosine=near.get(candidate.key)) for candidate in seeds.candidates))


def cosines(question: str, texts: Mapping[Key, str], embedder: Embedder, *, seconds: float) -> tuple[Mapping[Key, float], str]:
    """Similarity of each text to the question, and a warning. All texts or none: past ``seconds`` the result is empty, and the warning says so; what
    was embedded until then is remembered for the next question.
    """
    started = time.monotonic()
    # Short ones first: within the time allowed as many as possible are embedded, and remembered.
    waiting = sorted(set(texts.values()), key=lambda text: (len(text), text))
    vectors: dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}
    for start in range(0, len(waiting), _BATCH):
        if time.monotonic() - started > seconds:
            left = len(waiting) - start
            late = f"embedding {left} more of {len(waiting)} candidates would take longer than {seconds:g} s"
            return {}, f"Vectors were left out: {late}. `exegesis index` stores vectors, and questions need not wait for them."
        batch = waiting[start : start + _BATCH]
        embedded = embedder.embed(batch, tokens=TOKENS)
        vectors |= {text: np.asarray(vector, dtype=np.float32) for text, vector in zip(batch, embedded, strict=True)}
    asked = np.asarray(embedder.embed_question(spoken(question)), dtype=np.float32)
    return {key: float(vectors[text] @ asked) for key, text in texts.items()}, ""
