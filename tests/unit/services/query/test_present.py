from pathlib import Path

from exegesis.model import Options, SymbolKind
from services.query.present import FILES_FIRST, present
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository


def test_each_of_the_first_files_is_named_before_any_is_named_twice(tmp_path: Path) -> None:
    """Breadth first, then the best further chunks, each once."""
    files = {f"Sources/Token{number}.swift": [Piece(f"token{number}{letter}", "token.use()") for letter in "ab"] for number in range(9)}
    asked = ask("token", small_repository(tmp_path, files))
    results = present(asked.seeds, asked.ranking, limit=18)
    assert len({result.path for result in results[:FILES_FIRST]}) == FILES_FIRST
    assert len({(result.path, result.start) for result in results}) == len(results) == 18


def test_a_list_is_as_long_as_asked(tmp_path: Path) -> None:
    """The option of the question decides unless told otherwise."""
    asked = ask("token", small_repository(tmp_path, {"a.swift": [Piece(f"token{n}", "x()") for n in range(9)]}), options=Options(limit=4))
    assert len(present(asked.seeds, asked.ranking)) == 4


def test_the_kind_that_was_asked_for_comes_first(tmp_path: Path) -> None:
    """Nothing is hidden: other kinds follow."""
    files = {"a.swift": [Piece("token", "token()"), Piece("TokenStore", "x()", kind=SymbolKind.CLASS)], "b.swift": [Piece("tokens", "token()")]}
    asked = ask("token", small_repository(tmp_path, files), options=Options(kind=SymbolKind.CLASS))
    results = present(asked.seeds, asked.ranking)
    assert results[0].kind == "class"
    assert len(results) == 3


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
