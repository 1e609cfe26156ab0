"""Question sets: what is asked of the place that a question names, and what holds for the set that the project ships."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.question_places import moved

SET = Path(__file__).parents[3] / "benchmarks" / "questions" / "explain_other.jsonl"


def question(first: str, start: int = 2, end: int = 3) -> dict[str, object]:
    return {"id": "q", "repo": "r", "gold": [{"path": "a.py", "start": start, "end": end, "first": first}]}


def test_a_place_that_holds_what_was_meant_is_not_reported(tmp_path: Path) -> None:
    """Indentation does not matter."""
    (tmp_path / "a.py").write_text("import os\n  def run():\n    pass\n")
    assert list(moved([question("def run():")], {"r": tmp_path})) == []


def test_a_place_that_moved_is_reported_with_both_texts(tmp_path: Path) -> None:
    """Whoever reads it sees what was meant and what is there."""
    (tmp_path / "a.py").write_text("def run():\n    pass\n    pass\n")
    (report,) = moved([question("def run():")], {"r": tmp_path})
    assert "'def run():' was meant, 'pass' is there" in report


def test_a_file_that_is_gone_is_reported(tmp_path: Path) -> None:
    """A missing file is a place that moved, not a crash."""
    assert len(list(moved([question("def run():")], {"r": tmp_path}))) == 1


def test_every_question_of_the_set_has_an_essential_place() -> None:
    """A question without one could not be scored."""
    asked = [json.loads(line) for line in SET.read_text("utf-8").splitlines()]
    assert len(asked) == len({q["id"] for q in asked}) == 40
    assert all(any(place["grade"] == 2 for place in q["gold"]) for q in asked)
    assert all(place["start"] <= place["end"] for q in asked for place in q["gold"])
