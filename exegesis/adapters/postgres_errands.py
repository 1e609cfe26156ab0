"""Errands on the PostgreSQL server of a catalog, for an installation whose workers are on several machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from exegesis.adapters.errand_tables import TABLES, TableErrands
from exegesis.adapters.postgres_catalog import hold_repository, prepare
from exegesis.adapters.postgres_connections import Connections, Cursor
from exegesis.model import RunState


def postgres_errands(address: str, *, quiet: float) -> TableErrands:
    """Beside the catalog at ``address``. Their tables are added to a database that has none."""
    return TableErrands(_PostgresLedger(address), quiet=quiet)


class _PostgresLedger:
    started = "extract(epoch FROM run.started)"

    def __init__(self, address: str) -> None:
        self._connections = Connections(address)
        try:
            with self._connections.transaction() as sql:
                prepare(sql)  # also keeps others out until the tables are made
                sql.execute(TABLES)
        except BaseException:
            self._connections.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[_Marked]:
        with self._connections.transaction() as sql:
            yield _Marked(sql)

    def now(self, sql: _Marked) -> float:
        return float(sql.execute("SELECT extract(epoch FROM clock_timestamp())").fetchone()[0])

    def hold(self, sql: _Marked, repository: str) -> None:
        hold_repository(sql.cursor, repository)

    def add_run(self, sql: _Marked, run: str, repository: str) -> None:
        sql.execute("INSERT INTO run VALUES (?, ?, '', ?, '', clock_timestamp())", (run, repository, RunState.QUEUED))

    def close(self) -> None:
        self._connections.close()


class _Marked:
    """A cursor that takes parameters as ``?``."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Cursor:
        return self.cursor.execute(statement.replace("?", "%s"), parameters)
