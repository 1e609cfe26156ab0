"""The grade of a question, by its own words, and by meaning where these settle nothing.

Vectors that are stored and vectors that are made late say the same. What is graded is the ranking by words: with stored vectors names of the nearest
chunks join a question, and they always occur, whatever was asked. Of this ranking the best pieces of own code are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exegesis.model import Ablation
from services.query.bearing import of_own_code
from services.query.dense import with_late_vectors, with_stored_vectors
from services.query.rank import Ranking, rank
from services.query.relevance import Relevance, judge
from services.query.retrieve import Seeds
from services.query.without import AvailableSources


@dataclass(frozen=True, slots=True)
class Graded:
    """What a verdict is about, and the verdict."""

    seeds: Seeds
    """What words found; what vectors found where words find nothing, or alone are to be asked."""
    ranking: Ranking
    relevance: Relevance
    warnings: tuple[str, ...]


def grade_what_is_found(sources: AvailableSources) -> Graded:
    """Search by words, and grade."""
    is_dense = sources.question.options.ablation is Ablation.DENSE
    found = sources.everything() if is_dense else sources.by_words()
    if not found.candidates and not is_dense:
        found = sources.everything()
    ranking = rank(found)
    relevance, warnings = grade(found, ranking, sources.nearest().vector)
    return Graded(found, ranking, relevance, warnings)


def grade(found: Seeds, ranking: Ranking, vector: Sequence[float] = ()) -> tuple[Relevance, tuple[str, ...]]:
    """The grade of what words found, and warnings. ``vector`` is that of the question, where vectors are stored."""
    relevance = judge(found, ranking)
    if not relevance.is_open:
        return relevance, ()
    near, warnings = with_meaning(found, ranking, vector)
    return (relevance if near is found else judge(near, ranking)), warnings


def with_meaning(by_words: Seeds, ranking: Ranking, vector: Sequence[float] = ()) -> tuple[Seeds, tuple[str, ...]]:
    """The same seeds with the similarity of the best pieces of own code, from which the weights were learned, and warnings; the very same where
    there is no embedder.
    """
    own = of_own_code(by_words, ranking)
    return (with_stored_vectors(by_words, own, vector), ()) if vector else with_late_vectors(by_words, own, passages=False)
