"""``ports.ContentCache`` on a PostgreSQL server: what one worker parsed or embedded, all have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from exegesis.adapters.postgres_connections import Connections

_SCHEMA: Final = """
CREATE UNLOGGED TABLE IF NOT EXISTS cache_entry (space text NOT NULL, key bytea NOT NULL, used timestamptz NOT NULL, value bytea NOT NULL,
                                                 PRIMARY KEY (space, key));
CREATE INDEX IF NOT EXISTS cache_entry_by_use ON cache_entry (space, used);
ALTER TABLE cache_entry ALTER COLUMN value SET STORAGE EXTERNAL
"""
"""Unlogged, because losing it costs time and never truth, and uncompressed, because what comes in is compressed or does not compress."""
_SCHEMA_LOCK: Final = 0x45584343
"""Key of the advisory lock under which tables are made; any number that nobody else uses."""

_RESOLUTION: Final = "1 hour"
"""Within which a use is not worth a write: reading thousands of entries must not turn into thousands of updates."""


class PostgresCache:
    """A table in the first schema of the connection's search path; made when it is not there. Each call is one transaction."""

    def __init__(self, address: str) -> None:
        self._connections = Connections(address)
        try:
            with self._connections.transaction() as sql:
                sql.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
                if sql.execute("SELECT to_regclass('cache_entry')").fetchone()[0] is None:
                    sql.execute(_SCHEMA)
        except BaseException:
            self._connections.close()
            raise

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        with self._connections.transaction() as sql:
            wanted = list(dict.fromkeys(keys))
            rows = sql.execute(
                f"SELECT key, value, used < clock_timestamp() - interval '{_RESOLUTION}' FROM cache_entry WHERE space = %s AND key = ANY(%s)",
                (space, wanted),
            ).fetchall()
            aged = sorted(key for key, _, is_aged in rows if is_aged)
            if aged:  # skipping what somebody else is writing, which is a use as well
                sql.execute(
                    "UPDATE cache_entry SET used = clock_timestamp() WHERE ctid IN"
                    " (SELECT ctid FROM cache_entry WHERE space = %s AND key = ANY(%s) FOR UPDATE SKIP LOCKED)",
                    (space, aged),
                )
        return {key: value for key, value, _ in rows}

    def put(self, space: str, entries: Mapping[bytes, bytes]) -> None:
        if not entries:
            return
        with self._connections.transaction() as sql:
            sql.executemany(  # in one order for all, so that two that put the same entries wait for each other and not in a circle
                "INSERT INTO cache_entry VALUES (%s, %s, clock_timestamp(), %s)"
                " ON CONFLICT (space, key) DO UPDATE SET used = excluded.used, value = excluded.value",
                [(space, key, value) for key, value in sorted(entries.items())],
            )

    def trim(self, space: str, *, keep_bytes: int) -> None:
        """Drops the entries that were not used for longest until the values of the space take at most ``keep_bytes``."""
        with self._connections.transaction() as sql:
            sql.execute(
                "DELETE FROM cache_entry WHERE ctid IN (SELECT ctid FROM (SELECT ctid, sum(length(value)) OVER"
                " (ORDER BY used DESC, key DESC) AS kept FROM cache_entry WHERE space = %s) AS aged WHERE kept > %s)",
                (space, keep_bytes),
            )

    def close(self) -> None:
        self._connections.close()
