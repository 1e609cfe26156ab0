"""A queue whose messages are delivered when a test says so, one at a time, encoded as a broker would carry them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from exegesis.errors import Unavailable


class StepwiseQueue:
    """``ports.TaskQueue``; ``is_away`` is a broker that takes nothing."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.is_away = False

    def publish(self, job: str, arguments: Mapping[str, str | int], *, queue: str) -> None:
        if self.is_away:
            raise Unavailable("The broker is away.")
        self.waiting.append(json.dumps({"job": job, "arguments": dict(arguments), "queue": queue}))

    @property
    def jobs(self) -> list[str]:
        """Those that wait, by name."""
        return [json.loads(message)["job"] for message in self.waiting]

    def deliver(self, handlers: Mapping[str, Callable[..., None]], *, until: str = "", most: int = 1_000) -> int:
        """Deliver what waits, oldest first, and what comes of it; up to the first job called ``until``, which still waits. Returns how many."""
        count = 0
        while self.waiting and count < most and self.jobs[0] != until:
            message = json.loads(self.waiting.pop(0))
            handlers[message["job"]](**message["arguments"])
            count += 1
        return count
