from __future__ import annotations

from pathlib import Path

import pytest

from exegesis.adapters.sqlite_file import SharedDatabase


def test_what_the_engine_has_taken_back_by_itself_is_told_as_it_was(tmp_path: Path) -> None:
    """Of a full disk it does; a second error about that would hide the first."""
    file = SharedDatabase(tmp_path / "a.db", schema="CREATE TABLE one (n)", version=1)

    def fail(statement: str) -> None:
        with file.transaction(write=True) as cursor:
            cursor.execute(statement)
            raise RuntimeError("the first")

    with file.transaction(write=True) as cursor:
        cursor.execute("INSERT INTO one VALUES (1)")
    for statement in ("ROLLBACK", "DELETE FROM one"):
        with pytest.raises(RuntimeError, match="the first"):
            fail(statement)
    with file.transaction(write=False) as cursor:
        assert cursor.execute("SELECT n FROM one").fetchall() == [(1,)]
    file.close()
