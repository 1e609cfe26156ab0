"""Retrieval: everything that may bear on a question, with raw scores and no judgement yet.

Sources: BM25F over chunks and over whole files; symbols that bear a name which the question says; and, where the generation has all vectors, the
chunks nearest to the question. With vectors the question also learns words: names that occur among the nearest chunks join it at a low weight (name
feedback), which bridges between what a person sees and what the code calls it.

Questions about the whole get the places where a newcomer begins, and no vectors.

Several repositories are searched each with its own word frequencies; scores are then compared as they are. A word that is common in one repository
and rare in another rightly weighs more in the latter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from exegesis.bm25f import PHRASE_WEIGHT, idf, query_vector, term_weights
from exegesis.errors import ChunksUnavailable, UnknownSymbol
from exegesis.model import Ablation, Chunk, FileRole, Hit, Options, Question, Symbol
from exegesis.ports import SparseVector
from exegesis.terms import spoken, term_id, terms_of, units_of, words
from services.query.aims import Aim
from services.query.corpus import Corpus, chunks_holding, has_role
from services.query.features import Candidate, FileCandidate
from services.query.intent import USE_WORDS, Intent, read_question
from services.query.landmarks import landmarks
from services.query.standing import AMONG, Standing, read_standings

CHUNKS = 600  # candidates by words; 24,000 tokens hold about 150 chunks
FILES = 200  # files by words; a gold file is among the first 20 for .99 of the gold
NEAREST = 300  # candidates by vector
NAMED = 40  # symbols taken for one name: a name that more bear says little
FEEDBACK_CHUNKS = 60  # nearest chunks whose names are read
FEEDBACK_TERMS = 20  # names that join the question; 12 of 40 chunks bring explain .02 less, redis .025
FEEDBACK_WEIGHT = 0.4  # of the best of them; the rest in proportion; .3 brings explain .01 to .03 less, .7 loses .01 of swe-qa
FEEDBACK_TEST = 0.3  # tests name what they test, and much else
LENT_WEIGHT = 0.3
"""Of each word that a language model adds, whatever their number: they widen a question, and a word of the person weighs three times as much."""


@dataclass(frozen=True, slots=True)
class Mass:
    """How much of a question a repository knows at all: for the judgement whether anything is relevant."""

    total: float
    """Inverse document frequency of the question's terms, summed; a term that no chunk contains counts as the rarest. The words with which a question
    of use asks count only where the code says them."""
    known: float
    """The part of it that falls on terms some chunk contains."""
    unknown: tuple[str, ...]
    """Terms that no chunk contains."""
    rarity: Mapping[str, float] = field(default_factory=dict)
    """Inverse document frequency of each term."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """What vectors find. Found once for a question, however often it is searched for by words."""

    vector: tuple[float, ...] = ()
    """Of the question, where every repository has vectors; otherwise empty."""
    chunks: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    """For each repository at most :data:`NEAREST` chunks, and their cosines."""


NOTHING_NEAR: Final = Nearest()


@dataclass(frozen=True, slots=True)
class Seeds:
    question: Question
    intent: Intent
    candidates: tuple[Candidate, ...]
    """By place."""
    files: Mapping[tuple[str, str], FileCandidate]
    """Every file that holds a candidate or was found as a whole."""
    weights: Mapping[str, Mapping[int, float]]
    """For each repository the question's vector: term and weight. What window selection and file-local ranking reuse."""
    masses: Mapping[str, Mass]
    corpora: Mapping[str, Corpus]
    vector: tuple[float, ...] = ()
    """Of the question, where every repository has vectors and they take part; otherwise empty."""

    @property
    def has_vectors(self) -> bool:
        return bool(self.vector)


def find_nearest(question: Question, corpora: Sequence[Corpus]) -> Nearest:
    """The chunks nearest to a question; nothing where a repository has no vectors, or none are wanted, and for a question about the whole.

    Embeds the question and searches the index. Raises ``EmbedderUnavailable`` and ``ChunksUnavailable``.
    """
    vector = _question_vector(question, corpora) if _resembles_something(read_question(question.text, question.options), question.options) else ()
    if not vector:
        return NOTHING_NEAR
    found = {corpus.repository: corpus.index.search_dense(corpus.repository, corpus.pin.generation, vector, limit=NEAREST) for corpus in corpora}
    return Nearest(vector, {repository: {hit.id: hit.score for hit in hits} for repository, hits in found.items()})


def retrieve(question: Question, corpora: Sequence[Corpus], *, near: Nearest | None = None, lent: Sequence[str] = ()) -> Seeds:
    """Candidates from all sources and all repositories. ``near`` is what vectors find where that is known already, and :data:`NOTHING_NEAR` for what
    words alone find. Words in ``lent`` join the question's own at a low weight; its mass is that of its own.

    Reads term frequencies, search hits, and the candidates' metadata without their text. Files of dependencies take part only on request.
    """
    intent = read_question(question.text, question.options)
    near = find_nearest(question, corpora) if near is None else near
    candidates: list[Candidate] = []
    files: dict[tuple[str, str], FileCandidate] = {}
    weights: dict[str, Mapping[int, float]] = {}
    masses: dict[str, Mass] = {}
    for corpus in corpora:
        found, found_files, vector, mass = _search(question, intent, corpus, near, lent)
        candidates += found
        files |= {(corpus.repository, file.row.file.path): file for file in found_files}
        weights[corpus.repository] = dict(zip(vector.terms, vector.weights, strict=True))
        masses[corpus.repository] = mass
    return Seeds(
        question=question,
        intent=intent,
        candidates=tuple(sorted(candidates, key=lambda candidate: candidate.place)),
        files=files,
        weights=weights,
        masses=masses,
        corpora={corpus.repository: corpus for corpus in corpora},
        vector=near.vector,
    )


def _resembles_something(intent: Intent, options: Options) -> bool:
    """A question about the whole resembles nothing in particular: what lies nearest to it, and the names there, push aside what it is answered by."""
    return intent.aim is not Aim.OVERVIEW or options.ablation is Ablation.DENSE


def wants_vectors(question: Question) -> bool:
    return question.options.dense and question.options.ablation not in {Ablation.BM25F, Ablation.LEXICAL}


def with_chunks(seeds: Seeds, added: Mapping[str, Mapping[int, Chunk]]) -> Seeds:
    """The same seeds with further chunks, such as those that the graph leads to, scored like all others."""
    known = {candidate.key for candidate in seeds.candidates}
    candidates = list(seeds.candidates)
    files = dict(seeds.files)
    for repository, chunks in added.items():
        corpus = seeds.corpora[repository]
        new = {id_: chunk for id_, chunk in chunks.items() if (repository, id_) not in known and may_be_found(corpus, chunk.path, seeds.question)}
        lexical = _lexical_scores(corpus, new, seeds.weights[repository])
        similar = similarities(corpus, sorted(new), seeds.vector)
        candidates += [Candidate(repository, chunk, lexical.get(id_, 0.0), similar.get(id_)) for id_, chunk in new.items()]
        for path in sorted({chunk.path for chunk in new.values()}):
            files.setdefault((repository, path), _file_candidate(corpus, path, 0.0))
    return replace(seeds, candidates=tuple(sorted(candidates, key=lambda candidate: candidate.place)), files=files)


def _question_vector(question: Question, corpora: Sequence[Corpus]) -> tuple[float, ...]:
    embedder = corpora[0].embedder
    if embedder is None or not wants_vectors(question) or not all(corpus.has_vectors for corpus in corpora):
        return ()
    return tuple(embedder.embed_question(spoken(question.text)))


def _search(
    question: Question, intent: Intent, corpus: Corpus, near: Nearest, lent: Sequence[str]
) -> tuple[list[Candidate], list[FileCandidate], SparseVector, Mass]:
    """Candidates and files of one repository, the question's word vector there, and how much of the question the repository knows."""
    pin, statistics = corpus.pin, corpus.table.statistics
    nearest = near.chunks.get(corpus.repository, {})
    asked = _feedback(corpus, nearest, intent) | _lent(lent) | _weigh_words(intent)
    frequencies = corpus.graph.vocabulary(pin, sorted(asked))
    by_chunk = query_vector(asked.items(), {term: chunks for term, (chunks, _) in frequencies.items()}, statistics.chunks)
    by_file = query_vector(asked.items(), {term: files for term, (_, files) in frequencies.items()}, statistics.files)
    hits = {hit.id: hit.score for hit in _lexical(corpus, by_chunk, files=False, limit=CHUNKS)}
    file_hits = {hit.id: hit.score for hit in _lexical(corpus, by_file, files=True, limit=FILES)}

    places = landmarks(corpus) if intent.aim is Aim.OVERVIEW else {}
    wanted = hits.keys() | nearest.keys() | places.keys() | _named(corpus, intent)
    chunks = corpus.graph.chunks(pin, sorted(wanted))
    refused = {path for path in {chunk.path for chunk in chunks.values()} if not may_be_found(corpus, path, question)}
    if refused:
        chunks = {id_: chunk for id_, chunk in chunks.items() if chunk.path not in refused}
    lexical = hits | _lexical_scores(corpus, chunks.keys() - hits.keys(), dict(zip(by_chunk.terms, by_chunk.weights, strict=True)))
    similar = {**nearest, **similarities(corpus, sorted(chunks.keys() - nearest.keys()), near.vector)}
    best = sorted(lexical, key=lambda id_: (-lexical[id_], id_))[:AMONG]
    standings = read_standings(corpus, intent, [chunks[id_] for id_ in best if id_ in chunks], chunks.values())
    found = [
        Candidate(corpus.repository, chunk, lexical.get(id_, 0.0), similar.get(id_), places.get(id_, 0.0), standings.get(id_, Standing.OWN))
        for id_, chunk in chunks.items()
    ]
    if question.options.lexical_prefilter:
        found = [candidate for candidate in found if candidate.lexical > 0]

    of_file = {corpus.table.paths[id_]: score for id_, score in file_hits.items() if id_ in corpus.table.paths}
    paths = {candidate.chunk.path for candidate in found} | {path for path in of_file if may_be_found(corpus, path, question)}
    files = [_file_candidate(corpus, path, of_file.get(path, 0.0)) for path in sorted(paths)]
    return found, files, by_chunk, _mass(intent, frequencies, statistics.chunks)


def _weigh_words(intent: Intent) -> dict[int, float]:
    """The question's own terms by their count, and its phrases at half."""
    phrases = {term_id(phrase): PHRASE_WEIGHT for phrase in intent.terms.phrases}
    return phrases | {term_id(term): float(count) for term, count in intent.terms.counts}


def _lent(added: Sequence[str]) -> dict[int, float]:
    return {term_id(term): LENT_WEIGHT for word in added for term in terms_of(word)}


def _lexical(corpus: Corpus, vector: SparseVector, *, files: bool, limit: int) -> Sequence[Hit]:
    if not vector.terms:
        return ()
    return corpus.index.search_lexical(corpus.pin.repository, corpus.pin.generation, vector, files=files, limit=limit)


def _lexical_scores(corpus: Corpus, chunks: Iterable[int], weights: Mapping[int, float]) -> dict[int, float]:
    """BM25F scores of chunks that no search returned, from their stored terms."""
    wanted = sorted(chunks)
    if not wanted or not weights:
        return {}
    packed = {id_: blob for id_, _, blob in corpus.graph.terms(corpus.pin, wanted)}
    terms = sorted(weights)
    scores = term_weights(list(packed.values()), corpus.table.statistics, terms) @ np.array([weights[term] for term in terms])
    return dict(zip(packed, scores.tolist(), strict=True))


def similarities(corpus: Corpus, chunks: Sequence[int], vector: Sequence[float]) -> dict[int, float]:
    """Cosines of those of the chunks that have a stored vector; none where the index is away."""
    if not chunks or not vector:
        return {}
    asked = np.asarray(vector, dtype=np.float32)
    try:
        stored = corpus.index.vectors(corpus.pin.repository, corpus.pin.generation, chunks)
    except ChunksUnavailable:  # it was there a moment ago; what was found by then has its vectors
        return {}
    return {id_: float(np.dot(np.asarray(found, dtype=np.float32), asked)) for id_, found in stored.items()}


def _named(corpus: Corpus, intent: Intent) -> set[int]:
    """Chunks of symbols that bear a name which the question says: the identifier that it is, words that look like code, words run together; and of
    those that a compiler knows by a key in it.
    """
    used = {name.rpartition(".")[2].lower() for name in intent.about}
    names = list(
        dict.fromkeys([*([intent.symbol] if intent.symbol else []), *intent.identifiers, *intent.programs, *sorted(used), *intent.terms.phrases])
    )
    keyed = {symbol.id for key in intent.keys for symbol in _keyed(corpus, key)}
    if not names and not keyed:
        return set()
    bearers: dict[str, list[int]] = {}
    for symbol in corpus.graph.symbols_named(corpus.pin, names):
        bearers.setdefault(symbol.name.lower(), []).append(symbol.id)
    symbols = [symbol for ids in bearers.values() for symbol in ids[:NAMED]]
    # What has no chunk of its own, such as a stored value, is shown by that of its type.
    shown = chunks_holding(corpus, [symbol for name in used & bearers.keys() for symbol in bearers[name][:NAMED]]) if used else {}
    return set(shown.values()) | {chunk for ids in corpus.graph.chunks_of_symbols(corpus.pin, [*symbols, *sorted(keyed)]).values() for chunk in ids}


def _keyed(corpus: Corpus, key: str) -> Sequence[Symbol]:
    try:
        return corpus.graph.find(corpus.pin, key)
    except UnknownSymbol:
        return ()


def _feedback(corpus: Corpus, nearest: Mapping[int, float], intent: Intent) -> dict[int, float]:
    """Terms of the names among the nearest chunks: cosine times rarity, summed per term; the best join the question."""
    if not nearest:
        return {}
    ranked = {
        id_: score * (FEEDBACK_TEST if corpus.role(chunk.path) & FileRole.TEST and not intent.asked_roles & FileRole.TEST else 1.0)
        for id_, chunk in corpus.graph.chunks(corpus.pin, sorted(nearest)).items()
        for score in [nearest[id_]]
    }
    best = sorted(ranked, key=lambda id_: (-ranked[id_], id_))[:FEEDBACK_CHUNKS]
    sums: dict[str, float] = {}
    for id_, chunk in sorted(corpus.graph.chunks(corpus.pin, best).items()):
        stems = {unit[-1] for word in words(f"{chunk.name} {chunk.enclosing}") for unit in units_of(word)}
        for stem in sorted(stems):
            sums[stem] = sums.get(stem, 0.0) + max(ranked[id_], 0.0)
    ids = {stem: term_id(stem) for stem in sums}
    frequencies = corpus.graph.vocabulary(corpus.pin, sorted(ids.values()))
    total = corpus.table.statistics.chunks
    values = {stem: value * idf(total, frequencies[ids[stem]][0]) for stem, value in sums.items() if ids[stem] in frequencies}
    chosen = sorted(values, key=lambda stem: (-values[stem], stem))[:FEEDBACK_TERMS]
    largest = max((values[stem] for stem in chosen), default=0.0)
    return {ids[stem]: FEEDBACK_WEIGHT * values[stem] / largest for stem in chosen if largest > 0}


def may_be_found(corpus: Corpus, path: str, question: Question) -> bool:
    """Files of dependencies are found only on request."""
    return question.options.include_dependencies or not has_role(corpus.role(path), FileRole.DEPENDENCY)


def _file_candidate(corpus: Corpus, path: str, lexical: float) -> FileCandidate:
    row = corpus.table.rows[path]
    return FileCandidate(corpus.repository, row, lexical, float(np.log1p(row.indegree)) / corpus.table.most_mentioned)


def _mass(intent: Intent, frequencies: Mapping[int, tuple[int, int]], chunks: int) -> Mass:
    asking = {term for word in USE_WORDS for term in terms_of(word)} if intent.aim is Aim.USAGE else set()
    number = {term: frequencies.get(term_id(term), (0, 0))[0] for term, _ in intent.terms.counts}
    rarity = {term: idf(chunks, number[term]) * count for term, count in intent.terms.counts if number[term] or term not in asking}
    unknown = tuple(term for term in rarity if number[term] == 0)
    total = sum(rarity.values())
    return Mass(
        total=total,
        known=total - sum(rarity[term] for term in unknown),
        unknown=unknown,
        rarity={term: idf(chunks, containing) for term, containing in number.items()},
    )
