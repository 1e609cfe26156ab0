"""Evidence travels in pages; what somebody waits for travels at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exegesis.errors import NothingRelevant
from exegesis.model import ContextItem, Event, Evidence, Place, Span, StageFinished, StageReport, StageStarted, TextDelta
from exegesis.rpc.pages import PAGE_BYTES
from exegesis.wire import event_from_message
from services.query.remote import in_pages

FINISHED = StageFinished(StageReport("retrieval", 1.0, 2, 3))


def evidence(number: int, text: str = "let a = 1") -> Evidence:
    return Evidence(ContextItem(f"E{number}", "r", "A.swift", (Span(1, 1),), text, "A", "type", 1.0, Place.ANCHOR, "", 1, number))


def test_pages_hold_the_events_in_their_order() -> None:
    """All of them, evidence together with what follows it."""
    events: list[Event] = [StageStarted("retrieval"), *map(evidence, range(30)), StageStarted("generation"), TextDelta("a"), evidence(31)]
    pages = [[event_from_message(event) for event in page.events] for page in in_pages(iter(events))]
    assert [event for page in pages for event in page] == events
    assert [len(page) for page in pages] == [1, 31, 1, 1]


def test_a_page_is_sent_before_it_grows_large() -> None:
    """Evidence of a context that is larger than a page."""
    long = [evidence(number, "x" * (PAGE_BYTES // 3)) for number in range(9)]
    assert [len(page.events) for page in in_pages(iter(long))] == [3, 3, 3]


def test_the_end_of_a_stage_waits_for_the_next_stage() -> None:
    """One follows the other at once, and a page more would say it no sooner."""
    events: list[Event] = [StageStarted("retrieval"), FINISHED, StageStarted("ranking"), FINISHED, evidence(1), StageStarted("generation"), FINISHED]
    pages = [[event_from_message(event) for event in page.events] for page in in_pages(iter(events))]
    assert [event for page in pages for event in page] == events
    assert [len(page) for page in pages] == [1, 2, 3, 1]


def test_what_waits_is_sent_before_an_error() -> None:
    """A question that is refused has had its retrieval, and whoever watches hears of it."""

    def refused() -> Iterator[Event]:
        yield FINISHED
        raise NothingRelevant("Nothing bears on it.")

    pages = in_pages(refused())
    assert event_from_message(next(pages).events[0]) == FINISHED
    with pytest.raises(NothingRelevant):
        next(pages)


def test_what_comes_slowly_is_not_held_back() -> None:
    """A piece of text is there before the next is asked for."""
    taken = []

    def slowly() -> Iterator[Event]:
        for text in ("a", "b"):
            taken.append(text)
            yield TextDelta(text)

    pages = in_pages(slowly())
    assert next(pages).events[0].text_delta.text == "a"
    assert taken == ["a"]
