"""Graph traversal: what the best chunks call and are called by lends them part of its score, and brings chunks that words did not find.

The graph chooses what is shown; it never reorders the list of results for people, where edges as a signal were measured to hurt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exegesis.model import Ablation, Chunk, Edge, EdgeKind, FileRole, ScorePart
from services.graph.api import Direction
from services.query.corpus import Corpus, Key, chunks_holding
from services.query.intent import Intent
from services.query.retrieve import Seeds
from services.query.symbols import Anchor

LENT = 0.3  # share of an anchor's score that a certain edge lends to a neighbour of few
RANK_DECAY = 0.05  # the anchor of rank r lends 1 / (1 + .05 r)
SECOND_HOP = 0.6  # of what a neighbour received, lent on
SECOND_SOURCES = 40  # neighbours that lend on, best first
HUB_DEGREE = 8  # from this degree on a neighbour is damped by the root of degree / 8: what everybody calls explains nobody
FAN_OUT = 16  # edges followed from one symbol in one direction, most certain first

KIND_WEIGHTS: Mapping[EdgeKind, float] = {
    EdgeKind.CALL: 1.0,
    EdgeKind.CONSTRUCT: 1.0,
    EdgeKind.OVERRIDE: 0.9,  # the same step, done by a subclass
    EdgeKind.WITNESS: 0.9,  # the same step, done by a conforming type
    EdgeKind.ACCESS: 0.7,  # state that is passed from step to step
    EdgeKind.EXTEND: 0.5,
    EdgeKind.INHERIT: 0.5,
    EdgeKind.MENTION: 0.6,  # prose that names code explains it
    EdgeKind.TYPE: 0.4,  # data that flows, named in a signature
}

AGAINST = 0.5
"""Weight of edges against the direction that the question asks for: the definition's own calls still explain it."""


_WITHOUT_GRAPH = frozenset({Ablation.NO_GRAPH, Ablation.BM25F, Ablation.DENSE})


@dataclass(frozen=True, slots=True)
class Expansion:
    lent: Mapping[Key, ScorePart]
    """What each neighbour receives."""
    reasons: Mapping[Key, tuple[str, str]]
    """For each neighbour how it was reached (``caller``, ``callee`` or ``related``), and the name of the symbol it was reached from."""
    chunks: Mapping[str, Mapping[int, Chunk]]
    """Neighbours that no search had found, by repository."""
    edges: int = 0
    """Edges that were looked at."""


def expand(seeds: Seeds, anchors: Sequence[Anchor]) -> Expansion:
    """Follow edges from the anchors, two hops, by certainty and kind of edge; damped at hubs; never into tests from outside unless asked."""
    if seeds.question.options.ablation in _WITHOUT_GRAPH or not anchors:
        return Expansion({}, {}, {})
    lent: dict[Key, ScorePart] = {}
    reasons: dict[Key, tuple[str, str]] = {}
    added: dict[str, dict[int, Chunk]] = {}
    looked = 0
    for repository, corpus in seeds.corpora.items():
        mine = [(rank, anchor) for rank, anchor in enumerate(anchors) if anchor.ranked.candidate.repository == repository]
        sources = {anchor.ranked.candidate.chunk.id: (anchor.symbols, LENT * anchor.ranked.score / (1 + RANK_DECAY * rank)) for rank, anchor in mine}
        first, chunks, count = _lend(seeds.intent, corpus, sources)
        best = sorted(first, key=lambda id_: (-first[id_][0], id_))[:SECOND_SOURCES]
        onward = {id_: (_symbols_of(chunks[id_]), SECOND_HOP * first[id_][0]) for id_ in best}
        second, further, more = _lend(seeds.intent, corpus, onward, ignore=frozenset(sources))
        chunks |= further
        looked += count + more
        names = {id_: chunk.qualified or chunk.name for id_, chunk in chunks.items()}
        names |= {anchor.ranked.candidate.chunk.id: anchor.ranked.candidate.chunk.qualified for _, anchor in mine}
        for received in (second, first):
            for id_, (value, way, origin) in received.items():
                if (repository, id_) not in lent or value > lent[repository, id_].value:
                    lent[repository, id_] = ScorePart("graph", value)
                    reasons[repository, id_] = (way, names.get(origin, ""))
        added[repository] = {id_: chunk for id_, chunk in chunks.items() if (repository, id_) in lent}
    return Expansion(lent, reasons, added, looked)


def _lend(
    intent: Intent, corpus: Corpus, sources: Mapping[int, tuple[tuple[int, ...], float]], *, ignore: frozenset[int] = frozenset()
) -> tuple[dict[int, tuple[float, str, int]], dict[int, Chunk], int]:
    """One hop. ``sources``: chunk -> its symbols and what it may lend. Returns what each chunk receives (value, way, lender; the largest
    counts), the chunks, and the number of edges.
    """
    chunk_of = {symbol: chunk for chunk, (symbols, _) in sources.items() for symbol in symbols}
    outward = corpus.graph.edges(corpus.pin, sorted(chunk_of), Direction.CALLEES, per_node=FAN_OUT)
    inward = corpus.graph.edges(corpus.pin, sorted(chunk_of), Direction.CALLERS, per_node=FAN_OUT)
    ends = sorted({edge.target for edge in outward} | {edge.source for edge in inward})
    holding = chunks_holding(corpus, ends)
    chunks = dict(corpus.graph.chunks(corpus.pin, sorted(set(holding.values()))))
    degrees = corpus.graph.degrees(corpus.pin, ends)
    received: dict[int, tuple[float, str, int]] = {}
    for edges, way, weight in ((outward, "callee", _toward(intent, Direction.CALLEES)), (inward, "caller", _toward(intent, Direction.CALLERS))):
        for edge in edges:
            here, there = (edge.source, edge.target) if way == "callee" else (edge.target, edge.source)
            lender, neighbor = chunk_of[here], holding.get(there)
            if neighbor is None or neighbor == lender or neighbor in ignore or neighbor not in chunks:
                continue
            if _into_tests(intent, corpus, chunks[neighbor], lender, chunks):
                continue
            degree = degrees[there].callers + degrees[there].callees if there in degrees else 0
            value = sources[lender][1] * weight * edge.confidence * KIND_WEIGHTS[edge.kind] / math.sqrt(max(1.0, degree / HUB_DEGREE))
            if value > received.get(neighbor, (0.0, "", 0))[0]:
                received[neighbor] = (value, _way(edge, way), lender)
    return received, chunks, len(outward) + len(inward)


def _toward(intent: Intent, direction: Direction) -> float:
    if intent.direction is Direction.BOTH:
        return 1.0
    return 1.0 if intent.direction is direction else AGAINST


def _way(edge: Edge, way: str) -> str:
    return way if edge.kind in {EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS} else "related"


def _into_tests(intent: Intent, corpus: Corpus, neighbor: Chunk, lender: int, chunks: Mapping[int, Chunk]) -> bool:
    if not corpus.role(neighbor.path) & FileRole.TEST or intent.asked_roles & FileRole.TEST:
        return False
    return not (lender in chunks and corpus.role(chunks[lender].path) & FileRole.TEST)


def _symbols_of(chunk: Chunk) -> tuple[int, ...]:
    return (chunk.symbol,) if chunk.symbol is not None else ()
