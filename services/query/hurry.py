"""Calls are followed as long as there is time: a graph service that is slow costs an answer its callers and callees, and never the answer.

Whoever asks says how long it waits (:mod:`exegesis.rpc.deadline`). Of what is left, following calls gets half at a time; once that did not suffice,
the rest of the question goes on without. Where nobody waits for a certain time nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from exegesis.errors import Unavailable
from exegesis.rpc.deadline import ending_in, seconds_left

T = TypeVar("T")

CUT: Final = "The call graph answers too slowly: calls were followed in part."


@dataclass(slots=True)
class Hurry:
    """Of one question about one repository."""

    is_late: bool = False
    """Following calls took longer than it might."""

    def ask(self, question: Callable[[], T], otherwise: T) -> T:
        """The answer, or ``otherwise`` where it does not come in time."""
        if self.is_late:
            return otherwise
        left = seconds_left()
        if left is None:
            return question()
        try:
            with ending_in(left / 2):
                return question()
        except Unavailable:
            self.is_late = True
            return otherwise
