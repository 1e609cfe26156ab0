"""What every catalog promises."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from exegesis.adapters.postgres_catalog import PostgresCatalog
from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.errors import CorruptIndex, NotFound
from exegesis.model import Coverage, Generation, Repository, RunState
from exegesis.ports import Catalog

A = Repository("a-1", "a", "/somewhere/a")
B = Repository("b-2", "b", "")


class SetClock:
    def __init__(self) -> None:
        self.time = 1_000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


@dataclass
class Installation:
    """A catalog, the program that opens the same one in another process, and the means to let time pass for its leases."""

    catalog: Catalog
    opening: str
    elapse: Callable[[float], None]


def sqlite_installation(path: Path) -> Installation:
    clock = SetClock()

    def elapse(seconds: float) -> None:
        clock.time += seconds

    opening = f"""
from pathlib import Path
from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.system_clock import SystemClock
catalog = SqliteCatalog(Path({str(path)!r}), SystemClock())
"""
    return Installation(SqliteCatalog(path, clock), opening, elapse)


def postgres_installation(address: str) -> Installation:
    def elapse(seconds: float) -> None:
        """The server's clock cannot be set; what was leased is made to have been leased that much earlier."""
        with psycopg.connect(address) as connection:
            connection.execute("UPDATE batch SET until = until - make_interval(secs => %s)", (seconds,))

    opening = f"""
from exegesis.adapters.postgres_catalog import PostgresCatalog
catalog = PostgresCatalog({address!r})
"""
    return Installation(PostgresCatalog(address), opening, elapse)


@pytest.fixture(params=["sqlite", "postgres"])
def installation(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    if request.param == "sqlite":
        made = sqlite_installation(tmp_path / "catalog.db")
    else:
        made = postgres_installation(request.getfixturevalue("postgres").fresh_schema())
    yield made
    made.catalog.close()


@pytest.fixture
def catalog(installation: Installation) -> Catalog:
    return installation.catalog


def generation(name: str, *, repository: str = A.id, created: float = 1.0) -> Generation:
    coverage = Coverage(
        4, 2, skipped=(("binary", 1),), failed=(("a.swift", "parser crashed (SIGSEGV)"),), dense=0.5, degraded=(("b.go", "found by its words alone"),)
    )
    return Generation(name, repository, "abc+1", created, symbols=3, edges=2, chunks=1, coverage=coverage, embedder="m")


def activated(catalog: Catalog, name: str, *, repository: str = A.id) -> Generation:
    run, _ = catalog.start_run(repository, name)
    made = generation(name, repository=repository)
    assert catalog.activate(run, made)
    return made


def test_registering_again_renames(catalog: Catalog) -> None:
    """A repository is registered once; its name and root may change."""
    catalog.register(B)
    catalog.register(A)
    catalog.register(Repository(A.id, "new name", "/elsewhere"))
    assert list(catalog.repositories()) == [Repository(A.id, "new name", "/elsewhere"), B]


def test_the_head_is_the_last_activated_generation(catalog: Catalog) -> None:
    """Activating makes a generation the head, and it reads back as it was written."""
    assert catalog.head(A.id) is None
    first, second = activated(catalog, "g1"), activated(catalog, "g2")
    assert catalog.head(A.id) == second
    assert catalog.generation(A.id, "g1") == first
    assert list(catalog.generations(A.id)) == [second, first]
    assert catalog.generation(A.id, "g3") is None


def test_repositories_do_not_see_each_other(catalog: Catalog) -> None:
    """Heads and generations belong to one repository."""
    activated(catalog, "g1")
    assert catalog.head(B.id) is None
    assert list(catalog.generations(B.id)) == []


def test_a_superseded_run_cannot_activate(catalog: Catalog) -> None:
    """A run that was overtaken changes nothing when it finishes."""
    old, _ = catalog.start_run(A.id, "inputs 1")
    new, _ = catalog.start_run(A.id, "inputs 2")
    assert not catalog.activate(old, generation("late"))
    assert catalog.head(A.id) is None
    assert catalog.generation(A.id, "late") is None
    assert catalog.activate(new, generation("fresh"))
    assert not catalog.activate(new, generation("again")), "a run activates once"


def test_an_unfinished_run_with_the_same_inputs_is_resumed(catalog: Catalog) -> None:
    """The same fingerprint finds the interrupted run and its batches; another one, or a finished run, does not."""
    run, resumed = catalog.start_run(A.id, "inputs")
    assert not resumed
    catalog.plan(run, [["x"], ["y"]])
    assert catalog.start_run(A.id, "inputs") == (run, True)
    assert [batch.paths for batch in catalog.batches(run)] == [("x",), ("y",)]
    assert catalog.start_run(B.id, "inputs")[0] != run
    catalog.activate(run, generation("g"))
    again, resumed = catalog.start_run(A.id, "inputs")
    assert again != run
    assert not resumed


def test_a_retired_generation_is_forgotten_but_the_head_is_not(catalog: Catalog) -> None:
    """Retiring never takes away what answers questions."""
    activated(catalog, "g1")
    head = activated(catalog, "g2")
    catalog.retire(A.id, "g1")
    catalog.retire(A.id, "g2")
    assert list(catalog.generations(A.id)) == [head]
    assert catalog.head(A.id) == head


def test_a_leased_batch_is_taken_once(catalog: Catalog, installation: Installation) -> None:
    """A second owner gets a batch only when the lease of the first has ended; the owner itself may come back."""
    run, _ = catalog.start_run(A.id, "inputs")
    catalog.plan(run, [["x", "y"]])
    first = catalog.lease(run, 0, owner="one", seconds=10)
    assert first is not None
    assert (first.paths, first.attempt, first.state) == (("x", "y"), 1, RunState.RUNNING)
    assert catalog.lease(run, 0, owner="two", seconds=10) is None
    again = catalog.lease(run, 0, owner="one", seconds=10)
    assert again is not None
    assert again.attempt == 2
    installation.elapse(10)
    taken = catalog.lease(run, 0, owner="two", seconds=10)
    assert taken is not None
    assert taken.attempt == 3


def test_a_finished_batch_is_not_leased_again(catalog: Catalog, installation: Installation) -> None:
    """Finishing counts down, twice over does no harm, and ends the matter."""
    run, _ = catalog.start_run(A.id, "inputs")
    catalog.plan(run, [["x"], ["y"]])
    assert catalog.finish_batch(run, 0) == 1
    assert catalog.finish_batch(run, 0) == 1
    installation.elapse(1_000)
    assert catalog.lease(run, 0, owner="one", seconds=10) is None
    assert catalog.finish_batch(run, 1) == 0


def test_batches_of_an_ended_run_are_not_leased(catalog: Catalog) -> None:
    """A message that arrives after its run ended finds nothing to do."""
    run, _ = catalog.start_run(A.id, "inputs")
    catalog.plan(run, [["x"]])
    catalog.end_run(run, RunState.FAILED, "disk full")
    assert catalog.lease(run, 0, owner="one", seconds=10) is None
    assert catalog.lease("no such run", 0, owner="one", seconds=10) is None
    with pytest.raises(NotFound):
        catalog.plan("no such run", [["x"]])


def test_notes_are_kept_per_repository(catalog: Catalog) -> None:
    """A note is bytes under a name; the last one counts."""
    assert catalog.load_note(A.id, "walk") is None
    catalog.save_note(A.id, "walk", b"\x00one")
    catalog.save_note(A.id, "walk", b"\x00two")
    assert catalog.load_note(A.id, "walk") == b"\x00two"
    assert catalog.load_note(B.id, "walk") is None


def test_a_forgotten_repository_leaves_nothing(catalog: Catalog) -> None:
    """Forgetting removes head, generations, runs and notes, of that repository only."""
    catalog.register(A)
    catalog.register(B)
    activated(catalog, "g1")
    kept = activated(catalog, "g1", repository=B.id)
    run, _ = catalog.start_run(A.id, "inputs")
    catalog.plan(run, [["x"]])
    catalog.save_note(A.id, "walk", b"x")
    catalog.forget(A.id)
    assert list(catalog.repositories()) == [B]
    assert catalog.head(A.id) is None
    assert list(catalog.generations(A.id)) == []
    assert list(catalog.batches(run)) == []
    assert catalog.load_note(A.id, "walk") is None
    assert catalog.head(B.id) == kept


def in_processes(count: int, program: str) -> list[str]:
    """What each of several processes prints that run the same program at the same time."""
    running = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(count)]
    return [process.communicate()[0] for process in running]


def test_processes_share_a_catalog(installation: Installation) -> None:
    """Four processes that lease the same fifty batches take each of them exactly once."""
    run, _ = installation.catalog.start_run(A.id, "inputs")
    installation.catalog.plan(run, [[str(number)] for number in range(50)])
    leasing = f"""
import os
print(*[n for n in range(50) if catalog.lease({run!r}, n, owner=str(os.getpid()), seconds=60)])
"""
    taken = sorted(int(number) for said in in_processes(4, installation.opening + leasing) for number in said.split())
    assert taken == list(range(50))


def test_exactly_one_process_sees_that_nothing_is_left(installation: Installation) -> None:
    """Processes that finish batches of one run at the same time: whoever finishes the last one is told so, and nobody else."""
    run, _ = installation.catalog.start_run(A.id, "inputs")
    installation.catalog.plan(run, [[str(number)] for number in range(60)])
    finishing = f"""
import os
taken = [n for n in range(60) if catalog.lease({run!r}, n, owner=str(os.getpid()), seconds=60)]
print(*[left for left in [catalog.finish_batch({run!r}, n) for n in taken]])
"""
    left = sorted(int(number) for said in in_processes(3, installation.opening + finishing) for number in said.split())
    assert left == list(range(60))


def test_processes_that_start_a_run_agree_on_it(installation: Installation) -> None:
    """The same inputs make one run, however many ask for it at once."""
    starting = f"print(catalog.start_run({A.id!r}, 'inputs')[0])"
    assert len(set(in_processes(4, installation.opening + starting))) == 1


def test_what_is_no_catalog_is_said_to_be_none(tmp_path: Path) -> None:
    """A damaged file is reported as such, with a hint, and not as a traceback of the database."""
    (tmp_path / "catalog.db").write_bytes(b"this is not a database" * 100)
    with pytest.raises(CorruptIndex) as raised:
        SqliteCatalog(tmp_path / "catalog.db", SetClock())
    assert str(tmp_path) in raised.value.hint
