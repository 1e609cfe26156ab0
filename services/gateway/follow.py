"""A long run that reports by calling back, as a stream that is read."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue

from exegesis.model import Progress
from services.indexer.api import IndexReport, Report


def follow(work: Callable[[Report], IndexReport], cancelled: threading.Event) -> Iterator[Progress | IndexReport]:
    """Progress as ``work`` reports it, and at last what it returns; what it raises is raised. Whoever stops reading sets ``cancelled``."""
    arrived: SimpleQueue[Progress | IndexReport | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            arrived.put(work(arrived.put))
        except BaseException as error:  # noqa: BLE001 - raised in the thread that reads
            arrived.put(error)

    threading.Thread(target=contextvars.copy_context().run, args=(run,), name="follow", daemon=True).start()
    try:
        while True:
            said = arrived.get()
            if isinstance(said, BaseException):
                raise said
            yield said
            if isinstance(said, IndexReport):
                return
    finally:
        cancelled.set()
