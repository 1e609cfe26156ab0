"""A file's bytes as facts."""

import re
from pathlib import Path

import pytest

from exegesis.model import ChunkKind, Field, SymbolKind
from exegesis.terms import term_id, unpack
from services.indexer.chunk import chunk, split_lines
from services.indexer.decode import Undecodable
from services.indexer.extract import extract, parse
from services.indexer.facts_version import key_of
from services.indexer.language import Language, Source, Syntax, language_of
from services.indexer.secrets import redact

EXAMPLE = Path(__file__).parents[4] / "examples" / "swift-oauth"
FUNCTIONS = {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.INITIALIZER, SymbolKind.SUBSCRIPT}

GUIDE = """# Signing in

Call `Session.authorize(token:)` first.

## Refreshing tokens

They expire after an hour.
"""


def test_a_document_becomes_facts() -> None:
    """Symbols, references and chunks with their terms, in one value."""
    facts = extract("docs/guide.md", GUIDE.encode(), "d1", "markdown")
    assert (facts.path, facts.digest, facts.language, facts.problems) == ("docs/guide.md", "d1", "markdown", ())
    assert [symbol.name for symbol in facts.symbols] == ["Signing in", "Refreshing tokens"]
    assert [reference.name for reference in facts.references] == ["authorize"]
    assert [(piece.kind, piece.name) for piece in facts.chunks] == [(ChunkKind.SECTION, "Signing in"), (ChunkKind.SECTION, "Refreshing tokens")]
    assert len(facts.terms) == len(facts.chunks)
    named = {(int(record["term"]), int(record["field"])) for record in unpack(facts.terms[1])}
    assert (term_id("refresh"), Field.NAME) in named
    assert (term_id("guid"), Field.PATH) in named


@pytest.mark.parametrize("path", sorted(path for path in EXAMPLE.rglob("*") if path.suffix in {".swift", ".md"}), ids=lambda path: path.name)
def test_real_files_can_be_put_together_again(path: Path) -> None:
    """The chunks of a real file hold all of its lines once, byte for byte, and every function that is long enough has a chunk of its own."""
    content = path.read_bytes()
    language = language_of(path.name)
    assert language
    facts = extract(path.name, content, "d", language.name)
    assert facts.fault == ""
    lines: dict[int, str] = {}
    for piece in facts.chunks:
        numbers = [number for run in piece.runs for number in range(run.start, run.end + 1)]
        assert not lines.keys() & set(numbers)
        lines |= dict(zip(numbers, split_lines(piece.text), strict=True))
    assert "".join(lines[number] for number in sorted(lines)).encode() == content
    shown = {piece.symbol for piece in facts.chunks}
    inside = {symbol.id for symbol in facts.symbols if symbol.kind.is_type or symbol.kind is SymbolKind.HEADING}
    functions = [s for s in facts.symbols if s.kind in FUNCTIONS and s.span.end - s.line >= 3 and (s.parent is None or s.parent in inside)]
    assert not [symbol.qualified for symbol in functions if symbol.id not in shown]


def test_text_without_a_language_becomes_windows() -> None:
    """So does text of a language that this installation does not know."""
    for language in ("", "klingon"):
        facts = extract("a.yml", b"key: value\n" * 60, "d", language)
        assert [piece.kind for piece in facts.chunks] == [ChunkKind.WINDOW, ChunkKind.WINDOW]
        assert facts.symbols == ()


def test_columns_are_those_of_the_file() -> None:
    """Redacting a secret moves nothing: references keep their place, lines their number, and the secret is gone from every text."""
    secret = "ghp_" + "a1B2" * 9
    text = f"# Keys {secret}\n\nUse `{secret}` with `Session.authorize(token:)`.\n"
    facts = extract("a.md", text.encode(), "d", "markdown")
    assert secret not in repr(facts)
    assert facts.references[0].column == 1 + text.split("\n")[2].index("authorize")
    assert facts.chunks[0].text == redact(text)
    assert facts.chunks[0].text.count("\n") == 3


class Faulty(Language):
    name = "faulty"
    version = 1

    def parse(self, source: Source) -> Syntax:
        if source.text:
            raise RecursionError(source.text)
        raise MemoryError


def test_a_fault_of_a_language_costs_the_structure_of_one_file() -> None:
    """It says what was raised and where, not with which words, which may be those of the file; only running out of memory is for others to handle."""
    syntax, fault = parse(Faulty(), Source("a.x", "secret", b"secret"))
    assert syntax is None
    assert re.fullmatch(
        r"found by its words alone: the parser for faulty failed \(RecursionError at tests/unit/services/indexer/test_extract\.py:\d+\)", fault
    )
    assert [piece.kind for piece in chunk("a.x", "secret", syntax)] == [ChunkKind.WINDOW]
    with pytest.raises(MemoryError):
        parse(Faulty(), Source("a.x", "", b""))


def test_what_is_no_text_has_no_facts() -> None:
    """The walk would have skipped it; who extracts it all the same is told why it cannot be."""
    with pytest.raises(Undecodable):
        extract("a.swift", b"\x7fELF\0\0", "d", "")


def test_facts_are_a_function_of_their_key() -> None:
    """The same bytes yield equal facts; path, content, language and versions are what a cache must tell apart."""
    assert extract("a.md", GUIDE.encode(), "d", "markdown") == extract("a.md", GUIDE.encode(), "d", "markdown")
    keys = {key_of("a.md", "d", "markdown"), key_of("b.md", "d", "markdown"), key_of("a.md", "e", "markdown"), key_of("a.md", "d", "")}
    assert len(keys) == 4
