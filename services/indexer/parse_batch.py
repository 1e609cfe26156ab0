"""Parsing one batch of a run: what its files yield is put into the content cache, where whoever assembles finds it."""

from __future__ import annotations

import threading
from typing import Final

from exegesis.model import Batch, RunStep, Tally
from exegesis.telemetry import Attribute, SpanName, stage
from services.indexer.bench import Bench
from services.indexer.handlers import Plan, load_plan, parse, parse_singly
from services.indexer.tallies import count

CAREFUL: Final = 3
"""Attempt from which on files are parsed one at a time, so that one that kills the worker itself is found. A death proves little: machines stop."""

_BLAME: Final = "the process that indexes ended twice while it was parsed"


class ParseBatch:
    """What a worker does for a batch of :attr:`RunStep.PARSE`. Remembers the plan of the run that it worked on last."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._plan: Plan | None = None

    def __call__(self, repository: str, batch: Batch, lost: threading.Event) -> int | None:
        bench = self._bench
        plan = self._load(repository, batch.run)
        if plan is None:  # somebody else's by now, or written by another version: if the run is still there, it is planned anew
            bench.errands.move(batch.run, RunStep.PARSE, RunStep.LOOK)
            return None
        files = [plan.files[path] for path in batch.paths if path in plan.files]
        poisonous = bench.parsers.poisonous
        with stage(SpanName.PARSE) as parsing:
            parsing.mark(Attribute.REPOSITORY, plan.repository)
            parsing.count(items_in=len(files))
            plan = bench.within_reach(plan)
            if batch.attempt < CAREFUL:
                parse(plan, files, bench.stores.cache, bench.parsers, leaving=lost)
            else:
                parse_singly(plan, files, bench.stores.cache, bench.parsers, leaving=lost, blame=_BLAME)
        count(bench.errands, Tally.POISON, bench.parsers.poisonous - poisonous)
        return len(batch.paths)

    def _load(self, repository: str, run: str) -> Plan | None:
        if self._plan is None or self._plan.run != run:
            self._plan = load_plan(self._bench.stores.catalog, repository, run)
        return self._plan
