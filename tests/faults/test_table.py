from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROWS = [line.split("|") for line in (HERE / "README.md").read_text("utf-8").splitlines() if line.startswith("| ") and not line.startswith("| No.")]


FOLDERS = (HERE, HERE.parent, HERE.parent / "unit" / "services" / "indexer")
"""Where a file may be that a row names."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2].strip())
def test_a_row_names_tests_that_are_there(row: list[str]) -> None:
    """A name may be cut short, and a file left out that was named just before."""
    named = re.findall(r"`([^`]+)`", row[4])
    assert named
    text = ""
    for written in named:
        path, _, test = written.rpartition("::") if "::" in written else (written, "", "") if written.endswith(".py") else ("", "", written)
        if path:
            (file,) = [folder / path for folder in FOLDERS if (folder / path).exists()]
            text = file.read_text("utf-8")
        assert f"def {test.rstrip('.')}" in text or test.strip(".") in text, written
