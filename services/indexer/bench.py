"""What a worker has at hand."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

from exegesis.model import Progress
from exegesis.ports import Embedder, Errands, WriteLock
from services.indexer.api import Report
from services.indexer.bell import Bell
from services.indexer.handlers import Plan
from services.indexer.mirror import Mirrors
from services.indexer.pool import ParserPool
from services.indexer.stores import Stores
from services.indexer.tell import Teller

_TOLD_EVERY: Final = 0.5
"""Seconds between two reports of progress, each of which is a write."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The parts that jobs work with; one for each process, made when its first job comes."""

    stores: Stores
    errands: Errands
    bell: Bell
    lock: WriteLock
    embedder: Embedder | None
    dimensions: int
    parsers: ParserPool
    mirrors: Mirrors
    owner: str
    """Tells this process from all others, of all machines."""
    lease_seconds: float
    """After which a process that says nothing is taken for dead."""
    teller: Teller | None = None
    """The language model, where it may describe."""

    def reporting(self, run: str) -> Report:
        """Tells whoever watches a run how far it is, now and then."""
        told, phase = 0.0, ""

        def tell(progress: Progress) -> None:
            nonlocal told, phase
            now = time.monotonic()
            if progress.phase == phase and now - told < _TOLD_EVERY:
                return
            told, phase = now, progress.phase
            self.errands.tell(run, progress)

        return tell

    def within_reach(self, plan: Plan) -> Plan:
        """The plan, whose files can be read here: those of a repository that lies elsewhere are fetched first, unless this machine has them."""
        if not plan.commit:
            return plan
        mirror, _ = self.mirrors.bring(plan.repository, plan.root, commit=plan.commit)
        return replace(plan, root=mirror)
