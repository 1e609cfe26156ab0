"""The vectors of a generation's chunks, computed after it is usable already."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence

from exegesis.embedding_text import embedding_text
from exegesis.errors import Cancelled
from exegesis.model import Chunk, FileStatus
from exegesis.ports import Embedder
from services.graph.api import GraphService, Pin

TOKENS = 128
"""Tokens read of a chunk: twice as many cost twice the time and rank no better."""

_FILES = 16
"""Files whose chunks are in memory at once; also about how much is lost when the work is interrupted."""


def embed_chunks(graph: GraphService, pin: Pin, embedder: Embedder, *, cancelled: threading.Event) -> Iterator[Sequence[tuple[int, Sequence[float]]]]:
    """Identifiers and vectors of all chunks, some at a time, ordered by path. Raises ``Cancelled`` between two portions."""
    paths = [row.file.path for row in graph.files(pin) if row.file.status is FileStatus.INDEXED]
    remaining = iter(paths)
    while group := list(itertools.islice(remaining, _FILES)):
        chunks = graph.chunks_in(pin, group, text=True)
        for portion in _portions(chunks):
            if cancelled.is_set():
                raise Cancelled("Embedding was interrupted.")
            vectors = embedder.embed([embedding_text(chunk) for chunk in portion], tokens=TOKENS)
            yield [(chunk.id, vector) for chunk, vector in zip(portion, vectors, strict=True)]


def _portions(chunks: Sequence[Chunk]) -> Iterator[Sequence[Chunk]]:
    """About a second of work each, so that an interruption is heard."""
    for start in range(0, len(chunks), 32):
        yield chunks[start : start + 32]
