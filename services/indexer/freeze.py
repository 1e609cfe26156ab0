"""Chunks and files as lexical documents with frozen weights (see :mod:`exegesis.bm25f`), and which of them an edit touches."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from exegesis.bm25f import chunk_vectors, file_vectors
from exegesis.model import file_id
from exegesis.ports import LexicalPoint, LexicalStatistics

_GROUP = 1024
"""Chunks weighed at once: enough for arrays to pay, few enough to hold as Python numbers."""


def freeze(terms: Iterable[tuple[int, str, bytes]], statistics: LexicalStatistics) -> Iterator[LexicalPoint]:
    """A point for each chunk, and one for each file that they are the chunks of.

    Args:
        terms: Chunk identifier, path and packed term counts, ordered by path; all chunks of a file or none.
        statistics: Of the whole generation.

    """
    for group in _whole_files(terms):
        ids = [chunk for _, rows in group for chunk, _ in rows]
        blobs = [[blob for _, blob in rows] for _, rows in group]
        for chunk, vector in zip(ids, chunk_vectors([blob for file in blobs for blob in file], statistics), strict=True):
            yield LexicalPoint(chunk, is_file=False, vector=vector)
        for (path, _), vector in zip(group, file_vectors(blobs, statistics), strict=True):
            yield LexicalPoint(file_id(path), is_file=True, vector=vector)


def same_weights(one: LexicalStatistics, other: LexicalStatistics) -> bool:
    """Whether a document that did not change has the same weights under both. How many documents there are matters to questions only."""
    return (one.chunk_lengths, one.file_lengths) == (other.chunk_lengths, other.file_lengths)


def _whole_files(terms: Iterable[tuple[int, str, bytes]]) -> Iterator[list[tuple[str, list[tuple[int, bytes]]]]]:
    group: list[tuple[str, list[tuple[int, bytes]]]] = []
    size = 0
    for path, rows in itertools.groupby(terms, key=lambda row: row[1]):
        group.append((path, [(chunk, blob) for chunk, _, blob in rows]))
        size += len(group[-1][1])
        if size >= _GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group
