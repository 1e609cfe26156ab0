"""Errands in the SQLite file of a catalog, for an installation whose workers are on one machine."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

from exegesis.adapters.errand_tables import TABLES, TableErrands
from exegesis.adapters.sqlite_catalog import open_catalog
from exegesis.model import RunState
from exegesis.ports import Clock


def sqlite_errands(path: Path, clock: Clock, *, quiet: float) -> TableErrands:
    """Beside the catalog in the file ``path``, by the same clock. Their tables are added to a file that has none."""
    return TableErrands(_SqliteLedger(path, clock), quiet=quiet)


class _SqliteLedger:
    started = "run.started"

    def __init__(self, path: Path, clock: Clock) -> None:
        self._database = open_catalog(path)
        self._clock = clock
        with self._database.transaction(write=True) as sql:
            for statement in TABLES.split(";"):
                sql.execute(statement)

    def transaction(self) -> AbstractContextManager[sqlite3.Cursor]:
        return self._database.transaction(write=True)

    def now(self, _sql: sqlite3.Cursor) -> float:
        return self._clock.now()

    def hold(self, sql: sqlite3.Cursor, repository: str) -> None:
        """Whoever writes is alone."""

    def add_run(self, sql: sqlite3.Cursor, run: str, repository: str) -> None:
        sql.execute("INSERT INTO run VALUES (?, ?, '', ?, '', ?)", (run, repository, RunState.QUEUED, self._clock.now()))

    def close(self) -> None:
        self._database.close()
