import pytest

from services.query.bearing import read_bearing
from services.query.corpus import Corpus
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    files = {
        "Orchard.swift": [Piece("prune", "ladder.climb()"), Piece("graft", "knife.cut()")],
        "Meadow.swift": [Piece("mow", "scythe.swing()")],
        **{f"Filler{number}.swift": [Piece(f"filler{number}", "pass()")] for number in range(20)},
    }
    return small_repository(tmp_path_factory.mktemp("bearing"), files)


def together(corpus: Corpus, text: str) -> float:
    asked = ask(text, corpus)
    return read_bearing(asked.seeds, asked.ranking).together


def test_words_of_one_file_add_up_and_words_of_two_do_not(corpus: Corpus) -> None:
    """Pieces of one file are about one thing; pieces of two share a project only."""
    one, same_file, two_files = (together(corpus, text) for text in ("how does the ladder", "how ladder, knife", "how ladder, scythe"))
    assert same_file > 1.5 * one
    assert two_files < 1.2 * one


def test_all_words_in_one_piece_are_seen(corpus: Corpus) -> None:
    """In two pieces of a file they are not in one."""
    for text, whole in (("how does prune climb the ladder?", True), ("how do ladder and knife differ?", False), ("how to prune bananas?", False)):
        asked = ask(text, corpus)
        assert read_bearing(asked.seeds, asked.ranking).whole is whole


def test_the_words_that_ask_for_use_need_not_be_there(corpus: Corpus) -> None:
    """``Who calls prune?`` is about prune."""
    asked = ask("Who calls prune?", corpus)
    assert read_bearing(asked.seeds, asked.ranking).whole


def test_a_question_without_words_bears_on_nothing(corpus: Corpus) -> None:
    """Neither zero words nor zero pieces are all of something."""
    asked = ask("zzz", corpus)
    found = read_bearing(asked.seeds, asked.ranking)
    assert (found.together, found.whole) == (0.0, False)
