"""Chunks and files as lexical documents."""

from __future__ import annotations

from exegesis.bm25f import chunk_vectors, file_vectors
from exegesis.model import Field, file_id
from exegesis.ports import LexicalStatistics
from exegesis.terms import pack
from services.indexer.freeze import freeze, same_weights

STATISTICS = LexicalStatistics(3, 2, chunk_lengths=(1.0, 1.0, 1.0, 2.0, 2.0, 8.0), file_lengths=(1.0, 1.0, 1.0, 2.0, 2.0, 16.0))


def blob(**counts: int) -> bytes:
    return pack({(int(name[1:]), Field.BODY): count for name, count in counts.items()})


def test_each_chunk_and_each_file_becomes_a_point() -> None:
    """A file's point sums up its chunks; the weights are those of BM25F."""
    one, two, three = blob(t1=1, t2=3), blob(t2=2), blob(t9=1)
    points = {point.id: point for point in freeze([(11, "a", one), (12, "a", two), (13, "b", three)], STATISTICS)}
    assert set(points) == {11, 12, 13, file_id("a"), file_id("b")}
    assert [points[chunk].vector for chunk in (11, 12, 13)] == chunk_vectors([one, two, three], STATISTICS)
    assert [points[file_id(path)].vector for path in "ab"] == file_vectors([[one, two], [three]], STATISTICS)
    assert [points[file_id(path)].is_file for path in "ab"] == [True, True]


def test_weights_do_not_depend_on_what_is_frozen_together() -> None:
    """A file frozen alone after an edit gets the same points as among thousands."""
    many = [(number, f"f{number // 7:04}", blob(**{f"t{number % 13}": number % 5 + 1})) for number in range(3_000)]
    together = {point.id: point for point in freeze(many, STATISTICS)}
    alone = list(freeze([row for row in many if row[1] == "f0200"], STATISTICS))
    assert len(alone) == 8
    assert all(together[point.id] == point for point in alone)


def test_only_average_lengths_move_weights() -> None:
    """How many documents there are matters to questions, not to what is stored."""
    assert same_weights(STATISTICS, LexicalStatistics(99, 9, STATISTICS.chunk_lengths, STATISTICS.file_lengths))
    assert not same_weights(STATISTICS, LexicalStatistics(3, 2, STATISTICS.chunk_lengths, STATISTICS.chunk_lengths))
