from __future__ import annotations

import contextlib

import pytest

from services.gateway.arguments import parse
from services.gateway.graph_command import QUESTIONS


def test_every_question_that_can_be_typed_has_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """And none is answered that nobody can ask."""
    with contextlib.suppress(SystemExit):
        parse(["graph", "--help"])
    offered = capsys.readouterr().out.partition("QUESTION\n")[2]
    assert {line.split()[0] for line in offered.splitlines() if line.startswith("    ") and line[4:5].strip()} == set(QUESTIONS)
