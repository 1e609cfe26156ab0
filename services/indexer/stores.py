"""What the indexer reads and writes."""

from __future__ import annotations

from dataclasses import dataclass

from exegesis.ports import Catalog, ChunkIndex, Clock, ContentCache
from services.graph.api import GraphService


@dataclass(frozen=True, slots=True)
class Stores:
    catalog: Catalog
    cache: ContentCache
    graph: GraphService
    chunks: ChunkIndex
    clock: Clock
