"""``ports.TokenStore`` in one SQLite file beside the catalog."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from exegesis.adapters.sqlite_file import SharedDatabase
from exegesis.ports import TokenRecord

_VERSION = 1
_SCHEMA = """
CREATE TABLE token (id TEXT PRIMARY KEY, name TEXT NOT NULL, digest BLOB NOT NULL, scopes TEXT NOT NULL, created REAL NOT NULL, expires REAL,
                    per_minute INTEGER NOT NULL, revoked REAL, used REAL) WITHOUT ROWID
"""

_COLUMNS = "id, name, digest, scopes, created, expires, per_minute, revoked, used"


class SqliteTokens:
    """A file of its own, so that whoever may read the catalog need not be able to read who may ask."""

    def __init__(self, path: Path) -> None:
        self._database = SharedDatabase(path, schema=_SCHEMA, version=_VERSION)
        with suppress(OSError):  # a folder that may only be read; the file was made with these rights
            path.chmod(0o600)

    def add(self, token: TokenRecord) -> None:
        row = (
            token.id,
            token.name,
            token.digest,
            json.dumps(token.scopes),
            token.created,
            token.expires,
            token.per_minute,
            token.revoked,
            token.used,
        )
        with self._database.transaction(write=True) as sql:
            sql.execute(f"INSERT INTO token ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def find(self, token: str) -> TokenRecord | None:
        with self._database.transaction(write=False) as sql:
            row = sql.execute(f"SELECT {_COLUMNS} FROM token WHERE id = ?", (token,)).fetchone()
        return _read(row) if row else None

    def all(self) -> Sequence[TokenRecord]:
        with self._database.transaction(write=False) as sql:
            return [_read(row) for row in sql.execute(f"SELECT {_COLUMNS} FROM token ORDER BY created, id")]

    def revoke(self, token: str, at: float) -> bool:
        with self._database.transaction(write=True) as sql:
            return sql.execute("UPDATE token SET revoked = coalesce(revoked, ?) WHERE id = ?", (at, token)).rowcount > 0

    def mark_used(self, token: str, at: float) -> None:
        with self._database.transaction(write=True) as sql:
            sql.execute("UPDATE token SET used = ? WHERE id = ?", (at, token))

    def close(self) -> None:
        self._database.close()


def _read(row: tuple[Any, ...]) -> TokenRecord:
    identifier, name, digest, scopes, created, expires, per_minute, revoked, used = row
    return TokenRecord(identifier, name, bytes(digest), tuple(json.loads(scopes)), created, expires, per_minute, revoked, used)
