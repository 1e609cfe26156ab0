"""Whoever watches a folder has an index that follows it."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from exegesis.model import Progress
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from services.indexer.watch import changes

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "swift-oauth" / "Sources" / "OAuthKit"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copied = tmp_path / "project"
    shutil.copytree(EXAMPLE, copied)
    return copied


@pytest.fixture
def assembly(tmp_path: Path, folder: Path) -> Iterator[Assembly]:
    """The index lies within the watched folder, as some people will have it."""
    made = Assembly(Settings(home=str(folder / ".index"), embedder="none", workers=1))
    yield made
    made.close()


def until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_an_edit_is_indexed_and_nothing_else_is(assembly: Assembly, folder: Path) -> None:
    """A saved file is in the index soon after; our own writes do not count as edits; cancelling ends it."""
    stop, usable = threading.Event(), []

    def report(progress: Progress) -> None:
        if progress.phase == "usable":
            usable.append(progress.detail)

    watching = threading.Thread(target=assembly.indexer.watch, args=(str(folder), IndexOptions(embed=False), report), kwargs={"cancelled": stop})
    watching.start()
    try:
        assert until(lambda: len(usable) == 1)
        time.sleep(1.0)  # until events arrive, and longer than the silence that is waited for
        assert len(usable) == 1
        (folder / "Added.swift").write_text("func addedWhileWatching() {}\n")
        repository = assembly.indexer.locate(str(folder)).id
        assert until(lambda: any(file.path == "Added.swift" for file in assembly.indexer.files(repository)))
        assert until(lambda: len(usable) == 2)  # a generation is the head a moment before it is said to be
    finally:
        stop.set()
        watching.join(10)
    assert not watching.is_alive()


@pytest.mark.parametrize("where", ["project/.build/debug/index/store", "elsewhere/DataStore"], ids=["below the folder", "elsewhere"])
def test_a_build_counts_as_a_change(folder: Path, tmp_path: Path, where: str) -> None:
    """Compilers write units; whatever else they write into the same folders is of no interest."""
    units = tmp_path / where / "v5" / "units"
    units.mkdir(parents=True)
    stop = threading.Event()
    seen = changes(str(folder), lambda: False, ignored=tmp_path / "home", cancelled=stop, stores=[tmp_path / where])
    next(seen)
    changed = threading.Event()

    def wait() -> None:
        if next(seen, stop) is None:
            changed.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    try:
        (units.parent / "Card.swift-1234").write_bytes(b"IDXR")
        assert not changed.wait(1.0)
        (units / "Card.o-1234").write_bytes(b"IDXU")
        assert changed.wait(20)
    finally:
        stop.set()
        waiting.join(10)


def test_what_changes_during_an_index_run_is_not_missed(folder: Path, tmp_path: Path) -> None:
    """Events are collected from the first item on, also while the caller is busy with it."""
    stop = threading.Event()
    seen = changes(str(folder), lambda: False, ignored=tmp_path / "home", cancelled=stop)
    next(seen)
    (folder / "Added.swift").write_text("func added() {}\n")
    time.sleep(0.2)
    giving_up = threading.Timer(20, stop.set)
    giving_up.start()
    next(seen)
    giving_up.cancel()
    assert not stop.is_set()
    stop.set()


def test_without_events_the_folder_is_looked_at(folder: Path, tmp_path: Path) -> None:
    """Where the file system tells nothing, staleness is asked for now and then."""
    stop, answers = threading.Event(), iter([False, False, True, False, True])
    seen = changes(str(folder), lambda: next(answers), ignored=tmp_path / "home", cancelled=stop, events=False, every=0.01)
    next(seen)
    next(seen)
    next(seen)
    assert list(answers) == []
    stop.set()
    assert list(seen) == []
