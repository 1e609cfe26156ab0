"""Graph traversal: what the best chunks call and are called by lends them part of its score, and brings chunks that words did not find.

The graph chooses what a context shows. What it does for the list of results is another thing (:mod:`services.query.called`): there callers, types
and state that is read were measured to hurt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from exegesis.model import Ablation, Chunk, Edge, EdgeKind, FileRole, Place, ScorePart
from services.graph.api import Direction
from services.query.aims import Aim
from services.query.corpus import Corpus, Key, chunks_holding, has_role
from services.query.intent import Intent
from services.query.noise import noise_factor
from services.query.retrieve import Seeds
from services.query.symbols import Anchor, declared_in, definitions_of
from services.query.uses import Use, find_uses

LENT = 0.3  # share of an anchor's score that a certain edge lends to a neighbour of few, for topics and changes
LENT_TO_QUESTIONS = 0.45  # the same for questions, which ask for a flow: .3 loses .035 of the essential places at 8,000 tokens, .6 gains nothing
RANK_DECAY = 0.05  # the anchor of rank r lends 1 / (1 + .05 r)
SECOND_HOP = 0.6  # of what a neighbour received, lent on
SECOND_SOURCES = 40  # neighbours that lend on, best first
DEEPER_HOPS = 2  # further steps along calls alone, for questions: what does the work is often three or four calls below the word that was found
DEEPER_SOURCES = 12  # callees of one step that are followed on, best first
HUB_DEGREE = 8  # from this degree on a neighbour is damped by the root of degree / 8: what everybody calls explains nobody
FAN_OUT = 16  # edges followed from one symbol in one direction, most certain first

KIND_WEIGHTS: Mapping[EdgeKind, float] = {
    EdgeKind.CALL: 1.0,
    EdgeKind.CONSTRUCT: 1.0,
    EdgeKind.OVERRIDE: 0.9,  # the same step, done by a subclass
    EdgeKind.WITNESS: 0.9,  # the same step, done by a conforming type
    EdgeKind.ACCESS: 0.7,  # state that is passed from step to step
    EdgeKind.IMPLICIT: 0.5,  # runs, but what a compiler inserts is rarely what a question is about
    EdgeKind.EXTEND: 0.5,
    EdgeKind.INHERIT: 0.5,
    EdgeKind.MENTION: 0.6,  # prose that names code explains it
    EdgeKind.TYPE: 0.4,  # data that flows, named in a signature
}

USAGE_WEIGHTS: Mapping[EdgeKind, float] = {**KIND_WEIGHTS, EdgeKind.ACCESS: 1.0, EdgeKind.INHERIT: 1.0, EdgeKind.EXTEND: 1.0, EdgeKind.TYPE: 1.0}
"""For questions of the use of something by its name: a type is used where it is conformed to, extended, held or named, too."""

USAGE_FAN_OUT = 64
"""Edges to follow from what a usage question is about: the list of uses is the answer."""

AGAINST = 0.5
"""Weight of edges against the direction that the question asks for: the definition's own calls still explain it."""


VERBS: Mapping[EdgeKind, tuple[str, str]] = {
    EdgeKind.CALL: ("calls", "is called by"),
    EdgeKind.CONSTRUCT: ("creates", "is created by"),
    EdgeKind.ACCESS: ("uses", "is used by"),
    EdgeKind.IMPLICIT: ("implicitly calls", "is implicitly called by"),
    EdgeKind.OVERRIDE: ("overrides", "is overridden by"),
    EdgeKind.WITNESS: ("declares", "implements"),
    EdgeKind.EXTEND: ("extends", "is extended by"),
    EdgeKind.INHERIT: ("builds on", "is the base of"),
    EdgeKind.MENTION: ("mentions", "is mentioned in"),
    EdgeKind.TYPE: ("names", "is named by"),
}
"""How the source of an edge stands to its target, and the target to its source, in words."""

_RUNS = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.WITNESS, EdgeKind.OVERRIDE})
"""Edges along which control passes."""

_STEPS = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS})
"""Edges whose ends a person calls caller and callee."""

_WITHOUT_GRAPH = frozenset({Ablation.NO_GRAPH, Ablation.BM25F, Ablation.DENSE})


@dataclass(frozen=True, slots=True)
class Link:
    """How a neighbour was reached."""

    place: Place
    """Caller, callee or related."""
    verb: str
    origin: str
    """Name of the symbol it was reached from."""


@dataclass(frozen=True, slots=True)
class _Received:
    value: float
    edge: EdgeKind
    inward: bool
    """The neighbour is the source of the edge."""
    lender: int


@dataclass(frozen=True, slots=True)
class Expansion:
    lent: Mapping[Key, ScorePart]
    """What each neighbour receives."""
    reasons: Mapping[Key, Link]
    chunks: Mapping[str, Mapping[int, Chunk]]
    """Neighbours that no search had found, by repository."""
    edges: int = 0
    """Edges that were looked at."""
    uses: Mapping[Key, Use] = field(default_factory=dict)
    """For questions of the use of something that they name: everything that uses it, in the order in which it is told."""


def expand(seeds: Seeds, anchors: Sequence[Anchor]) -> Expansion:
    """Follow edges from the anchors, two hops (for questions two more along calls), by certainty and kind of edge; damped at hubs; never into
    tests from outside unless asked.
    """
    if seeds.question.options.ablation in _WITHOUT_GRAPH or not anchors:
        return Expansion({}, {}, {})
    lent: dict[Key, ScorePart] = {}
    reasons: dict[Key, Link] = {}
    added: dict[str, dict[int, Chunk]] = {}
    uses: dict[Key, Use] = {}
    looked = 0
    for repository, corpus in seeds.corpora.items():
        mine = [(rank, anchor) for rank, anchor in enumerate(anchors) if anchor.ranked.candidate.repository == repository]
        share = LENT_TO_QUESTIONS if seeds.intent.is_question else LENT
        sources = {anchor.ranked.candidate.chunk.id: (anchor.symbols, share * anchor.ranked.score / (1 + RANK_DECAY * rank)) for rank, anchor in mine}
        first, chunks, looked_at = _lend(seeds.intent, corpus, sources)
        hops = [first]
        for number in range(1, 2 + (DEEPER_HOPS if seeds.intent.is_question else 0)):
            deeper = number > 1
            onward = _onward(corpus, hops[-1], chunks, DEEPER_SOURCES if deeper else SECOND_SOURCES, outward_only=deeper)
            passed = frozenset(sources) | frozenset(id_ for hop in hops for id_ in hop) if deeper else frozenset(sources)
            hop, further, more = _lend(seeds.intent, corpus, onward, ignore=passed, outward_only=deeper)
            hops.append(hop)
            chunks |= further
            looked_at += more
        looked += looked_at
        names = {id_: chunk.qualified or chunk.name for id_, chunk in chunks.items()}
        names |= {anchor.ranked.candidate.chunk.id: anchor.ranked.candidate.chunk.qualified for _, anchor in mine}
        for hop in reversed(hops):
            for id_, received in hop.items():
                if (repository, id_) not in lent or received.value > lent[repository, id_].value:
                    lent[repository, id_] = ScorePart("graph", received.value)
                    reasons[repository, id_] = _link(received, names.get(received.lender, ""), seeds.intent)
        added[repository] = {id_: chunk for id_, chunk in chunks.items() if (repository, id_) in lent}
        for use in _uses(corpus, seeds.intent) if any(anchor.defines for _, anchor in mine) else ():
            key = (repository, use.chunk.id)
            uses[key] = use
            added[repository].setdefault(use.chunk.id, use.chunk)
            value = share * anchors[0].ranked.score * use.confidence * noise_factor(corpus.table.rows[use.chunk.path].file, seeds.intent)
            if key not in lent or value > lent[key].value:
                lent[key] = ScorePart("graph", value)
            reasons[key] = Link(Place.CALLER, VERBS[use.edges[0].kind][0], use.used)
    return Expansion(lent, reasons, added, looked, uses)


def _uses(corpus: Corpus, intent: Intent) -> tuple[Use, ...]:
    """Everything that uses what the question names; nothing where the graph is too slow."""
    nothing: tuple[Use, ...] = ()
    return corpus.hurry.ask(lambda: find_uses(corpus, [symbol.id for symbol in definitions_of(corpus, intent)]), nothing)


def _onward(
    corpus: Corpus, hop: Mapping[int, _Received], chunks: Mapping[int, Chunk], most: int, *, outward_only: bool
) -> dict[int, tuple[tuple[int, ...], float]]:
    """The neighbours of one hop as the lenders of the next, best first, each along everything that is declared in it."""
    able = [id_ for id_ in hop if not outward_only or (not hop[id_].inward and hop[id_].edge in _RUNS)]
    best = sorted(able, key=lambda id_: (-hop[id_].value, id_))[:most]
    own: dict[int, tuple[int, ...]] = {id_: (chunk.symbol,) if chunk.symbol is not None else () for id_ in best for chunk in [chunks[id_]]}
    declared = corpus.hurry.ask(lambda: declared_in(corpus, [chunks[id_] for id_ in best]), own)
    return {id_: (declared[id_], SECOND_HOP * hop[id_].value) for id_ in best}


def _lend(
    intent: Intent,
    corpus: Corpus,
    sources: Mapping[int, tuple[tuple[int, ...], float]],
    *,
    ignore: frozenset[int] = frozenset(),
    outward_only: bool = False,
) -> tuple[dict[int, _Received], dict[int, Chunk], int]:
    """One hop. ``sources``: chunk -> its symbols and what it may lend. Returns what each chunk receives (the largest counts), the
    chunks, and the number of edges; nothing of it where the graph is too slow.
    """
    nothing: tuple[dict[int, _Received], dict[int, Chunk], int] = ({}, {}, 0)
    return corpus.hurry.ask(lambda: _follow(intent, corpus, sources, ignore, outward_only=outward_only), nothing)


def _follow(
    intent: Intent,
    corpus: Corpus,
    sources: Mapping[int, tuple[tuple[int, ...], float]],
    ignore: frozenset[int],
    *,
    outward_only: bool,
) -> tuple[dict[int, _Received], dict[int, Chunk], int]:
    chunk_of = {symbol: chunk for chunk, (symbols, _) in sources.items() for symbol in symbols}
    usage = intent.aim is Aim.USAGE and bool(intent.used)
    weights = USAGE_WEIGHTS if usage else KIND_WEIGHTS
    outward = corpus.graph.edges(corpus.pin, sorted(chunk_of), Direction.CALLEES, per_node=FAN_OUT)
    inward_edges: Sequence[Edge] = ()
    if not outward_only:
        inward_edges = corpus.graph.edges(corpus.pin, sorted(chunk_of), Direction.CALLERS, per_node=USAGE_FAN_OUT if usage else FAN_OUT)
    ends = sorted({edge.target for edge in outward} | {edge.source for edge in inward_edges})
    holding = chunks_holding(corpus, ends)
    chunks = dict(corpus.graph.chunks(corpus.pin, sorted(set(holding.values()))))
    degrees = corpus.graph.degrees(corpus.pin, ends)
    received: dict[int, _Received] = {}
    for edges, inward in ((outward, False), (inward_edges, True)):
        toward = _toward(intent, Direction.CALLERS if inward else Direction.CALLEES)
        for edge in edges:
            here, there = (edge.target, edge.source) if inward else (edge.source, edge.target)
            lender, neighbor = chunk_of[here], holding.get(there)
            if neighbor is None or neighbor == lender or neighbor in ignore or neighbor not in chunks:
                continue
            file = corpus.table.rows[chunks[neighbor].path].file
            if _into_tests(intent, corpus, chunks[neighbor], lender, chunks):
                continue
            degree = degrees[there].callers + degrees[there].callees if there in degrees else 0
            value = sources[lender][1] * toward * edge.confidence * weights[edge.kind] * noise_factor(file, intent)
            value /= math.sqrt(max(1.0, degree / HUB_DEGREE))
            if neighbor not in received or value > received[neighbor].value:
                received[neighbor] = _Received(value, edge.kind, inward, lender)
    return received, chunks, len(outward) + len(inward_edges)


def _toward(intent: Intent, direction: Direction) -> float:
    if intent.direction is Direction.BOTH:
        return 1.0
    return 1.0 if intent.direction is direction else AGAINST


def _link(received: _Received, origin: str, intent: Intent) -> Link:
    active, passive = VERBS[received.edge]
    verb = active if received.inward else passive
    if intent.aim is Aim.USAGE and received.inward:
        return Link(Place.CALLER, verb, origin)
    if received.edge not in _STEPS:
        return Link(Place.RELATED, verb, origin)
    return Link(Place.CALLER if received.inward else Place.CALLEE, verb, origin)


def _into_tests(intent: Intent, corpus: Corpus, neighbor: Chunk, lender: int, chunks: Mapping[int, Chunk]) -> bool:
    if not has_role(corpus.role(neighbor.path), FileRole.TEST) or has_role(intent.asked_roles, FileRole.TEST):
        return False
    return not (lender in chunks and has_role(corpus.role(chunks[lender].path), FileRole.TEST))
