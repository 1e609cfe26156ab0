"""Several query services as one: the least busy is asked, those who are away are passed over, and nothing is begun twice."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from exegesis.errors import Unavailable
from exegesis.model import Event, Question, StageStarted, TextDelta
from exegesis.rpc.failures import Broken
from exegesis.v1 import model_pb2
from exegesis.wire import event_to_message
from services.query.api import Composition, OutlineAnswer, SearchAnswer
from services.query.spread import SpreadQuery


@dataclass
class Desk:
    """A query service elsewhere that says its name, and may be away from the beginning or leave in the middle."""

    name: str
    is_away: bool = False
    leaves: bool = False
    is_slow: bool = False
    asked: list[str] = field(default_factory=list)

    def relay(self, question: Question, *, cancelled: threading.Event | None = None) -> Generator[model_pb2.Event, None, None]:
        self._heard(question.text)
        yield event_to_message(TextDelta(self.name))
        if self.leaves:
            raise Broken("The service has gone.")

    def explain(self, question: Question, *, cancelled: threading.Event | None = None) -> Iterator[Event]:
        self._heard(question.text)
        yield StageStarted(self.name)

    def search(self, question: Question) -> SearchAnswer:
        self._heard(question.text)
        return SearchAnswer((), (), (self.name,))

    def compose(self, question: Question) -> Composition:
        raise NotImplementedError

    def outline(self, question: Question, *, cancelled: threading.Event | None = None) -> OutlineAnswer:
        raise NotImplementedError

    def evidence(self, repository: str, generation: str, path: str, start: int, end: int) -> Sequence[str]:
        self._heard(path)
        return (self.name,)

    def close(self) -> None:
        self.asked.append("closed")

    def _heard(self, what: str) -> None:
        self.asked.append(what)
        if self.is_away:
            raise Broken("The service does not answer.")
        if self.is_slow:
            raise Unavailable("The service took too long to answer.")


def asking(text: str, repository: str = "r") -> Question:
    return Question(text, (repository,))


def said(events: Iterator[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, TextDelta)]


def test_whoever_has_less_to_do_is_asked() -> None:
    """While one answer is under way the next question goes elsewhere."""
    spread = SpreadQuery([Desk("a"), Desk("b"), Desk("c")])
    under_way = [spread.explain(asking("first")) for _ in range(3)]
    firsts = [next(each) for each in under_way]
    assert {event.text for event in firsts if isinstance(event, TextDelta)} == {"a", "b", "c"}
    for each in under_way:
        assert not list(each)


def test_a_repository_has_a_home_where_nobody_is_busy() -> None:
    """So that what was read of it is found again; and different ones have different homes."""
    spread = SpreadQuery([Desk("a"), Desk("b")])
    homes = {repository: {spread.search(asking("q", repository)).warnings for _ in range(3)} for repository in map(str, range(20))}
    assert all(len(seen) == 1 for seen in homes.values())
    assert len({home for seen in homes.values() for home in seen}) == 2


def test_who_is_away_is_passed_over_and_asked_last_for_a_while() -> None:
    """The question is answered, and the next one does not go there first."""
    away, here = Desk("away", is_away=True), Desk("here")
    spread = SpreadQuery([away, here])
    for number in range(10):
        assert said(spread.explain(asking("q", str(number)))) == ["here"]
        assert spread.evidence(str(number), "g", "p", 1, 1) == ("here",)
    assert len(away.asked) == 1


def test_where_all_are_away_it_says_so() -> None:
    """After each was asked once."""
    desks = [Desk("a", is_away=True), Desk("b", is_away=True)]
    with pytest.raises(Unavailable):
        SpreadQuery(desks).search(asking("q"))
    assert [desk.asked for desk in desks] == [["q"], ["q"]]


def test_an_answer_that_has_begun_is_not_begun_again() -> None:
    """Its reader would read two beginnings."""
    desks = [Desk("a", leaves=True), Desk("b", leaves=True)]
    events = SpreadQuery(desks).explain(asking("q"))
    next(events)
    with pytest.raises(Unavailable):
        next(events)
    assert sum(len(desk.asked) for desk in desks) == 1


def test_closing_closes_all() -> None:
    """Each has a connection."""
    desks = [Desk("a"), Desk("b")]
    SpreadQuery(desks).close()
    assert [desk.asked for desk in desks] == [["closed"], ["closed"]]


def test_a_question_that_takes_too_long_is_not_asked_of_all() -> None:
    """It would take as long everywhere."""
    desks = [Desk(name, is_slow=True) for name in "ab"]
    spread = SpreadQuery(desks)
    with pytest.raises(Unavailable):
        spread.search(asking("heavy"))
    assert sorted((desk.asked for desk in desks), key=len) == [[], ["heavy"]]


def test_after_a_question_that_took_too_long_the_next_one_goes_elsewhere() -> None:
    """A process that hangs would keep every question of its repositories for as long as they may take, and say no to each."""
    hung, here = Desk("hung", is_slow=True), Desk("here")
    spread = SpreadQuery([hung, here])
    for number in range(10):
        with contextlib.suppress(Unavailable):
            spread.search(asking("q", str(number)))
    assert len(hung.asked) == 1
    assert len(here.asked) == 9
