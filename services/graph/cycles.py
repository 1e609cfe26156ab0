"""Symbols that call each other in circles: the strongly connected components of the flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from exegesis.model import Cycle
from exegesis.ports import GraphReader
from services.graph.reach import relations_between
from services.graph.whole import Flow, Places, WholeGraph

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_WORK = 1_000_000
"""Edges that may be looked at for one circle: in a group of a hundred every member is tried, in one of half a project a single one."""


def cycles(reader: GraphReader, whole: WholeGraph, *, limit: int = 20) -> Sequence[Cycle]:
    """The largest first, without tests and examples. What calls only itself is no circle."""
    flow = whole.calls
    sizes = np.bincount(flow.components[~whole.aside], minlength=len(flow))
    chosen = [number for number in np.lexsort((np.arange(len(sizes)), -sizes)).tolist() if sizes[number] > 1][:limit]
    found: list[Cycle] = []
    for number in chosen:
        places = np.flatnonzero((flow.components == number) & ~whole.aside)
        way = _shortest_round(flow, places)
        if not way:
            continue  # the circle closes by way of a test
        relations = []
        product = 1.0
        for depth, (source, target) in enumerate(zip(way, [*way[1:], way[0]], strict=True), start=1):
            product *= flow.weight(source, target)
            relations += relations_between(reader, [(int(flow.ids[source]), int(flow.ids[target]), product)], depth)
        found.append(Cycle(len(places), tuple(relations)))
    return found


def _shortest_round(flow: Flow, places: Places) -> list[int]:
    """Nodes of a shortest circle among these; empty where they have none. In large groups, of those that begin at some of its members."""
    calls = flow.forward[places][:, places]
    best: list[int] = []
    for start in range(min(len(places), max(1, _WORK // max(1, calls.nnz)))):
        way = _round_from(calls, start)
        if way and (not best or len(way) < len(best)):
            best = way
        if len(best) == 2:
            break
    return [int(places[each]) for each in best]


def _round_from(calls: csr_array, start: int) -> list[int]:
    """A shortest way from a node back to itself. The first node, in the order of its distance, that leads back closes it."""
    order, before = breadth_first_order(calls, start, return_predecessors=True)
    back = np.zeros(calls.shape[0], dtype=bool)
    back[calls[:, [start]].nonzero()[0]] = True
    closing = order[back[order]]
    if not len(closing):
        return []
    way = [int(closing[0])]
    while way[-1] != start:
        way.append(int(before[way[-1]]))
    return way[::-1]
