"""The list of results for people: breadth first, then depth.

The best chunk of each of the best files comes first, then the best further chunks. On eleven repositories such a list has NDCG@10 .908 where
the plain list of chunks has .814, and keeps most of the spans that one chunk per file would lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from exegesis.model import Ablation, FileResults, Result, ScorePart, SymbolKind
from services.query.aims import Aim
from services.query.corpus import File, Key
from services.query.features import is_scrap
from services.query.intent import Intent
from services.query.rank import RankedChunk, Ranking
from services.query.retrieve import Seeds
from services.query.symbols import of_kind
from services.query.why import why

FILES_FIRST = 7
"""Files that are each represented once before any is represented twice. Ten lose a fifth of the places that a change touches."""
PLACES_FIRST = 10
"""The same for who asks where something is: one place is the answer, and a second one of a file that is listed is none."""
OF_A_FILE = 3
"""Chunks of a file where a list is told by files."""


def present(seeds: Seeds, ranking: Ranking, *, limit: int | None = None) -> tuple[Result, ...]:
    """At most ``limit`` results (default: that of the question), best first, each chunk once."""
    wanted = seeds.question.options.limit if limit is None else limit
    chosen = [chunk for chunk, _ in zip(_ordered(seeds, ranking), range(wanted), strict=False)]
    return tuple(_result(seeds, chunk) for chunk in chosen)


def by_file(seeds: Seeds, ranking: Ranking, results: Sequence[Result]) -> tuple[FileResults, ...]:
    """The files of a list in the order in which it first names them, each with the best of its chunks by themselves."""
    held: dict[File, list[RankedChunk]] = {(result.repository, result.path): [] for result in results}
    for chunk in ranking.chunks:
        if (chunks := held.get(chunk.candidate.file)) is not None and not is_scrap(chunk.candidate.chunk):
            chunks.append(chunk)
    files = {file.file: file for file in ranking.files}
    known = ranking.by_key()
    grouped = []
    for file, chunks in held.items():
        best = known[files[file].best]
        others = sorted((chunk for chunk in chunks if chunk is not best), key=lambda chunk: -chunk.list_score)
        shown = tuple(_result(seeds, chunk) for chunk in (best, *others[: OF_A_FILE - 1]))
        grouped.append(FileResults(*file, round(files[file].score, 6), shown, _rounded(files[file].parts)))
    return tuple(grouped)


def _ordered(seeds: Seeds, ranking: Ranking) -> Iterator[RankedChunk]:
    ablation = seeds.question.options.ablation
    if ablation in {Ablation.BM25F, Ablation.DENSE}:
        yield from ranking.chunks
        return
    known = ranking.by_key()
    files_first = PLACES_FIRST if seeds.intent.asks_where else FILES_FIRST
    first = [known[file.best] for file in ranking.files[:files_first]]
    shown = {chunk.candidate.key for chunk in first}
    further = (c for c in ranking.chunks if c.candidate.key not in shown and not is_scrap(c.candidate.chunk))
    of_that_kind = of_kind(seeds, ranking.chunks) if _is_of_kind(seeds.intent) else ()
    if not of_that_kind:
        yield from first
        yield from further
        return
    listed = [*first, *further]
    if narrowed := _with_prototypes(of_that_kind, listed):
        # Those of the kind that was asked for come first, and stand alone where an option names it. Whoever names one wants
        # what is near to it, not one of each file.
        by_score = bool(seeds.intent.identifiers)
        listed.sort(key=lambda chunk: -chunk.list_score if by_score and chunk.candidate.key in narrowed else 0.0)
        listed.sort(key=lambda chunk: chunk.candidate.key not in narrowed)
        if seeds.question.options.kind:
            listed = [c for c in listed if c.candidate.chunk.symbol_kind is seeds.question.options.kind]
    yield from listed


def _is_of_kind(intent: Intent) -> bool:
    """Whether the answer is a thing of the kind that is named. "Why does the method that opens files..." says a kind of what it is about, and is
    answered by whatever that method does; "where is the method that opens files" is not.
    """
    return not (intent.kinds.describe and intent.aim in _EXPLAINED)


_EXPLAINED = frozenset({Aim.WHY, Aim.FLOW, Aim.EVENT})


def _with_prototypes(narrowed: Sequence[RankedChunk], listed: Sequence[RankedChunk]) -> set[Key]:
    """What is of the kind that was asked for, and the prototypes of it: they declare the same procedure."""
    names = {chunk.candidate.chunk.name.lower() for chunk in narrowed if chunk.candidate.chunk.symbol_kind in _CODE}
    prototypes = [chunk for chunk in listed if chunk.candidate.chunk.symbol_kind is SymbolKind.PROTOTYPE]
    declaring = {chunk.candidate.key for chunk in prototypes if chunk.candidate.chunk.name.lower() in names}
    return {chunk.candidate.key for chunk in narrowed} | declaring


_CODE = frozenset({SymbolKind.PROCEDURE, SymbolKind.FUNCTION})


def _result(seeds: Seeds, ranked: RankedChunk) -> Result:
    chunk = ranked.candidate.chunk
    return Result(
        repository=ranked.candidate.repository,
        path=chunk.path,
        start=chunk.start,
        end=chunk.end,
        symbol=chunk.qualified or chunk.name,
        kind=chunk.symbol_kind.value if chunk.symbol_kind else chunk.kind.value,
        score=round(ranked.list_score, 6),
        why=why(seeds, ranked),
        parts=_rounded(ranked.list_parts),
    )


def _rounded(parts: Iterable[ScorePart]) -> tuple[ScorePart, ...]:
    return tuple(ScorePart(part.name, round(part.value, 6)) for part in parts)
