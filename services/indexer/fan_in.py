"""The batches of a run, parsed by whoever is free: a few at a time, and the last one that is done hands the run on.

The ledger decides in one transaction whose it is to ring for what comes next, so that it is exactly one, however often messages are delivered.
Nothing is lost with a worker that dies between two lines: the run is then found to be overdue, and is rung for from what the ledger says.
"""

from __future__ import annotations

import logging
from typing import Final

from exegesis.errors import ExegesisError
from exegesis.model import Batch, Errand, RunState, RunStep, Tally
from exegesis.ports import Errands
from exegesis.telemetry import Attribute, SpanName, stage
from services.indexer.bell import Bell
from services.indexer.bench import Bench
from services.indexer.handlers import Plan, load_plan, parse, parse_singly
from services.indexer.lease import held
from services.indexer.tallies import count

_log: Final = logging.getLogger(__name__)

WINDOW: Final = 16
"""Batches of one repository that wait or are worked on at one time. Enough for as many processes, and few enough that a repository of a hundred
thousand files holds up the next one by seconds, and that what is superseded leaves little behind."""

CAREFUL: Final = 3
"""Attempt from which on files are parsed one at a time, so that one that kills the worker itself is found. A death proves little: machines stop."""
BLAMED: Final = 5
"""Attempt from which on the file that a worker died of is left out."""
HOPELESS: Final = 12
"""Attempt at which the run is given up: seven files of one batch each killed a worker twice."""

PAUSE: Final = 30.0
"""Seconds until the batches of a run are tried again where something is away."""
WAITS: Final = 40 * WINDOW
"""Batches of one run that may be put off before it has failed: twenty minutes if none succeeds."""

_BLAME: Final = "the process that indexes ended twice while it was parsed"


class BatchJob:
    """Handles ``parse-batch`` in a worker."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._plan: Plan | None = None

    def __call__(self, repository: str, run: str, number: int) -> None:
        bench = self._bench
        catalog = bench.stores.catalog
        batch = catalog.lease(run, number, owner=bench.owner, seconds=bench.lease_seconds)
        if batch is None:  # delivered twice, or superseded
            return
        if batch.attempt >= HOPELESS:
            catalog.end_run(run, RunState.FAILED, f"The processes that parsed batch {number} ended {batch.attempt - 1} times.")
            return
        if batch.attempt > 1:
            count(bench.errands, Tally.TAKEN_OVER)
        poisonous = bench.parsers.poisonous
        try:
            self._perform(repository, batch)
        except ExegesisError as error:  # something is away: nobody died
            catalog.give_back(run, number, owner=bench.owner)
            self._put_off(run, error)
        except Exception:  # a fault of this program counts as a death
            raise
        except BaseException:  # told to stop: others may begin at once
            catalog.give_back(run, number, owner=bench.owner)
            raise
        finally:
            count(bench.errands, Tally.POISON, bench.parsers.poisonous - poisonous)

    def _perform(self, repository: str, batch: Batch) -> None:
        bench, run, number = self._bench, batch.run, batch.number
        plan = self._load(repository, run)
        if plan is None:  # somebody else's by now, or written by another version: if the run is still there, it is planned anew
            bench.errands.move(run, RunStep.PARSE, RunStep.LOOK)
            return
        if not self._parse(plan, batch):
            count(bench.errands, Tally.BATCH_LOST)
            return
        count(bench.errands, Tally.BATCH_DONE)
        if bench.stores.catalog.finish_batch(run, number) == 0:
            hand_on(bench.errands, bench.bell, run)
            return
        bench.errands.advance(run, len(batch.paths))
        opened = bench.errands.open_batches(run, 1)
        errand = bench.errands.find(run) if opened else None
        if errand is not None:
            bench.bell.ring_batches(errand, opened)

    def _parse(self, plan: Plan, batch: Batch) -> bool:
        """Whether the batch was parsed to its end while it was ours."""
        bench = self._bench
        files = [plan.files[path] for path in batch.paths if path in plan.files]

        def keep(seconds: float) -> bool:
            return bench.stores.catalog.keep_batch(plan.run, batch.number, owner=bench.owner, seconds=seconds)

        with held(keep, bench.lease_seconds) as lost, stage(SpanName.PARSE) as parsing:
            parsing.mark(Attribute.REPOSITORY, plan.repository)
            parsing.count(items_in=len(files))
            plan = bench.within_reach(plan)
            if batch.attempt < CAREFUL:
                parse(plan, files, bench.stores.cache, bench.parsers, leaving=lost)
            else:
                blame = _BLAME if batch.attempt >= BLAMED else ""
                parse_singly(plan, files, bench.stores.cache, bench.parsers, leaving=lost, blame=blame)
        return not lost.is_set()

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

    def _load(self, repository: str, run: str) -> Plan | None:
        if self._plan is None or self._plan.run != run:
            self._plan = load_plan(self._bench.stores.catalog, repository, run)
        return self._plan


def fan_out(bench: Bench, errand: Errand, batches: int) -> None:
    """From the step that looked: ring for the first batches, or go on at once where nothing is to be parsed."""
    if batches == 0:
        hand_on(bench.errands, bench.bell, errand.run, since=RunStep.LOOK)
    elif bench.errands.move(errand.run, RunStep.LOOK, RunStep.PARSE, batches=batches):
        bench.bell.ring_batches(errand, bench.errands.open_batches(errand.run, WINDOW))


def hand_on(errands: Errands, bell: Bell, run: str, *, since: RunStep = RunStep.PARSE) -> None:
    """All batches are done: ring for what makes a generation of them, if nobody has."""
    if errands.move(run, since, RunStep.ASSEMBLE):
        errand = errands.find(run)
        if errand is not None:
            bell.ring(errand)
