"""What a worker has at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from exegesis.ports import Embedder, Errands, WriteLock
from services.indexer.bell import Bell
from services.indexer.handlers import Plan
from services.indexer.mirror import Mirrors
from services.indexer.pool import ParserPool
from services.indexer.stores import Stores


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

    def within_reach(self, plan: Plan) -> Plan:
        """The plan, whose files can be read here: those of a repository that lies elsewhere are fetched first, unless this machine has them."""
        if not plan.commit:
            return plan
        mirror, _ = self.mirrors.bring(plan.repository, plan.root, commit=plan.commit)
        return replace(plan, root=mirror)
