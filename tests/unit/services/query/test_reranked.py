from collections.abc import Sequence
from pathlib import Path

from exegesis.errors import RerankerUnavailable
from exegesis.model import Options, Question
from services.query.pipeline import search
from services.query.rank import rank
from services.query.reranked import RERANKED, with_reranking
from services.query.retrieve import retrieve
from tests.fakes.small_repository import Piece, small_repository
from tests.fakes.word_embedder import WordEmbedder
from tests.unit.services.query.test_pipeline import drain

FILES = {f"Sources/Person{number}.swift": [Piece(f"person{number}", "sign()")] for number in range(RERANKED + 8)}
FILES["Sources/Login.swift"] = [Piece("signPerson", "sign(person)", doc="Signs a person at the door.")]
QUESTION = Question("how does a person sign?", ("repo",))


class Door:
    """A reranker that wants the door; a fake."""

    def __init__(self, *, broken: bool = False) -> None:
        self.read: list[str] = []
        self._broken = broken

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        assert question in {"how does a person sign?", "a person who signs"}
        self.read += texts
        if self._broken:
            raise RerankerUnavailable("The reranker answered 500.")
        return [float("door" in text) for text in texts]


def test_a_list_is_ordered_with_the_scores_of_the_reranker(tmp_path: Path) -> None:
    """It reads the passages of the best candidates, no more than the table says, and embeds nothing."""
    reranker, embedder = Door(), WordEmbedder()
    corpus = small_repository(tmp_path, FILES, embedder=embedder, reranker=reranker)
    found = drain(search(QUESTION, [corpus], {}))
    assert found.listed.results[0].symbol == "signPerson"
    assert len(reranker.read) == RERANKED
    assert not embedder.embedded


def test_scores_stand_in_for_similarities(tmp_path: Path) -> None:
    """Of what was read; the rest has none."""
    seeds = retrieve(QUESTION, [small_repository(tmp_path, FILES, reranker=Door())])
    near, warnings = with_reranking(seeds, rank(seeds))
    assert not warnings
    assert sorted(candidate.cosine for candidate in near.candidates if candidate.cosine is not None) == [0.0] * (RERANKED - 1) + [1.0]


def test_a_reranker_that_is_away_leaves_the_list_to_vectors(tmp_path: Path) -> None:
    """Of a topic, with a warning."""
    embedder = WordEmbedder()
    corpus = small_repository(tmp_path, FILES, embedder=embedder, reranker=Door(broken=True))
    found = drain(search(Question("a person who signs", QUESTION.repositories), [corpus], {}))
    assert embedder.embedded
    assert found.warnings == ("The reranker was left out: The reranker answered 500.",)


def test_who_wants_no_models_gets_none(tmp_path: Path) -> None:
    """Neither of the two."""
    reranker = Door()
    drain(search(Question(QUESTION.text, QUESTION.repositories, Options(dense=False)), [small_repository(tmp_path, FILES, reranker=reranker)], {}))
    assert not reranker.read
