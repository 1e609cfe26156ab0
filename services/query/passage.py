"""What is embedded of a chunk for one question: the lines in which the question's words stand, under the heading that every chunk has.

A model reads the beginning of a long text, and what a question means often stands further down: an option among a hundred lines of options. The
cosine of a beginning says then that the chunk is beside the question, although words have found the very place. So the evidence is a passage, as in
Callan, "Passage-level evidence in document retrieval" (1994), and it is the one that words point to: one for each chunk.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from exegesis.embedding_text import embedding_text, heading
from exegesis.model import Chunk
from services.query.corpus import Key
from services.query.excerpt import terms_by_line
from services.query.rank import Ranking
from services.query.retrieve import Seeds

WHOLE = 450
"""Characters of the text for an index up to which that text is embedded: a model reads all of it, and the index may have its vector."""
LEAST = 380
"""Characters from which on a passage ends with its line: with a heading some 128 tokens, half of what is read, so that it is about one thing."""
MOST = 480
"""Characters of a passage, where a line is long."""

_SPACE = re.compile(r"\s+")


def passage_text(chunk: Chunk, weights: Mapping[int, float]) -> str:
    """What is to be embedded of a chunk with its text. ``weights``: term to weight of the question."""
    whole = embedding_text(chunk)
    if len(whole) <= WHOLE:
        return whole
    return f"{heading(chunk)} {_passage(chunk.text, weights)}"


def texts_of_best(seeds: Seeds, ranking: Ranking, limit: int, text_of: Callable[[Chunk, Mapping[int, float]], str]) -> dict[Key, str]:
    """What a model is to read of the best candidates by list score: ``text_of`` each, and the weights of the question where it was found."""
    best = keys_of_best(ranking, limit)
    texts: dict[Key, str] = {}
    for repository, corpus in seeds.corpora.items():
        wanted = [id_ for at, id_ in best if at == repository]
        for id_, chunk in corpus.graph.chunks(corpus.pin, wanted, text=True).items():
            texts[repository, id_] = text_of(chunk, seeds.weights[repository])
    return texts


def keys_of_best(ranking: Ranking, limit: int) -> list[Key]:
    """By list score, and among equal ones by place."""
    best = sorted(ranking.chunks, key=lambda chunk: (-chunk.list_score, chunk.candidate.place))[:limit]
    return [chunk.candidate.key for chunk in best]


def _passage(text: str, weights: Mapping[int, float]) -> str:
    """The first of the windows that say most of the question. A word that is repeated counts once: it says no more."""
    lines = [_SPACE.sub(" ", line.strip()) for line in text.split("\n")]
    said: list[set[int]] = [set() for _ in lines]
    for term, line in zip(*(column.tolist() for column in terms_by_line(text)), strict=True):
        if term in weights:
            said[line].add(term)
    inside: Counter[int] = Counter()
    best = (-1.0, 0, 0)
    end = length = 0
    for start, line in enumerate(lines):
        while end < len(lines) and length < LEAST:
            inside.update(said[end])
            length += len(lines[end]) + 1
            end += 1
        worth = round(sum(weights[term] for term, times in inside.items() if times), 9)
        best = max(best, (worth, -start, end))
        if end == len(lines):
            break
        inside.subtract(said[start])
        length -= len(line) + 1
    _, start, end = best
    return " ".join(line for line in lines[-start:end] if line)[:MOST]
