"""What stands back in the list of results: declarations that only lead to others, told by the graph and not by their words.

What is deprecated says every word of what replaced it, and of several declarations with one name those that hand everything on to another say the
words of the one that does the work. Both are found as well as it and explain less, so it comes first; unless the question is about the old, or about
what is public.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from exegesis.model import Chunk, Edge, EdgeKind, Modifier, SymbolKind
from exegesis.terms import bare, folded
from services.graph.api import Direction
from services.query.corpus import Corpus
from services.query.intent import Intent


class Standing(StrEnum):
    OWN = "own"
    DEPRECATED = "deprecated"
    """Kept for those who still call it."""
    PASSES_ON = "passes on"
    """Its work is done by another declaration of the same name, which was found too."""


AMONG = 100
"""Best chunks by words that are looked at: what stands behind them is not listed anyway. 60 and 200 are level."""

MOST_CALLS = 2
"""Different declarations of the project that something may call and yet only pass on: the other one, and what gets at it."""

_CALLS = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT})
_WHOLES = frozenset({SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.ACTOR, SymbolKind.PROTOCOL, SymbolKind.EXTENSION})
_FAN_OUT = 16
_ASKS_FOR_INTERFACE = re.compile(r"\b(?:apis?|interfaces?|facades?|wrappers?|wraps?|shortcuts?|convenience|alias(?:es)?)\b", re.IGNORECASE)
_ASKS_FOR_DEPRECATED = re.compile(r"\b(?:deprecat\w*|obsolete\w*|legacy)\b", re.IGNORECASE)


def read_standings(corpus: Corpus, intent: Intent, best: Sequence[Chunk], found: Iterable[Chunk]) -> dict[int, Standing]:
    """Of those of the best chunks that stand back, by identifier. Reads their symbols, and the calls of those with a namesake among ``found``."""
    by_symbol = {chunk.symbol: chunk for chunk in best if chunk.symbol is not None}
    namesakes = _namesakes(by_symbol, found)
    standings: dict[int, Standing] = {}
    if not _ASKS_FOR_DEPRECATED.search(intent.text):
        symbols = corpus.graph.symbols(corpus.pin, sorted(by_symbol))
        old = {id_ for id_, symbol in symbols.items() if symbol.modifiers & Modifier.DEPRECATED}
        meant = {bare(name).lower() for name in (intent.symbol, *intent.identifiers, *intent.about) if name}
        standings = {id_: Standing.DEPRECATED for id_ in old if _name(by_symbol[id_]) not in meant or namesakes[id_] - old}
    if not _ASKS_FOR_INTERFACE.search(intent.text):
        able = sorted(id_ for id_ in by_symbol.keys() - standings.keys() if namesakes[id_] and by_symbol[id_].symbol_kind not in _WHOLES)
        calls = [edge for edge in corpus.graph.edges(corpus.pin, able, Direction.CALLEES, per_node=_FAN_OUT) if edge.kind in _CALLS] if able else []
        standings |= {id_: Standing.PASSES_ON for id_ in able if passes_on(id_, calls, namesakes[id_])}
    return {chunk.id: standings[chunk.symbol] for chunk in best if chunk.symbol in standings}


def passes_on(symbol: int, calls: Sequence[Edge], namesakes: Collection[int]) -> bool:
    """Whether a symbol calls one of its namesakes and little else. ``calls`` are those of any symbols; calls out of the project are no work of it."""
    targets = {edge.target for edge in calls if edge.source == symbol and edge.target != symbol}
    return len(targets) <= MOST_CALLS and not targets.isdisjoint(namesakes)


def _namesakes(by_symbol: Mapping[int, Chunk], found: Iterable[Chunk]) -> Mapping[int, frozenset[int]]:
    """For each symbol the others among those found that bear its name, whatever sign stands before it: what is public and what is private differ by a
    line.
    """
    bearers: dict[str, set[int]] = {_name(chunk): set() for chunk in by_symbol.values()}
    for chunk in found:
        if chunk.symbol is not None and (ids := bearers.get(_name(chunk))) is not None:
            ids.add(chunk.symbol)
    return {id_: frozenset(bearers[name] - {id_} if (name := _name(chunk)) else ()) for id_, chunk in by_symbol.items()}


def _name(chunk: Chunk) -> str:
    return folded(chunk.name)
