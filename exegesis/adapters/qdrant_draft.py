"""A generation that is being built on a Qdrant server: points under a mark that says so (:mod:`exegesis.adapters.qdrant_chunks`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from exegesis.adapters.qdrant_points import (
    BATCH,
    CHUNK,
    DENSE,
    DRAFT,
    FILE,
    FINISHED,
    GENERATION,
    ID,
    KIND,
    MARK,
    POINT,
    REPOSITORY,
    batches,
    mark_id,
    matching,
    point_id,
)
from exegesis.adapters.qdrant_server import WRITE_SECONDS, QdrantServer
from exegesis.errors import CorruptIndex, Unavailable
from exegesis.ports import LexicalPoint


class QdrantDraft:
    """``ports.ChunkIndexDraft``: points under a mark that says ``draft``."""

    def __init__(
        self, server: QdrantServer, collection: str, repository: str, generation: str, dimensions: int, *, discard: Callable[[], None]
    ) -> None:
        self._server = server
        self._discard = discard
        self._collection = collection
        self._repository = repository
        self._generation = generation
        self._dimensions = dimensions
        self._ids: set[int] = set()
        """Chunks and files that are in it. Who builds a generation is alone, so this needs not be asked of the server."""
        self._committed = False

    def begin(self) -> None:
        self._mark(DRAFT)

    def copy(self, collection: str, basis: str) -> None:
        """All points of a finished generation; without dense vectors where those are of another model."""
        comparable = collection == self._collection
        rows = self._server.scroll(collection, matching(self._repository, basis, kind=POINT), vectors=True)
        for batch in batches(rows, BATCH):
            self._upsert(
                (int(row.payload[ID]), {name: vector for name, vector in row.vector.items() if comparable or name != DENSE}) for row in batch
            )

    def put_lexical(self, points: Iterable[LexicalPoint]) -> None:
        from qdrant_client import models

        for batch in batches(points, BATCH):
            vectors = {
                point.id: {FILE if point.is_file else CHUNK: models.SparseVector(indices=list(point.vector.terms), values=list(point.vector.weights))}
                for point in batch
            }
            known = [(identifier, vector) for identifier, vector in vectors.items() if identifier in self._ids]
            # Writing a point anew would drop the dense vector of a chunk whose weights alone changed.
            self._update(known)
            self._upsert((identifier, vector) for identifier, vector in vectors.items() if identifier not in self._ids)

    def put_dense(self, vectors: Iterable[tuple[int, Sequence[float]]]) -> None:
        for batch in batches(vectors, BATCH):
            for identifier, vector in batch:
                if identifier not in self._ids or len(vector) != self._dimensions:
                    raise CorruptIndex(f"Vectors do not fit the chunk index {self._generation}: {len(vector)} dimensions for {identifier}.")
            self._update([(identifier, {DENSE: list(vector)}) for identifier, vector in batch])

    def drop_dense(self) -> None:

        points = matching(self._repository, self._generation, kind=POINT)
        self._server.call(lambda client: client.delete_vectors(self._collection, [DENSE], points, wait=True))

    def remove(self, ids: Iterable[int]) -> None:
        for batch in batches(ids, BATCH):
            gone = [identifier for identifier in batch if identifier in self._ids]
            self._ids.difference_update(gone)
            self._delete(gone)

    def commit(self) -> None:
        """Raises ``Unavailable`` if the server does not hold what was written, which then is no generation."""
        where = matching(self._repository, self._generation, kind=POINT)
        held = self._server.call(lambda client: client.count(self._collection, count_filter=where, exact=True, timeout=WRITE_SECONDS)).count
        if held != len(self._ids):
            raise Unavailable(f"The chunk index server holds {held} of {len(self._ids)} points of {self._generation}.", hint="Index again.")
        self._mark(FINISHED)
        self._committed = True

    def discard(self) -> None:
        """Also after ``commit``, which it does not undo."""
        if not self._committed:
            self._discard()

    def _mark(self, state: str) -> None:
        from qdrant_client import models

        payload = {REPOSITORY: self._repository, GENERATION: self._generation, KIND: MARK, "state": state}
        mark = models.PointStruct(id=mark_id(self._repository, self._generation), vector={}, payload=payload)
        self._server.call(lambda client: client.upsert(self._collection, [mark], wait=True))

    def _upsert(self, vectors: Iterable[tuple[int, dict[str, Any]]]) -> None:
        from qdrant_client import models

        about = {REPOSITORY: self._repository, GENERATION: self._generation, KIND: POINT}
        points = [
            models.PointStruct(id=self._point_id(identifier), vector=vector, payload={**about, ID: identifier}) for identifier, vector in vectors
        ]
        self._ids.update(int(point.payload[ID]) for point in points if point.payload)
        if points:
            self._server.call(lambda client: client.upsert(self._collection, points, wait=True))

    def _delete(self, ids: Sequence[int]) -> None:
        from qdrant_client import models

        if ids:
            selector = models.PointIdsList(points=[self._point_id(identifier) for identifier in ids])
            self._server.call(lambda client: client.delete(self._collection, selector, wait=True))

    def _update(self, vectors: Collection[tuple[int, dict[str, Any]]]) -> None:
        from qdrant_client import models

        if vectors:
            points = [models.PointVectors(id=self._point_id(identifier), vector=vector) for identifier, vector in vectors]
            self._server.call(lambda client: client.update_vectors(self._collection, points, wait=True))

    def _point_id(self, identifier: int) -> str:
        return point_id(self._repository, self._generation, identifier)
