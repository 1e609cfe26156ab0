from __future__ import annotations

import logging
import time

import pytest

from exegesis.errors import Unavailable
from exegesis.rpc.deadline import ending_in, seconds_for
from services.query.hurry import AWAY, CUT, Hurry


def slow() -> str:
    time.sleep(seconds_for(60))
    raise Unavailable("The graph service took too long to answer.")


def away() -> str:
    raise Unavailable("The graph service does not answer.")


@pytest.mark.parametrize(("question", "lack"), [(slow, CUT), (away, AWAY)])
def test_what_is_slow_and_what_is_away_are_told_apart(question: object, lack: str, caplog: pytest.LogCaptureFixture) -> None:
    """Either costs the callers and not the answer, is asked once, and is in the log as it was said."""
    hurry = Hurry()
    with ending_in(1.0), caplog.at_level(logging.WARNING):
        assert hurry.ask(question, "nothing") == "nothing"  # type: ignore[arg-type]  # takes nothing, gives a text
        assert hurry.ask(lambda: "asked again", "nothing") == "nothing"
    assert hurry.lack == lack
    assert [record.getMessage().partition(": ")[2] for record in caplog.records] == [
        "The graph service took too long to answer." if lack == CUT else "The graph service does not answer."
    ]


def test_where_nobody_waits_the_error_is_told() -> None:
    """And what answers is passed on."""
    with pytest.raises(Unavailable):
        Hurry().ask(away, "nothing")
    with ending_in(1.0):
        assert Hurry().ask(lambda: "asked", "nothing") == "asked"
