"""A few are served at one time, the others in order; what is composed goes first, and what is told is not forgotten."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from exegesis.errors import Cancelled, Unavailable
from exegesis.rpc.deadline import ending_in
from services.query.turns import AT_LEAST_EVERY, Turns, Work


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


class Queue:
    """People who come one after another while one turn is held, and the order in which they are served."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.served: list[str] = []
        self.threads: list[threading.Thread] = []

    def comes(self, name: str, work: Work) -> None:
        waiting = sum(map(len, self.turns._waiting.values()))
        thread = threading.Thread(target=self._serve, args=(name, work))
        thread.start()
        self.threads.append(thread)
        wait_until(lambda: sum(map(len, self.turns._waiting.values())) > waiting or name in self.served)  # who has waited may be served at once

    def _serve(self, name: str, work: Work) -> None:
        with self.turns.take(work):
            self.served.append(name)

    def ends(self) -> list[str]:
        for thread in self.threads:
            thread.join(10)
        return self.served


def test_no_more_than_allowed_at_one_time() -> None:
    """However many come."""
    turns, inside, most = Turns(2), 0, 0
    guard = threading.Lock()

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with turns.take(Work.COMPOSING):
                with guard:
                    inside += 1
                    most = max(most, inside)
                time.sleep(0.001)
                with guard:
                    inside -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == 2


def test_who_came_first_is_served_first() -> None:
    """Within one kind of work."""
    queue = Queue(Turns(1))
    with queue.turns.take(Work.COMPOSING):
        for name in "abcd":
            queue.comes(name, Work.COMPOSING)
    assert queue.ends() == list("abcd")


def test_composing_goes_before_telling_which_is_not_forgotten() -> None:
    """Of so many turns one is for telling, whoever else waits."""
    queue = Queue(Turns(1))
    with queue.turns.take(Work.COMPOSING):
        queue.comes("told", Work.TELLING)
        for number in range(AT_LEAST_EVERY + 2):
            queue.comes(f"composed {number}", Work.COMPOSING)
    served = queue.ends()
    assert served.index("told") == AT_LEAST_EVERY - 1
    assert [name for name in served if name != "told"] == [f"composed {number}" for number in range(AT_LEAST_EVERY + 2)]


def test_who_leaves_or_has_no_time_takes_no_turn() -> None:
    """The next in the queue is served as if they had never come."""
    turns, left = Turns(1), threading.Event()
    with turns.take(Work.COMPOSING):
        left.set()
        with pytest.raises(Cancelled), turns.take(Work.COMPOSING, left):
            pytest.fail("served though nobody waits")
        with ending_in(0.1), pytest.raises(Unavailable, match="in time"), turns.take(Work.TELLING):
            pytest.fail("served though it is too late")
    with turns.take(Work.COMPOSING):
        pass


def test_a_turn_is_given_back_after_a_failure() -> None:
    """What went wrong in it costs nobody else a turn."""
    turns = Turns(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), turns.take(Work.COMPOSING):
            _ = 1 / 0
    with turns.take(Work.TELLING):
        pass


def test_a_turn_that_lasts_for_long_holds_up_nobody() -> None:
    """The next begins beside it; the one after that does not, while there is no more room aside."""
    turns = Turns(1, aside=1, long=0.05)
    queue = Queue(turns)
    with turns.take(Work.COMPOSING):
        queue.comes("second", Work.COMPOSING)
        queue.ends()
        with turns.take(Work.COMPOSING), ending_in(0.5), pytest.raises(Unavailable), turns.take(Work.COMPOSING):
            pytest.fail("a third at one time")
    assert queue.served == ["second"]
    for _ in range(3):
        with turns.take(Work.TELLING), ending_in(0.05), pytest.raises(Unavailable), turns.take(Work.TELLING):
            pytest.fail("a place too many was given back")
