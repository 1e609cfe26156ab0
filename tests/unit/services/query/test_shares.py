"""How much of a context tests and documents may fill."""

from pathlib import Path

from exegesis.model import FileRole, Options
from services.query.intent import read_question
from services.query.shares import share_out
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

BUDGET = 600


def test_what_mentions_tests_is_still_shown_code(tmp_path: Path) -> None:
    """Tests say all of the words, and still leave half of the context to what they test."""
    body = "\n".join(f"print(nothing, {line})" for line in range(6))
    files = {f"Tests/Print{number}.swift": [Piece(f"testPrintsNothing{letter}", body) for letter in "abc"] for number in range(4)}
    files |= {f"Sources/Log{number}.swift": [Piece(f"printNothing{letter}", body, doc="Prints nothing.") for letter in "abc"] for number in range(8)}
    files |= {f"Sources/Other{number}.swift": [Piece(f"send{letter}", "connect()") for letter in "abcdef"] for number in range(20)}
    corpus = small_repository(tmp_path, files, {path: FileRole.TEST for path in files if path.startswith("Tests")})
    context = ask("why is nothing printed in tests?", corpus, options=Options(budget=BUDGET)).context
    tokens = {role: sum(item.tokens for item in context.items if item.path.startswith(role)) for role in ("Tests", "Sources")}
    assert 0 < tokens["Tests"] <= BUDGET / 2
    assert tokens["Sources"] > 0


def test_a_budget_that_nothing_else_wants_is_not_wasted(tmp_path: Path) -> None:
    """Where there are only tests, they may fill all of it."""
    files = {"Tests/Print.swift": [Piece(f"testPrint{letter}", "\n".join(f"print({line})" for line in range(6))) for letter in "abcdefgh"]}
    corpus = small_repository(tmp_path, files, dict.fromkeys(files, FileRole.TEST))
    context = ask("what do the tests print?", corpus, options=Options(budget=BUDGET)).context
    assert context.tokens > BUDGET / 2


def test_topics_may_be_told_by_documents_alone() -> None:
    """Whoever searches for a topic may want nothing else."""
    assert share_out(read_question("release notes of the parser", Options()), BUDGET).have_room(FileRole.DOCUMENT, BUDGET)


def test_topics_about_tests_are_shown_code_too() -> None:
    """Half of a context is enough for tests: what they test explains them."""
    shares = share_out(read_question("hardcoded ports in tests", Options()), BUDGET)
    assert shares.have_room(FileRole.TEST, BUDGET // 2)
    assert not shares.have_room(FileRole.TEST, BUDGET // 2 + 1)


def test_reasons_may_be_told_by_twice_as_many_documents() -> None:
    """A flow is told by code, a reason often by prose."""
    flow = share_out(read_question("How is a page rendered?", Options()), BUDGET)
    why = share_out(read_question("Why is a page rendered twice?", Options()), BUDGET)
    assert not flow.have_room(FileRole.DOCUMENT, BUDGET // 3)
    assert why.have_room(FileRole.DOCUMENT, BUDGET // 3)


def test_what_was_filled_counts() -> None:
    """Room shrinks with each piece of the role, and of no other."""
    shares = share_out(read_question("How is a page rendered?", Options()), BUDGET).with_filled(FileRole.DOCUMENT, 100)
    assert not shares.have_room(FileRole.DOCUMENT, 100)
    assert shares.have_room(FileRole.TEST, 100)


def test_an_overview_shows_many_files(tmp_path: Path) -> None:
    """One that says all of the words in every piece keeps none of the others out."""
    body = "\n".join(f"formats(line, {number})" for number in range(6))
    files = {"Sources/Big.swift": [Piece(f"formatsTheLine{letter}", body) for letter in "abcdefghijkl"]}
    files |= {f"Sources/Small{number}.swift": [Piece(f"format{number}", "formats(line)")] for number in range(6)}
    context = ask("I am new here: give me a tour of what formats a line", small_repository(tmp_path, files), options=Options(budget=BUDGET)).context
    assert {item.path for item in context.items} == files.keys()
