"""Work that goes on while something else is waited for, and gives way to it."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Background:
    """At most one job, in a thread of its own. A job is given an event, and returns soon after that is set."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, job: Callable[[threading.Event], None]) -> None:
        self.stop()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=job, args=(self._stop,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell the job to stop, and wait until it has."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
