"""Symbol mapping: from the best chunks to the symbols declared in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exegesis.model import Span, Symbol
from services.query.intent import Aim, Intent, bears, qualified_names
from services.query.rank import RankedChunk, Ranking
from services.query.retrieve import Seeds


@dataclass(frozen=True, slots=True)
class Anchor:
    """A chunk from which the graph is followed."""

    ranked: RankedChunk
    symbols: tuple[int, ...]
    """Everything declared in it, closures and small members included, in the order of the text."""


def map_to_symbols(seeds: Seeds, ranking: Ranking) -> tuple[Anchor, ...]:
    """The best chunks with the symbols declared in them, best first; at most ``limit``.

    Parts of oversize symbols are anchors only on request, or if nothing else is there. A question that is a symbol, or asks for the use of one, is
    anchored at its definitions alone.
    """
    options = seeds.question.options
    able = [chunk for chunk in ranking.chunks if options.oversize_anchors or chunk.candidate.chunk.parts == 1] or list(ranking.chunks)
    if seeds.intent.aim in {Aim.SYMBOL, Aim.USAGE}:
        able = _definitions(able, seeds.intent) or able
    chosen = able[: options.limit]
    declared = _declared(seeds, chosen)
    return tuple(Anchor(chunk, declared[index]) for index, chunk in enumerate(chosen))


def _definitions(chunks: Sequence[RankedChunk], intent: Intent) -> list[RankedChunk]:
    """Those that bear a name which the question writes like code: with its type where that is written, else in the same letters, else in any case."""
    qualified = qualified_names(intent.text)
    names = {name for name in (*intent.identifiers, intent.symbol) if name}
    lowered = {name.lower() for name in names}
    return (
        [chunk for chunk in chunks if bears(chunk.candidate.chunk.qualified, qualified)]
        or [chunk for chunk in chunks if chunk.candidate.chunk.name in names]
        or [chunk for chunk in chunks if chunk.candidate.chunk.name.lower() in lowered]
    )


def _declared(seeds: Seeds, chosen: list[RankedChunk]) -> list[tuple[int, ...]]:
    by_file: dict[tuple[str, str], list[Symbol]] = {}
    for repository, corpus in seeds.corpora.items():
        places: dict[str, list[Span]] = {}
        for chunk in chosen:
            if chunk.candidate.repository == repository:
                places.setdefault(chunk.candidate.chunk.path, []).extend(chunk.candidate.chunk.runs)
        for symbol in corpus.graph.symbols_at(corpus.pin, places) if places else ():
            by_file.setdefault((repository, symbol.path), []).append(symbol)
    found = []
    for chunk in chosen:
        runs = chunk.candidate.chunk.runs
        inside = [s.id for s in by_file.get(chunk.candidate.file, ()) if any(run.start <= s.line <= run.end for run in runs)]
        own = chunk.candidate.chunk.symbol
        found.append(tuple(dict.fromkeys([*([own] if own is not None else []), *inside])))
    return found
