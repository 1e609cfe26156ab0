"""A connection that breaks: a proxy on loopback that cuts its first connections after so many bytes towards the service."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from exegesis.rpc.address import Address, read_address


@contextmanager
def breaking_proxy(target: Address, after: Sequence[int]) -> Iterator[tuple[Address, list[int]]]:
    """Gives the address of the proxy, and the bytes that each connection has carried. Connection n breaks after ``after[n]``; later ones hold.
    A channel may connect once more when what it called ends, so count connections before the context does.
    """
    host, _, port = target.target.rpartition(":")
    carried: list[int] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def carry(number: int, client: socket.socket) -> None:
        limit = after[number] if number < len(after) else None
        with contextlib.ExitStack() as opened:
            opened.enter_context(client)
            try:
                service = opened.enter_context(socket.create_connection((host, int(port))))
            except OSError:
                return  # the service has ended: to whoever connects the proxy is as silent as it
            back = threading.Thread(target=_pump, args=(service, client), daemon=True)
            back.start()
            with contextlib.suppress(OSError):
                while data := client.recv(16_384):
                    carried[number] += len(data)
                    if limit is not None and carried[number] > limit:
                        break
                    service.sendall(data)
            for each in (client, service):
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            back.join(5)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listening.accept()
                carried.append(0)
                threading.Thread(target=carry, args=(len(carried) - 1, client), daemon=True).start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield read_address(f"127.0.0.1:{listening.getsockname()[1]}", source="proxy"), carried
    finally:
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)  # closing alone leaves the port open until one more has connected
        listening.close()
        accepting.join(10)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(16_384):
            target.sendall(data)
