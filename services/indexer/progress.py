"""How far a phase is, and how long it will still take."""

from __future__ import annotations

from exegesis.model import Progress
from exegesis.ports import Clock
from services.indexer.api import Report

_INTERVAL = 0.1
"""Seconds between two reports: people see no more, and a report costs a message where the indexer is far away."""
_CONFIDENT = 1.0
"""Seconds after which the pace so far says something about the rest."""


class Phase:
    """Counts the work of one phase and reports it now and then, with an estimate from the pace so far."""

    def __init__(self, name: str, total: int, clock: Clock, report: Report) -> None:
        self._name = name
        self._total = total
        self._clock = clock
        self._report = report
        self._done = 0
        self._started = self._reported = clock.monotonic()
        report(Progress(name, 0, total))

    def advance(self, count: int, detail: str = "") -> None:
        if not count:
            return
        self._done += count
        now = self._clock.monotonic()
        if now - self._reported < _INTERVAL and self._done < self._total:
            return
        self._reported = now
        spent = now - self._started
        left = spent * (self._total - self._done) / self._done if self._done and spent > _CONFIDENT else None
        self._report(Progress(self._name, self._done, self._total, detail, left))
