"""What annotated sources of C, C++ and Objective-C say of themselves; ``tests/fakes/claims.py`` explains the notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from exegesis.model import ReferenceKind
from services.indexer.language import Language, Source, Syntax
from services.indexer.languages.c import C, Cpp, ObjectiveC
from tests.fakes.claims import Annotated, Claim, annotated

LANGUAGES: dict[str, Language] = {".c": C(), ".cpp": Cpp(), ".m": ObjectiveC()}
PATHS = sorted(path for path in Path(__file__).parent.iterdir() if path.suffix in LANGUAGES)
SOURCES = {path.name: annotated(path, LANGUAGES[path.suffix], "//") for path in PATHS}
CASES = [(source, claim) for source in SOURCES.values() for claim in source.claims]
HOSTILE = [
    "@implementation A\n" + "- (void)a:" * 4_000,
    "@implementation A\n" * 4_000,
    "@interface A\n" * 4_000,
    "@implementation A\n" + "- (void)a {[self a];\n" * 2_000,
    "@implementation A\n" + '"\\' * 200_000,
    "@implementation A\n" + "'\\" * 200_000,
    "int f() {" + "(" * 50_000, "int f() { x(" + "f(" * 4_000, "#if A\n" * 5_000, "struct a {" * 5_000, "\x00\ufffd" * 1000, ""]


@pytest.mark.parametrize(("source", "claim"), CASES, ids=[str(claim) for _, claim in CASES])
def test_what_a_source_says_of_itself(source: Annotated, claim: Claim) -> None:
    """Every claim of an annotated source holds."""
    found, claimed = source.fulfils(claim)
    assert found == claimed


def test_whole_sources_have_no_problems() -> None:
    """Only the one that is broken says so."""
    assert [name for name, source in SOURCES.items() if source.syntax.problems] == ["broken.c"]


def test_a_header_is_read_as_what_it_speaks() -> None:
    """The suffix does not tell; a class does."""
    text = "class Tree {\n public:\n  int leaf();\n};\n"
    assert [symbol.qualified for symbol in C().parse(Source("tree.h", text, text.encode())).symbols] == ["Tree", "Tree.leaf"]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=["c", "cpp", "objective-c"])
def test_hostile_sources_are_read_to_the_end(language: Language, text: str) -> None:
    """Depth and rubbish cost a problem, not the reader."""
    language.parse(Source("a.c", text, text.encode()))


def test_a_header_of_objective_c_is_read_as_one() -> None:
    """What it declares of C is there, though the grammar of C knows no classes."""
    text = "@interface Tree : NSObject\n- (int)leaf;\n@end\nstruct seed { int size; };\n"
    syntax = C().parse(Source("tree.h", text, text.encode()))
    assert [symbol.qualified for symbol in syntax.symbols] == ["seed", "seed.size"]


def test_a_file_of_another_language_with_its_suffix_is_text() -> None:
    """Others write ``.m`` too."""
    text = "function y = f(x)\n% squares\ny = x.^2;\nend\n"
    assert ObjectiveC().parse(Source("f.m", text, text.encode())) == Syntax()


def test_messages_that_are_only_spoken_of_are_no_calls() -> None:
    """Neither in a comment nor in a text; a digit that is parted by an apostrophe hides nothing."""
    text = '@implementation Tree\n- (void)grow {\n  // [self wither];\n  log("[self \\"rot] [self rot]");\n  if (a > 1\'000) [self bloom];\n}\n@end\n'
    calls = [each.name for each in ObjectiveC().parse(Source("tree.m", text, text.encode())).references if each.kind is ReferenceKind.CALL]
    assert calls == ["log", "bloom"]
