"""What a run over the queue leaves for the step that assembles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.system_clock import SystemClock
from exegesis.model import FileRole, FileStatus, Repository, SourceFile
from services.indexer.exact.holdings import Held, HeldStore, Holdings
from services.indexer.snapshot import Snapshot, load_snapshot, save_snapshot
from services.indexer.work import Work

FILES = (
    SourceFile("a.swift", "1", 7, "swift", FileRole.TEST, FileStatus.INDEXED, module="App", exact="e1"),
    SourceFile("b.swift", "2", 7, "swift", FileRole.NONE, FileStatus.INDEXED),
    SourceFile("c.png", "", 9, "", FileRole.NONE, FileStatus.SKIPPED, "binary"),
)
HOLDINGS = Holdings(
    (HeldStore("/p/.build/debug/index/store", 3, 1, ("v5/units/x: cut off",)), HeldStore("/d/store", 2, 0, ())),
    {"a.swift": (Held(0, "App", "a.swift-1"), Held(0, "AppTests", "a.swift-2"), Held(1, "App", "a.swift-1"))},
)


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqliteCatalog]:
    made = SqliteCatalog(tmp_path / "catalog.db", SystemClock())
    made.register(Repository("shop-1", "shop", "/shop"))
    yield made
    made.close()


def test_a_snapshot_comes_back_whole(catalog: SqliteCatalog) -> None:
    """Files, what is to be parsed and examined, what index stores held: on another day, in another process."""
    snapshot = Snapshot("run", "g2", "abc", "g1", Work(list(FILES), [FILES[1]], ["b.swift"], 1, [FILES[0]]), HOLDINGS)
    save_snapshot(catalog, "shop-1", snapshot)
    assert load_snapshot(catalog, "shop-1", "run") == snapshot


def test_a_snapshot_is_of_one_run(catalog: SqliteCatalog) -> None:
    """Another run's is none."""
    save_snapshot(catalog, "shop-1", Snapshot("run", "g2", "abc", "", Work([], [], [], 0)))
    assert load_snapshot(catalog, "shop-1", "other") is None
