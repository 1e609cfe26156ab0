"""What annotated sources in JavaScript, TypeScript and TSX say of themselves; ``tests/fakes/claims.py`` explains the notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from exegesis.model import Modifier
from services.indexer.language import Language, Source
from services.indexer.languages.javascript import JavaScript, Tsx, TypeScript, packages_of
from tests.fakes.claims import Annotated, Claim, annotated

LANGUAGES: dict[str, Language] = {".js": JavaScript(), ".ts": TypeScript(), ".tsx": Tsx()}
FILES = sorted(path for path in Path(__file__).parent.iterdir() if path.suffix in LANGUAGES)
SOURCES = [annotated(path, LANGUAGES[path.suffix], "//") for path in FILES]
CASES = [(source, claim) for source in SOURCES for claim in source.claims]


@pytest.mark.parametrize(("source", "claim"), CASES, ids=[str(claim) for _, claim in CASES])
def test_what_a_source_says_of_itself(source: Annotated, claim: Claim) -> None:
    """Every claim of an annotated source holds."""
    found, claimed = source.fulfils(claim)
    assert found == claimed


def test_there_are_claims() -> None:
    """Sources of all three languages are found, and say something."""
    assert {path.suffix for path in FILES} == set(LANGUAGES)
    assert len(CASES) > 100


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize(
    "text",
    [
        *("(" * 100_000, "if (x) {\n" * 3_000, "a" + ".b()" * 5_000, "x = " + "1 + " * 20_000 + "1", "class A { m() {" * 500, "\0", ""),
        *("if (a) {} else " * 2_000 + "{}", "x => " * 3_000 + "1", "<a>" * 3_000, "exports.a = " * 3_000 + "1"),
    ],
    ids=range(11),
)
def test_no_source_exhausts_the_stack(text: str, language: Language) -> None:
    """Nesting of any depth costs quality, never the file."""
    language.parse(Source("deep.js", text, text.encode()))


def test_packages_name_the_files_below_them() -> None:
    """The nearest manifest with a name says which package a file belongs to; manifests that make no sense say nothing."""
    manifests = {"package.json": '{"name": "root"}', "web/package.json": '{"name": "@shop/web"}', "odd/package.json": "[", "none/package.json": "{}"}
    paths = ["a.js", "web/src/b.js", "odd/c.js", "none/d.js"]
    assert packages_of(manifests, paths) == {"a.js": "root", "web/src/b.js": "@shop/web", "odd/c.js": "root", "none/d.js": "root"}


def test_an_implementation_without_a_comment_has_that_of_its_overloads() -> None:
    """People comment the first signature; what is deprecated of it is only that one, and a comment of its own goes first."""
    text = (
        "/**\n * Joins reducers.\n * @deprecated\n */\nexport function join(a: A): R\nexport function join(a: A, b: B): R\n"
        "export function join(a: any): R {\n  return a\n}\n"
        "/** Of two. */\nfunction own(a: A): R\n/** By itself. */\nfunction own(a: any): R {\n  return a\n}\n"
    )
    symbols = TypeScript().parse(Source("src/a.ts", text, text.encode())).symbols
    implementations = {symbol.name: symbol for symbol in symbols if symbol.span.end > symbol.line}
    assert implementations["join"].doc.startswith("Joins reducers.")
    assert not implementations["join"].modifiers & Modifier.DEPRECATED
    assert implementations["own"].doc == "By itself."
