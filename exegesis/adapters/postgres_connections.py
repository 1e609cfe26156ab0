"""Connections to a PostgreSQL server: how transactions are run on them, and which of its errors mean what.

A connection is kept between transactions and taken by one thread at a time, so as many are open as threads ask at once. Addresses hold passwords:
no message repeats one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from exegesis.errors import CorruptIndex, ExegesisError, Unavailable, UsageError

if TYPE_CHECKING:
    import psycopg

CONNECT_SECONDS: Final = 5
"""A server in reach answers in milliseconds; a question should not hang on one that is not."""

STATEMENT_SECONDS: Final = 30
"""Statements of the catalog take milliseconds, so half a minute means that something holds a lock and is stuck."""

_IDLE: Final = 4
"""Connections of either kind kept open while nobody uses them. Each costs the server some megabytes, and one more takes milliseconds to make."""

_HINT: Final = "Check that the database server runs, and EXEGESIS_CATALOG_ADDRESS."

Cursor = Any
"""``psycopg.Cursor`` of plain tuples; its own type would have to be imported to be named at run time."""


class Connections:
    """Transactions on one server. Usable from several threads; a process that forks makes its own afterwards."""

    def __init__(self, address: str) -> None:
        self._parameters = _parse(address)
        self._turn = threading.Lock()
        self._idle: list[psycopg.Connection[tuple[Any, ...]]] = []
        self._reading: list[psycopg.Connection[tuple[Any, ...]]] = []
        self._closed = False

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """Everything inside happens at once or not at all. Raises ``Unavailable`` when the server is away, and then nothing has happened, unless it
        went away at the very moment of the commit.
        """
        import psycopg

        connection = self._begin()
        try:
            with connection.cursor() as cursor:
                yield cursor
            connection.commit()
        except (psycopg.Error, UnicodeError) as error:
            connection.close()
            raise _translated(error) from error
        except BaseException:
            with suppress(psycopg.Error):
                connection.rollback()
            self._keep(connection, self._idle)
            raise
        self._keep(connection, self._idle)

    def rows(self, statement: str, parameters: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """What one statement finds that only reads: it is a transaction by itself, so the server is asked once, and not three times."""
        import psycopg

        while True:
            with self._turn:
                kept = self._reading.pop() if self._reading else None
            connection = kept or self._connect(autocommit=True)
            try:
                found = connection.execute(statement, parameters).fetchall()
            except (psycopg.Error, UnicodeError) as error:
                went_away = connection.closed
                connection.close()
                if kept is None or not went_away:  # one that was kept while the server restarted says nothing of the server
                    raise _translated(error) from error
            else:
                self._keep(connection, self._reading)
                return found

    @contextmanager
    def session(self) -> Iterator[Cursor]:
        """A connection of its own, whose statements are transactions each, and which ends with the context."""
        import psycopg

        connection = self._connect(autocommit=True)
        try:
            with connection.cursor() as cursor:
                yield cursor
        except psycopg.Error as error:
            raise _translated(error) from error
        finally:
            connection.close()

    def close(self) -> None:
        with self._turn:
            self._closed = True
            connections, self._idle, self._reading = [*self._idle, *self._reading], [], []
        for connection in connections:
            connection.close()

    def _begin(self) -> psycopg.Connection[tuple[Any, ...]]:
        """A connection with a transaction begun. One that was kept while the server restarted is found out here, where trying again does no harm."""
        import psycopg

        while True:
            with self._turn:
                kept = self._idle.pop() if self._idle else None
            if kept is None:
                return self._connect()
            try:
                kept.execute("SELECT 1")  # opens the transaction
            except psycopg.Error:
                kept.close()
            else:
                return kept

    def _connect(self, *, autocommit: bool = False) -> psycopg.Connection[tuple[Any, ...]]:
        import psycopg

        try:
            connection = psycopg.connect(**self._parameters)
            connection.execute(f"SET statement_timeout = '{STATEMENT_SECONDS}s'; SET idle_in_transaction_session_timeout = '{STATEMENT_SECONDS}s'")
            connection.commit()
            connection.autocommit = autocommit
        except psycopg.Error as error:
            raise _translated(error) from error
        return connection

    def _keep(self, connection: psycopg.Connection[tuple[Any, ...]], idle: list[psycopg.Connection[tuple[Any, ...]]]) -> None:
        with self._turn:
            if not connection.closed and not self._closed and len(idle) < _IDLE:
                idle.append(connection)
                return
        connection.close()


def _parse(address: str) -> dict[str, Any]:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        parameters: dict[str, Any] = conninfo_to_dict(address)
    except psycopg.Error:  # what it says quotes the address
        raise UsageError(
            "EXEGESIS_CATALOG_ADDRESS is not the address of a PostgreSQL database", hint="Write it as postgresql://user@host:5432/database."
        ) from None
    return {"connect_timeout": CONNECT_SECONDS, "application_name": "exegesis", **parameters}


def _translated(error: psycopg.Error | UnicodeError) -> ExegesisError:
    import psycopg

    if isinstance(error, UnicodeError | psycopg.DataError):
        return UsageError("The database cannot hold these characters.", hint="A name holds a NUL or half a character.")
    if isinstance(error, psycopg.errors.InsufficientPrivilege | psycopg.errors.InvalidCatalogName | psycopg.errors.InvalidAuthorizationSpecification):
        return Unavailable(f"The catalog's database refuses: {_words(error)}.", hint="Check user, password and rights of EXEGESIS_CATALOG_ADDRESS.")
    if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedColumn | psycopg.errors.DataCorrupted):
        return CorruptIndex(f"The catalog's database is not what was written: {_words(error)}.", hint="Restore it, or empty it and index again.")
    return Unavailable(f"The catalog's database does not answer: {_words(error)}.", hint=_HINT)


def _words(error: psycopg.Error | UnicodeError) -> str:
    """On one line, without a full stop. The client library never quotes a password in what it says of a server."""
    return " ".join(str(error).split()).rstrip(".")
