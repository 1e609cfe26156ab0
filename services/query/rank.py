"""Ranking: tables of signals, and the scores that they add up to. To add a signal, add a row.

Three scores, each kept with its parts so that any rank can be explained:

* a chunk's list score: how well it answers by itself;
* a file's score: its best chunk, how much more it holds, its name, how much else mentions it; and, known only when all are ranked, how near its
  chunks are to the question, what the best chunks call in it, and whether it is what the question speaks of; times the noise factors;
* a chunk's context score ``T``: the chunk together with its file, which is what a context is filled by; plus what the graph lends it.

The weights were chosen on eleven repositories, as three numbers and not one by one: of the name, of what a file holds beside its best chunk, of its
path. So chosen they hold when any of the repositories is left out (``benchmarks/leave_one_out.py``). They are not to be tuned on single questions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, TypeVar

from exegesis.model import Ablation, Chunk, FileRole, ScorePart, SymbolKind
from services.query.aims import Aim
from services.query.corpus import File, Key, has_role
from services.query.features import Candidate, FileCandidate, is_definition, name_precision, path_share, stem_precision
from services.query.intent import Intent
from services.query.noise import Noise, noise_of, push_down
from services.query.retrieve import Seeds
from services.query.standing import Standing

Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class Signal(Generic[Subject]):
    name: str
    weight: float
    value: Callable[[Subject, Intent], float]
    """In [0, 1], but for words found in noise; from -1 on for what speaks against a subject."""
    reason: str


# The two that are made of every candidate, twice for each question, are named tuples: a frozen dataclass takes four times as long to make.


class ChunkView(NamedTuple):
    """A candidate as chunk signals see it."""

    candidate: Candidate
    lexical: float
    """BM25F score over the best of all candidates, that of noise counted less; so what is found in noise may have more than 1, unless it drowns."""
    cosine: float
    """Similarity to the question beyond that of the farthest candidate: half of it where only the best were embedded, and 0 for all others; where all
    have vectors, in proportion to that of the nearest; 0 without vectors."""
    name: float
    """Of a heading 0, unless documents are asked for: it is made of the words of its subject, as questions are, and would pass for a name of code."""
    title: float
    """The same where headings are names too: contexts want the section that is about the question."""
    definition: float
    kind: float


@dataclass(frozen=True, slots=True)
class FileView:
    """A file as file signals see it; shares are of the largest value among all files of the question, that of noise counted less, and at most 1."""

    candidate: FileCandidate
    best: float
    """List score of its best chunk."""
    four: float
    lexical: float
    near: float = 0.0
    """How near the two chunks of it are to the question that are nearest, where all chunks have vectors. This and what follows is known only when all
    are ranked.
    """
    called: float = 0.0
    """What the best chunks of other files call in it, beside the most that they call in any."""
    referred_to: float = 0.0
    """Whether it is the best that can hold what the question speaks of."""


NAME = 0.3
"""Weight of the name signal."""
STANDS_BACK = 0.4
"""What a chunk loses of its words and its name where another declaration does the work; .3 to .5 are level."""

CHUNK_SIGNALS: tuple[Signal[ChunkView], ...] = (
    Signal("words", 1.0, lambda view, _: view.lexical, "BM25F, the base of everything"),
    Signal("name", NAME, lambda view, _: view.name, "a short name, said as a whole; removing it loses .017"),
    Signal("definition", 1.0, lambda view, _: view.definition, "the symbol that is the whole question"),
    Signal("kind", 0.2, lambda view, _: view.kind, "the kind of symbol that the question names"),
    Signal("landmark", 0.6, lambda view, _: view.candidate.landmark, "places to begin, for questions about the whole; zero for all others"),
    Signal(
        "stands back",
        STANDS_BACK,
        lambda view, _: -(view.lexical + NAME * view.name) if view.candidate.standing is not Standing.OWN else 0.0,
        "another declaration does the work of what is deprecated (without it -.0033, whole repositories -.0049) or only passes on to a namesake "
        "(-.0009, -.0019, osgrep -.004)",
    ),
    Signal("similarity", 1.0, lambda view, _: view.cosine, "vectors, late or stored"),
)

NEAR: Signal[FileView] = Signal(
    "near",
    0.4,
    lambda view, _: view.near,
    "it means what is asked, in whatever words; without it commits -.012, explain -.007, explain_other -.024, osgrep and swe-qa -.007",
)
CALLED: Signal[FileView] = Signal(
    "called", 0.2, lambda view, _: view.called, "what the best finds call does the work; without it -.002, whole repositories -.008, deepcode -.010"
)
REFERRED_TO: Signal[FileView] = Signal(
    "referred to",
    1.0,
    lambda view, _: view.referred_to,
    "who speaks of a test, or of the class that does something, means one, and wants to see it first; without it swe-qa -.026, deepcode -.006",
)
FILE_SIGNALS: tuple[Signal[FileView], ...] = (
    Signal("best chunk", 1.0, lambda view, _: view.best, "a file is as good as the best that it holds"),
    Signal("four chunks", 0.6, lambda view, _: view.four, "and better if it holds more: sum of its best four; removing it loses .008"),
    Signal("file words", 0.6, lambda view, _: view.lexical, "BM25F of the whole file, for words scattered over it; removing it loses .011"),
    Signal(
        "path",
        0.75,
        lambda view, intent: _path(view, intent, path_share),
        "words in file name or folder; without both path signals .021 is lost",
    ),
    Signal("file name", 0.25, lambda view, intent: _path(view, intent, stem_precision), "a short file name that is asked for as a whole"),
    Signal("mentioned", 0.15, lambda view, _: view.candidate.mentioned, "files that much else refers to hold the mechanism; removing it loses .005"),
    NEAR,
    CALLED,
    REFERRED_TO,
)

CONTEXT_NAME = 0.15  # weight of the name signal in T: half of the list's, because a context wants bodies too
CONTEXT_KIND = 0.2  # of the kind that the question names, as in the list
CONTEXT_SIMILARITY = 0.6  # of late vectors within the chunk part of T
CONTEXT_FILE = 0.75  # of the file within T; 0 loses .08 of the spans at 8,000 tokens, 2 loses .02
LATE_SHARE = 0.5
"""What a late cosine counts, beside words. Twice that gains as much more on the mean of fourteen repositories (.0037 for .0026) as it loses on the
worst (.010 for .007), three times that gains no more.
"""
STORED_NEAREST = 0.7
"""What the cosine of the nearest chunk counts as, where all chunks have vectors; that of the farthest candidate counts as nothing, and the others in
between. Models differ in how near they hold what has nothing to do with each other, and questions that share few words with the code are far from
all of it: they would count least where little else counts. .5 brings explain .01 less and explain_other .02, .9 loses .01 of swe-qa.
"""
SAID_BY_NEIGHBOR = 0.5
"""For topics, how much of what the best chunk says a neighbour must say itself, by words or its vector, to keep all that the graph lends it; of one
that says less a part counts. What belongs to one change is seldom joined by calls alone. .33 to .67 are level; questions ask for a flow: there the
same gains .01 in one set and loses .02 in others.
"""
UNSAID = 0.25  # the part that counts however little a neighbour says
STORED_SIMILARITY = 0.6  # of the chunk's cosine, and once more of the best of its file, where all chunks have vectors
_HEADINGS = frozenset({SymbolKind.HEADING})
FOUR = 4
FOUR_AMONG = 200  # best chunks among which a file's best four are counted


class RankedChunk(NamedTuple):
    """A candidate with its scores."""

    candidate: Candidate
    score: float
    """Context score with what the graph lends."""
    list_score: float
    context: tuple[float, ...] = ()
    """What adds up to the context score. A tenth of the chunks that are ranked are asked for these as parts."""
    names: tuple[str, ...] = ()
    """Of what adds up to the context score."""
    row: tuple[float, ...] = ()
    """Of the list score: what each of :data:`CHUNK_SIGNALS` adds. A hundredth of the chunks that are ranked are asked for these by name."""

    @property
    def parts(self) -> tuple[ScorePart, ...]:
        """Of the context score."""
        return tuple(map(ScorePart, self.names, self.context))

    @property
    def list_parts(self) -> tuple[ScorePart, ...]:
        return _parts(CHUNK_SIGNALS, self.row) if self.row else ()

    @property
    def order(self) -> tuple[float, tuple[str, str, int, int]]:
        return -self.score, self.candidate.place


@dataclass(frozen=True, slots=True)
class RankedFile:
    candidate: FileCandidate
    score: float
    best: Key
    """Chunk with the highest list score."""
    row: tuple[float, ...]
    """What each of :data:`FILE_SIGNALS` adds."""
    noise: tuple[Noise, ...]

    @property
    def parts(self) -> tuple[ScorePart, ...]:
        parts, score = _parts(FILE_SIGNALS, self.row), sum(self.row)
        for noise in self.noise:
            parts = (*parts, ScorePart(noise.name, score * (noise.factor - 1)))
            score *= noise.factor
        return tuple(part for part in parts if part.value)

    @property
    def file(self) -> File:
        return self.candidate.repository, self.candidate.row.file.path

    @property
    def order(self) -> tuple[float, File]:
        return -self.score, self.file


@dataclass(frozen=True, slots=True)
class Ranking:
    chunks: tuple[RankedChunk, ...]
    """By context score, best first."""
    files: tuple[RankedFile, ...]
    """By file score, best first; only files that hold a candidate."""
    _by_key: dict[Key, RankedChunk] = field(default_factory=dict, init=False, repr=False, compare=False)

    def by_key(self) -> Mapping[Key, RankedChunk]:
        if not self._by_key:
            self._by_key.update((chunk.candidate.key, chunk) for chunk in self.chunks)
        return self._by_key


def rank(seeds: Seeds, lent: Mapping[Key, ScorePart] | None = None) -> Ranking:
    """Score all candidates. ``lent`` is what the graph adds to the context score of some of them."""
    noise = {file: noise_of(row.row.file, seeds.intent) for file, row in seeds.files.items()}
    views = _views(seeds, noise)
    rows = _weigh(CHUNK_SIGNALS, views, seeds.intent)
    scores = list(map(sum, rows))
    files = _rank_files(seeds, noise, views, scores)
    chunks = _by_signal(seeds, views, rows) or _by_context(seeds, views, rows, scores, files=files, lent=lent or {})
    chunks.sort(key=lambda chunk: -chunk.score)  # stable: candidates come by place, so this is :attr:`RankedChunk.order`
    return Ranking(tuple(chunks), files)


def raise_files(ranking: Ranking, signal: Signal[FileView], shares: Mapping[File, float]) -> Ranking:
    """The same ranking with one of the signals of its files that are known only when all are ranked. It moves files only: what a context is filled
    by stays as it is.
    """
    if not shares:
        return ranking
    place = FILE_SIGNALS.index(signal)
    files = list(ranking.files)
    for index, file in enumerate(files):
        if share := shares.get(file.file):
            row = (*file.row[:place], signal.weight * share, *file.row[place + 1 :])
            files[index] = replace(file, score=_pushed(sum(row), file.noise), row=row)
    return replace(ranking, files=tuple(sorted(files, key=lambda file: file.order)))


def unranked(repository: str, chunk: Chunk) -> RankedChunk:
    """A chunk that no search found, taken for its place."""
    return RankedChunk(Candidate(repository, chunk), 0.0, 0.0)


def _factors(noise: Mapping[File, Sequence[Noise]]) -> dict[File, float]:
    return {file: math.prod([row.factor for row in rows]) for file, rows in noise.items()}


def _views(seeds: Seeds, noise: Mapping[File, Sequence[Noise]]) -> list[ChunkView]:
    factors = _factors(noise)
    drowning = {file for file, rows in noise.items() if any(row.drowns for row in rows)}
    highest = max([candidate.lexical * factors[candidate.file] for candidate in seeds.candidates], default=0.0) or 1.0
    cosines = [candidate.cosine for candidate in seeds.candidates if candidate.cosine is not None]
    floor = min(cosines, default=0.0)
    spread = max(cosines, default=0.0) - floor
    scale = (STORED_NEAREST / spread if spread > 0 else 0.0) if seeds.has_vectors else LATE_SHARE
    titles = [name_precision(candidate.chunk, seeds.intent) for candidate in seeds.candidates]
    symbol, kinds = seeds.intent.symbol, seeds.intent.kinds.symbols
    no_names = frozenset() if has_role(seeds.intent.asked_roles, FileRole.DOCUMENT) else _HEADINGS
    return [
        ChunkView(
            candidate,
            lexical=min(candidate.lexical / highest, 1.0) if drowning and candidate.file in drowning else candidate.lexical / highest,
            cosine=0.0 if candidate.cosine is None else scale * (candidate.cosine - floor),
            name=0.0 if candidate.chunk.symbol_kind in no_names else title,
            title=title,
            definition=is_definition(candidate.chunk, seeds.intent) if symbol else 0.0,
            kind=1.0 if kinds and candidate.chunk.symbol_kind in kinds else 0.0,
        )
        for candidate, title in zip(seeds.candidates, titles, strict=True)
    ]


def _weigh(signals: Sequence[Signal[Subject]], views: Sequence[Subject], intent: Intent) -> list[tuple[float, ...]]:
    """What each signal adds to each score: a row for each view, in the order of the signals."""
    columns = [[signal.weight * signal.value(view, intent) for view in views] for signal in signals]
    return list(zip(*columns, strict=True))


def _parts(signals: Sequence[Signal[Subject]], row: Sequence[float]) -> tuple[ScorePart, ...]:
    return tuple([ScorePart(signal.name, value) for signal, value in zip(signals, row, strict=True) if value])


def _rank_files(seeds: Seeds, noise: Mapping[File, tuple[Noise, ...]], views: Sequence[ChunkView], scores: Sequence[float]) -> tuple[RankedFile, ...]:
    best: dict[File, tuple[float, Key]] = {}
    four: dict[File, list[float]] = {}
    order = sorted(range(len(views)), key=lambda index: -scores[index])  # stable: candidates come by place
    for position, index in enumerate(order):
        candidate = views[index].candidate
        file = candidate.file
        if file not in best:
            best[file] = (scores[index], candidate.key)
        if position < FOUR_AMONG:
            four.setdefault(file, []).append(scores[index])
    sums = {file: sum(values[:FOUR]) for file, values in four.items()}
    factors = _factors(noise)
    most = max((total * factors[file] for file, total in sums.items()), default=0.0) or 1.0
    highest = max((row.lexical * factors[file] for file, row in seeds.files.items()), default=0.0) or 1.0
    facts = [
        FileView(seeds.files[file], highest_score, min(sums.get(file, 0.0) / most, 1.0), min(seeds.files[file].lexical / highest, 1.0))
        for file, (highest_score, _) in best.items()
    ]
    ranked = []
    for (file, (_, key)), row in zip(best.items(), _weigh(FILE_SIGNALS, facts, seeds.intent), strict=True):
        ranked.append(RankedFile(seeds.files[file], _pushed(sum(row), noise[file]), key, row, noise[file]))
    return tuple(sorted(ranked, key=lambda file: file.order))


def _pushed(score: float, noise: Sequence[Noise]) -> float:
    for row in noise:
        score *= row.factor
    return score


def _by_context(
    seeds: Seeds,
    views: Sequence[ChunkView],
    rows: Sequence[tuple[float, ...]],
    scores: Sequence[float],
    *,
    files: Sequence[RankedFile],
    lent: Mapping[Key, ScorePart],
) -> list[RankedChunk]:
    """Chunks with their context score. ``rows`` and ``scores`` are those of the list."""
    largest_file = max((file.score for file in files), default=0.0) or 1.0
    stored = seeds.has_vectors
    near = _best_cosines(views) if stored else {}
    shares: dict[File, float] = {}
    factors: dict[File, ScorePart] = {}
    for ranked in files:
        file = ranked.file
        shares[file] = CONTEXT_FILE * (ranked.score / largest_file)
        factor = push_down(ranked.candidate.row.file, seeds.intent, stored=stored)
        if factor.name:
            factors[file] = factor
    loudest = max((candidate.lexical for candidate in seeds.candidates), default=0.0) or 1.0  # noise is pushed down by a factor of its own here
    own = [_context_part(view, loudest, stored=stored) for view in views]
    names = ("chunk", "file", "similarity", "file similarity") if stored else ("chunk", "file")
    largest = max(own, default=0.0) or 1.0
    is_topic = seeds.intent.aim is Aim.TOPIC
    chunks = []
    for view, row, list_score, chunk_part in zip(views, rows, scores, own, strict=True):
        candidate = view.candidate
        file = candidate.file
        parts: tuple[float, ...] = (chunk_part / largest, shares[file])
        named = names
        if stored:
            parts = (*parts, STORED_SIMILARITY * view.cosine, STORED_SIMILARITY * near[file])
        if lent and (share := lent.get(candidate.key)):
            said = max(parts[0], view.cosine / STORED_NEAREST if stored else 0.0)
            heard = min(max(said / SAID_BY_NEIGHBOR, UNSAID), 1.0) if is_topic else 1.0
            parts, named = (*parts, share.value * heard), (*named, share.name)
        score = sum(parts)
        if (pushed := factors.get(file)) is not None:
            parts, named = (*parts, score * (pushed.value - 1)), (*named, pushed.name)
            score *= pushed.value
        chunks.append(RankedChunk(candidate, score, list_score, parts, named, row))
    return chunks


_SINGLE: Mapping[Ablation, str] = {Ablation.BM25F: "words", Ablation.DENSE: "similarity"}
"""The signal that is the whole score where an ablation leaves but one."""


def _by_signal(seeds: Seeds, views: Sequence[ChunkView], rows: Sequence[tuple[float, ...]]) -> list[RankedChunk]:
    """Chunks with one signal as both scores; none without such an ablation."""
    single = _SINGLE.get(seeds.question.options.ablation)
    if single is None:
        return []
    alone = [tuple(value if signal.name == single else 0.0 for signal, value in zip(CHUNK_SIGNALS, row, strict=True)) for row in rows]
    return [
        RankedChunk(view.candidate, sum(row), sum(row), (sum(row),), (single,), row) if any(row) else RankedChunk(view.candidate, 0.0, 0.0, row=row)
        for view, row in zip(views, alone, strict=True)
    ]


def _context_part(view: ChunkView, loudest: float, *, stored: bool) -> float:
    late = 0.0 if stored else CONTEXT_SIMILARITY * view.cosine
    return view.candidate.lexical / loudest + CONTEXT_NAME * view.title + CONTEXT_KIND * view.kind + view.candidate.landmark + late + view.definition


def _best_cosines(views: Sequence[ChunkView]) -> dict[File, float]:
    best: dict[File, float] = {}
    for view in views:
        best[view.candidate.file] = max(best.get(view.candidate.file, 0.0), view.cosine)
    return best


def _path(view: FileView, intent: Intent, match: Callable[[str, Intent], float]) -> float:
    """Off where the question is a symbol: ``Depends`` asks for its definition, not for the folder ``dependencies``."""
    return 0.0 if intent.aim is Aim.SYMBOL else match(view.candidate.row.file.path, intent)
