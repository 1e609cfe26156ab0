import numpy as np
import pytest

from benchmarks.leave_one_out import SEARCHED, Sheet, choose, spread

ALL_OFF = (0.0,) * len(SEARCHED)


def test_choosing_starts_from_nothing_and_takes_what_gains() -> None:
    """Each weight moves on its own until no change is worth its while."""
    wanted = (0.3, 0.0, 0.9)
    assert choose(lambda weights: -sum(abs(have - want) for have, want in zip(weights, wanted, strict=True))) == wanted
    assert choose(lambda _: 0.5) == ALL_OFF


def test_a_sheet_ranks_files_by_the_weights() -> None:
    """Words alone find the wrong file first; its path, and noise on the other, put the right one before it."""
    sheet = Sheet(
        repository="r",
        settled=np.array([1.0, 0.8, 0.1]),
        names=np.array([0.0, 0.0, 1.0]),
        owners=np.array([0, 1, 1]),
        shares=np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]),
        called=np.zeros(2),
        factors=np.array([1.0, 1.0]),
        meets=np.array([[False, True]]),
    )
    second = 1 / np.log2(3)
    assert sheet.ndcg10(spread(ALL_OFF)) == pytest.approx(second)
    assert sheet.ndcg10(spread((0.0, 0.0, 0.3))) == 1


def test_what_calls_add_is_given() -> None:
    """It lifts a file by whatever weights."""
    sheet = Sheet(
        repository="r",
        settled=np.array([1.0, 0.9]),
        names=np.zeros(2),
        owners=np.array([0, 1]),
        shares=np.zeros((2, 4)),
        called=np.array([0.0, 0.2]),
        factors=np.ones(2),
        meets=np.array([[False, True]]),
    )
    assert sheet.ndcg10(spread(ALL_OFF)) == 1
