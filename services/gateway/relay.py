"""Explanations as messages, for those who only pass them on."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Protocol, runtime_checkable

from exegesis.model import Question
from exegesis.v1 import model_pb2
from exegesis.wire import event_to_message
from services.query.api import QueryService


@runtime_checkable
class Relay(Protocol):
    """A query service that is elsewhere, so that its events arrive as messages."""

    def relay(self, question: Question, *, cancelled: threading.Event | None = None) -> Generator[model_pb2.Event, None, None]: ...


def explain_in_messages(query: QueryService, question: Question, cancelled: threading.Event) -> Generator[model_pb2.Event, None, None]:
    """What ``query`` explains, not taken apart where it arrives in messages: an answer repeats its evidence, so that is most of the work."""
    if isinstance(query, Relay):
        yield from query.relay(question, cancelled=cancelled)
        return
    for event in query.explain(question, cancelled=cancelled):
        yield event_to_message(event)
