"""Files of questions are written by people: what is wrong with one is said, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from exegesis.errors import UsageError
from services.gateway.evaluate import read_questions


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "[]",
        "[" * 100_000,
        '{"id": 1, "question": "x"}',
        '{"id": "1", "question": " "}',
        '{"id": "1", "question": "x", "gold": "a.swift"}',
        '{"id": "1", "question": "x", "gold": [{}]}',
        '{"id": "1", "question": "x", "gold": [{"path": 5}]}',
        '{"id": "1", "question": "x", "gold": [{"path": "a", "start": "5"}]}',
        '{"id": "1", "question": "x", "gold": [{"path": "a", "start": 1e400}]}',
        '{"id": "1", "question": "x", "repo": ["a"]}',
    ],
)
def test_what_is_no_question_is_named_by_its_line(line: str, tmp_path: Path) -> None:
    """The good line before it does not hide it."""
    path = tmp_path / "questions.jsonl"
    path.write_text('{"id": "0", "question": "x"}\n' + line + "\n")
    with pytest.raises(UsageError, match=r"questions\.jsonl:2 "):
        read_questions(path, None)


def test_a_question_may_hold_what_json_may_hold(tmp_path: Path) -> None:
    """A mark at the start of the file, separators of Unicode within a line, Windows line ends, no places."""
    path = tmp_path / "questions.jsonl"
    path.write_bytes('\ufeff{"id": "1", "question": "a\u2028b", "gold": null}\r\n\r\n{"id": "2", "question": "c", "gold": [{"path": "a"}]}'.encode())
    assert [question["question"] for question in read_questions(path, None)] == ["a\u2028b", "c"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"\n\n"])
def test_a_file_without_questions_is_a_usage_error(content: bytes, tmp_path: Path) -> None:
    """Also one that is not text."""
    (tmp_path / "questions.jsonl").write_bytes(content)
    with pytest.raises(UsageError):
        read_questions(tmp_path / "questions.jsonl", None)
