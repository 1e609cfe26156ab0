"""The version of facts, apart from what makes them, so that seeing that nothing changed loads no parser."""

from __future__ import annotations

from services.indexer.language import languages

VERSION = 8
"""Raised whenever :mod:`services.indexer.extract` or what it calls (chunks, terms, redaction) yields other facts from the same source. Part of every
cache key."""


def key_of(path: str, digest: str, language: str) -> tuple[str, str, str, int, int]:
    """Everything that the facts of a file depend on: the key under which they may be cached."""
    parser = languages().get(language)
    return (path, digest, language, parser.version if parser else 0, VERSION)
