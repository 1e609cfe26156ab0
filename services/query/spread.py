"""Several query services as one: a question goes to the one that has the least to do, and past those that do not answer.

One interpreter answers on one core. None of the services has a state of its own, so there may be as many as there are cores, on any machines.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from exegesis.errors import Unavailable
from exegesis.model import Description, Event, Question
from exegesis.rpc.failures import Broken
from exegesis.v1 import model_pb2
from exegesis.wire import event_from_message
from services.query.api import Composition, OutlineAnswer, QueryService, SearchAnswer

REST_SECONDS: Final = 2.0
"""For which one that did not answer is asked last: shorter than a process takes to start again, so that it is found soon after."""

SLOW_SECONDS: Final = 30.0
"""For which one that took too long is asked last. It may have worked on something large, or hang, and then it would with every question."""

T = TypeVar("T")


class FarQuery(QueryService, Protocol):
    """A ``QueryService`` whose events can be passed on as they arrive."""

    def relay(self, question: Question, *, cancelled: threading.Event | None = None) -> Generator[model_pb2.Event, None, None]: ...
    def close(self) -> None: ...


@dataclass(slots=True, eq=False)
class _Desk:
    service: FarQuery
    under_way: int = 0
    rests_until: float = 0.0


class SpreadQuery:
    """A ``QueryService`` over others, at least one. Usable from several threads.

    Whoever does not answer at all costs its questions a retry and no more; an answer that has begun is not begun again elsewhere. One
    that takes too long, or lacks what it needs itself, has answered: the others would take as long and lack the same. The next question
    goes elsewhere.
    """

    def __init__(self, services: Sequence[FarQuery]) -> None:
        self._desks = tuple(map(_Desk, services))
        self._guard = threading.Lock()

    def close(self) -> None:
        for desk in self._desks:
            desk.service.close()

    def explain(self, question: Question, *, cancelled: threading.Event | None = None) -> Iterator[Event]:
        with closing(self.relay(question, cancelled=cancelled)) as messages:
            yield from map(event_from_message, messages)

    def relay(self, question: Question, *, cancelled: threading.Event | None = None) -> Generator[model_pb2.Event, None, None]:
        for desk, is_last in self._in_turn(question.repositories):
            has_begun = False
            try:
                with self._busy(desk), closing(desk.service.relay(question, cancelled=cancelled)) as messages:
                    for message in messages:
                        has_begun = True
                        yield message
            except Broken:
                if has_begun or is_last:
                    raise
            else:
                return

    def outline(self, question: Question, *, cancelled: threading.Event | None = None) -> OutlineAnswer:
        return self._one(question.repositories, lambda service: service.outline(question, cancelled=cancelled))

    def search(self, question: Question) -> SearchAnswer:
        return self._one(question.repositories, lambda service: service.search(question))

    def compose(self, question: Question) -> Composition:
        return self._one(question.repositories, lambda service: service.compose(question))

    def describe(self, repository: str, about: str) -> Sequence[Description]:
        return self._one((repository,), lambda service: service.describe(repository, about))

    def evidence(self, repository: str, generation: str, path: str, start: int, end: int) -> Sequence[str]:
        return self._one((repository,), lambda service: service.evidence(repository, generation, path, start, end))

    # ---- whom to ask

    def _one(self, repositories: Sequence[str], ask: Callable[[FarQuery], T]) -> T:
        for desk, is_last in self._in_turn(repositories):
            try:
                with self._busy(desk):
                    return ask(desk.service)
            except Broken:
                if is_last:
                    raise
        raise AssertionError("the last one answers or raises")

    def _in_turn(self, repositories: Sequence[str]) -> Iterator[tuple[_Desk, bool]]:
        """All, the one that has the least to do first, and whether it is the last. Where several have as little, questions about one repository go to
        the same one, which remembers rows of it.
        """
        home = zlib.crc32("\n".join(repositories).encode("utf-8", "surrogatepass")) % len(self._desks)
        desks = [*self._desks[home:], *self._desks[:home]]
        now = time.monotonic()
        desks.sort(key=lambda desk: (desk.rests_until > now, desk.under_way))
        for number, desk in enumerate(desks, 1):
            yield desk, number == len(desks)

    @contextmanager
    def _busy(self, desk: _Desk) -> Iterator[None]:
        with self._guard:
            desk.under_way += 1
        try:
            yield
        except Unavailable as error:
            desk.rests_until = time.monotonic() + (REST_SECONDS if isinstance(error, Broken) else SLOW_SECONDS)
            raise
        finally:
            with self._guard:
                desk.under_way -= 1
