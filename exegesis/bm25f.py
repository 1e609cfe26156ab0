"""BM25F with frozen document weights: the score of a chunk or file is the dot product of two sparse vectors.

S. Robertson, H. Zaragoza, M. Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004::

    tf~(t, d) = sum over fields f of  w_f * tf_f(t, d) / (1 - b + b * len_f(d) / avglen_f)
    B(d)      = sum over terms t of   q_t * idf(t) * tf~ * (k1 + 1) / (tf~ + k1)
    idf(t)    = ln(1 + (N - df + .5) / (df + .5))

Everything right of ``idf`` depends on the document and on average lengths alone, so it is computed once, at indexing, and stored;
``q_t * idf(t)`` is the vector of the question. Average lengths lie on a coarse grid (:func:`on_grid`): a small edit does not move them, and
so leaves every other document's vector as it was.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exegesis.model import Field
from exegesis.ports import LexicalStatistics, SparseVector
from exegesis.terms import unpack

if TYPE_CHECKING:
    from exegesis.terms import Records

FIELD_WEIGHTS: Mapping[Field, float] = {
    Field.PATH: 3.0,  # a file is named after what it is about; 1 to 5 are level
    Field.NAME: 3.0,  # so is a symbol; 1 to 5 are level
    Field.ENCLOSING: 1.0,
    Field.SIGNATURE: 1.0,
    Field.DOC: 1.0,  # .5 to 2 are level
    Field.BODY: 1.0,
}
B = 0.75  # length normalisation; .5 to .75 are level, .9 loses .005
K1_CHUNK = 1.2  # saturation; .8 to 1.6 are level
K1_FILE = 4.0  # a file repeats its words more often before that means less
PHRASE_WEIGHT = 0.5  # of a pair of words run together, beside the words themselves
GRID_RATIO = 1.1  # between neighbouring average lengths: an error of at most 5 %, far inside the plateau of B


def on_grid(length: float) -> float:
    """The nearest power of :data:`GRID_RATIO`, on a logarithmic scale; 1 for lengths below 1."""
    return GRID_RATIO ** round(math.log(length, GRID_RATIO)) if length > 1 else 1.0


def lengths(records: Records, documents: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.float64]:
    """Terms per document and field, shape (count, fields). ``documents`` says to which document each record belongs."""
    slots = documents * len(Field) + records["field"]
    sums = np.bincount(slots, weights=records["count"], minlength=count * len(Field))
    return sums.reshape(count, len(Field)).astype(np.float64)


def average_lengths(per_document: npt.NDArray[np.float64]) -> tuple[float, ...]:
    """Average length of each field over the documents where it is not empty, on the grid."""
    totals, present = per_document.sum(axis=0), (per_document > 0).sum(axis=0)
    return tuple(on_grid(float(total) / int(number)) if number else 1.0 for total, number in zip(totals, present, strict=True))


def chunk_vectors(packed: Sequence[bytes], statistics: LexicalStatistics) -> list[SparseVector]:
    """Frozen weights of chunks, from their packed terms (``exegesis.terms.pack``)."""
    return _vectors([(blob,) for blob in packed], statistics.chunk_lengths, K1_CHUNK)


def file_vectors(files: Sequence[Sequence[bytes]], statistics: LexicalStatistics) -> list[SparseVector]:
    """Frozen weights of whole files, each from the packed terms of all its chunks: counts and lengths are their sums."""
    return _vectors(files, statistics.file_lengths, K1_FILE)


def idf(documents: int, containing: int) -> float:
    """Inverse document frequency in the form that is never negative."""
    return math.log(1 + (documents - containing + 0.5) / (containing + 0.5))


def query_vector(weights: Iterable[tuple[int, float]], frequencies: Mapping[int, int], documents: int) -> SparseVector:
    """The other side of the dot product: weight times idf for each term that some document contains; equal terms are summed.

    ``weights`` are (term, q_t), ``frequencies`` the number of documents that contain a term, ``documents`` how many there are.
    """
    total: dict[int, float] = {}
    for term, weight in weights:
        if frequencies.get(term, 0) > 0:
            total[term] = total.get(term, 0.0) + weight * idf(documents, frequencies[term])
    terms = sorted(total)
    return SparseVector(tuple(terms), tuple(total[term] for term in terms))


def term_weights(packed: Sequence[bytes], statistics: LexicalStatistics, terms: Sequence[int]) -> npt.NDArray[np.float64]:
    """Frozen weights of a few terms in chunks, shape (chunks, terms): what scoring by hand needs, without building whole vectors.

    ``terms`` ascend. The weights are those of :func:`chunk_vectors`.
    """
    return _some_weights([(blob,) for blob in packed], statistics.chunk_lengths, K1_CHUNK, terms)


def file_term_weights(files: Sequence[Sequence[bytes]], statistics: LexicalStatistics, terms: Sequence[int]) -> npt.NDArray[np.float64]:
    """The same of whole files, each given by the packed terms of all its chunks; the weights are those of :func:`file_vectors`."""
    return _some_weights(files, statistics.file_lengths, K1_FILE, terms)


def _some_weights(documents: Sequence[Sequence[bytes]], averages: Sequence[float], k1: float, terms: Sequence[int]) -> npt.NDArray[np.float64]:
    wanted = np.array(terms, dtype=np.int64)
    records, owner = _records(documents)
    frequency = _frequencies(records, owner, len(documents), averages)
    slots = np.searchsorted(wanted, records["term"])
    hits = np.flatnonzero(wanted[np.minimum(slots, len(wanted) - 1)] == records["term"]) if len(wanted) else np.empty(0, dtype=np.int64)
    table = np.bincount(owner[hits] * len(wanted) + slots[hits], weights=frequency[hits], minlength=len(documents) * len(wanted))
    return _saturated(table, k1).astype(np.float64).reshape(len(documents), len(wanted))


def _vectors(documents: Sequence[Sequence[bytes]], averages: Sequence[float], k1: float) -> list[SparseVector]:
    records, owner = _records(documents)
    keys = (owner << 32) | records["term"].astype(np.int64)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    distinct = keys[is_first]
    frequency = np.bincount(np.cumsum(is_first) - 1, weights=_frequencies(records, owner, len(documents), averages)[order], minlength=len(distinct))
    weights = _saturated(frequency, k1)
    terms = distinct & 0xFFFFFFFF
    ends = np.searchsorted(distinct >> 32, np.arange(len(documents)), side="right").tolist()
    vectors, start = [], 0
    for end in ends:
        vectors.append(SparseVector(tuple(terms[start:end].tolist()), tuple(weights[start:end].tolist())))
        start = end
    return vectors


def _records(documents: Sequence[Sequence[bytes]]) -> tuple[Records, npt.NDArray[np.int64]]:
    """All records, and the document that each belongs to."""
    records = unpack(blob for blobs in documents for blob in blobs)
    sizes = [sum(map(len, blobs)) // records.dtype.itemsize for blobs in documents]
    return records, np.repeat(np.arange(len(documents), dtype=np.int64), sizes)


def _frequencies(records: Records, owner: npt.NDArray[np.int64], documents: int, averages: Sequence[float]) -> npt.NDArray[np.float64]:
    """What each record adds to the weighted frequency tf~ of its term in its document."""
    field_weights = np.array([FIELD_WEIGHTS[field] for field in Field])
    scale = field_weights / (1 - B + B * lengths(records, owner, documents) / np.array(averages))  # shape (documents, fields)
    shares: npt.NDArray[np.float64] = records["count"] * scale[owner, records["field"]]
    return shares


def _saturated(frequency: npt.NDArray[np.number[Any]], k1: float) -> npt.NDArray[np.float32]:
    # Engines store 32 bits: rounded here, weights are equal everywhere from here on.
    return (frequency * (k1 + 1) / (frequency + k1)).astype(np.float32)
