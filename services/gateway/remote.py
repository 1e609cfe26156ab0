"""The gateway over gRPC: the servicer of ``gateway.proto``, and who is let in to it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

from exegesis.errors import ExegesisError
from exegesis.rpc.around import Around, Call, mapped
from exegesis.rpc.pages import check_size
from exegesis.rpc.serve import Context, iterate
from exegesis.rpc.server import Hosted
from exegesis.v1 import gateway_pb2_grpc
from services.gateway.access import Door, current_visit, visiting
from services.gateway.book import GRPC, Book
from services.gateway.calls import Calls
from services.gateway.operations import BY_NAME, SECONDS, SERVICE

_HEALTH = "/grpc.health."
"""What asks whether a server lives has no token, and learns nothing else."""


def host(calls: Calls) -> Hosted:
    """What a server needs to know to serve ``calls``."""
    servicer = GatewayServicer(calls)
    return Hosted(SERVICE, lambda server: gateway_pb2_grpc.add_GatewayServicer_to_server(servicer, server), SECONDS)


def admission(door: Door, book: Book) -> Around:
    """Lets callers in by the token in their metadata; reflection asks for one as well."""

    @asynccontextmanager
    async def admitted(call: Call) -> AsyncIterator[None]:
        if call.method.startswith(_HEALTH):
            yield
            return
        shown = call.metadata.get("authorization", "")
        async with mapped(call):
            try:
                visit = await asyncio.to_thread(door.admit, shown)
            except ExegesisError as error:
                book.turn_away(call.name, GRPC, call.context.peer(), claimed=door.claimed(shown), error=error)
                raise
        with visiting(visit):
            yield

    return admitted


async def answer_once(calls: Calls, name: str, request: Any) -> Any:
    """The answer of a call that answers once, worked for in a thread; leaving tells the work that nobody waits for it any more."""
    cancelled = threading.Event()
    try:
        message = await asyncio.to_thread(BY_NAME[name].body, calls, current_visit(), request, cancelled)
    finally:
        cancelled.set()
    check_size(message, what="answer")
    return message


def answer_in_pieces(calls: Calls, name: str, request: Any) -> AsyncGenerator[Any, None]:
    """The messages of a call that answers with a stream, likewise."""
    cancelled, visit = threading.Event(), current_visit()
    return iterate(lambda: BY_NAME[name].body(calls, visit, request, cancelled), cancelled)


def _once(name: str) -> Any:
    async def answer(servicer: GatewayServicer, request: Any, _context: Context) -> Any:
        return await answer_once(servicer.calls, name, request)

    return answer


def _pieces(name: str) -> Any:
    async def answer(servicer: GatewayServicer, request: Any, _context: Context) -> AsyncIterator[Any]:
        async with aclosing(answer_in_pieces(servicer.calls, name, request)) as messages:
            async for message in messages:
                yield message

    return answer


class GatewayServicer(gateway_pb2_grpc.GatewayServicer):
    """Answers for ``calls``. A call that is cancelled, or whose time is over, stops what works for it."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    Explain = _pieces("Explain")
    Outline = _once("Outline")
    Search = _once("Search")
    Compose = _once("Compose")
    Callers = _once("Callers")
    Callees = _once("Callees")
    Impact = _once("Impact")
    FindPaths = _once("FindPaths")
    ListHubs = _once("ListHubs")
    Describe = _once("Describe")
    DescribeModules = _once("DescribeModules")
    OnlyThrough = _once("OnlyThrough")
    AlwaysWith = _once("AlwaysWith")
    ListCycles = _once("ListCycles")
    ListDeadEnds = _once("ListDeadEnds")
    ListEntryPoints = _once("ListEntryPoints")
    ListRepositories = _once("ListRepositories")
    ListFiles = _once("ListFiles")
    IndexRepository = _pieces("IndexRepository")
    RemoveRepositories = _once("RemoveRepositories")
    GetEvidence = _once("GetEvidence")
