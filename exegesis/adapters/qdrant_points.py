"""What is stored on a Qdrant server, and under which names: the same in every process."""

from __future__ import annotations

import hashlib
import itertools
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from qdrant_client import models

FORMAT: Final = 1
"""Of the points; another number is another collection."""
COLLECTIONS: Final = f"exegesis-v{FORMAT}-"
"""What the names of our collections begin with."""

DENSE, CHUNK, FILE = "dense", "chunk", "file"
"""Names of the vectors of a point."""
REPOSITORY, GENERATION, KIND, ID = "repo_id", "generation", "kind", "chunk"
"""Keys of a payload."""
POINT, MARK, MODEL = "point", "mark", "model"
"""Kinds of points: a chunk or file, the mark of a generation, what says which model the collection is for."""
DRAFT, FINISHED, DOOMED = "draft", "finished", "doomed"
"""States of a mark."""

BATCH: Final = 256
"""Points of one request: some hundred kilobytes. Each is waited for, because a collection may have several shards, and the last request of a draft
says nothing of what the others have written."""

_NAMESPACE: Final = uuid.UUID("0b0c7b8e-5f0e-4b6e-9d55-3f6a3a1d2f60")

_T = TypeVar("_T")


def collection_of(fingerprint: str) -> str:
    """Name of the collection for an embedding model. The model's own name may hold characters that a collection's may not."""
    return f"{COLLECTIONS}{hashlib.sha256(fingerprint.encode()).hexdigest()[:16]}"


def point_id(repository: str, generation: str, identifier: int) -> str:
    """Where a chunk or file is kept on the server: the same in every process."""
    return str(uuid.uuid5(_NAMESPACE, f"{repository}\n{generation}\n{identifier}"))


def matching(repository: str, generation: str = "", *, kind: str) -> models.Filter:
    """The points of a repository, or of one of its generations."""
    from qdrant_client import models

    wanted = {REPOSITORY: repository, KIND: kind, **({GENERATION: generation} if generation else {})}
    return models.Filter(must=[models.FieldCondition(key=key, match=models.MatchValue(value=value)) for key, value in wanted.items()])


def mark_id(repository: str, generation: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, f"{repository}\n{generation}\n{MARK}"))


def model_id() -> str:
    return str(uuid.uuid5(_NAMESPACE, MODEL))


def about(fingerprint: str, dimensions: int) -> dict[str, Any]:
    return {KIND: MODEL, "fingerprint": fingerprint, "dimensions": dimensions, "format": FORMAT}


def batches(items: Iterable[_T], size: int) -> Iterator[Sequence[_T]]:
    remaining = iter(items)
    while batch := list(itertools.islice(remaining, size)):
        yield batch
