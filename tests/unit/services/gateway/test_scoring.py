"""Figures of retrieval, on cases small enough to work out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.scoring import Location, Prediction, figures, mean_over_repositories, ndcg, same_path

A, B, C = Location("src/a.swift"), Location("src/b.swift"), Location("src/c.swift")


def test_paths_agree_when_one_is_the_end_of_the_other() -> None:
    """Questions may be relative to another folder than results."""
    assert same_path("Source/a.swift", "a.swift")
    assert not same_path("Source/ba.swift", "a.swift")


def test_ndcg_of_a_place_at_the_second_rank() -> None:
    """One place met at rank two gains 1 / log2(3)."""
    assert ndcg([B, A], [A]) == pytest.approx(1 / math.log2(3))


def test_two_places_met_by_one_result_share_its_rank() -> None:
    """The published rule: a result counts once, whatever it meets."""
    gold = [Location("a", 1, 5), Location("a", 6, 9)]
    assert ndcg([Location("a", 1, 9)], gold) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_a_place_without_lines_is_met_by_any_part_of_its_file() -> None:
    """Gold at file level asks for the file only."""
    assert Location("a", 40, 50).meets(Location("a"))
    assert not Location("a", 40, 50).meets(Location("a", 51, 60))


def test_span_recall_counts_places_and_line_precision_counts_lines() -> None:
    """Half of the places are met, with a quarter of the lines sent."""
    gold = [Location("a", 1, 5), Location("b", 1, 5)]
    scored = figures(gold, Prediction((), (Location("a", 1, 20),), tokens=100))
    assert scored["span_recall"] == 0.5
    assert scored["file_recall"] == 0.5
    assert scored["line_prec"] == 0.25


def test_every_repository_weighs_the_same() -> None:
    """Ninety questions of one repository do not drown one of another."""
    rows = [("big", {"mrr": 1.0})] * 90 + [("small", {"mrr": 0.0})]
    assert mean_over_repositories(rows) == {"mrr": 0.5}


@given(st.lists(st.sampled_from([A, B, C]), max_size=15), st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=3, unique=True))
def test_ndcg_lies_between_nothing_and_all(results: list[Location], gold: list[Location]) -> None:
    """And is one exactly when the gold comes first."""
    assert 0.0 <= ndcg(results, gold) <= 1.0
    assert ndcg([*gold, *results], gold) == pytest.approx(1.0)
