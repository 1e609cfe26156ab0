"""Calls are followed as long as there is time: a graph service that is slow costs an answer its callers and callees, and never the answer.

Whoever asks says how long it waits (:mod:`exegesis.rpc.deadline`). Of what is left, following calls gets half at a time; once that did not suffice,
or the graph service did not answer, the rest of the question goes on without. Where nobody waits for a certain time nothing changes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from exegesis.errors import Unavailable
from exegesis.rpc.deadline import ending_in, seconds_left

_log: Final = logging.getLogger(__name__)

T = TypeVar("T")

CUT: Final = "The call graph answers too slowly: calls were followed in part."
AWAY: Final = "The call graph does not answer: calls were followed in part."


@dataclass(slots=True)
class Hurry:
    """Of one question about one repository."""

    lack: str = ""
    """Why calls are followed no further, in words for whoever asked; empty as long as they are."""

    def ask(self, question: Callable[[], T], otherwise: T) -> T:
        """The answer, or ``otherwise`` where it does not come, or not in time."""
        if self.lack:
            return otherwise
        left = seconds_left()
        if left is None:
            return question()
        with ending_in(left / 2):
            try:
                return question()
            except Unavailable as error:
                # Each process on the way keeps some of the time back, so a call that took too long ends before its time does.
                self.lack = CUT if (seconds_left() or 0.0) < left / 4 else AWAY
                _log.warning("calls are followed no further: %s", error.message)
                return otherwise
