"""What answers can do without: the chunk index and the embedding server. While one is away, words and the graph answer, and say so.

The graph holds the terms of every chunk, from which the weights in the chunk index were made; so what it lacks is speed, and not what words find.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from exegesis.bm25f import file_term_weights, term_weights
from exegesis.errors import ChunksUnavailable, EmbedderUnavailable
from exegesis.model import Hit, Question, file_id
from exegesis.ports import SparseVector
from services.graph.api import GraphReading, Pin
from services.query.corpus import Corpus
from services.query.retrieve import NOTHING_NEAR, Nearest, Seeds, find_nearest, retrieve

_GROUP: Final = 2_048
"""Chunks scored at once: arrays of some megabytes."""


class AvailableSources:
    """Where one question searches. What was found to be away while it is answered stays away for all of it, and is told of once."""

    def __init__(self, question: Question, corpora: Sequence[Corpus]) -> None:
        self.question = question
        self.corpora = tuple(corpora)
        """As they are to be asked from here on."""
        self.warnings: list[str] = []
        """What was left out."""
        self._nearest: Nearest | None = None

    def nearest(self) -> Nearest:
        """What vectors find, searched for once."""
        if self._nearest is None:
            try:
                self._nearest = find_nearest(self.question, self.corpora)
            except EmbedderUnavailable as error:
                self.corpora = tuple(replace(corpus, embedder=None, has_vectors=False) for corpus in self.corpora)
                self.warnings.append(f"Vectors were left out: {error.message}")
                self._nearest = NOTHING_NEAR
            except ChunksUnavailable as error:
                self._do_without_index(error)
                self._nearest = NOTHING_NEAR
        return self._nearest

    def by_words(self) -> Seeds:
        """What words find, as if no vectors were stored."""
        return self._retrieve(NOTHING_NEAR)

    def everything(self, lent: Sequence[str] = ()) -> Seeds:
        """What words and stored vectors find. ``lent`` as for ``retrieve``."""
        return self._retrieve(self.nearest(), lent)

    def _retrieve(self, near: Nearest, lent: Sequence[str] = ()) -> Seeds:
        try:
            return retrieve(self.question, self.corpora, near=near, lent=lent)
        except ChunksUnavailable as error:
            self._do_without_index(error)
            self._nearest = NOTHING_NEAR
            return retrieve(self.question, self.corpora, near=NOTHING_NEAR, lent=lent)

    def _do_without_index(self, error: ChunksUnavailable) -> None:
        self.corpora = tuple(replace(corpus, index=WordsOfGraph(corpus.graph), has_vectors=False) for corpus in self.corpora)
        self.warnings.append(f"Found by words and calls alone: {error.message}")


class WordsOfGraph:
    """A ``ChunkSearch`` that reads the terms of every chunk for each search: seconds for half a million lines, where an index takes milliseconds."""

    def __init__(self, graph: GraphReading) -> None:
        self._graph = graph

    def search_lexical(self, repository: str, generation: str, query: SparseVector, *, files: bool, limit: int) -> Sequence[Hit]:
        pin = Pin(repository, generation)
        statistics = self._graph.statistics(pin)
        weights = np.array(query.weights)
        hits: list[Hit] = []
        for group in self._files(pin):
            if files:
                ids = [file_id(path) for path, _ in group]
                table = file_term_weights([[blob for _, blob in rows] for _, rows in group], statistics, query.terms)
            else:
                ids = [chunk for _, rows in group for chunk, _ in rows]
                table = term_weights([blob for _, rows in group for _, blob in rows], statistics, query.terms)
            hits += [Hit(id_, score) for id_, score in zip(ids, (table @ weights).tolist(), strict=True) if score > 0]
            hits = heapq.nsmallest(limit, hits, key=lambda hit: (-hit.score, hit.id))
        return hits

    def search_dense(self, repository: str, generation: str, vector: Sequence[float], *, limit: int) -> Sequence[Hit]:  # noqa: ARG002 - as promised
        return ()

    def vectors(self, repository: str, generation: str, ids: Sequence[int]) -> Mapping[int, Sequence[float]]:  # noqa: ARG002 - as promised
        return {}

    def _files(self, pin: Pin) -> Iterator[list[tuple[str, list[tuple[int, bytes]]]]]:
        """Whole files, some at a time: path, and the identifier and terms of each chunk."""
        group: list[tuple[str, list[tuple[int, bytes]]]] = []
        size = 0
        for path, rows in itertools.groupby(self._graph.terms(pin), key=lambda row: row[1]):
            group.append((path, [(chunk, blob) for chunk, _, blob in rows]))
            size += len(group[-1][1])
            if size >= _GROUP:
                yield group
                group, size = [], 0
        if group:
            yield group
