"""One event loop, in one thread, for all that a part of this process waits for: a stream costs a task, not a thread with a loop of its own.

A hundred answers that models write slowly would else be a hundred loops that wake twenty times a second each.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

Outcome = TypeVar("Outcome")

GLANCE: Final = 0.05
"""Seconds between two looks at the events that take work back: a twentieth of the second within which an endpoint must hear of it."""


@dataclass(slots=True, eq=False)
class Errand(Generic[Outcome]):
    """Work that has been begun."""

    cancelled: threading.Event | None
    done: Callable[[Outcome | Exception | None], object]
    ended: threading.Event = field(default_factory=threading.Event)
    """Set when nothing of it is left, its connections included, and ``done`` has been called."""
    task: asyncio.Task[Outcome] | None = None


class SharedLoop:
    """Usable from several threads, those that run event loops included. Its own thread lives as long as there is work."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._guard = threading.RLock()  # collecting garbage may close an iterator, which stops its work, in a thread that holds this
        self._loop: asyncio.AbstractEventLoop | None = None
        self._errands: set[Errand[Any]] = set()

    def begin(
        self,
        work: Coroutine[Any, Any, Outcome],
        done: Callable[[Outcome | Exception | None], object],
        *,
        cancelled: threading.Event | None = None,
    ) -> Errand[Outcome]:
        """Runs ``work`` and calls ``done`` once, from the loop's thread, with its result, with what it raised, or with None if it was taken back:
        by ``stop``, or by setting ``cancelled``.

        ``done`` is short and does not raise.
        """
        errand: Errand[Outcome] = Errand(cancelled, done)
        with self._guard:
            loop = self._loop
            if loop is None:
                loop = self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._serve, args=(loop,), name=self._name, daemon=True).start()
            self._errands.add(errand)
            loop.call_soon_threadsafe(self._start, loop, errand, work, context=Context())  # not in that of whoever asks: it may long be over
        return errand

    def stop(self, errand: Errand[Any]) -> None:
        """Takes work back; nothing for work that has ended. Returns at once: ``errand.ended`` tells when it is over."""
        with self._guard:
            if errand in self._errands and self._loop is not None:
                self._loop.call_soon_threadsafe(_cancel, errand)

    # ---- in the loop's thread

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            loop.call_soon(self._look, loop)
            loop.run_forever()
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            loop.close()

    def _start(self, loop: asyncio.AbstractEventLoop, errand: Errand[Any], work: Coroutine[Any, Any, Any]) -> None:
        errand.task = loop.create_task(work)
        errand.task.add_done_callback(lambda task: self._finish(loop, errand, task))

    def _finish(self, loop: asyncio.AbstractEventLoop, errand: Errand[Any], task: asyncio.Task[Any]) -> None:
        errand.task = None
        failed = None if task.cancelled() else task.exception()
        errand.done(None if task.cancelled() else failed if isinstance(failed, Exception) else task.result())
        with self._guard:
            self._errands.discard(errand)
            if not self._errands:  # whoever begins later finds no loop, and makes another
                self._loop = None
                loop.stop()
        errand.ended.set()

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._guard:
            due = [errand for errand in self._errands if errand.cancelled is not None and errand.cancelled.is_set()]
        for errand in due:
            _cancel(errand)
        loop.call_later(GLANCE, self._look, loop)


def _cancel(errand: Errand[Any]) -> None:
    if errand.task is not None and not errand.task.cancelling():  # once: it may be closing its connection
        errand.task.cancel()
