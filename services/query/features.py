"""What ranking looks at: raw facts of candidates, and how well names and paths match a question. Pure functions."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import NamedTuple

from exegesis.model import Chunk, ChunkKind
from exegesis.ports import FileRow
from exegesis.terms import Unit, folded, path_text, units_of, words
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
    if not intent.symbol or folded(chunk.name) != folded(intent.symbol):
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
    _, stem, folder = _path_units(path)
    return sum([_said(unit, stem) or _said(unit, folder) for unit in _each(units)]) / len(units)


@functools.lru_cache(maxsize=1 << 12)
def _stem_precision(path: str, units: tuple[Unit, ...]) -> float:
    own, _, _ = _path_units(path)
    asked = _spellings(units)
    return sum([_said(unit, asked) for unit in own]) / len(own) if own else 0.0


class _Spellings(NamedTuple):
    """Of some units, with what tells most that are unlike apart at once."""

    all: frozenset[str]
    beginnings: frozenset[str]
    """The first letters of those that may stand for longer forms, or be stood for."""


@functools.lru_cache(maxsize=1 << 10)
def _spellings(units: tuple[Unit, ...]) -> _Spellings:
    spellings = frozenset(spelling for unit in units for spelling in unit)
    return _Spellings(spellings, frozenset(spelling[:_PREFIX] for spelling in spellings if len(spelling) >= _PREFIX))


@functools.lru_cache(maxsize=1 << 10)
def _each(units: tuple[Unit, ...]) -> tuple[_Spellings, ...]:
    return tuple(_spellings((unit,)) for unit in units)


def _said(unit: _Spellings, others: _Spellings) -> bool:
    """Whether a spelling of the one is one of the others, or of one of them the beginning, or begins with one."""
    if not unit.all.isdisjoint(others.all):
        return True
    if unit.beginnings.isdisjoint(others.beginnings):
        return False
    long, longer = ([spelling for spelling in spellings.all if len(spelling) >= _PREFIX] for spellings in (unit, others))
    return any(left.startswith(right) or right.startswith(left) for left in long for right in longer)


@functools.lru_cache(maxsize=1 << 16)
def _units(text: str) -> tuple[Unit, ...]:
    return tuple(unit for word in words(text) for unit in units_of(word))


@functools.lru_cache(maxsize=1 << 14)
def _path_units(path: str) -> tuple[tuple[_Spellings, ...], _Spellings, _Spellings]:
    """Of the distinct units of the file name without extension each and all, and all of its parent folder's."""
    folder, _, stem = path_text(path).rpartition("/")
    parent = folder.rpartition("/")[2]
    units = tuple(dict.fromkeys(_units(stem)))
    return tuple(_spellings((unit,)) for unit in units), _spellings(units), _spellings(tuple(dict.fromkeys(_units(parent))))
