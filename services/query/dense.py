"""Vectors at question time: late embedding of the best candidates, where the index has none yet.

Only :data:`LATE` chunks are embedded, and only if all of them can be within the time allowed: a question answered with half of them would be
answered differently the next time. Vectors are kept by model and text, so asking on costs less and less.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence

import numpy as np

from exegesis.model import Chunk
from exegesis.ports import ContentCache, Embedder
from exegesis.terms import path_text, spoken

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


def cosines(
    question: str, chunks: Sequence[Chunk], embedder: Embedder, cache: ContentCache | None, *, seconds: float
) -> tuple[Mapping[int, float], str]:
    """Similarity of each chunk (with text) to the question, and a warning. All chunks or none: past ``seconds`` the result is empty, and the
    warning says so; what was embedded until then is kept for the next question.
    """
    started = time.monotonic()
    space = f"late/{embedder.fingerprint}"
    texts = {chunk.id: embedded_text(chunk) for chunk in chunks}
    keys = {text: hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in texts.values()}
    known = dict(cache.get(space, list(keys.values()))) if cache else {}
    # Sorted by length, texts of one batch need the same padding; ties by text keep batches the same from run to run.
    missing = sorted((text for text in keys if keys[text] not in known), key=lambda text: (len(text), text))
    for start in range(0, len(missing), _BATCH):
        if time.monotonic() - started > seconds:
            return {}, f"Vectors were left out: embedding {len(missing)} of {len(texts)} candidates would take longer than {seconds:g} s."
        batch = missing[start : start + _BATCH]
        fresh = {
            keys[text]: np.asarray(vector, dtype="<f4").tobytes() for text, vector in zip(batch, embedder.embed(batch, tokens=TOKENS), strict=True)
        }
        known |= fresh
        if cache:
            cache.put(space, fresh)
    asked = np.asarray(embedder.embed_question(spoken(question)), dtype="<f4")
    return {id_: float(np.dot(np.frombuffer(known[keys[text]], dtype="<f4"), asked)) for id_, text in texts.items()}, ""
