"""What stores hold about files, and when it is looked up again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from exegesis.errors import UsageError
from services.indexer.exact.holdings import NONE, Holdings, chosen_stores, look_into
from tests.unit.services.indexer.exact.sample import COMPRESSED, PACKAGE, STORE, source_files

TREES = "Sources/Orchard/Trees.swift"


class Reads:
    """Counts how often units were read."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> None:
        self.count += 1


def look(stores: list[Path], remembered: bytes | None, reads: Reads, known: list[str] | None = None) -> tuple[Holdings, bytes | None]:
    return look_into(str(PACKAGE), source_files() if known is None else known, stores, remembered, reading=reads)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    copied = tmp_path / "store"
    shutil.copytree(STORE, copied)
    return copied


def test_every_source_has_its_record(store: Path) -> None:
    """Of each file that was compiled, by its path here; the manifest and other files have none."""
    holdings, _ = look([store], None, Reads())
    assert set(holdings.records) == {path for path in source_files() if path.startswith("Sources/") and path.endswith((".swift", ".c", ".h"))}
    assert [(held.store, held.module) for held in holdings.records[TREES]] == [(0, "Orchard")]
    assert holdings.key("Package.swift") == ""
    assert len(holdings.key(TREES)) == 16


def test_what_has_not_changed_is_not_read_again(store: Path) -> None:
    """Neither with the same files, nor with others: only new units are read."""
    reads = Reads()
    first, note = look([store], None, reads)
    assert look([store], note, reads) == (first, None)
    fewer, further = look([store], note, reads, known=[TREES])
    assert (set(fewer.records), reads.count) == ({TREES}, 1)
    assert further is not None
    next((store / "v5" / "units").glob("Trees.swift*")).unlink()
    again, _ = look([store], further, reads)
    assert (TREES in again.records, reads.count) == (False, 2)


def test_the_key_of_a_file_tells_its_records_and_not_where_they_lie(store: Path) -> None:
    """A build that writes the same, or a store that moved, changes nothing; another record does."""
    here, _ = look([store], None, Reads())
    for unit in (store / "v5" / "units").iterdir():
        os.utime(unit)
    moved = store.rename(store.with_name("elsewhere"))
    there, _ = look([moved], None, Reads())
    assert all(here.key(path) == there.key(path) for path in source_files())
    both, _ = look([moved, COMPRESSED], None, Reads())
    assert len(both.records[TREES]) == 2


def test_a_note_of_another_version_is_not_believed(store: Path) -> None:
    """It costs reading the units."""
    reads = Reads()
    for note in (b"", b"no note", b"x\x9c\x03\x00\x00\x00\x00\x01"):
        assert look([store], note, reads)[0].records
    assert reads.count == 3


def test_damaged_units_are_said(store: Path) -> None:
    """They hold nothing, the others all that they held."""
    unit = next((store / "v5" / "units").glob("Trees.swift*"))
    unit.write_bytes(b"IDXU")
    holdings, _ = look([store], None, Reads())
    assert TREES not in holdings.records
    assert "Sources/Orchard/Fruit.swift" in holdings.records
    assert [unit.name in problem for problem in holdings.stores[0].problems] == [True]


def test_stores_are_chosen_by_folder_or_not_at_all(tmp_path: Path) -> None:
    """A folder may be a store or hold some, as a folder of derived data does."""
    assert chosen_stores(str(PACKAGE), NONE) == ()
    assert chosen_stores(str(PACKAGE), str(STORE)) == (STORE,)
    kept = tmp_path / "App-abc" / "Index.noindex" / "DataStore"
    shutil.copytree(STORE, kept)
    assert chosen_stores(str(PACKAGE), str(tmp_path)) == (kept,)
    assert chosen_stores(str(PACKAGE), "") == ()
    with pytest.raises(UsageError, match="no index store"):
        chosen_stores(str(PACKAGE), str(PACKAGE / "Sources"))
