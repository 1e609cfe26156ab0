"""One SQLite file, where the disk is full or the folder may only be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_file import SharedDatabase
from exegesis.errors import Unavailable

Open = Callable[[], SharedDatabase]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens one file, again and again."""
    made: list[SharedDatabase] = []

    def build() -> SharedDatabase:
        made.append(SharedDatabase(tmp_path / "some.db", schema="CREATE TABLE word (text TEXT)", version=1))
        return made[-1]

    yield build
    for each in made:
        each.close()


def refuse_writing(path: Path) -> None:
    """Let nothing be written beside the file, whoever asks; rights do not hold back a superuser."""
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).mkdir()


def allow_writing(path: Path) -> None:
    """Take that back."""
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).rmdir()


def write(database: SharedDatabase, word: str) -> None:
    """One row."""
    with database.transaction(write=True) as sql:
        sql.execute("INSERT INTO word VALUES (?)", (word,))


def words(database: SharedDatabase) -> list[str]:
    """All rows."""
    with database.transaction(write=False) as sql:
        return [row[0] for row in sql.execute("SELECT text FROM word")]


def test_what_cannot_be_written_is_read(opened: Open) -> None:
    """Reads answer, writes are refused, and both work again once the file can be written."""
    first = opened()
    write(first, "kept")
    first.close()
    refuse_writing(first.path)
    database = opened()
    assert words(database) == ["kept"]
    with pytest.raises(Unavailable, match="cannot be used"):
        write(database, "lost")
    with pytest.raises(Unavailable, match="cannot be used"):
        database.shrink()
    allow_writing(first.path)
    write(database, "new")
    assert words(database) == ["kept", "new"]


def test_a_file_that_was_never_made_says_why(opened: Open, tmp_path: Path) -> None:
    """Where nothing is kept there is nothing to read."""
    (tmp_path / "some.db").touch()
    refuse_writing(tmp_path / "some.db")
    with pytest.raises(Unavailable, match="cannot be used"):
        opened()


def fill(database: SharedDatabase) -> None:
    """Write more than there is room for."""
    with database.transaction(write=True) as sql:
        sql.execute("PRAGMA max_page_count = 3")
        sql.execute("INSERT INTO word VALUES (?)", ("x" * 1_000_000,))


def end_and_fail(database: SharedDatabase) -> None:
    """Fail once the transaction is over already."""
    with database.transaction(write=True) as sql:
        sql.execute("ROLLBACK")
        raise KeyError


def test_a_transaction_that_ended_by_itself_says_why_it_failed(opened: Open) -> None:
    """A full disk ends a transaction; that there is none to roll back is not what went wrong. The next one works."""
    database = opened()
    with pytest.raises(Unavailable, match="full"):
        fill(database)
    with pytest.raises(KeyError):
        end_and_fail(database)
    write(database, "short")
    assert words(database) == ["short"]
