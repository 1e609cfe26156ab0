"""A gateway on loopback, in a thread of this process: both doors, real stores, for tests."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import httpx

from exegesis.rpc.address import read_address
from exegesis.rpc.tls import Certificates
from exegesis.v1 import gateway_pb2_grpc
from services.assembly import Assembly
from services.gateway.access import Door
from services.gateway.book import Book
from services.gateway.calls import Calls
from services.gateway.http import BODY_SECONDS, Hook, House
from services.gateway.metrics import Meter
from services.gateway.server import Doors, opened
from services.gateway.tokens import Grants, mint
from services.query.api import QueryService


@dataclass(frozen=True, slots=True)
class Served:
    """Where it listens, and what it wrote into its audit log."""

    grpc: str
    http: str
    audit: list[str] = field(default_factory=list, repr=False)

    def stub(self, token: str = "") -> gateway_pb2_grpc.GatewayStub:
        return gateway_pb2_grpc.GatewayStub(self.channel(token))  # type: ignore[no-untyped-call]  # generated

    def channel(self, token: str = "") -> grpc.Channel:
        channel = grpc.insecure_channel(self.grpc)
        return grpc.intercept_channel(channel, ShowingToken(token)) if token else channel

    def client(self, token: str = "") -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.http, headers=headers, timeout=30, trust_env=False)

    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.audit]


class ShowingToken(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor, grpc.StreamStreamClientInterceptor):  # type: ignore[misc]
    """Sends a token with every call of a channel."""

    def __init__(self, token: str) -> None:
        self._shown = ("authorization", f"Bearer {token}")

    def _showing(self, continuation: Any, details: Any, request: Any) -> Any:
        return continuation(details._replace(metadata=[*(details.metadata or ()), self._shown]), request)

    intercept_unary_unary = _showing
    intercept_unary_stream = _showing
    intercept_stream_stream = _showing


@contextmanager
def gateway(
    assembly: Assembly,
    *,
    is_open: bool = False,
    reflection: bool = False,
    query: QueryService | None = None,
    certificates: Certificates | None = None,
    hooks: Mapping[str, Hook] | None = None,
    grace: float = 1.0,
    patience: float | None = None,
) -> Iterator[Served]:
    """Serves as long as the context lasts. ``query`` in place of the one of the assembly; ``patience`` in place of seconds that callers may take."""
    meter, audit = Meter(), list[str]()
    calls = Calls(assembly.catalog, assembly.indexer, assembly.graph, query or assembly.query, on_stage=meter.stage)
    door = Door(None if is_open else assembly.tokens, assembly.catalog, assembly.clock)
    house = House(
        calls, door, Book(meter, assembly.clock, audit.append), check_ready=lambda: None, hooks=hooks or {}, body_seconds=patience or BODY_SECONDS
    )
    here = read_address("127.0.0.1:0", source="test")
    ready, found = threading.Event(), list[Served]()
    failures, stop = list[BaseException](), list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]()

    async def serve() -> None:
        leave = asyncio.Event()
        stop.append((asyncio.get_running_loop(), leave))
        async with opened(
            house, Doors(here, here, is_open), certificates=certificates, reflection=reflection, grace=grace, patience=patience
        ) as doors:
            found.append(Served(str(doors.grpc), f"{'https' if certificates else 'http'}://{doors.http}", audit))
            ready.set()
            await leave.wait()

    def work() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:  # noqa: BLE001 - raised in the thread that asked
            failures.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=work, name="gateway", daemon=True)
    thread.start()
    ready.wait(10)
    try:
        if failures:
            raise failures[0]
        yield found[0]
    finally:
        loop, leave = stop[0]
        if thread.is_alive():
            loop.call_soon_threadsafe(leave.set)
        thread.join(10)
    if failures:
        raise failures[0]


def token(assembly: Assembly, grants: Grants, *, seconds: float | None = 3600.0, per_minute: int = 100_000) -> str:
    """A token that the gateway of this assembly accepts."""
    written, record = mint("test", grants, now=assembly.clock.now(), seconds=seconds, per_minute=per_minute)
    assembly.tokens.add(record)
    return written
