"""What is embedded of a chunk for one question."""

from exegesis.embedding_text import embedding_text, heading
from exegesis.model import Chunk, ChunkKind, Span, SymbolKind
from exegesis.terms import term_ids_of
from services.query.passage import MOST, passage_text

WEIGHTS = {term: 1.0 for word in ("timeout", "retry") for term in term_ids_of(word)}
FILLER = ["    prepare(step)"] * 60


def make(*lines: str) -> Chunk:
    text = "\n".join(("func request() {", *lines, "}"))
    return Chunk(
        id=1,
        path="Sources/Core/Session.swift",
        kind=ChunkKind.SYMBOL,
        runs=(Span(1, len(lines) + 2),),
        text=text,
        symbol_kind=SymbolKind.METHOD,
        name="request",
        qualified="Session.request()",
        enclosing="Session",
    )


def test_a_short_chunk_is_read_whole() -> None:
    """It has the text that the index has, so that one finds what the other has embedded."""
    chunk = make("    retry(after: timeout)")
    assert passage_text(chunk, WEIGHTS) == embedding_text(chunk)


def test_of_a_long_chunk_the_lines_are_read_that_the_question_is_about() -> None:
    """However far down they stand; the heading says whose lines they are."""
    text = passage_text(make(*FILLER, "    retry(after: timeout)", *FILLER), WEIGHTS)
    assert text.startswith(heading(make()))
    assert "retry(after: timeout)" in text
    assert len(text) <= len(heading(make())) + 1 + MOST


def test_a_word_that_is_repeated_says_no_more() -> None:
    """One line with both words of the question is better than many with one of them."""
    text = passage_text(make(*["    timeout.check()"] * 30, *FILLER, "    retry(after: timeout)"), WEIGHTS)
    assert "retry(after: timeout)" in text


def test_without_any_word_of_the_question_the_beginning_is_read() -> None:
    """As of a chunk that is found by its path."""
    assert "func request() {" in passage_text(make(*FILLER), WEIGHTS)


def test_a_line_without_end_is_cut() -> None:
    """Minified code has lines of a megabyte."""
    assert len(passage_text(make("x" * 1_000_000), WEIGHTS)) <= len(heading(make())) + 1 + MOST
