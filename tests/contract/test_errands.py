"""What every ledger of errands promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from exegesis.adapters.postgres_catalog import PostgresCatalog
from exegesis.adapters.postgres_errands import postgres_errands
from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.sqlite_errands import sqlite_errands
from exegesis.model import Errand, Progress, RunState, RunStep, Tally
from exegesis.ports import Catalog, Errands

QUIET = 10.0


class SetClock:
    def __init__(self) -> None:
        self.time = 1_000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


@dataclass
class Installation:
    errands: Errands
    catalog: Catalog
    elapse: Callable[[float], None]

    def ask(self, step: RunStep = RunStep.LOOK, **more: str) -> str:
        return self.errands.ask("a-1", step, **{"queue": "bulk", **more})

    def state(self, run: str) -> RunState:
        return found(self.errands, run).state


def found(errands: Errands, run: str) -> Errand:
    errand = errands.find(run)
    assert errand is not None
    return errand


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    if request.param == "sqlite":
        clock = SetClock()

        def elapse(seconds: float) -> None:
            clock.time += seconds

        path = tmp_path / "catalog.db"
        made = Installation(sqlite_errands(path, clock, quiet=QUIET), SqliteCatalog(path, clock), elapse)
    else:
        address = request.getfixturevalue("postgres").fresh_schema()

        def elapse(seconds: float) -> None:
            """The server's clock cannot be set; what was written is made to have been written that much earlier."""
            with psycopg.connect(address) as connection:
                connection.execute("UPDATE errand SET until = until - %s, due = due - %s", (seconds, seconds))
                connection.execute("UPDATE office SET until = until - %s", (seconds,))
                connection.execute("UPDATE batch SET until = until - make_interval(secs => %s)", (seconds,))

        made = Installation(postgres_errands(address, quiet=QUIET), PostgresCatalog(address), elapse)
    yield made
    made.errands.close()
    made.catalog.close()


def test_what_is_asked_for_is_found(house: Installation) -> None:
    """With all that was said about it; a run that nobody asked for is not."""
    run = house.ask(options='{"embed": true}', trace="00-aa-bb-01", queue="interactive")
    errand = found(house.errands, run)
    assert (errand.repository, errand.step, errand.queue, errand.state) == ("a-1", RunStep.LOOK, "interactive", RunState.QUEUED)
    assert (errand.options, errand.trace, errand.attempt, errand.joined) == ('{"embed": true}', "00-aa-bb-01", 0, "")
    assert house.errands.find("none") is None


def test_asking_again_before_anybody_began_is_the_same_run(house: Installation) -> None:
    """Five pushes are one run; what has begun may have seen what was there before, so the next is another."""
    runs = {house.ask() for _ in range(5)}
    assert len(runs) == 1
    (run,) = runs
    assert house.ask(options="others") != run
    assert house.ask(RunStep.EMBED) != run
    house.errands.take(run, RunStep.LOOK, owner="w", seconds=30)
    assert house.ask() != run


def test_many_who_ask_at_once_get_one_run(house: Installation) -> None:
    """Whoever is second sees the run of the first."""
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _: house.ask(), range(24)))) == 1


def test_a_step_is_taken_by_one(house: Installation) -> None:
    """However often a message is delivered; another step of the run cannot be taken."""
    run = house.ask()
    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(lambda number: house.errands.take(run, RunStep.LOOK, owner=f"w{number}", seconds=30), range(16)))
    assert [errand.attempt for errand in taken if errand] == [1]
    assert house.state(run) is RunState.RUNNING
    assert house.errands.take(run, RunStep.ASSEMBLE, owner="w", seconds=30) is None


def test_a_step_is_free_once_its_owner_is_silent(house: Installation) -> None:
    """Keeping it makes it last; the attempts count those that died."""
    run = house.ask()
    house.errands.take(run, RunStep.LOOK, owner="dead", seconds=30)
    house.elapse(20)
    assert house.errands.keep(run, owner="dead", seconds=30)
    house.elapse(20)
    assert house.errands.take(run, RunStep.LOOK, owner="next", seconds=30) is None
    house.elapse(20)
    taken = house.errands.take(run, RunStep.LOOK, owner="next", seconds=30)
    assert taken is not None
    assert taken.attempt == 2
    assert not house.errands.keep(run, owner="dead", seconds=30)


def test_a_step_is_handed_on_once(house: Installation) -> None:
    """Of those that see the last batch done, one hands the run on."""
    run = house.ask()
    house.errands.take(run, RunStep.LOOK, owner="w", seconds=30)
    assert house.errands.move(run, RunStep.LOOK, RunStep.PARSE, batches=3)
    with ThreadPoolExecutor(8) as threads:
        moved = list(threads.map(lambda _: house.errands.move(run, RunStep.PARSE, RunStep.ASSEMBLE), range(8)))
    assert moved.count(True) == 1
    taken = house.errands.take(run, RunStep.ASSEMBLE, owner="x", seconds=30)
    assert taken is not None
    assert taken.attempt == 1


def test_a_step_that_is_put_off_waits(house: Installation) -> None:
    """It is nobody's, cannot be taken before its time, and was no death."""
    run = house.ask()
    house.errands.take(run, RunStep.LOOK, owner="w", seconds=30)
    house.errands.put_off(run, owner="somebody else", seconds=5)
    assert house.errands.keep(run, owner="w", seconds=30)
    house.errands.put_off(run, owner="w", seconds=5)
    assert house.errands.take(run, RunStep.LOOK, owner="x", seconds=30) is None
    house.elapse(6)
    assert [errand.run for errand in house.errands.overdue()] == [run]
    taken = house.errands.take(run, RunStep.LOOK, owner="x", seconds=30)
    assert taken is not None
    assert (taken.attempt, taken.waits) == (1, 1)


def test_deaths_that_were_seen_are_counted_step_by_step(house: Installation) -> None:
    """Of the step that the run is at, and of a run that has not ended; putting a step off or taking it again forgets none."""
    run = house.ask()
    house.errands.take(run, RunStep.LOOK, owner="w", seconds=30)
    house.errands.mourn(run, RunStep.LOOK)
    house.errands.mourn(run, RunStep.ASSEMBLE)
    house.errands.mourn("none", RunStep.LOOK)
    house.errands.put_off(run, owner="w", seconds=0)
    taken = house.errands.take(run, RunStep.LOOK, owner="x", seconds=30)
    assert taken is not None
    assert (taken.attempt, taken.deaths) == (1, 1)
    house.errands.mourn(run, RunStep.LOOK)
    assert found(house.errands, run).deaths == 2
    house.errands.move(run, RunStep.LOOK, RunStep.ASSEMBLE)
    assert found(house.errands, run).deaths == 0
    house.catalog.end_run(run, RunState.DONE)
    house.errands.mourn(run, RunStep.ASSEMBLE)
    assert found(house.errands, run).deaths == 0


def test_what_was_asked_for_a_repository_is_listed_newest_first(house: Installation) -> None:
    """Those of others are not."""
    first = house.ask()
    house.errands.take(first, RunStep.LOOK, owner="w", seconds=30)
    house.elapse(1)
    second = house.ask(RunStep.EMBED)
    house.errands.ask("b-2", RunStep.LOOK, queue="bulk")
    assert {errand.run for errand in house.errands.of("a-1")} == {first, second}


def test_a_run_of_other_inputs_supersedes_those_before(house: Installation) -> None:
    """Their owners hear of it when they next hold on, and can neither hand on nor activate; what was asked for since is left."""
    old = house.ask()
    house.errands.take(old, RunStep.LOOK, owner="w", seconds=30)
    assert house.errands.adopt(old, "one") == old
    new = house.ask()
    house.errands.take(new, RunStep.LOOK, owner="x", seconds=30)
    later = house.ask()
    assert house.errands.adopt(new, "two") == new
    assert house.state(old) is RunState.SUPERSEDED
    assert not house.errands.keep(old, owner="w", seconds=30)
    assert not house.errands.move(old, RunStep.LOOK, RunStep.PARSE)
    assert house.state(later) is RunState.QUEUED


def test_a_run_of_the_same_inputs_joins_the_one_before(house: Installation) -> None:
    """The first goes on for both; adopting again after a death changes nothing."""
    first = house.ask()
    house.errands.take(first, RunStep.LOOK, owner="w", seconds=30)
    house.errands.adopt(first, "same")
    assert house.errands.adopt(first, "same") == first
    second = house.ask()
    house.errands.take(second, RunStep.LOOK, owner="x", seconds=30)
    assert house.errands.adopt(second, "same") == first
    assert (house.state(first), house.state(second)) == (RunState.RUNNING, RunState.SUPERSEDED)
    assert found(house.errands, second).joined == first


def test_batches_open_a_few_at_a_time(house: Installation) -> None:
    """Each number once, in order, up to the last."""
    run = house.ask()
    house.errands.move(run, RunStep.LOOK, RunStep.PARSE, batches=5)
    assert list(house.errands.open_batches(run, 2)) == [0, 1]
    with ThreadPoolExecutor(4) as threads:
        opened = [number for numbers in threads.map(lambda _: house.errands.open_batches(run, 1), range(6)) for number in numbers]
    assert sorted(opened) == [2, 3, 4]
    assert found(house.errands, run).opened == 5


def test_progress_is_told_and_adds_up(house: Installation) -> None:
    """Several workers advance what one of them announced."""
    run = house.ask()
    house.errands.tell(run, Progress("parsing", 0, 9, "a\0b"))
    house.errands.advance(run, 4)
    house.errands.advance(run, 2)
    assert found(house.errands, run).progress == Progress("parsing", 6, 9, "a b")
    house.errands.note(run, "outcome")
    assert found(house.errands, run).outcome == "outcome"


def test_what_is_silent_is_overdue_and_then_left_alone_for_longer_each_time(house: Installation) -> None:
    """A reminder costs a message; what waits in a long line must not fill it."""
    run = house.ask()
    assert not house.errands.overdue()
    gaps = []
    for _ in range(3):
        gap = 0
        while not house.errands.overdue():
            house.elapse(QUIET / 2)
            gap += 1
        gaps.append(gap)
    assert gaps == sorted(gaps)
    assert gaps[2] > gaps[0]
    house.errands.take(run, RunStep.LOOK, owner="w", seconds=3 * QUIET)
    house.elapse(2 * QUIET)
    assert not house.errands.overdue()
    house.catalog.end_run(run, RunState.DONE)
    house.elapse(100 * QUIET)
    assert not house.errands.overdue()


def test_two_reminders_at_once_ring_once(house: Installation) -> None:
    """Each run is handed out to one of them."""
    runs = [house.errands.ask(f"r-{number}", RunStep.LOOK, queue="bulk") for number in range(20)]
    house.elapse(QUIET + 1)
    with ThreadPoolExecutor(4) as threads:
        rung = [errand.run for errands in threads.map(lambda _: house.errands.overdue(), range(4)) for errand in errands]
    assert sorted(rung) == sorted(runs)


def test_an_office_has_one_holder(house: Installation) -> None:
    """Until its holder is silent; holding on is no change."""
    assert house.errands.lead("beat", owner="one", seconds=10)
    assert not house.errands.lead("beat", owner="two", seconds=10)
    assert house.errands.lead("beat", owner="one", seconds=10)
    assert house.errands.lead("other", owner="two", seconds=10)
    house.elapse(11)
    assert house.errands.lead("beat", owner="two", seconds=10)


def test_what_is_counted_adds_up(house: Installation) -> None:
    """Whoever counts it; what nobody counted is none."""
    with ThreadPoolExecutor(4) as workers:
        list(workers.map(lambda _: house.errands.count(Tally.BATCH_DONE, 2), range(20)))
    tallies = house.errands.standing().tallies
    assert (tallies[Tally.BATCH_DONE], tallies[Tally.POISON]) == (40, 0)


def test_the_standing_tells_what_waits_and_for_how_long(house: Installation) -> None:
    """By queue and state; what has ended waits for nothing, and what is due and not rung for is overdue."""
    assert house.errands.standing().runs == {}
    done, waiting = house.ask(), house.ask(RunStep.EMBED, queue="interactive")
    house.errands.take(done, RunStep.LOOK, owner="w", seconds=1)
    assert house.errands.standing().overdue == 0
    house.catalog.end_run(done, RunState.DONE)
    house.elapse(QUIET + 5)
    standing = house.errands.standing()
    assert standing.runs == {("bulk", RunState.DONE): 1, ("interactive", RunState.QUEUED): 1}
    assert set(standing.waiting) == {"interactive"}
    assert standing.waiting["interactive"] >= 0
    assert standing.overdue == pytest.approx(5, abs=1)
    assert [errand.run for errand in house.errands.overdue()] == [waiting]
    assert house.errands.standing().overdue == 0


def test_a_forgotten_repository_has_no_errands(house: Installation) -> None:
    """Whoever is at one hears of it; nothing of it is overdue."""
    run = house.ask()
    house.errands.take(run, RunStep.LOOK, owner="w", seconds=30)
    house.catalog.forget("a-1")
    assert house.errands.find(run) is None
    assert not house.errands.keep(run, owner="w", seconds=30)
    assert not house.errands.move(run, RunStep.LOOK, RunStep.PARSE)
    house.elapse(100)
    assert not house.errands.overdue()
    assert house.errands.find(house.ask(RunStep.WIPE)) is not None


def test_batches_are_held_by_their_owner_and_idle_without_one(house: Installation) -> None:
    """What is done or held is not idle; what a dead owner holds becomes so."""
    run = house.ask()
    house.errands.take(run, RunStep.LOOK, owner="w", seconds=30)
    house.catalog.plan(run, [["a"], ["b"], ["c"]])
    assert list(house.catalog.idle_batches(run)) == [0, 1, 2]
    house.catalog.lease(run, 0, owner="w", seconds=30)
    house.catalog.lease(run, 1, owner="w", seconds=30)
    house.catalog.finish_batch(run, 1)
    assert list(house.catalog.idle_batches(run)) == [2]
    house.elapse(20)
    assert house.catalog.keep_batch(run, 0, owner="w", seconds=30)
    assert not house.catalog.keep_batch(run, 0, owner="x", seconds=30)
    assert not house.catalog.keep_batch(run, 1, owner="w", seconds=30)
    house.elapse(20)
    assert list(house.catalog.idle_batches(run)) == [2]
    house.elapse(20)
    assert list(house.catalog.idle_batches(run)) == [0, 2]
    for owner in ("somebody else", "w"):
        house.catalog.lease(run, 2, owner="w", seconds=30)
        house.catalog.give_back(run, 2, owner=owner)
        assert list(house.catalog.idle_batches(run)) == ([0] if owner != "w" else [0, 2])
    assert [batch.attempt for batch in house.catalog.batches(run)] == [1, 1, 1]
    house.catalog.end_run(run, RunState.FAILED)
    assert not house.catalog.keep_batch(run, 0, owner="w", seconds=30)
