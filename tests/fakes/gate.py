"""A gate in front of a server: a proxy on loopback that is open, closed as when the server has gone, or frozen as when the network between has."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum


class Way(Enum):
    OPEN = "everything passes"
    CLOSED = "connections end at once"
    FROZEN = "connections stay, and nothing passes"


@dataclass
class Gate:
    host: str
    port: int
    way: Way = Way.OPEN
    """Set through ``turn``."""
    connections: int = 0
    """So many were made to the gate."""
    _listening: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)), repr=False)
    _ends: set[socket.socket] = field(default_factory=set, repr=False)
    _passing: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._listening.getsockname()[1]}"

    def turn(self, way: Way) -> None:
        self.way = way
        if way is Way.FROZEN:
            self._passing.clear()
        else:
            self._passing.set()
        if way is Way.CLOSED:
            for end in list(self._ends):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def serve(self) -> None:
        self._passing.set()
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self.connections += 1
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client:
            self._passing.wait()
            if self.way is Way.CLOSED:
                return
            with contextlib.suppress(OSError), socket.create_connection((self.host, self.port), timeout=5) as server:
                server.settimeout(None)
                self._ends |= {client, server}
                back = threading.Thread(target=self._pump, args=(server, client), daemon=True)
                back.start()
                self._pump(client, server)
                back.join(5)
                self._ends -= {client, server}

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                self._passing.wait()
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
    """In front of ``host:port``."""
    host, _, port = address.rpartition(":")
    made = Gate(host, int(port))
    threading.Thread(target=made.serve, daemon=True).start()
    try:
        yield made
    finally:
        made.close()
