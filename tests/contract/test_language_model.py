"""What every ``ports.LanguageModel`` promises. A further implementation is one more entry of ``MODELS``."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from exegesis.adapters.openai_model import OpenAIModel, Patience
from exegesis.errors import ModelUnavailable, UsageError
from exegesis.ports import LanguageModel, Message
from tests.fakes.openai_server import Script, completes, endpoint, falls_silent, says

ASKED = (Message("system", "rules"), Message("user", "question"))

MakeModel = Callable[[Script], AbstractContextManager[LanguageModel]]


@contextmanager
def openai_model(script: Script) -> Iterator[LanguageModel]:
    with endpoint(script) as server:
        yield OpenAIModel(server.url, "fake-1", patience=Patience(first_pause=0.01))


MODELS: dict[str, MakeModel] = {"openai": openai_model}


@pytest.fixture(params=sorted(MODELS))
def make(request: pytest.FixtureRequest) -> MakeModel:
    return MODELS[request.param]


def test_pieces_join_to_the_whole_answer(make: MakeModel) -> None:
    """Text arrives complete and in order, and the last piece says why the model stopped."""
    with make(says("The token is refreshed once. Ünïcode too.")) as model:
        deltas = list(model.stream(ASKED, max_tokens=100))
    assert "".join(delta.text for delta in deltas) == "The token is refreshed once. Ünïcode too."
    assert deltas[-1].finish_reason == "stop"


def test_setting_the_event_ends_the_stream_quietly(make: MakeModel) -> None:
    """Cancelling is no error: the iterator ends within a second although the model is silent."""
    cancelled = threading.Event()
    with make(falls_silent("one ")) as model:
        pieces = model.stream(ASKED, max_tokens=100, cancelled=cancelled)
        assert next(pieces).text == "one "
        cancelled.set()
        started = time.monotonic()
        assert list(pieces) == []
    assert time.monotonic() - started < 1.0


def test_a_cancelled_call_yields_nothing(make: MakeModel) -> None:
    """An event that is set beforehand means that nobody waits for the answer."""
    cancelled = threading.Event()
    cancelled.set()
    with make(falls_silent()) as model:
        assert list(model.stream(ASKED, max_tokens=100, cancelled=cancelled)) == []


def test_json_is_returned_as_text(make: MakeModel) -> None:
    """The caller validates; the model only carries."""
    with make(completes('{"nodes": []}')) as model:
        assert model.complete_json(ASKED, {"type": "object"}, max_tokens=100) == '{"nodes": []}'


def test_an_endpoint_that_is_not_there_is_unavailable() -> None:
    """Nobody listens on the port: one error of the tree, after a few attempts."""
    with endpoint(says("x")) as server:
        url = server.url
    model = OpenAIModel(url, "fake-1", patience=Patience(first_pause=0.01))
    with pytest.raises(ModelUnavailable):
        list(model.stream(ASKED, max_tokens=100))


@pytest.mark.parametrize("url", ["http://", "http://127.0.0.1:99999999/v1", "http://[::bad/v1", "http://user:secret@127.0.0.1/v1"])
def test_what_is_no_address_is_a_usage_error(url: str) -> None:
    """It is told when the model is made, not as a fault of a connection, and no secret of it is repeated."""
    with pytest.raises(UsageError) as refused:
        OpenAIModel(url, "fake-1")
    assert "secret" not in f"{refused.value}{refused.value.hint}"
