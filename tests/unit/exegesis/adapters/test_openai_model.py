"""What a request costs while its answer is written. What every language model promises is in the contract suite."""

from __future__ import annotations

import time
import tracemalloc
from contextlib import ExitStack, closing
from threading import enumerate as all_threads

from exegesis.adapters import openai_model
from exegesis.adapters.openai_model import OpenAIModel, Patience
from exegesis.ports import Message
from tests.fakes.openai_server import Exchange, completes, endpoint, falls_silent, says


def test_a_prompt_is_let_go_when_the_answer_begins() -> None:
    """Neither its text nor its bytes are held while the rest is waited for."""
    length = 300_000
    with endpoint(says("one "), falls_silent("one ")) as server:
        model = OpenAIModel(server.url, "fake-1")
        list(model.stream((Message("user", "question"),), max_tokens=100))  # what is read and imported once is not meant
        tracemalloc.start(8)
        try:
            pieces = model.stream((Message("user", "Ж" * length),), max_tokens=100)
            with closing(pieces):  # type: ignore[type-var]  # a generator
                assert next(pieces).text == "one "
                ours = [tracemalloc.Filter(inclusive=True, filename_pattern=openai_model.__file__, all_frames=True)]
                held = sum(found.size for found in tracemalloc.take_snapshot().filter_traces(ours).statistics("filename"))
        finally:
            tracemalloc.stop()
    assert len(server.requests[1]["messages"][0]["content"]) == length
    assert held < length


def test_many_streams_are_received_in_one_thread() -> None:
    """However many answers are written at one time."""
    with endpoint(falls_silent("one ")) as server, ExitStack() as streams:
        model = OpenAIModel(server.url, "fake-1")
        before = {thread for thread in all_threads() if thread.name == "language-model"}
        for _ in range(10):
            pieces = model.stream((Message("user", "question"),), max_tokens=100)
            streams.enter_context(closing(pieces))  # type: ignore[type-var]  # a generator
            assert next(pieces).text == "one "
        assert len({thread for thread in all_threads() if thread.name == "language-model"} - before) == 1


def test_text_that_no_encoding_holds_is_sent_all_the_same() -> None:
    """Half a pair of surrogates becomes a question mark; the question is not refused for it."""
    with endpoint(falls_silent("one ")) as server:
        pieces = OpenAIModel(server.url, "fake-1").stream((Message("user", "a\ud800b"),), max_tokens=7)
        with closing(pieces):  # type: ignore[type-var]  # a generator
            assert next(pieces).text == "one "
    assert server.requests[0]["messages"][0]["content"] == "a?b"
    assert server.requests[0]["max_tokens"] == 7


def test_a_whole_answer_may_take_until_the_deadline() -> None:
    """It comes in one piece when it is written, so silence before it says nothing: a small machine writes for a minute."""

    def completes_late(exchange: Exchange) -> None:
        time.sleep(0.4)
        completes('{"words": []}')(exchange)

    with endpoint(completes_late) as server:
        model = OpenAIModel(server.url, "fake-1", patience=Patience(read=0.1, deadline=10.0, retries=0))
        assert model.complete_json((Message("user", "question"),), {"type": "object"}, max_tokens=100) == '{"words": []}'


def test_who_allows_an_answer_more_time_allows_more_silence() -> None:
    """A model on processors reads the evidence for minutes before it writes; with the usual time nothing changes."""
    assert Patience.within(600.0).read == 300.0
    assert Patience.within(120.0) == Patience()
    assert Patience.within(10.0).deadline == 10.0
