from pathlib import Path

import pytest

from exegesis.model import Options, SymbolKind
from services.query.called import with_calls
from services.query.present import FILES_FIRST, OF_A_FILE, PLACES_FIRST, by_file, present
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository


def test_each_of_the_first_files_is_named_before_any_is_named_twice(tmp_path: Path) -> None:
    """Breadth first, then the best further chunks, each once."""
    files = {f"Sources/Token{number}.swift": [Piece(f"token{number}{letter}", "token.use()") for letter in "ab"] for number in range(9)}
    asked = ask("token", small_repository(tmp_path, files))
    results = present(asked.seeds, asked.ranking, limit=18)
    assert len({result.path for result in results[:FILES_FIRST]}) == FILES_FIRST
    assert len({(result.path, result.start) for result in results}) == len(results) == 18


@pytest.mark.parametrize(
    ("text", "files_first"),
    [
        ("where is a token kept alive", PLACES_FIRST),
        ("which values of a token are kept alive", FILES_FIRST),
        ("how is a token kept alive", FILES_FIRST),
    ],
)
def test_who_asks_where_sees_more_files(tmp_path: Path, text: str, files_first: int) -> None:
    """One place is the answer; who asks how something works wants more of the best files."""
    files = {f"Sources/Token{number:02}.swift": [Piece(f"token{number}{letter}", "token.kept.alive()") for letter in "ab"] for number in range(12)}
    asked = ask(text, small_repository(tmp_path, files))
    listed = [result.path for result in present(asked.seeds, asked.ranking, limit=12)]
    assert len(set(listed[:files_first])) == files_first
    assert listed[files_first] in listed[:files_first]


def test_a_list_is_told_by_files_too(tmp_path: Path) -> None:
    """The same files in the same order, each with the best that it holds, whether the list has it or not, and the parts of the score it stands by."""
    files = {f"Sources/Token{number}.swift": [Piece(f"token{letter}", "token.use()") for letter in "abcde"] for number in range(3)}
    asked = ask("token", small_repository(tmp_path, files), options=Options(limit=2))
    ranking = with_calls(asked.seeds, asked.ranking)
    results = present(asked.seeds, ranking)
    grouped = by_file(asked.seeds, ranking, results)
    assert [file.path for file in grouped] == list(dict.fromkeys(result.path for result in results))
    for file, listed in zip(grouped, results, strict=True):
        assert file.results[0] == listed
        assert len({result.start for result in file.results}) == len(file.results) == OF_A_FILE
        assert {result.path for result in file.results} == {file.path}
        assert file.score == pytest.approx(sum(part.value for part in file.parts), abs=1e-5)
    assert by_file(asked.seeds, ranking, ()) == ()


def test_a_list_is_as_long_as_asked(tmp_path: Path) -> None:
    """The option of the question decides unless told otherwise."""
    asked = ask("token", small_repository(tmp_path, {"a.swift": [Piece(f"token{n}", "x()") for n in range(9)]}), options=Options(limit=4))
    assert len(present(asked.seeds, asked.ranking)) == 4


def test_the_kind_that_was_asked_for_is_a_filter(tmp_path: Path) -> None:
    """An option hides other kinds where anything is of its own."""
    files = {"a.swift": [Piece("token", "token()"), Piece("TokenStore", "x()", kind=SymbolKind.CLASS)], "b.swift": [Piece("tokens", "token()")]}
    asked = ask("token", small_repository(tmp_path, files), options=Options(kind=SymbolKind.CLASS))
    results = present(asked.seeds, asked.ranking)
    assert {result.kind for result in results} == {"class"}


def test_reasons_are_words(tmp_path: Path) -> None:
    """A reader learns why something is listed without knowing the formula."""
    files = {"Sources/RetryPolicy.swift": [Piece("shouldRetry", "limit()")], "Sources/B.swift": [Piece("other", "retry()")]}
    asked = ask("how are requests retried?", small_repository(tmp_path, files))
    by_name = {result.symbol: result.why for result in present(asked.seeds, asked.ranking)}
    assert by_name["shouldRetry"] == 'its name says "retried"; its file\'s name says "retried"'
    assert by_name["other"] == "its text shares words with the question"
    definition = ask("shouldRetry", small_repository(tmp_path / "again", files))
    assert present(definition.seeds, definition.ranking)[0].why == "defines shouldRetry"


def test_a_named_procedure_comes_with_its_prototype_and_its_neighbours_by_score(tmp_path: Path) -> None:
    """A prototype declares the same procedure; other files do not come first only because they are others."""
    procedure, prototype = SymbolKind.PROCEDURE, SymbolKind.PROTOTYPE
    files = {
        "code.rpgle": [Piece("set_Mode", "mode = 1", kind=procedure), Piece("set_ModeToo", "set_Mode()\nset_Mode()", kind=procedure)],
        "proto.rpgle": [Piece("set_Mode", "value", kind=prototype)],
        **{f"far{number}.rpgle": [Piece(f"far{number}", "mode()", kind=procedure)] for number in range(3)},
    }
    asked = ask("Describe the procedure set_Mode and how it is used", small_repository(tmp_path, files))
    found = [(result.symbol, result.kind) for result in present(asked.seeds, asked.ranking)]
    assert set(found[:3]) == {("set_Mode", "procedure"), ("set_Mode", "prototype"), ("set_ModeToo", "procedure")}
