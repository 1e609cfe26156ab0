from __future__ import annotations

import logging
from collections.abc import Iterator

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from exegesis import errors
from exegesis.errors import ExegesisError, NotIndexed, Unavailable, UsageError
from exegesis.rpc.failures import BY_REASON, KINDS, Broken, status_of
from tests.fakes.loopback import loopback
from tests.fakes.scripted_service import SERVICE, Scripted, Stub, asker, host, text

SECRET = "sk-proj-Zx81kQw09plMn"


def fail_with(error: Exception) -> Scripted:
    def one(_: str) -> str:
        raise error

    def many(_: str) -> Iterator[str]:
        yield "first"
        raise error

    return Scripted(one, many)


def test_every_error_of_the_tree_is_in_the_table() -> None:
    """Whoever adds one adds it here, or it would arrive as its parent."""
    assert set(KINDS) == {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, ExegesisError)}
    assert len(BY_REASON) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_is_raised_again_as_what_it_was(kind: type[ExegesisError]) -> None:
    """Kind, message and hint arrive, from a single answer and from the middle of a stream."""
    error = kind("It rained.", hint="Take an umbrella \u2614.")
    with loopback(host(fail_with(error))) as address:
        ask = asker(address)
        with pytest.raises(ExegesisError) as single:
            ask.one("One", text(""))
        with pytest.raises(ExegesisError) as streamed:
            list(ask.stream("Many", text("")))
        ask.close()
    for raised in (single.value, streamed.value):
        assert (type(raised), raised.message, raised.hint) == (kind, "It rained.", "Take an umbrella \u2614.")


def test_a_status_says_what_is_wrong_and_when_to_come_back() -> None:
    """As any client reads it: the standard details of a status."""
    status = status_of(Unavailable("The disk is full."), request_id="r1")
    infos = [detail for detail in status.details if detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR)]
    assert len(infos) == 1
    bad = status_of(UsageError("No such kind."))
    assert [detail for detail in bad.details if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR)]
    assert rpc_status.to_status(bad).code is grpc.StatusCode.INVALID_ARGUMENT


def test_an_unknown_failure_says_nothing_but_an_identifier(caplog: pytest.LogCaptureFixture) -> None:
    """Its words may hold somebody's key: neither the caller nor the log sees them, and both see the same identifier."""
    with caplog.at_level(logging.ERROR), loopback(host(fail_with(KeyError(SECRET)))) as address:
        ask = asker(address)
        with pytest.raises(ExegesisError) as raised:
            ask.one("One", text(""))
        ask.close()
    assert type(raised.value) is ExegesisError
    identifier = raised.value.message.partition("(")[2].partition(")")[0]
    assert len(identifier) == 16
    assert identifier in caplog.text
    assert "KeyError" in caplog.text
    assert "test_failures.py" in caplog.text
    assert SECRET not in caplog.text + raised.value.message + raised.value.hint


@pytest.mark.parametrize("letter", ["x", "\u00e9", "\U0001f469", "\ud800", "%", "\n"])
def test_a_long_message_still_arrives(letter: str) -> None:
    """Cut, because trailers are small, and never as a failure of the connection."""
    with loopback(host(fail_with(NotIndexed(letter * 50_000, hint=letter * 50_000)))) as address:
        ask = asker(address)
        with pytest.raises(NotIndexed) as raised:
            ask.one("One", text(""))
        ask.close()
    assert len(raised.value.message) > 100
    assert raised.value.hint


def test_a_status_of_a_later_version_becomes_the_nearest_error() -> None:
    """By its code, where its reason is not known here."""

    async def later(_request: object, context: grpc.aio.ServicerContext) -> None:
        status = status_of(NotIndexed("Half of it is missing.", hint="Wait."))
        info = error_details_pb2.ErrorInfo()
        status.details[0].Unpack(info)
        info.reason = "HALF_INDEXED"
        status.details[0].Pack(info)
        await context.abort_with_status(rpc_status.to_status(status))

    handler = grpc.method_handlers_generic_handler(SERVICE, {"One": grpc.unary_unary_rpc_method_handler(later)})
    hosted = host(Scripted())
    with loopback(type(hosted)(SERVICE, lambda server: server.add_generic_rpc_handlers((handler,)), {})) as address:
        ask = asker(address)
        with pytest.raises(NotIndexed, match="Half of it is missing") as raised:
            ask.one("One", text(""))
        ask.close()
    assert raised.value.hint == "Wait."


def test_a_service_that_is_not_there_is_unavailable() -> None:
    """The message names it, the hint says what to check."""
    with loopback(host(Scripted())) as address:
        pass
    ask = asker(address)
    with pytest.raises(Broken, match=f"scripted service at {address} does not answer") as raised:
        ask.one("One", text(""))
    ask.close()
    assert raised.value.hint


def test_a_method_of_another_version_is_unavailable() -> None:
    """A client that knows more than the service says so, instead of failing in some odd way."""
    hosted = host(Scripted())
    with loopback(type(hosted)(SERVICE, lambda _: None, {})) as address:
        ask = asker(address)
        with pytest.raises(Unavailable, match="does not know this call"):
            ask.one("One", text(""))
        ask.close()


def test_bytes_that_are_no_message_are_refused() -> None:
    """And the service goes on."""
    with loopback(host(Scripted(one=str.upper))) as address, grpc.insecure_channel(address.target) as channel:
        raw = channel.unary_unary(f"/{SERVICE}/One")
        with pytest.raises(grpc.RpcError) as raised:
            raw(b"\xff\xff\xff\xff")
        assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert Stub(channel).One(text("still here")).value == "STILL HERE"
