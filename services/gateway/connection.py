"""Connections over HTTP that ask in time, and make room where they do not.

uvicorn waits for a first request as long as the other side likes, and counts connections that say nothing among those that are served. So whoever
can reach the port, with no token at all, could keep everybody out by a few hundred of them.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from exegesis.rpc.server import MOST_CALLS

SECONDS_TO_ASK: Final = 15.0
"""From connecting, or from the answer before, to the whole head of a request."""

MOST_CONNECTIONS: Final = 2 * MOST_CALLS
"""At one time: as many as can be answered, and as many that say nothing; of these the one that has waited longest makes room for the next. Well below
the thousand files that a process may have open by default."""


class PunctualConnection(H11Protocol):
    """A connection that is closed when no request is under way on it for ``seconds``, whatever trickles in meanwhile."""

    def __init__(self, *arguments: Any, seconds: float = SECONDS_TO_ASK, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._seconds = seconds
        self._patience: asyncio.TimerHandle | None = None
        self._is_open = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the class above
        super().connection_made(transport)
        self._is_open = True
        if len(self.connections) > MOST_CONNECTIONS:
            silent = min((other for other in self.connections if isinstance(other, PunctualConnection)), key=PunctualConnection._gives_up_at)
            silent._give_up()  # noqa: SLF001 - one of our own
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_open = False
        super().connection_lost(exc)
        self._watch()

    def handle_events(self) -> None:
        super().handle_events()
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    @property
    def _asks(self) -> bool:
        cycle: Any = getattr(self, "cycle", None)
        return cycle is not None and not cycle.response_complete

    def _gives_up_at(self) -> float:
        return self._patience.when() if self._patience is not None else float("inf")

    def _watch(self) -> None:
        """The time runs as long as the connection is open and asks nothing."""
        if self._is_open and not self._asks:
            if self._patience is None:
                self._patience = self.loop.call_later(self._seconds, self._give_up)
        elif self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        if not self._asks:
            self.transport.abort()
