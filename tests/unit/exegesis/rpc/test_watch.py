"""Many who wait are looked after by one thread, which acts once for each whose event is set or whose time is over."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

import pytest

from exegesis.errors import Unavailable
from exegesis.rpc.watch import GLANCE, Watch


def test_an_event_that_is_set_is_noticed_once() -> None:
    """Within a few looks, and not again while the context lasts."""
    watch, left, heard = Watch(), threading.Event(), []
    acted = threading.Event()
    with watch.over(left, lambda: (heard.append("left"), acted.set())):
        assert not acted.wait(3 * GLANCE)
        left.set()
        assert acted.wait(5)
        time.sleep(3 * GLANCE)
    assert heard == ["left"]


def test_a_time_that_is_over_is_noticed() -> None:
    """Without any event."""
    acted = threading.Event()
    with Watch().over(None, acted.set, late=time.monotonic() + GLANCE):
        assert acted.wait(5)


def test_what_is_not_watched_any_more_does_nothing() -> None:
    """An event that is set after the context was left."""
    watch, left, other, heard = Watch(), threading.Event(), threading.Event(), []
    with watch.over(other, lambda: None):
        with watch.over(left, lambda: heard.append("left")):
            pass
        left.set()
        time.sleep(3 * GLANCE)
    assert heard == []


def test_what_fails_for_one_is_done_for_the_others() -> None:
    """And for those who come later; the failure is in the log."""
    watch, left, acted, later = Watch(), threading.Event(), threading.Event(), threading.Event()
    left.set()
    with watch.over(left, lambda: 1 // 0), watch.over(left, acted.set):
        assert acted.wait(5)
        with watch.over(left, later.set):
            assert later.wait(5)


def test_without_a_thread_whoever_comes_is_told_and_the_next_one_is_watched() -> None:
    """A machine may have no room for another thread at the moment."""
    watch, left, acted = Watch(), threading.Event(), threading.Event()
    left.set()
    before = threading.stack_size(1 << 46)  # more than there are addresses
    try:
        with pytest.raises(Unavailable), watch.over(left, lambda: None):
            pass
    finally:
        threading.stack_size(before)
    with watch.over(left, acted.set):
        assert acted.wait(5)


def test_many_cost_one_thread_which_ends_with_them() -> None:
    """However many wait; and it begins anew for those who come later."""
    watch = Watch()

    def watching() -> set[threading.Thread]:
        return {thread for thread in threading.enumerate() if thread.name == "watch"}

    for _ in range(2):
        before = watching()  # those of others may end meanwhile
        with ExitStack() as many:
            for _ in range(50):
                many.enter_context(watch.over(threading.Event(), lambda: None))
            (looking,) = watching() - before
        looking.join(5)
        assert not looking.is_alive()
