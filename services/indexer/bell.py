"""Messages of the queue: each says that a run is due, and nothing else."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from exegesis.errors import Unavailable
from exegesis.model import Errand, RunStep
from exegesis.ports import Errands, TaskQueue
from exegesis.telemetry import continued, current_trace
from services.indexer.handlers import PARSE

_log: Final = logging.getLogger(__name__)

INTERACTIVE: Final = "interactive"
BULK: Final = "bulk"
MAINTENANCE: Final = "maintenance"

POLL: Final = "poll"
"""The job that sees whether a repository has changed. It is in no ledger: one that is lost is followed by the next."""


class Bell:
    """Rings for runs that are due. What the broker does not take stays due in the ledger, and is rung for again."""

    def __init__(self, queue: TaskQueue) -> None:
        self._queue = queue

    def ring(self, errand: Errand) -> bool:
        """For a step that one worker takes as a whole. False when the broker does not take it."""
        return self._publish(errand, errand.step, {"run": errand.run})

    def ask(self, errands: Errands, repository: str, step: RunStep, *, queue: str, options: str = "", trace: str = "") -> Errand | None:
        """Write down a run of one's own, or find the one that waits, and ring for it; None where the repository was removed meanwhile."""
        asked = errands.find(errands.ask(repository, step, queue=queue, options=options, trace=trace or current_trace()))
        if asked is not None:
            self.ring(asked)
        return asked

    def send_back(self, errands: Errands, errand: Errand, step: RunStep) -> None:
        """Have a run begin again at a step, and ring for it, unless it is no longer where ``errand`` says."""
        if errands.move(errand.run, errand.step, step):
            self.ring(replace(errand, step=step))

    def ring_batches(self, errand: Errand, numbers: Iterable[int]) -> bool:
        """For batches of the step that the run is at."""
        job = BATCHES[errand.step]
        return all(self._publish(errand, job, {"repository": errand.repository, "run": errand.run, "number": number}) for number in numbers)

    def poll(self, repository: str) -> None:
        """Raises ``Unavailable``."""
        self._queue.publish(POLL, {"repository": repository}, queue=MAINTENANCE)

    def _publish(self, errand: Errand, job: str, arguments: dict[str, str | int]) -> bool:
        try:
            with continued(errand.trace):
                self._queue.publish(str(job), arguments, queue=errand.queue)
        except Unavailable as error:
            _log.warning("%s of run %s is not rung for now: %s", job, errand.run, error.message)
            return False
        return True


BATCHES: Final[Mapping[RunStep, str]] = {RunStep.PARSE: PARSE, RunStep.VECTORS: "embed-batch"}
"""Steps that many workers take, a batch each, and the jobs of these."""

EMBEDDING: Final = frozenset({RunStep.EMBED, RunStep.VECTORS, RunStep.COMPLETE})
"""Steps of a run that computes vectors."""

STEPS: Final = tuple(step for step in RunStep if step not in BATCHES)
"""Steps that are taken as a whole: each is a job of its name."""
