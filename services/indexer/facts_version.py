"""The version of facts, apart from what makes them, so that seeing that nothing changed loads no parser."""

from __future__ import annotations

VERSION = 4
"""Raised whenever :mod:`services.indexer.extract` or what it calls (chunks, terms, redaction) yields other facts from the same source. Part of every
cache key."""
