"""The book at the door: every call is counted, timed and written to the audit log, whichever door it came through."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from exegesis.errors import ExegesisError
from exegesis.ports import Clock
from exegesis.rpc.around import Call, Counts
from exegesis.rpc.identity import current_request
from services.gateway.access import current_visit
from services.gateway.audit import AuditEntry, Write, line_of
from services.gateway.metrics import Meter
from services.gateway.seats import Seats

GRPC = "grpc"
HTTP = "http"


class Book(Counts):
    """Counts as a server of ours wants them, kept for Prometheus and for auditors too."""

    def __init__(self, meter: Meter, clock: Clock, write: Write, seats: Seats | None = None) -> None:
        super().__init__()
        self._seats = seats or Seats()
        self.meter = meter
        self._clock = clock
        self._write = write

    @asynccontextmanager
    async def counted(self, call: Call) -> AsyncIterator[None]:
        """Around every call over gRPC; health and reflection are only counted."""
        if not call.method.startswith("/exegesis."):
            async with super().counted(call):
                yield
            return
        async with super().counted(call), self.entered(call.name, GRPC, call.context.peer()):
            yield

    @asynccontextmanager
    async def entered(self, call: str, door: str, peer: str) -> AsyncIterator[None]:
        """Around a call of somebody who was let in, and gets a seat if one is free."""
        started, status = time.perf_counter(), "OK"
        self.meter.begin(call, door)
        try:
            with self._seats.take(current_visit().token):
                yield
        except BaseException as error:
            status = status_name(error)
            raise
        finally:
            seconds = time.perf_counter() - started
            self.meter.end(call, door, status, seconds)
            visit = current_visit()
            self._enter(
                AuditEntry(self._clock.now(), current_request(), door, call, peer, visit.token, visit.name, visit.asked, status, seconds * 1000)
            )

    def turn_away(self, call: str, door: str, peer: str, *, claimed: str, error: BaseException) -> None:
        """Note somebody who was not let in; ``claimed`` is the identifier of the token that they showed."""
        status = status_name(error)
        self.meter.reject(door, status)
        self._enter(AuditEntry(self._clock.now(), current_request(), door, call, peer, claimed, "", (), status, 0.0))

    def _enter(self, entry: AuditEntry) -> None:
        self._write(line_of(entry))


def status_name(error: BaseException) -> str:
    if isinstance(error, ExegesisError):
        return error.status
    if isinstance(error, TimeoutError):
        return "DEADLINE_EXCEEDED"
    return "CANCELLED" if isinstance(error, asyncio.CancelledError) else "INTERNAL"
