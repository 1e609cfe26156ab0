"""One SQLite file that several processes write: how it is opened, and which of its errors mean what.

Write-ahead logging lets readers read while one process writes; whoever finds the file locked waits. Used by the catalog and the content cache.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from exegesis.errors import CorruptIndex, Unavailable

WAIT_SECONDS = 30.0
"""How long a write waits for another process. Transactions here take milliseconds, so half a minute means that something is stuck."""

_ELSEWHERE = "Make room in that folder and see that you may write it, or set EXEGESIS_HOME to another one."

_PASSING = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT})
"""Errors that say nothing about the folder."""

_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_SCHEMA})


class SharedDatabase:
    """A connection that the threads of this process take turns with.

    ``schema`` is a script of ``CREATE ... IF NOT EXISTS``; ``version`` is kept in ``user_version``, and a file of another version is refused, because
    nothing in it can be trusted to mean what this code thinks it means.
    """

    def __init__(self, path: Path, *, schema: str, version: int) -> None:
        self.path = path
        self._turn = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Unavailable(f"{path.parent} cannot be made: {error.strerror}.", hint=_ELSEWHERE) from error
        with self._translated():
            self._connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(schema, version)
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self, schema: str, version: int) -> None:
        run = self._connection.execute
        run("PRAGMA auto_vacuum = INCREMENTAL")  # holds from the first table on; freed pages are given back by `shrink`
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA secure_delete = ON")  # what a person removes is not left lying in free pages
        run("PRAGMA synchronous = NORMAL")  # survives a killed process; a power cut may lose the last moments but never the file
        if run("PRAGMA user_version").fetchone()[0] == version:
            return
        run("BEGIN IMMEDIATE")
        found = run("PRAGMA user_version").fetchone()[0]  # another process may have been first
        if found == 0:
            for statement in schema.split(";"):
                run(statement)
            run(f"PRAGMA user_version = {version}")
        run("COMMIT")
        if found not in {0, version}:
            raise CorruptIndex(f"{self.path} was written by another version of Exegesis.", hint=f"Remove {self.path.parent} and index again.")

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[sqlite3.Cursor]:
        """Everything inside happens at once or not at all; a write holds off other writers from its start."""
        with self._turn, self._translated():
            cursor = self._connection.cursor()
            cursor.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield cursor
            except BaseException:
                if self._connection.in_transaction:  # of a full disk the engine has taken it back by itself
                    cursor.execute("ROLLBACK")
                raise
            cursor.execute("COMMIT")

    def shrink(self) -> None:
        """Give the space of deleted rows back to the file system."""
        with self._turn, self._translated():
            self._connection.executescript("PRAGMA incremental_vacuum")  # as a script, because `execute` stops after the first page

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code in _CORRUPT:
                raise CorruptIndex(f"{self.path} is not readable as a database: {error}.", hint=f"Remove {self.path} and index again.") from error
            hint = "" if code in _PASSING else _ELSEWHERE
            raise Unavailable(f"{self.path} cannot be used: {error}.", hint=hint) from error

    def close(self) -> None:
        with self._turn:
            self._connection.close()
