"""What ranking looks at: raw facts of candidates, and how well names and paths match a question. Pure functions."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from exegesis.model import Chunk, ChunkKind
from exegesis.ports import FileRow
from exegesis.terms import Unit, bare, path_text, units_of, words
from services.query.corpus import Key
from services.query.intent import Intent
from services.query.standing import Standing

_PREFIX = 4
"""Letters from which on a word stands for its longer forms in paths: ``auth`` for ``authentication``."""


_SCRAP_LINES = 4

_GIVEN = re.compile(r"__\w+__|operator\W.*|operator")
"""Names of special methods and of operators."""


class Candidate(NamedTuple):
    """A chunk that may be part of the answer, with what searches said about it. A thousand are made for a question, which takes a frozen dataclass
    four times as long.
    """

    repository: str
    chunk: Chunk
    """Without its text."""
    lexical: float = 0.0
    """BM25F score."""
    cosine: float | None = None
    """Similarity to the question; None where the chunk has no vector."""
    landmark: float = 0.0
    """How much it is a place to begin, for questions about the whole; in [0, 1]."""
    standing: Standing = Standing.OWN

    @property
    def key(self) -> Key:
        return self.repository, self.chunk.id

    @property
    def file(self) -> tuple[str, str]:
        return self.repository, self.chunk.path

    @property
    def place(self) -> tuple[str, str, int, int]:
        """Where it stands: decides between equal scores, so that the same question always gets the same order."""
        return self.repository, self.chunk.path, self.chunk.start, self.chunk.id


@dataclass(frozen=True, slots=True)
class FileCandidate:
    repository: str
    row: FileRow
    lexical: float
    """BM25F score of the whole file."""
    mentioned: float
    """ln(1 + indegree) over the largest of the repository."""


def is_scrap(chunk: Chunk) -> bool:
    """A few lines between symbols: imports, a licence, a lone constant. Nothing to list for its own sake."""
    return chunk.kind in {ChunkKind.FILE, ChunkKind.GAP} and chunk.end - chunk.start < _SCRAP_LINES


def name_precision(chunk: Chunk, intent: Intent) -> float:
    """Share of the units of the symbol's own name that the question says: the short name that is asked for as a whole wins.

    A name that its language gives was chosen by nobody: ``__call__`` and ``operator<<`` do not say that the code is about calls or operators.
    """
    if _GIVEN.fullmatch(chunk.name):
        return 0.0
    return _name_precision(chunk.name, intent.terms.loose_stems)


def is_definition(chunk: Chunk, intent: Intent) -> float:
    """1 where the chunk bears the name that is the whole question, 0 elsewhere; half where it differs in letter case, or in the signs before it."""
    if not intent.symbol or bare(chunk.name).lower() != bare(intent.symbol).lower():
        return 0.0
    if chunk.name != intent.symbol:
        return 0.5
    if intent.qualifier and chunk.enclosing:
        asked = intent.qualifier.replace("::", ".").replace("->", ".").lower()
        return 1.0 if chunk.enclosing.lower().endswith(asked) else 0.5
    return 1.0


def path_share(path: str, intent: Intent) -> float:
    """Share of the question's units that the file name says, or else its folder: recall, because a file is about more than one word."""
    return _path_share(path, intent.terms.units)


def stem_precision(path: str, intent: Intent) -> float:
    """Share of the file name's units that the question says."""
    return _stem_precision(path, intent.terms.loose_units)


# One question ranks the same files and names up to three times, and names repeat, so matches are remembered.


@functools.lru_cache(maxsize=1 << 13)
def _name_precision(name: str, asked: frozenset[str]) -> float:
    units = _units(name)
    return sum([not asked.isdisjoint(unit) for unit in units]) / len(units) if units else 0.0


@functools.lru_cache(maxsize=1 << 12)
def _path_share(path: str, units: tuple[Unit, ...]) -> float:
    if not units:
        return 0.0
    stem, folder = _path_units(path)
    return sum(_said(unit, stem) or _said(unit, folder) for unit in units) / len(units)


@functools.lru_cache(maxsize=1 << 12)
def _stem_precision(path: str, units: tuple[Unit, ...]) -> float:
    stem, _ = _path_units(path)
    return sum(_said(unit, units) for unit in stem) / len(stem) if stem else 0.0


def _said(unit: Unit, others: Iterable[Unit]) -> bool:
    return any(_equal(spelling, other) for spellings in others for other in spellings for spelling in unit)


def _equal(left: str, right: str) -> bool:
    if left == right:
        return True
    return len(left) >= _PREFIX and len(right) >= _PREFIX and (left.startswith(right) or right.startswith(left))


@functools.lru_cache(maxsize=1 << 16)
def _units(text: str) -> tuple[Unit, ...]:
    return tuple(unit for word in words(text) for unit in units_of(word))


@functools.lru_cache(maxsize=1 << 14)
def _path_units(path: str) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """Distinct units of the file name without extension, and of its parent folder."""
    folder, _, stem = path_text(path).rpartition("/")
    parent = folder.rpartition("/")[2]
    return tuple(dict.fromkeys(_units(stem))), tuple(dict.fromkeys(_units(parent)))
