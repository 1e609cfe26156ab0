"""The dot product of stored vectors against the formula, computed term by term without numpy."""

import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from exegesis.bm25f import FIELD_WEIGHTS, average_lengths, chunk_vectors, file_vectors, idf, lengths, on_grid, query_vector, term_weights
from exegesis.model import Field
from exegesis.ports import LexicalStatistics, SparseVector
from exegesis.terms import pack, unpack

Counts = dict[tuple[int, Field], int]

documents = st.lists(
    st.dictionaries(st.tuples(st.integers(0, 8), st.sampled_from(list(Field))), st.integers(1, 40), min_size=1), min_size=1, max_size=6
)


def formula(counts: Counts, averages: tuple[float, ...], query: dict[int, float], k1: float) -> float:
    """Section by section as the paper has it: one term at a time."""
    total = 0.0
    for term, weight in query.items():
        frequency = 0.0
        for field in Field:
            length = sum(n for (_, f), n in counts.items() if f is field)
            frequency += FIELD_WEIGHTS[field] * counts.get((term, field), 0) / (1 - 0.75 + 0.75 * length / averages[field])
        total += weight * frequency * (k1 + 1) / (frequency + k1)
    return total


def dot(document: SparseVector, query: dict[int, float]) -> float:
    return sum(weight * query.get(term, 0.0) for term, weight in zip(document.terms, document.weights, strict=True))


def statistics(averages: tuple[float, ...]) -> LexicalStatistics:
    return LexicalStatistics(chunks=10, files=3, chunk_lengths=averages, file_lengths=averages)


@given(documents, st.dictionaries(st.integers(0, 8), st.floats(0.1, 9)), st.lists(st.floats(1, 50), min_size=6, max_size=6))
def test_dot_product_is_the_bm25f_score_of_a_chunk(counts: list[Counts], query: dict[int, float], averages: list[float]) -> None:
    """Frozen weights times the question's weights give the score of the formula, for every chunk of a batch."""
    vectors = chunk_vectors([pack(c) for c in counts], statistics(tuple(averages)))
    for vector, document in zip(vectors, counts, strict=True):
        assert dot(vector, query) == pytest.approx(formula(document, tuple(averages), query, 1.2), rel=1e-5)


@given(documents, st.dictionaries(st.integers(0, 8), st.floats(0.1, 9)), st.lists(st.floats(1, 50), min_size=6, max_size=6))
def test_a_file_scores_as_the_sum_of_its_chunks_counts(counts: list[Counts], query: dict[int, float], averages: list[float]) -> None:
    """A file is the document whose counts and lengths are those of its chunks together."""
    whole: Counts = {}
    for document in counts:
        for key, number in document.items():
            whole[key] = whole.get(key, 0) + number
    (vector,) = file_vectors([[pack(c) for c in counts]], statistics(tuple(averages)))
    assert dot(vector, query) == pytest.approx(formula(whole, tuple(averages), query, 4.0), rel=1e-5)


@given(documents)
def test_weights_of_a_few_terms_are_those_of_the_whole_vectors(counts: list[Counts]) -> None:
    """Scoring by hand and stored vectors never disagree."""
    packed = [pack(c) for c in counts]
    vectors = [dict(zip(v.terms, v.weights, strict=True)) for v in chunk_vectors(packed, statistics((2.0,) * 6))]
    table = term_weights(packed, statistics((2.0,) * 6), [1, 3, 7])
    assert table.tolist() == [[pytest.approx(vector.get(term, 0.0), rel=1e-6) for term in (1, 3, 7)] for vector in vectors]


def test_terms_of_a_vector_ascend() -> None:
    """Sparse engines want ascending indices, each once."""
    (vector,) = chunk_vectors([pack({(9, Field.BODY): 1, (2, Field.NAME): 1, (2, Field.BODY): 3})], statistics((1.0,) * 6))
    assert vector.terms == (2, 9)


def test_a_question_weighs_terms_by_rarity_and_leaves_out_unknown_ones() -> None:
    """Rare terms weigh more, equal terms add up, and a term of no document has no weight at all."""
    vector = query_vector([(1, 1.0), (2, 1.0), (2, 1.0), (3, 0.5), (4, 1.0)], {1: 90, 2: 1, 3: 1}, 100)
    assert vector.terms == (1, 2, 3)
    assert vector.weights == pytest.approx((idf(100, 90), 2 * idf(100, 1), 0.5 * idf(100, 1)))
    assert vector.weights[0] < vector.weights[1]


@given(st.floats(1, 1e6))
def test_the_grid_is_coarse_but_close(length: float) -> None:
    """A length on the grid stays there, and no length moves by more than half a step."""
    assert on_grid(on_grid(length)) == on_grid(length)
    assert abs(math.log(on_grid(length) / length)) <= math.log(1.1) / 2 + 1e-9


def test_average_lengths_skip_empty_fields() -> None:
    """The average of a field is over the documents that have it."""
    blobs = [pack({(1, Field.BODY): 10}), pack({(1, Field.BODY): 20, (2, Field.DOC): 4})]
    records = unpack(blobs)
    table = lengths(records, np.array([0, 1, 1]), 2)
    assert average_lengths(table) == (1.0, 1.0, 1.0, 1.0, on_grid(4), on_grid(15))
