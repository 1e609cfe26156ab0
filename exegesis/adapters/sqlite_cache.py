"""``ports.ContentCache`` in one SQLite file: results that depend on content alone, dropped least recently used first.

Losing it costs time and never truth, so a file that does not read as a cache (damaged, or of another version) is replaced by an empty one.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from exegesis.adapters.sqlite_file import SharedDatabase
from exegesis.adapters.system_clock import SystemClock
from exegesis.errors import CorruptIndex, Unavailable
from exegesis.ports import Clock

_VERSION = 1
_SCHEMA = """
CREATE TABLE entry (space TEXT NOT NULL, key BLOB NOT NULL, used INTEGER NOT NULL, value BLOB NOT NULL, UNIQUE (space, key));
CREATE INDEX entry_by_use ON entry (space, used)
"""

_GROUP = 500
"""Keys of one statement; SQLite binds at most 32,766 values, and older builds 999."""
_RESOLUTION = 3600
"""Seconds within which a use is not worth a write: reading thousands of entries must not turn into thousands of updates."""


class SqliteCache:
    """Safe under concurrent processes; each call is one transaction."""

    def __init__(self, path: Path, clock: Clock | None = None) -> None:
        self._path = path
        self._clock = clock or SystemClock()
        self._turn = threading.Lock()
        try:
            self._database = self._open()
        except CorruptIndex:
            self._database = self._anew()

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        with self._replaced_if_damaged():
            found.update(self._get(space, keys))
        return found

    def put(self, space: str, entries: Mapping[bytes, bytes]) -> None:
        with self._replaced_if_damaged():
            self._put(space, entries)

    def trim(self, space: str, *, keep_bytes: int) -> None:
        """Drops the entries that were not used for longest until the values of the space take at most ``keep_bytes``."""
        with self._replaced_if_damaged():
            self._trim(space, keep_bytes)

    def close(self) -> None:
        self._database.close()

    def _open(self) -> SharedDatabase:
        return SharedDatabase(self._path, schema=_SCHEMA, version=_VERSION)

    def _anew(self) -> SharedDatabase:
        for suffix in ("", "-wal", "-shm"):  # whoever has the old files open keeps them until they close them
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        return self._open()

    @contextmanager
    def _replaced_if_damaged(self) -> Iterator[None]:
        used = self._database
        try:
            yield
        except CorruptIndex:
            with self._turn:
                if self._database is used:  # else another thread was first
                    self._database = self._anew()

    def _get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        now = int(self._clock.now())
        found: dict[bytes, bytes] = {}
        aged: list[int] = []
        with self._database.transaction(write=False) as sql:
            for group in _groups(keys):
                marks = ",".join("?" * len(group))
                for row, key, used, value in sql.execute(
                    f"SELECT rowid, key, used, value FROM entry WHERE space = ? AND key IN ({marks})",
                    (space, *group),
                ):
                    found[key] = value
                    if now - used > _RESOLUTION:
                        aged.append(row)
        if aged:
            with suppress(Unavailable), self._database.transaction(write=True) as sql:
                sql.executemany("UPDATE entry SET used = ? WHERE rowid = ?", [(now, row) for row in aged])  # what was found counts more
        return found

    def _put(self, space: str, entries: Mapping[bytes, bytes]) -> None:
        if not entries:
            return
        now = int(self._clock.now())
        with self._database.transaction(write=True) as sql:
            sql.executemany(
                "INSERT INTO entry VALUES (?, ?, ?, ?) ON CONFLICT (space, key) DO UPDATE SET used = excluded.used, value = excluded.value",
                [(space, key, now, value) for key, value in entries.items()],
            )

    def _trim(self, space: str, keep_bytes: int) -> None:
        with self._database.transaction(write=True) as sql:
            total = sql.execute("SELECT coalesce(sum(length(value)), 0) FROM entry WHERE space = ?", (space,)).fetchone()[0]
            if total <= keep_bytes:
                return
            doomed: list[tuple[int]] = []
            for row, size in sql.execute("SELECT rowid, length(value) FROM entry WHERE space = ? ORDER BY used, rowid", (space,)):
                if total <= keep_bytes:
                    break
                doomed.append((row,))
                total -= size
            sql.executemany("DELETE FROM entry WHERE rowid = ?", doomed)
        self._database.shrink()


def _groups(keys: Sequence[bytes]) -> Iterator[tuple[bytes, ...]]:
    remaining = iter(dict.fromkeys(keys))
    while group := tuple(itertools.islice(remaining, _GROUP)):
        yield group
