"""One loop and one thread, however much is waited for."""

from __future__ import annotations

import asyncio
import queue
import threading

from exegesis.adapters.shared_loop import SharedLoop

NAME = "loop-of-a-test"


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == NAME}


async def _never() -> None:
    await asyncio.Event().wait()


async def _three() -> int:
    await asyncio.sleep(0)
    return 3


async def _fails() -> None:
    raise ValueError("why")


def test_work_tells_what_it_came_to() -> None:
    """Its result, or what it raised."""
    loop, outcomes = SharedLoop(NAME), queue.SimpleQueue[object]()
    loop.begin(_three(), outcomes.put)
    assert outcomes.get(timeout=5) == 3
    loop.begin(_fails(), outcomes.put)
    assert isinstance(outcomes.get(timeout=5), ValueError)


def test_much_work_costs_one_thread_which_ends_with_it() -> None:
    """And later work begins another."""
    loop = SharedLoop(NAME)
    for _ in range(2):
        before = threads()  # those of others may end meanwhile
        errands = [loop.begin(_never(), lambda _: None) for _ in range(50)]
        (serving,) = threads() - before
        for errand in errands:
            loop.stop(errand)
        assert all(errand.ended.wait(5) for errand in errands)
        serving.join(5)
        assert not serving.is_alive()


def test_work_is_taken_back_by_itself() -> None:
    """By its event or by stopping it: what runs beside it goes on."""
    loop, outcomes, leaving = SharedLoop(NAME), queue.SimpleQueue[object](), threading.Event()
    stays = loop.begin(_never(), outcomes.put)
    left = loop.begin(_never(), outcomes.put, cancelled=leaving)
    stopped = loop.begin(_never(), outcomes.put)
    leaving.set()
    loop.stop(stopped)
    assert left.ended.wait(5)
    assert stopped.ended.wait(5)
    assert [outcomes.get(timeout=5), outcomes.get(timeout=5)] == [None, None]
    assert not stays.ended.is_set()
    loop.stop(stays)
    assert stays.ended.wait(5)
    assert outcomes.get(timeout=5) is None
    loop.stop(stays)  # has ended: nothing happens
    assert outcomes.empty()


def test_an_event_that_was_set_before_takes_work_back() -> None:
    """Nobody waits for it any more."""
    loop, leaving = SharedLoop(NAME), threading.Event()
    leaving.set()
    assert loop.begin(_never(), lambda _: None, cancelled=leaving).ended.wait(5)
