"""Who is answered next, where more ask than a machine can serve at one time.

Fifty answers begun at once are all finished late; one after another half of them are finished early. So one is worked on, and the others wait in the
order in which they came. Finding the evidence of a question goes before telling about that of others, because whoever asked can begin to read; but
now and then something is told, so that nobody waits for ever. Whoever has a turn for long, because it waits for another service or reads a large
repository for the first time, is set aside: the next begins beside it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from exegesis.errors import Cancelled, Unavailable
from exegesis.rpc.deadline import LEAST, seconds_left
from exegesis.rpc.watch import Watch

AT_LEAST_EVERY: Final = 4
"""Turns of which one goes to telling while somebody waits for it. Every question is composed once and told once, so at one in two either queue stays
as long as it is; at one in four the one that people look at empties."""


LONG: Final = 0.5
"""Seconds after which a turn is set aside. On a core of its own finding evidence takes 0.1 s and telling less; five times as much is no slow machine
but something else that is waited for, and what begins meanwhile has the interpreter nearly for itself."""


class Work(Enum):
    COMPOSING = auto()
    TELLING = auto()


@dataclass(slots=True, eq=False)
class _Place:
    """Of somebody in a queue."""

    roused: threading.Event = field(default_factory=threading.Event)
    """There is a reason to look up: the turn has come, or whoever asked has left."""
    has_turn: bool = False
    is_aside: bool = False
    """The turn has lasted for long, and is not counted any more."""


class Turns:
    """At most ``most`` turns are taken at one time, besides up to ``aside`` that have lasted ``long`` seconds. Usable from several threads; a thread
    that holds a turn takes no other.

    Nobody who waits wakes before there is a reason to: many who do would keep the interpreter from those who work.
    """

    def __init__(self, most: int, *, aside: int = 0, long: float = LONG) -> None:
        self._free = most
        self._room_aside = aside
        self._long = long
        self._guard = threading.Lock()
        self._watch = Watch()
        self._waiting: dict[Work, deque[_Place]] = {work: deque() for work in Work}
        self._since_telling = 0

    @contextmanager
    def take(self, work: Work, cancelled: threading.Event | None = None) -> Iterator[None]:
        """A turn, as soon as it is there. Raises ``Cancelled`` once ``cancelled`` is set, and ``Unavailable`` where the call under way has to end
        before its turn comes.
        """
        place = _Place()
        with self._guard:
            self._waiting[work].append(place)
            self._call_next()
        try:
            self._wait(place, cancelled)
        except BaseException:
            with self._guard:
                if place.has_turn:  # it came at the last moment
                    self._give_back(place)
                else:
                    self._waiting[work].remove(place)
            raise
        try:
            with self._watch.over(None, lambda: self._set_aside(place), late=time.monotonic() + self._long):
                yield
        finally:
            with self._guard:
                self._give_back(place)

    def _wait(self, place: _Place, cancelled: threading.Event | None) -> None:
        left = seconds_left()
        with self._watch.over(cancelled, place.roused.set):
            place.roused.wait(None if left is None else max(left - LEAST, 0.0))
        if place.has_turn:
            return
        if cancelled is not None and cancelled.is_set():
            raise Cancelled("The question was taken back.")
        raise Unavailable("More is asked at this moment than can be answered in time.", hint="Ask again a little later.")

    def _set_aside(self, place: _Place) -> None:
        with self._guard:
            if self._room_aside:
                self._room_aside -= 1
                place.is_aside = True
                self._free += 1
                self._call_next()

    def _give_back(self, place: _Place) -> None:
        if place.is_aside:
            self._room_aside += 1
        else:
            self._free += 1
            self._call_next()

    def _call_next(self) -> None:
        while self._free and (queue := self._next()):
            self._free -= 1
            place = queue.popleft()
            place.has_turn = True
            place.roused.set()

    def _next(self) -> deque[_Place]:
        composing, telling = self._waiting[Work.COMPOSING], self._waiting[Work.TELLING]
        if telling and (not composing or self._since_telling + 1 >= AT_LEAST_EVERY):
            self._since_telling = 0
            return telling
        self._since_telling += bool(telling)
        return composing
