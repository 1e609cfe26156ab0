from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.retrieval.answers import Answers, Asking, digest_code

ASKING = Asking(code="c", set="s", variant="full", checkout="flask@1234567", question="q/1", digest="d")


def test_answers_are_there_again_after_the_process_ended(tmp_path: Path) -> None:
    """What was remembered is read back, by everything that the answer depended on."""
    Answers.read(tmp_path / "answers.jsonl").remember(ASKING, {"ndcg10": 0.5})
    known = Answers.read(tmp_path / "answers.jsonl").known
    assert known[ASKING] == {"ndcg10": 0.5}
    assert replace(ASKING, code="other") not in known


def test_a_line_that_was_cut_off_costs_only_itself(tmp_path: Path) -> None:
    """A process that dies while it writes leaves half a line; the answers before and after it count."""
    path = tmp_path / "answers.jsonl"
    Answers.read(path).remember(ASKING, {"ndcg10": 0.5})
    path.write_text(path.read_text() + '{"asking": {"code"')
    later = replace(ASKING, question="q/2")
    Answers.read(path).remember(later, {"ndcg10": 1.0})
    assert Answers.read(path).known == {ASKING: {"ndcg10": 0.5}, later: {"ndcg10": 1.0}}


def test_the_code_has_another_digest_after_any_edit_of_it(tmp_path: Path) -> None:
    (tmp_path / "exegesis").mkdir()
    source = tmp_path / "exegesis" / "rank.py"
    source.write_text("WEIGHT = 1\n")
    before = digest_code(tmp_path)
    assert digest_code(tmp_path) == before
    source.write_text("WEIGHT = 2\n")
    assert digest_code(tmp_path) != before
