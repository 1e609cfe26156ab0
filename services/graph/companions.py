"""What always goes with a symbol: calls that the same callers make, such as an unlock for every lock."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exegesis.model import Companion
from exegesis.ports import GraphReader
from services.graph.parts import FLOW, MOST_EDGES, between_wholes, endpoints_of, parts_of
from services.graph.whole import Places, WholeGraph

ALMOST = 0.8
"""Of the callers that must call both: one in five may have forgotten it, and that is worth seeing."""

FEWEST = 2
"""A single caller that calls two things says nothing about them."""


def always_with(reader: GraphReader, whole: WholeGraph, symbol_ids: Sequence[int], *, limit: int = 20) -> Sequence[Companion]:
    """Symbols that are called by all, or nearly all, of the callers of a symbol; those first that hardly anybody else calls.

    Callers in tests and examples count only where there are too few others. Empty where fewer than two callers are known.
    """
    flow = whole.flow
    own = flow.places(endpoints_of(reader, symbol_ids))
    mine = flow.mask(own)
    callers = np.unique(np.concatenate([flow.before(place) for place in own.tolist()] or [np.zeros(0, dtype=np.int64)]))
    callers = callers[~mine[callers]]
    in_code = callers[~whole.aside[callers]]
    callers = in_code if len(in_code) >= FEWEST else callers
    if len(callers) < FEWEST:
        return ()
    counts = np.bincount(np.concatenate([flow.after(place) for place in callers.tolist()]), minlength=len(flow))
    fitting = np.flatnonzero((counts >= max(FEWEST, ALMOST * len(callers))) & ~mine)
    popularity = np.diff(flow.backward.indptr)
    order = np.lexsort((flow.ids[fitting], popularity[fitting] - counts[fitting], -counts[fitting]))
    told = fitting[order][:limit]
    symbols = reader.symbols(int(node) for node in flow.ids[told])
    first = _first_calls(reader, whole, callers)
    # Of a type with hundreds of members each caller is asked once for all of them, not once for each companion.
    surest = {caller: max(flow.weight(caller, each) for each in flow.after(caller).tolist() if mine[each]) for caller in callers.tolist()}
    ids = set(flow.ids[own].tolist())
    begun: dict[int, tuple[int, int]] = {}
    for (node, target), place in first.items():
        if target in ids:
            begun[node] = min(begun.get(node, place), place)
    found: list[Companion] = []
    for place in told.tolist():
        both = [caller for caller in callers.tolist() if flow.weight(caller, place)]
        sure = [flow.weight(caller, place) * surest[caller] for caller in both]
        before = 0
        for caller in both:
            node = int(flow.ids[caller])
            here, there = first.get((node, int(flow.ids[place]))), begun.get(node)
            before += here is not None and there is not None and here < there
        found.append(Companion(symbols[int(flow.ids[place])], len(both), len(callers), before, sum(sure) / len(sure)))
    return found


def _first_calls(reader: GraphReader, whole: WholeGraph, callers: Places) -> dict[tuple[int, int], tuple[int, int]]:
    """Where each caller first calls each thing: line and column."""
    ids = [int(node) for node in whole.flow.ids[callers]]
    parts = [part for each in parts_of(ids, reader).values() for part in each]
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for edge in between_wholes(reader.edges_from(parts, per_node=MOST_EDGES, kinds=FLOW), reader):
        place = (edge.line, edge.column)
        found[edge.source, edge.target] = min(found.get((edge.source, edge.target), place), place)
    return found
