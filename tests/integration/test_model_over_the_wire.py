"""The OpenAI-compatible adapter against a real server that has every oddity that endpoints in use show."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from email.utils import formatdate

import pytest

from exegesis.adapters.openai_model import TRUNCATED, OpenAIModel, Patience
from exegesis.errors import ModelRefused, ModelUnavailable, UsageError
from exegesis.ports import Delta, Message
from tests.fakes.openai_server import (
    FakeEndpoint,
    Script,
    accepts_only,
    completes,
    endpoint,
    event,
    falls_silent,
    never_answers,
    never_ends,
    piece,
    refuses,
    resets,
    says,
    sends,
)

ASKED = (Message("user", "How is a token refreshed?"),)
QUICK = Patience(first_pause=0.01, longest_pause=0.5)
KEY = "sk-proj-Zx81kQw09plMn"


def ask(server: FakeEndpoint, patience: Patience = QUICK) -> list[Delta]:
    return list(OpenAIModel(server.url, "fake-1", KEY, patience=patience).stream(ASKED, max_tokens=100))


def text_of(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas)


HELLO = event(piece("Hel")) + event(piece("lo"))
STOP = event(piece(finish="stop"))

ODD_STREAMS: dict[str, Script] = {
    "carriage returns": sends((HELLO + STOP).replace(b"\n", b"\r\n")),
    "lone carriage returns": sends((HELLO + STOP).replace(b"\n", b"\r")),
    "byte by byte": sends(*(bytes([byte]) for byte in HELLO + STOP)),
    "comments keep the connection alive": sends(b": ping\n\n", HELLO, b": ping\n\n" + STOP),
    "event and id fields": sends(b"event: message\nid: 7\n" + HELLO + STOP),
    "multi-line data": sends(b'data: {"choices": [{"delta":\ndata: {"content": "Hello"}, "finish_reason": "stop"}]}\n\n'),
    "events merged by a lost blank line": sends(HELLO.replace(b"\n\n", b"\n") + STOP),
    "no space after the colon": sends((HELLO + STOP).replace(b"data: ", b"data:")),
    "no DONE": sends(HELLO, STOP),
    "DONE and more behind it": sends(HELLO + STOP + b"data: [DONE]\n\n" + event(piece("garbage"))),
    "no blank line after the last event": sends(HELLO + STOP.rstrip(b"\n")),
    "empty choices first": sends(event({"choices": [], "prompt_filter_results": []}), HELLO, STOP),
    "a choice without delta": sends(event({"choices": [{"index": 0}]}), HELLO, STOP),
    "content null": sends(event({"choices": [{"delta": {"role": "assistant", "content": None}}]}), HELLO, STOP),
    "content as parts": sends(event({"choices": [{"delta": {"content": [{"type": "text", "text": "Hello"}]}}]}), STOP),
    "empty id and model": sends(event(piece("Hello", model="")), STOP),
    "usage only at the end": sends(HELLO + STOP + event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}})),
    "garbage between": sends(HELLO + b"data: {not json\n\n" + STOP),
    "a byte order mark": sends(b"\xef\xbb\xbf" + HELLO + STOP),
    "a whole completion where a stream was asked for": completes("Hello"),
}


@pytest.mark.parametrize("oddity", sorted(ODD_STREAMS))
def test_odd_streams_yield_the_text(oddity: str) -> None:
    """Whatever the framing, the text arrives once and whole, and the stream counts as finished."""
    with endpoint(ODD_STREAMS[oddity]) as server:
        deltas = ask(server)
    assert text_of(deltas) == "Hello"
    assert [delta.finish_reason for delta in deltas if delta.finish_reason] == ["stop"]


def test_usage_is_reported_where_the_endpoint_says_it() -> None:
    """Tokens come from a chunk that has no choices."""
    with endpoint(ODD_STREAMS["usage only at the end"]) as server:
        last = ask(server)[-1]
    assert (last.input_tokens, last.output_tokens) == (7, 2)


def test_a_stream_without_a_finish_reason_counts_as_truncated() -> None:
    """The connection closed in good order, and still the answer may be incomplete."""
    with endpoint(sends(HELLO)) as server:
        assert ask(server)[-1].finish_reason == TRUNCATED


def test_an_error_in_the_stream_keeps_the_text_before_it() -> None:
    """Some endpoints report errors inside a stream whose status was 200."""
    received: list[Delta] = []
    with endpoint(sends(HELLO, event({"error": {"message": "overloaded", "code": 503}}))) as server:
        with pytest.raises(ModelUnavailable, match="overloaded"):
            received.extend(OpenAIModel(server.url, "fake-1").stream(ASKED, max_tokens=9))
        assert len(server.requests) == 1
    assert text_of(received) == "Hello"


def test_a_reset_in_the_middle_is_not_retried() -> None:
    """After the first token a retry would write the answer twice."""
    received: list[Delta] = []
    with endpoint(resets("Hel"), says("again")) as server:
        with pytest.raises(ModelUnavailable):
            received.extend(OpenAIModel(server.url, "fake-1", patience=QUICK).stream(ASKED, max_tokens=9))
        assert len(server.requests) == 1
    assert text_of(received) == "Hel"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_passing_failures_are_retried_before_the_first_token(status: int) -> None:
    """A busy endpoint is asked again."""
    with endpoint(refuses(status), says("Hello")) as server:
        assert text_of(ask(server)) == "Hello"
        assert len(server.requests) == 2


def test_retries_end() -> None:
    """Three retries, then one error that says what happened."""
    with endpoint(refuses(503, "loading model")) as server:
        with pytest.raises(ModelUnavailable, match=r"loading model.*4 attempts"):
            ask(server)
        assert len(server.requests) == 4


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_honoured(form: str) -> None:
    """In both of its forms; a date has whole seconds, so it may also ask for nothing."""
    asked = "0.3" if form == "seconds" else formatdate(time.time() + 1, usegmt=True)
    with endpoint(refuses(429, Retry_After=asked), says("Hello")) as server:
        started = time.monotonic()
        assert text_of(ask(server, Patience(first_pause=0.001, longest_pause=2.0))) == "Hello"
    if form == "seconds":
        assert time.monotonic() - started >= 0.3


def test_a_retry_after_beyond_patience_is_not_waited_for() -> None:
    """An hour's pause means: answer without the model."""
    with endpoint(refuses(429, "quota", Retry_After="3600")) as server:
        started = time.monotonic()
        with pytest.raises(ModelUnavailable, match="quota"):
            ask(server)
    assert time.monotonic() - started < 2.0


def test_a_refusal_is_not_retried() -> None:
    """A wrong model name stays wrong."""
    with endpoint(refuses(404, "model fake-1 not found")) as server:
        with pytest.raises(ModelRefused, match="not found") as caught:
            ask(server)
        assert len(server.requests) == 1
    assert "EXEGESIS_MODEL" in caught.value.hint


def test_the_newer_name_of_the_limit_is_learnt() -> None:
    """Newer models reject ``max_tokens``; what was learnt holds for the next call."""
    with endpoint(refuses(400, "Unsupported parameter: use 'max_completion_tokens' instead"), says("Hello")) as server:
        model = OpenAIModel(server.url, "fake-1", patience=QUICK)
        for _ in range(2):
            assert text_of(list(model.stream(ASKED, max_tokens=77))) == "Hello"
        assert [request.get("max_completion_tokens") for request in server.requests] == [None, 77, 77]


def test_a_stream_that_never_ends_is_cut_at_the_deadline() -> None:
    """Pieces keep coming, so only the total deadline helps; the text so far is kept by the caller."""
    received: list[Delta] = []
    with endpoint(never_ends) as server:
        started = time.monotonic()
        with pytest.raises(ModelUnavailable, match="did not finish"):
            received.extend(OpenAIModel(server.url, "fake-1", deadline=0.5).stream(ASKED, max_tokens=9))
        assert time.monotonic() - started < 1.5
        assert server.hung_up.wait(1.0)
    assert received


@pytest.mark.parametrize("script", [never_answers, falls_silent("one ")], ids=["before the first byte", "in the middle"])
@pytest.mark.parametrize("way", ["event", "close"])
def test_cancellation_closes_the_connection_within_a_second(script: Script, way: str) -> None:
    """Measured at the server, which is silent meanwhile."""
    cancelled = threading.Event()
    with endpoint(script) as server:
        pieces = OpenAIModel(server.url, "fake-1").stream(ASKED, max_tokens=9, cancelled=cancelled)
        reader = threading.Thread(target=lambda: next(pieces, None))
        reader.start()
        assert server.arrived.wait(5.0)
        if script is not never_answers:
            reader.join(5.0)
        if way == "close" and script is never_answers:
            cancelled.set()  # a generator that runs in another thread cannot be closed
        started = time.monotonic()
        if way == "event":
            cancelled.set()
        elif script is not never_answers:
            pieces.close()  # type: ignore[attr-defined]
        assert server.hung_up.wait(1.0), "the connection is still open"
        assert server.closed_at[0] - started < 1.0
        reader.join(5.0)


def test_cancelling_leaves_no_thread_behind() -> None:
    """Thirty cancelled calls, and the process has as many threads as before."""
    with endpoint(falls_silent("one ")) as server:
        model = OpenAIModel(server.url, "fake-1")
        for _ in range(30):
            pieces = model.stream(ASKED, max_tokens=9)
            next(pieces)
            pieces.close()  # type: ignore[attr-defined]
        serving = [thread for thread in threading.enumerate() if thread.name == "language-model"]
        for thread in serving:  # closes its loop when nothing is under way
            thread.join(5)
        assert not any(thread.is_alive() for thread in serving)


@pytest.mark.parametrize(("accepted", "requests"), [("json_schema", 1), ("json_object", 2), ("", 3)])
def test_the_strictest_means_that_the_endpoint_knows_is_found_once(accepted: str, requests: int) -> None:
    """JSON schema, then any JSON object, then words alone; what was rejected is not tried again."""
    with endpoint(accepts_only(accepted, "{}")) as server:
        model = OpenAIModel(server.url, "fake-1", patience=QUICK)
        assert model.complete_json(ASKED, {"type": "object"}, max_tokens=9) == "{}"
        assert model.complete_json(ASKED, {"type": "object"}, max_tokens=9) == "{}"
        assert len(server.requests) == requests + 1


def test_a_wrong_key_is_no_reason_to_ask_for_json_differently() -> None:
    """Only a rejected request shape leads down the ladder."""
    with endpoint(refuses(401, "bad key")) as server:
        with pytest.raises(ModelRefused):
            OpenAIModel(server.url, "fake-1").complete_json(ASKED, {}, max_tokens=9)
        assert len(server.requests) == 1


def test_no_key_in_any_log_or_error(caplog: pytest.LogCaptureFixture) -> None:
    """Endpoints quote keys in their error texts, and libraries log what they send."""
    caplog.set_level(logging.DEBUG)
    for script in (refuses(401, f"Incorrect API key provided: {KEY}. Also sk-pro***9plMn"), refuses(500, f"failed for Bearer {KEY}"), says("Hello")):
        with endpoint(script) as server:
            model = OpenAIModel(server.url, "fake-1", KEY, patience=QUICK)
            shown = ""
            try:
                list(model.stream(ASKED, max_tokens=9))
            except ModelUnavailable as error:
                shown = "".join(traceback.format_exception(error)) + error.hint
            assert KEY not in shown
            assert "9plMn" not in shown
            assert server.headers[0]["authorization"] == f"Bearer {KEY}"
            assert KEY not in repr(model)
    assert KEY not in caplog.text


@pytest.mark.parametrize("url", ["http://user:pw@host/v1", "http://host/v1?api_key=abc", "http://[::1/v1"])
def test_an_address_that_carries_a_secret_is_refused(url: str) -> None:
    """Libraries log addresses, so a key may not stand in one; the error does not repeat it."""
    with pytest.raises(UsageError) as caught:
        OpenAIModel(url, "fake-1")
    assert "abc" not in str(caught.value)
    assert "pw" not in str(caught.value)


def test_redirects_are_not_followed() -> None:
    """A key is sent to the address that was set, and nowhere else."""
    with endpoint(says("stolen")) as other, endpoint(refuses(307, "moved", Location="")) as server:
        with pytest.raises(ModelRefused, match="307"):
            ask(server)
        assert other.requests == []
