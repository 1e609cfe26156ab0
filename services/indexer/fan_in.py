"""The batches of a run, worked on by whoever is free: a few at a time, and the last one that is done hands the run on.

The ledger decides in one transaction whose it is to ring for what comes next, so that it is exactly one, however often messages are delivered.
Nothing is lost with a worker that dies between two lines: the run is then found to be overdue, and is rung for from what the ledger says.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from exegesis.errors import Cancelled, ExegesisError
from exegesis.model import Batch, Errand, RunState, RunStep, Tally
from exegesis.ports import Errands
from services.indexer.bell import Bell
from services.indexer.bench import Bench
from services.indexer.lease import held
from services.indexer.tallies import count

_log: Final = logging.getLogger(__name__)

WINDOW: Final = 16
"""Batches of one repository that wait or are worked on at one time. Enough for as many processes, and few enough that a repository of a hundred
thousand files holds up the next one by seconds, and that what is superseded leaves little behind."""

HOPELESS: Final = 12
"""Attempt at which the run is given up: seven files of one batch each killed a worker twice."""

PAUSE: Final = 30.0
"""Seconds until the batches of a run are tried again where something is away."""
WAITS: Final = 40 * WINDOW
"""Batches of one run that may be put off before it has failed: twenty minutes if none succeeds."""

NEXT: Final[Mapping[RunStep, RunStep]] = {RunStep.PARSE: RunStep.ASSEMBLE, RunStep.VECTORS: RunStep.COMPLETE}
"""What follows a step once all of its batches are done."""

Do = Callable[[str, Batch, threading.Event], int | None]
"""Works on a batch of a repository until the event is set, and returns how much of what was told of is done. None where the run was planned anew, and
the batch is none any more."""


class BatchJob:
    """Handles the batches of one step in a worker."""

    def __init__(self, bench: Bench, step: RunStep, do: Do) -> None:
        self._bench = bench
        self._step = step
        self._do = do

    def __call__(self, repository: str, run: str, number: int) -> None:
        bench = self._bench
        catalog = bench.stores.catalog
        batch = catalog.lease(run, number, owner=bench.owner, seconds=bench.lease_seconds)
        if batch is None:  # delivered twice, or superseded
            return
        if batch.attempt >= HOPELESS:
            catalog.end_run(run, RunState.FAILED, f"The processes that took batch {number} of {self._step} ended {batch.attempt - 1} times.")
            return
        if batch.attempt > 1:
            count(bench.errands, Tally.TAKEN_OVER)
        try:
            self._perform(repository, batch)
        except Cancelled:  # somebody else has it, or nobody wants it any more
            count(bench.errands, Tally.BATCH_LOST)
        except ExegesisError as error:  # something is away: nobody died
            catalog.give_back(run, number, owner=bench.owner)
            self._put_off(run, error)
        except Exception:  # a fault of this program counts as a death
            raise
        except BaseException:  # told to stop: others may begin at once
            catalog.give_back(run, number, owner=bench.owner)
            raise

    def _perform(self, repository: str, batch: Batch) -> None:
        bench, run, number = self._bench, batch.run, batch.number

        def keep(seconds: float) -> bool:
            return bench.stores.catalog.keep_batch(run, number, owner=bench.owner, seconds=seconds)

        with held(keep, bench.lease_seconds) as lost:
            done = self._do(repository, batch, lost)
        if lost.is_set():
            count(bench.errands, Tally.BATCH_LOST)
            return
        if done is None:
            return
        count(bench.errands, Tally.BATCH_DONE)
        if bench.stores.catalog.finish_batch(run, number) == 0:
            hand_on(bench.errands, bench.bell, run, since=self._step)
            return
        bench.errands.advance(run, done)
        opened = bench.errands.open_batches(run, 1)
        errand = bench.errands.find(run) if opened else None
        if errand is not None and errand.step is self._step:
            bench.bell.ring_batches(errand, opened)

    def _put_off(self, run: str, error: ExegesisError) -> None:
        bench = self._bench
        errand = bench.errands.find(run)
        if errand is None:
            return
        _log.warning("a batch of run %s waits: %s", run, error.message)
        if errand.waits >= WAITS:
            bench.stores.catalog.end_run(run, RunState.FAILED, error.message)
        else:
            bench.errands.put_off(run, owner="", seconds=PAUSE)  # which rings for all its batches
            count(bench.errands, Tally.PUT_OFF)


def fan_out(bench: Bench, errand: Errand, to: RunStep, batches: int) -> None:
    """From the step that planned: ring for the first batches, or go on at once where there are none."""
    if batches == 0:
        hand_on(bench.errands, bench.bell, errand.run, since=errand.step, to=NEXT[to])
    elif bench.errands.move(errand.run, errand.step, to, batches=batches):
        opened = bench.errands.open_batches(errand.run, WINDOW)
        bench.bell.ring_batches(replace(errand, step=to), opened)


def hand_on(errands: Errands, bell: Bell, run: str, *, since: RunStep, to: RunStep | None = None) -> None:
    """All batches are done: ring for what makes a generation of them, if nobody has."""
    if errands.move(run, since, to or NEXT[since]):
        errand = errands.find(run)
        if errand is not None:
            bell.ring(errand)
