"""One SQLite file that several processes write: how it is opened, and which of its errors mean what.

Write-ahead logging lets readers read while one process writes; whoever finds the file locked waits. Used by the catalog and the content cache.

Such a file cannot even be read without writing beside it, so where the disk is full or the folder may only be read it is read as one that nobody
changes, until it can be written again.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from exegesis.errors import CorruptIndex, Unavailable

WAIT_SECONDS = 30.0
"""How long a write waits for another process. Transactions here take milliseconds, so half a minute means that something is stuck."""

_ELSEWHERE = "Make room in that folder and see that you may write it, or set EXEGESIS_HOME to another one."

_PASSING = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT})
"""Errors that say nothing about the folder."""

_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_SCHEMA})


_UNWRITABLE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
"""Errors of an opening that may come from the place and not from the file: no room beside it, or no leave to write there."""


class SharedDatabase:
    """A connection that the threads of this process take turns with.

    ``schema`` is a script of ``CREATE ... IF NOT EXISTS``; ``version`` is kept in ``user_version``, and a file of another version is refused, because
    nothing in it can be trusted to mean what this code thinks it means. A file that cannot be written answers reads; each transaction tries anew
    whether it can be written by now, and a write raises ``Unavailable`` where it cannot.
    """

    def __init__(self, path: Path, *, schema: str, version: int) -> None:
        self.path = path
        self._schema = schema
        self._version = version
        self._turn = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Unavailable(f"{path.parent} cannot be made: {error.strerror}.", hint=_ELSEWHERE) from error
        self._refused: sqlite3.Error | None = None
        """Why the file cannot be written, where it is only read."""
        with self._translated():
            self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        try:
            connection = self._open_to_write()
        except sqlite3.DatabaseError as error:
            if _code(error) not in _UNWRITABLE or not self.path.is_file():
                raise
            self._refused = error
            return self._open_to_read(error)
        self._refused = None
        return connection

    def _open_to_write(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _open_to_read(self, refused: sqlite3.Error) -> sqlite3.Connection:
        """The file as it stands. What only the log beside it holds is missing: a process that ends in order leaves none, and reading one takes
        writing. Raises ``refused`` for a file that holds nothing of this version.
        """
        address = f"file:{quote(str(self.path.absolute()))}?mode=ro&immutable=1"
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        try:
            found = connection.execute("PRAGMA user_version").fetchone()[0]
        except BaseException:
            connection.close()
            raise
        if found != self._version:
            connection.close()
            raise refused
        return connection

    def _renew(self) -> None:
        """Where the file is only read: look whether it can be written by now, and else read it as it has become."""
        if self._refused is not None:
            fresh = self._open()
            self._connection.close()
            self._connection = fresh

    def _prepare(self, connection: sqlite3.Connection) -> None:
        schema, version = self._schema, self._version
        run = connection.execute
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
            self._renew()
            if write and self._refused is not None:
                raise self._refused
            cursor = self._connection.cursor()
            cursor.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                yield cursor
            except BaseException:
                _roll_back(self._connection)
                raise
            try:
                cursor.execute("COMMIT")
            except BaseException:  # a disk that is full only now; the next transaction must find none begun
                _roll_back(self._connection)
                raise

    def shrink(self) -> None:
        """Give the space of deleted rows back to the file system."""
        with self._turn, self._translated():
            if self._refused is not None:
                raise self._refused
            self._connection.executescript("PRAGMA incremental_vacuum")  # as a script, because `execute` stops after the first page

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            code = _code(error)
            if code in _CORRUPT:
                raise CorruptIndex(f"{self.path} is not readable as a database: {error}.", hint=f"Remove {self.path} and index again.") from error
            hint = "" if code in _PASSING else _ELSEWHERE
            raise Unavailable(f"{self.path} cannot be used: {error}.", hint=hint) from error

    def close(self) -> None:
        with self._turn:
            self._connection.close()


def _code(error: sqlite3.Error) -> int:
    """The kind of an error, without what distinguishes its kinds."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _roll_back(connection: sqlite3.Connection) -> None:
    """End a transaction that failed. SQLite ends some by itself, as when the disk is full; what failed is worth more than how ending it went."""
    if connection.in_transaction:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
