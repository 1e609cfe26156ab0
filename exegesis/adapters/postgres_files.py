"""Files kept in a PostgreSQL database: cut into compressed parts, known by the digest of their content, there as a whole or not at all.

A file has a name, and several names may mean the same content, which is kept once. Nothing is ever changed in place: content that bears a digest is
that content, so whoever has fetched it need never ask again.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final

from exegesis.adapters.postgres_connections import Connections, Cursor
from exegesis.errors import CorruptIndex, NotIndexed

PART_BYTES: Final = 4 << 20
"""Of the file, before it is compressed. Each part is a statement and a message of its own, far within the limits of time and memory of both."""

_LEVEL: Final = 1
"""Half the size for 20 ms a MiB; higher levels take longer and save a twentieth more, since most of what is in a graph is packed already."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS graph_content (digest text PRIMARY KEY, bytes bigint NOT NULL, parts integer NOT NULL);
CREATE TABLE IF NOT EXISTS graph_part (digest text NOT NULL REFERENCES graph_content ON DELETE CASCADE, number integer NOT NULL,
                                       packed bytea NOT NULL, PRIMARY KEY (digest, number));
CREATE TABLE IF NOT EXISTS graph_generation (repository text NOT NULL, generation text NOT NULL, digest text NOT NULL REFERENCES graph_content,
                                             PRIMARY KEY (repository, generation));
CREATE INDEX IF NOT EXISTS graph_generation_by_content ON graph_generation (digest);
ALTER TABLE graph_part ALTER COLUMN packed SET STORAGE EXTERNAL
"""
_SCHEMA_LOCK: Final = 0x45584746
"""Key of the advisory lock under which tables are made; any number that nobody else uses."""


class PostgresFiles:
    """Finished graphs by repository and generation, in the first schema of the connection's search path. Each method is one transaction.

    Args:
        address: Of the database, as :class:`exegesis.adapters.postgres_catalog.PostgresCatalog` takes it.

    """

    def __init__(self, address: str) -> None:
        self._connections = Connections(address)
        try:
            with self._connections.transaction() as sql:
                sql.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
                if sql.execute("SELECT to_regclass('graph_generation')").fetchone()[0] is None:
                    sql.execute(_SCHEMA)
        except BaseException:
            self._connections.close()
            raise

    def save(self, repository: str, generation: str, file: Path) -> None:
        """Keep a copy of ``file``, which nobody writes meanwhile, under this name from the end of the transaction on."""
        with file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
            content.seek(0)
            with self._connections.transaction() as sql:
                _hold(sql, digest)
                if sql.execute("SELECT 1 FROM graph_content WHERE digest = %s", (digest,)).fetchone() is None:
                    _insert(sql, digest, content, file.stat().st_size)
                _name(sql, repository, generation, digest)

    def size(self, repository: str, generation: str) -> int:
        """Bytes of a file. Raises ``NotIndexed`` where there is none."""
        with self._connections.transaction() as sql:
            row = sql.execute(
                "SELECT bytes FROM graph_generation JOIN graph_content USING (digest) WHERE repository = %s AND generation = %s",
                (repository, generation),
            ).fetchone()
        if row is None:
            raise _missing(repository, generation)
        return int(row[0])

    def fetch(self, repository: str, generation: str, to: Path) -> None:
        """Write a copy to ``to``. Raises ``NotIndexed`` where there is none, or none any more, ``CorruptIndex`` if it is not what was saved."""
        with self._connections.transaction() as sql:
            named = _content(sql, repository, generation)
            if named is None:
                raise _missing(repository, generation)
            digest, size, parts = named
            seen, written = hashlib.sha256(), 0
            with to.open("wb") as out:
                for number in range(parts):
                    part = _unpacked(sql.execute("SELECT packed FROM graph_part WHERE digest = %s AND number = %s", (digest, number)).fetchone())
                    seen.update(part)
                    written += out.write(part)
            is_whole = (seen.hexdigest(), written) == (digest, size)
            if not is_whole and _content(sql, repository, generation) != named:  # deleted meanwhile: its last parts were not there any more
                raise _missing(repository, generation)
        if not is_whole:
            raise CorruptIndex(f"What the database keeps of generation {generation} of {repository} is not what was written.")

    def share(self, repository: str, generation: str, further: str) -> None:
        """Give the same content a further name. Raises ``NotIndexed``."""
        with self._connections.transaction() as sql:
            row = sql.execute("SELECT digest FROM graph_generation WHERE repository = %s AND generation = %s", (repository, generation)).fetchone()
            if row is None:
                raise _missing(repository, generation)
            _hold(sql, row[0])
            _name(sql, repository, further, row[0])

    def delete(self, repository: str, generation: str) -> None:
        with self._connections.transaction() as sql:
            removed = sql.execute(
                "DELETE FROM graph_generation WHERE repository = %s AND generation = %s RETURNING digest", (repository, generation)
            ).fetchone()
            if removed is not None:
                _drop_unnamed(sql, removed[0])

    def generations(self, repository: str) -> Sequence[str]:
        with self._connections.transaction() as sql:
            rows = sql.execute("SELECT generation FROM graph_generation WHERE repository = %s", (repository,)).fetchall()
        return sorted(name for (name,) in rows)

    def names(self) -> Sequence[tuple[str, str]]:
        """Repository and generation of all that there are."""
        with self._connections.transaction() as sql:
            return [
                (repository, generation) for repository, generation in sql.execute("SELECT repository, generation FROM graph_generation").fetchall()
            ]

    def close(self) -> None:
        self._connections.close()


def _missing(repository: str, generation: str) -> NotIndexed:
    return NotIndexed(f"There is no finished generation {generation} of {repository}.")


def _content(sql: Cursor, repository: str, generation: str) -> tuple[str, int, int] | None:
    """Digest, bytes and number of parts of what bears a name now."""
    found: tuple[str, int, int] | None = sql.execute(
        "SELECT digest, bytes, parts FROM graph_generation JOIN graph_content USING (digest) WHERE repository = %s AND generation = %s",
        (repository, generation),
    ).fetchone()
    return found


def _hold(sql: Cursor, digest: str) -> None:
    """Until the end of the transaction nobody else adds this content, names it, or finds that it has no name."""
    sql.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", (digest,))


def _insert(sql: Cursor, digest: str, content: BinaryIO, size: int) -> None:
    sql.execute("INSERT INTO graph_content VALUES (%s, %s, %s)", (digest, size, -(-size // PART_BYTES)))
    for number, part in enumerate(iter(lambda: content.read(PART_BYTES), b"")):
        sql.execute("INSERT INTO graph_part VALUES (%s, %s, %s)", (digest, number, zlib.compress(part, _LEVEL)))


def _name(sql: Cursor, repository: str, generation: str, digest: str) -> None:
    before = sql.execute(
        "SELECT digest FROM graph_generation WHERE repository = %s AND generation = %s FOR UPDATE", (repository, generation)
    ).fetchone()
    sql.execute(
        "INSERT INTO graph_generation VALUES (%s, %s, %s) ON CONFLICT (repository, generation) DO UPDATE SET digest = excluded.digest",
        (repository, generation, digest),
    )
    if before is not None and before[0] != digest:
        _drop_unnamed(sql, before[0])


def _drop_unnamed(sql: Cursor, digest: str) -> None:
    """Delete content that has no name any more."""
    _hold(sql, digest)
    sql.execute(
        "DELETE FROM graph_content c WHERE digest = %s AND NOT EXISTS (SELECT 1 FROM graph_generation g WHERE g.digest = c.digest)", (digest,)
    )


def _unpacked(row: tuple[bytes] | None) -> bytes:
    """One part; nothing where it is missing or damaged, which the digest of the whole finds out."""
    reading = zlib.decompressobj()
    try:
        return reading.decompress(row[0], PART_BYTES) if row else b""
    except zlib.error:
        return b""
