"""What stands around every call of a server: context managers, entered in this order, the same for single messages and for streams.

    traced       a span that continues the caller's trace
    identified   the identifier of the request, in everything that is done and said for it
    (admitted)   who asks, and whether they may; only where callers are not services
    mapped       errors become statuses
    limited      the time that is left, for this call and all that it asks of others
    counted      how often each method ended how
    (prompt)     the message of a call that has one is read here, and must come soon

gRPC would read that message before any of this: whoever began calls and said nothing would hold as many as a server takes, unasked who they are.
Health and reflection pass through them as well.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from exegesis.errors import ExegesisError, WireError
from exegesis.rpc import tracing
from exegesis.rpc.deadline import LEAST, MARGIN, ending_in
from exegesis.rpc.failures import new_id, status_of
from exegesis.rpc.identity import REQUEST_ID, current_request, is_sane, request

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it arrives."""

    method: str
    """Such as ``/exegesis.v1.GraphService/Files``."""
    metadata: Mapping[str, str]
    """Text values; the last of several under one name."""
    context: Any

    @property
    def name(self) -> str:
        return self.method.rpartition("/")[2]


Around = Callable[[Call], AbstractAsyncContextManager[None]]

SECONDS_TO_SAY: Final = 10.0
"""Between the head of a call and its only message, which clients send together: as long as a connection that loses packets takes to repeat some."""


class Decorated(grpc.aio.ServerInterceptor):  # type: ignore[misc]  # grpcio has no types
    """An ``Around`` as gRPC wants it."""

    def __init__(self, around: Around) -> None:
        self._around = around
        self.name = getattr(around, "__name__", "")

    async def intercept_service(self, continuation: Callable[[Any], Awaitable[Any]], details: Any) -> Any:
        handler = await continuation(details)
        return None if handler is None else _decorate(handler, details.method, self._around)


class Prompt(grpc.aio.ServerInterceptor):  # type: ignore[misc]  # as above
    """Reads the message of a call inside of what stands around it, and waits ``seconds`` for it."""

    name = "prompt"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def intercept_service(self, continuation: Callable[[Any], Awaitable[Any]], details: Any) -> Any:
        handler = await continuation(details)
        return handler if handler is None or handler.request_streaming else _reading_inside(handler, self._seconds)


def decorators(
    seconds: Mapping[str, float], counts: Counts, *, admitted: Around | None = None, seconds_to_say: float = SECONDS_TO_SAY
) -> Sequence[grpc.aio.ServerInterceptor]:
    """All of them. ``seconds`` are the caps by method; ``admitted`` lets a caller in, or aborts the call itself."""
    arounds = (traced, identified, *((admitted,) if admitted else ()), mapped, _limited(seconds), counts.counted)
    return [*map(Decorated, arounds), Prompt(seconds_to_say)]


@asynccontextmanager
async def traced(call: Call) -> AsyncIterator[None]:
    with tracing.answering(call.method, call.metadata):
        yield


@asynccontextmanager
async def identified(call: Call) -> AsyncIterator[None]:
    given = call.metadata.get(REQUEST_ID, "")
    with request(given if is_sane(given) else new_id()):
        yield


@asynccontextmanager
async def mapped(call: Call) -> AsyncIterator[None]:
    """Cancellation and what was aborted already pass; they must, since a handler that swallows them leaks its call."""
    try:
        yield
    except grpc.aio.AbortError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets a status
        identifier = current_request()
        if not isinstance(error, ExegesisError | TimeoutError):
            _log.error("%s failed (%s): %s", call.method, identifier, where(error))
        await call.context.abort_with_status(rpc_status.to_status(status_of(error, request_id=identifier)))


def where(error: BaseException) -> str:
    """Type of an unexpected error and the places it came through, without its words: they might hold somebody's code or key."""
    places = ", ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(traceback.extract_tb(error.__traceback__)[-8:]))
    return f"{type(error).__name__} at {places}"


def _limited(seconds: Mapping[str, float]) -> Around:
    @asynccontextmanager
    async def limited(call: Call) -> AsyncIterator[None]:
        """Raises ``TimeoutError`` when the time is over. What is not in the table, such as watching a health, lasts as long as it is waited for."""
        cap, remaining = seconds.get(call.name), call.context.time_remaining()
        if cap is None:
            yield
            return
        left = cap if remaining is None else min(cap, remaining - MARGIN)
        if left < LEAST:
            raise TimeoutError
        async with asyncio.timeout(left):
            with ending_in(left):
                yield

    return limited


@dataclass(slots=True)
class Counts:
    """How often each method ended with each status since the start, and how many of each run now. Read by whoever reports them."""

    ended: Counter[tuple[str, str]] = field(default_factory=Counter)
    running: Counter[str] = field(default_factory=Counter)

    @asynccontextmanager
    async def counted(self, call: Call) -> AsyncIterator[None]:
        status = "OK"
        self.running[call.name] += 1
        try:
            yield
        except BaseException as error:
            status = error.status if isinstance(error, ExegesisError) else "CANCELLED" if isinstance(error, asyncio.CancelledError) else "INTERNAL"
            raise
        finally:
            self.running[call.name] -= 1
            self.ended[call.name, status] += 1


# ------------------------------------------------------------------------------------------------------------- handlers


def _decorate(handler: Any, method: str, around: Around) -> Any:
    """The same handler with ``around`` around it.

    A handler that yields its answers becomes one that writes them. So a cancelled call is cancelled inside of it and everything is left in order, in
    the task and context in which it was entered; a generator that is merely dropped would be closed by somebody else, later.
    """
    read = _reading(handler)

    async def answer(incoming: Any, context: Any) -> Any:
        async with around(_call(method, context)):
            return await behaviour(read(incoming), context)

    async def write(incoming: Any, context: Any) -> None:
        async with around(_call(method, context)):
            await _write(behaviour, read(incoming), context)

    codec = {"request_deserializer": None, "response_serializer": handler.response_serializer}
    if handler.response_streaming:
        behaviour = handler.stream_stream if handler.request_streaming else handler.unary_stream
        make = grpc.stream_stream_rpc_method_handler if handler.request_streaming else grpc.unary_stream_rpc_method_handler
        return make(write, **codec)
    behaviour = handler.stream_unary if handler.request_streaming else handler.unary_unary
    make = grpc.stream_unary_rpc_method_handler if handler.request_streaming else grpc.unary_unary_rpc_method_handler
    return make(answer, **codec)


async def _write(behaviour: Any, incoming: Any, context: Any) -> None:
    """The answers of a behaviour that yields them, or that writes them itself."""
    if not inspect.isasyncgenfunction(behaviour):
        await behaviour(incoming, context)
        return
    async with aclosing(behaviour(incoming, context)) as messages:
        async for message in messages:
            await context.write(message)


def _reading_inside(handler: Any, seconds: float) -> Any:
    """The handler of a call with one message as one of a call with many, of which it reads the first; on the wire the two are the same."""
    read = _reading(handler)

    async def first(incoming: AsyncIterator[bytes]) -> Any:
        async with asyncio.timeout(seconds):
            async for data in incoming:
                return read(data)
        raise WireError("The call ended before it said anything.")

    async def answer(incoming: AsyncIterator[bytes], context: Any) -> Any:
        return await handler.unary_unary(await first(incoming), context)

    async def write(incoming: AsyncIterator[bytes], context: Any) -> None:
        await _write(handler.unary_stream, await first(incoming), context)

    if handler.response_streaming:
        return grpc.stream_stream_rpc_method_handler(write, response_serializer=handler.response_serializer)
    return grpc.stream_unary_rpc_method_handler(answer, response_serializer=handler.response_serializer)


def _reading(handler: Any) -> Callable[[Any], Any]:
    """Makes messages of what arrives, inside of what stands around: gRPC would do it outside, where bytes that are none are an unknown failure."""
    deserialize = handler.request_deserializer

    def read(data: bytes) -> Any:
        try:
            return deserialize(data)
        except DecodeError:
            raise WireError("These bytes are not the message of this call.") from None

    if deserialize is None:  # done further in
        return lambda incoming: incoming
    return (lambda incoming: (read(data) async for data in incoming)) if handler.request_streaming else read


def _call(method: str, context: Any) -> Call:
    texts = {name: value for name, value in context.invocation_metadata() or () if isinstance(value, str)}
    return Call(method, texts, context)
