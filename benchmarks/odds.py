"""How well a sign tells two kinds of questions apart, and a logistic regression that joins several. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_RIDGE = 0.05
"""On standardised signs: keeps weights finite where a repository's questions are told apart perfectly."""
_STEPS = 30


@dataclass(frozen=True, slots=True)
class Odds:
    """Logarithm of the odds of the first kind: ``bias + weights @ signs``."""

    weights: Floats
    bias: float

    def of(self, signs: Floats) -> Floats:
        """For signs of shape (questions, signs)."""
        found: Floats = signs @ self.weights + self.bias
        return found


def area_under_curve(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> float:
    """Probability that one of the first kind has the higher value than one of the second; ties count half."""
    one, other = np.asarray(first)[:, None], np.asarray(second)[None, :]
    return float(np.mean((one > other) + 0.5 * (one == other)))


def learn(signs: Floats, is_first: npt.NDArray[np.bool_]) -> Odds:
    """Logistic regression by Newton's steps; both kinds weigh the same in sum. ``signs`` of shape (questions, signs)."""
    mean, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-9
    design = np.column_stack([(signs - mean) / spread, np.ones(len(signs))])
    share = np.where(is_first, 0.5 / max(is_first.sum(), 1), 0.5 / max((~is_first).sum(), 1)) * len(signs)
    ridge = _RIDGE * np.diag([1.0] * signs.shape[1] + [0.0])
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (share * (probability - is_first)) + ridge @ weights
        curve = (design * (share * probability * (1 - probability))[:, None]).T @ design + ridge + 1e-6 * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return Odds(weights[:-1] / spread, float(weights[-1] - (weights[:-1] * mean / spread).sum()))


def learn_elsewhere(signs: Floats, is_first: npt.NDArray[np.bool_], groups: Sequence[str]) -> Floats:
    """Odds of every question as learned from the questions of all other groups."""
    found = np.zeros(len(signs))
    names = np.asarray(groups)
    for name in sorted(set(groups)):
        held = names == name
        found[held] = learn(signs[~held], is_first[~held]).of(signs[held])
    return found
