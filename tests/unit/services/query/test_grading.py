from pathlib import Path

import pytest

from exegesis.model import Options, Question
from services.query.bearing import COMPARED
from services.query.corpus import Corpus
from services.query.grading import Graded, grade_what_is_found, with_meaning
from services.query.relevance import read_signs
from services.query.without import AvailableSources
from services.query.yardstick import PAIRS
from tests.fakes.small_repository import Piece, small_repository
from tests.fakes.word_embedder import WordEmbedder

FILES = {
    "Meadow.swift": [Piece("mow", "scythe.swing()"), Piece("rake", "hay.turn()")],
    **{f"Filler{number}.swift": [Piece(f"filler{number}", "hay.pass()")] for number in range(COMPARED + 8)},
}
OPEN = "how is the hay brought into a barn of stone?"


def corpus(folder: Path, embedder: WordEmbedder, *, vectors: bool) -> Corpus:
    return small_repository(folder, FILES, embedder=embedder, vectors=vectors)


def sources(text: str, asked: Corpus) -> AvailableSources:
    return AvailableSources(Question(text, ("repo",), Options()), [asked])


def graded(text: str, asked: Corpus) -> Graded:
    return grade_what_is_found(sources(text, asked))


def test_stored_vectors_say_what_late_ones_do(tmp_path: Path) -> None:
    """The same pieces are compared, and the names that stored vectors lend to a question count for nothing."""
    # The toy repository stores vectors of name and doc; late ones read the text too, so that which pieces are compared is what can be equal.
    compared = []
    for vectors in (False, True):
        asked = corpus(tmp_path / str(vectors), WordEmbedder(synonyms={"barn": "mow"}), vectors=vectors)
        searched = sources(OPEN, asked)
        found = grade_what_is_found(searched)
        near, _ = with_meaning(found.seeds, found.ranking, searched.nearest().vector)
        signs = read_signs(found.seeds, found.ranking)
        compared.append(({candidate.chunk.name for candidate in near.candidates if candidate.cosine is not None}, signs))
    assert compared[0] == compared[1]
    assert len(compared[0][0]) == COMPARED


def test_nothing_is_embedded_for_a_verdict_that_stands(tmp_path: Path) -> None:
    """A name that is defined is answered at once; what words leave open is compared, and the scale is measured with it."""
    embedder = WordEmbedder()
    asked = corpus(tmp_path, embedder, vectors=False)
    for text, count in (("mow", 0), (OPEN, COMPARED + len(PAIRS))):
        graded(text, asked)
        assert len(embedder.embedded) == count


@pytest.mark.parametrize("vectors", [False, True])
def test_a_broken_embedder_leaves_the_verdict_of_words(tmp_path: Path, *, vectors: bool) -> None:
    """What words would refuse is refused, and the question is answered all the same."""
    embedder = WordEmbedder()
    asked = corpus(tmp_path, embedder, vectors=vectors)
    embedder.broken = True
    assert not graded(OPEN, asked).relevance.relevant


def test_what_vectors_alone_find_is_graded_as_it_is(tmp_path: Path) -> None:
    """Words find nothing to be graded."""
    embedder = WordEmbedder(synonyms={"cutting": "mow"})
    asked = corpus(tmp_path, embedder, vectors=True)
    found = graded("cutting", asked).seeds
    assert [candidate.chunk.name for candidate in found.candidates if candidate.cosine == 1.0] == ["mow"]
