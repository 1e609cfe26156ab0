"""What reStructuredText shows: the expectations stand in ``guide.rst``, each in a comment below the line that it speaks of."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exegesis.model import ChunkKind, SymbolKind
from services.indexer.chunk import chunk
from services.indexer.language import Source, Syntax, language_of, languages

GUIDE = (Path(__file__).parent / "guide.rst").read_text(encoding="utf-8")
EXPECTATION = re.compile(r"\.\. (heading|mention): (.*)")


def parse(text: str) -> Syntax:
    return languages()["restructuredtext"].parse(Source("guide.rst", text, text.encode()))


def expected(kind: str) -> list[tuple[int, str]]:
    """Line and text of each expectation; comments below each other speak of the same line, and those below a rule of the title above it."""
    found: list[tuple[int, str]] = []
    line = 0
    lines = GUIDE.split("\n")
    for number, text in enumerate(lines, 1):
        match = EXPECTATION.fullmatch(text)
        if match is None:
            line = line if re.fullmatch(r"([=~-])\1+", text) else number
        elif match[1] == kind:
            found.append((line, match[2]))
    return found


def test_titles_are_symbols_under_those_above_them() -> None:
    """Levels follow from the order of the rules; a rule within a paragraph, in a table or of two signs makes none."""
    lines = GUIDE.split("\n")
    overlined = {number for number, text in enumerate(lines[:-2], 1) if re.fullmatch("=+", text) and lines[number + 1] == text}
    found = [(symbol.line + (symbol.line in overlined), symbol.qualified) for symbol in parse(GUIDE).symbols]
    assert found == expected("heading")


def test_roles_literals_and_directives_are_mentions() -> None:
    """Every mention of the guide is found on its line, and nothing in roles that name pages or issues."""
    found = [(reference.line, [reference.name, ",".join(step.name for step in reference.receiver), ""]) for reference in parse(GUIDE).references]
    assert found == [(line, [part.strip() for part in text.split("|")]) for line, text in expected("mention")]


def test_columns_point_at_the_name_in_bytes() -> None:
    """Columns count UTF-8 bytes and point at the name, not at its receiver."""
    for reference in parse(GUIDE).references:
        line = GUIDE.split("\n")[reference.line - 1].encode()
        assert line[reference.column - 1 :].startswith(reference.name.encode())


def test_a_section_is_a_chunk() -> None:
    """Each section is one chunk that bears its title, also with a rule above; a bare title goes with what follows."""
    text = "=====\nGuide\n=====\n\nTokens\n------\n\nThey expire.\n\nStores\n------\n\nThey keep.\n"
    chunks = chunk("guide.rst", text, parse(text))
    assert [(piece.kind, piece.name, piece.enclosing) for piece in chunks] == [
        (ChunkKind.SECTION, "Tokens", "Guide"),
        (ChunkKind.SECTION, "Stores", "Guide"),
    ]
    assert "".join(piece.text for piece in chunks) == text
    assert all(piece.symbol_kind is SymbolKind.HEADING for piece in chunks)


def test_what_is_indented_is_not_torn_from_its_directive() -> None:
    """A section too long for one chunk is cut where a block ends that belongs to nothing above."""
    block = ".. code-block:: python\n\n" + "    run()\n" * 20 + "\n    stop()\n"
    text = "Long\n====\n\n" + "\n".join([f"{block}\nAnd then.\n"] * 12)
    pieces = chunk("guide.rst", text, parse(text))
    assert len(pieces) > 2
    assert all(piece.text.count("code-block") == piece.text.count("stop()") for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [":a" * 20_000 + ":`x`", "`" * 20_001, ":class:`" * 5_000, "=" * 40_000, "a\n=\n" * 10_000, ".. class::" * 4_000, "``a" * 10_000, ":func:`<" * 5_000],
    ids=["roles", "backquotes", "open roles", "rule", "short rules", "directives", "literals", "targets"],
)
def test_hostile_text_ends_soon(text: str) -> None:
    """Repetition made to break parsers neither raises nor takes long."""
    started = time.monotonic()
    parse(text)
    assert time.monotonic() - started < 5


@given(st.text(alphabet="#=-~`:.*_<> \r\n\tab\u00e4", max_size=400))
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


def test_it_claims_its_files() -> None:
    """What Sphinx reads."""
    assert getattr(language_of("docs/index.rst"), "name", "") == "restructuredtext"
