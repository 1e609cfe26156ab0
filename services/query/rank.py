"""Ranking: tables of signals, and the scores that they add up to. To add a signal, add a row.

Three scores, each kept with its parts so that any rank can be explained:

* a chunk's list score: how well it answers by itself;
* a file's score: its best chunk, how much more it holds, its name, how much else mentions it; times the noise factors;
* a chunk's context score ``T``: the chunk together with its file, which is what a context is filled by; plus what the graph lends it.

The weights were chosen on eleven repositories and hold when any of them is left out (NDCG@10 .906 against .912); when six of them are changed at
random by up to half, the figure stays above .898. They are not to be tuned on single questions.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from exegesis.model import Ablation, Chunk, FileRole, ScorePart, SourceFile
from services.query.corpus import Key
from services.query.features import Candidate, FileCandidate, is_definition, name_precision, path_share, stem_precision
from services.query.intent import Aim, Intent
from services.query.retrieve import Seeds

Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class Signal(Generic[Subject]):
    name: str
    weight: float
    value: Callable[[Subject, Intent], float]
    """In [0, 1]."""
    reason: str


@dataclass(frozen=True, slots=True)
class ChunkView:
    """A candidate as chunk signals see it."""

    candidate: Candidate
    lexical: float
    """BM25F score over the best of all candidates."""
    cosine: float
    """Similarity to the question; where only the best candidates were embedded, the lowest of theirs for all others; 0 without vectors."""
    name: float
    definition: float
    kind: float


@dataclass(frozen=True, slots=True)
class FileView:
    """A file as file signals see it; shares are of the largest value among all files of the question."""

    candidate: FileCandidate
    best: float
    """List score of its best chunk."""
    four: float
    lexical: float


@dataclass(frozen=True, slots=True)
class Noise:
    name: str
    factor: float
    roles: FileRole
    """Files of any of these roles; NONE for files that no language claims."""
    reason: str


CHUNK_SIGNALS: tuple[Signal[ChunkView], ...] = (
    Signal("words", 1.0, lambda view, _: view.lexical, "BM25F, the base of everything"),
    Signal("name", 0.3, lambda view, _: view.name, "a short name, said as a whole; removing it loses .017"),
    Signal("definition", 1.0, lambda view, _: view.definition, "the symbol that is the whole question"),
    Signal("kind", 0.2, lambda view, _: view.kind, "the kind of symbol that the question names"),
    Signal("landmark", 0.6, lambda view, _: view.candidate.landmark, "places to begin, for questions about the whole; zero for all others"),
    Signal("similarity", 1.0, lambda view, _: view.cosine, "vectors, late or stored: .8 to 1 are level, 1.5 loses"),
)

FILE_SIGNALS: tuple[Signal[FileView], ...] = (
    Signal("best chunk", 1.0, lambda view, _: view.best, "a file is as good as the best that it holds"),
    Signal("four chunks", 0.4, lambda view, _: view.four, "and better if it holds more: sum of its best four; removing it loses .008"),
    Signal("file words", 0.4, lambda view, _: view.lexical, "BM25F of the whole file, for words scattered over it; removing it loses .011"),
    Signal(
        "path",
        0.6,
        lambda view, intent: _path(view, intent, path_share),
        "words in file name or folder; without both path signals .021 is lost",
    ),
    Signal("file name", 0.2, lambda view, intent: _path(view, intent, stem_precision), "a short file name that is asked for as a whole"),
    Signal("mentioned", 0.1, lambda view, _: view.candidate.mentioned, "files that much else refers to hold the mechanism; removing it loses .005"),
)

NOISE: tuple[Noise, ...] = (
    Noise("test", 0.6, FileRole.TEST, "tests say the words of what they test, more often than the code itself"),
    Noise(
        "aside",
        0.6,
        FileRole.EXAMPLE | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.DOCUMENT,
        "examples, documents and other people's code explain use, not mechanism",
    ),
    Noise("generated", 0.6, FileRole.GENERATED | FileRole.MINIFIED, "nobody wrote it to be read"),
    Noise("settings", 0.6, FileRole.NONE, "lint rules, manifests and resources repeat words without saying how anything works"),
    Noise("superseded", 0.7, FileRole.SUPERSEDED, "a newer version stands beside it"),
    Noise("interface", 0.9, FileRole.UI, "scaffolding of screens repeats the words of what they show"),
    Noise("command line", 0.9, FileRole.CLI, "argument parsing repeats the words of what it starts"),
)
"""Factors on a file's score, unless the question asks for such files. All that apply are multiplied."""

CONTEXT_NAME = 0.15  # weight of the name signal in T: half of the list's, because a context wants bodies too
CONTEXT_KIND = 0.2  # of the kind that the question names, as in the list
CONTEXT_SIMILARITY = 0.6  # of late vectors within the chunk part of T
CONTEXT_FILE = 0.75  # of the file within T; 0 loses .08 of the spans at 8,000 tokens, 2 loses .02
STORED_SIMILARITY = 0.6  # of the chunk's cosine, and once more of the best of its file, where all chunks have vectors
CONTEXT_TEST = 0.2  # on T of tests unless asked for: they fill a sixth of the context otherwise
CONTEXT_TEST_STORED = 0.6  # the same with all vectors, which push tests down themselves
CONTEXT_ASIDE = 0.6  # on T of what shows, copies or precedes the real thing
CONTEXT_SETTINGS = 0.3  # on T of files that no language claims
FOUR = 4
FOUR_AMONG = 200  # best chunks among which a file's best four are counted


_ASIDE = FileRole.EXAMPLE | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.GENERATED | FileRole.MINIFIED | FileRole.SUPERSEDED


@dataclass(frozen=True, slots=True)
class RankedChunk:
    candidate: Candidate
    score: float
    """Context score with what the graph lends."""
    list_score: float
    parts: tuple[ScorePart, ...]
    """Of the context score."""
    list_parts: tuple[ScorePart, ...] = ()

    @property
    def order(self) -> tuple[float, tuple[str, str, int, int]]:
        return -self.score, self.candidate.place


@dataclass(frozen=True, slots=True)
class RankedFile:
    candidate: FileCandidate
    score: float
    best: Key
    """Chunk with the highest list score."""
    parts: tuple[ScorePart, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    chunks: tuple[RankedChunk, ...]
    """By context score, best first."""
    files: tuple[RankedFile, ...]
    """By file score, best first; only files that hold a candidate."""

    def by_key(self) -> Mapping[Key, RankedChunk]:
        return {chunk.candidate.key: chunk for chunk in self.chunks}


def rank(seeds: Seeds, lent: Mapping[Key, ScorePart] | None = None) -> Ranking:
    """Score all candidates. ``lent`` is what the graph adds to the context score of some of them."""
    intent, ablation = seeds.intent, seeds.question.options.ablation
    views = _views(seeds)
    listed = [_parts(CHUNK_SIGNALS, view, intent) for view in views]
    scores = [sum(part.value for part in parts) for parts in listed]
    near = _best_cosines(views) if seeds.has_vectors else {}
    files = _rank_files(seeds, views, scores)
    largest_file = max((file.score for file in files), default=0.0) or 1.0
    of_file = {(file.candidate.repository, file.candidate.row.file.path): file.score / largest_file for file in files}
    factors = {file: _pushed_down(seeds, candidate) for file, candidate in seeds.files.items()}
    own = [_context_part(view, stored=seeds.has_vectors) for view in views]
    largest = max(own, default=0.0) or 1.0
    chunks = []
    for view, list_parts, list_score, chunk_part in zip(views, listed, scores, own, strict=True):
        candidate, file = view.candidate, view.candidate.file
        if single := _single_signal(view, ablation):
            chunks.append(RankedChunk(candidate, single.value, single.value, (single,), (single,)))
            continue
        parts = [ScorePart("chunk", chunk_part / largest), ScorePart("file", CONTEXT_FILE * of_file[file])]
        if seeds.has_vectors:
            parts.append(ScorePart("similarity", STORED_SIMILARITY * view.cosine))
            parts.append(ScorePart("file similarity", STORED_SIMILARITY * near[file]))
        if lent and candidate.key in lent:
            parts.append(lent[candidate.key])
        score = sum(part.value for part in parts)
        if factors[file].name:
            parts.append(ScorePart(factors[file].name, score * (factors[file].value - 1)))
            score *= factors[file].value
        chunks.append(RankedChunk(candidate, score, list_score, tuple(parts), list_parts))
    return Ranking(tuple(sorted(chunks, key=lambda chunk: chunk.order)), files)


def unranked(repository: str, chunk: Chunk) -> RankedChunk:
    """A chunk that no search found, taken for its place."""
    return RankedChunk(Candidate(repository, chunk), 0.0, 0.0, ())


def noise_of(file: SourceFile, intent: Intent) -> tuple[Noise, ...]:
    """The rows of :data:`NOISE` that apply to a file."""
    asked = intent.asked_roles
    if any(f"/{version}/" in f"/{file.path.lower()}" for version in intent.versions):
        asked |= FileRole.SUPERSEDED
    return _rows_for(int(file.roles), int(asked), unclaimed=is_unclaimed(file) and not intent.asks_for_settings_files)


def noise_factor(file: SourceFile, intent: Intent) -> float:
    return math.prod(row.factor for row in noise_of(file, intent))


def is_unclaimed(file: SourceFile) -> bool:
    """No language claims it, and it is no prose either."""
    return not file.language and not file.roles & FileRole.DOCUMENT


@functools.lru_cache(maxsize=4096)
def _rows_for(roles: int, asked: int, *, unclaimed: bool) -> tuple[Noise, ...]:
    return tuple(row for row in NOISE if (roles & row.roles and not roles & row.roles & asked) or (unclaimed and not row.roles))


def _views(seeds: Seeds) -> list[ChunkView]:
    highest = max((candidate.lexical for candidate in seeds.candidates), default=0.0) or 1.0
    cosines = [candidate.cosine for candidate in seeds.candidates if candidate.cosine is not None]
    floor = min(cosines, default=0.0)
    return [
        ChunkView(
            candidate,
            lexical=candidate.lexical / highest,
            cosine=max(floor if candidate.cosine is None else candidate.cosine, 0.0),
            name=name_precision(candidate.chunk, seeds.intent),
            definition=is_definition(candidate.chunk, seeds.intent),
            kind=1.0 if candidate.chunk.symbol_kind in seeds.intent.kinds else 0.0,
        )
        for candidate in seeds.candidates
    ]


def _rank_files(seeds: Seeds, views: Sequence[ChunkView], scores: Sequence[float]) -> tuple[RankedFile, ...]:
    intent = seeds.intent
    best: dict[tuple[str, str], tuple[float, Key]] = {}
    four: dict[tuple[str, str], list[float]] = {}
    order = sorted(range(len(views)), key=lambda index: -scores[index])  # stable: candidates come by place
    for position, index in enumerate(order):
        candidate = views[index].candidate
        best.setdefault(candidate.file, (scores[index], candidate.key))
        if position < FOUR_AMONG:
            four.setdefault(candidate.file, []).append(scores[index])
    sums = {file: sum(values[:FOUR]) for file, values in four.items()}
    most = max(sums.values(), default=0.0) or 1.0
    highest = max((file.lexical for file in seeds.files.values()), default=0.0) or 1.0
    ranked = []
    for file, (highest_score, key) in best.items():
        found = seeds.files[file]
        facts = FileView(found, highest_score, sums.get(file, 0.0) / most, found.lexical / highest)
        parts = _parts(FILE_SIGNALS, facts, intent)
        score = sum(part.value for part in parts)
        for row in noise_of(found.row.file, intent):
            parts = (*parts, ScorePart(row.name, score * (row.factor - 1)))
            score *= row.factor
        ranked.append(RankedFile(found, score, key, tuple(part for part in parts if part.value)))
    return tuple(sorted(ranked, key=lambda file: (-file.score, file.candidate.repository, file.candidate.row.file.path)))


def _context_part(view: ChunkView, *, stored: bool) -> float:
    late = 0.0 if stored else CONTEXT_SIMILARITY * view.cosine
    return view.lexical + CONTEXT_NAME * view.name + CONTEXT_KIND * view.kind + view.candidate.landmark + late + view.definition


def _single_signal(view: ChunkView, ablation: Ablation) -> ScorePart | None:
    """The whole score where an ablation leaves one signal."""
    if ablation is Ablation.BM25F:
        return ScorePart("words", view.lexical)
    if ablation is Ablation.DENSE:
        return ScorePart("similarity", view.cosine)
    return None


def _pushed_down(seeds: Seeds, candidate: FileCandidate) -> ScorePart:
    """Name of and factor on context scores of files that would fill a context with little to say."""
    file, asked = candidate.row.file, seeds.intent
    if file.roles & FileRole.TEST and not asked.asked_roles & FileRole.TEST:
        return ScorePart("test", CONTEXT_TEST_STORED if seeds.has_vectors else CONTEXT_TEST)
    if is_unclaimed(file) and not asked.asks_for_settings_files:
        return ScorePart("settings", CONTEXT_SETTINGS)
    wanted = file.roles & asked.asked_roles & (_ASIDE | FileRole.DOCUMENT)
    return ScorePart("aside", CONTEXT_ASIDE) if file.roles & _ASIDE and not wanted else ScorePart("", 1.0)


def _best_cosines(views: Sequence[ChunkView]) -> dict[tuple[str, str], float]:
    best: dict[tuple[str, str], float] = {}
    for view in views:
        best[view.candidate.file] = max(best.get(view.candidate.file, 0.0), view.cosine)
    return best


def _parts(signals: tuple[Signal[Subject], ...], view: Subject, intent: Intent) -> tuple[ScorePart, ...]:
    return tuple(ScorePart(signal.name, signal.weight * value) for signal in signals if (value := signal.value(view, intent)))


def _path(view: FileView, intent: Intent, match: Callable[[str, Intent], float]) -> float:
    """Off where the question is a symbol: ``Depends`` asks for its definition, not for the folder ``dependencies``."""
    return 0.0 if intent.aim is Aim.SYMBOL else match(view.candidate.row.file.path, intent)
