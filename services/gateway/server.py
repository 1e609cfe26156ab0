"""The gateway as a process: gRPC and HTTP side by side in one event loop, over the same calls, the same door and the same book."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn

from exegesis.errors import Unavailable, UsageError
from exegesis.rpc.address import Address
from exegesis.rpc.around import SECONDS_TO_SAY
from exegesis.rpc.server import GRACE_SECONDS, serving, told_to_end
from exegesis.rpc.tls import Certificates
from services.gateway.access import Door
from services.gateway.book import Book
from services.gateway.calls import MOST_RUNS, MOST_WATCHED, Calls
from services.gateway.connection import SECONDS_TO_ASK, PunctualConnection
from services.gateway.exposure import check_exposure
from services.gateway.http import Hook, House, make_app
from services.gateway.index_metrics import IndexMetrics
from services.gateway.intake import Intake
from services.gateway.metrics import Meter
from services.gateway.remote import admission, host
from services.gateway.tokens import is_live
from services.gateway.webhooks import HOSTS, Host

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from exegesis.ports import Clock
    from exegesis.settings import Secret, Settings
    from services.assembly import Assembly
    from services.gateway.audit import Write

_log: Final = logging.getLogger(__name__)

_KEEP_ALIVE_SECONDS: Final = 15
"""That an idle HTTP connection is kept: longer than a page takes to ask again, shorter than what fills a table of connections."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Where a gateway listens."""

    grpc: Address
    http: Address | None
    """None for none."""
    is_open: bool = False
    """Nobody is asked for a token."""


def run(assembly: Assembly, doors: Doors, *, announce: Callable[[Doors], None]) -> None:
    """Serve until SIGTERM or SIGINT, then drain. ``announce`` hears where, once calls are taken.

    Raises ``UsageError`` for a place where that would be unsafe.
    """
    settings = assembly.settings
    certificates = certificates_of(settings)
    check_doors(assembly, doors, is_encrypted=certificates is not None or settings.tls_elsewhere)

    async def until_told(house: House) -> None:
        told = told_to_end()
        async with opened(house, doors, certificates=certificates, reflection=settings.reflection) as where:
            announce(where)
            await told.wait()

    request = assembly.asked_indexer.request if settings.queue_address else None
    intake = Intake(assembly.catalog, assembly.indexer, request)
    with _audit(settings.audit_log) as write, contextlib.closing(intake):
        asyncio.run(until_told(make_house(assembly, doors, write, intake)))


def check_doors(assembly: Assembly, doors: Doors, *, is_encrypted: bool) -> None:
    now = assembly.clock.now()
    has_tokens = any(is_live(token, now=now) for token in assembly.tokens.all())
    for listen in (doors.grpc, doors.http):
        if listen is not None:
            check_exposure(listen, is_open=doors.is_open, has_tokens=has_tokens, is_encrypted=is_encrypted)
    if not has_tokens and not doors.is_open:
        _log.warning("there is no token yet, so every call will be refused: `exegesis token create`")


def make_house(assembly: Assembly, doors: Doors, write: Write, intake: Intake) -> House:
    meter = Meter()
    if assembly.settings.queue_address:
        meter.add(IndexMetrics(assembly.errands.standing, assembly.queue.depths))
    most_runs = MOST_WATCHED if assembly.settings.queue_address else MOST_RUNS
    calls = Calls(assembly.catalog, assembly.indexer, assembly.graph, assembly.query, on_stage=meter.stage, most_runs=most_runs)
    door = Door(None if doors.is_open else assembly.tokens, assembly.catalog, assembly.clock)
    book = Book(meter, assembly.clock, write)
    return House(calls, door, book, check_ready=lambda: _check_ready(assembly), hooks=hooks_of(assembly.settings, intake, assembly.clock))


def hooks_of(settings: Settings, intake: Intake, clock: Clock) -> Mapping[str, Hook]:
    """For those code hosts of which a secret is known."""
    secrets = {"github": settings.github_webhook_secret, "gitlab": settings.gitlab_webhook_secret}

    def hook(host: Host, secret: Secret) -> Hook:
        def look(headers: Mapping[str, str]) -> None:
            host.look(headers, secret.value, clock.now())

        def take(headers: Mapping[str, str], body: bytes) -> None:
            push = host.read(headers, body, secret.value, clock.now())
            if push is not None:
                intake.take(push)

        return Hook(look, take)

    return {name: hook(host, secrets[name]) for name, host in HOSTS.items() if secrets[name]}


def _check_ready(assembly: Assembly) -> None:
    """Whether the stores that every call needs can be read."""
    assembly.catalog.repositories()
    assembly.tokens.find("")


@asynccontextmanager
async def opened(
    house: House,
    doors: Doors,
    *,
    certificates: Certificates | None = None,
    reflection: bool = False,
    grace: float = GRACE_SECONDS,
    patience: float | None = None,
) -> AsyncIterator[Doors]:
    """Serve as long as the context lasts; gives the addresses, with the ports that were taken for port 0. ``patience``, in seconds, stands in for
    the times that callers may take to say what they want.
    """
    to_say, to_ask = (SECONDS_TO_SAY, SECONDS_TO_ASK) if patience is None else (patience, patience)
    admitted = admission(house.door, house.book)
    hosted = host(house.calls)
    async with (
        serving(
            hosted,
            doors.grpc,
            reflection=reflection,
            admitted=admitted,
            counts=house.book,
            grace=grace,
            certificates=certificates,
            seconds_to_say=to_say,
        ) as grpc_at,
        _serving_http(make_app(house), doors.http, certificates, grace, to_ask) as http_at,
    ):
        yield Doors(grpc_at, http_at, doors.is_open)


class _Quiet(uvicorn.Server):
    """Signals are for the whole process, and so not for this server."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def _serving_http(
    app: Starlette, listen: Address | None, certificates: Certificates | None, grace: float, seconds_to_ask: float
) -> AsyncIterator[Address | None]:
    if listen is None:
        yield None
        return
    taken = _bind(listen)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # the audit log has more of it
        lifespan="off",
        ws="none",
        http=functools.partial(PunctualConnection, seconds=seconds_to_ask),  # type: ignore[arg-type]  # makes one, which is all that is asked of it
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=max(1, round(grace)),
        ssl_certfile=certificates.certificate if certificates else None,
        ssl_keyfile=certificates.key if certificates else None,
        ssl_ca_certs=str(certificates.clients) if certificates and certificates.clients else None,
        ssl_cert_reqs=ssl.CERT_REQUIRED if certificates and certificates.clients else ssl.CERT_NONE,
    )
    server = _Quiet(config)
    running = asyncio.create_task(server.serve(sockets=[taken]))
    try:
        yield listen.with_port(taken.getsockname()[1]) if not listen.is_socket else listen
    finally:
        server.should_exit = True
        await running


def _bind(listen: Address) -> socket.socket:
    """Listens at once, so that whoever is told the address is answered."""
    if listen.is_socket:
        raise UsageError("HTTP is served at a host and a port.", hint="Give --http host:port.")
    name, _, port = listen.target.rpartition(":")
    bare = name.strip("[]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # said aloud, because only then asyncio does not delay small answers
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((bare, int(port)))
        taken.listen()
    except OSError as error:
        taken.close()
        raise Unavailable(
            f"Nothing can listen at {listen}: {error.strerror}.", hint="Is another service there already? Choose another address with --http."
        ) from None
    return taken


def certificates_of(settings: Settings) -> Certificates | None:
    """Raises ``UsageError`` for half of a pair."""
    if bool(settings.tls_certificate) != bool(settings.tls_key):
        raise UsageError("A certificate needs its key, and a key its certificate.", hint="Set EXEGESIS_TLS_CERTIFICATE and EXEGESIS_TLS_KEY.")
    if not settings.tls_certificate:
        return None
    return Certificates(Path(settings.tls_certificate), Path(settings.tls_key), Path(settings.tls_clients) if settings.tls_clients else None)


@contextlib.contextmanager
def _audit(path: str) -> Iterator[Write]:
    """Appends whole lines, each in one go, so that several processes may share a file; only its owner reads it.

    A line that cannot be written is lost, and said to be: a full disk must not keep a team from asking.
    """
    if not path:
        yield lambda line: print(line, file=sys.stderr, flush=True)
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(line: str) -> None:
        try:
            os.write(descriptor, f"{line}\n".encode())
        except OSError as error:
            _log.warning("a line of the audit log is lost: %s", error.strerror)

    try:
        yield write
    finally:
        os.close(descriptor)
