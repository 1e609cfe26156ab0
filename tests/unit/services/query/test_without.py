"""Answers while the chunk index or the embedding server is away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.bm25f import query_vector
from exegesis.errors import ChunksUnavailable
from exegesis.model import Hit, Options, Question
from exegesis.ports import SparseVector
from exegesis.terms import term_id
from services.query.corpus import Corpus
from services.query.retrieve import NOTHING_NEAR, retrieve
from services.query.without import AvailableSources, WordsOfGraph
from tests.fakes.small_repository import Piece, small_repository
from tests.fakes.word_embedder import WordEmbedder

FILES = {
    "Sources/Login.swift": [
        Piece("authenticate", "check(password)", doc="Signs a person in.", calls=("check",)),
        Piece("check", "hash(password) == stored"),
    ],
    "Sources/Other.swift": [Piece(f"person{number}", "sign()\nsign()") for number in range(12)],
    "Sources/Empty.swift": [Piece("nothing", "")],
}
ASKED = Question("how does a person sign in", ("repo",), Options())


class Away:
    """A server of the chunk index that does not answer."""

    def __init__(self) -> None:
        self.asked = 0

    def search_lexical(self, repository: str, generation: str, query: SparseVector, *, files: bool, limit: int) -> Sequence[Hit]:
        return self.fail()

    def search_dense(self, repository: str, generation: str, vector: Sequence[float], *, limit: int) -> Sequence[Hit]:
        return self.fail()

    def vectors(self, repository: str, generation: str, ids: Sequence[int]) -> Mapping[int, Sequence[float]]:
        self.fail()
        return {}

    def fail(self) -> Sequence[Hit]:
        self.asked += 1
        raise ChunksUnavailable("it is away")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return small_repository(tmp_path, FILES, embedder=WordEmbedder(), vectors=True)


@pytest.mark.parametrize("files", [False, True], ids=["chunks", "files"])
@pytest.mark.parametrize("limit", [3, 50])
def test_words_find_the_same_without_an_index(corpus: Corpus, limit: int, *, files: bool) -> None:
    """The same documents in the same order, with the scores that the index gives up to the rounding of its engine."""
    pin, words = corpus.pin, ("person", "sign", "password")
    frequencies = corpus.graph.vocabulary(pin, sorted(map(term_id, words)))
    query = query_vector([(term_id(word), 1.0) for word in words], {term: found[0] for term, found in frequencies.items()}, 15)
    slow = WordsOfGraph(corpus.graph).search_lexical(pin.repository, pin.generation, query, files=files, limit=limit)
    fast = corpus.index.search_lexical(pin.repository, pin.generation, query, files=files, limit=limit)
    assert 1 < len(fast) <= limit
    assert {hit.id: pytest.approx(hit.score, rel=1e-5) for hit in slow} == {hit.id: hit.score for hit in fast}


def test_without_an_index_a_question_finds_what_words_find(corpus: Corpus) -> None:
    """As if there were no vectors, with a warning; what comes after asks the graph too."""
    away = Away()
    sources = AvailableSources(ASKED, [replace(corpus, index=away)])
    seeds = sources.everything()
    assert [candidate.key for candidate in seeds.candidates] == [
        candidate.key for candidate in retrieve(ASKED, [corpus], near=NOTHING_NEAR).candidates
    ]
    assert not seeds.has_vectors
    assert sources.by_words().candidates == seeds.candidates
    assert sources.warnings == ["Found by words and calls alone: it is away"]
    assert away.asked == 1  # for the whole question
    assert isinstance(sources.corpora[0].index, WordsOfGraph)


def test_without_an_embedder_a_question_finds_what_words_find(corpus: Corpus) -> None:
    """The index is asked all the same."""
    broken = replace(corpus, embedder=WordEmbedder(broken=True))
    sources = AvailableSources(ASKED, [broken])
    assert sources.everything().candidates == retrieve(ASKED, [corpus], near=NOTHING_NEAR).candidates
    assert len(sources.warnings) == 1
    assert "Vectors were left out" in sources.warnings[0]
    assert sources.corpora[0].index is corpus.index


def test_both_may_be_away(corpus: Corpus) -> None:
    """Two warnings, and the same answer as without the index."""
    sources = AvailableSources(ASKED, [replace(corpus, index=Away(), embedder=WordEmbedder(broken=True))])
    assert sources.everything().candidates
    assert len(sources.warnings) == 2


def test_nothing_is_said_where_all_answers(corpus: Corpus) -> None:
    """And the corpora stay what they are."""
    sources = AvailableSources(ASKED, [corpus])
    assert sources.everything().has_vectors
    assert (sources.corpora, sources.warnings) == ((corpus,), [])


def test_a_question_is_embedded_and_its_nearest_are_searched_once(corpus: Corpus) -> None:
    """However often it is searched for by words."""
    embedder = corpus.embedder
    assert isinstance(embedder, WordEmbedder)
    sources = AvailableSources(ASKED, [corpus])
    assert not sources.by_words().has_vectors
    for lent in ((), ("password",)):
        assert sources.everything(lent).has_vectors
    assert len(embedder.questions) == 1
