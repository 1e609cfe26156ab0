import numpy as np
import pytest

from benchmarks.odds import area_under_curve, learn, learn_elsewhere


def test_area_is_the_chance_to_be_higher() -> None:
    """Half for ties, one for perfect separation."""
    assert area_under_curve([3.0, 4.0], [1.0, 2.0]) == 1.0
    assert area_under_curve([1.0], [1.0]) == 0.5
    assert area_under_curve([1.0, 3.0], [2.0]) == 0.5


def test_learning_finds_the_sign_that_decides() -> None:
    """And gives the one that is chance next to nothing, in the units of the signs."""
    made = np.random.default_rng(5)
    signs = np.column_stack([made.normal(size=400) * 100, made.normal(size=400)])
    is_first = made.random(400) < 1 / (1 + np.exp(-(0.03 * signs[:, 0] + 1)))
    odds = learn(signs, is_first)
    assert odds.weights[0] == pytest.approx(0.03, abs=0.01)
    assert abs(odds.weights[1]) < 0.3


def test_groups_are_judged_by_what_others_taught() -> None:
    """A group whose labels are turned around is judged wrongly, as it must be."""
    signs = np.array([[0.0], [1.0]] * 20 + [[0.0], [1.0]])
    is_first = np.array([False, True] * 20 + [True, False])
    found = learn_elsewhere(signs, is_first, ["usual"] * 40 + ["odd"] * 2)
    assert found[-1] > found[-2]
