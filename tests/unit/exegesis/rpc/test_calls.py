"""Calls between two ends on loopback: time, identifiers, cancellation, sizes, repetition."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from exegesis.errors import Cancelled, NotFound, Unavailable, UsageError, WireError
from exegesis.rpc.address import read_address
from exegesis.rpc.ask import compose
from exegesis.rpc.deadline import LEAST, MARGIN, ending_in, seconds_left
from exegesis.rpc.failures import Broken
from exegesis.rpc.identity import current_request, is_sane, request
from exegesis.rpc.pages import MESSAGE_BYTES
from exegesis.v1 import graph_pb2
from tests.fakes.loopback import loopback
from tests.fakes.scripted_service import SECONDS, Scripted, asker, host, text

# ---- time

WAITS = 9.0
"""Seconds, so that a busy machine may take seconds for the way there."""
TICK = 0.01
"""Seconds: gRPC sends what is left rounded up, from one second on to hundredths and from ten on to tenths, which is as much as is kept back."""


def test_a_call_knows_how_long_it_may_take() -> None:
    """No longer than its caller waits, no longer than the service's own cap, and a little less."""
    told = Scripted(one=lambda _: str(seconds_left()))
    with loopback(host(told, {**SECONDS, "One": 30.0})) as address:
        for waits, most in ((WAITS, WAITS - MARGIN + TICK), (60.0, 30.0)):
            with closing(asker(address, {"One": waits})) as ask:
                left = float(ask.one("One", text("")).value)
            assert most - 8 < left <= most


def test_what_a_call_asks_of_others_ends_before_it() -> None:
    """The second service hears of the time that the first one's caller allows."""
    seconds = {**SECONDS, "One": 100.0}
    with loopback(host(Scripted(one=lambda _: str(seconds_left())), seconds)) as second, closing(asker(second, seconds)) as further:
        first = Scripted(one=lambda _: further.one("One", text("")).value)
        with loopback(host(first, seconds)) as address, closing(asker(address, {"One": WAITS})) as ask:
            left = float(ask.one("One", text("")).value)
    assert WAITS - 8 < left <= WAITS - 3 * MARGIN + 2 * TICK


def test_a_caller_waits_no_longer_than_it_said() -> None:
    """A service that hangs is unavailable when the time is over."""
    leave = threading.Event()
    with loopback(host(Scripted(one=lambda _: str(leave.wait(5))))) as address, closing(asker(address, {"One": 0.3})) as ask:
        started = time.monotonic()
        with pytest.raises(Unavailable, match=r"longer than it may|too long"):
            ask.one("One", text(""))
        waited = time.monotonic() - started
        leave.set()
    assert waited < 1.0


def test_a_service_keeps_to_its_own_cap() -> None:
    """However long the caller would wait."""
    leave = threading.Event()
    with loopback(host(Scripted(one=lambda _: str(leave.wait(5))), {**SECONDS, "One": 0.3})) as address, closing(asker(address)) as ask:
        started = time.monotonic()
        with pytest.raises(Unavailable, match="longer than it may"):
            ask.one("One", text(""))
        assert time.monotonic() - started < 1.0
        leave.set()


def test_nothing_is_begun_when_no_time_is_left() -> None:
    """Neither by who asks nor by who is asked."""
    begun: list[str] = []
    with loopback(host(Scripted(one=lambda written: (begun.append(written), written)[1]))) as address:
        with closing(asker(address)) as ask, ending_in(MARGIN), pytest.raises(Unavailable, match="used up"):
            ask.one("One", text("a"))
        with closing(asker(address, {"One": MARGIN + LEAST / 2})) as ask, pytest.raises(Unavailable):
            ask.one("One", text("b"))
    assert begun == []


# ---- identifiers


def test_a_request_keeps_its_identifier_from_service_to_service() -> None:
    """The one that it was given, or one of its own."""
    with loopback(host(Scripted(one=lambda _: current_request()))) as second, closing(asker(second)) as further:
        first = Scripted(one=lambda _: current_request() + " " + further.one("One", text("")).value)
        with loopback(host(first)) as address, closing(asker(address)) as ask:
            with request("r-42"):
                assert ask.one("One", text("")).value == "r-42 r-42"
            here, there = ask.one("One", text("")).value.split()
    assert here == there
    assert is_sane(here)


def test_an_identifier_that_is_none_is_replaced() -> None:
    """What may stand in a log is not up to the caller."""
    with loopback(host(Scripted(one=lambda _: current_request()))) as address, closing(asker(address)) as ask, request("x" * 65):
        assert is_sane(ask.one("One", text("")).value)


# ---- streams and cancellation


class Endless:
    """A stream without end that notes how far it came and when it was closed."""

    def __init__(self, *, size: int = 1, pause: float = 0.0) -> None:
        self._text = "x" * size
        self._pause = pause
        self.made = 0
        self.closed = threading.Event()

    def __call__(self, _: str) -> Iterator[str]:
        try:
            while True:
                self.made += 1
                yield self._text
                time.sleep(self._pause)
        finally:
            self.closed.set()


def test_leaving_a_stream_ends_it_on_the_other_side() -> None:
    """Within a second, in the thread that produces it."""
    endless = Endless(pause=0.01)
    with loopback(host(Scripted(many=endless))) as address, closing(asker(address)) as ask:
        messages = ask.stream("Many", text(""))
        assert next(messages).value == "x"
        messages.close()
        assert endless.closed.wait(1.0)


def test_an_event_cancels_a_stream_that_is_silent() -> None:
    """Whoever waits for the next message is told at once."""
    leave, cancelled = threading.Event(), threading.Event()

    def silent(_: str) -> Iterator[str]:
        yield "first"
        leave.wait(5)

    with loopback(host(Scripted(many=silent))) as address, closing(asker(address)) as ask:
        messages = ask.stream("Many", text(""), cancelled=cancelled)
        next(messages)
        threading.Timer(0.1, cancelled.set).start()
        started = time.monotonic()
        with pytest.raises(Cancelled):
            next(messages)
        assert time.monotonic() - started < 1.0
        leave.set()


def test_an_event_cancels_a_call_that_hangs() -> None:
    """Whoever waits for its answer goes on at once; where the event stays unset the answer comes."""
    leave, cancelled = threading.Event(), threading.Event()
    with loopback(host(Scripted(one=lambda written: written or str(leave.wait(5))))) as address, closing(asker(address)) as ask:
        assert ask.one("One", text("here"), cancelled=threading.Event()).value == "here"
        threading.Timer(0.1, cancelled.set).start()
        started = time.monotonic()
        with pytest.raises(Cancelled):
            ask.one("One", text(""), cancelled=cancelled)
        waited = time.monotonic() - started
        leave.set()
    assert waited < 1.0


def test_a_reader_that_is_slow_holds_the_writer_back() -> None:
    """What is not read is not made: the network and a few messages aside."""
    endless = Endless(size=100_000)
    with loopback(host(Scripted(many=endless))) as address, closing(asker(address)) as ask:
        messages = ask.stream("Many", text(""))
        next(messages)
        time.sleep(0.3)
        assert endless.made < 200
        messages.close()
        assert endless.closed.wait(1.0)


def test_an_error_after_some_messages_leaves_them_valid() -> None:
    """They come first, and then the error."""

    def fails(_: str) -> Iterator[str]:
        yield from "ab"
        raise NotFound("No c.")

    got: list[str] = []
    with loopback(host(Scripted(many=fails))) as address, closing(asker(address)) as ask, pytest.raises(NotFound, match="No c"):  # noqa: PT012
        for message in ask.stream("Many", text("")):
            got.append(message.value)  # noqa: PERF401 - what came before the error counts
    assert got == ["a", "b"]


def test_many_streams_at_once_do_not_wait_for_each_other() -> None:
    """Each has a thread of its own."""
    together = threading.Barrier(20, timeout=5)

    def meets(_: str) -> Iterator[str]:
        together.wait()
        yield "met"

    with loopback(host(Scripted(many=meets))) as address, closing(asker(address)) as ask:
        found: list[str] = []
        threads = [threading.Thread(target=lambda: found.extend(m.value for m in ask.stream("Many", text("")))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
    assert found == ["met"] * 20


# ---- sizes


def test_a_message_that_is_too_large_is_said_to_be() -> None:
    """In either direction, and before it is sent."""
    doubles = Scripted(one=lambda written: written * 2, many=lambda written: iter([written * 2]))
    with loopback(host(doubles)) as address, closing(asker(address)) as ask:
        with pytest.raises(UsageError, match=r"request is 5\.0 MiB"):
            ask.one("One", text("x" * (5 << 20)))
        fits = text("x" * (MESSAGE_BYTES // 2 - 100))
        assert len(ask.one("One", fits).value) == 2 * len(fits.value)
        for answer in (lambda: ask.one("One", text("x" * (3 << 20))), lambda: list(ask.stream("Many", text("x" * (3 << 20))))):
            with pytest.raises(UsageError, match=r"answer is 6\.0 MiB"):
                answer()


def test_what_does_not_fit_into_a_message_is_a_wire_error() -> None:
    """Text that is none, numbers that are out of range."""
    for fields in ({"pattern": "\ud800"}, {"pattern": 7}, {"no_such_field": 1}):
        with pytest.raises(WireError):
            compose(graph_pb2.FindRequest, **fields)


# ---- repetition


@pytest.mark.parametrize(("method", "calls"), [("Twice", 3), ("One", 1)])
def test_only_what_may_be_repeated_is(method: str, calls: int) -> None:
    """A reading call that nobody answers is tried again; others are not."""
    times: list[str] = []

    def recovers(written: str) -> str:
        times.append(written)
        if len(times) < 3:
            raise Unavailable("Starting.")
        return "up"

    with loopback(host(Scripted(one=recovers))) as address, closing(asker(address)) as ask:
        if calls == 3:
            assert ask.one(method, text("")).value == "up"
        else:
            with pytest.raises(Unavailable, match="Starting"):
                ask.one(method, text(""))
    assert len(times) == calls


def test_a_new_connection_does_not_wait_for_what_an_old_one_waits_for() -> None:
    """A service that was away is reached at once by who connects now, however long those wait by now who have tried in vain."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with closing(asker(read_address(f"127.0.0.1:{port}", source="test"))) as early:
        with pytest.raises(Broken):
            early.one("One", text(""))
        time.sleep(1.2)  # it tries again after longer and longer pauses meanwhile
        with loopback(host(Scripted(one=lambda _: "up")), listen=f"127.0.0.1:{port}") as address, closing(asker(address)) as late:
            assert late.one("One", text("")).value == "up"
