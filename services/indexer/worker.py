"""The jobs of a worker: each message is checked against the ledger, its step is held while it is worked on, and what goes wrong is written down.

What goes wrong outside (a server that is away, another writer) puts the step off, longer each time. What goes wrong inside ends the run and says why.
A process that dies writes nothing. If its worker outlives it, the worker sees that and tells; a few such deaths are the step's own doing, and its run
has failed. If nobody is left who could tell, as when a machine stops, its lease ends and somebody else takes the step, many times before that is held
against the run.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from exegesis.errors import Cancelled, Conflict, ExegesisError, NotFound, NotIndexed, Unavailable
from exegesis.model import Errand, Progress, RunState, RunStep, Tally
from services.indexer.bell import BATCHES, POLL, STEPS
from services.indexer.bench import Bench
from services.indexer.fan_in import BatchJob, Do
from services.indexer.lease import held
from services.indexer.parse_batch import ParseBatch
from services.indexer.poll import poll
from services.indexer.steps import AGAIN, PERFORM
from services.indexer.tallies import count
from services.indexer.vectors import embed_batch

_log: Final = logging.getLogger(__name__)

DEATHS: Final = 5
"""Processes that may be seen to die of one step before its run has failed: of a lack of memory, most of the time, which is there again next time."""
LAPSES: Final = 20
"""Times that the lease of one step may end without a word before its run has failed. Machines that are taken away and come again do this, the more
often the longer a step takes; so does a step that takes its whole machine with it, which must end too: after a quarter of an hour of leases."""
WAITS: Final = 40
"""Times in a row that a step is put off before its run has failed: about half an hour."""
LONGEST_PAUSE: Final = 60.0
"""Seconds that a step is put off at most."""

Handler = Callable[..., None]


def handlers(open_bench: Callable[[], Bench]) -> Mapping[str, Handler]:
    """The jobs of a worker by name. ``open_bench`` is called by the first job of a process, which may be a fork of the one that this is called in."""
    kept: list[tuple[Bench, Mapping[RunStep, BatchJob]]] = []

    def bench() -> tuple[Bench, Mapping[RunStep, BatchJob]]:
        if not kept:
            opened = open_bench()
            do: Mapping[RunStep, Do] = {RunStep.PARSE: ParseBatch(opened), RunStep.VECTORS: partial(embed_batch, opened)}
            kept.append((opened, {step: BatchJob(opened, step, do[step]) for step in BATCHES}))
        return kept[0]

    def take_step(step: RunStep, run: str) -> None:
        perform(bench()[0], step, run)

    def take_batch(step: RunStep, repository: str, run: str, number: int) -> None:
        bench()[1][step](repository, run, number)

    steps: dict[str, Handler] = {str(step): partial(take_step, step) for step in STEPS}
    batches: dict[str, Handler] = {job: partial(take_batch, step) for step, job in BATCHES.items()}
    return {**steps, **batches, POLL: lambda repository: poll(bench()[0], repository)}


def mourn(bench: Bench, job: str, arguments: Mapping[str, str | int]) -> None:
    """The process that performed this job before was seen to die. Batches find out by themselves which file it was."""
    if job in STEPS:
        bench.errands.mourn(str(arguments["run"]), RunStep(job))


def perform(bench: Bench, step: RunStep, run: str) -> None:
    """Take a step of a run, if it is there to be taken."""
    errand = bench.errands.take(run, step, owner=bench.owner, seconds=bench.lease_seconds)
    if errand is None:  # delivered twice, superseded, or put off
        return
    if errand.deaths >= DEATHS or errand.attempt > LAPSES:
        times = errand.deaths if errand.deaths >= DEATHS else LAPSES
        bench.stores.catalog.end_run(run, RunState.FAILED, f"The process that took the step {step} ended {times} times.")
        return
    if errand.attempt > 1:
        count(bench.errands, Tally.TAKEN_OVER)
    with held(lambda seconds: bench.errands.keep(run, owner=bench.owner, seconds=seconds), bench.lease_seconds) as lost:
        try:
            PERFORM[step](bench, errand, lost)
        except Cancelled:
            pass
        except NotIndexed as error:  # what it was planned upon is gone, or whoever built it has forgotten
            _put_off(bench, errand, error, back=True)
        except (Unavailable, Conflict) as error:
            _put_off(bench, errand, error)
        except ExegesisError as error:
            _fail(bench, errand, error.message)
        except OSError as error:  # a disk that is full
            _put_off(bench, errand, Unavailable(f"{step} cannot be done here: {error.strerror or type(error).__name__}."))
        except Exception as error:  # noqa: BLE001 - a fault of this program, which another attempt would only repeat
            _log.exception("%s of run %s failed", step, run)
            _fail(bench, errand, f"{step} failed ({type(error).__name__}).")
        except BaseException:  # told to stop: others may begin at once
            bench.errands.put_off(run, owner=bench.owner, seconds=0)
            raise


def _put_off(bench: Bench, errand: Errand, error: ExegesisError, *, back: bool = False) -> None:
    if errand.waits >= WAITS:
        _fail(bench, errand, error.message)
        return
    pause = min(2.0 ** min(errand.waits, 10), LONGEST_PAUSE)
    _log.warning("%s of run %s waits for %.0f s: %s", errand.step, errand.run, pause, error.message)
    bench.errands.tell(errand.run, Progress("waiting", 0, 0, error.message))  # whoever watches may have misspelt an address
    bench.errands.put_off(errand.run, owner=bench.owner, seconds=pause)
    count(bench.errands, Tally.PUT_OFF)
    if back:
        bench.errands.move(errand.run, errand.step, AGAIN.get(errand.step, errand.step))


def _fail(bench: Bench, errand: Errand, reason: str) -> None:
    with contextlib.suppress(NotFound):  # the repository was removed, and its runs with it
        bench.stores.catalog.end_run(errand.run, RunState.FAILED, reason)
