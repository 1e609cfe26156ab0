from __future__ import annotations

import contextlib
import threading
import time
import weakref

import pytest

from exegesis.adapters.openai_model import OpenAIModel, Patience
from exegesis.errors import ModelUnavailable
from exegesis.ports import Message
from exegesis.rpc.deadline import ending_in
from exegesis.rpc.hurry import KEPT, HurriedModel
from tests.fakes.openai_server import completes, endpoint, falls_silent, says
from tests.fakes.scripted_model import ScriptedModel

ASKED = (Message("user", "How?"),)


def test_the_model_stops_before_the_call_ends() -> None:
    """In time for the rest of the answer; the connection is closed, and what was written stays."""
    written = []
    with endpoint(falls_silent("It begins")) as server, ending_in(KEPT + 1.5):
        started = time.monotonic()
        with pytest.raises(ModelUnavailable, match="ran out"):  # noqa: PT012
            for delta in HurriedModel(OpenAIModel(server.url, "fake-1")).stream(ASKED, max_tokens=9):
                written.append(delta.text)  # noqa: PERF401 - what came before the error counts
        assert time.monotonic() - started < KEPT + 1.5
        assert server.hung_up.wait(1.0)
    assert "".join(written) == "It begins"


def test_a_caller_who_stops_is_heard() -> None:
    """That is no lack of time, so it ends without an error."""
    cancelled = threading.Event()
    with endpoint(falls_silent("It begins")) as server, ending_in(30):
        deltas = HurriedModel(OpenAIModel(server.url, "fake-1")).stream(ASKED, max_tokens=9, cancelled=cancelled)
        next(deltas)
        cancelled.set()
        list(deltas)
        assert server.hung_up.wait(1.0)


def test_nothing_changes_where_there_is_time() -> None:
    """Nor where no call is under way."""
    with endpoint(says("All of it.")) as server:
        model = HurriedModel(OpenAIModel(server.url, "fake-1"))
        free = [delta.text for delta in model.stream(ASKED, max_tokens=9)]
        with ending_in(30):
            assert [delta.text for delta in model.stream(ASKED, max_tokens=9)] == free
    assert "".join(free) == "All of it."
    assert model.name == "fake-1"


class Prompt(list[Message]):
    """Messages that tell when they are let go."""


def test_a_prompt_is_let_go_when_the_answer_begins() -> None:
    """With or without a time by which the answer must end: a hundred streams that wait held a hundred prompts."""
    for left in (None, 30):
        with endpoint(falls_silent("It begins")) as server, contextlib.nullcontext() if left is None else ending_in(left):
            gone = threading.Event()
            prompt = Prompt(ASKED)
            weakref.finalize(prompt, gone.set)
            deltas = HurriedModel(OpenAIModel(server.url, "fake-1")).stream(prompt, max_tokens=9)
            del prompt
            next(deltas)
            assert gone.is_set()
            deltas.close()  # type: ignore[attr-defined]  # a generator


def test_a_model_is_not_asked_when_it_could_not_finish() -> None:
    """Neither for prose nor for JSON."""
    model = ScriptedModel("text")
    hurried = HurriedModel(model)
    with ending_in(KEPT / 2):
        with pytest.raises(ModelUnavailable):
            list(hurried.stream(ASKED, max_tokens=9))
        with pytest.raises(ModelUnavailable):
            hurried.complete_json(ASKED, {}, max_tokens=9)
    assert model.asked == []


def test_json_is_passed_through() -> None:
    """With the schema and the limit."""
    with endpoint(completes("{}")) as server, ending_in(30):
        assert HurriedModel(OpenAIModel(server.url, "fake-1", patience=Patience(retries=0))).complete_json(ASKED, {}, max_tokens=9) == "{}"
