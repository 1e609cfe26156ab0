"""The grade of a question, by its own words, and by meaning where these settle nothing.

Vectors that are stored and vectors that are made late say the same. What is graded is the ranking by words: with stored vectors names of the nearest
chunks join a question, and they always occur, whatever was asked. Of this ranking the best pieces of own code are compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from exegesis.model import Ablation
from services.query.bearing import of_own_code
from services.query.corpus import Corpus
from services.query.dense import with_late_vectors, with_stored_vectors
from services.query.rank import Ranking, rank
from services.query.relevance import Relevance, judge
from services.query.retrieve import Seeds
from services.query.without import retrieve_what_is_there


def found_by_words(seeds: Seeds, ranking: Ranking, corpora: Sequence[Corpus]) -> tuple[Seeds, Ranking]:
    """What words alone find for the same question; what was found as it is where that is all, or where only vectors find anything."""
    if not seeds.has_vectors or seeds.question.options.ablation is Ablation.DENSE:
        return seeds, ranking
    by_words = retrieve_what_is_there(seeds.question, corpora, stored=False)[0]
    return (by_words, rank(by_words)) if by_words.candidates else (seeds, ranking)


def grade(by_words: Seeds, ranking: Ranking, vector: Sequence[float] = ()) -> tuple[Relevance, tuple[str, ...]]:
    """The grade of what words found, and warnings. ``vector`` is that of the question, where vectors are stored."""
    relevance = judge(by_words, ranking)
    if not relevance.is_open:
        return relevance, ()
    near, warnings = with_meaning(by_words, ranking, vector)
    return (relevance if near is by_words else judge(near, ranking)), warnings


def with_meaning(by_words: Seeds, ranking: Ranking, vector: Sequence[float] = ()) -> tuple[Seeds, tuple[str, ...]]:
    """The same seeds with the similarity of the best pieces of own code, from which the weights were learned, and warnings; the very same where
    there is no embedder.
    """
    own = of_own_code(by_words, ranking)
    return (with_stored_vectors(by_words, own, vector), ()) if vector else with_late_vectors(by_words, own, passages=False)
