from __future__ import annotations

from pathlib import Path

from benchmarks.retrieval.catalogue import BUDGETS, Checkout, QuestionSet, find_sets, read_checkouts, read_published, read_sets
from benchmarks.retrieval.report import FIGURES


def test_no_two_checkouts_share_a_folder() -> None:
    """Otherwise questions about one commit would be asked of another."""
    folders = [checkout.folder for checkout in read_checkouts()]
    assert len(folders) == len(set(folders))
    assert all(len(checkout.commit) == 40 for checkout in read_checkouts())


def test_published_figures_belong_to_sets_and_columns_that_exist() -> None:
    """A slip in the table would leave a figure out of the report without a word; a mean is that of its repositories."""
    names = {one.name for one in read_sets()}
    for one in read_published():
        assert one.set in names
        assert one.figure.partition("@")[0] in FIGURES
        if one.repositories:
            assert abs(sum(one.repositories.values()) / len(one.repositories) - one.mean) < 0.002


def test_a_commit_that_cannot_be_had_is_stood_for_by_another() -> None:
    snapkit = next(checkout for checkout in read_checkouts() if checkout.name == "snapkit")
    assert snapkit.is_asked_as("SnapKit", "19f59a63f0fa")
    assert snapkit.is_asked_as("snapkit", snapkit.commit)
    assert not snapkit.is_asked_as("snapkit", "")
    assert not snapkit.is_asked_as("snapkit", "0000000")
    assert not snapkit.is_asked_as("flask", snapkit.commit)


def test_a_folder_that_is_named_is_taken_at_any_commit(tmp_path: Path) -> None:
    named = Checkout("flask", address="", commit="", path=str(tmp_path))
    assert named.is_asked_as("flask", "0000000")
    assert not named.is_asked_as("gin", "0000000")
    assert named.place(Path("elsewhere")) == tmp_path


def test_files_that_no_table_knows_are_sets_of_their_own(tmp_path: Path) -> None:
    """They are asked of whole repositories with both budgets; a file that is not there is no set."""
    (tmp_path / "mine.jsonl").touch()
    (tmp_path / "semble.jsonl").touch()
    known = [QuestionSet("semble", "semble.jsonl", part=True), QuestionSet("osgrep", "osgrep.jsonl")]
    found = [one for one, _ in find_sets([tmp_path], known)]
    assert found == [known[0], QuestionSet("mine", "mine.jsonl", budgets=BUDGETS)]
    assert [one.name for one, _ in find_sets([tmp_path / "mine.jsonl"], known)] == ["mine"]
