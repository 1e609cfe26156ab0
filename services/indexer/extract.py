"""A file's bytes as facts: decode, parse, cut into chunks, count terms. Pure, so its results are cached by content."""

from __future__ import annotations

from dataclasses import replace

from exegesis.model import FileFacts
from exegesis.terms import document_terms, pack
from services.indexer.chunk import chunk
from services.indexer.decode import decode
from services.indexer.language import Language, Source, Syntax, languages
from services.indexer.secrets import redact


def extract(path: str, content: bytes, digest: str, language: str) -> FileFacts:
    """The facts of one file.

    Args:
        path: Path within the repository.
        content: The bytes as they are on disk.
        digest: SHA-256 of the bytes, hexadecimal; kept, not checked.
        language: Name of the language that claims the file, empty for none; unknown names count as none.

    Raises:
        Undecodable: The bytes are no text. Everything else that may be wrong with a file ends up in ``problems``.

    """
    text = decode(content).text
    parser = languages().get(language)
    syntax = parse(parser, Source(path, text, text.encode("utf-8"))) if parser else None
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
    )


def parse(language: Language, source: Source) -> Syntax:
    """What a language sees in a file. A fault of the language costs the structure of that file, which is indexed as windows; its problems say why."""
    try:
        return language.parse(source)
    except MemoryError:
        raise  # the process has reached its limit, and whoever set it knows what to do
    except Exception as error:  # noqa: BLE001 - whatever else a language does wrong, the words of the file can be found
        return Syntax(problems=(f"the parser for {language.name} failed ({type(error).__name__})",))


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
