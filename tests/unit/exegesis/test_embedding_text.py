"""What an embedding model reads of a chunk."""

from exegesis.embedding_text import BODY_CHARACTERS, DOC_CHARACTERS, embedding_text
from exegesis.model import Chunk, ChunkKind, Span, SymbolKind


def make(**changes: object) -> Chunk:
    values: dict[str, object] = {
        "id": 1,
        "path": "Sources/Core/Session.swift",
        "kind": ChunkKind.SYMBOL,
        "runs": (Span(1, 4),),
        "text": "    /// Creates a request.\n    func request(_ url: URL) -> DataRequest {\n        make(url)\n    }\n",
        "symbol_kind": SymbolKind.METHOD,
        "name": "request",
        "qualified": "Session.request(_:)",
        "enclosing": "Session",
        "doc": "Creates a request.",
        **changes,
    }
    return Chunk(**values)  # type: ignore[arg-type]


def test_it_says_what_a_chunk_is_before_the_code() -> None:
    """Kind and name, then enclosing type, name and file in words, doc comment and code: the comment once."""
    assert embedding_text(make()) == (
        "Method Session.request(_:): session request in sources core session. Creates a request. "
        "func request(_ url: URL) -> DataRequest { make(url) }"
    )


def test_chunks_without_a_name_say_their_file() -> None:
    """Loose code, documents and plain text are introduced by where they stand."""
    loose = make(kind=ChunkKind.FILE, symbol_kind=None, name="", qualified="", enclosing="", doc="", text="import UIKit\n")
    assert embedding_text(loose) == "File in sources core session. import UIKit"
    section = make(
        kind=ChunkKind.SECTION, symbol_kind=SymbolKind.HEADING, name="Setup", qualified="Guide › Setup", enclosing="Guide", doc="", text="# Setup\n"
    )
    assert embedding_text(section).startswith("Section Guide › Setup: guide setup in")


def test_long_texts_are_cut() -> None:
    """A tutorial in a comment, or a long body, leaves room for the rest."""
    text = embedding_text(make(doc="word " * 1_000, text="func request() {\n" + "call()\n" * 1_000 + "}\n"))
    assert len(text) < DOC_CHARACTERS + BODY_CHARACTERS + 100
    assert "func request()" in text
