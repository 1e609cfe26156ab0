"""``ports.Catalog`` on a PostgreSQL server, for installations whose processes run on several machines.

The ledger is the one of :mod:`exegesis.adapters.sqlite_catalog`; what differs is how writers keep out of each other's way. SQLite has one writer
at a time. Here, whoever changes what belongs to a repository as a whole (its runs, its head) holds an advisory lock on the repository, and whoever
changes the batches of a run holds the row of the run: shared to lease, so that workers do not wait for each other, and alone to finish, so that
exactly one of them sees that none is left. Locks are taken in the order repository, run, batch.

Leases begin and end by the server's clock, the only one that all machines share.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Final

from exegesis.adapters.generation_json import read_generation, write_generation
from exegesis.adapters.postgres_connections import Connections, Cursor
from exegesis.errors import CorruptIndex, NotFound
from exegesis.model import Batch, Generation, Repository, RunState

_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE repository (id text PRIMARY KEY, name text NOT NULL, root text NOT NULL);
CREATE TABLE generation (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, repository text NOT NULL, id text NOT NULL, content text NOT NULL,
                         UNIQUE (repository, id));
CREATE TABLE head (repository text PRIMARY KEY, generation text NOT NULL);
CREATE TABLE run (id text PRIMARY KEY, repository text NOT NULL, fingerprint text NOT NULL, state text NOT NULL, reason text NOT NULL,
                  started timestamptz NOT NULL);
CREATE INDEX run_of_repository ON run (repository, state);
CREATE TABLE batch (run text NOT NULL, number integer NOT NULL, paths text NOT NULL, state text NOT NULL, attempt integer NOT NULL,
                    owner text NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (run, number));
CREATE TABLE note (repository text NOT NULL, name text NOT NULL, content bytea NOT NULL, PRIMARY KEY (repository, name));
"""
_SCHEMA_LOCK: Final = 0x45584547
"""Key of the advisory lock under which tables are made; any number that nobody else uses."""

_UNFINISHED: Final = [RunState.QUEUED.value, RunState.RUNNING.value]
_RUNS_KEPT: Final = 20
"""Finished runs of a repository that stay on record, as many as in SQLite."""


class PostgresCatalog:
    """Tables in the first schema of the connection's search path; made when they are not there.

    Args:
        address: ``postgresql://user:password@host:port/database``, or what else libpq takes. Never repeated in a message.

    """

    def __init__(self, address: str) -> None:
        self._connections = Connections(address)
        try:
            with self._connections.transaction() as sql:
                prepare(sql)
        except BaseException:
            self._connections.close()
            raise

    # ---- repositories

    def register(self, repository: Repository) -> None:
        with self._connections.transaction() as sql:
            sql.execute(
                "INSERT INTO repository VALUES (%s, %s, %s) ON CONFLICT (id) DO UPDATE SET name = excluded.name, root = excluded.root",
                (repository.id, repository.name, repository.root),
            )

    def repositories(self) -> Sequence[Repository]:
        # In the order of bytes, whatever the database's own order of letters is.
        return [Repository(*row) for row in self._connections.rows('SELECT id, name, root FROM repository ORDER BY id COLLATE "C"')]

    def forget(self, repository: str) -> None:
        with self._connections.transaction() as sql:
            hold_repository(sql, repository)
            sql.execute("SELECT 1 FROM run WHERE repository = %s ORDER BY id FOR UPDATE", (repository,))
            sql.execute("DELETE FROM batch WHERE run IN (SELECT id FROM run WHERE repository = %s)", (repository,))
            for statement in (
                "DELETE FROM run WHERE repository = %s",
                "DELETE FROM head WHERE repository = %s",
                "DELETE FROM generation WHERE repository = %s",
                "DELETE FROM note WHERE repository = %s",
                "DELETE FROM repository WHERE id = %s",
            ):
                sql.execute(statement, (repository,))

    # ---- generations

    def head(self, repository: str) -> Generation | None:
        rows = self._connections.rows(
            "SELECT g.content FROM head h JOIN generation g ON g.repository = h.repository AND g.id = h.generation WHERE h.repository = %s",
            (repository,),
        )
        return read_generation(rows[0][0]) if rows else None

    def generation(self, repository: str, generation: str) -> Generation | None:
        rows = self._connections.rows("SELECT content FROM generation WHERE repository = %s AND id = %s", (repository, generation))
        return read_generation(rows[0][0]) if rows else None

    def generations(self, repository: str) -> Sequence[Generation]:
        with self._connections.transaction() as sql:
            rows = sql.execute("SELECT content FROM generation WHERE repository = %s ORDER BY number DESC", (repository,)).fetchall()
        return [read_generation(row[0]) for row in rows]

    def activate(self, run: str, generation: Generation) -> bool:
        with self._connections.transaction() as sql:
            hold_repository(sql, generation.repository)
            if _hold_run(sql, run) not in _UNFINISHED:
                return False
            sql.execute(
                "INSERT INTO generation (repository, id, content) VALUES (%s, %s, %s)"
                " ON CONFLICT (repository, id) DO UPDATE SET content = excluded.content",
                (generation.repository, generation.id, write_generation(generation)),
            )
            sql.execute(
                "INSERT INTO head VALUES (%s, %s) ON CONFLICT (repository) DO UPDATE SET generation = excluded.generation",
                (generation.repository, generation.id),
            )
            _end(sql, run, RunState.DONE, "")
            return True

    def retire(self, repository: str, generation: str) -> None:
        with self._connections.transaction() as sql:
            hold_repository(sql, repository)
            sql.execute(
                "DELETE FROM generation g WHERE g.repository = %s AND g.id = %s"
                " AND NOT EXISTS (SELECT 1 FROM head h WHERE h.repository = g.repository AND h.generation = g.id)",
                (repository, generation),
            )

    # ---- runs

    def start_run(self, repository: str, fingerprint: str) -> tuple[str, bool]:
        with self._connections.transaction() as sql:
            hold_repository(sql, repository)
            resumed = ""
            unfinished = "SELECT id, fingerprint FROM run WHERE repository = %s AND state = ANY(%s) ORDER BY started DESC, id FOR UPDATE"
            for run, inputs in sql.execute(unfinished, (repository, _UNFINISHED)).fetchall():
                if inputs == fingerprint and not resumed:
                    resumed = run
                else:
                    _end(sql, run, RunState.SUPERSEDED, "the files changed before it was finished")
            if resumed:
                return resumed, True
            run = uuid.uuid4().hex
            sql.execute("INSERT INTO run VALUES (%s, %s, %s, %s, '', clock_timestamp())", (run, repository, fingerprint, RunState.RUNNING.value))
            sql.execute(
                "DELETE FROM run WHERE repository = %(repository)s AND state <> ALL(%(unfinished)s) AND id NOT IN"
                " (SELECT id FROM run WHERE repository = %(repository)s ORDER BY started DESC LIMIT %(kept)s)",
                {"repository": repository, "unfinished": _UNFINISHED, "kept": _RUNS_KEPT},
            )
            return run, False

    def plan(self, run: str, batches: Sequence[Sequence[str]]) -> None:
        with self._connections.transaction() as sql:
            if not _hold_run(sql, run):
                raise NotFound(f"There is no run {run}.")
            sql.execute("DELETE FROM batch WHERE run = %s", (run,))
            with sql.copy("COPY batch FROM STDIN") as rows:
                for number, paths in enumerate(batches):
                    rows.write_row((run, number, json.dumps(list(paths)), RunState.QUEUED.value, 0, "", "-infinity"))

    def batches(self, run: str) -> Sequence[Batch]:
        with self._connections.transaction() as sql:
            rows = sql.execute("SELECT run, number, paths, state, attempt FROM batch WHERE run = %s ORDER BY number", (run,)).fetchall()
        return [_read_batch(row) for row in rows]

    def lease(self, run: str, number: int, *, owner: str, seconds: float) -> Batch | None:
        with self._connections.transaction() as sql:
            row = sql.execute("SELECT state FROM run WHERE id = %s FOR SHARE", (run,)).fetchone()
            if row is None or row[0] not in _UNFINISHED:
                return None
            # A batch that somebody else is taking at this moment is taken: there is nothing to wait for.
            taken = sql.execute(
                "UPDATE batch SET state = %(running)s, attempt = batch.attempt + 1, owner = %(owner)s,"
                " until = clock_timestamp() + make_interval(secs => %(seconds)s)"
                " FROM (SELECT run, number FROM batch WHERE run = %(run)s AND number = %(number)s AND state <> %(done)s"
                "       AND (until <= clock_timestamp() OR owner = %(owner)s) FOR UPDATE SKIP LOCKED) AS free"
                " WHERE batch.run = free.run AND batch.number = free.number"
                " RETURNING batch.run, batch.number, batch.paths, batch.state, batch.attempt",
                {
                    "run": run,
                    "number": number,
                    "owner": owner,
                    "seconds": seconds,
                    "running": RunState.RUNNING.value,
                    "done": RunState.DONE.value,
                },
            ).fetchone()
        return _read_batch(taken) if taken else None

    def finish_batch(self, run: str, number: int) -> int:
        with self._connections.transaction() as sql:
            _hold_run(sql, run)
            sql.execute("UPDATE batch SET state = %s, until = '-infinity' WHERE run = %s AND number = %s", (RunState.DONE.value, run, number))
            left: int = sql.execute("SELECT count(*) FROM batch WHERE run = %s AND state <> %s", (run, RunState.DONE.value)).fetchone()[0]
        return left

    def keep_batch(self, run: str, number: int, *, owner: str, seconds: float) -> bool:
        with self._connections.transaction() as sql:
            row = sql.execute("SELECT state FROM run WHERE id = %s FOR SHARE", (run,)).fetchone()
            if row is None or row[0] not in _UNFINISHED:
                return False
            held = sql.execute(
                "UPDATE batch SET until = clock_timestamp() + make_interval(secs => %s) WHERE run = %s AND number = %s AND state = %s AND owner = %s",
                (seconds, run, number, RunState.RUNNING.value, owner),
            )
            return bool(held.rowcount)

    def give_back(self, run: str, number: int, *, owner: str) -> None:
        with self._connections.transaction() as sql:
            sql.execute(
                "UPDATE batch SET state = %s, owner = '', until = '-infinity', attempt = attempt - 1"
                " WHERE run = %s AND number = %s AND state = %s AND owner = %s",
                (RunState.QUEUED.value, run, number, RunState.RUNNING.value, owner),
            )

    def idle_batches(self, run: str) -> Sequence[int]:
        with self._connections.transaction() as sql:
            idle = "SELECT number FROM batch WHERE run = %s AND state <> %s AND until <= clock_timestamp() ORDER BY number"
            return [row[0] for row in sql.execute(idle, (run, RunState.DONE.value)).fetchall()]

    def end_run(self, run: str, state: RunState, reason: str = "") -> None:
        with self._connections.transaction() as sql:
            if not _hold_run(sql, run):
                raise NotFound(f"There is no run {run}.")
            _end(sql, run, state, reason)

    # ---- notes

    def load_note(self, repository: str, name: str) -> bytes | None:
        with self._connections.transaction() as sql:
            row = sql.execute("SELECT content FROM note WHERE repository = %s AND name = %s", (repository, name)).fetchone()
        return bytes(row[0]) if row else None

    def save_note(self, repository: str, name: str, content: bytes) -> None:
        with self._connections.transaction() as sql:
            sql.execute(
                "INSERT INTO note VALUES (%s, %s, %s) ON CONFLICT (repository, name) DO UPDATE SET content = excluded.content",
                (repository, name, content),
            )

    def close(self) -> None:
        self._connections.close()


def prepare(sql: Cursor) -> None:
    """Make the tables, once for all processes that start at the same time. Raises ``CorruptIndex`` for tables of another version."""
    sql.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
    sql.execute("CREATE TABLE IF NOT EXISTS catalog_version (version integer NOT NULL)")
    row = sql.execute("SELECT version FROM catalog_version").fetchone()
    if row is None:
        sql.execute(_SCHEMA)
        sql.execute("INSERT INTO catalog_version VALUES (%s)", (_VERSION,))
    elif row[0] != _VERSION:
        raise CorruptIndex("The catalog's database was written by another version of Exegesis.", hint="Empty it and index again.")


def hold_repository(sql: Cursor, repository: str) -> None:
    """Until the end of the transaction nobody else changes runs or head of this repository, registered or not."""
    sql.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (repository,))


def _hold_run(sql: Cursor, run: str) -> str:
    """The state of a run that nobody else changes until the end of the transaction, nor any of its batches; empty when there is none."""
    row = sql.execute("SELECT state FROM run WHERE id = %s FOR UPDATE", (run,)).fetchone()
    return str(row[0]) if row else ""


def _end(sql: Cursor, run: str, state: RunState, reason: str) -> None:
    sql.execute("UPDATE run SET state = %s, reason = %s WHERE id = %s", (state.value, reason.replace("\0", " "), run))
    if state.value not in _UNFINISHED:
        sql.execute("DELETE FROM batch WHERE run = %s", (run,))


def _read_batch(row: tuple[str, int, str, str, int]) -> Batch:
    run, number, paths, state, attempt = row
    return Batch(run, number, tuple(json.loads(paths)), RunState(state), attempt)
