"""Servers that are away are left alone for a while: of many who ask, one waits until it is plain that nobody answers, and the others do not.

M. Nygard, "Release It!", calls it a circuit breaker. Only what answers can do without stands behind one: the rest is asked until it is there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from exegesis.errors import ChunksUnavailable, EmbedderMismatch, EmbedderUnavailable, RerankerUnavailable, Unavailable
from exegesis.model import Hit
from exegesis.ports import ChunkSearch, Clock, Embedder, Reranker, SparseVector

T = TypeVar("T")

REST_SECONDS: Final = 10.0
"""Less than a server takes to load its model, so it is found soon after; long enough that a hundred questions cost one wait and not a hundred."""


class Rest:
    """Remembers for some seconds that a server was away. Usable from several threads."""

    def __init__(self, away: type[Unavailable], clock: Clock, seconds: float = REST_SECONDS) -> None:
        self._away = away
        self._clock = clock
        self._seconds = seconds
        self._lock = threading.Lock()
        self._until = 0.0
        self._said = ""

    def ask(self, question: Callable[[], T]) -> T:
        """The answer. Raises what ``question`` raises; and for a while after it was away the same again, without asking."""
        with self._lock:
            if self._said and self._clock.monotonic() < self._until:
                raise self._away(self._said)
        try:
            answer = question()
        except self._away as error:
            if not isinstance(error, EmbedderMismatch):  # it is there, and serves another model
                with self._lock:
                    self._until, self._said = self._clock.monotonic() + self._seconds, error.message
            raise
        with self._lock:
            self._said = ""
        return answer


class RestedChunks:
    """A ``ChunkSearch`` around another."""

    def __init__(self, index: ChunkSearch, clock: Clock) -> None:
        self._index = index
        self._rest = Rest(ChunksUnavailable, clock)

    def search_lexical(self, repository: str, generation: str, query: SparseVector, *, files: bool, limit: int) -> Sequence[Hit]:
        return self._rest.ask(lambda: self._index.search_lexical(repository, generation, query, files=files, limit=limit))

    def search_dense(self, repository: str, generation: str, vector: Sequence[float], *, limit: int) -> Sequence[Hit]:
        return self._rest.ask(lambda: self._index.search_dense(repository, generation, vector, limit=limit))

    def vectors(self, repository: str, generation: str, ids: Sequence[int]) -> Mapping[int, Sequence[float]]:
        return self._rest.ask(lambda: self._index.vectors(repository, generation, ids))


class RestedEmbedder:
    """An ``Embedder`` around another, for questions."""

    def __init__(self, embedder: Embedder, clock: Clock) -> None:
        self._embedder = embedder
        self._rest = Rest(EmbedderUnavailable, clock)

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        return self._rest.ask(lambda: self._embedder.embed(texts, tokens=tokens))

    def embed_question(self, text: str) -> Sequence[float]:
        return self._rest.ask(lambda: self._embedder.embed_question(text))


class RestedReranker:
    """A ``Reranker`` around another."""

    def __init__(self, reranker: Reranker, clock: Clock) -> None:
        self._reranker = reranker
        self._rest = Rest(RerankerUnavailable, clock)

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return self._rest.ask(lambda: self._reranker.rerank(question, texts))
