"""Whatever a caller sends to a service, it gets a status that says what is wrong, and the next caller an answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from exegesis.settings import Settings
from exegesis.v1 import graph_pb2, query_pb2
from services.assembly import Assembly
from tests.fakes.loopback import loopback

if TYPE_CHECKING:
    from google.protobuf.descriptor import MethodDescriptor
    from google.protobuf.message import Message

METHODS = [
    *graph_pb2.DESCRIPTOR.services_by_name["GraphService"].methods,
    *query_pb2.DESCRIPTOR.services_by_name["QueryService"].methods,
]

EXPLAINED = {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED}


@pytest.fixture(scope="module")
def channels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, grpc.Channel]]:
    """A channel to each service, by its name in the contract."""
    assembly = Assembly(Settings(home=str(tmp_path_factory.mktemp("home")), embedder="none"))
    with loopback(assembly.host("graph")) as graph, loopback(assembly.host("query")) as query:
        found = {"exegesis.v1.GraphService": grpc.insecure_channel(graph.target), "exegesis.v1.QueryService": grpc.insecure_channel(query.target)}
        yield found
        for channel in found.values():
            channel.close()
    assembly.close()


def call(channels: dict[str, grpc.Channel], method: MethodDescriptor, *requests: bytes) -> grpc.StatusCode:
    """How a call with these bytes ends."""
    service = method.containing_service.full_name
    made = channels[service].stream_stream(f"/{service}/{method.name}")(iter(requests), timeout=10)
    try:
        list(made)
    except grpc.RpcError as failure:
        return failure.code()
    return grpc.StatusCode.OK


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_call_that_says_nothing_is_told_what_is_missing(channels: dict[str, grpc.Channel], method: MethodDescriptor) -> None:
    """An empty message, and no message at all where messages stream; never an unknown failure. There is nothing to abort, and that is no error."""
    assert call(channels, method, b"") in EXPLAINED | ({grpc.StatusCode.OK} if method.name == "Abort" else set())
    if method.input_type.name in {"WriteRequest", "FinishRequest"}:
        assert call(channels, method) in EXPLAINED


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_bytes_that_are_no_message_are_refused(channels: dict[str, grpc.Channel], method: MethodDescriptor) -> None:
    """Forty kinds of rubbish, the same in every run."""
    chance = random.Random(method.name)
    for _ in range(40):
        code = call(channels, method, chance.randbytes(chance.randint(1, 60)))
        assert code in EXPLAINED | {grpc.StatusCode.OK}


@pytest.mark.parametrize("name", ["../../../etc", "..", "/etc", "a/b", "", "x" * 300, "-rf", "a\0b", "caf\u00e9"])
def test_identifiers_that_leave_the_folder_are_refused(channels: dict[str, grpc.Channel], name: str, tmp_path: Path) -> None:
    """In a repository or in a generation, for reading, building and deleting."""
    for pin in (graph_pb2.Pin(repository=name, generation="g1"), graph_pb2.Pin(repository="r1", generation=name)):
        for method in graph_pb2.DESCRIPTOR.services_by_name["GraphService"].methods:
            request: Message | None = None
            if method.input_type.name == "Pin":
                request = pin
            elif "pin" in method.input_type.fields_by_name:
                request = getattr(graph_pb2, method.input_type.name)(pin=pin)
            if request is not None and method.name != "Abort":
                assert call(channels, method, request.SerializeToString()) in EXPLAINED
