"""What annotated Go sources say of themselves; ``tests/fakes/claims.py`` explains the notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.indexer.language import Source
from services.indexer.languages.go import Go
from tests.fakes.claims import Annotated, Claim, annotated

SOURCES = {path.name: annotated(path, Go(), "//") for path in sorted(Path(__file__).parent.glob("*.go"))}
CASES = [(source, claim) for source in SOURCES.values() for claim in source.claims]


@pytest.mark.parametrize(("source", "claim"), CASES, ids=[str(claim) for _, claim in CASES])
def test_what_a_source_says_of_itself(source: Annotated, claim: Claim) -> None:
    """Every claim of an annotated source holds."""
    found, claimed = source.fulfils(claim)
    assert found == claimed


def test_whole_sources_have_no_problems() -> None:
    """Only the one that is broken says so."""
    assert [name for name, source in SOURCES.items() if source.syntax.problems] == ["broken.go"]


def test_modules_are_the_paths_of_packages() -> None:
    """The nearest go.mod around a file names the module; the folders below it name the package."""
    manifests = {"go.mod": "module example.com/shop\n", "tools/go.mod": 'module "example.com/tools"\n\ngo 1.22\n'}
    assert Go().modules(manifests, ["main.go", "store/base.go", "tools/gen/gen.go"]) == {
        "main.go": "example.com/shop",
        "store/base.go": "example.com/shop/store",
        "tools/gen/gen.go": "example.com/tools/gen",
    }


@pytest.mark.parametrize("text", ["package a\nfunc f() {" + "(" * 50_000, "package a\nfunc f() { x(" + "f(" * 20_000, "\x00\ufffd" * 1000, ""])
def test_hostile_sources_are_read_to_the_end(text: str) -> None:
    """Depth and rubbish cost a problem, not the reader."""
    Go().parse(Source("a.go", text, text.encode()))
