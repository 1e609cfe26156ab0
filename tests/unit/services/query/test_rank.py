from pathlib import Path

import pytest

from exegesis.model import FileRole, Modifier, Options, SymbolKind
from services.query.noise import NOISE
from services.query.rank import CHUNK_SIGNALS, FILE_SIGNALS
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

REPOSITORY = {
    "Sources/Session.swift": [
        Piece("Session", "let queue", kind=SymbolKind.CLASS, doc="Sends requests."),
        Piece("resume", "task.resume()\nrequest.retry()", enclosing="Session", calls=("retry",)),
        Piece("cancel", "task.cancel()", enclosing="Session"),
    ],
    "Sources/Retrier.swift": [Piece("retry", "let delay = backoff()", doc="Retries a request after a delay."), Piece("backoff", "pow(2, attempt)")],
    "Sources/Cache.swift": [Piece("store", "disk.write(response)"), Piece("load", "disk.read(key)")],
    "Tests/RetrierTests.swift": [Piece("testRetry", "retry()\nretry()\nretry()\nrequest.retry()", doc="retry retry request")],
}
ROLES = {"Tests/RetrierTests.swift": FileRole.TEST}


def files(text: str, folder: Path) -> list[str]:
    asked = ask(text, small_repository(folder, REPOSITORY, ROLES))
    return [file.candidate.row.file.path for file in asked.ranking.files]


def test_a_file_whose_name_and_symbols_are_asked_for_comes_first(tmp_path: Path) -> None:
    """Names, path and words agree on the retrier."""
    assert files("how are requests retried?", tmp_path)[0] == "Sources/Retrier.swift"


def test_tests_are_pushed_down_unless_asked_for(tmp_path: Path) -> None:
    """The test says the words most often; it wins only when the question is about tests."""
    corpus = small_repository(tmp_path, REPOSITORY, ROLES)
    plain, about_tests = ask("retry of a request", corpus), ask("how is the retry of a request tested?", corpus)
    assert plain.ranking.files[0].candidate.row.file.path == "Sources/Retrier.swift"
    assert about_tests.ranking.files[0].candidate.row.file.path == "Tests/RetrierTests.swift"
    test = next(chunk for chunk in plain.ranking.chunks if chunk.candidate.chunk.name == "testRetry")
    assert any(part.name == "test" and part.value < 0 for part in test.parts)


def test_a_symbol_question_is_led_by_its_definition(tmp_path: Path) -> None:
    """Whoever types an identifier wants to see where it is declared."""
    asked = ask("Session.resume", small_repository(tmp_path, REPOSITORY, ROLES))
    assert asked.ranking.chunks[0].candidate.chunk.qualified == "Session.resume"


def test_documents_do_not_drown_the_code(tmp_path: Path) -> None:
    """A page that says every word of the question leaves the order of the code as it is without the page."""
    page = {"guide.md": [Piece("Retries", "requests retried, how requests are retried", kind=SymbolKind.HEADING)]}
    without = files("how are requests retried?", tmp_path / "without")
    asked = ask("how are requests retried?", small_repository(tmp_path / "with", REPOSITORY | page, ROLES | {"guide.md": FileRole.DOCUMENT}))
    code = [file for file in asked.ranking.files if file.candidate.row.file.path != "guide.md"]
    assert [file.candidate.row.file.path for file in code] == without
    assert code[0].score > asked.ranking.files[-1].score
    full = next(signal.weight for signal in FILE_SIGNALS if signal.name == "file words")
    assert max(part.value for part in code[0].parts if part.name == "file words") == pytest.approx(full)


def test_code_comes_before_its_declarations(tmp_path: Path) -> None:
    """What a compiler is told of a name says as much about it as the code does, and explains less."""
    pieces = [Piece("dispatch", "adapter(config)", doc="Sends a request.")]
    assert (
        ask("dispatch of a request", small_repository(tmp_path, {"index.d.ts": pieces, "lib/send.js": pieces})).ranking.files[0].file[1]
        == "lib/send.js"
    )


def test_scores_are_the_sum_of_their_parts(tmp_path: Path) -> None:
    """Nothing contributes to a rank that a trace does not show."""
    ranking = ask("how are requests retried?", small_repository(tmp_path, REPOSITORY, ROLES)).ranking
    for chunk in ranking.chunks:
        assert chunk.score == pytest.approx(sum(part.value for part in chunk.parts))
        assert chunk.list_score == pytest.approx(sum(part.value for part in chunk.list_parts))
    for file in ranking.files:
        assert file.score == pytest.approx(sum(part.value for part in file.parts))


def test_a_kind_given_as_option_lifts_symbols_of_it(tmp_path: Path) -> None:
    """Among equal words the class comes before the method."""
    twins = {"a.swift": [Piece("request", "send()"), Piece("Request", "send()", kind=SymbolKind.CLASS)]}
    asked = ask("request", small_repository(tmp_path, twins), options=Options(kind=SymbolKind.CLASS))
    assert asked.ranking.chunks[0].candidate.chunk.symbol_kind is SymbolKind.CLASS


def test_dependencies_take_part_on_request_only(tmp_path: Path) -> None:
    """Fetched packages are searched when somebody wants them."""
    corpus = small_repository(
        tmp_path,
        {"Sources/A.swift": [Piece("send", "go()")], ".build/checkouts/B.swift": [Piece("sendAll", "go()")]},
        {".build/checkouts/B.swift": FileRole.DEPENDENCY, "Sources/A.swift": FileRole.NONE},
    )
    assert ask("send", corpus).names == ["send"]
    assert set(ask("send", corpus, options=Options(include_dependencies=True)).names) == {"send", "sendAll"}


def test_several_repositories_are_ranked_together(tmp_path: Path) -> None:
    """Each keeps its own word frequencies, and results name where they are from."""
    one = small_repository(tmp_path / "one", {"a.swift": [Piece("upload", "send(body)")]}, name="one")
    two = small_repository(tmp_path / "two", {"a.swift": [Piece("uploadAll", "queue.each()"), Piece("noise", "x")]}, name="two")
    asked = ask("upload", one, two)
    assert {(item.repository, item.symbol) for item in asked.context.items} >= {("one", "upload"), ("two", "uploadAll")}


def test_every_row_of_the_tables_has_a_name_a_weight_and_a_reason() -> None:
    """A signal that nobody can explain is not added."""
    rows = [*CHUNK_SIGNALS, *FILE_SIGNALS]
    assert all(row.reason and row.weight > 0 for row in rows)
    assert all(0 < row.factor < 1 and row.reason for row in NOISE)
    for table in (CHUNK_SIGNALS, FILE_SIGNALS, NOISE):
        assert len({row.name for row in table}) == len(table)  # type: ignore[attr-defined]


def test_modifiers_do_not_change_what_is_found(tmp_path: Path) -> None:
    """A deprecated function is found like any other; only its place in a usage answer differs."""
    corpus = small_repository(tmp_path, {"a.swift": [Piece("old", "go()", modifiers=Modifier.DEPRECATED)]})
    assert ask("old", corpus).names == ["old"]
