"""What an embedding model reads of a chunk: first what it is and where it stands, in words, then what it says.

One text, whoever embeds it (the indexer ahead of time, a query late), so that vectors are shared by content. On eleven repositories a header in
words is worth more than twice the tokens of bare code: symbol with header .830, name, path and doc alone .842, 50-line window .696 (dense alone,
NDCG@10).
"""

from __future__ import annotations

import itertools
import re

from exegesis.model import Chunk, ChunkKind, SymbolKind
from exegesis.terms import path_text, spoken

DOC_CHARACTERS = 300
"""Of the doc comment. Long ones are tutorials and resemble everything."""

BODY_CHARACTERS = 1200
"""Of the code; more than the 256 tokens that a model reads, and little enough to hash and cache."""

PATH_WORDS = 4
"""Last words of the path."""

_SPACE = re.compile(r"\s+")
_COMMENT = ("//", "/*", "*", "#", "--", '"""', "@", "<!--")
"""Beginnings of comment and attribute lines in the languages people write; a doc comment has been said already when the body starts."""

_WORDS_OF_KIND = {
    ChunkKind.FILE: "File",
    ChunkKind.GAP: "File",
    ChunkKind.SECTION: "Section",
    ChunkKind.WINDOW: "Text",
}


def embedding_text(chunk: Chunk) -> str:
    """``Method Session.request(_:): session request in source core session. Creates a request. func request(...) {...}``, on one line."""
    doc = _one_line(chunk.doc)[:DOC_CHARACTERS]
    body = _one_line(_without_comment(chunk.text) if doc else chunk.text)[:BODY_CHARACTERS]
    return " ".join(part for part in (heading(chunk), doc, body) if part)


def heading(chunk: Chunk) -> str:
    """``Method Session.request(_:): session request in source core session.``"""
    kind = chunk.symbol_kind.value.capitalize() if chunk.symbol_kind and chunk.symbol_kind is not SymbolKind.HEADING else _WORDS_OF_KIND[chunk.kind]
    path = " ".join(spoken(path_text(chunk.path)).split()[-PATH_WORDS:])
    title = f"{kind} {chunk.qualified or chunk.name}".rstrip()
    named = spoken(f"{chunk.enclosing} {chunk.name}").strip()
    return f"{title}: {named} in {path}." if named else f"{title} in {path}."


def _without_comment(text: str) -> str:
    return "\n".join(itertools.dropwhile(lambda line: not line.strip() or line.lstrip().startswith(_COMMENT), text.split("\n")))


def _one_line(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
