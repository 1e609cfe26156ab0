"""The promise of the query service kept elsewhere: ``RemoteQuery`` is one and asks over gRPC, ``QueryServicer`` takes one and answers."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import AsyncIterator, Generator, Iterator, Mapping, Sequence
from contextlib import aclosing, closing, suppress
from itertools import chain
from typing import Final

from exegesis.errors import ExegesisError, UsageError
from exegesis.model import Description, Event, Evidence, Question, StageFinished
from exegesis.rpc.address import Address
from exegesis.rpc.ask import Asker, compose
from exegesis.rpc.pages import PAGE_BYTES
from exegesis.rpc.serve import Context, interruptible, iterate, unary
from exegesis.rpc.server import Hosted
from exegesis.v1 import model_pb2, query_pb2, query_pb2_grpc
from exegesis.wire import event_from_message, event_to_message, from_message, to_message
from services.query.api import Composition, OutlineAnswer, QueryService, SearchAnswer, check_length

SERVICE: Final = "exegesis.v1.QueryService"

SECONDS: Final[Mapping[str, float]] = {
    "Explain": 900.0,  # a language model writes for two minutes at most by default, and a slow one may be allowed more
    "ExplainInPages": 900.0,
    "Outline": 900.0,
    "Search": 60.0,  # hundredths of a second, and seconds where candidates are embedded first
    "Compose": 60.0,
    "Describe": 300.0,  # hundredths of a second; of a repository that nobody described yet it reads the whole graph
    "Evidence": 30.0,
}
"""Seconds that a method may take. All of them only read, so they may be called twice; an explanation that has begun is not begun again."""


class RemoteQuery:
    """A ``QueryService`` that asks one at an address. Usable from several threads; errors are those that the service raised."""

    def __init__(self, address: Address) -> None:
        self._ask = Asker(address, service=SERVICE, stub=query_pb2_grpc.QueryServiceStub, seconds=SECONDS, retried=SECONDS)

    def close(self) -> None:
        self._ask.close()

    def explain(self, question: Question, *, cancelled: threading.Event | None = None) -> Iterator[Event]:
        """As promised; when ``cancelled`` is set the stream ends in ``Cancelled`` and the language model hears of it within a second."""
        with closing(self.relay(question, cancelled=cancelled)) as messages:
            yield from map(event_from_message, messages)

    def relay(self, question: Question, *, cancelled: threading.Event | None = None) -> Generator[model_pb2.Event, None, None]:
        """The events as they arrive, for whoever passes them on: reading an answer and writing it again costs as much as finding the evidence."""
        pages = self._ask.stream("ExplainInPages", to_message(question, model_pb2.Question), cancelled=cancelled)
        for message in chain.from_iterable(page.events for page in pages):
            if message.WhichOneof("event") == "finished":
                # Nothing follows but the end; whoever has the answer leaves, and leaving before the end would look like giving up.
                with suppress(ExegesisError):
                    deque(pages, maxlen=0)
            yield message

    def outline(self, question: Question, *, cancelled: threading.Event | None = None) -> OutlineAnswer:
        return from_message(self._ask.one("Outline", to_message(question, model_pb2.Question), cancelled=cancelled), OutlineAnswer)

    def search(self, question: Question) -> SearchAnswer:
        return from_message(self._ask.one("Search", to_message(question, model_pb2.Question)), SearchAnswer)

    def compose(self, question: Question) -> Composition:
        return from_message(self._ask.one("Compose", to_message(question, model_pb2.Question)), Composition)

    def describe(self, repository: str, about: str) -> Sequence[Description]:
        found = self._ask.one("Describe", compose(query_pb2.AboutRequest, repository=repository, about=about))
        return [from_message(each, Description) for each in found.descriptions]

    def evidence(self, repository: str, generation: str, path: str, start: int, end: int) -> Sequence[str]:
        place = compose(query_pb2.EvidenceRequest, repository=repository, generation=generation, path=path, start=max(start, 0), end=max(end, 0))
        return tuple(self._ask.one("Evidence", place).lines)


# ----------------------------------------------------------------------------------------------------------- the servicer


def host(query: QueryService) -> Hosted:
    """What a server needs to know to serve ``query``."""
    servicer = QueryServicer(query)
    return Hosted(SERVICE, lambda server: query_pb2_grpc.add_QueryServiceServicer_to_server(servicer, server), SECONDS)


def _question(request: model_pb2.Question) -> Question:
    """Raises ``UsageError`` for what no question is."""
    question = from_message(request, Question)
    if not question.repositories or not question.text.strip():
        raise UsageError("A question needs a text and at least one repository.")
    check_length(question.text)
    return question


def in_pages(events: Iterator[Event]) -> Iterator[query_pb2.EventPage]:
    """Evidence, and the end of a stage, wait for what follows them, which comes at once; everything else is sent as it comes, with what waits: a page
    costs both ends as much as ten pieces of evidence in it. What waits is sent before an error is raised.
    """
    held: list[model_pb2.Event] = []
    size = 0
    try:
        for event in events:
            held.append(event_to_message(event))
            size += held[-1].ByteSize()
            if not isinstance(event, Evidence | StageFinished) or size >= PAGE_BYTES:
                yield query_pb2.EventPage(events=held)
                held, size = [], 0
    except ExegesisError:
        if held:
            yield query_pb2.EventPage(events=held)
        raise
    if held:
        yield query_pb2.EventPage(events=held)


class QueryServicer(query_pb2_grpc.QueryServiceServicer):
    """Answers for ``query``, which is asked from several threads."""

    def __init__(self, query: QueryService) -> None:
        self._query = query

    async def Explain(self, request: model_pb2.Question, _context: Context) -> AsyncIterator[model_pb2.Event]:
        """A call that is cancelled, or whose time is over, stops the language model."""
        cancelled = threading.Event()

        def events() -> Iterator[model_pb2.Event]:
            for event in self._query.explain(_question(request), cancelled=cancelled):
                yield event_to_message(event)

        async with aclosing(iterate(events, cancelled)) as messages:
            async for message in messages:
                yield message

    async def ExplainInPages(self, request: model_pb2.Question, _context: Context) -> AsyncIterator[query_pb2.EventPage]:
        """Likewise."""
        cancelled = threading.Event()

        def pages() -> Iterator[query_pb2.EventPage]:
            return in_pages(self._query.explain(_question(request), cancelled=cancelled))

        async with aclosing(iterate(pages, cancelled)) as messages:
            async for message in messages:
                yield message

    async def Outline(self, request: model_pb2.Question, _context: Context) -> query_pb2.OutlineAnswer:
        def outline(cancelled: threading.Event) -> query_pb2.OutlineAnswer:
            return to_message(self._query.outline(_question(request), cancelled=cancelled), query_pb2.OutlineAnswer)

        return await interruptible(outline)

    @unary
    def Search(self, request: model_pb2.Question) -> query_pb2.SearchAnswer:
        return to_message(self._query.search(_question(request)), query_pb2.SearchAnswer)

    @unary
    def Compose(self, request: model_pb2.Question) -> query_pb2.Composition:
        return to_message(self._query.compose(_question(request)), query_pb2.Composition)

    @unary
    def Describe(self, request: query_pb2.AboutRequest) -> query_pb2.DescribeResponse:
        found = self._query.describe(request.repository, request.about)
        return query_pb2.DescribeResponse(descriptions=[to_message(each, model_pb2.Description) for each in found])

    @unary
    def Evidence(self, request: query_pb2.EvidenceRequest) -> query_pb2.EvidenceResponse:
        lines = self._query.evidence(request.repository, request.generation, request.path, request.start, request.end)
        return query_pb2.EvidenceResponse(lines=lines)
