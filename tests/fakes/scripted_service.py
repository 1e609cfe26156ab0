"""A service that does what a test says: one call with one answer, one with a stream, over the same servers and channels as the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import grpc
from google.protobuf.wrappers_pb2 import StringValue

from exegesis.rpc.address import Address
from exegesis.rpc.ask import Asker
from exegesis.rpc.serve import stream, unary
from exegesis.rpc.server import Hosted

SERVICE: Final = "exegesis.test.ScriptedService"
SECONDS: Final = {"One": 5.0, "Twice": 5.0, "Many": 5.0}
"""``Twice`` is ``One`` as a call that may be repeated."""


class Scripted:
    """A servicer. ``one`` answers a text with a text, ``many`` with several."""

    def __init__(self, one: Callable[[str], str] = str, many: Callable[[str], Iterator[str]] = iter) -> None:
        self._one = one
        self._many = many

    @unary
    def one(self, request: StringValue) -> StringValue:
        return StringValue(value=self._one(request.value))

    @stream
    def many(self, request: StringValue) -> Iterator[StringValue]:
        for text in self._many(request.value):
            yield StringValue(value=text)


def host(servicer: Scripted, seconds: Mapping[str, float] = SECONDS) -> Hosted:
    codec: dict[str, Any] = {"request_deserializer": StringValue.FromString, "response_serializer": StringValue.SerializeToString}
    handlers = {
        "One": grpc.unary_unary_rpc_method_handler(servicer.one, **codec),
        "Twice": grpc.unary_unary_rpc_method_handler(servicer.one, **codec),
        "Many": grpc.unary_stream_rpc_method_handler(servicer.many, **codec),
    }
    generic = grpc.method_handlers_generic_handler(SERVICE, handlers)
    return Hosted(SERVICE, lambda server: server.add_generic_rpc_handlers((generic,)), seconds)


class Stub:
    def __init__(self, channel: grpc.Channel) -> None:
        codec: dict[str, Any] = {"request_serializer": StringValue.SerializeToString, "response_deserializer": StringValue.FromString}
        self.One = channel.unary_unary(f"/{SERVICE}/One", **codec)
        self.Twice = channel.unary_unary(f"/{SERVICE}/Twice", **codec)
        self.Many = channel.unary_stream(f"/{SERVICE}/Many", **codec)


def asker(address: Address, seconds: Mapping[str, float] = SECONDS) -> Asker:
    return Asker(address, service=SERVICE, stub=Stub, seconds=seconds, retried=["Twice"])


def text(value: str) -> StringValue:
    return StringValue(value=value)
