from pathlib import Path

import pytest

from exegesis.model import Ablation, FileRole, Options
from services.query.called import count_calls, with_calls
from services.query.present import present
from services.query.rank import CALLED
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

FILES = {
    "Api.swift": [Piece("sendReply", "encode(value)", doc="Validates and sends a reply to whoever asked.", calls=("encode",))],
    "Cache.swift": [Piece("keep", "latest", doc="The last reply.")],
    "Encoder.swift": [Piece("encode", "visit(value)", doc="Turns a reply into bytes.")],
}


def test_a_file_gains_by_what_the_best_finds_call_in_it(tmp_path: Path) -> None:
    """The others keep their scores: nothing else of them changes."""
    asked = ask("how is a reply sent and validated", small_repository(tmp_path, FILES))
    before = {file.file: file.score for file in asked.ranking.files}
    after = {file.file: file.score for file in with_calls(asked.seeds, asked.ranking).files}
    gains = {path: round(score - before[repository, path], 9) for (repository, path), score in after.items()}
    assert gains == {"Api.swift": 0.0, "Cache.swift": 0.0, "Encoder.swift": CALLED.weight}


def test_a_part_says_what_calls_added(tmp_path: Path) -> None:
    """The score of a file is still the sum of its parts."""
    asked = ask("how is a reply sent and validated", small_repository(tmp_path, FILES))
    encoder = next(file for file in with_calls(asked.seeds, asked.ranking).files if file.file[1] == "Encoder.swift")
    assert encoder.parts[-1].name == "called"
    assert encoder.score == pytest.approx(sum(part.value for part in encoder.parts))


def test_what_a_test_is_called_for_is_pushed_down_as_all_of_it(tmp_path: Path) -> None:
    """Noise weighs on the whole score of a file."""
    files = FILES | {"Tests/EncoderTests.swift": [Piece("reply", "a reply that is validated and sent", calls=("encode",))]}
    asked = ask("how is a reply sent and validated", small_repository(tmp_path, files, {"Encoder.swift": FileRole.TEST}))
    encoder = next(file for file in with_calls(asked.seeds, asked.ranking).files if file.file[1] == "Encoder.swift")
    assert encoder.score == pytest.approx(0.6 * sum(encoder.row))


def test_calls_within_a_file_do_not_count(tmp_path: Path) -> None:
    """Its own chunks speak for it already."""
    files = {"Api.swift": [Piece("sendReply", "encode(value)", doc="Sends a reply.", calls=("encode",)), Piece("encode", "a reply")]}
    asked = ask("how is a reply sent", small_repository(tmp_path, files))
    assert count_calls(asked.seeds, asked.ranking) == {}
    assert with_calls(asked.seeds, asked.ranking) is asked.ranking


@pytest.mark.parametrize(("text", "ablation"), [("sendReply", Ablation.FULL), ("how is a reply sent and validated", Ablation.NO_GRAPH)])
def test_a_name_and_an_answer_without_the_graph_leave_files_as_they_are(tmp_path: Path, text: str, ablation: Ablation) -> None:
    """Who types a name wants its definition."""
    asked = ask(text, small_repository(tmp_path, FILES), options=Options(ablation=ablation))
    assert with_calls(asked.seeds, asked.ranking) is asked.ranking


def test_a_list_begins_with_chunks_of_the_files_in_their_new_order(tmp_path: Path) -> None:
    """The place that does the work stands before one that says a little more of the question."""
    asked = ask("how is a reply sent and validated", small_repository(tmp_path, FILES))
    assert [result.path for result in present(asked.seeds, asked.ranking)] == ["Api.swift", "Cache.swift", "Encoder.swift"]
    assert [result.path for result in present(asked.seeds, with_calls(asked.seeds, asked.ranking))] == ["Api.swift", "Encoder.swift", "Cache.swift"]
