"""A process that serves: listening, health, reflection, and leaving without dropping anybody."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from exegesis.errors import Unavailable
from exegesis.rpc.address import Address
from exegesis.rpc.around import SECONDS_TO_SAY, Around, Counts, decorators
from exegesis.rpc.channel import LIMITS
from exegesis.rpc.tls import Certificates

_log: Final = logging.getLogger(__name__)

MOST_CALLS: Final = 200
"""At one time; further ones are told to come back. Beyond this everybody would wait, and nobody would know."""

THREADS: Final = MOST_CALLS + 16
"""Whoever is let in also runs, and a few more threads let people in while all others wait. An explanation holds a thread while a language model
writes, which is waiting and costs some ten kilobytes; lookups take one for milliseconds.
"""

GRACE_SECONDS: Final = 20.0
"""For what is under way when the process is told to end; container runtimes commonly kill after 30."""

_GLANCE: Final = 0.05
"""Seconds between looks at whether calls still run."""

_OPTIONS: Final = (
    *LIMITS,
    ("grpc.so_reuseport", 0),  # a port that is taken is an error, not a second server beside the first
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),  # clients ask every 30 s whether we live
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)


@dataclass(frozen=True, slots=True)
class Hosted:
    """A service to be served."""

    name: str
    """In the contract: ``exegesis.v1.GraphService``."""
    add: Callable[[Any], None]
    """Puts its servicer into a server."""
    seconds: Mapping[str, float]
    """The longest time of each method."""


def run(hosted: Hosted, listen: Address, *, reflection: bool, announce: Callable[[Address], None]) -> None:
    """Serve until SIGTERM or SIGINT, then drain; a second signal does not wait. ``announce`` hears the address once calls are taken."""

    async def until_told() -> None:
        told = told_to_end()
        async with serving(hosted, listen, reflection=reflection) as address:
            announce(address)
            await told.wait()

    asyncio.run(until_told())


def told_to_end() -> asyncio.Event:
    """Set at SIGTERM or SIGINT. A further signal does what it did before, so nobody who is in a hurry waits for what is drained."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)

    def tell() -> None:
        told.set()
        for each in signals:
            loop.remove_signal_handler(each)

    for each in signals:
        loop.add_signal_handler(each, tell)
    return told


@asynccontextmanager
async def serving(
    hosted: Hosted,
    listen: Address,
    *,
    reflection: bool = False,
    admitted: Around | None = None,
    counts: Counts | None = None,
    grace: float = GRACE_SECONDS,
    certificates: Certificates | None = None,
    seconds_to_say: float = SECONDS_TO_SAY,
) -> AsyncIterator[Address]:
    """Serve as long as the context lasts; gives the address, with the port that was taken for port 0.

    Leaving says first that the service is not to be used any more, then lets calls under way end for ``grace`` seconds, then cancels them. Raises
    ``Unavailable`` when nothing can listen there. ``counts`` are filled for whoever wants to read them.
    """
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(THREADS, thread_name_prefix="call"))
    counts = counts or Counts()
    interceptors = decorators(hosted.seconds, counts, admitted=admitted, seconds_to_say=seconds_to_say)
    server = grpc.aio.server(interceptors=interceptors, options=_OPTIONS, maximum_concurrent_rpcs=MOST_CALLS)
    hosted.add(server)
    health_of = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health_of, server)
    if reflection:
        from grpc_reflection.v1alpha import reflection as reflecting

        reflecting.enable_server_reflection((hosted.name, health.SERVICE_NAME, reflecting.SERVICE_NAME), server)
    port = _bind(server, listen, certificates)
    await server.start()
    await health_of.set(hosted.name, health_pb2.HealthCheckResponse.SERVING)
    try:
        yield listen.with_port(port)
    finally:
        await health_of.enter_graceful_shutdown()
        await _drain(server, lambda: any(counts.running[name] for name in hosted.seconds), grace)
        _log.info("%s ended: %s", hosted.name, ", ".join(f"{name} {status} {times}" for (name, status), times in sorted(counts.ended.items())))


async def _drain(server: Any, is_busy: Callable[[], bool], grace: float) -> None:
    """Take no more calls, let those that run end, and do not wait for what only watches, such as a health check that would last for ever."""
    stopping = asyncio.ensure_future(server.stop(grace))
    await asyncio.sleep(_GLANCE)  # for calls that have arrived and not begun
    while is_busy() and not stopping.done():  # noqa: ASYNC110 - calls end in many places, and this happens once in the life of a process
        await asyncio.sleep(_GLANCE)
    await server.stop(None)
    await stopping


def _bind(server: Any, listen: Address, certificates: Certificates | None) -> int:
    port = 0
    add = server.add_insecure_port if certificates is None else functools.partial(_add_secure_port, server, certificates.credentials())
    if not (listen.is_socket and _is_answered(listen.target.removeprefix("unix:"))):
        with _closed_to_others() if listen.is_socket else contextlib.nullcontext(), contextlib.suppress(RuntimeError):
            port = add(listen.target)
    if port == 0:
        raise Unavailable(f"Nothing can listen at {listen}.", hint="Is another service there already? Choose another address with --listen.")
    return port


def _add_secure_port(server: Any, credentials: Any, target: str) -> int:
    port: int = server.add_secure_port(target, credentials)
    return port


def _is_answered(path: str) -> bool:
    """Whether somebody listens at a socket. gRPC would take it away from them; one that a killed process left behind is free to take."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(path) == 0


@contextlib.contextmanager
def _closed_to_others() -> Iterator[None]:
    """A socket made here is reached by its owner only."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)
