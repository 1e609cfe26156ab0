"""What Markdown shows: the expectations stand in ``guide.md``, each in a comment below the line that it speaks of."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exegesis.model import ChunkKind, ReferenceKind, SymbolKind
from services.indexer.chunk import chunk
from services.indexer.language import Source, Syntax, language_of, languages

GUIDE = (Path(__file__).parent / "guide.md").read_text(encoding="utf-8")
EXPECTATION = re.compile(r"<!-- \^ (\w+): (.*) -->")


def parse(text: str) -> Syntax:
    return languages()["markdown"].parse(Source("guide.md", text, text.encode()))


def expected(kind: str) -> list[tuple[int, str]]:
    """Line and text of each expectation; comments below each other speak of the same line, and a heading underlined of the line above the rule."""
    found = []
    line = 0
    for number, text in enumerate(GUIDE.split("\n"), 1):
        match = EXPECTATION.fullmatch(text)
        if match is None:
            line = line if text.strip("-") == "" and text else number
        elif match[1] == kind:
            found.append((line, match[2]))
    return found


def test_headings_are_symbols_with_their_place() -> None:
    """Every heading of the guide is found on its line under the headings above it, and nothing else is one."""
    assert [(symbol.line, symbol.qualified) for symbol in parse(GUIDE).symbols] == expected("heading")


def test_code_spans_that_look_like_code_are_mentions() -> None:
    """Every mention of the guide is found on its line with receiver and labels, and nothing else that stands between backquotes."""
    found = [
        (reference.line, [reference.name, ",".join(step.name for step in reference.receiver), ",".join(reference.labels)])
        for reference in parse(GUIDE).references
        if reference.kind is ReferenceKind.MENTION
    ]
    assert found == [(line, [part.strip() for part in text.split("|")]) for line, text in expected("mention")]


def test_columns_point_at_the_name_in_bytes() -> None:
    """Columns count UTF-8 bytes and point at the name, not at its receiver."""
    for reference in parse(GUIDE).references:
        line = GUIDE.split("\n")[reference.line - 1].encode()
        assert line[reference.column - 1 :].startswith(reference.name.encode())


def test_mentions_belong_to_the_heading_above() -> None:
    """The source of a mention is the nearest heading above it; what stands before the first has none."""
    syntax = parse(GUIDE)
    by_id = {symbol.id: symbol for symbol in syntax.symbols}
    for reference in syntax.references:
        above = [symbol for symbol in syntax.symbols if symbol.line <= reference.line]
        assert by_id[reference.source] is above[-1]


def test_sections_nest() -> None:
    """A section reaches to the next heading of its level or above, and lies within that of its parent."""
    syntax = parse("# A\n\ntext\n\n## B\n\ntext\n\n# C\n\ntext\n")
    assert [(symbol.name, symbol.span.start, symbol.span.end) for symbol in syntax.symbols] == [("A", 1, 8), ("B", 5, 8), ("C", 9, 11)]


def test_a_section_is_a_chunk() -> None:
    """Each section is one chunk that bears its heading and names those above it."""
    text = "# Guide\n\nIntroduction.\n\n## Tokens\n\nThey expire.\n"
    chunks = chunk("guide.md", text, parse(text))
    assert [(piece.kind, piece.name, piece.enclosing, piece.text) for piece in chunks] == [
        (ChunkKind.SECTION, "Guide", "", "# Guide\n\nIntroduction.\n\n"),
        (ChunkKind.SECTION, "Tokens", "Guide", "## Tokens\n\nThey expire.\n"),
    ]
    assert all(piece.symbol_kind is SymbolKind.HEADING for piece in chunks)


def test_a_bare_heading_goes_with_what_follows() -> None:
    """A heading without text of its own makes no chunk that answers nothing."""
    text = "Title\n=====\n\n## Tokens\n\nThey expire.\n"
    chunks = chunk("guide.md", text, parse(text))
    assert [(piece.name, piece.text) for piece in chunks] == [("Tokens", text)]


@pytest.mark.parametrize("block", ["```\n" + "code()\n" * 50 + "```\n", "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 50])
def test_tables_and_code_are_not_torn(block: str) -> None:
    """A section too long for one chunk is cut between blocks."""
    text = "# Long\n\n" + "\n".join([block] * 6)
    pieces = chunk("guide.md", text, parse(text))
    assert len(pieces) > 2
    assert all(piece.text.count("```") % 2 == 0 and (piece.text.count("|---|") > 0 or "|" not in piece.text) for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        ">" * 20_000 + "a",
        "- " * 5_000,
        "[" * 20_000,
        "`a" * 10_000,
        "`" * 20_001,
        "|a" * 2_000 + "\n" + "|-" * 2_000,
        "<" * 20_000,
        "[a]: " + "(" * 9_000,
    ],
    ids=["quotes", "lists", "brackets", "spans", "backquotes", "table", "angles", "parentheses"],
)
def test_hostile_text_ends_soon(text: str) -> None:
    """Nesting and repetition made to break parsers neither raise nor take long."""
    started = time.monotonic()
    parse(text)
    assert time.monotonic() - started < 5


@given(st.text(alphabet="#=-`|<>[]()*_~ \r\n\tab:./\\", max_size=400))
def test_any_text_can_be_parsed(text: str) -> None:
    """Whatever the text, spans lie within it, in order, and parents enclose their children."""
    lines = text.count("\n") + 1
    symbols = parse(text).symbols
    by_id = {symbol.id: symbol for symbol in symbols}
    assert len(by_id) == len(symbols)
    for symbol in symbols:
        assert 1 <= symbol.span.start <= symbol.span.end <= lines
        if symbol.parent is not None:
            parent = by_id[symbol.parent]
            assert parent.span.start < symbol.span.start <= symbol.span.end <= parent.span.end


def test_markdown_claims_its_files() -> None:
    """Both usual suffixes belong to it."""
    assert [getattr(language_of(path), "name", "") for path in ("README.md", "docs/Guide.markdown")] == ["markdown", "markdown"]
