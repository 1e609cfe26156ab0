from pathlib import Path

from tests.golden.lists import LISTS, tell_lists


def test_lists_are_as_they_were_reviewed(tmp_path: Path) -> None:
    """Whoever changes a rank sees what else changes: ``python -m tests.golden.lists`` writes the lists anew, and the difference is reviewed."""
    assert tell_lists(tmp_path) == LISTS.read_text("utf-8")
