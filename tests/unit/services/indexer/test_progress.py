"""How far a phase is, and how long it will take."""

from __future__ import annotations

from exegesis.model import Progress
from services.indexer.progress import Phase


class SetClock:
    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


def test_reports_come_now_and_then_and_at_the_end() -> None:
    """The first and the last are always reported, others at most ten times a second."""
    clock, seen = SetClock(), []
    phase = Phase("parsing", 100, clock, seen.append)
    for _ in range(100):
        clock.time += 0.01
        phase.advance(1)
    assert seen[0] == Progress("parsing", 0, 100)
    assert seen[-1].done == 100
    assert 8 <= len(seen) <= 13


def test_an_estimate_follows_from_the_pace() -> None:
    """After a second it is known how long the rest will take, if it goes on like that."""
    clock, seen = SetClock(), []
    phase = Phase("parsing", 100, clock, seen.append)
    clock.time = 0.5
    phase.advance(10, "a.swift")
    assert seen[-1] == Progress("parsing", 10, 100, "a.swift", None)
    clock.time = 2.0
    phase.advance(10)
    assert seen[-1].seconds_left == 8.0


def test_nothing_done_is_nothing_to_report() -> None:
    """An advance by nothing is silent."""
    clock, seen = SetClock(), []
    phase = Phase("weighing", 0, clock, seen.append)
    phase.advance(0)
    assert seen == [Progress("weighing", 0, 0)]
