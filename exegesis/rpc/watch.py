"""Noticing that somebody has left, for many at one time: one thread looks at all their events, however many wait.

A thread for each would wake a thousand times a second where fifty wait, and each time take the interpreter away from whoever works.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from exegesis.errors import Unavailable

_log: Final = logging.getLogger(__name__)

GLANCE: Final = 0.05
"""Seconds between looks: a twentieth of the second within which a language model must hear that nobody waits for it any more."""


@dataclass(frozen=True, slots=True, eq=False)
class _Watched:
    event: threading.Event | None
    late: float | None
    act: Callable[[], object]

    def is_due(self) -> bool:
        return (self.event is not None and self.event.is_set()) or (self.late is not None and time.monotonic() >= self.late)


class Watch:
    """Usable from several threads. Its own thread lives as long as there is something to look at."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._watched: set[_Watched] = set()
        self._is_looking = False

    @contextmanager
    def over(self, event: threading.Event | None, act: Callable[[], object], *, late: float | None = None) -> Iterator[None]:
        """Calls ``act`` once, from another thread, as soon as the event is set or the monotonic clock shows ``late``; no more after the context is
        left. With neither of them nothing is done.

        ``act`` is short. What it raises is logged, and costs the others nothing. Raises ``Unavailable`` where no thread can be started that looks:
        whoever comes later tries again.
        """
        if event is None and late is None:
            yield
            return
        watched = _Watched(event, late, act)
        with self._guard:
            if not self._is_looking:
                _start(self._look)
                self._is_looking = True
            self._watched.add(watched)
        try:
            yield
        finally:
            with self._guard:
                self._watched.discard(watched)

    def _look(self) -> None:
        while True:
            with self._guard:
                if not self._watched:
                    self._is_looking = False
                    return
                for due in [watched for watched in self._watched if watched.is_due()]:
                    self._watched.remove(due)
                    try:
                        due.act()
                    except Exception:  # noqa: BLE001 - whoever else is watched must not pay for it
                        _log.exception("what was to be done when somebody left failed")
            time.sleep(GLANCE)


def _start(look: Callable[[], None]) -> None:
    try:
        threading.Thread(target=look, name="watch", daemon=True).start()
    except RuntimeError as error:  # as many threads or as much memory as the process may have
        raise Unavailable("The process has no thread left to notice who leaves.", hint="Try again in a moment, or run another replica.") from error
