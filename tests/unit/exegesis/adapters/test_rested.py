from __future__ import annotations

import pytest

from exegesis.adapters.rested import REST_SECONDS, Rest
from exegesis.errors import ChunksUnavailable, EmbedderMismatch, EmbedderUnavailable, NotIndexed


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


class Server:
    """Answers, or raises what it is told to."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self.asked = 0

    def __call__(self) -> str:
        self.asked += 1
        if self.failure:
            raise self.failure
        return "answer"


def test_a_server_that_is_away_is_asked_once_in_a_while() -> None:
    """The others hear what the first one heard; afterwards it is tried again, and trusted again when it answers."""
    clock, server = Hand(), Server()
    rest = Rest(ChunksUnavailable, clock)
    assert rest.ask(server) == "answer"
    server.failure = ChunksUnavailable("gone fishing")
    for _ in range(5):
        with pytest.raises(ChunksUnavailable, match="gone fishing"):
            rest.ask(server)
    assert server.asked == 2
    clock.time += REST_SECONDS
    server.failure = None
    assert [rest.ask(server), rest.ask(server)] == ["answer", "answer"]
    assert server.asked == 4


@pytest.mark.parametrize("failure", [NotIndexed("not here"), EmbedderMismatch("another model")])
def test_a_server_that_answers_is_not_away(failure: Exception) -> None:
    """Whatever it says."""
    server = Server()
    server.failure = failure
    rest = Rest(EmbedderUnavailable, Hand())
    for _ in range(3):
        with pytest.raises(type(failure)):
            rest.ask(server)
    assert server.asked == 3
