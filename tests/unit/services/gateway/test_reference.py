"""docs/cli.md is what the parser says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from services.gateway.reference import reference


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="argparse words its help differently in other versions of Python")
def test_the_reference_is_fresh() -> None:
    """Whoever changes an option runs `make docs`."""
    assert (Path(__file__).parents[4] / "docs" / "cli.md").read_text(encoding="utf-8") == reference()


def test_every_command_and_setting_is_in_it() -> None:
    """Nothing that can be typed or set is missing."""
    text = reference()
    for command in ("index", "explain", "outline", "search", "graph callers", "graph path", "eval", "status", "remove", "serve", "doctor"):
        assert f"## exegesis {command}\n" in text
    assert "`EXEGESIS_MODEL_URL`" in text
