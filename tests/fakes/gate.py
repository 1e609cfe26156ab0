"""A gate in front of a server: a proxy on loopback that is open, closed as when the server has gone, or frozen as when the network between has."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum


class Way(Enum):
    OPEN = "everything passes"
    CLOSED = "connections end at once"
    FROZEN = "connections stay, and nothing passes"
    STALE = "connections that are there stay and are dead; new ones pass"


@dataclass
class Gate:
    connect: Callable[[], socket.socket]
    """To the server."""
    way: Way = Way.OPEN
    """Set through ``turn``."""
    connections: int = 0
    """So many were made to the gate."""
    _listening: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)), repr=False)
    _ends: set[socket.socket] = field(default_factory=set, repr=False)
    _passing: threading.Event = field(default_factory=threading.Event, repr=False)
    """Of the connections that are made now; those of dead ones are never set again but by the end."""
    _dead: list[threading.Event] = field(default_factory=list, repr=False)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._listening.getsockname()[1]}"

    def turn(self, way: Way) -> None:
        self.way = way
        if way is Way.STALE:
            self._dead.append(self._passing)
            self._passing.clear()
            self._passing = threading.Event()
        if way is Way.FROZEN:
            self._passing.clear()
        else:
            self._passing.set()
        if way is Way.CLOSED:
            for event in self._dead:
                event.set()
            for end in list(self._ends):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def serve(self) -> None:
        self._passing.set()
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self.connections += 1
                threading.Thread(target=self._carry, args=(client, self._passing), daemon=True).start()

    def _carry(self, client: socket.socket, passing: threading.Event) -> None:
        with client:
            passing.wait()
            if self.way is Way.CLOSED:
                return
            with contextlib.suppress(OSError), self.connect() as server:
                self._ends |= {client, server}
                back = threading.Thread(target=self._pump, args=(server, client, passing), daemon=True)
                back.start()
                self._pump(client, server, passing)
                back.join(5)
                self._ends -= {client, server}

    def _pump(self, source: socket.socket, target: socket.socket, passing: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                passing.wait()
                if self.way is Way.CLOSED:
                    break
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.turn(Way.CLOSED)
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


@contextmanager
def gate(address: str) -> Iterator[Gate]:
    """In front of ``host:port``, or of the socket at a path."""
    made = Gate(lambda: _to(address))
    threading.Thread(target=made.serve, daemon=True).start()
    try:
        yield made
    finally:
        made.close()


def _to(address: str) -> socket.socket:
    if address.startswith("/"):
        made = socket.socket(socket.AF_UNIX)
        made.connect(address)
        return made
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)))
