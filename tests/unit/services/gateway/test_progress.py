"""Progress away from a terminal: enough lines to follow, few enough to read."""

from __future__ import annotations

import pytest

from exegesis.model import Progress
from services.gateway.progress import ProgressPrinter


def test_a_phase_says_its_start_and_its_end_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Hundreds of steps make two lines."""
    with ProgressPrinter() as progress:
        for done in range(301):
            progress(Progress("parsing", done, 300))
        for _ in range(20):
            progress(Progress("parsing", 300, 300))
        progress(Progress("linking", 0, 1))
    assert capsys.readouterr().err.splitlines() == ["parsing 0/300", "parsing 300/300", "linking 0/1"]


def test_names_of_files_cannot_drive_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Escapes, line ends and invisible characters of a name are spelled out."""
    with ProgressPrinter() as progress:
        progress(Progress("parsing", 1, 2, "\x1b[31mred\n\u202e\U000e0041.swift"))
    assert capsys.readouterr().err == "parsing 1/2: \\x1b[31mred\\n\\u202e\\U000e0041.swift\n"
