"""``ports.Errands`` in tables beside those of a catalog, whichever database that is.

Times are seconds since the epoch by the database's own clock. Every change is one statement that checks what it relies on, so that two workers that
want the same step get it one after the other; only a new run and its inputs concern all runs of a repository, which is then held.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

from exegesis.model import Errand, Progress, RunState, RunStep, Standing, Tally

TABLES: Final = """
CREATE TABLE IF NOT EXISTS errand (
    run TEXT PRIMARY KEY, repository TEXT NOT NULL, step TEXT NOT NULL, queue TEXT NOT NULL, options TEXT NOT NULL, trace TEXT NOT NULL,
    owner TEXT NOT NULL, until DOUBLE PRECISION NOT NULL, attempt INTEGER NOT NULL, waits INTEGER NOT NULL,
    due DOUBLE PRECISION NOT NULL, rings INTEGER NOT NULL, opened INTEGER NOT NULL, batches INTEGER NOT NULL,
    phase TEXT NOT NULL, done INTEGER NOT NULL, total INTEGER NOT NULL, detail TEXT NOT NULL, outcome TEXT NOT NULL, joined TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS errand_of_repository ON errand (repository);
CREATE TABLE IF NOT EXISTS death (run TEXT NOT NULL, step TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (run, step));
CREATE TABLE IF NOT EXISTS office (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until DOUBLE PRECISION NOT NULL);
CREATE TABLE IF NOT EXISTS tally (name TEXT PRIMARY KEY, number BIGINT NOT NULL)
"""

_ROW: Final = (
    "run, repository, (SELECT state FROM run WHERE id = errand.run), (SELECT reason FROM run WHERE id = errand.run), step, queue, options, trace,"
    " attempt, waits, opened, batches, phase, done, total, detail, outcome, joined,"
    " COALESCE((SELECT number FROM death WHERE run = errand.run AND step = errand.step), 0)"
)
_OPEN: Final = f"EXISTS (SELECT 1 FROM run WHERE id = errand.run AND state IN ('{RunState.QUEUED}', '{RunState.RUNNING}'))"

_UNFINISHED: Final = frozenset({RunState.QUEUED, RunState.RUNNING})

_RINGS: Final = 6
"""Doublings after which the pause between two reminders grows no more: about half an hour, where the first is some tens of seconds."""
_RUNS_KEPT: Final = 20
"""Finished runs of a repository that stay on record, as in the catalog."""


class Ledger(Protocol):
    """A database with the tables of a catalog and ``TABLES``, for one statement at a time; parameters are written ``?``."""

    started: str
    """An expression for the moment that a run was asked for, in seconds since the epoch."""

    def transaction(self) -> AbstractContextManager[Any]: ...
    def now(self, sql: Any) -> float: ...
    def hold(self, sql: Any, repository: str) -> None:
        """Until the end of the transaction, nobody else changes the runs of a repository."""
        ...

    def add_run(self, sql: Any, run: str, repository: str) -> None: ...
    def close(self) -> None: ...


class TableErrands:
    """Errands of a ledger. ``quiet`` are the seconds after which a run is rung for again that nothing was heard of."""

    def __init__(self, ledger: Ledger, *, quiet: float) -> None:
        self._ledger = ledger
        self._quiet = quiet

    def ask(self, repository: str, step: RunStep, *, queue: str, options: str = "", trace: str = "") -> str:
        with self._ledger.transaction() as sql:
            self._ledger.hold(sql, repository)
            due = self._ledger.now(sql) + self._quiet
            waiting = sql.execute(
                f"SELECT run FROM errand WHERE repository = ? AND step = ? AND options = ? AND attempt = 0 AND {_OPEN}", (repository, step, options)
            ).fetchone()
            if waiting:
                sql.execute("UPDATE errand SET queue = ?, due = ? WHERE run = ?", (queue, due, waiting[0]))
                return str(waiting[0])
            run = uuid.uuid4().hex
            self._ledger.add_run(sql, run, repository)
            sql.execute(
                f"INSERT INTO errand VALUES (?, ?, ?, ?, ?, ?, '', 0, 0, 0, ?, 0, 0, 0, '{RunState.QUEUED}', 0, 0, '', '', '')",
                (run, repository, step, queue, options, trace, due),
            )
            sql.execute(
                f"DELETE FROM run WHERE repository = ? AND state NOT IN ('{RunState.QUEUED}', '{RunState.RUNNING}') AND id NOT IN"
                f" (SELECT id FROM run WHERE repository = ? ORDER BY started DESC LIMIT {_RUNS_KEPT})",
                (repository, repository),
            )
            gone = "SELECT run FROM errand WHERE repository = ? AND NOT EXISTS (SELECT 1 FROM run WHERE id = errand.run)"
            sql.execute(f"DELETE FROM death WHERE run IN ({gone})", (repository,))
            sql.execute(f"DELETE FROM errand WHERE run IN ({gone})", (repository,))
            return run

    def find(self, run: str) -> Errand | None:
        with self._ledger.transaction() as sql:
            row = sql.execute(f"SELECT {_ROW} FROM errand WHERE run = ? AND EXISTS (SELECT 1 FROM run WHERE id = errand.run)", (run,)).fetchone()
        return _read(row) if row else None

    def of(self, repository: str) -> Sequence[Errand]:
        with self._ledger.transaction() as sql:
            rows = sql.execute(
                f"SELECT {_ROW}, (SELECT started FROM run WHERE id = errand.run) AS started FROM errand"
                " WHERE repository = ? AND EXISTS (SELECT 1 FROM run WHERE id = errand.run) ORDER BY started DESC, run",
                (repository,),
            ).fetchall()
        return [_read(row[:-1]) for row in rows]

    def take(self, run: str, step: RunStep, *, owner: str, seconds: float) -> Errand | None:
        with self._ledger.transaction() as sql:
            now = self._ledger.now(sql)
            row = sql.execute(
                "UPDATE errand SET owner = ?, until = ?, due = ?, attempt = attempt + 1, rings = 0"
                f" WHERE run = ? AND step = ? AND until <= ? AND {_OPEN} RETURNING {_ROW}",
                (owner, now + seconds, now + seconds, run, step, now),
            ).fetchone()
            if row is None:
                return None
            sql.execute("UPDATE run SET state = ? WHERE id = ? AND state = ?", (RunState.RUNNING, run, RunState.QUEUED))
        return _read(row)

    def keep(self, run: str, *, owner: str, seconds: float) -> bool:
        with self._ledger.transaction() as sql:
            until = self._ledger.now(sql) + seconds
            held = sql.execute(f"UPDATE errand SET until = ?, due = ? WHERE run = ? AND owner = ? AND {_OPEN}", (until, until, run, owner))
            return bool(held.rowcount)

    def adopt(self, run: str, fingerprint: str) -> str:
        unfinished = f"state IN ('{RunState.QUEUED}', '{RunState.RUNNING}')"
        with self._ledger.transaction() as sql:
            repository = sql.execute("SELECT repository FROM errand WHERE run = ?", (run,)).fetchone()
            if repository is None:
                return run
            self._ledger.hold(sql, repository[0])
            others = sql.execute(
                f"SELECT id, fingerprint, (SELECT 1 FROM errand WHERE errand.run = run.id) FROM run"
                f" WHERE repository = ? AND id <> ? AND fingerprint <> '' AND {unfinished} ORDER BY started, id",
                (repository[0], run),
            ).fetchall()
            same = next((other for other, inputs, is_errand in others if inputs == fingerprint and is_errand), None)
            if same is not None:
                sql.execute("UPDATE errand SET joined = ? WHERE run = ?", (same, run))
                self._end(sql, run, "the same files are being indexed already")
                return str(same)
            for other, _, _ in others:
                self._end(sql, other, "the files changed before it was finished")
            sql.execute(f"UPDATE run SET fingerprint = ? WHERE id = ? AND {unfinished}", (fingerprint, run))
            return run

    def move(self, run: str, step: RunStep, to: RunStep, *, batches: int = 0) -> bool:
        with self._ledger.transaction() as sql:
            moved = sql.execute(
                "UPDATE errand SET step = ?, owner = '', until = 0, attempt = 0, due = ?, rings = 0, opened = 0, batches = ?"
                f" WHERE run = ? AND step = ? AND {_OPEN}",
                (to, self._ledger.now(sql) + self._quiet, batches, run, step),
            )
            return bool(moved.rowcount)

    def mourn(self, run: str, step: RunStep) -> None:
        with self._ledger.transaction() as sql:
            sql.execute(
                f"INSERT INTO death SELECT run, step, 1 FROM errand WHERE run = ? AND step = ? AND {_OPEN}"
                " ON CONFLICT (run, step) DO UPDATE SET number = death.number + 1",
                (run, step),
            )

    def put_off(self, run: str, *, owner: str, seconds: float) -> None:
        with self._ledger.transaction() as sql:
            until = self._ledger.now(sql) + seconds
            sql.execute(
                "UPDATE errand SET owner = '', until = ?, due = ?, rings = 0, attempt = 0, waits = waits + 1 WHERE run = ? AND owner = ?",
                (until, until, run, owner),
            )

    def open_batches(self, run: str, count: int) -> Sequence[int]:
        with self._ledger.transaction() as sql:
            row = sql.execute(
                f"UPDATE errand SET opened = opened + ?, due = ?, rings = 0 WHERE run = ? AND opened < batches AND {_OPEN} RETURNING opened, batches",
                (count, self._ledger.now(sql) + self._quiet, run),
            ).fetchone()
        return range(row[0] - count, min(row[0], row[1])) if row else ()

    def tell(self, run: str, progress: Progress) -> None:
        with self._ledger.transaction() as sql:
            sql.execute(
                "UPDATE errand SET phase = ?, done = ?, total = ?, detail = ? WHERE run = ?",
                (progress.phase, progress.done, progress.total, progress.detail.replace("\0", " "), run),
            )

    def advance(self, run: str, count: int) -> None:
        with self._ledger.transaction() as sql:
            sql.execute("UPDATE errand SET done = done + ?, due = ?, rings = 0 WHERE run = ?", (count, self._ledger.now(sql) + self._quiet, run))

    def note(self, run: str, outcome: str) -> None:
        with self._ledger.transaction() as sql:
            sql.execute("UPDATE errand SET outcome = ? WHERE run = ?", (outcome, run))

    def overdue(self) -> Sequence[Errand]:
        with self._ledger.transaction() as sql:
            now = self._ledger.now(sql)
            rows = sql.execute(
                f"UPDATE errand SET due = ? + ? * (1 << rings), rings = CASE WHEN rings < {_RINGS} THEN rings + 1 ELSE rings END"
                f" WHERE due <= ? AND {_OPEN} RETURNING {_ROW}",
                (now, self._quiet, now),
            ).fetchall()
        return sorted(map(_read, rows), key=lambda errand: errand.run)

    def count(self, tally: Tally, number: int) -> None:
        with self._ledger.transaction() as sql:
            sql.execute(
                "INSERT INTO tally VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET number = tally.number + excluded.number", (tally.value, number)
            )

    def standing(self) -> Standing:
        with self._ledger.transaction() as sql:
            now = self._ledger.now(sql)
            runs = sql.execute(
                f"SELECT queue, state, count(*), min({self._ledger.started}) FROM errand JOIN run ON run.id = errand.run GROUP BY queue, state"
            ).fetchall()
            due = sql.execute(f"SELECT min(due) FROM errand WHERE {_OPEN}").fetchone()[0]
            tallies = dict(sql.execute("SELECT name, number FROM tally").fetchall())
        waiting: dict[str, float] = {}
        for queue, state, _, started in runs:
            if RunState(state) in _UNFINISHED:
                waiting[queue] = max(waiting.get(queue, 0.0), now - float(started))
        return Standing(
            {(queue, RunState(state)): number for queue, state, number, _ in runs},
            waiting,
            max(0.0, now - due) if due is not None else 0.0,
            {tally: tallies.get(tally.value, 0) for tally in Tally},
        )

    def lead(self, name: str, *, owner: str, seconds: float) -> bool:
        with self._ledger.transaction() as sql:
            now = self._ledger.now(sql)
            held = sql.execute(
                "INSERT INTO office VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until"
                " WHERE office.until <= ? OR office.owner = excluded.owner",
                (name, owner, now + seconds, now),
            )
            return bool(held.rowcount)

    def close(self) -> None:
        self._ledger.close()

    def _end(self, sql: Any, run: str, reason: str) -> None:
        sql.execute("UPDATE run SET state = ?, reason = ? WHERE id = ?", (RunState.SUPERSEDED, reason, run))
        sql.execute("DELETE FROM batch WHERE run = ?", (run,))


def _read(row: Sequence[Any]) -> Errand:
    *known, joined, deaths = row
    run, repository, state, reason, step, queue, options, trace, attempt, waits, opened, batches, phase, done, total, detail, outcome = known
    return Errand(
        run,
        repository,
        RunState(state),
        reason,
        RunStep(step),
        queue,
        options,
        trace,
        attempt,
        waits,
        min(opened, batches),
        batches,
        Progress(phase, done, total, detail),
        outcome,
        joined,
        deaths,
    )
