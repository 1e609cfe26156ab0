from pathlib import Path

import pytest

from exegesis.model import FileRole, Options, Question
from services.query.events import drain
from services.query.intent import read_question
from services.query.kinds import Referent, referent_of
from services.query.pipeline import search
from services.query.rank import REFERRED_TO
from services.query.referent import with_referent
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

FILES = {
    "Names.swift": [Piece("validateName", "name.contains(dot)", doc="A name must not contain dots, or validating it raises an error.")],
    "NamesTests.swift": [Piece("testDots", "validateName(dot)", doc="Names.")],
    "OtherTests.swift": [Piece("testOther", "name()")],
}
ROLES = {"NamesTests.swift": FileRole.TEST, "OtherTests.swift": FileRole.TEST}


@pytest.mark.parametrize(
    ("text", "referent"),
    [
        ("Which parameters does the test expect?", Referent.TEST),
        ("Why does the test that checks names raise an error?", Referent.TEST),
        ("What is the dependency chain in the test function that verifies routing?", Referent.TEST),
        ("How do the Dask plotting tests ensure that files are removed?", Referent.TEST),
        ("In this test, what is asserted?", Referent.TEST),
        ("On which iteration is the exception raised in the test?", Referent.TEST),
        ("In the C API tests and the Python package tests, what is saved?", Referent.TEST),
        ("Why is the helper class that loads applications lazy?", Referent.DECLARATION),
        ("What does the method that opens files return?", Referent.DECLARATION),
        ("How does the test client simulate requests?", Referent.NONE),
        ("How can time be controlled in tests?", Referent.NONE),
        ("How is the clock mocked in the tests?", Referent.NONE),
        ("Where is the code that tests whether a name is valid?", Referent.NONE),
        ("How does a test notice an action that nobody expected?", Referent.NONE),
        ("What is the test runner for commands?", Referent.NONE),
        ("Why is the hit test for a layer slow?", Referent.NONE),
        ("How does the hit test that a layer makes end?", Referent.NONE),
        ("How does the parser handle the test of an if statement?", Referent.NONE),
        ("How is the model evaluated on the test set?", Referent.NONE),
        ("How does the test set get split?", Referent.NONE),
        ("How can I run the tests?", Referent.NONE),
        ("What framework do the tests use?", Referent.NONE),
        ("How does the build fail if the tests fail?", Referent.NONE),
        ("How does pytest collect the test functions?", Referent.NONE),
        ("Is each test rolled back after it ends?", Referent.NONE),
        ("Why is the request sent twice?", Referent.NONE),
        ("How does a class of errors become a response?", Referent.NONE),
        ("How do I write a class that implements the storage interface?", Referent.NONE),
        ("Why is there a folder structure that nobody uses?", Referent.NONE),
    ],
)
def test_what_a_question_speaks_of(text: str, referent: Referent) -> None:
    """A thing that it points at, and not every thing whose kind it says."""
    assert referent_of(text) is referent


def test_the_best_test_comes_first_where_one_is_spoken_of(tmp_path: Path) -> None:
    """And no other test with it."""
    corpus = small_repository(tmp_path, FILES, ROLES)
    asked = ask("Why does the test that validates a name with dots raise an error?", corpus)
    assert asked.ranking.files[0].file[1] == "Names.swift"
    moved = with_referent(asked.seeds, asked.ranking)
    assert [file.file[1] for file in moved.files] == ["NamesTests.swift", "Names.swift", "OtherTests.swift"]
    first = moved.files[0]
    assert first.parts[-1].name == REFERRED_TO.name
    assert first.score == pytest.approx(sum(part.value for part in first.parts))


def test_code_comes_before_documents_where_a_declaration_is_told_by_what_it_does(tmp_path: Path) -> None:
    """Reasons stand in documents too, and follow."""
    files = {
        "guide.md": [Piece("Laziness", "the helper class loads applications lazily", doc="Why applications are loaded so.")],
        "Loader.swift": [Piece("Loader", "applications.load()", doc="A helper that loads applications when they are asked for.")],
    }
    corpus = small_repository(tmp_path, files, {"guide.md": FileRole.DOCUMENT})
    asked = ask("Why does the helper class that loads applications load them lazily?", corpus)
    assert asked.ranking.files[0].file[1] == "guide.md"
    assert [file.file[1] for file in with_referent(asked.seeds, asked.ranking).files] == ["Loader.swift", "guide.md"]


@pytest.mark.parametrize("text", ["Is there a tutorial on the function that opens files?", "What does the readme say about the class that loads?"])
def test_who_asks_for_documents_gets_them(text: str) -> None:
    """Whatever they are about."""
    assert read_question(text, Options()).referent is Referent.NONE


def test_a_declaration_is_looked_for_in_code_of_ones_own(tmp_path: Path) -> None:
    """Not in what tests it."""
    files = {
        "guide.md": [Piece("Laziness", "the helper class loads applications lazily", doc="Why applications are loaded so.")],
        "LoaderTests.swift": [Piece("testLoadsApplicationsLazily", "applications.load()", doc="Loads applications lazily.")],
        "Loader.swift": [Piece("Loader", "applications.load()", doc="A helper that loads applications when they are asked for.")],
    }
    corpus = small_repository(tmp_path, files, {"guide.md": FileRole.DOCUMENT, "LoaderTests.swift": FileRole.TEST})
    asked = ask("Why does the helper class that loads applications load them lazily?", corpus)
    assert with_referent(asked.seeds, asked.ranking).files[0].file[1] == "Loader.swift"


def test_a_search_puts_it_first(tmp_path: Path) -> None:
    """The list for people, and not only the ranking."""
    question = Question("Why does the test that validates a name with dots raise an error?", ("repo",))
    results = drain(search(question, [small_repository(tmp_path, FILES, ROLES)], {}))[0].listed.results
    assert [result.path for result in results[:2]] == ["NamesTests.swift", "Names.swift"]


def test_what_is_far_behind_is_not_what_is_spoken_of(tmp_path: Path) -> None:
    """The best test of a repository that tests other things stays where it is."""
    files = {"ValidateNames.swift": FILES["Names.swift"] * 4, "OtherTests.swift": FILES["OtherTests.swift"]}
    asked = ask("Why does the test that validates a name with dots raise an error?", small_repository(tmp_path, files, ROLES))
    assert [file.file[1] for file in with_referent(asked.seeds, asked.ranking).files] == ["ValidateNames.swift", "OtherTests.swift"]


@pytest.mark.parametrize("text", ["Why is a name with dots refused?", "What does the function that validates names with dots raise?"])
def test_nothing_moves_where_nothing_is_spoken_of_or_it_comes_first(tmp_path: Path, text: str) -> None:
    asked = ask(text, small_repository(tmp_path, FILES, ROLES))
    assert with_referent(asked.seeds, asked.ranking) is asked.ranking


def test_a_repository_without_tests_answers_by_what_it_has(tmp_path: Path) -> None:
    """A test that is spoken of and is not there moves nothing."""
    asked = ask("Why does the test that validates names fail?", small_repository(tmp_path, {"Names.swift": FILES["Names.swift"]}))
    assert with_referent(asked.seeds, asked.ranking) is asked.ranking
