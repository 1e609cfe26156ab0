"""The pipelines that are compared: the product, and what is left of it without each of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from exegesis.model import Ablation


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    ablation: Ablation
    late: bool
    """The best candidates are embedded at question time, or all vectors are read."""
    stored: bool
    """All chunks are embedded when they are indexed, which takes minutes for a large repository."""
    why: str


_VARIANTS: Final = (
    Variant("full", Ablation.FULL, late=True, stored=False, why="right after indexing: words, graph, and vectors of the best candidates"),
    Variant("lexical", Ablation.LEXICAL, late=False, stored=False, why="words and graph, no model"),
    Variant("stored", Ablation.FULL, late=True, stored=True, why="once all vectors are there"),
    Variant("no-graph", Ablation.NO_GRAPH, late=True, stored=False, why="full without calls: what the graph is worth"),
    Variant("no-composition", Ablation.NO_COMPOSITION, late=True, stored=False, why="chunks by rank until the budget is full"),
    Variant("lexical-no-graph", Ablation.NO_GRAPH, late=False, stored=False, why="lexical without calls"),
    Variant("stored-no-graph", Ablation.NO_GRAPH, late=True, stored=True, why="stored without calls"),
    Variant("bm25f", Ablation.BM25F, late=False, stored=False, why="the lexical score alone: what the ranking rules are worth"),
    Variant("plain-text", Ablation.PLAIN_TEXT, late=False, stored=False, why="windows of text and BM25: where everybody starts"),
    Variant("dense", Ablation.DENSE, late=True, stored=True, why="vectors alone"),
)

VARIANTS: Final[Mapping[str, Variant]] = {variant.name: variant for variant in _VARIANTS}
