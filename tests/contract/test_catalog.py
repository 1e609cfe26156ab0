"""What every catalog promises."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture(params=["sqlite"])
def catalog(request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock) -> Iterator[Catalog]:
    made = {"sqlite": lambda: SqliteCatalog(tmp_path / "catalog.db", clock)}[request.param]()
    yield made
    made.close()


def generation(name: str, *, repository: str = A.id, created: float = 1.0) -> Generation:
    coverage = Coverage(4, 2, skipped=(("binary", 1),), failed=(("a.swift", "parser crashed (SIGSEGV)"),), dense=0.5)
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


def test_a_leased_batch_is_taken_once(catalog: Catalog, clock: SetClock) -> None:
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
    clock.time += 10
    taken = catalog.lease(run, 0, owner="two", seconds=10)
    assert taken is not None
    assert taken.attempt == 3


def test_a_finished_batch_is_not_leased_again(catalog: Catalog, clock: SetClock) -> None:
    """Finishing counts down, twice over does no harm, and ends the matter."""
    run, _ = catalog.start_run(A.id, "inputs")
    catalog.plan(run, [["x"], ["y"]])
    assert catalog.finish_batch(run, 0) == 1
    assert catalog.finish_batch(run, 0) == 1
    clock.time += 1_000
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


def test_processes_share_a_catalog(tmp_path: Path, clock: SetClock) -> None:
    """Four processes that lease the same fifty batches take each of them exactly once."""
    catalog = SqliteCatalog(tmp_path / "catalog.db", clock)
    run, _ = catalog.start_run(A.id, "inputs")
    catalog.plan(run, [[str(number)] for number in range(50)])
    catalog.close()
    program = f"""
from pathlib import Path
from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.system_clock import SystemClock
import os
catalog = SqliteCatalog(Path({str(tmp_path / "catalog.db")!r}), SystemClock())
print(*[n for n in range(50) if catalog.lease({run!r}, n, owner=str(os.getpid()), seconds=60)])
"""
    takers = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    taken = sorted(int(number) for taker in takers for number in taker.communicate()[0].split())
    assert taken == list(range(50))


def test_what_is_no_catalog_is_said_to_be_none(tmp_path: Path, clock: SetClock) -> None:
    """A damaged file is reported as such, with a hint, and not as a traceback of the database."""
    (tmp_path / "catalog.db").write_bytes(b"this is not a database" * 100)
    with pytest.raises(CorruptIndex) as raised:
        SqliteCatalog(tmp_path / "catalog.db", clock)
    assert str(tmp_path) in raised.value.hint
