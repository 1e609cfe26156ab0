"""Vectors at question time: late embedding of the best candidates, where the index has none yet.

Only :data:`LATE` chunks are embedded, and only if all of them can be within the time allowed: a question answered with half of them would be
answered differently the next time. Vectors are kept by model and text, so asking on costs less and less.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from exegesis.errors import EmbedderUnavailable
from exegesis.model import Chunk
from exegesis.ports import ContentCache, Embedder
from exegesis.terms import path_text, spoken
from services.query.corpus import Key
from services.query.rank import Ranking
from services.query.retrieve import Seeds, wants_vectors

LATE = 32
"""Chunks embedded for one question: 16 give the same ranking, 128 no better one."""
TOKENS = 128
_DOC = 200
"""Characters of doc comment: long tutorials in comments resemble every question."""
_PATH_WORDS = 4
_BODY = 1_000
"""Characters of body: more than 128 tokens hold."""
_BATCH = 8
"""Texts between two looks at the clock."""


def embedded_text(chunk: Chunk) -> str:
    """What a vector is made of: kind, enclosing type, name and file in words, then doc comment and body. A header in words is worth more than
    twice the body.
    """
    kind = chunk.symbol_kind.value if chunk.symbol_kind else chunk.kind.value
    path = spoken(path_text(chunk.path)).split()[-_PATH_WORDS:]
    return f"{kind} {spoken(chunk.enclosing)} {spoken(chunk.name)} in {' '.join(path)}. {chunk.doc[:_DOC]} {chunk.text[:_BODY]}"


def with_late_vectors(seeds: Seeds, ranking: Ranking) -> tuple[Seeds, tuple[str, ...]]:
    """The same seeds with the similarity of the best candidates (by list score) filled in, and warnings.

    Nothing happens where vectors are not wanted, not configured, or stored in the index already. Without an answer of the embedder the question
    goes on without vectors.
    """
    embedder = next((corpus.embedder for corpus in seeds.corpora.values() if corpus.embedder), None)
    options = seeds.question.options
    if embedder is None or not wants_vectors(seeds.question) or seeds.has_vectors:
        return seeds, ()
    best = sorted(ranking.chunks, key=lambda chunk: (-chunk.list_score, chunk.candidate.place))[:LATE]
    texts: dict[Key, Chunk] = {}
    for repository, corpus in seeds.corpora.items():
        wanted = [chunk.candidate.chunk.id for chunk in best if chunk.candidate.repository == repository]
        texts |= {(repository, id_): chunk for id_, chunk in corpus.graph.chunks(corpus.pin, wanted, text=True).items()}
    cache = next((corpus.cache for corpus in seeds.corpora.values() if corpus.cache), None)
    try:
        near, warning = cosines(seeds.question.text, texts, embedder, cache, seconds=options.dense_seconds)
    except EmbedderUnavailable as error:
        near, warning = {}, f"Vectors were left out: {error.message}"
    candidates = tuple(replace(candidate, cosine=near.get(candidate.key)) for candidate in seeds.candidates)
    return replace(seeds, candidates=candidates), (warning,) if warning else ()


def cosines(
    question: str, chunks: Mapping[Key, Chunk], embedder: Embedder, cache: ContentCache | None, *, seconds: float
) -> tuple[Mapping[Key, float], str]:
    """Similarity of each chunk (with text) to the question, and a warning. All chunks or none: past ``seconds`` the result is empty, and the
    warning says so; what was embedded until then is kept for the next question.
    """
    started = time.monotonic()
    space = f"late/{embedder.fingerprint}"
    texts = {key: embedded_text(chunk) for key, chunk in chunks.items()}
    digests = {text: hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in texts.values()}
    known = dict(cache.get(space, list(digests.values()))) if cache else {}
    # Sorted by length, texts of one batch need the same padding; ties by text keep batches the same from run to run.
    missing = sorted((text for text in digests if digests[text] not in known), key=lambda text: (len(text), text))
    for start in range(0, len(missing), _BATCH):
        if time.monotonic() - started > seconds:
            return {}, f"Vectors were left out: embedding {len(missing)} of {len(texts)} candidates would take longer than {seconds:g} s."
        batch = missing[start : start + _BATCH]
        fresh = {
            digests[text]: np.asarray(vector, dtype="<f4").tobytes() for text, vector in zip(batch, embedder.embed(batch, tokens=TOKENS), strict=True)
        }
        known |= fresh
        if cache:
            cache.put(space, fresh)
    asked = np.asarray(embedder.embed_question(spoken(question)), dtype="<f4")
    return {key: float(np.dot(np.frombuffer(known[digests[text]], dtype="<f4"), asked)) for key, text in texts.items()}, ""
