"""Events are passed on, kept or held back on their way, and a reader that leaves ends the work behind them."""

from __future__ import annotations

import threading
from collections.abc import Generator

import pytest

from exegesis.errors import Cancelled
from exegesis.model import Event, StageFinished, StageReport, StageStarted, Warned
from services.query.events import drain, hold_warnings, keep_reports

REPORT = StageReport("retrieval", 1.0, 2, 3)


def work(over: threading.Event) -> Generator[Event, None, str]:
    try:
        yield StageStarted("retrieval")
        yield Warned("something is away")
        yield StageFinished(REPORT)
    finally:
        over.set()
    return "found"


def test_what_passes_is_all_of_it_and_the_reports_are_kept() -> None:
    """The result is the inner one's."""
    reports: list[StageReport] = []
    passing, seen = keep_reports(work(threading.Event()), reports), []
    with pytest.raises(StopIteration) as end:  # noqa: PT012 - the last of them raises
        while True:
            seen.append(next(passing))
    assert (end.value.value, len(seen), reports) == ("found", 3, [REPORT])


def test_warnings_wait_until_they_are_asked_for() -> None:
    """The others come in their order."""
    held: list[Warned] = []
    assert [type(event) for event in hold_warnings(work(threading.Event()), held)] == [StageStarted, StageFinished]
    assert held == [Warned("something is away")]


def test_a_reader_that_leaves_ends_the_work() -> None:
    """Through all that the events pass on their way."""
    over = threading.Event()
    passing = keep_reports(hold_warnings(work(over), []), [])
    next(passing)
    passing.close()
    assert over.is_set()


def test_what_nobody_watches_is_run_to_its_end_or_until_it_is_taken_back() -> None:
    """And no further than the next event."""
    assert drain(work(threading.Event())) == ("found", (REPORT,))
    over, cancelled = threading.Event(), threading.Event()
    cancelled.set()
    with pytest.raises(Cancelled):
        drain(work(over), cancelled)
