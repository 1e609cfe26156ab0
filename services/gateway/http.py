"""The gateway over HTTP: the calls of the contract as JSON, streams as server-sent events, beside them what operators ask.

    POST /v1/...          a call (:mod:`services.gateway.operations`); `accept: text/event-stream` streams where the call does
    GET  /healthz         the process lives
    GET  /readyz          it can do its work
    GET  /openapi.json    this list, for programs
    GET  /metrics         for Prometheus, with a token that may
    POST /webhooks/HOST   a code host tells of a push; not there without a secret for that host

A client that leaves cancels its call, as over gRPC.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from logging import getLogger
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from exegesis.errors import Cancelled, ExegesisError, Forbidden, Unavailable, UsageError
from exegesis.rpc import tracing
from exegesis.rpc.address import host_in, is_loopback
from exegesis.rpc.around import where
from exegesis.rpc.deadline import ending_in
from exegesis.rpc.failures import new_id, retry_seconds
from exegesis.rpc.identity import REQUEST_ID, current_request, is_sane, request
from services.gateway.access import Door, Reach, Visit, visiting
from services.gateway.book import HTTP, Book, status_name
from services.gateway.calls import Calls
from services.gateway.json_form import from_json, to_json
from services.gateway.openapi import describe
from services.gateway.operations import OPERATIONS, SERVICE, Operation
from services.gateway.remote import answer_in_pieces, answer_once
from services.gateway.tokens import Grants

if TYPE_CHECKING:
    from google.protobuf.message import Message

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Scope = MutableMapping[str, Any]

_log: Final = getLogger(__name__)

BODY_BYTES: Final = 1 << 20
"""Of a request: a question has at most 20,000 characters."""

DELIVERY_BYTES: Final = 5 << 20
"""Of what a code host sends: a push of many commits lists all of them."""

BODY_SECONDS: Final = 30.0
"""In which a body has arrived: 5 MiB over a line of 1.5 Mbit a second."""

MOST_DELIVERIES: Final = 20
"""Of one code host that are read at one time: who signed them is known when they are read whole, and so much may fill 100 MiB."""

MOST_DELIVERIES_OF_ONE: Final = 10
"""From one address: half of them, so that no stranger alone keeps a code host out, and a code host behind one proxy has enough."""

HEARTBEAT_SECONDS: Final = 10.0
"""Between two signs of life on a stream: proxies commonly close what is silent for 30 to 60 seconds."""

CODES: Final[Mapping[str, int]] = {
    "INVALID_ARGUMENT": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "FAILED_PRECONDITION": 409,
    "ABORTED": 409,
    "RESOURCE_EXHAUSTED": 429,
    "CANCELLED": 499,
    "INTERNAL": 500,
    "DATA_LOSS": 500,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}
"""gRPC status to HTTP code, as the conventions of both have it."""


@dataclass(frozen=True, slots=True)
class Hook:
    """What becomes of the deliveries of one code host."""

    look: Callable[[Mapping[str, str]], None]
    """Takes the headers before the body has arrived. Raises ``Unauthenticated`` for those with which no body can be signed."""
    take: Callable[[Mapping[str, str], bytes], None]
    """Takes headers and body, blocking. Raises ``Unauthenticated`` for a delivery that is not signed."""


@dataclass(frozen=True, slots=True)
class House:
    """What the routes share."""

    calls: Calls
    door: Door
    book: Book
    check_ready: Callable[[], None]
    """Blocking; raises where the work of the gateway cannot be done."""
    hooks: Mapping[str, Hook] = field(default_factory=dict)
    """By code host; those that are not here are not listened to."""
    body_seconds: float = BODY_SECONDS


def make_app(house: House) -> Starlette:
    document = json.dumps(describe(OPERATIONS)).encode("utf-8")

    async def openapi(_request: Request) -> Response:
        return Response(document, media_type="application/json")

    async def healthz(_request: Request) -> Response:
        return Response(b'{"status":"SERVING"}', media_type="application/json")

    async def readyz(_request: Request) -> Response:
        try:
            await asyncio.to_thread(house.check_ready)
        except Exception as error:  # noqa: BLE001 - whatever it is, the answer is no; the log says why
            _log.warning("not ready: %s", error.message if isinstance(error, ExegesisError) else where(error))
            return Response(b'{"status":"NOT_SERVING"}', 503, media_type="application/json")
        return Response(b'{"status":"SERVING"}', media_type="application/json")

    calls = [Route(operation.route, _Endpoint(operation, house), methods=["POST"]) for operation in OPERATIONS]
    operators = [Route("/openapi.json", openapi), Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", _Metrics(house))]
    hooks = [Route(f"/webhooks/{name}", _Webhook(name, hook, house), methods=["POST"]) for name, hook in house.hooks.items()]
    return Starlette(routes=[*calls, *operators, *hooks])


class _Gone(Cancelled):
    """The client has left."""


class _Call:
    """One request on its way to a call: named, traced, let in, timed, and answered whatever happens."""

    def __init__(self, house: House, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        self.incoming = Request(scope, receive)
        self.began = False
        self._house = house
        self._name = name
        self._scope = scope
        self._receive = receive
        self._send = send

    async def run(self, work: Callable[[Visit], Awaitable[None]], admit: Callable[[], Awaitable[Visit]] | None = None) -> None:
        """``admit`` in place of the door, for those who show something else than a token."""
        headers = self.incoming.headers
        given = headers.get(REQUEST_ID, "")
        with request(given if is_sane(given) else new_id()), tracing.answering(f"/{SERVICE}/{self._name}", dict(headers)):
            try:
                async with self._admitted(admit) as visit:
                    await work(visit)
            except _Gone:
                pass  # nobody is there to be told
            except ExegesisError as error:
                await self._refuse(error)
            except TimeoutError:
                await self._refuse(Unavailable("The call took longer than it may.", hint="Try again, or ask for less."), "DEADLINE_EXCEEDED")
            except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets a status
                _log.error("%s failed (%s): %s", self._name, current_request(), where(error))
                await self._refuse(ExegesisError(f"Something went wrong inside ({current_request()})."))

    @asynccontextmanager
    async def _admitted(self, admit: Callable[[], Awaitable[Visit]] | None) -> AsyncIterator[Visit]:
        house, shown = self._house, self.incoming.headers.get("authorization", "")
        peer = ":".join(str(part) for part in self._scope.get("client") or ())
        try:
            if admit is None:
                self._check_host()
            visit = await (admit() if admit else asyncio.to_thread(house.door.admit, shown))
        except ExegesisError as error:
            house.book.turn_away(self._name, HTTP, peer, claimed=house.door.claimed(shown), error=error)
            raise
        with visiting(visit):
            async with house.book.entered(self._name, HTTP, peer):
                yield visit

    def _check_host(self) -> None:
        """A door that asks nobody who they are is for this machine; a web page that gave its own name our address is not."""
        if self._house.door.is_open and not is_loopback(host_in(self.incoming.headers.get("host", ""))):
            raise Forbidden("This gateway answers under the names of this machine only.", hint="Ask 127.0.0.1.")

    async def read_json(self) -> bytes:
        if not self.incoming.headers.get("content-type", "").startswith("application/json"):  # browsers ask before they send that elsewhere
            raise UsageError("The body must be `application/json`.", hint="Send the header `content-type: application/json`.")
        return await self.read(BODY_BYTES)

    async def read(self, most: int) -> bytes:
        """Raises ``TimeoutError`` for one that does not come in time, and ``UsageError`` for one that is larger, or says that it will be."""
        too_large = UsageError(f"The body has more than {most >> 20} MiB.", hint="Ask it in fewer words.")
        announced = self.incoming.headers.get("content-length", "")
        if announced.isascii() and announced.isdigit() and int(announced) > most:
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self._house.body_seconds):
                async for piece in self.incoming.stream():
                    body += piece
                    if len(body) > most:
                        raise too_large
        except ClientDisconnect:
            raise _Gone("The client left while it was asking.") from None
        return bytes(body)

    @asynccontextmanager
    async def while_there(self) -> AsyncIterator[None]:
        """Cancels what is inside when the client has gone, and then raises ``_Gone``."""
        me = asyncio.current_task()
        assert me is not None
        gone = False

        async def watch() -> None:
            nonlocal gone
            while (await self._receive())["type"] != "http.disconnect":
                pass
            gone = True
            me.cancel()

        watching = asyncio.create_task(watch())
        try:
            yield
        except asyncio.CancelledError:
            if gone and me.uncancel() == 0:
                raise _Gone("The client left.") from None
            raise
        finally:
            watching.cancel()

    async def answer(self, body: bytes, *, code: int = 200, media_type: str = "application/json", headers: Mapping[str, str] | None = None) -> None:
        response = Response(body, code, media_type=media_type, headers={REQUEST_ID: current_request(), **(headers or {})})
        self.began = True
        await response(self._scope, self._receive, self._send)

    async def begin_stream(self) -> None:
        headers = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store", REQUEST_ID: current_request()}
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        self.began = True
        await self._send({"type": "http.response.start", "status": 200, "headers": raw})

    async def send_piece(self, piece: bytes, *, more: bool = True) -> None:
        await self._send({"type": "http.response.body", "body": piece, "more_body": more})

    async def _refuse(self, error: ExegesisError, status: str = "") -> None:
        status = status or status_name(error)
        fields = {"status": status, "message": error.message, "hint": error.hint, "request_id": current_request()}
        document = json.dumps({"error": {name: value for name, value in fields.items() if value}}, ensure_ascii=False).encode("utf-8", "replace")
        if self.began:  # a stream: its last event says how it ended
            await self.send_piece(b"event: error\ndata: " + document + b"\n\n", more=False)
            return
        headers = {"www-authenticate": "Bearer"} if status == "UNAUTHENTICATED" else {}
        if (pause := retry_seconds(error)) is not None:
            headers["retry-after"] = str(max(1, round(pause + 0.5)))
        await self.answer(document, code=CODES.get(status, 500), headers=headers)


class _Endpoint:
    """One call of the contract, as an ASGI application."""

    def __init__(self, operation: Operation, house: House) -> None:
        self._operation = operation
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        operation = self._operation
        call = _Call(self._house, operation.name, scope, receive, send)

        async def work(_visit: Visit) -> None:
            asked = from_json(await call.read_json(), operation.request)
            async with call.while_there(), asyncio.timeout(operation.seconds):
                with ending_in(operation.seconds):
                    await self._answer(call, asked)

        await call.run(work)

    async def _answer(self, call: _Call, asked: Message) -> None:
        operation, calls = self._operation, self._house.calls
        if not operation.streams:
            await call.answer(to_json(await answer_once(calls, operation.name, asked)))
            return
        async with aclosing(answer_in_pieces(calls, operation.name, asked)) as messages:
            if "text/event-stream" in call.incoming.headers.get("accept", ""):
                await _stream(call, messages)
                return
            whole: Any = [message async for message in messages][-1]
            for name in operation.whole:
                whole = getattr(whole, name)
            await call.answer(to_json(whole))


async def _stream(call: _Call, messages: AsyncIterator[Any]) -> None:
    """Events as they come. The first is waited for before the answer begins, so that a question that is refused has its own status."""
    async for first in messages:
        await call.begin_stream()
        await call.send_piece(_event(first, 1))
        break
    beating = asyncio.create_task(_beat(call))
    try:
        number = 1
        async for message in messages:
            number += 1
            await call.send_piece(_event(message, number))
    finally:
        beating.cancel()
    if call.began:
        await call.send_piece(b"", more=False)


def _event(message: Any, number: int) -> bytes:
    return f"id: {number}\nevent: {message.WhichOneof('event')}\ndata: ".encode() + to_json(message) + b"\n\n"


async def _beat(call: _Call) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT_SECONDS)
        await call.send_piece(b": still here\n\n")


class _Metrics:
    def __init__(self, house: House) -> None:
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = _Call(self._house, "Metrics", scope, receive, send)

        async def work(visit: Visit) -> None:
            grants = visit.reach.grants
            if not (grants.metrics or grants.admin):
                raise Forbidden("This token may not read metrics.")
            body, media_type = await asyncio.to_thread(self._house.book.meter.page)  # some of it is read from servers
            await call.answer(body, media_type=media_type)

        await call.run(work)


class _Webhook:
    """What a code host calls. Whoever signs rightly is told the same whether the repository is known or not."""

    def __init__(self, name: str, hook: Hook, house: House) -> None:
        self._name = name
        self._hook = hook
        self._house = house
        self._under_way: Counter[str] = Counter()
        """By who sends them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = _Call(self._house, "Webhook", scope, receive, send)
        headers = dict(call.incoming.headers)

        async def admit() -> Visit:
            self._hook.look(headers)
            with self._place(_sender(scope)):
                body = await call.read(DELIVERY_BYTES)
                await asyncio.to_thread(self._hook.take, headers, body)
            return Visit(Reach((), Grants()), name=self._name)

        async def work(_visit: Visit) -> None:
            await call.answer(b"{}", code=202)

        await call.run(work, admit)

    @contextmanager
    def _place(self, sender: str) -> Iterator[None]:
        """Raises ``Unavailable`` where all are taken, or too many by the same sender."""
        if self._under_way.total() >= MOST_DELIVERIES or self._under_way[sender] >= MOST_DELIVERIES_OF_ONE:
            raise Unavailable(f"{self._under_way.total()} deliveries are being read.", hint="Deliver it again in a moment.")
        self._under_way[sender] += 1
        try:
            yield
        finally:
            self._under_way[sender] -= 1
            self._under_way += Counter()  # forgets those who have left


def _sender(scope: Scope) -> str:
    """The address, or the network of an address of IPv6: whoever has one of these has 2^64 of them."""
    host = str((scope.get("client") or ("",))[0])
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 and address.ipv4_mapped is None else host
