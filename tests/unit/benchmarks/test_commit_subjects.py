"""Questions from history: which commits say something, and which lines are theirs."""

import subprocess
from pathlib import Path

import pytest

from benchmarks.commit_subjects import authors, is_telling, spans_of, written_by


def test_runs_of_lines_are_spans() -> None:
    """A line that another commit wrote ends a span."""
    assert spans_of([3, 4, 5, 9, 11, 12]) == [(3, 5), (9, 9), (11, 12)]


def test_a_line_of_code_is_no_author() -> None:
    """What looks like a hash within a file stands behind a tab."""
    first, second = "a" * 40, "b" * 40
    blame = f"{first} 7 1 2\nauthor A\n\t{second} 1 1\n{first} 8 2\n\tx\n{second} 1 3 1\n\ty\n"
    assert list(authors(blame)) == [(first, 1), (first, 2), (second, 3)]


@pytest.mark.parametrize(
    ("subject", "tells"),
    [
        ("Reuse bytes when cleaning the paths", True),
        ("Merge pull request from somebody", False),
        ("Fix typos in the router", False),
        ("Fix the router", False),
    ],
)
def test_subjects_that_say_what_was_done_are_kept(subject: str, tells: bool) -> None:  # noqa: FBT001 - a table of cases
    """Merges, clean-ups and three words say too little to find anything by."""
    assert is_telling(subject) is tells


def test_code_is_gold_and_tests_are_not(tmp_path: Path) -> None:
    """Each line belongs to the commit that wrote it last."""

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_run.py").write_text("def test(): ...\n")
    (tmp_path / "run.py").write_text("def run():\n    walk()\n")
    git("add", ".")
    git("commit", "-qm", "Walk instead of standing")
    first = git("rev-parse", "HEAD")
    (tmp_path / "run.py").write_text("def run():\n    jump()\n")
    git("commit", "-qam", "Jump instead of walking")
    second = git("rev-parse", "HEAD")
    assert written_by(tmp_path, second) == {first: {"run.py": [1]}, second: {"run.py": [2]}}
