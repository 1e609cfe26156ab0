"""A language model that knows when the call under way must have ended, and stops in time for the rest of the answer to be given."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from exegesis.errors import ModelUnavailable
from exegesis.ports import Delta, LanguageModel, Message
from exegesis.rpc.deadline import seconds_left
from exegesis.rpc.watch import Watch

KEPT: Final = 1.0
"""Seconds of the call that the model does not get: to check what it wrote, to tell the rest from the code, and to send the whole."""


class HurriedModel:
    """A ``LanguageModel`` around another. Outside of a call that must end it changes nothing.

    Raises ``ModelUnavailable`` where the time ran out; what was written before stays valid.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._watch = Watch()

    @property
    def name(self) -> str:
        return self._model.name

    def stream(self, messages: Sequence[Message], *, max_tokens: int, cancelled: threading.Event | None = None) -> Iterator[Delta]:
        """Not a generator itself: that would hold the messages, which are as large as the evidence, as long as the model writes."""
        left = seconds_left()
        if left is None:
            return self._model.stream(messages, max_tokens=max_tokens, cancelled=cancelled)
        if left < KEPT:
            raise ModelUnavailable("No time is left for the language model")
        stop, late = threading.Event(), time.monotonic() + left - KEPT
        return self._in_time(self._model.stream(messages, max_tokens=max_tokens, cancelled=stop), late, stop, cancelled)

    def _in_time(self, deltas: Iterator[Delta], late: float, stop: threading.Event, cancelled: threading.Event | None) -> Iterator[Delta]:
        with self._watch.over(cancelled, stop.set, late=late):
            yield from deltas
        if stop.is_set() and not (cancelled is not None and cancelled.is_set()):
            raise ModelUnavailable("The time for this answer ran out while the language model was writing")

    def complete_json(self, messages: Sequence[Message], schema: Mapping[str, object], *, max_tokens: int) -> str:
        left = seconds_left()
        if left is not None and left < KEPT:
            raise ModelUnavailable("No time is left for the language model")
        return self._model.complete_json(messages, schema, max_tokens=max_tokens)
