"""``ports.TaskQueue`` in this process: consumers take encoded jobs from a line, decode them and run handlers, as workers behind a broker do.

There is no mode that calls a handler directly: what works here works behind a broker, whose messages are JSON and arrive in another thread.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Mapping
from typing import Self

Handler = Callable[..., None]
"""Takes the arguments of the job by name. Runs at least once for a job, so running twice must do no harm."""

_STOP = ""


class LocalQueue:
    """A context; leaving it lets running jobs finish, drops waiting ones, and raises what a handler raised.

    A handler that raises ends its job: the ledger of batches, not the queue, knows what is still to do.
    """

    def __init__(self, handlers: Mapping[str, Handler], *, consumers: int) -> None:
        self._handlers = handlers
        self._waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._consumers = [threading.Thread(target=self._consume, name=f"consumer-{n}", daemon=True) for n in range(consumers)]
        self._stopping = threading.Event()
        self.failures: queue.SimpleQueue[BaseException] = queue.SimpleQueue()

    def publish(self, job: str, arguments: Mapping[str, str | int], *, queue: str) -> None:
        self._waiting.put(json.dumps({"job": job, "arguments": dict(arguments), "queue": queue}))

    def __enter__(self) -> Self:
        for consumer in self._consumers:
            consumer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for _consumer in self._consumers:
            self._waiting.put(_STOP)
        for consumer in self._consumers:
            consumer.join()

    def raise_failure(self) -> None:
        """Raise what a handler raised, if one did."""
        if not self.failures.empty():
            raise self.failures.get()

    def _consume(self) -> None:
        while (message := self._waiting.get()) != _STOP:
            if self._stopping.is_set():
                continue
            try:
                decoded = json.loads(message)
                self._handlers[decoded["job"]](**decoded["arguments"])
            except BaseException as error:  # noqa: BLE001 - a consumer outlives its jobs; whoever owns the queue decides
                self.failures.put(error)
