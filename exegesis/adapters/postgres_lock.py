"""``ports.WriteLock`` on advisory locks of a PostgreSQL server, for writers on several machines.

A lock belongs to a connection, which the server ends with the process at its other end, however that dies, or when TCP finds the machine gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from exegesis.adapters.postgres_connections import Connections
from exegesis.errors import Conflict

_SPACE: Final = 1
"""Seed that tells these locks from those of the catalog, which are of repositories as well, and of single transactions."""


class PostgresLock:
    """Locks of the database at ``address``."""

    def __init__(self, address: str) -> None:
        self._connections = Connections(address)

    @contextmanager
    def hold(self, repository: str) -> Iterator[None]:
        with self._connections.session() as sql:
            if not sql.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, %s))", (repository, _SPACE)).fetchone()[0]:
                raise Conflict(f"The index of {repository} is being written.")
            yield
