from pathlib import Path

import pytest

from exegesis.model import FileRole, Options
from services.query.bearing import COMPARED, Bearing, is_general, of_own_code, read_bearing
from services.query.corpus import Corpus
from services.query.dense import with_late_vectors
from services.query.intent import read_question
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository
from tests.fakes.word_embedder import WordEmbedder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    files = {
        "Orchard.swift": [Piece("prune", "ladder.climb()"), Piece("graft", "knife.cut()")],
        "Meadow.swift": [Piece("mow", "scythe.swing()")],
        **{f"Filler{number}.swift": [Piece(f"filler{number}", "pass()")] for number in range(20)},
    }
    return small_repository(tmp_path_factory.mktemp("bearing"), files)


def bearing(corpus: Corpus, text: str) -> Bearing:
    asked = ask(text, corpus)
    return read_bearing(asked.seeds, asked.ranking)


def test_words_of_one_file_add_up_and_words_of_two_do_not(corpus: Corpus) -> None:
    """Pieces of one file are about one thing; pieces of two share a project only."""
    same_file, two_files = (bearing(corpus, text).together for text in ("how ladder, knife", "how ladder, scythe"))
    assert same_file == 1
    assert two_files == pytest.approx(0.5)


def test_only_a_repositorys_own_code_bears_on_a_question(tmp_path: Path) -> None:
    """Tests and documents speak of what the code does not do; a question about tests is about them all the same."""
    files = {
        "Orchard.swift": [Piece("prune", "ladder.climb()")],
        "Tests/WeatherTests.swift": [Piece("testHail", "hail.fall(on: blossom)")],
        **{f"Filler{number}.swift": [Piece(f"filler{number}", "pass()")] for number in range(20)},
    }
    mixed = small_repository(tmp_path, files, {"Tests/WeatherTests.swift": FileRole.TEST})
    assert bearing(mixed, "does hail fall on blossom?") == Bearing(known=1.0)
    assert bearing(mixed, "which test lets hail fall on blossom?").together > 0.5


def test_only_own_code_is_compared_by_meaning(tmp_path: Path) -> None:
    """The sixteen vectors go to pieces that count, however many tests say the words of the question louder."""
    tests = {f"Tests/Hail{number}.swift": [Piece(f"testHail{number}", "hail.fall(on: blossom)")] for number in range(COMPARED + 4)}
    files = {"Orchard.swift": [Piece("prune", "hail.scare()")], **tests}
    mixed = small_repository(tmp_path, files, dict.fromkeys(tests, FileRole.TEST), embedder=WordEmbedder())
    asked = ask("does hail fall on blossom?", mixed)
    own = of_own_code(asked.seeds, asked.ranking)
    assert {chunk.candidate.chunk.path for chunk in own.chunks} == {"Orchard.swift"}
    assert read_bearing(asked.seeds, asked.ranking).nearness is None
    late, _ = with_late_vectors(asked.seeds, own, passages=False)
    assert read_bearing(late, asked.ranking).nearness is not None


def test_where_nothing_is_code_documents_bear(tmp_path: Path) -> None:
    """A collection of documents would have no answer to anything."""
    pages = small_repository(tmp_path, {"pages.md": [Piece("Pruning", "cut in winter")]}, {"pages.md": FileRole.DOCUMENT})
    assert bearing(pages, "how does pruning in winter go?").matched > 0


def test_words_in_names_are_counted(corpus: Corpus) -> None:
    """Of the file, the symbol, and what encloses it; words of the body are no names."""
    assert bearing(corpus, "how does the orchard prune?").named == 2
    assert bearing(corpus, "how does the orchard climb?").named == 1


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("how does prune climb the ladder?", True),
        ("how does orchard prune?", True),  # two words, both of them names
        ("how to climb the ladder?", False),  # two common words may meet by chance
        ("how do orchard, ladder and knife differ?", False),
        ("how to prune a ladder of bananas?", False),
    ],
)
def test_all_words_in_one_piece_are_seen(corpus: Corpus, text: str, *, whole: bool) -> None:
    """In two pieces of a file they are not in one."""
    assert bearing(corpus, text).whole is whole


def test_general_words_that_no_code_has_say_nothing(corpus: Corpus) -> None:
    """Anybody says that something is executed; only where it is all that is said does it count."""
    plain, general, rare = (bearing(corpus, text) for text in ("how prune?", "how is prune executed?", "how is prune pollinated?"))
    assert (general.known, general.matched, general.path) == (plain.known, plain.matched, plain.path)
    assert rare.known < 1
    assert bearing(corpus, "how executed?").known == 0


def test_the_words_that_ask_for_use_need_not_be_there(corpus: Corpus) -> None:
    """``Who calls prune?`` is about prune."""
    assert bearing(corpus, "Who calls prune?").known == 1


def test_a_question_without_words_bears_on_nothing(corpus: Corpus) -> None:
    """Neither zero words nor zero pieces are all of something."""
    assert bearing(corpus, "zzz") == Bearing()


@pytest.mark.parametrize(
    ("text", "general"),
    [("How are two options with the same name used?", True), ("How are two orchards with the same name used?", False), ("", False)],
)
def test_words_of_any_program_name_nothing_in_particular(text: str, *, general: bool) -> None:
    """What they ask for cannot be absent; one other word can."""
    assert is_general(read_question(text, Options())) is general
