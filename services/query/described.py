"""Descriptions of a generation as questions use them: found by words like code, or shown in place of code that does not fit.

They are documents of their own kind, beside the chunks and not among them: a description repeats what stands elsewhere, so counting it would make
every word of a large type less rare than it is.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from exegesis.bm25f import average_lengths, chunk_vectors, lengths, query_vector
from exegesis.descriptions import load_set, set_name
from exegesis.model import Chunk, ChunkKind, Description, Generation
from exegesis.ports import ContentCache, LexicalStatistics
from exegesis.terms import RECORD_FIELDS, document_terms, pack, unpack
from services.graph.api import GraphReading, Pin
from services.query.excerpt import runs_of

KEPT: Final = 4
"""Generations whose descriptions stay in memory, those asked last: 2 kB for each large type or file."""


def document_of(description: Description) -> Chunk:
    """A description as a document. The lines that it owns are those that it is made of, in the file that says most about it."""
    path = description.path or next((spot.path for spot in description.spots), "")
    numbers = sorted({spot.line for spot in description.spots if spot.path == path}) or [1]
    name = description.name or "repository"
    return Chunk(
        id=description.id,
        path=path,
        kind=ChunkKind.DESCRIPTION,
        runs=runs_of(numbers),
        text=description.text,
        symbol=description.symbol,
        name=name.rpartition(".")[2] if description.symbol is not None else name,
        qualified=name,
    )


@dataclass(frozen=True, slots=True)
class Found:
    description: Description
    score: float
    """BM25F, among the descriptions of its repository."""


class Descriptions:
    """Those of one generation. Usable from several threads, each of which may read them."""

    def __init__(self, read: Callable[[], Sequence[Description]]) -> None:
        self._read = read
        self._guard = threading.Lock()
        self._all: Sequence[Description] | None = None
        self._by_symbol: Mapping[int, Description] = {}
        self._by_name: Mapping[str, Description] = {}
        self._postings: Mapping[int, Sequence[tuple[int, float]]] | None = None

    def all(self) -> Sequence[Description]:
        """The repository and its modules, then files and types, by place."""
        with self._guard:
            if self._all is None:
                self._all = self._read()
                self._by_symbol = {each.symbol: each for each in self._all if each.symbol is not None}
                self._by_name = {each.name: each for each in self._all if each.symbol is not None}
            return self._all

    def of_type(self, symbol: int) -> Description | None:
        self.all()
        return self._by_symbol.get(symbol)

    def of_name(self, name: str) -> Description | None:
        self.all()
        return self._by_name.get(name)

    def search(self, weights: Mapping[int, float], *, limit: int) -> Sequence[Found]:
        """The best for a question's terms and their weights, ties by place."""
        descriptions = self.all()
        postings = self._indexed(descriptions)
        asked = query_vector(weights.items(), {term: len(postings.get(term, ())) for term in weights}, len(descriptions))
        scores: dict[int, float] = {}
        for term, weight in zip(asked.terms, asked.weights, strict=True):
            for place, share in postings[term]:
                scores[place] = scores.get(place, 0.0) + weight * share
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        return [Found(descriptions[place], scores[place]) for place in best]

    def _indexed(self, descriptions: Sequence[Description]) -> Mapping[int, Sequence[tuple[int, float]]]:
        with self._guard:
            if self._postings is None:
                self._postings = _postings(descriptions)
            return self._postings


def _postings(descriptions: Sequence[Description]) -> Mapping[int, Sequence[tuple[int, float]]]:
    """For each term the descriptions that say it, and what it weighs in each."""
    packed = [pack(document_terms(document_of(each))) for each in descriptions]
    size = np.dtype(list(RECORD_FIELDS)).itemsize
    owners = np.repeat(np.arange(len(packed), dtype=np.int64), [len(blob) // size for blob in packed])
    averages = average_lengths(lengths(unpack(packed), owners, len(packed)))
    found: dict[int, list[tuple[int, float]]] = {}
    for place, vector in enumerate(chunk_vectors(packed, LexicalStatistics(len(packed), 0, averages, averages))):
        for term, weight in zip(vector.terms, vector.weights, strict=True):
            found.setdefault(term, []).append((place, weight))
    return found


class Shelf:
    """Opens the descriptions of generations: those that are kept, else made from the graph, which says the same."""

    def __init__(self, graph: GraphReading, cache: ContentCache | None) -> None:
        self._graph = graph
        self._cache = cache
        self._known: OrderedDict[Pin, Descriptions] = OrderedDict()
        self._guard = threading.Lock()

    def open(self, generation: Generation) -> Descriptions:
        pin = Pin(generation.repository, generation.id)
        with self._guard:
            known = self._known.get(pin)
            if known is None:
                known = self._known[pin] = Descriptions(lambda: self._read(pin, generation.described))
                if len(self._known) > KEPT:
                    self._known.popitem(last=False)
            self._known.move_to_end(pin)
            return known

    def _read(self, pin: Pin, described: str) -> Sequence[Description]:
        kept = load_set(self._cache, pin.repository, set_name(pin.generation, described)) if self._cache else None
        return kept if kept is not None else self._graph.descriptions(pin)
