"""Events of an answer on their way to whoever asked: what is kept of them as they pass. A generator's return value is the answer's next part.

Closing the outer generator closes the inner one, so a reader that leaves ends the work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import TypeVar

from exegesis.errors import Cancelled
from exegesis.model import Event, StageFinished, StageReport, Warned

Value = TypeVar("Value")


def keep_reports(events: Generator[Event, None, Value], reports: list[StageReport]) -> Generator[Event, None, Value]:
    """Pass every event on, and keep the reports of the stages."""

    def pass_on(event: Event) -> bool:
        if isinstance(event, StageFinished):
            reports.append(event.report)
        return True

    return _pass_on(events, pass_on)


def hold_warnings(events: Generator[Event, None, Value], held: list[Warned]) -> Generator[Event, None, Value]:
    """Pass on what is always the same number of events, fewer than may be ahead of a reader, and keep warnings for later: whoever does not read what
    they asked for must not hold a turn.
    """

    def pass_on(event: Event) -> bool:
        if isinstance(event, Warned):
            held.append(event)
            return False
        return True

    return _pass_on(events, pass_on)


def drain(events: Generator[Event, None, Value], cancelled: threading.Event | None = None) -> tuple[Value, tuple[StageReport, ...]]:
    """Run to the end for those who do not watch. Raises ``Cancelled`` at the next event after ``cancelled`` is set."""
    reports: list[StageReport] = []
    reporting = keep_reports(events, reports)
    while True:
        if cancelled is not None and cancelled.is_set():
            reporting.close()
            raise Cancelled("The question was taken back.")
        try:
            next(reporting)
        except StopIteration as end:
            return end.value, tuple(reports)


def _pass_on(events: Generator[Event, None, Value], wanted: Callable[[Event], bool]) -> Generator[Event, None, Value]:
    try:
        while True:
            event = next(events)
            if wanted(event):
                yield event
    except StopIteration as end:
        value: Value = end.value
        return value
    finally:
        events.close()
