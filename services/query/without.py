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
from services.query.retrieve import Seeds, retrieve

_GROUP: Final = 2_048
"""Chunks scored at once: arrays of some megabytes."""


def retrieve_what_is_there(
    question: Question, corpora: Sequence[Corpus], lent: Sequence[str] = (), *, stored: bool = True
) -> tuple[Seeds, Sequence[Corpus], tuple[str, ...]]:
    """Seeds from all that answers, the corpora as they are to be asked from here on, and what was left out. ``lent`` and ``stored`` as for
    ``retrieve``.
    """
    warnings: list[str] = []
    try:
        return retrieve(question, corpora, lent=lent, stored=stored), corpora, ()
    except EmbedderUnavailable as error:
        corpora = [replace(corpus, embedder=None, has_vectors=False) for corpus in corpora]
        warnings.append(f"Vectors were left out: {error.message}")
    except ChunksUnavailable as error:
        corpora = [replace(corpus, index=WordsOfGraph(corpus.graph), has_vectors=False) for corpus in corpora]
        warnings.append(f"Found by words and calls alone: {error.message}")
    try:
        return retrieve(question, corpora, lent=lent, stored=stored), corpora, tuple(warnings)
    except ChunksUnavailable as error:  # both are away
        corpora = [replace(corpus, index=WordsOfGraph(corpus.graph)) for corpus in corpora]
        warnings.append(f"Found by words and calls alone: {error.message}")
        return retrieve(question, corpora, lent=lent, stored=stored), corpora, tuple(warnings)


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
