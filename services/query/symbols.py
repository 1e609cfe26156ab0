"""Symbol mapping: from the best chunks to the symbols declared in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from exegesis.model import Chunk, Span, Symbol, SymbolKind
from services.query.aims import Aim
from services.query.corpus import Corpus, Key, chunks_holding
from services.query.intent import Intent, bears, qualified_names
from services.query.programs import is_program
from services.query.rank import RankedChunk, Ranking
from services.query.retrieve import Seeds


@dataclass(frozen=True, slots=True)
class Anchor:
    """A chunk from which the graph is followed."""

    ranked: RankedChunk
    symbols: tuple[int, ...]
    """Everything declared in it, closures and small members included, in the order of the text."""
    defines: bool = False
    """It declares what the question names and asks the use of, and was not just found by words."""


def map_to_symbols(seeds: Seeds, ranking: Ranking) -> tuple[Anchor, ...]:
    """The best chunks with the symbols declared in them, best first; at most ``limit``.

    Parts of oversize symbols are anchors only on request, or if nothing else is there. A question that is a symbol, or asks for the use of one, is
    anchored at its definitions alone; one that compares things by name at the definitions of all of them; and one that names a program at where that
    begins, since what it does follows from there.
    """
    options, aim = seeds.question.options, seeds.intent.aim
    if beside := _compared(seeds, ranking):
        return _anchors(seeds, beside, defines=True)
    defining = _defining(seeds, ranking) if aim is Aim.USAGE else []
    if defining:
        return _anchors(seeds, defining[: options.limit], defines=True)
    able = [chunk for chunk in ranking.chunks if options.oversize_anchors or chunk.candidate.chunk.parts == 1] or list(ranking.chunks)
    if aim in {Aim.SYMBOL, Aim.USAGE}:
        able = _definitions(able, seeds.intent) or able
    elif programs := [chunk for chunk in ranking.chunks if _is_named_program(chunk, seeds.intent)]:
        return _anchors(seeds, programs[: options.limit], defines=False)
    return _anchors(seeds, (of_kind(seeds, able) or able)[: options.limit], defines=False)


def of_kind(seeds: Seeds, chunks: Sequence[RankedChunk]) -> list[RankedChunk]:
    """Those of the kind that the question names, as far as they are worth it beside the best of all; none where it names none. A kind given as
    an option is meant whatever it is worth.
    """
    kinds = seeds.intent.kinds
    if not kinds or not chunks:
        return []
    least = 0.0 if seeds.question.options.kind else NARROW * max(chunk.score for chunk in chunks)
    roles = {repository: corpus.role for repository, corpus in seeds.corpora.items()}
    return [c for c in chunks if c.score >= least and kinds.hold(c.candidate.chunk, roles[c.candidate.repository](c.candidate.chunk.path))]


NARROW = 0.3
"""Share of the best score below which something of the kind that is asked for is as good as nothing."""


def definitions_of(corpus: Corpus, intent: Intent) -> tuple[Symbol, ...]:
    """The declarations of which a question asks the use: those that bear a name it gives, with its type where that is written, else in the same
    letters, else in any case. Of the kind that it names, if there are any; extensions only where nothing else bears the name.
    """
    return _bearers(corpus, intent.used, intent, qualified_names(intent.text))


def _bearers(corpus: Corpus, wanted: Collection[str], intent: Intent, qualified: Collection[str]) -> tuple[Symbol, ...]:
    if not wanted:
        return ()
    found = corpus.graph.symbols_named(corpus.pin, sorted({name.rpartition(".")[2] for name in wanted}))
    names = set(wanted)
    whole = {name.lower() for name in wanted if "." in name}
    # "The Abort error" is `Abort` if that is declared as it is written, and `AbortError` before an `abort` of any other kind.
    joined = {name.lower() for name in wanted if any(name != other and name.startswith(other) for other in wanted)}
    meant = (
        [symbol for symbol in found if bears(symbol.qualified, qualified)]
        or [symbol for symbol in found if symbol.name in names]
        or [symbol for symbol in found if whole and bears(symbol.qualified.lower(), whole)]
        or [symbol for symbol in found if symbol.name.lower() in joined]
        or list(found)
    )
    meant = [symbol for symbol in meant if symbol.kind in intent.kinds.symbols] or meant
    meant = [symbol for symbol in meant if symbol.kind not in {SymbolKind.EXTENSION, SymbolKind.HEADING}] or meant
    return tuple(meant[:MOST_BEARERS])


MOST_BEARERS = 40
"""Declarations of one name: a name that more bear says little without its type."""


def _defining(seeds: Seeds, ranking: Ranking) -> list[RankedChunk]:
    """The chunks that show the definitions, best first, what has a body before what only announces it; those of tests and examples last, which
    declare what they call after what they test.
    """
    known = ranking.by_key()
    found: dict[Key, RankedChunk] = {}
    for repository, corpus in seeds.corpora.items():
        symbols = definitions_of(corpus, seeds.intent)
        for id_ in chunks_holding(corpus, [symbol.id for symbol in symbols]).values() if symbols else ():
            if (repository, id_) in known:
                found[repository, id_] = known[repository, id_]
    return sorted(found.values(), key=lambda ranked: (ranked.candidate.chunk.symbol_kind is SymbolKind.PROTOTYPE, ranked.order))


def _compared(seeds: Seeds, ranking: Ranking) -> list[RankedChunk]:
    """The chunks that define what a question compares, the best of each thing in the order of the question; none where code bears fewer than two of
    the names. What has a body stands for what is only announced.
    """
    known = ranking.by_key()
    found: dict[Key, RankedChunk] = {}
    for name in seeds.intent.compared:
        bearers: list[tuple[bool, RankedChunk]] = []
        for repository, corpus in seeds.corpora.items():
            symbols = _bearers(corpus, [name], seeds.intent, [name] if "." in name else [])
            announced = {symbol.id for symbol in symbols if symbol.kind is SymbolKind.PROTOTYPE}
            for symbol, id_ in chunks_holding(corpus, [symbol.id for symbol in symbols]).items() if symbols else ():
                if (repository, id_) in known and (repository, id_) not in found:
                    bearers.append((symbol in announced, known[repository, id_]))
        for _, ranked in sorted(bearers, key=lambda bearer: (bearer[0], bearer[1].order))[:1]:
            found[ranked.candidate.key] = ranked
    return list(found.values()) if len(found) > 1 else []


def _is_named_program(ranked: RankedChunk, intent: Intent) -> bool:
    chunk = ranked.candidate.chunk
    return chunk.symbol_kind is not None and chunk.name.lower() in intent.called and is_program(chunk.name, chunk.symbol_kind.value, chunk.path)


def _anchors(seeds: Seeds, chosen: list[RankedChunk], *, defines: bool) -> tuple[Anchor, ...]:
    declared = _declared(seeds, chosen)
    return tuple(Anchor(chunk, declared[index], defines) for index, chunk in enumerate(chosen))


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
    found: dict[Key, tuple[int, ...]] = {}
    for repository, corpus in seeds.corpora.items():
        mine = [ranked.candidate.chunk for ranked in chosen if ranked.candidate.repository == repository]
        found |= {(repository, id_): symbols for id_, symbols in declared_in(corpus, mine).items()}
    return [found[chunk.candidate.key] for chunk in chosen]


def declared_in(corpus: Corpus, chunks: Iterable[Chunk]) -> dict[int, tuple[int, ...]]:
    """For each chunk of one repository its own symbol, then everything else that is declared on its lines, closures and small members included, in
    the order of the text: what a closure calls is called where the closure stands.
    """
    chunks = list(chunks)
    places: dict[str, list[Span]] = {}
    for chunk in chunks:
        places.setdefault(chunk.path, []).extend(chunk.runs)
    by_file: dict[str, list[Symbol]] = {}
    for symbol in corpus.graph.symbols_at(corpus.pin, places) if places else ():
        by_file.setdefault(symbol.path, []).append(symbol)
    found = {}
    for chunk in chunks:
        inside = [s.id for s in by_file.get(chunk.path, ()) if any(run.start <= s.line <= run.end for run in chunk.runs)]
        found[chunk.id] = tuple(dict.fromkeys([*([chunk.symbol] if chunk.symbol is not None else []), *inside]))
    return found
