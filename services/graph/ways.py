"""Ways from one symbol to another: all shortest ones, the most confident first."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise

from exegesis.model import Relation
from exegesis.ports import GraphReader
from services.graph.parts import endpoints_of
from services.graph.reach import relations_between
from services.graph.whole import Flow, Places, WholeGraph


def path(reader: GraphReader, whole: WholeGraph, source_id: int, target_id: int, *, limit: int = 5) -> Sequence[Sequence[Relation]]:
    """Shortest ways along calls, accesses and possible calls. A type means any of its members.

    Exact on the graph as it is: no shorter way exists, and none of the same length has a greater product of confidences than those left out.
    """
    flow = whole.flow
    starts, goals = flow.places(endpoints_of(reader, (source_id,))), flow.mask(flow.places(endpoints_of(reader, (target_id,))))
    goals[starts] = False  # no way is as short as none
    distances = flow.distances(starts, goals)
    ways = []
    for nodes in best_ways(flow, distances, [int(goal) for goal in goals.nonzero()[0] if distances[goal] > 0], limit):
        product = 1.0
        steps: list[Relation] = []
        for depth, (source, target) in enumerate(pairwise(nodes), start=1):
            product *= flow.weight(source, target)
            steps += relations_between(reader, [(int(flow.ids[source]), int(flow.ids[target]), product)], depth)
        ways.append(steps)
    return ways


def best_ways(flow: Flow, distances: Places, goals: Sequence[int], limit: int) -> list[list[int]]:
    """Of all shortest ways to the goals those with the greatest products of weights, best first; ties by the places on them.

    Best first from the goals backward, each unfinished way judged by the best that it can still become, so nothing is enumerated in vain.
    """
    layers = [set(goals)]
    while layers[-1] and all(distances[node] > 0 for node in layers[-1]):
        layers.append({before for node in layers[-1] for before in flow.before(node).tolist() if distances[before] == distances[node] - 1})
    best: dict[int, float] = dict.fromkeys(layers[-1], 1.0)
    for inner, outer in zip(layers[::-1], layers[-2::-1], strict=False):
        for node in outer:
            best[node] = max(best[before] * flow.weight(before, node) for before in flow.before(node).tolist() if before in inner)
    pending: list[tuple[float, list[int], float]] = [(-best[goal], [goal], 1.0) for goal in sorted(goals)]
    heapq.heapify(pending)
    found: list[list[int]] = []
    while pending and len(found) < limit:
        _, way, product = heapq.heappop(pending)
        if distances[way[0]] == 0:
            found.append(way)
            continue
        for before in flow.before(way[0]).tolist():
            if distances[before] == distances[way[0]] - 1:
                further = product * flow.weight(before, way[0])
                heapq.heappush(pending, (-further * best[before], [before, *way], further))
    return found
