from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.retrieval.catalogue import Published
from benchmarks.retrieval.questions import Asked, read_questions
from benchmarks.retrieval.report import Scored, print_tables, summarise


def scored(tmp_path: Path) -> list[Scored]:
    """Two questions on one repository and one on another."""
    rows = [("a/1", "a", "swift", 1.0), ("a/2", "a", "swift", 0.0), ("b/1", "b", "go", 1.0)]
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(json.dumps({"id": id_, "repo": repo, "lang": lang, "question": "?"}) for id_, repo, lang, _ in rows))
    asked: list[Asked] = list(read_questions(path))
    return [Scored("set", "full", one, {"ndcg10": row[3]}) for one, row in zip(asked, rows, strict=True)]


def test_means_are_over_repositories_and_not_over_questions(tmp_path: Path) -> None:
    """A repository with many questions does not drown the others."""
    rows = {(row.group, row.label): row for row in summarise(scored(tmp_path))}
    assert rows["all", "all"].means["ndcg10"] == pytest.approx(0.75)
    assert rows["repository", "a"].means["ndcg10"] == pytest.approx(0.5)
    assert rows["language", "go"].questions == 1
    assert ("category", "") not in rows


def test_the_mean_of_others_is_taken_over_the_repositories_that_were_asked(tmp_path: Path) -> None:
    """So that a run on some repositories is not compared with somebody's figure for all."""
    other = Published("they", "set", "ndcg10", "somewhere", 0.4, {"a": 0.6, "b": 0.8, "never asked": 0.1})
    lines = list(print_tables(summarise(scored(tmp_path)), [other]))
    assert next(line for line in reversed(lines) if line.strip().startswith("all")).split() == ["all", "0.750", "0.700"]


def test_a_line_that_is_no_question_is_named(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "1", "repo": "a", "question": "?"}\n{"id": "2"}\n')
    with pytest.raises(ValueError, match=r"set\.jsonl:2 is no question"):
        list(read_questions(path))
