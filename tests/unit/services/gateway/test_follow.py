from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from exegesis.errors import Cancelled, Conflict
from exegesis.model import Coverage, Generation, Progress, Repository
from services.gateway.follow import follow
from services.indexer.api import IndexReport, Report

DONE = IndexReport(
    Repository("a", "a", "/a"), Generation("g", "a", "c", 0.0, 1, 1, 1, Coverage(1, 1)), 1, 0, resumed=False, unchanged=False, seconds=1.0
)


def test_progress_comes_while_the_work_goes_on() -> None:
    """And the report at last."""
    seen = threading.Event()

    def work(report: Report) -> IndexReport:
        report(Progress("parsing", 1, 2))
        assert seen.wait(5)
        return DONE

    messages = follow(work, threading.Event())
    assert next(messages) == Progress("parsing", 1, 2)
    seen.set()
    assert list(messages) == [DONE]


def test_what_goes_wrong_is_raised_where_it_is_read() -> None:
    """After what came before."""

    def work(report: Report) -> IndexReport:
        report(Progress("scanning", 0, 0))
        raise Conflict("Somebody else is at it.")

    messages = follow(work, threading.Event())
    next(messages)
    with pytest.raises(Conflict):
        next(messages)


def test_whoever_stops_reading_stops_the_work() -> None:
    """The run hears of it at its next look."""
    cancelled, stopped = threading.Event(), threading.Event()

    def wait_in(event: threading.Event) -> Callable[[Report], IndexReport]:
        def work(report: Report) -> IndexReport:
            report(Progress("parsing", 1, 2))
            event.wait(5)
            stopped.set()
            raise Cancelled("Told to stop.")

        return work

    messages = follow(wait_in(cancelled), cancelled)
    next(messages)
    messages.close()  # type: ignore[attr-defined]  # it is a generator
    assert stopped.wait(1)
