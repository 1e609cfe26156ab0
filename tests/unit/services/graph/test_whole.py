"""The whole graph as arrays gives the answers that plain sets and loops give."""

from __future__ import annotations

from itertools import pairwise
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from services.graph.ways import best_ways
from services.graph.whole import Flow

Edges = list[tuple[int, int, float]]

_nodes = st.integers(0, 11).map(lambda each: each * 7 + 3)
_edges = st.lists(st.tuples(_nodes, _nodes, st.sampled_from([0.5, 0.8, 1.0])), max_size=40)


def _neighbours(edges: Edges, ids: set[int]) -> dict[int, dict[int, float]]:
    found: dict[int, dict[int, float]] = {node: {} for node in ids}
    for source, target, weight in edges:
        if source in ids and target in ids and source != target:
            found[source][target] = max(found[source].get(target, 0.0), weight)
    return found


def _walk(after: dict[int, dict[int, float]], starts: set[int], without: set[int]) -> set[int]:
    seen = starts - without
    pending = list(seen)
    while pending:
        for node in after[pending.pop()]:
            if node not in seen and node not in without:
                seen.add(node)
                pending.append(node)
    return seen


@given(st.sets(_nodes, min_size=1), _edges, st.sets(_nodes), st.sets(_nodes))
def test_reach_is_what_walking_finds(ids: set[int], edges: Edges, starts: set[int], without: set[int]) -> None:
    """Whatever is cut out, exactly what can still be walked to is reached."""
    flow = Flow.of(ids, edges)
    found = flow.reach(flow.mask(flow.places(starts)), without=flow.mask(flow.places(without)))
    assert set(flow.ids[found].tolist()) == _walk(_neighbours(edges, ids), starts & ids, without)


@given(st.sets(_nodes, min_size=1), _edges)
def test_edges_are_kept_once_with_their_best_weight(ids: set[int], edges: Edges) -> None:
    """Neighbours in both directions, and weights, are those of the edges between known nodes."""
    flow = Flow.of(ids, edges)
    expected = _neighbours(edges, ids)
    order = flow.ids.tolist()
    assert order == sorted(ids)
    for place, node in enumerate(order):
        assert [order[each] for each in flow.after(place)] == sorted(expected[node])
        assert [order[each] for each in flow.before(place)] == sorted(each for each in expected if node in expected[each])
        assert {other: flow.weight(place, at) for at, other in enumerate(order) if flow.weight(place, at)} == expected[node]


@given(st.sets(_nodes, min_size=1), _edges, st.sets(_nodes))
def test_from_the_sources_everything_is_reached(ids: set[int], edges: Edges, part: set[int]) -> None:
    """Sources of a part lead to all of it, and nothing of the part that lies outside of their circle leads to them."""
    flow = Flow.of(ids, edges)
    among = flow.mask(flow.places(part))
    sources = flow.sources(among)
    assert (flow.reach(sources, without=~among) == among).all()
    after = _neighbours(edges, ids)
    for place in sources.nonzero()[0].tolist():
        node = int(flow.ids[place])
        for other in part & ids:
            if node in after[other]:
                assert other in _walk(after, {node}, set())


@given(st.sets(_nodes, min_size=1), _edges, _nodes, _nodes, st.integers(1, 4))
def test_ways_are_the_best_of_all_shortest(ids: set[int], edges: Edges, source: int, target: int, limit: int) -> None:
    """Compared with all ways enumerated: as short as the shortest, and the most confident of them in order."""
    flow = Flow.of(ids, edges)
    if source not in ids or target not in ids or source == target:
        return
    (start,), (goal,) = flow.places([source]).tolist(), flow.places([target]).tolist()
    distances = flow.distances(flow.places([source]), flow.mask([goal]))
    found = best_ways(flow, distances, [goal] if distances[goal] > 0 else [], limit)
    after = _neighbours(edges, ids)
    level: list[tuple[int, ...]] = [(source,)]
    while level and not any(way[-1] == target for way in level):
        level = [(*way, node) for way in level for node in after[way[-1]] if node not in way]
    products = sorted((prod(after[here][there] for here, there in pairwise(way)) for way in level if way[-1] == target), reverse=True)
    assert [round(prod(flow.weight(here, there) for here, there in pairwise(way)), 9) for way in found] == [
        round(each, 9) for each in products[:limit]
    ]
    assert all(way[0] == start and way[-1] == goal for way in found)
    assert len({tuple(way) for way in found}) == len(found)
