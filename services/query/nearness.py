"""How near files are to a question: what stored vectors add to a list.

Words order the chunks of a list, and vectors its files. Of single chunks a small model is often wrong, whose nearest is as often a namesake as the
answer; of a file two must be near. So chunks keep the order of words, and a file gains by the two of its chunks that are nearest: their place between
the farthest of the nearest :data:`AMONG` and the nearest of all. It takes no model but that which embeds the question.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from typing import Final

from exegesis.model import FileRole
from services.query.corpus import File, has_role
from services.query.rank import NEAR, Ranking, raise_files
from services.query.retrieve import NEAREST, Nearest, Seeds, may_be_found

AMONG: Final = NEAREST
"""Nearest chunks that count. Of the nearest 100 alone semble is level and osgrep loses; of 1,000 all gain a third less."""
CHUNKS: Final = 2
"""Of a file; one that has a single chunk among the nearest reaches half. With one semble loses .004, with three or four deepcode .008."""
EMBEDDED_LAST: Final = FileRole.TEST | FileRole.EXAMPLE | FileRole.GENERATED | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.MINIFIED
"""Files that have no vectors yet where only the code itself has them."""


def nearness_of_files(seeds: Seeds, nearest: Nearest) -> Mapping[File, float] | None:
    """For each file with chunks among the nearest how near they are, in [0, 1]; None where that cannot be told for want of vectors. Nothing for a
    name that is typed, which asks for its definition. ``seeds`` are what words find.
    """
    is_whole = all(corpus.has_all_vectors for corpus in seeds.corpora.values())
    if not nearest.vector or (has_role(seeds.intent.asked_roles, EMBEDDED_LAST) and not is_whole):
        return None
    if seeds.intent.symbol:
        return {}
    pooled = heapq.nlargest(AMONG, _cosines(seeds, nearest), key=lambda pair: pair[0])
    if not pooled or pooled[0][0] <= pooled[-1][0]:
        return {}
    highest, floor = pooled[0][0], pooled[-1][0]
    near: dict[File, list[float]] = {}
    for cosine, file in pooled:
        near.setdefault(file, []).append((cosine - floor) / (highest - floor))
    return {file: sum(shares[:CHUNKS]) / CHUNKS for file, shares in near.items()}


def _cosines(seeds: Seeds, nearest: Nearest) -> Iterator[tuple[float, File]]:
    for repository, corpus in seeds.corpora.items():
        cosines = nearest.chunks.get(repository, {})
        for id_, chunk in corpus.graph.chunks(corpus.pin, sorted(cosines)).items():
            if may_be_found(corpus, chunk.path, seeds.question):
                yield cosines[id_], (repository, chunk.path)


def with_nearness(ranking: Ranking, near: Mapping[File, float]) -> Ranking:
    """The same ranking with its files moved up by how near they are. No file joins a list by that alone."""
    return raise_files(ranking, NEAR, near)
