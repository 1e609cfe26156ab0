"""``ports.Catalog`` in one SQLite file: the ledger of repositories, runs, batches and generations."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Sequence
from pathlib import Path

from exegesis.adapters.generation_json import read_generation, write_generation
from exegesis.adapters.sqlite_file import SharedDatabase
from exegesis.errors import NotFound
from exegesis.model import Batch, Generation, Repository, RunState
from exegesis.ports import Clock

_VERSION = 1
_SCHEMA = """
CREATE TABLE repository (id TEXT PRIMARY KEY, name TEXT NOT NULL, root TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE generation (number INTEGER PRIMARY KEY AUTOINCREMENT, repository TEXT NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL,
                         UNIQUE (repository, id));
CREATE TABLE head (repository TEXT PRIMARY KEY, generation TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE run (id TEXT PRIMARY KEY, repository TEXT NOT NULL, fingerprint TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
                  started REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX run_of_repository ON run (repository, state);
CREATE TABLE batch (run TEXT NOT NULL, number INTEGER NOT NULL, paths TEXT NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL,
                    owner TEXT NOT NULL, until REAL NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE note (repository TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (repository, name)) WITHOUT ROWID
"""

_UNFINISHED = (RunState.QUEUED, RunState.RUNNING)
_RUNS_KEPT = 20
"""Finished runs of a repository that stay on record, for `status` and for people who look; batches of finished runs are dropped at once."""


def open_catalog(path: Path) -> SharedDatabase:
    """The file that a catalog is kept in."""
    return SharedDatabase(path, schema=_SCHEMA, version=_VERSION)


class SqliteCatalog:
    """Leases end by ``clock``, which must be one clock for all processes that share the file: the machine's."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._database = open_catalog(path)
        self._clock = clock

    # ---- repositories

    def register(self, repository: Repository) -> None:
        with self._database.transaction(write=True) as sql:
            sql.execute(
                "INSERT INTO repository VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, root = excluded.root",
                (repository.id, repository.name, repository.root),
            )

    def repositories(self) -> Sequence[Repository]:
        with self._database.transaction(write=False) as sql:
            return [Repository(*row) for row in sql.execute("SELECT id, name, root FROM repository ORDER BY id")]

    def forget(self, repository: str) -> None:
        with self._database.transaction(write=True) as sql:
            sql.execute("DELETE FROM batch WHERE run IN (SELECT id FROM run WHERE repository = ?)", (repository,))
            for statement in (
                "DELETE FROM run WHERE repository = ?",
                "DELETE FROM head WHERE repository = ?",
                "DELETE FROM generation WHERE repository = ?",
                "DELETE FROM note WHERE repository = ?",
                "DELETE FROM repository WHERE id = ?",
            ):
                sql.execute(statement, (repository,))

    # ---- generations

    def head(self, repository: str) -> Generation | None:
        with self._database.transaction(write=False) as sql:
            row = sql.execute(
                "SELECT g.content FROM head h JOIN generation g ON g.repository = h.repository AND g.id = h.generation WHERE h.repository = ?",
                (repository,),
            ).fetchone()
        return read_generation(row[0]) if row else None

    def generation(self, repository: str, generation: str) -> Generation | None:
        with self._database.transaction(write=False) as sql:
            row = sql.execute("SELECT content FROM generation WHERE repository = ? AND id = ?", (repository, generation)).fetchone()
        return read_generation(row[0]) if row else None

    def generations(self, repository: str) -> Sequence[Generation]:
        with self._database.transaction(write=False) as sql:
            rows = sql.execute("SELECT content FROM generation WHERE repository = ? ORDER BY number DESC", (repository,)).fetchall()
        return [read_generation(row[0]) for row in rows]

    def activate(self, run: str, generation: Generation) -> bool:
        with self._database.transaction(write=True) as sql:
            if _state_of(sql, run) not in _UNFINISHED:
                return False
            sql.execute(
                "INSERT INTO generation (repository, id, content) VALUES (?, ?, ?)"
                " ON CONFLICT (repository, id) DO UPDATE SET content = excluded.content",
                (generation.repository, generation.id, write_generation(generation)),
            )
            sql.execute(
                "INSERT INTO head VALUES (?, ?) ON CONFLICT (repository) DO UPDATE SET generation = excluded.generation",
                (generation.repository, generation.id),
            )
            _end(sql, run, RunState.DONE, "")
            return True

    def retire(self, repository: str, generation: str) -> None:
        with self._database.transaction(write=True) as sql:
            sql.execute(
                "DELETE FROM generation WHERE repository = ?1 AND id = ?2"
                " AND NOT EXISTS (SELECT 1 FROM head WHERE repository = ?1 AND generation = ?2)",
                (repository, generation),
            )

    # ---- runs

    def start_run(self, repository: str, fingerprint: str) -> tuple[str, bool]:
        with self._database.transaction(write=True) as sql:
            resumed = ""
            unfinished = "SELECT id, fingerprint FROM run WHERE repository = ? AND state IN (?, ?) ORDER BY started DESC, id"
            for run, inputs in sql.execute(unfinished, (repository, *_UNFINISHED)).fetchall():
                if inputs == fingerprint and not resumed:
                    resumed = run
                else:
                    _end(sql, run, RunState.SUPERSEDED, "the files changed before it was finished")
            if resumed:
                return resumed, True
            run = uuid.uuid4().hex
            sql.execute("INSERT INTO run VALUES (?, ?, ?, ?, '', ?)", (run, repository, fingerprint, RunState.RUNNING, self._clock.now()))
            sql.execute(
                "DELETE FROM run WHERE repository = ?1 AND state NOT IN (?2, ?3) AND id NOT IN"
                " (SELECT id FROM run WHERE repository = ?1 ORDER BY started DESC LIMIT ?4)",
                (repository, *_UNFINISHED, _RUNS_KEPT),
            )
            return run, False

    def plan(self, run: str, batches: Sequence[Sequence[str]]) -> None:
        with self._database.transaction(write=True) as sql:
            _require_run(sql, run)
            sql.execute("DELETE FROM batch WHERE run = ?", (run,))
            sql.executemany(
                "INSERT INTO batch VALUES (?, ?, ?, ?, 0, '', 0)",
                [(run, number, json.dumps(list(paths)), RunState.QUEUED) for number, paths in enumerate(batches)],
            )

    def batches(self, run: str) -> Sequence[Batch]:
        with self._database.transaction(write=False) as sql:
            rows = sql.execute("SELECT run, number, paths, state, attempt FROM batch WHERE run = ? ORDER BY number", (run,)).fetchall()
        return [_read_batch(row) for row in rows]

    def lease(self, run: str, number: int, *, owner: str, seconds: float) -> Batch | None:
        now = self._clock.now()
        with self._database.transaction(write=True) as sql:
            if _state_of(sql, run) not in _UNFINISHED:
                return None
            row = sql.execute(
                "UPDATE batch SET state = ?, attempt = attempt + 1, owner = ?, until = ?"
                " WHERE run = ? AND number = ? AND state <> ? AND (until <= ? OR owner = ?)"
                " RETURNING run, number, paths, state, attempt",
                (RunState.RUNNING, owner, now + seconds, run, number, RunState.DONE, now, owner),
            ).fetchone()
        return _read_batch(row) if row else None

    def finish_batch(self, run: str, number: int) -> int:
        with self._database.transaction(write=True) as sql:
            sql.execute("UPDATE batch SET state = ?, until = 0 WHERE run = ? AND number = ?", (RunState.DONE, run, number))
            left: int = sql.execute("SELECT count(*) FROM batch WHERE run = ? AND state <> ?", (run, RunState.DONE)).fetchone()[0]
        return left

    def keep_batch(self, run: str, number: int, *, owner: str, seconds: float) -> bool:
        with self._database.transaction(write=True) as sql:
            if _state_of(sql, run) not in _UNFINISHED:
                return False
            held = sql.execute(
                "UPDATE batch SET until = ? WHERE run = ? AND number = ? AND state = ? AND owner = ?",
                (self._clock.now() + seconds, run, number, RunState.RUNNING, owner),
            )
            return held.rowcount > 0

    def give_back(self, run: str, number: int, *, owner: str) -> None:
        with self._database.transaction(write=True) as sql:
            sql.execute(
                "UPDATE batch SET state = ?, owner = '', until = 0, attempt = attempt - 1 WHERE run = ? AND number = ? AND state = ? AND owner = ?",
                (RunState.QUEUED, run, number, RunState.RUNNING, owner),
            )

    def idle_batches(self, run: str) -> Sequence[int]:
        with self._database.transaction(write=False) as sql:
            idle = "SELECT number FROM batch WHERE run = ? AND state <> ? AND until <= ? ORDER BY number"
            return [row[0] for row in sql.execute(idle, (run, RunState.DONE, self._clock.now()))]

    def end_run(self, run: str, state: RunState, reason: str = "") -> None:
        with self._database.transaction(write=True) as sql:
            _require_run(sql, run)
            _end(sql, run, state, reason)

    # ---- notes

    def load_note(self, repository: str, name: str) -> bytes | None:
        with self._database.transaction(write=False) as sql:
            row = sql.execute("SELECT content FROM note WHERE repository = ? AND name = ?", (repository, name)).fetchone()
        return bytes(row[0]) if row else None

    def save_note(self, repository: str, name: str, content: bytes) -> None:
        with self._database.transaction(write=True) as sql:
            sql.execute(
                "INSERT INTO note VALUES (?, ?, ?) ON CONFLICT (repository, name) DO UPDATE SET content = excluded.content",
                (repository, name, content),
            )

    def close(self) -> None:
        self._database.close()


def _state_of(sql: sqlite3.Cursor, run: str) -> str:
    row = sql.execute("SELECT state FROM run WHERE id = ?", (run,)).fetchone()
    return str(row[0]) if row else ""


def _require_run(sql: sqlite3.Cursor, run: str) -> None:
    if not _state_of(sql, run):
        raise NotFound(f"There is no run {run}.")


def _end(sql: sqlite3.Cursor, run: str, state: RunState, reason: str) -> None:
    sql.execute("UPDATE run SET state = ?, reason = ? WHERE id = ?", (state, reason, run))
    if state not in _UNFINISHED:
        sql.execute("DELETE FROM batch WHERE run = ?", (run,))


def _read_batch(row: tuple[str, int, str, str, int]) -> Batch:
    run, number, paths, state, attempt = row
    return Batch(run, number, tuple(json.loads(paths)), RunState(state), attempt)
