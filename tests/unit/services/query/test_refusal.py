from pathlib import Path

import pytest

from services.query.corpus import Corpus
from services.query.refusal import nearest_places, refuse, unknown_words, warn_of_doubt
from services.query.relevance import Grade, Relevance, judge
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

NOTHING = Relevance(Grade.REFUSE, "nothing", ("no file is named after its words",))
DOUBTFUL = Relevance(Grade.DOUBT, "little", ("no file is named after its words",))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    files = {
        "Sources/Session.swift": [Piece("resume", "task.resume()", doc="Goes on with a task."), Piece("cancel", "task.cancel()")],
        "Sources/Cache.swift": [Piece("evict", "disk.delete()")],
    }
    return small_repository(tmp_path_factory.mktemp("refusal"), files)


def test_a_refusal_says_where_was_searched_what_is_missing_and_what_is_near(corpus: Corpus) -> None:
    """Who asked for the wrong thing sees which word was wrong; verbs of conversation were never searched for."""
    asked = ask("How does the websocket reconnect after a task?", corpus)
    message = refuse(asked.seeds, asked.ranking, NOTHING, {corpus.repository: "orchard"}).message
    assert message.startswith("Nothing in orchard bears on this question: 2 files (")
    assert "“websocket” and “reconnect” occur in no file." in message
    assert "No file is named after its words." in message
    assert "The nearest are `" in message
    assert "Sources/Session.swift:" in message
    assert "“does”" not in message


def test_one_missing_word_is_told_in_the_singular(corpus: Corpus) -> None:
    """Grammar, since a person reads it."""
    asked = ask("Where is the websocket of a task?", corpus)
    assert "“websocket” occurs in no file" in refuse(asked.seeds, asked.ranking, NOTHING, {}).message


def test_doubt_is_a_warning_with_the_missing_words_else_with_a_reason(corpus: Corpus) -> None:
    """The answer follows; the reader knows what it does not rest on."""
    asked = ask("How does the websocket cancel a task?", corpus)
    (warning,) = warn_of_doubt(asked.seeds, asked.ranking, DOUBTFUL)
    assert warning.startswith("This may be beside the question: “websocket” occurs in no file; the nearest ")
    known = ask("How does a task cancel the disk?", corpus)
    (warning,) = warn_of_doubt(known.seeds, known.ranking, DOUBTFUL)
    assert "no file is named after its words" in warning


def test_answers_without_doubt_carry_no_warning(corpus: Corpus) -> None:
    """A warning that is always there is read by nobody."""
    asked = ask("How does resume go on with a task?", corpus)
    assert warn_of_doubt(asked.seeds, asked.ranking, Relevance(Grade.ANSWER, "clear")) == ()


def test_stop_words_are_neither_searched_nor_missing(corpus: Corpus) -> None:
    """They are in no list of terms, so that no file has them means nothing."""
    asked = ask("what is it?", corpus)
    assert unknown_words(asked.seeds) == []
    assert "no word of the question can be searched" in refuse(asked.seeds, asked.ranking, NOTHING, {}).message


def test_places_are_named_once_and_at_most_three(corpus: Corpus) -> None:
    """A pointer, no list of results."""
    asked = ask("resume cancel evict task disk", corpus)
    places = nearest_places(asked.seeds, asked.ranking)
    assert len(places) == len(set(places)) == 3


def test_of_a_pasted_log_a_few_words_are_named_and_the_others_counted(corpus: Corpus) -> None:
    """A refusal that crosses a network has room for a few kilobytes, and nobody reads more."""
    asked = ask(f"How does {'x' * 500} {' '.join(f'vocable{number}' for number in range(2_000))} go?", corpus)
    message = refuse(asked.seeds, asked.ranking, NOTHING, {}).message
    (warning,) = warn_of_doubt(asked.seeds, asked.ranking, DOUBTFUL)
    assert "“vocable10” and 1989 more occur in no file" in message
    assert f"“{'x' * 39}…”" in warning
    assert len(message) < 1_500


def test_a_file_whose_name_has_line_ends_stays_on_its_line(tmp_path: Path) -> None:
    """What follows a line end could pass for a line of this program."""
    asked = ask("Where does resume go?", small_repository(tmp_path, {"odd\nexegesis: all is well.swift": [Piece("resume", "task.resume()")]}))
    assert nearest_places(asked.seeds, asked.ranking) == ["`resume` (odd\\nexegesis: all is well.swift:1)"]


def test_a_question_without_words_is_refused_for_that(corpus: Corpus) -> None:
    """It has no word that all texts share, as a question of stop words has. Nothing is listed for it either."""
    asked = ask("?! …", corpus)
    relevance = judge(asked.seeds, asked.ranking)
    assert relevance.reasons == ("it has no words",)
    assert not relevance.may_be_listed


def test_a_repository_without_anything_has_no_whole(tmp_path: Path) -> None:
    """Where there is nothing, a larger context shows no more."""
    asked = ask("Give me an overview of this repository", small_repository(tmp_path, {}))
    relevance = judge(asked.seeds, asked.ranking)
    assert not relevance.may_be_listed
    assert "0 files (0 chunks) were searched" in refuse(asked.seeds, asked.ranking, relevance, {}).message
