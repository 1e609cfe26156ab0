"""What annotated Python sources say of themselves; ``tests/fakes/claims.py`` explains the notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.indexer.language import Source
from services.indexer.languages.python import Python
from tests.fakes.claims import Annotated, Claim, annotated

SOURCES = {path.name: annotated(path, Python(), "#") for path in sorted(Path(__file__).parent.glob("source_*.py"))}
CASES = [(source, claim) for source in SOURCES.values() for claim in source.claims]


@pytest.mark.parametrize(("source", "claim"), CASES, ids=[str(claim) for _, claim in CASES])
def test_what_a_source_says_of_itself(source: Annotated, claim: Claim) -> None:
    """Every claim of an annotated source holds."""
    found, claimed = source.fulfils(claim)
    assert found == claimed


def test_there_are_claims() -> None:
    """Sources are found, and say something."""
    assert len(CASES) > 100


@pytest.mark.parametrize("text", ["(" * 100_000, "if x:\n" * 3_000, "a" + ".b()" * 5_000, "x = " + "1 + " * 20_000 + "1", "class A:\n " * 500, "\0", ""])
def test_no_source_exhausts_the_stack(text: str) -> None:
    """Nesting of any depth costs quality, never the file."""
    Python().parse(Source("deep.py", text, text.encode()))
