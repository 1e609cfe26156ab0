"""How much of a chunk goes into a context: all of it, unless a long comment or a long body would crowd out other code."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from exegesis.model import Chunk, ChunkKind, Span
from exegesis.terms import term_ids_of, words

TOKENS_PER_PIECE = 1.07
"""Of contexts of twelve repositories four tokenizers of today's models make .78 to .99 of the estimate; code dense with signs has most. With 1.0 some
contexts would exceed their budget.
"""

LONG_COMMENT = 6  # lines; a longer one is cut to its first
KEPT_COMMENT = 3  # lines: a doc comment says in its first sentence what is done
LONG_BODY = 40  # lines; of a longer one the head and the best window are kept. 90 and 60 lose .02 of the essential places, of some sets .05
HEAD = 3
WINDOW = 30

_PIECE = re.compile(r"[A-Z]?[a-z]{1,8}|\s{2,}|[\x00-\x08\x0e-\x1f!-/:-@\[-^`{-\x7f]{1,3}|[A-Z]{1,3}|[^\S ]|\d{1,2}|_+|[^\x00-\x7f]")
"""What a tokenizer rarely joins with anything else: a word within a name, up to eight letters of it or three capitals; up to two digits or three
signs; a line break with the indentation behind it, any other gap; and each letter of other scripts. A blank between two words is part of the second.
"""

_COMMENT = re.compile(r"\s*(?://|/\*|\*|#(?![\w\[])|--|;;|\"\"\"|''')")
"""Starts of comment lines in all languages; ``#`` before a word or bracket is a directive or attribute."""


_IMPORT = re.compile(
    r"(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|internal|private)\s+)?"
    r"(?:import|from|using|use|require|package|namespace|include|#\s*(?:if|else|elseif|endif|include|import|pragma|define))\b"
)
"""Lines that only bring other code in, in all languages; conditions of a preprocessor too."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    runs: tuple[Span, ...]
    text: str


REMEMBERED = 8_000
"""Characters up to which what is true of a text whatever is asked is remembered by the text, as questions to one repository come back to the same
chunks: of 8,000 texts the tokens, of 2,000 long bodies the terms. Usual texts have 800 and 4,000, which makes 6 and 30 MB; the most is 64 and 60."""


def estimate_tokens(text: str) -> int:
    """Tokens of a text for models in general, rather too many than too few. Single pieces may have more: of a hundred five have more than .98."""
    return _estimate(text) if len(text) <= REMEMBERED else _estimate.__wrapped__(text)


@functools.lru_cache(maxsize=8_000)
def _estimate(text: str) -> int:
    pieces = len(_PIECE.findall(text))
    if not text.isascii():
        pieces += len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)  # emoji and the like are cut in two and more
    return math.ceil(pieces * TOKENS_PER_PIECE)


def excerpt(chunk: Chunk, weights: Mapping[int, float], *, shorten: bool, focus: Collection[int] = ()) -> Excerpt:
    """The lines of a chunk that are shown. ``weights`` (term to weight of the question) choose the window of a long body; lines in ``focus`` weigh
    more than any words.
    """
    lines = chunk.text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    numbers = [number for run in chunk.runs for number in range(run.start, run.end + 1)]
    if not shorten or chunk.kind not in {ChunkKind.SYMBOL, ChunkKind.TYPE} or len(numbers) != len(lines):
        return Excerpt(chunk.runs, chunk.text)
    kept = _without_long_comment(lines)
    if len(kept) > LONG_BODY:
        wanted = frozenset(index for index, number in enumerate(numbers) if number in focus)
        kept = _best_window(kept, chunk.text, weights, wanted)
    if len(kept) == len(lines):
        return Excerpt(chunk.runs, chunk.text)
    return Excerpt(runs_of([numbers[index] for index in kept]), "".join(lines[index] + "\n" for index in kept))


def glimpse(chunk: Chunk, lines: Collection[int]) -> Excerpt:
    """Of a chunk only some lines; all of it where none of them is in it."""
    numbers = [number for run in chunk.runs for number in range(run.start, run.end + 1)]
    kept = [(number, text) for number, text in zip(numbers, chunk.text.split("\n"), strict=False) if number in lines]
    if not kept:
        return Excerpt(chunk.runs, chunk.text)
    return Excerpt(runs_of([number for number, _ in kept]), "".join(f"{text}\n" for _, text in kept))


def abridged(chunk: Chunk) -> Excerpt:
    """What a declaration says of itself, for a budget that has no room for what it does: the beginning of its comment, and its first lines."""
    lines = chunk.text.rstrip("\n").split("\n")
    length = next((index for index, line in enumerate(lines) if line.strip() and not _COMMENT.match(line)), 0)
    numbers = [number for run in chunk.runs for number in range(run.start, run.end + 1)]
    kept = [*range(min(length, KEPT_COMMENT)), *range(length, min(length + HEAD, len(lines)))]
    return glimpse(chunk, {numbers[index] for index in kept if index < len(numbers)})


GAP: Final = "…"
"""Stands for lines that are left out, where a model reads a piece: without it the two ends of a body would read as one."""
WORTH_A_MARK: Final = 2
"""Lines from which on what is left out is marked: a single one is mostly blank, and a mark would be as long."""


def with_gaps(text: str, runs: Sequence[Span]) -> str:
    """The text of a piece with a line for each gap between its runs; as it is where its lines are not those of the runs."""
    lines = text.split("\n")
    if len(runs) < 2 or len(lines) - (not lines[-1]) != sum(run.end - run.start + 1 for run in runs):
        return text
    shown: list[str] = []
    start, before = 0, runs[0]
    for run in runs:
        if run.start - before.end > WORTH_A_MARK:
            shown.append(GAP)
        end = start + run.end - run.start + 1
        shown += lines[start:end]
        start, before = end, run
    return "\n".join([*shown, *lines[start:]])


def says_something(chunk: Chunk) -> bool:
    """False for lines between symbols that only import, include or carry a licence."""
    if chunk.kind not in {ChunkKind.FILE, ChunkKind.GAP}:
        return bool(chunk.text) and not chunk.text.isspace()
    lines = (line.strip() for line in chunk.text.split("\n"))
    return any(line and not _COMMENT.match(line) and not _IMPORT.match(line) for line in lines)


def _without_long_comment(lines: Sequence[str]) -> list[int]:
    """Indices of the lines without the tail of a long comment at the start."""
    length = next((index for index, line in enumerate(lines) if line.strip() and not _COMMENT.match(line)), len(lines))
    if length <= LONG_COMMENT or length == len(lines):
        return list(range(len(lines)))
    return [*range(KEPT_COMMENT), *range(length, len(lines))]


def _best_window(kept: Sequence[int], text: str, weights: Mapping[int, float], wanted: frozenset[int]) -> list[int]:
    """The head, and the window that holds most of the lines wanted and says most of the question; the first of equal ones."""
    gains = _gains(text, weights)[list(kept)]
    if wanted:
        gains = gains + (1.0 + gains.sum()) * np.isin(kept, list(wanted))
    sums = [0.0, *accumulate(gains.tolist())]
    starts = range(HEAD, len(kept) - WINDOW + 1)
    windows = [round(sums[start + WINDOW] - sums[start], 9) for start in starts]
    start = HEAD + windows.index(max(windows))
    return [*kept[:HEAD], *kept[start : start + WINDOW]]


def _gains(text: str, weights: Mapping[int, float]) -> npt.NDArray[np.float64]:
    """For each line the weights of the terms of its distinct words."""
    terms, line = terms_by_line(text)
    asked = np.array(sorted(weights), dtype=np.int64)
    if not len(asked):
        return np.zeros(text.count("\n") + 1)
    slots = np.minimum(np.searchsorted(asked, terms), len(asked) - 1)
    hits = np.flatnonzero(asked[slots] == terms)
    worth = np.array([weights[term] for term in asked.tolist()])
    return np.bincount(line[hits], weights=worth[slots[hits]], minlength=text.count("\n") + 1).astype(np.float64, copy=False)


def terms_by_line(text: str) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """The terms of the distinct words of each line, and the index of the line that each stands in; lines in their order."""
    return _terms_by_line(text) if len(text) <= REMEMBERED else _terms_by_line.__wrapped__(text)


@functools.lru_cache(maxsize=2_000)
def _terms_by_line(text: str) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    found = [[term for word in set(words(line)) for term in term_ids_of(word)] for line in text.split("\n")]
    terms = np.array([term for line in found for term in line], dtype=np.uint32)
    return terms, np.repeat(np.arange(len(found), dtype=np.int32), [len(line) for line in found])


def runs_of(numbers: Sequence[int]) -> tuple[Span, ...]:
    """Numbers of lines, which ascend, as spans of those that follow one another."""
    runs: list[Span] = []
    for number in numbers:
        if runs and runs[-1].end + 1 == number:
            runs[-1] = Span(runs[-1].start, number)
        else:
            runs.append(Span(number, number))
    return tuple(runs)
