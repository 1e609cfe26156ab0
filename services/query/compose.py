"""Context composition: which pieces of code fit a budget of tokens, and in which order they are told.

Four fifths of the budget are filled in the order of rank. For questions, a fifth goes to further chunks of the best files, chosen by words that are
rare within the file: half of what was missed lay in a file that was there, in another chunk. What does not fit is skipped, smaller things behind it
are not. No line is shown twice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from exegesis.model import Ablation, Chunk, ChunkKind, Context, ContextItem, Edge, EdgeKind, FileRole, Modifier, Place, ScorePart, Span, Symbol
from services.graph.api import Direction
from services.query.aims import Aim
from services.query.as_sent import tokens_as_sent
from services.query.corpus import Corpus, File, Key, has_role
from services.query.excerpt import Excerpt, abridged, excerpt, glimpse, says_something
from services.query.expand import Expansion
from services.query.flow import in_order_of_events, is_description
from services.query.rank import RankedChunk, Ranking, unranked
from services.query.retrieve import Seeds
from services.query.shares import NO_LIMITS, most_of_a_file, share_out
from services.query.sides import asks_for_more
from services.query.standing_in import WHY_DESCRIBED, stand_ins
from services.query.survey import Glimpse
from services.query.symbols import Anchor
from services.query.uses import Group
from services.query.why import why
from services.query.within import further_chunks

RANKED_SHARE = 0.8  # of the budget by rank; the rest by place within the best files, then by rank again
BATCH = 64  # chunks whose text is read at once
FLOOR = 0.2  # share of the best score below which what words alone found is not worth its tokens
SMALLEST = 48  # tokens: a budget with less left is full; hardly a piece with its heading is smaller
WORTH_ABRIDGING = 240  # tokens from which a piece that does not fit is shown by what it says of itself; smaller ones are left to others
MISSES = 24  # pieces in a row that do not fit, after which the budget counts as full
FLOW_EDGES = 24  # edges out of one symbol that are looked at for the flow
LED = 0.15  # share of a score from which a piece counts as led to by the graph; below it was found by itself
DEFINITION_SHARE = 0.3  # of the budget for what a question of use is about
COMPARED_SHARE = 0.6  # of the budget for the definitions of what a question sets beside each other
MOST_DEFINITIONS = 3  # overloads that stand before the uses: who asks for use wants to see uses first
USED_SHARES: Mapping[Group, float] = {Group.CURRENT: 0.65, Group.DEPRECATED: 0.7, Group.EXAMPLE: 0.75, Group.TEST: 0.8}
"""Share of the budget up to which each group of uses may fill it; what is left is for what the definition itself does."""

MAP_SHARE = 0.6
"""Of the budget for what the map of a repository names; documents and what else bears on the question have the rest."""

DESCRIBED_SHARE = 0.05
"""Of the budget for descriptions of the large types that the best pieces are parts of: three or four of them at the usual size."""

THIN = 2  # neighbours in the graph below which an anchor is joined by the chunks beside it

PLAIN_FILL = frozenset({Ablation.NO_COMPOSITION, Ablation.BM25F, Ablation.DENSE})
"""Ablations that fill the budget in the order of rank and do nothing else."""

_TOLD = frozenset(EdgeKind) - {EdgeKind.TYPE, EdgeKind.MENTION, EdgeKind.IMPLICIT}
"""Kinds of edges that an outline or a diagram may draw."""


@dataclass(frozen=True, slots=True)
class _Piece:
    ranked: RankedChunk
    chunk: Chunk
    shown: Excerpt
    tokens: int
    place: Place


_NOTHING: Mapping[Key, Glimpse] = {}


def compose(seeds: Seeds, ranking: Ranking, anchors: Sequence[Anchor], expansion: Expansion, mapped: Mapping[Key, Glimpse] = _NOTHING) -> Context:
    """The context of an answer. ``tokens`` never exceeds the budget; the same inputs give the same context, byte for byte.

    ``mapped`` is what an answer from the map names: it comes first, each with the lines that show it.
    """
    options = seeds.question.options
    pieces = _Pieces(seeds, anchors, expansion, mapped)
    best = ranking.chunks[0].score if ranking.chunks else 0.0
    everything = [chunk for chunk in ranking.chunks if chunk.score >= FLOOR * best or chunk.candidate.key in expansion.lent]
    if options.whole_files:
        pieces.take(_whole_files(seeds, ranking), options.budget, Place.WHOLE_FILE)
    elif options.ablation in PLAIN_FILL:
        pieces.take(everything, options.budget)
    else:
        share = RANKED_SHARE if seeds.intent.is_question else 1.0
        pieces.take(_on_the_map(ranking, mapped), int(options.budget * MAP_SHARE), Place.ANCHOR if mapped else None)
        if mapped and not asks_for_more(seeds.question.text):  # the map is the answer: what else says its words is beside it
            pieces.take(_speaking_for_it(seeds, everything), options.budget)
            return _tell(seeds, list(pieces.taken.values()), expansion, anchors, mapped)
        for part, room in _named(ranking, anchors, expansion, compares=bool(seeds.intent.compared)):
            pieces.take(part, int(options.budget * room))
        pieces.take(everything, int(options.budget * share), most_of_file=most_of_a_file(seeds.intent, options.budget))
        pieces.describe(stand_ins(seeds, ranking))
        pieces.take(_beside(seeds, ranking, anchors, expansion, pieces.taken), options.budget, Place.NEIGHBOR)
        if seeds.intent.is_question:
            pieces.take(further_chunks(seeds, ranking, frozenset(pieces.taken)), options.budget)
        pieces.take(everything, options.budget)
        pieces.shares = NO_LIMITS  # rather more of the same than nothing
        pieces.take(everything, options.budget)
    return _tell(seeds, list(pieces.taken.values()), expansion, anchors, mapped)


def _on_the_map(ranking: Ranking, mapped: Mapping[Key, Glimpse]) -> list[RankedChunk]:
    known = ranking.by_key() if mapped else {}
    return [known.get(key) or unranked(key[0], shown.chunk) for key, shown in mapped.items()]


def _speaking_for_it(seeds: Seeds, chunks: Sequence[RankedChunk]) -> list[RankedChunk]:
    """The documents and the manifest at the top of a repository."""

    def speaks(ranked: RankedChunk) -> bool:
        path = ranked.candidate.chunk.path
        return "/" not in path or has_role(seeds.corpora[ranked.candidate.repository].role(path), FileRole.DOCUMENT)

    return [ranked for ranked in chunks if ranked.candidate.landmark > 0 and speaks(ranked)]


def _named(ranking: Ranking, anchors: Sequence[Anchor], expansion: Expansion, *, compares: bool) -> Iterator[tuple[list[RankedChunk], float]]:
    """What a question of use is answered by, before all else: the definition, then its uses group by group, each with the share of the budget up to
    which it may fill the context. Some of what is told last is there however much comes before. Of things that are compared the definitions.
    """
    defining = [anchor.ranked for anchor in anchors if anchor.defines]
    if compares:
        yield defining, COMPARED_SHARE
    if not expansion.uses:
        return
    known = ranking.by_key()
    yield defining[:MOST_DEFINITIONS], DEFINITION_SHARE
    for group, room in USED_SHARES.items():
        uses = [(use.order, known[key]) for key, use in expansion.uses.items() if use.group is group and key in known]
        uses.sort(key=lambda entry: (entry[0], entry[1].order))
        yield [ranked for _, ranked in uses], room


class _Pieces:
    """A context as it fills. Reads text only of what may still fit."""

    def __init__(self, seeds: Seeds, anchors: Sequence[Anchor], expansion: Expansion, mapped: Mapping[Key, Glimpse]) -> None:
        self.taken: dict[Key, _Piece] = {}
        self.used = 0
        self._seeds = seeds
        self._anchors = {anchor.ranked.candidate.key for anchor in anchors}
        self._expansion = expansion
        self._mapped = mapped
        self._names_something = any(anchor.defines for anchor in anchors)
        self._texts: dict[Key, Chunk] = {}
        self._of_file: dict[File, int] = {}
        self._measured: dict[tuple[Key, bool], tuple[Excerpt, int]] = {}
        self.shares = share_out(seeds.intent, seeds.question.options.budget)
        self._shorten = (
            seeds.intent.is_question and seeds.intent.aim is not Aim.WHY and seeds.question.options.ablation is not Ablation.NO_COMPOSITION
        )

    def take(self, chunks: Iterable[RankedChunk], budget: int, place: Place | None = None, *, most_of_file: int | None = None) -> None:
        """Add chunks in their order while they fit; of one file no more than ``most_of_file`` tokens."""
        misses = 0
        for ranked, chunk in self._with_text(chunks):
            if budget - self.used < SMALLEST or misses > MISSES:
                return
            shown, tokens = self._measure(ranked, chunk, whole=place is Place.WHOLE_FILE)
            if self.used + tokens > budget and tokens > WORTH_ABRIDGING and self._shorten and place is not Place.WHOLE_FILE:
                shown = abridged(chunk)
                tokens = _tokens(chunk, shown)
            roles = self._roles(ranked)
            held = self._of_file.get(ranked.candidate.file, 0)
            if not self.shares.have_room(roles, tokens) or (most_of_file is not None and held and held + tokens > most_of_file):
                continue
            if says_something(chunk) and self.used + tokens <= budget:
                self.taken[ranked.candidate.key] = _Piece(ranked, chunk, shown, tokens, place or self._place(ranked))
                self.used += tokens
                self._of_file[ranked.candidate.file] = held + tokens
                self.shares = self.shares.with_filled(roles, tokens)
                misses = 0
            else:
                misses += 1

    def _measure(self, ranked: RankedChunk, chunk: Chunk, *, whole: bool) -> tuple[Excerpt, int]:
        """What is shown of a chunk, and its tokens. What did not fit once is tried up to three times more."""
        key = (ranked.candidate.key, whole)
        if key not in self._measured:
            shown = self._shown(ranked, chunk, whole=whole)
            self._measured[key] = (shown, _tokens(chunk, shown))
        return self._measured[key]

    def describe(self, documents: Iterable[RankedChunk]) -> None:
        """Add descriptions, as many as fit into their share."""
        budget = self._seeds.question.options.budget
        room = min(int(DESCRIBED_SHARE * budget), budget - self.used)
        for ranked in documents:
            document = ranked.candidate.chunk
            shown = Excerpt(document.runs, document.text)
            tokens = _tokens(document, shown)
            if tokens <= room:
                self.taken[ranked.candidate.key] = _Piece(ranked, document, shown, tokens, Place.RELATED)
                self.used += tokens
                room -= tokens

    def _shown(self, ranked: RankedChunk, chunk: Chunk, *, whole: bool) -> Excerpt:
        on_map = self._mapped.get(ranked.candidate.key)
        if on_map and on_map.lines and not whole:
            return glimpse(chunk, on_map.lines)
        use = self._expansion.uses.get(ranked.candidate.key)
        weights = self._seeds.weights[ranked.candidate.repository]
        compared = self._seeds.intent.compared and self._names_something and ranked.candidate.key in self._anchors
        return excerpt(chunk, weights, shorten=self._shorten and not (whole or compared), focus=use.lines if use else ())

    def _roles(self, ranked: RankedChunk) -> FileRole:
        return self._seeds.corpora[ranked.candidate.repository].role(ranked.candidate.chunk.path)

    def _place(self, ranked: RankedChunk) -> Place:
        key = ranked.candidate.key
        if key in self._anchors:
            return Place.ANCHOR
        if key in self._expansion.uses:
            return Place.CALLER
        link = self._expansion.reasons.get(key)
        if link and self._names_something and link.place is Place.CALLER:
            return Place.RELATED  # a caller of callers is no use
        return link.place if link and self._expansion.lent[key].value >= LED * ranked.score else Place.RELATED

    def _with_text(self, chunks: Iterable[RankedChunk]) -> Iterator[tuple[RankedChunk, Chunk]]:
        wanted = [chunk for chunk in chunks if chunk.candidate.key not in self.taken]
        for start in range(0, len(wanted), BATCH):
            batch = [chunk for chunk in wanted[start : start + BATCH] if self.shares.have_room(self._roles(chunk), SMALLEST)]
            for repository, corpus in self._seeds.corpora.items():
                missing = [c.candidate.chunk.id for c in batch if c.candidate.repository == repository and c.candidate.key not in self._texts]
                if missing:
                    self._texts |= {(repository, id_): chunk for id_, chunk in corpus.graph.chunks(corpus.pin, missing, text=True).items()}
            for ranked in batch:
                if ranked.candidate.key in self._texts and ranked.candidate.key not in self.taken:
                    yield ranked, self._texts[ranked.candidate.key]


def _tokens(chunk: Chunk, shown: Excerpt) -> int:
    """Of a piece as a model is sent it, with its heading."""
    is_described = chunk.kind is ChunkKind.DESCRIPTION
    return tokens_as_sent(shown.text, chunk.path, shown.runs, chunk.qualified or chunk.name, is_described=is_described)


def _whole_files(seeds: Seeds, ranking: Ranking) -> Iterator[RankedChunk]:
    """All chunks of the best files, file by file."""
    known = ranking.by_key()
    for file in ranking.files:
        corpus = seeds.corpora[file.candidate.repository]
        for chunk in corpus.graph.chunks_in(corpus.pin, [file.candidate.row.file.path]):
            yield known.get((corpus.repository, chunk.id)) or unranked(corpus.repository, chunk)


def _beside(seeds: Seeds, ranking: Ranking, anchors: Sequence[Anchor], expansion: Expansion, taken: Mapping[Key, _Piece]) -> Iterator[RankedChunk]:
    """The chunks next to anchors that the graph says little about, nearest first."""
    number = seeds.question.options.neighbors
    linked: dict[str, int] = {}
    for link in expansion.reasons.values():
        linked[link.origin] = linked.get(link.origin, 0) + 1
    known = ranking.by_key()
    for anchor in anchors if number > 0 else ():
        candidate = anchor.ranked.candidate
        if candidate.key not in taken or linked.get(candidate.chunk.qualified, 0) >= THIN:
            continue
        corpus = seeds.corpora[candidate.repository]
        around = sorted(
            (chunk for chunk in corpus.graph.chunks_in(corpus.pin, [candidate.chunk.path]) if chunk.id != candidate.chunk.id),
            key=lambda chunk: (_distance(chunk, candidate.chunk), chunk.start, chunk.id),
        )
        for chunk in around[:number]:
            yield known.get((corpus.repository, chunk.id)) or unranked(corpus.repository, chunk)


def _distance(chunk: Chunk, other: Chunk) -> int:
    return max(chunk.start - other.end, other.start - chunk.end, 0)


# ------------------------------------------------------------------------------------------------------------ order and flow


def _tell(seeds: Seeds, pieces: Sequence[_Piece], expansion: Expansion, anchors: Sequence[Anchor], mapped: Mapping[Key, Glimpse]) -> Context:
    """Items in the order in which things happen; what takes part in nothing follows by rank. Questions of use, and those that compare, begin with the
    definitions.
    """
    best_first = sorted(pieces, key=lambda piece: piece.ranked.order)
    items = [_item(seeds, piece, expansion, f"E{number}", mapped.get(piece.ranked.candidate.key)) for number, piece in enumerate(best_first, 1)]
    edges: list[Edge] = []
    symbols: dict[int, Symbol] = {}
    for repository, corpus in seeds.corpora.items():
        own = [item for item in items if item.repository == repository]
        defined = {symbol for anchor in anchors if anchor.defines for symbol in anchor.symbols}
        found, known = _flow(corpus, own, defined)
        edges += found
        symbols |= known
    context = Context(tuple(items), sum(item.tokens for item in items), seeds.question.options.budget, tuple(edges))
    ordered = sorted(in_order_of_events(context, symbols), key=is_description)  # which takes part in nothing
    if seeds.intent.aim is Aim.USAGE:
        # Where nothing is named, the best match is what the question is about.
        defining = [anchor.ranked.candidate.key for anchor in anchors if anchor.defines] or [anchor.ranked.candidate.key for anchor in anchors[:1]]
        front = {key: (0 if number < MOST_DEFINITIONS else 2, number) for number, key in enumerate(defining)}
        ordered.sort(key=lambda item: _usage_part(item, front, expansion, symbols))
    elif seeds.intent.compared:
        beside = {anchor.ranked.candidate.key: number for number, anchor in enumerate(anchors) if anchor.defines}
        ordered.sort(key=lambda item: beside.get((item.repository, item.chunk), len(beside)))
    numbered = tuple(dataclasses.replace(item, id=f"E{number}") for number, item in enumerate(ordered, 1))
    return dataclasses.replace(context, items=numbered)


def _usage_part(
    item: ContextItem, front: Mapping[Key, tuple[int, int]], expansion: Expansion, symbols: Mapping[int, Symbol]
) -> tuple[int, tuple[float, ...]]:
    """0 the definition, 1 its uses in order, 2 further overloads, or callers where no uses are known, 3 deprecated ones of these, 4 the rest."""
    key = (item.repository, item.chunk)
    if key in front:
        part, number = front[key]
        return part, (number,)
    if use := expansion.uses.get(key):
        return 1, (*use.order, -item.score)
    if item.place is not Place.CALLER:
        return 4, ()
    symbol = symbols.get(item.symbol_id) if item.symbol_id is not None else None
    return 3 if symbol is not None and symbol.modifiers & Modifier.DEPRECATED else 2, ()


def _item(seeds: Seeds, piece: _Piece, expansion: Expansion, name: str, on_map: Glimpse | None) -> ContextItem:
    chunk, ranked = piece.chunk, piece.ranked
    return ContextItem(
        id=name,
        repository=ranked.candidate.repository,
        path=chunk.path,
        runs=piece.shown.runs,
        text=piece.shown.text,
        symbol=chunk.qualified or chunk.name,
        kind=chunk.symbol_kind.value if chunk.symbol_kind else chunk.kind.value,
        score=round(ranked.score, 6),
        place=piece.place,
        why=on_map.why
        if on_map
        else WHY_DESCRIBED
        if chunk.kind is ChunkKind.DESCRIPTION
        else why(seeds, ranked, piece.place, expansion.reasons.get(ranked.candidate.key)),
        tokens=piece.tokens,
        chunk=chunk.id,
        symbol_id=chunk.symbol,
        signature=chunk.signature,
        doc=chunk.doc,
        parts=tuple(ScorePart(part.name, round(part.value, 6)) for part in (*ranked.parts, *_of_list(ranked.list_parts))),
    )


def _of_list(parts: Iterable[ScorePart]) -> Iterator[ScorePart]:
    """Parts of the list score, told apart from those of the context score."""
    return (ScorePart(f"list: {part.name}", part.value) for part in parts)


def _flow(corpus: Corpus, items: Sequence[ContextItem], defined: Collection[int]) -> tuple[list[Edge], dict[int, Symbol]]:
    """Edges whose ends both stand in the items, and those ends; of a type whose use is asked for also where it is named."""
    shown: dict[str, list[Span]] = {}
    items = [item for item in items if not is_description(item)]
    for item in items:
        shown.setdefault(item.path, []).extend(item.runs)
    known = {symbol.id: symbol for symbol in (corpus.graph.symbols_at(corpus.pin, shown) if shown else ())}
    own = {item.symbol_id for item in items if item.symbol_id is not None and item.symbol_id not in known}
    known |= corpus.graph.symbols(corpus.pin, sorted(own)) if own else {}
    nothing: Sequence[Edge] = ()
    edges = corpus.hurry.ask(lambda: corpus.graph.edges(corpus.pin, sorted(known), Direction.CALLEES, per_node=FLOW_EDGES), nothing)
    among = [edge for edge in edges if edge.target in known and (edge.kind in _TOLD or (edge.kind is EdgeKind.TYPE and edge.target in defined))]
    order = {id_: (symbol.path, symbol.line) for id_, symbol in known.items()}
    among.sort(key=lambda edge: (*order[edge.source], edge.line, edge.column, edge.target, edge.kind.value))
    return among, known
