"""A process that serves, from the outside: health, reflection, order of what stands around a call, and leaving."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from exegesis.errors import ExegesisError, NotFound, Unavailable
from exegesis.rpc.around import Call, Counts, decorators
from exegesis.rpc.failures import Broken
from tests.fakes.loopback import loopback
from tests.fakes.scripted_service import SERVICE, Scripted, Stub, asker, host, text

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def test_a_service_tells_its_health() -> None:
    """As a whole and by name; of others it knows nothing."""
    with loopback(host(Scripted())) as address, grpc.insecure_channel(address.target) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", SERVICE):
            assert health.Check(health_pb2.HealthCheckRequest(service=name)).status == SERVING
        with pytest.raises(grpc.RpcError) as raised:
            health.Check(health_pb2.HealthCheckRequest(service="exegesis.v1.Other"))
        assert raised.value.code() is grpc.StatusCode.NOT_FOUND


def test_what_is_under_way_ends_before_the_service_leaves() -> None:
    """Health says so first; the call that runs is answered; a new one is not."""
    begun, leave = threading.Event(), threading.Event()

    def slow(written: str) -> str:
        begun.set()
        leave.wait(5)
        return written

    answers: list[str] = []
    seen: list[int] = []
    started = time.monotonic()
    with loopback(host(Scripted(one=slow)), grace=5.0) as address:
        channel = grpc.insecure_channel(address.target)
        watching = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=SERVICE))
        assert next(watching).status == SERVING
        ask = asker(address)
        threads = [
            threading.Thread(target=lambda: answers.append(ask.one("One", text("done")).value)),
            threading.Thread(target=lambda: (seen.append(next(watching).status), leave.set())),
        ]
        for thread in threads:
            thread.start()
        assert begun.wait(5)
    for thread in threads:
        thread.join(5)
    assert answers == ["done"]
    assert seen == [NOT_SERVING]
    assert time.monotonic() - started < 3.0, "who watches the health holds nobody up"
    with pytest.raises(Broken):
        ask.one("One", text("late"))
    ask.close()
    channel.close()


def test_a_stream_without_end_is_cut_when_patience_ends() -> None:
    """The producer is stopped as if its reader had left."""
    closed = threading.Event()

    def endless(_: str) -> Iterator[str]:
        try:
            while True:
                yield "x"
                time.sleep(0.01)
        finally:
            closed.set()

    with loopback(host(Scripted(many=endless)), grace=0.2) as address:
        ask = asker(address)
        messages = ask.stream("Many", text(""))
        next(messages)
        started = time.monotonic()
    assert time.monotonic() - started < 2.0
    assert closed.wait(10)  # by the thread that produces it, when it comes to it
    with pytest.raises(Unavailable):
        list(messages)
    ask.close()


def test_reflection_is_there_when_it_is_asked_for() -> None:
    """Who may learn what a service offers is a setting."""
    with loopback(host(Scripted()), reflection=True) as address, grpc.insecure_channel(address.target) as channel:
        assert SERVICE in ProtoReflectionDescriptorDatabase(channel).get_services()
    with loopback(host(Scripted())) as address, grpc.insecure_channel(address.target) as channel:
        with pytest.raises(grpc.RpcError) as raised:
            ProtoReflectionDescriptorDatabase(channel).get_services()
        assert raised.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("listen", ["127.0.0.1:0", "unix:s"])
def test_a_place_that_is_taken_is_an_error(listen: str, tmp_path: Path) -> None:
    """Not a second server beside the first, nor in its place."""
    with (
        loopback(host(Scripted()), listen=listen.replace(":s", f":{tmp_path}/s")) as address,
        pytest.raises(Unavailable, match="Nothing can listen"),
        loopback(host(Scripted()), listen=address.target),
    ):
        pass


def test_a_socket_is_its_owner_s_alone(tmp_path: Path) -> None:
    """Nobody else on the machine reaches it."""
    made = tmp_path / "s"
    with loopback(host(Scripted(one=str.upper)), listen=f"unix:{made}") as address, closing(asker(address)) as ask:
        assert ask.one("One", text("a")).value == "A"
        assert made.stat().st_mode & 0o077 == 0


def test_a_socket_that_a_killed_process_left_is_taken_over(tmp_path: Path) -> None:
    """Nobody answers there any more."""
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "s"))
    with loopback(host(Scripted(one=str.upper)), listen=f"unix:{tmp_path}/s") as address, closing(asker(address)) as ask:
        assert ask.one("One", text("a")).value == "A"


def test_who_is_not_admitted_reaches_nothing() -> None:
    """Neither single calls nor streams, and nothing of the service runs."""
    ran: list[str] = []

    @asynccontextmanager
    async def nobody(call: Call) -> AsyncIterator[None]:
        if call.metadata.get("authorization") != "Bearer let-me-in":
            await call.context.abort(grpc.StatusCode.UNAUTHENTICATED, "Who are you?")
        yield

    servicer = Scripted(one=lambda written: (ran.append(written), written)[1], many=lambda written: iter([(ran.append(written), written)[1]]))
    with loopback(host(servicer), admitted=nobody) as address, grpc.insecure_channel(address.target) as channel:
        stub = Stub(channel)
        for ask in (lambda: stub.One(text("a")), lambda: list(stub.Many(text("a")))):
            with pytest.raises(grpc.RpcError) as raised:
                ask()
            assert raised.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert ran == []
        assert stub.One(text("a"), metadata=(("authorization", "Bearer let-me-in"),)).value == "a"


def test_calls_are_counted_by_how_they_ended() -> None:
    """Single ones and streams, good ends and bad ones."""
    counts = Counts()

    def one(written: str) -> str:
        if written == "missing":
            raise NotFound("It is not there.")
        if written == "broken":
            raise KeyError(written)
        return written

    hosted = host(Scripted(one=one))
    with loopback(hosted, counts=counts) as address, closing(asker(address)) as ask:
        for written in ("a", "b", "missing", "broken"):
            with suppress(ExegesisError):
                ask.one("One", text(written))
        list(ask.stream("Many", text("xy")))
    assert dict(counts.ended) == {("One", "OK"): 2, ("One", "NOT_FOUND"): 1, ("One", "INTERNAL"): 1, ("Many", "OK"): 1}


def test_what_stands_around_a_call_stands_in_order() -> None:
    """Admission after the identifier, so that a refusal has one; before the errors of the service, which it never sees."""
    order = [decorator.name for decorator in decorators({}, Counts(), admitted=_admitted)]
    assert order == ["traced", "identified", "_admitted", "mapped", "limited", "counted", "prompt"]


@asynccontextmanager
async def _admitted(_: Call) -> AsyncIterator[None]:
    yield
