"""A fake: a real HTTP server on loopback that speaks the OpenAI chat protocol, with the oddities that endpoints in use show.

Each request is answered by the next script of the list; the last one repeats. A script is a function that writes to the connection.
"""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[["Exchange"], None]


@dataclass
class Exchange:
    """One request and the means to answer it."""

    body: dict[str, Any]
    headers: dict[str, str]
    handler: BaseHTTPRequestHandler
    server: FakeEndpoint

    def start(self, status: int = 200, content_type: str = "text/event-stream", **headers: str) -> None:
        self.handler.send_response(status)
        self.handler.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.send_header("Connection", "close")
        self.handler.end_headers()

    def write(self, portion: bytes) -> None:
        self.handler.wfile.write(portion)
        self.handler.wfile.flush()

    def wait_until_closed(self, seconds: float = 10.0) -> None:
        """Stay silent until the client hangs up, and note when that was."""
        connection = self.handler.connection
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            readable, _, _ = select.select([connection], [], [], 0.02)
            if readable and connection.recv(1024) == b"":
                self.server.closed_at.append(time.monotonic())
                self.server.hung_up.set()
                return


@dataclass
class FakeEndpoint:
    scripts: Sequence[Script]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    closed_at: list[float] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    hung_up: threading.Event = field(default_factory=threading.Event)


@contextmanager
def endpoint(*scripts: Script) -> Iterator[FakeEndpoint]:
    fake = FakeEndpoint(scripts)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            number = len(fake.requests)
            fake.requests.append(body)
            fake.headers.append({name.lower(): value for name, value in self.headers.items()})
            fake.arrived.set()
            try:
                fake.scripts[min(number, len(fake.scripts) - 1)](Exchange(body, fake.headers[-1], self, fake))
            except (BrokenPipeError, ConnectionResetError):
                fake.closed_at.append(time.monotonic())
                fake.hung_up.set()
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Silence: tests read standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# --------------------------------------------------------------------------------------------------------------- scripts


def piece(text: str | None = None, *, finish: str | None = None, **more: Any) -> dict[str, Any]:
    delta = {} if text is None else {"content": text}
    return {"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def event(value: object) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def says(text: str, *, pieces: int = 5, pause: float = 0.0) -> Script:
    """A well-behaved stream."""

    def script(exchange: Exchange) -> None:
        exchange.start()
        step = max(1, len(text) // pieces)
        for start in range(0, len(text), step):
            exchange.write(event(piece(text[start : start + step])))
            time.sleep(pause)
        exchange.write(event(piece(finish="stop")) + b"data: [DONE]\n\n")

    return script


def sends(portion: bytes, *portions: bytes, pause: float = 0.0) -> Script:
    """These bytes in these portions, then the end of the connection."""

    def script(exchange: Exchange) -> None:
        exchange.start()
        for part in (portion, *portions):
            exchange.write(part)
            time.sleep(pause)

    return script


def refuses(status: int, message: str = "no", **headers: str) -> Script:
    def script(exchange: Exchange) -> None:
        exchange.start(status, "application/json", **headers)
        exchange.write(json.dumps({"error": {"message": message}}).encode())

    return script


def completes(text: str, **usage: int) -> Script:
    """A whole completion as JSON, whatever was asked for."""

    def script(exchange: Exchange) -> None:
        exchange.start(200, "application/json")
        exchange.write(json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": usage}).encode())

    return script


def falls_silent(*texts: str) -> Script:
    """Some text, then nothing until the client hangs up."""

    def script(exchange: Exchange) -> None:
        exchange.start()
        for text in texts:
            exchange.write(event(piece(text)))
        exchange.wait_until_closed()

    return script


def never_answers(exchange: Exchange) -> None:
    """Not even a status line."""
    exchange.wait_until_closed()


def resets(*texts: str) -> Script:
    """Some text, then a reset connection."""

    def script(exchange: Exchange) -> None:
        exchange.start()
        for text in texts:
            exchange.write(event(piece(text)))
        exchange.handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        exchange.handler.connection.close()

    return script


def never_ends(exchange: Exchange) -> None:
    exchange.start()
    while True:
        exchange.write(event(piece("again ")))
        time.sleep(0.01)


def accepts_only(means: str, text: str) -> Script:
    """Rejects every ``response_format`` but this one (``""`` for none at all)."""

    def script(exchange: Exchange) -> None:
        asked = exchange.body.get("response_format", {}).get("type", "")
        (completes(text) if asked == means else refuses(400, f"response_format {asked} is not supported"))(exchange)

    return script
