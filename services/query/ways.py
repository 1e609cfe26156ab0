"""How many ways lead into a symbol: its callers in the whole repository, of which a context shows few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from exegesis.model import Edge, EdgeKind, FileRole, SymbolKind
from services.graph.api import Direction
from services.query.corpus import Corpus, has_role

MANY: Final = 6
"""Callers from which on nobody counts further."""

_CALLS: Final = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS})


def count_ways(corpus: Corpus, symbols: Sequence[int]) -> Mapping[int, int]:
    """Distinct callers of each symbol outside tests, at most :data:`MANY`; a closure counts as what it stands in. Two reads for all of them.

    Nobody is counted where the graph is too slow.
    """
    nothing: Sequence[Edge] = ()
    found = corpus.hurry.ask(lambda: corpus.graph.edges(corpus.pin, symbols, Direction.CALLERS, per_node=MANY + 2), nothing)
    edges = [edge for edge in found if edge.kind in _CALLS]
    sources = corpus.graph.symbols(corpus.pin, sorted({edge.source for edge in edges}))
    callers: dict[int, set[int]] = {symbol: set() for symbol in symbols}
    for edge in edges:
        source = sources.get(edge.source)
        if source is not None and not has_role(corpus.role(source.path), FileRole.TEST):
            whole = source.parent if source.kind is SymbolKind.CLOSURE and source.parent is not None else source.id
            callers[edge.target].add(whole)
    return {symbol: min(len(own), MANY) for symbol, own in callers.items()}
