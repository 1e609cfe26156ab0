"""How much of a question one place says: its words together, and not each somewhere.

A word that stands somewhere says little about a repository of ten thousand pieces, in which nearly all words do. What tells an answer from a chance
hit is that several rare words of the question stand in the same piece, or in pieces of the same file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from exegesis.terms import Unit, term_id, units_of, unpack
from services.query.aims import Aim
from services.query.corpus import Corpus
from services.query.intent import USE_WORDS
from services.query.rank import Ranking
from services.query.retrieve import Seeds

LOOKED_AT: Final = 30
"""Best pieces by list score, and as many by words alone, whose words are read."""


@dataclass(frozen=True, slots=True)
class Bearing:
    together: float
    """Summed rarity of the question's words in pieces of one file, the best such file, over the rarity of a word in one piece: about how many words
    that stand nowhere else the file says."""
    whole: bool
    """One piece has every word of the question."""


def read_bearing(seeds: Seeds, ranking: Ranking) -> Bearing:
    """Over all repositories the best. Reads the terms of up to twice :data:`LOOKED_AT` pieces of each."""
    found = [_in_repository(seeds, ranking, corpus) for corpus in seeds.corpora.values()]
    return Bearing(max((each.together for each in found), default=0.0), any(each.whole for each in found))


def _in_repository(seeds: Seeds, ranking: Ranking, corpus: Corpus) -> Bearing:
    units = _asked(seeds)
    own = [chunk for chunk in ranking.chunks if chunk.candidate.repository == corpus.repository]
    by_list = sorted(own, key=lambda chunk: (-chunk.list_score, chunk.candidate.place))[:LOOKED_AT]
    by_words = sorted(own, key=lambda chunk: (-chunk.candidate.lexical, chunk.candidate.place))[:LOOKED_AT]
    pieces = sorted({chunk.candidate.chunk.id for chunk in (*by_list, *by_words)})
    if not units or not pieces:
        return Bearing(0.0, whole=False)
    identifiers = {term_id(spelling): spelling for unit in units for spelling in unit}
    said_in: dict[str, set[Unit]] = {}
    whole = False
    for _, path, packed in corpus.graph.terms(corpus.pin, pieces):
        terms = {identifiers[term] for term in set(unpack(packed)["term"].tolist()) & identifiers.keys()}
        said = {unit for unit in units if not terms.isdisjoint(unit)}
        whole = whole or len(said) == len(units)
        said_in.setdefault(path, set()).update(said)
    rarity = {unit: _rarity(unit, seeds.masses[corpus.repository].rarity) for unit in units}
    best = max((sum(rarity[unit] for unit in said) for said in said_in.values()), default=0.0)
    return Bearing(best / math.log(max(corpus.table.statistics.chunks, 3)), whole)


def _asked(seeds: Seeds) -> list[Unit]:
    """Words that the question is about; those with which a question of use asks are not."""
    asking = {unit for word in USE_WORDS for unit in units_of(word)} if seeds.intent.aim is Aim.USAGE else set()
    return [unit for unit in seeds.intent.terms.units if unit not in asking]


def _rarity(unit: Unit, rarity: Mapping[str, float]) -> float:
    """That of its commonest spelling: a word occurs if it does in any way it is written."""
    return min((rarity[spelling] for spelling in unit if spelling in rarity), default=0.0)
