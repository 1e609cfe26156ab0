"""The baseline that every article on this subject starts from: windows of text and BM25, knowing nothing of code.

Windows of 1,000 characters that overlap by 200, words as they stand (lower case, no splitting, no stemming, no stop words), Okapi BM25
(S. Robertson, K. Sparck Jones, "Relevance weighting of search terms", 1976; k1 1.5, b .75). ``eval --ablation plain-text`` measures it, so
that anybody can see what chunks, names, ranking and the graph add on their own code.
"""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from exegesis.model import Context, ContextItem, Place, Result, Span
from services.graph.api import GraphReading, Pin
from services.query.api import Composition

WINDOW: Final = 1_000
OVERLAP: Final = 200
K1: Final = 1.5
B: Final = 0.75
RESULTS: Final = 10
CHARACTERS_A_TOKEN: Final = 3.5

_WORD = re.compile(r"\w+")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Window:
    path: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class WindowIndex:
    """All windows of one generation with an inverted list of their words."""

    windows: tuple[Window, ...]
    lengths: tuple[int, ...]
    postings: Mapping[str, tuple[tuple[int, int], ...]]
    """For each word: window and count."""


def cut(path: str, text: str) -> Iterator[Window]:
    """Overlapping windows of one file, each with the lines it touches."""
    line_starts = [0, *accumulate(len(line) for line in _LINE.findall(text))]
    for start in range(0, max(len(text) - OVERLAP, 1), WINDOW - OVERLAP):
        piece = text[start : start + WINDOW]
        last = start + max(len(piece) - 1, 0)
        yield Window(path, Span(bisect_right(line_starts, start), bisect_right(line_starts, last)), piece)


def build(pin: Pin, graph: GraphReading) -> WindowIndex:
    """Windows over the indexed text of every file."""
    texts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    paths = [row.file.path for row in graph.files(pin)]
    for chunk in graph.chunks_in(pin, paths, text=True):
        lines = iter(_LINE.findall(chunk.text))
        for run in chunk.runs:
            texts[chunk.path] += [(number, next(lines, "")) for number in range(run.start, run.end + 1)]
    windows = tuple(window for path in sorted(texts) for window in cut(path, "".join(line for _, line in sorted(texts[path]))))
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    lengths = []
    for number, window in enumerate(windows):
        counts = Counter(_words(window.text))
        lengths.append(counts.total())
        for word, count in counts.items():
            postings[word].append((number, count))
    return WindowIndex(windows, tuple(lengths), {word: tuple(places) for word, places in postings.items()})


def rank(question: str, index: WindowIndex) -> list[tuple[float, Window]]:
    """Windows that share a word with the question, best first, ties in the order of the text."""
    average = sum(index.lengths) / max(len(index.lengths), 1) or 1.0
    scores: dict[int, float] = defaultdict(float)
    for word in _words(question):
        places = index.postings.get(word, ())
        weight = math.log(1 + (len(index.windows) - len(places) + 0.5) / (len(places) + 0.5))
        for number, count in places:
            scores[number] += weight * count * (K1 + 1) / (count + K1 * (1 - B + B * index.lengths[number] / average))
    return [(score, index.windows[number]) for number, score in heapq.nsmallest(len(scores), scores.items(), key=lambda pair: (-pair[1], pair[0]))]


def compose(question: str, repository: str, index: WindowIndex, budget: int) -> Composition:
    """The best windows as results, and as many of them as the budget holds as the context."""
    ranked = rank(question, index)
    results = tuple(
        Result(repository, window.path, window.span.start, window.span.end, "", "window", score, "shares words with the question")
        for score, window in ranked[:RESULTS]
    )
    items: list[ContextItem] = []
    used = 0
    for score, window in ranked:
        tokens = math.ceil(len(window.text) / CHARACTERS_A_TOKEN)
        if used + tokens > budget:
            break
        used += tokens
        items.append(
            ContextItem(
                f"E{len(items) + 1}", repository, window.path, (window.span,), window.text, "", "window", score, Place.ANCHOR, "", tokens, chunk=0
            )
        )
    return Composition(results, Context(tuple(items), used, budget), ())


def _words(text: str) -> Iterable[str]:
    return _WORD.findall(text.lower())
