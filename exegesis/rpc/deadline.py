"""How long the call under way may still take, known to everything that is called on its behalf.

A server sets it when a call begins. What the call asks of others, in this thread or in one that inherits its context, gets no longer than what is
left, so nobody works for an answer that nobody waits for any more.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from exegesis.errors import Unavailable

_end: Final[ContextVar[float | None]] = ContextVar("exegesis-deadline", default=None)
"""By the monotonic clock; None outside of a call."""

MARGIN: Final = 0.1
"""Seconds that whoever asks keeps back, so that it can still say what it knows when what it asked took too long."""

LEAST: Final = 0.05
"""Seconds below which nothing is begun: a call between two processes and the shortest query take a few milliseconds each, and more under load."""


def seconds_left() -> float | None:
    """Until the call under way must have ended; None when there is none. Negative when it is over."""
    end = _end.get()
    return None if end is None else end - time.monotonic()


def seconds_for(cap: float) -> float:
    """What a call made now may take: ``cap``, or less if the call under way ends before. Raises ``Unavailable`` when that is next to nothing."""
    left = seconds_left()
    if left is None:
        return cap
    if left - MARGIN < LEAST:
        raise Unavailable("The time for this call is used up.", hint="Allow it more time, or ask for less.")
    return min(cap, left - MARGIN)


@contextmanager
def ending_in(seconds: float) -> Iterator[None]:
    """Everything inside belongs to a call that may take so long."""
    token = _end.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _end.reset(token)
