"""What a worker has at hand."""

from __future__ import annotations

from dataclasses import dataclass

from exegesis.ports import Embedder, Errands, WriteLock
from services.indexer.bell import Bell
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
    owner: str
    """Tells this process from all others, of all machines."""
    lease_seconds: float
    """After which a process that says nothing is taken for dead."""
