"""What the indexer reads and writes."""

from __future__ import annotations

from dataclasses import dataclass

from exegesis.errors import NotFound
from exegesis.model import Repository
from exegesis.ports import Catalog, ChunkIndex, Clock, ContentCache
from services.graph.api import GraphService


@dataclass(frozen=True, slots=True)
class Stores:
    catalog: Catalog
    cache: ContentCache
    graph: GraphService
    chunks: ChunkIndex
    clock: Clock


def registered(catalog: Catalog, repository: str) -> Repository:
    """The repository of this identifier. Raises ``NotFound``."""
    for known in catalog.repositories():
        if known.id == repository:
            return known
    raise NotFound(f"There is no repository {repository}.")
