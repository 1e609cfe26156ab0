"""How much of a question the code of a repository says: its words together, and not each somewhere.

A word that stands somewhere says little about a repository of ten thousand pieces, in which nearly all words do. What tells an answer from a chance
hit is that several rare words of the question stand in the same piece, or in pieces of the same file, and that declarations are named by them.

Only what a repository has of its own counts. Tests, examples, documents and other people's code speak of many things that the code does not do: the
same signs read from all files tell absent features apart with an area under the curve of .965, read from the code alone with .983. Shares of the
question count, and no sums over its words: a sum says above all that a question is long.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Final

import numpy as np

from exegesis.bm25f import K1_CHUNK
from exegesis.errors import EmbedderUnavailable
from exegesis.model import Field, FileRole
from exegesis.terms import Unit, stop_words, term_id, units_of, unpack
from services.query.aims import Aim
from services.query.corpus import Corpus, has_role
from services.query.features import path_share
from services.query.intent import USE_WORDS, Intent
from services.query.rank import RankedChunk, Ranking
from services.query.retrieve import Mass, Seeds

LOOKED_AT: Final = 30
"""Best pieces by list score, and as many by words alone, whose words are read; 60 are no better."""
COMPARED: Final = 16
"""Best pieces by list score whose meaning counts, as many as are embedded late. The nearest of all pieces of a repository tells less (area under the
curve .885 for .900, with the words, on 16 repositories): among thousands something resembles any question.
"""
FILES: Final = 10
"""Best files whose paths are read."""
BY_CHANCE: Final = 2
"""So many words may stand in one piece without being about one another. Of a single word there is nothing else to ask, and three hardly meet by
chance: of 202 questions about absent features two have two words that some piece has, and none has one or three.
"""
BESIDE: Final = (
    FileRole.TEST | FileRole.EXAMPLE | FileRole.DOCUMENT | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.GENERATED | FileRole.MINIFIED
)
"""Files that are not what a repository does, unless the question asks for such."""
NAMING: Final = max(Field.PATH, Field.NAME, Field.ENCLOSING)
"""The fields up to this one are names: of the file, the symbol and what encloses it."""


@dataclass(frozen=True, slots=True)
class Bearing:
    known: float = 0.0
    """Share of the question's weight (inverse document frequency) on words that occur at all."""
    matched: float = 0.0
    """Best lexical score over the highest that the question allows."""
    path: float = 0.0
    """Best share of the question that a path among the first files says."""
    together: float = 0.0
    """Share of the question's words, each by its rarity, that pieces of one file say, the best such file."""
    named: int = 0
    """Most words of the question in the names of one piece: of its symbol, of what encloses it, and its path."""
    whole: bool = False
    """One piece has every word of the question, in its names where that could be :data:`BY_CHANCE`."""
    nearness: float | None = None
    """Best similarity among the first :data:`COMPARED` pieces on the scale of ``Yardstick``; None where none of them has a vector."""


def read_bearing(seeds: Seeds, ranking: Ranking) -> Bearing:
    """Of each sign the best over all repositories. Reads the terms of up to twice :data:`LOOKED_AT` pieces of each."""
    found = [_in_repository(seeds, ranking, corpus) for corpus in seeds.corpora.values()]
    return Bearing(
        known=max((each.known for each in found), default=0.0),
        matched=max((each.matched for each in found), default=0.0),
        path=max((each.path for each in found), default=0.0),
        together=max((each.together for each in found), default=0.0),
        named=max((each.named for each in found), default=0),
        whole=any(each.whole for each in found),
        nearness=max((each.nearness for each in found if each.nearness is not None), default=None),
    )


def of_own_code(seeds: Seeds, ranking: Ranking) -> Ranking:
    """The same ranking with the pieces that count alone: what to compare by meaning where words say little."""
    return replace(ranking, chunks=tuple(chunk for corpus in seeds.corpora.values() for chunk in own_pieces(seeds, ranking, corpus)))


def own_pieces(seeds: Seeds, ranking: Ranking, corpus: Corpus) -> list[RankedChunk]:
    """The ranked pieces of a repository's own code; all of its pieces where it has no code of its own, as a collection of documents has none."""
    beside = _beside(corpus, seeds.intent)
    files = (file.file for file in ranking.files if file.candidate.repository == corpus.repository)
    own = {path for _, path in files if not has_role(corpus.role(path), beside)}
    of_corpus = ranking.chunks if len(seeds.corpora) == 1 else [chunk for chunk in ranking.chunks if chunk.candidate.repository == corpus.repository]
    return [chunk for chunk in of_corpus if chunk.candidate.chunk.path in own]


def _in_repository(seeds: Seeds, ranking: Ranking, corpus: Corpus) -> Bearing:
    own = own_pieces(seeds, ranking, corpus)
    mass = seeds.masses[corpus.repository]
    silent = _silent(seeds.intent, mass)
    said = [unit for unit in _asked(seeds.intent) if unit not in silent]
    total = mass.total - sum(mass.rarity[term] for term in mass.unknown if any(term in unit for unit in silent))
    if total <= 0 or not said:
        return Bearing()
    unknown = mass.total - mass.known - (mass.total - total)
    first = _best(own, [chunk.list_score for chunk in own])
    together, named, most = _read_pieces(said, mass.rarity, [*first, *_best(own, [chunk.candidate.lexical for chunk in own])], corpus)
    asked = len(said) + len(silent)
    return Bearing(
        known=1 - unknown / total,
        matched=max((chunk.candidate.lexical for chunk in own), default=0.0) / ((K1_CHUNK + 1) * total),
        path=_best_path(seeds, ranking, corpus, len(silent)),
        together=together,
        named=named,
        whole=named == asked or (most == asked and asked != BY_CHANCE),
        nearness=_nearness(seeds, first[:COMPARED], corpus),
    )


def _nearness(seeds: Seeds, compared: Sequence[RankedChunk], corpus: Corpus) -> float | None:
    """Of the nearest piece. The scale is that of the embedder, which may not answer, or not in time."""
    cosines = {candidate.key: candidate.cosine for candidate in seeds.candidates if candidate.cosine is not None}
    best = max((cosines[piece.candidate.key] for piece in compared if piece.candidate.key in cosines), default=None)
    if best is None:
        return None
    try:
        scale = corpus.yardstick.scale(seeds.question.options.dense_seconds)
    except EmbedderUnavailable:
        return None
    return scale.nearness(best) if scale else None


def _read_pieces(said: Sequence[Unit], rarity: Mapping[str, float], read: Sequence[RankedChunk], corpus: Corpus) -> tuple[float, int, int]:
    """Of the best pieces ``together``, ``named``, and the most words in one of them."""
    pieces = sorted({chunk.candidate.chunk.id for chunk in read})
    if not pieces:
        return 0.0, 0, 0
    saying: dict[int, set[int]] = {}
    for number, unit in enumerate(said):
        for spelling in unit:
            saying.setdefault(term_id(spelling), set()).add(number)
    wanted = np.array(sorted(saying), dtype=np.uint32)
    rows = list(corpus.graph.terms(corpus.pin, pieces))
    records = unpack(packed for _, _, packed in rows)
    owner = np.repeat(np.arange(len(rows)), [len(packed) // records.dtype.itemsize for _, _, packed in rows])
    hits = np.flatnonzero(np.isin(records["term"], wanted))
    found: list[set[int]] = [set() for _ in rows]
    in_names: list[set[int]] = [set() for _ in rows]
    for piece, term, field in zip(owner[hits].tolist(), records["term"][hits].tolist(), records["field"][hits].tolist(), strict=True):
        found[piece] |= saying[term]
        if field <= NAMING:
            in_names[piece] |= saying[term]
    named, most = max(map(len, in_names), default=0), max(map(len, found), default=0)
    in_file: dict[str, set[int]] = {}
    for (_, path, _), numbers in zip(rows, found, strict=True):
        in_file.setdefault(path, set()).update(numbers)
    weights = [_rarity(unit, rarity) for unit in said]
    best = max((sum(weights[number] for number in numbers) for numbers in in_file.values()), default=0.0)
    return best / (sum(weights) or 1.0), named, most


def _best(pieces: Sequence[RankedChunk], scores: Sequence[float]) -> list[RankedChunk]:
    """The first :data:`LOOKED_AT` by score and, among equal ones, by place; a thousand places are not made for thirty."""
    least = sorted(scores, reverse=True)[:LOOKED_AT][-1:]
    able = [(-score, piece.candidate.place, piece) for piece, score in zip(pieces, scores, strict=True) if [score] >= least]
    return [piece for _, _, piece in sorted(able, key=itemgetter(0, 1))[:LOOKED_AT]]


def _best_path(seeds: Seeds, ranking: Ranking, corpus: Corpus, silent: int) -> float:
    """Of the words that say something, the share that one path says."""
    beside = _beside(corpus, seeds.intent)
    words = len(seeds.intent.terms.units)
    if seeds.intent.aim is Aim.SYMBOL or words <= silent:
        return 0.0
    paths = (file.candidate.row.file.path for file in ranking.files if file.candidate.repository == corpus.repository)
    own = [path for path in paths if not has_role(corpus.role(path), beside)][:FILES]
    return max((min(path_share(path, seeds.intent) * words / (words - silent), 1.0) for path in own), default=0.0)


def _beside(corpus: Corpus, intent: Intent) -> FileRole:
    """Roles of the files that do not count; none where nothing else is there."""
    beside = BESIDE & ~intent.asked_roles
    return beside if any(not has_role(row.file.roles, beside) for row in corpus.table.rows.values()) else FileRole.NONE


def _asked(intent: Intent) -> list[Unit]:
    """Words that the question is about; those with which a question of use asks are not."""
    asking = {unit for word in USE_WORDS for unit in units_of(word)} if intent.aim is Aim.USAGE else set()
    return [unit for unit in intent.terms.units if unit not in asking]


def is_general(intent: Intent) -> bool:
    """Whether it is asked in words alone in which anybody speaks about any program, so that nothing is named which could be absent."""
    asked = _asked(intent)
    return bool(asked) and _general().issuperset(asked)


@functools.cache
def _general() -> frozenset[Unit]:
    return frozenset(unit for word in stop_words("general") for unit in units_of(word))


def _silent(intent: Intent, mass: Mass) -> frozenset[Unit]:
    """Words that say nothing where no code has them: those in which anybody speaks about any program. Code need not say that something is created or
    executed. None of them where the question has no others.
    """
    asked, general = _asked(intent), _general()
    unknown = set(mass.unknown)
    silent = frozenset(unit for unit in asked if unit in general and unknown.issuperset(spelling for spelling in unit if spelling in mass.rarity))
    return silent if len(silent) < len(asked) else frozenset()


def _rarity(unit: Unit, rarity: Mapping[str, float]) -> float:
    """That of its commonest spelling: a word occurs if it does in any way it is written."""
    return min((rarity[spelling] for spelling in unit if spelling in rarity), default=0.0)
