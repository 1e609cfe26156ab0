"""Those who hold connections, calls and seats without using them keep nobody else out, whichever door they stand in."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest

from exegesis.rpc.server import MOST_CALLS
from exegesis.settings import Settings
from exegesis.v1 import gateway_pb2
from services.assembly import Assembly
from services.gateway.connection import MOST_CONNECTIONS
from services.gateway.seats import MOST_OF_ONE
from services.gateway.tokens import Grants
from services.query.local import AT_ONCE
from tests.fakes.gateway import Served, gateway, token
from tests.integration.test_gateway import Endless


@pytest.fixture
def assembly(tmp_path: Path) -> Iterator[Assembly]:
    made = Assembly(Settings(home=str(tmp_path), embedder="none"))
    yield made
    made.close()


def connect(served: Served) -> socket.socket:
    host, _, port = served.http.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def _is_closed(connection: socket.socket) -> bool:
    """After a line more."""
    try:
        connection.sendall(b"x-more: 1\r\n")
    except OSError:
        return True
    return False


def test_calls_that_never_say_anything_hold_no_place(assembly: Assembly) -> None:
    """As many as a server takes, begun without a token and without their message."""
    admin, over = token(assembly, Grants(admin=True)), threading.Event()

    def nothing() -> Iterator[bytes]:
        over.wait(20)
        yield from ()

    with gateway(assembly) as served, grpc.insecure_channel(served.grpc) as channel:
        calls = [channel.stream_stream("/exegesis.v1.Gateway/Explain")(nothing()) for _ in range(MOST_CALLS + 5)]
        assert {call.code() for call in calls} <= {
            grpc.StatusCode.UNAUTHENTICATED,
            grpc.StatusCode.RESOURCE_EXHAUSTED,
        }  # each has been told, and is over
        served.stub(admin).ListRepositories(gateway_pb2.ListRepositoriesRequest(), timeout=10)
        over.set()


def test_a_call_of_somebody_known_must_say_something_too(assembly: Assembly) -> None:
    """Whoever may ask, and does not, is told that the time is over."""
    admin, over = token(assembly, Grants(admin=True)), threading.Event()

    def nothing() -> Iterator[bytes]:
        over.wait(20)
        yield from ()

    with gateway(assembly, patience=0.2) as served, served.channel(admin) as channel:
        call = channel.stream_stream("/exegesis.v1.Gateway/Explain")(nothing())
        assert call.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        over.set()


def test_a_call_that_ends_before_it_says_anything_is_refused(assembly: Assembly) -> None:
    """A message is wanted; none is no empty one."""
    admin = token(assembly, Grants(admin=True))
    with gateway(assembly) as served, served.channel(admin) as channel:
        call = channel.stream_stream("/exegesis.v1.Gateway/Search")(iter(()))
        assert call.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert "before it said anything" in call.details()


def test_connections_that_say_nothing_keep_nobody_out(assembly: Assembly) -> None:
    """More of them than are held at one time; the one that was there first makes room."""
    with gateway(assembly) as served, ExitStack() as held:
        silent = [held.enter_context(connect(served)) for _ in range(MOST_CONNECTIONS + 2)]
        with served.client() as client:
            assert client.get("/healthz").status_code == 200
        assert silent[0].recv(1) == b""


def test_a_connection_that_never_ends_its_head_is_closed(assembly: Assembly) -> None:
    """Whatever trickles in, on a new connection as on one that was answered before."""
    with gateway(assembly, patience=0.3) as served, connect(served) as new, connect(served) as used:
        used.sendall(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        assert used.recv(1000).startswith(b"HTTP/1.1 200")
        for each in (new, used):
            each.settimeout(0.05)
            each.sendall(b"GET /healthz HTTP/1.1\r\n")
        for each in (new, used):
            wait_until(lambda connection=each: _is_closed(connection))


def test_a_body_that_does_not_come_gives_its_seat_back(assembly: Assembly) -> None:
    """The answer says that the time is over."""
    admin = token(assembly, Grants(admin=True))
    with gateway(assembly, patience=0.2) as served, connect(served) as slow:
        head = f"POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {admin}\r\ncontent-type: application/json\r\n"
        slow.sendall(f"{head}content-length: 100\r\n\r\n{{".encode())
        assert slow.recv(1000).startswith(b"HTTP/1.1 504")


def test_one_token_does_not_fill_the_house(assembly: Assembly, tmp_path: Path) -> None:
    """Streams that nobody reads, as many as it may have; the next is refused, and somebody else is answered, over either door."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.md").write_text("# Tokens\n\nA token is renewed.\n")
    with gateway(assembly, query=Endless()) as served:
        greedy, other = token(assembly, Grants(admin=True)), token(assembly, Grants(admin=True))
        list(served.stub(other).IndexRepository(gateway_pb2.IndexRepositoryRequest(project=str(project))))
        asked = gateway_pb2.Asked(text="How is a token renewed?")
        streams = [served.stub(greedy).Explain(asked) for _ in range(2)]
        stub = served.stub(greedy)
        streams += [stub.Explain(asked) for _ in range(MOST_OF_ONE - 2)]
        for stream in streams:
            assert next(stream).stage_started.name == "retrieval"
        with pytest.raises(grpc.RpcError) as refused:
            next(stub.Explain(asked))
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        with served.client(greedy) as client:
            assert client.post("/v1/repositories/list", json={}).status_code == 429
        with served.client(other) as client:
            assert client.post("/v1/repositories/list", json={}).status_code == 200
        for stream in streams:
            stream.cancel()


def test_streams_that_leave_by_the_hundred_leave_nothing_behind(assembly: Assembly, tmp_path: Path) -> None:
    """Before their turn, in it and after it; whoever asks next is answered, and no turn and no seat is missing."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "Ledger.swift").write_text("/// Moves money.\nfinal class Ledger {\n    func transfer(_ amount: Int) { record(amount) }\n}\n")
    admin, chance = token(assembly, Grants(admin=True)), random.Random(1)
    with gateway(assembly) as served:
        stub = served.stub(admin)
        list(stub.IndexRepository(gateway_pb2.IndexRepositoryRequest(project=str(project))))
        asked = gateway_pb2.Asked(text="How does a transfer work?")
        for _ in range(2):
            streams = [stub.Explain(asked) for _ in range(MOST_OF_ONE - 10)]
            chance.shuffle(streams)
            for stream in streams:
                for _, _ in zip(range(chance.randrange(3)), stream, strict=False):
                    pass
                stream.cancel()
        assert [message.WhichOneof("event") for message in stub.Explain(asked, timeout=20)][-1] == "finished"
        turns = assembly.query._turns  # type: ignore[attr-defined]  # nobody else can tell
        wait_until(lambda: turns._free == AT_ONCE and not any(turns._waiting.values()))
        entries = served.entries()
    assert {entry["status"] for entry in entries if entry["call"] == "Explain"} <= {"OK", "CANCELLED"}
