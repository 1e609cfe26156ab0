"""The servicer's side of a call: plain blocking code, run in threads of a bounded pool, so that the event loop is always free to cancel and to answer
for its health.

A body decorated with ``unary`` or ``stream`` is an ordinary method ``(self, request)`` that returns a message or iterates over messages. A stream is
iterated in one thread from beginning to end, because spans and other context do not survive a change of thread.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import threading
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from exegesis.rpc.pages import check_size

M = TypeVar("M", bound=Message)

Context = Any
"""A ``grpc.aio.ServicerContext``; grpcio has no types."""

_AHEAD: Final = 16
"""Messages that a thread may be ahead of those that are being sent: enough that neither waits for the other, little enough to hold twice."""


def unary(body: Callable[[Any, Any], M]) -> Callable[[Any, Any, Context], Awaitable[M]]:
    """A method that answers with one message."""

    @functools.wraps(body)
    async def answer(self: Any, request: Any, _context: Context) -> M:
        message = await asyncio.to_thread(body, self, request)
        check_size(message, what="answer")
        return message

    return answer


def stream(body: Callable[[Any, Any], Iterator[M]]) -> Callable[[Any, Any, Context], AsyncIterator[M]]:
    """A method that answers with a stream."""

    @functools.wraps(body)
    async def answer(self: Any, request: Any, _context: Context) -> AsyncIterator[M]:
        async with aclosing(iterate(lambda: body(self, request), threading.Event())) as messages:
            async for message in messages:
                yield message

    return answer


async def interruptible(work: Callable[[threading.Event], M]) -> M:
    """What ``work`` makes in a thread; it is told by the event when nobody waits for it any more."""
    cancelled = threading.Event()
    try:
        message = await asyncio.to_thread(work, cancelled)
    finally:
        cancelled.set()
    check_size(message, what="answer")
    return message


async def iterate(make: Callable[[], Iterator[M]], stop: threading.Event) -> AsyncGenerator[M, None]:
    """The messages of a blocking iterator, which is made, iterated and closed in one thread.

    When the consumer leaves, for a cancelled call as for any other reason, ``stop`` is set at once and the thread ends with the message it is at.
    """
    loop = asyncio.get_running_loop()
    arrived: deque[M] = deque()
    roused = asyncio.Event()
    room = threading.Semaphore(_AHEAD)

    def work() -> None:
        messages = make()
        try:
            for message in messages:
                room.acquire()
                if stop.is_set():
                    return
                check_size(message, what="answer")
                arrived.append(message)
                if len(arrived) == 1:  # otherwise the loop is at those before it, and finds this one when it has sent them
                    loop.call_soon_threadsafe(roused.set)
        finally:
            if (close := getattr(messages, "close", None)) is not None:
                close()

    def ended(work: asyncio.Future[None]) -> None:
        if not work.cancelled():
            work.exception()  # taken note of; raised below unless nobody is there any more
        roused.set()

    working = loop.run_in_executor(None, contextvars.copy_context().run, work)
    working.add_done_callback(ended)
    try:
        while True:
            await roused.wait()
            roused.clear()
            while arrived:
                ready = [arrived.popleft() for _ in range(len(arrived))]
                room.release(len(ready))  # at once: a release costs as much as sending a message
                for message in ready:
                    yield message
            if working.done() and not arrived:
                break
        await working
    finally:
        stop.set()
        room.release()
        working.cancel()  # if no thread has taken it up yet
