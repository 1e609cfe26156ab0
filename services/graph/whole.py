"""The call graph of a whole generation as arrays, for questions that no look at a neighbourhood can answer.

What runs is walked along calls, constructions, accesses, from a requirement to what may satisfy it, and from a member to what overrides it.
Closures count as the declaration around them, extensions as the type they extend. Guesses below :data:`CERTAIN_ENOUGH` are left out, as in every
other answer. Two hundred thousand symbols with a million edges take about 20 MB.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from exegesis.model import EdgeKind, FileRole, SymbolKind
from exegesis.ports import SYMBOL_KINDS, GraphReader
from services.graph.parts import CERTAIN_ENOUGH

_ASIDE = int(FileRole.TEST | FileRole.EXAMPLE)
_NO_CODE = frozenset({SymbolKind.HEADING, SymbolKind.EXTENSION, SymbolKind.CLOSURE})
"""Symbols that are nothing by themselves, or text."""

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]

_EDGE = np.dtype([("source", np.int64), ("target", np.int64), ("weight", np.float64)])
Edges = NDArray[np.void]
"""Rows of :data:`_EDGE`, whose ends are identifiers."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A directed graph with a weight on every edge. Nodes are places in ``ids``, which ascend; neighbours of a node ascend too."""

    ids: Places
    forward: csr_array
    backward: csr_array
    components: Places
    """For each node the number of its strongly connected component: nodes of one component reach each other."""

    @staticmethod
    def of(ids: Iterable[int], edges: Iterable[tuple[int, int, float]]) -> Flow:
        """Of several edges from one node to another the best weight counts; what leads to itself, or to no node, is left out."""
        return Flow.joining(np.unique(np.fromiter(ids, dtype=np.int64)), np.fromiter(edges, dtype=_EDGE))

    @staticmethod
    def joining(nodes: Places, edges: Edges) -> Flow:
        """The same of nodes that ascend."""
        sources, known = _places(nodes, edges["source"])
        targets, also = _places(nodes, edges["target"])
        kept = known & also & (sources != targets)
        return Flow.between(nodes, sources[kept], targets[kept], edges["weight"][kept])

    @staticmethod
    def between(nodes: Places, sources: Places, targets: Places, weights: NDArray[np.float64]) -> Flow:
        """The same of places in ``nodes``."""
        pairs = sources * np.int64(len(nodes)) + targets  # one number for both ends: sorting three columns takes ten times as long
        order = np.argsort(pairs, kind="stable")
        pairs = pairs[order]
        first = np.flatnonzero(np.diff(pairs, prepend=-1))
        best = np.maximum.reduceat(weights[order], first) if len(first) else weights[:0]
        rows, columns = np.divmod(pairs[first], max(len(nodes), 1))
        forward = coo_array((best, (rows, columns)), shape=(len(nodes), len(nodes))).tocsr()
        backward = forward.T.tocsr()
        for matrix in (forward, backward):
            matrix.sort_indices()
        _, components = connected_components(forward, directed=True, connection="strong")
        return Flow(nodes, forward, backward, components.astype(np.int64))

    def __len__(self) -> int:
        return len(self.ids)

    def places(self, ids: Iterable[int]) -> Places:
        """Where these identifiers stand; unknown ones are left out."""
        wanted = np.unique(np.fromiter(ids, dtype=np.int64))
        places, known = _places(self.ids, wanted)
        return places[known]

    def mask(self, places: Collection[int] | Places) -> Mask:
        found = np.zeros(len(self), dtype=bool)
        found[np.asarray(places, dtype=np.int64)] = True
        return found

    def reach(self, starts: Mask, *, without: Mask | None = None) -> Mask:
        """All that can be walked to from some nodes, themselves with it, on ways that touch nothing of ``without``."""
        count = len(self)
        begin = starts if without is None else starts & ~without
        places = np.flatnonzero(begin)
        if not len(places):
            return np.zeros(count, dtype=bool)
        rows, columns, data = self.forward.indptr, self.forward.indices, self.forward.data
        if without is not None:
            open_ = ~without[columns]  # whoever cannot be entered is never left either
            kept = np.concatenate(([0], np.cumsum(open_)))
            rows, columns, data = kept[rows], columns[open_], data[open_]
        # One more node leads to all starts, so that a single search in C, however deep the graph, finds everything.
        source = csr_array(
            (
                np.concatenate((data, np.ones(len(places)))),
                np.concatenate((columns, places)).astype(np.int32),
                np.concatenate((rows, [len(columns) + len(places)])).astype(np.int32),
            ),
            shape=(count + 1, count + 1),
        )
        found = np.zeros(count + 1, dtype=bool)
        found[breadth_first_order(source, count, return_predecessors=False)] = True
        return found[:count]

    def distances(self, starts: Places, goals: Mask) -> Places:
        """Steps from the nearest start to each node, up to the level on which the first goal lies; -1 further away."""
        found = np.full(len(self), -1, dtype=np.int64)
        found[starts] = 0
        level, distance = starts, 0
        while len(level) and not goals[level].any():
            distance += 1
            begins, ends = self.forward.indptr[level], self.forward.indptr[level + 1]
            lengths = ends - begins
            # The neighbours of all nodes of the level at once: the positions begin, begin + 1, ... of each, one after the other.
            positions = np.arange(lengths.sum()) + np.repeat(begins - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
            reached = self.forward.indices[positions]
            level = np.unique(reached[found[reached] < 0]).astype(np.int64)
            found[level] = distance
        return found

    def after(self, place: int) -> Places:
        return self.forward.indices[self.forward.indptr[place] : self.forward.indptr[place + 1]].astype(np.int64)

    def before(self, place: int) -> Places:
        return self.backward.indices[self.backward.indptr[place] : self.backward.indptr[place + 1]].astype(np.int64)

    def weight(self, source: int, target: int) -> float:
        """Of the edge between two nodes; 0 where there is none."""
        after = self.after(source)
        at = int(np.searchsorted(after, target))
        return float(self.forward.data[self.forward.indptr[source] + at]) if at < len(after) and after[at] == target else 0.0

    def sources(self, among: Mask) -> Mask:
        """Of some nodes, those that none of them outside of their own component leads to: from these everything among them is reached."""
        labels = self.components
        matrix = self.forward.tocoo()
        between = among[matrix.row] & among[matrix.col] & (labels[matrix.row] != labels[matrix.col])
        entered = np.zeros(int(labels.max(initial=-1)) + 1, dtype=bool)
        entered[labels[matrix.col[between]]] = True
        return among & ~entered[labels]


def _places(nodes: Places, ids: Any) -> tuple[Places, Mask]:
    if not len(nodes):
        return np.zeros(len(ids), dtype=np.int64), np.zeros(len(ids), dtype=bool)
    order = np.argsort(ids)  # looking up what ascends takes half the time, for neighbours are in the cache
    places = np.empty(len(ids), dtype=np.int64)
    places[order] = np.searchsorted(nodes, ids[order])
    return places, (places < len(nodes)) & (nodes[np.minimum(places, len(nodes) - 1)] == ids)


@dataclass(frozen=True, slots=True)
class WholeGraph:
    """A generation's flow, and what must be known of its symbols without reading them."""

    flow: Flow
    modifiers: Places
    aside: Mask
    """Symbols of tests and examples, which use a program rather than being it."""
    runs: Mask
    """Symbols that can be entered: they have code of their own, or call some where they get their value."""
    calls: Flow
    """The flow without what a requirement or an overridden member may run where that calls it back: an override that calls ``super``, a type that
    hands a requirement on to another value of it. These go round on paper only.
    """


def load_whole(reader: GraphReader) -> WholeGraph:
    """Reads every edge once: two seconds for a million."""
    symbols = reader.skeleton()
    extensions = reader.pairs((EdgeKind.EXTEND,))
    whole = dict(zip(extensions.sources.tolist(), extensions.targets.tolist(), strict=True))
    nested = (symbols.kinds == SYMBOL_KINDS.index(SymbolKind.CLOSURE)) & (symbols.parents >= 0)
    closures = dict(zip(symbols.ids[nested].tolist(), symbols.parents[nested].tolist(), strict=True))
    for closure in closures:
        around = closure
        for _ in range(len(closures) + 1):
            outer = closures.get(around)
            if outer is None:
                break
            around = outer
        whole[closure] = around
    for closure in closures:
        whole[closure] = whole.get(whole[closure], whole[closure])  # a closure right inside an extension

    kept = ~np.isin(symbols.kinds, [SYMBOL_KINDS.index(kind) for kind in _NO_CODE])
    certain, possible = _certain(reader), _possible(reader)
    for edges in (certain, possible):
        _lift(edges, whole)
    nodes, aside = symbols.ids[kept], symbols.roles[kept] & _ASIDE != 0
    flow = Flow.joining(nodes, np.concatenate((certain, possible)))
    code = np.isin(symbols.kinds[kept], [place for place, kind in enumerate(SYMBOL_KINDS) if kind.is_callable and kind is not SymbolKind.PROTOTYPE])
    runs = code | (flow.forward @ code.astype(np.float64) > 0)
    return WholeGraph(flow, symbols.modifiers[kept], aside, runs, _without_echoes(flow, Flow.joining(nodes, possible)))


def _without_echoes(flow: Flow, possible: Flow) -> Flow:
    """The flow without the possible calls whose target calls their source, as :attr:`WholeGraph.calls` says."""
    if not possible.forward.nnz:
        return flow
    matrix, maybe = flow.forward.tocoo(), possible.forward.tocoo()
    there, back = matrix.row * np.int64(len(flow)) + matrix.col, matrix.col * np.int64(len(flow)) + matrix.row
    doubtful = np.isin(there, maybe.row * np.int64(len(flow)) + maybe.col)
    kept = ~(doubtful & np.isin(back, there))
    return Flow.between(flow.ids, matrix.row[kept].astype(np.int64), matrix.col[kept].astype(np.int64), matrix.data[kept])


def _certain(reader: GraphReader) -> Edges:
    """What one symbol does with another."""
    return _read(reader, EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS)


def _possible(reader: GraphReader) -> Edges:
    """From what is called to what may run in its place: a requirement to its witnesses, a member to its overrides."""
    overrides = _read(reader, EdgeKind.OVERRIDE)
    turned = overrides.copy()
    turned["source"], turned["target"] = overrides["target"], overrides["source"]
    return np.concatenate((_read(reader, EdgeKind.WITNESS), turned))


def _read(reader: GraphReader, *kinds: EdgeKind) -> Edges:
    sources, targets, weights = reader.pairs(kinds)
    edges = np.empty(len(sources), dtype=_EDGE)
    edges["source"], edges["target"], edges["weight"] = sources, targets, weights
    return edges[edges["weight"] >= CERTAIN_ENOUGH]


def _lift(edges: Edges, whole: Mapping[int, int]) -> None:
    """Put in place of both ends what they belong to."""
    parts = np.array(sorted(whole), dtype=np.int64)
    wholes = np.array([whole[part] for part in parts.tolist()], dtype=np.int64)
    for end in ("source", "target"):
        places, known = _places(parts, edges[end])
        edges[end][known] = wholes[places[known]]
