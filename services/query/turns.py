"""Who is answered next, where more ask than a machine can serve at one time.

Fifty answers begun at once are all finished late; one after another half of them are finished early. So a few are worked on, and the others wait in
the order in which they came. Finding the evidence of a question goes before telling about that of others, because whoever asked can begin to read;
but now and then something is told, so that nobody waits for ever.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import Final

from exegesis.errors import Cancelled, Unavailable
from exegesis.rpc.deadline import LEAST, seconds_left

AT_LEAST_EVERY: Final = 4
"""Turns of which one goes to telling while somebody waits for it. Every question is composed once and told once, so at one in two either queue stays
as long as it is; at one in four the one that people look at empties."""

_GLANCE: Final = 0.05
"""Seconds between looks of those who wait at whether their caller has left, or has no time any more."""


class Work(Enum):
    COMPOSING = auto()
    TELLING = auto()


class Turns:
    """At most ``most`` turns are taken at one time. Usable from several threads; a thread that holds a turn takes no other."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._guard = threading.Lock()
        self._waiting: dict[Work, deque[threading.Event]] = {work: deque() for work in Work}
        self._since_telling = 0

    @contextmanager
    def take(self, work: Work, cancelled: threading.Event | None = None) -> Iterator[None]:
        """A turn, as soon as it is there. Raises ``Cancelled`` once ``cancelled`` is set, and ``Unavailable`` where the call under way has to end
        before its turn comes.
        """
        come = threading.Event()
        with self._guard:
            self._waiting[work].append(come)
            self._call_next()
        try:
            self._wait(come, cancelled)
        except BaseException:
            with self._guard:
                if come.is_set():  # it came at the last moment
                    self._give_back()
                else:
                    self._waiting[work].remove(come)
            raise
        try:
            yield
        finally:
            with self._guard:
                self._give_back()

    def _wait(self, come: threading.Event, cancelled: threading.Event | None) -> None:
        while not come.wait(_GLANCE):
            if cancelled is not None and cancelled.is_set():
                raise Cancelled("The question was taken back.")
            left = seconds_left()
            if left is not None and left < LEAST:
                raise Unavailable("More is asked at this moment than can be answered in time.", hint="Ask again a little later.")

    def _give_back(self) -> None:
        self._free += 1
        self._call_next()

    def _call_next(self) -> None:
        while self._free and (queue := self._next()):
            self._free -= 1
            queue.popleft().set()

    def _next(self) -> deque[threading.Event]:
        composing, telling = self._waiting[Work.COMPOSING], self._waiting[Work.TELLING]
        if telling and (not composing or self._since_telling + 1 >= AT_LEAST_EVERY):
            self._since_telling = 0
            return telling
        self._since_telling += bool(telling)
        return composing
