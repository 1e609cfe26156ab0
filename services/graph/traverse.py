"""Breadth first around some seeds: level by level, bounded in depth, nodes and fan-out, and the same every time."""

from __future__ import annotations

from collections.abc import Sequence

from exegesis.model import Edge, EdgeKind, Neighborhood
from exegesis.ports import GraphReader
from services.graph.api import Direction
from services.graph.parts import FLOW, between_wholes, parts_of

WALKED = FLOW | {EdgeKind.INHERIT}

HUB = 40
"""Distinct callers from which on a symbol is a hub: everything uses it, so it says little about anything, and nothing is followed beyond it
against the direction of calls. On real repositories about one symbol in a hundred."""


def traverse(
    reader: GraphReader,
    seeds: Sequence[int],
    direction: Direction,
    *,
    depth: int = 3,
    nodes: int = 200,
    per_node: int = 16,
    min_confidence: float = 0.5,
) -> Neighborhood:
    """The part of the graph around the seeds. Within a level the most confident ways come first, then the less called, then by identifier."""
    known = reader.symbols(seeds)
    distances = {seed: 0 for seed in seeds if seed in known}
    confidence = dict.fromkeys(distances, 1.0)
    walked: dict[tuple[int, int, EdgeKind, int, int], Edge] = {}
    truncated = False
    level: list[int] = list(distances)
    for distance in range(1, depth + 1):
        if not level:
            break
        edges, capped = _around(reader, level, direction, per_node, first=distance == 1)
        truncated = truncated or capped
        sure = [edge for edge in edges if edge.confidence >= min_confidence and edge.source != edge.target]
        reached: dict[int, float] = {}
        for edge in sure:
            for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
                if near in confidence and far not in distances:
                    reached[far] = max(reached.get(far, 0.0), confidence[near] * edge.confidence)
        callers = reader.degrees(reached)
        order = sorted(reached, key=lambda node: (-round(reached[node], 6), callers[node].callers, node))
        room = max(0, nodes - len(distances))
        truncated = truncated or len(order) > room
        level = order[:room]
        for node in level:
            distances[node] = distance
            confidence[node] = reached[node]
        for edge in sure:
            if edge.source in distances and edge.target in distances:
                walked.setdefault((edge.source, edge.target, edge.kind, edge.line, edge.column), edge)
    return Neighborhood(tuple(distances.items()), tuple(walked.values()), truncated)


def _around(reader: GraphReader, level: Sequence[int], direction: Direction, per_node: int, *, first: bool) -> tuple[list[Edge], bool]:
    """Edges at the nodes of a level, ends lifted to whole declarations, and whether a cap cut some off."""
    parts = parts_of(level, reader)
    found: list[Edge] = []
    capped = False
    if direction is not Direction.CALLERS:
        for node in level:
            out = reader.edges_from(parts[node], per_node=per_node, kinds=WALKED)
            capped = capped or len(out) >= per_node
            found.extend(out)
    if direction is not Direction.CALLEES:
        followed = level if first else _those_below(level, reader)  # callers of what was asked for itself are not counted, which takes long at a hub
        for node in followed:
            into = reader.edges_to(parts[node], per_node=per_node, kinds=WALKED)
            capped = capped or len(into) >= per_node
            found.extend(into)
    return between_wholes(found, reader), capped


def _those_below(level: Sequence[int], reader: GraphReader) -> Sequence[int]:
    """Nodes that are no hubs."""
    degrees = reader.degrees(level)
    return [node for node in level if degrees[node].callers < HUB]
