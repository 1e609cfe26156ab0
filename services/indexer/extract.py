"""A file's bytes as facts: decode, parse, cut into chunks, count terms. Pure, so its results are cached by content."""

from __future__ import annotations

import traceback
from dataclasses import replace
from pathlib import Path
from typing import Final

from exegesis.model import FileFacts
from exegesis.terms import document_terms, pack
from services.indexer.chunk import chunk
from services.indexer.decode import decode
from services.indexer.language import Language, Source, Syntax, languages
from services.indexer.secrets import redact

_SOURCES: Final = Path(__file__).resolve().parents[2]


def extract(path: str, content: bytes, digest: str, language: str) -> FileFacts:
    """The facts of one file.

    Args:
        path: Path within the repository.
        content: The bytes as they are on disk.
        digest: SHA-256 of the bytes, hexadecimal; kept, not checked.
        language: Name of the language that claims the file, empty for none; unknown names count as none.

    Raises:
        Undecodable: The bytes are no text. Everything else that may be wrong with a file ends up in ``problems``, and a fault of its language in
            ``fault``.

    """
    text = decode(content).text
    parser = languages().get(language)
    syntax, fault = parse(parser, Source(path, text, text.encode("utf-8"))) if parser else (None, "")
    shown = redact(text)
    if syntax is not None and shown is not text:
        syntax = _without_secrets(syntax)
    chunks = chunk(path, shown, syntax)
    seen = syntax or Syntax()
    return FileFacts(
        path=path,
        digest=digest,
        language=language,
        symbols=seen.symbols,
        references=seen.references,
        chunks=chunks,
        terms=tuple(pack(document_terms(piece)) for piece in chunks),
        imports=seen.imports,
        problems=seen.problems,
        bindings=seen.bindings,
        fault=fault,
    )


def parse(language: Language, source: Source) -> tuple[Syntax | None, str]:
    """What a language sees in a file; or nothing, and why. A fault of the language costs the structure of that file, which is indexed as windows."""
    try:
        return language.parse(source), ""
    except MemoryError:
        raise  # the process has reached its limit, and whoever set it knows what to do
    except Exception as error:  # noqa: BLE001 - whatever else a language does wrong, the words of the file can be found
        return None, f"found by its words alone: the parser for {language.name} failed ({account_of(error)})"


def account_of(error: Exception) -> str:
    """What was raised and where in this program; its message may quote the file, and is left out."""
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_SOURCES):
            place = f" at {path.relative_to(_SOURCES)}:{line}"
    return type(error).__name__ + place


def _without_secrets(syntax: Syntax) -> Syntax:
    """What a language saw, without the secrets that names, signatures and comments repeat; places stay as they are."""
    return replace(
        syntax,
        symbols=tuple(
            replace(symbol, name=redact(symbol.name), qualified=redact(symbol.qualified), signature=redact(symbol.signature), doc=redact(symbol.doc))
            for symbol in syntax.symbols
        ),
        references=tuple(reference for reference in syntax.references if redact(reference.name) is reference.name),
        problems=tuple(map(redact, syntax.problems)),
    )
