"""What the best finds call: the files in which the work is done that the first places of a list only name.

Words find where something is spoken of; what carries it out is called there, and often says it in other words. So a file of the list gains by the
calls that lead into it from the best of what words and vectors found. Only what was found gains: no file joins a list by calls alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from exegesis.model import Ablation, Edge, EdgeKind, Symbol
from services.graph.api import Direction
from services.query.corpus import Corpus, File
from services.query.rank import CALLED, Ranking, raise_files
from services.query.retrieve import Seeds

CALLERS: Final = 10
"""Best chunks whose calls count: 6 to 12 are level."""
FAN_OUT: Final = 32
"""Calls of one of them that are followed, most certain first."""

_CALLS: Final = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT})
"""What a declaration hands on. State that is read and types that are named lead to whatever everybody uses: with them redis loses .03."""
_WITHOUT_GRAPH: Final = frozenset({Ablation.NO_GRAPH, Ablation.BM25F, Ablation.DENSE, Ablation.PLAIN_TEXT})


def with_calls(seeds: Seeds, ranking: Ranking) -> Ranking:
    """The same ranking with its files moved up by what the best chunks call. A question that is a symbol asks for its definition and for nothing that
    this calls, so its files stay.
    """
    if seeds.intent.symbol or seeds.question.options.ablation in _WITHOUT_GRAPH:
        return ranking
    called = count_calls(seeds, ranking)
    most = max(called.values(), default=0.0)
    return raise_files(ranking, CALLED, {file: worth / most for file, worth in called.items()} if most > 0 else {})


def count_calls(seeds: Seeds, ranking: Ranking) -> Mapping[File, float]:
    """For each file that one of the best chunks of another file calls into: the sum over the declarations that are called there. Each counts once, by
    the list score of its best caller beside the best of all and by the certainty of the call.
    """
    best = heapq.nsmallest(CALLERS, ranking.chunks, key=lambda chunk: -chunk.list_score)  # of equal ones those first that a context wants
    top = best[0].list_score if best else 0.0
    worth: dict[tuple[File, int], float] = {}
    for repository, corpus in seeds.corpora.items():
        callers = {chunk.candidate.chunk.symbol: chunk for chunk in reversed(best) if chunk.candidate.repository == repository}
        nothing: tuple[Sequence[Edge], Mapping[int, Symbol]] = ((), {})
        calls, targets = corpus.hurry.ask(partial(_read_calls, corpus, sorted(id_ for id_ in callers if id_ is not None)), nothing)
        for call in calls:
            caller, target = callers[call.source], targets.get(call.target)
            if target is None or target.path == caller.candidate.chunk.path or top <= 0:
                continue
            key = ((repository, target.path), call.target)
            worth[key] = max(worth.get(key, 0.0), call.confidence * caller.list_score / top)
    called: dict[File, float] = {}
    for (file, _), value in worth.items():
        called[file] = called.get(file, 0.0) + value
    return called


def _read_calls(corpus: Corpus, sources: Sequence[int]) -> tuple[Sequence[Edge], Mapping[int, Symbol]]:
    """Calls of some symbols, and the symbols that they lead to."""
    calls = [edge for edge in corpus.graph.edges(corpus.pin, sources, Direction.CALLEES, per_node=FAN_OUT) if edge.kind in _CALLS]
    return calls, corpus.graph.symbols(corpus.pin, sorted({edge.target for edge in calls}))
