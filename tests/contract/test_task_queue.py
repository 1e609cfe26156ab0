"""What every task queue promises to those who publish, and how the one in this process treats its handlers."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

import pytest

from exegesis.adapters.local_queue import LocalQueue


def test_a_job_reaches_its_handler_with_its_arguments() -> None:
    """Arguments arrive by name, as a broker would carry them."""
    seen: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()

    def handle(run: str, number: int) -> None:
        seen.put((run, number))

    with LocalQueue({"parse": handle}, consumers=1) as jobs:
        jobs.publish("parse", {"run": "ü\udcff", "number": 7}, queue="bulk")
        assert seen.get(timeout=5) == ("ü\udcff", 7)


def test_only_what_a_broker_could_carry_is_accepted() -> None:
    """An argument that JSON cannot say is refused when it is published, not when it arrives."""
    with LocalQueue({}, consumers=1) as jobs, pytest.raises(TypeError):
        jobs.publish("parse", {"run": object()}, queue="bulk")  # type: ignore[dict-item]


def test_handlers_run_in_other_threads_at_the_same_time() -> None:
    """Two consumers work on two jobs at once; a handler never runs inside ``publish``."""
    meeting = threading.Barrier(3, timeout=5)
    with LocalQueue({"wait": meeting.wait}, consumers=2) as jobs:
        jobs.publish("wait", {}, queue="bulk")
        jobs.publish("wait", {}, queue="bulk")
        meeting.wait()


def test_a_failed_job_does_not_stop_the_next() -> None:
    """A handler that raises ends its job only; what it raised is told to the owner of the queue."""
    done = threading.Event()

    def fail() -> None:
        raise ValueError("broken")

    handlers: dict[str, Callable[..., None]] = {"fail": fail, "work": done.set}
    with LocalQueue(handlers, consumers=1) as jobs:
        jobs.publish("fail", {}, queue="bulk")
        jobs.publish("work", {}, queue="bulk")
        assert done.wait(5)
        with pytest.raises(ValueError, match="broken"):
            jobs.raise_failure()
        jobs.raise_failure()


def test_leaving_drops_what_waits_and_finishes_what_runs() -> None:
    """An interrupted run does not work off its whole line first."""
    started, release, ran = threading.Event(), threading.Event(), []

    def work(number: int) -> None:
        started.set()
        release.wait(5)
        ran.append(number)

    with LocalQueue({"work": work}, consumers=1) as jobs:
        for number in range(5):
            jobs.publish("work", {"number": number}, queue="bulk")
        started.wait(5)
        threading.Timer(0.1, release.set).start()
    assert ran == [0]
