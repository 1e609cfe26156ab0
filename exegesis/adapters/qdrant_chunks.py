"""``ports.ChunkIndex`` on a Qdrant server, for installations whose processes run on several machines. Only the modules ``qdrant_*`` import
qdrant_client.

One collection holds the points of all repositories for one embedding model. Each point belongs to a repository (its tenant, by which the server
lays points out) and to a generation; it holds sparse and dense vectors and no text. Its identifier on the server is derived from repository,
generation and chunk, so writing it twice is writing it once; the chunk's own identifier is in the payload.

A generation exists by its *mark*, a point without vectors that says ``draft``, ``finished`` or ``doomed``. Points are written under a draft, counted
at the commit, and only then is the mark finished; deleting dooms it first and takes it away last. So whatever dies at whatever moment leaves a mark
by which the rest is found and collected, and nobody reads what is not whole.

A change of model makes another collection beside the one before. New generations go there; old ones are still read where they are, as far as words
go. The collection of another model goes with the last generation in it.

Searches are exact. A question reads the chunks of one generation of one repository, some thousand to a hundred thousand vectors that lie together,
which takes milliseconds; an approximate index would save some of them, and answer the same question differently after each optimisation.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from exegesis.adapters.qdrant_draft import QdrantDraft
from exegesis.adapters.qdrant_points import (
    BATCH,
    CHUNK,
    COLLECTIONS,
    DENSE,
    DOOMED,
    FILE,
    FINISHED,
    GENERATION,
    ID,
    KIND,
    MARK,
    POINT,
    REPOSITORY,
    about,
    batches,
    collection_of,
    mark_id,
    matching,
    model_id,
    point_id,
)
from exegesis.adapters.qdrant_server import READ_ATTEMPTS, SEARCH_SECONDS, WRITE_SECONDS, QdrantServer
from exegesis.errors import CorruptIndex, EmbedderMismatch, NotIndexed
from exegesis.model import Hit
from exegesis.ports import SparseVector

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

_TIES: Final = 32
"""Further hits asked for, so that ties at the end of the list can be ordered by identifier before it is cut."""
_KNOWN: Final = 256
"""Finished generations remembered, which saves a request for each search. One that then finds nothing is looked up again."""


class QdrantChunks:
    """Usable from several threads and processes at once.

    Args:
        server: Where it is kept.
        fingerprint: Of the embedding model whose vectors go in; empty without one.

    """

    def __init__(self, server: QdrantServer, fingerprint: str) -> None:
        self._server = server
        self._fingerprint = fingerprint
        self._collection = collection_of(fingerprint)
        self._turn = threading.Lock()
        self._known: dict[tuple[str, str], str] = {}
        """Collection of each generation that was seen to be finished."""

    @classmethod
    def at(cls, address: str, fingerprint: str, *, key: str = "", seconds: int = WRITE_SECONDS) -> QdrantChunks:
        """The index on the server at this address, such as ``http://qdrant:6333``; ``seconds`` is how long any answer is waited for."""
        return cls(QdrantServer.at(address, key=key, seconds=seconds), fingerprint)

    # ---- writing

    def draft(self, repository: str, generation: str, *, basis: str | None, dimensions: int) -> QdrantDraft:
        self._prepare(dimensions)
        origin = self._home(repository, basis) if basis is not None else None
        if basis is not None and origin is None:
            raise NotIndexed(f"There is no chunk index {basis} of {repository} to start from.")
        with self._turn:
            self._known.pop((repository, generation), None)
        self._delete_in(self._collection, repository, generation)
        draft = QdrantDraft(self._server, self._collection, repository, generation, dimensions, discard=lambda: self.delete(repository, generation))
        draft.begin()
        if basis is not None and origin is not None:
            draft.copy(origin, basis)
        return draft

    def delete(self, repository: str, generation: str) -> None:
        with self._turn:
            self._known.pop((repository, generation), None)
        for collection in self._collections():
            self._delete_in(collection, repository, generation)
            if collection != self._collection and self._is_empty(collection):
                self._drop(collection)

    # ---- reading

    def search_lexical(self, repository: str, generation: str, query: SparseVector, *, files: bool, limit: int) -> Sequence[Hit]:
        if not query.terms:
            return []
        from qdrant_client import models

        vector = models.SparseVector(indices=list(query.terms), values=list(query.weights))
        return self._search(repository, generation, vector, using=FILE if files else CHUNK, limit=limit)

    def search_dense(self, repository: str, generation: str, vector: Sequence[float], *, limit: int) -> Sequence[Hit]:
        return self._search(repository, generation, list(vector), using=DENSE, limit=limit)

    def vectors(self, repository: str, generation: str, ids: Sequence[int]) -> Mapping[int, Sequence[float]]:
        collection = self._finished(repository, generation)
        if collection != self._collection:
            return {}  # vectors of another model, which nobody may compare with those of this one
        found: dict[int, Sequence[float]] = {}
        for batch in batches(ids, BATCH):
            names = [point_id(repository, generation, identifier) for identifier in batch]
            records = self._server.retrieve(collection, names)
            for record in records:
                vector = record.vector.get(DENSE) if isinstance(record.vector, dict) else None
                if vector is not None:
                    found[int(record.payload[ID])] = vector
        return found

    def generations(self, repository: str) -> Sequence[str]:
        found: set[str] = set()
        for collection in self._collections():
            for record in self._server.scroll(collection, matching(repository, kind=MARK), vectors=False):
                found.add(record.payload[GENERATION])
        return sorted(found)

    def close(self) -> None:
        self._server.close()

    # ---- collections

    def _prepare(self, dimensions: int) -> None:
        """Make the collection, or see that the one which is there holds vectors of this model. Several processes may do so at once."""
        if not self._exists(self._collection):
            self._create(dimensions)
        (model,) = self._server.call(lambda client: client.retrieve(self._collection, [model_id()], with_payload=True)) or [None]
        stated = model.payload if model is not None else None
        expected = about(self._fingerprint, dimensions)
        if stated is None:
            raise CorruptIndex(f"The collection {self._collection} does not say which model its vectors are of.", hint="Remove it and index again.")
        if dict(stated) != expected:
            raise EmbedderMismatch(
                f"The collection {self._collection} holds vectors of {stated.get('fingerprint')!r} with {stated.get('dimensions')} dimensions,"
                f" not of {self._fingerprint!r} with {dimensions}."
            )

    def _create(self, dimensions: int) -> None:
        from qdrant_client import models
        from qdrant_client.http.exceptions import UnexpectedResponse

        def create(client: QdrantClient) -> None:
            try:
                client.create_collection(
                    self._collection,
                    vectors_config={DENSE: models.VectorParams(size=dimensions, distance=models.Distance.COSINE)},
                    sparse_vectors_config={CHUNK: models.SparseVectorParams(), FILE: models.SparseVectorParams()},
                    hnsw_config=models.HnswConfigDiff(m=0),  # searches are exact, so a graph of neighbours would be built for nobody
                )
            except (UnexpectedResponse, ValueError):
                if not client.collection_exists(self._collection):
                    raise  # otherwise another process was faster

        self._server.call(create)
        for name, tenant in ((REPOSITORY, True), (GENERATION, False), (KIND, False)):
            index = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=tenant)
            self._index(name, index)
        stated = models.PointStruct(id=model_id(), vector={}, payload=about(self._fingerprint, dimensions))
        self._server.call(lambda client: client.upsert(self._collection, [stated], wait=True))

    def _index(self, name: str, parameters: models.KeywordIndexParams) -> None:
        self._server.call(lambda client: client.create_payload_index(self._collection, name, parameters, wait=True))

    def _exists(self, collection: str) -> bool:
        return bool(self._server.call(lambda client: client.collection_exists(collection), attempts=READ_ATTEMPTS))

    def _drop(self, collection: str) -> None:
        self._server.call(lambda client: client.delete_collection(collection))

    def _is_empty(self, collection: str) -> bool:
        """Whether it holds no generation, not even a draft: nothing but what says which model it is for."""
        found = self._server.call(lambda client: client.retrieve(collection, [model_id()], with_payload=False))
        return bool(self._server.call(lambda client: client.count(collection, exact=True)).count == len(found))

    def _collections(self) -> Sequence[str]:
        """Where generations may be: the collection of this model first, then those of others."""
        there = self._server.call(lambda client: client.get_collections(), attempts=READ_ATTEMPTS).collections
        names = sorted(each.name for each in there if each.name.startswith(COLLECTIONS))
        return sorted(names, key=lambda name: name != self._collection)

    # ---- generations

    def _home(self, repository: str, generation: str) -> str | None:
        """The collection that holds this generation, finished; None when it is nowhere."""
        with self._turn:
            known = self._known.get((repository, generation))
        if known is not None:
            return known
        for collection in self._collections():
            if self._is_finished(collection, repository, generation):
                with self._turn:
                    if len(self._known) >= _KNOWN:
                        self._known.clear()
                    self._known[repository, generation] = collection
                return collection
        return None

    def _finished(self, repository: str, generation: str) -> str:
        collection = self._home(repository, generation)
        if collection is None:
            raise NotIndexed(f"There is no chunk index {generation} of {repository}.")
        return collection

    def _is_finished(self, collection: str, repository: str, generation: str) -> bool:
        marks = self._server.call(
            lambda client: client.retrieve(collection, [mark_id(repository, generation)], with_payload=True, timeout=SEARCH_SECONDS),
            attempts=READ_ATTEMPTS,
        )
        return any(mark.payload.get("state") == FINISHED for mark in marks)

    def _delete_in(self, collection: str, repository: str, generation: str) -> None:
        from qdrant_client import models

        mark = mark_id(repository, generation)
        if not self._server.call(lambda client: client.retrieve(collection, [mark], with_payload=False)):
            return  # whatever has points has a mark
        self._server.call(lambda client: client.set_payload(collection, {"state": DOOMED}, points=[mark], wait=True))
        points = models.FilterSelector(filter=matching(repository, generation, kind=POINT))
        self._server.call(lambda client: client.delete(collection, points, wait=True))
        self._server.call(lambda client: client.delete(collection, models.PointIdsList(points=[mark]), wait=True))

    def _search(self, repository: str, generation: str, query: models.SparseVector | list[float], *, using: str, limit: int) -> Sequence[Hit]:
        """Best first, ties by identifier. The engine cuts ties anywhere, so more are asked for until the cut is no tie."""
        collection = self._finished(repository, generation)
        if using == DENSE and collection != self._collection:
            return []  # vectors of another model
        where = matching(repository, generation, kind=POINT)
        asked = limit + _TIES
        while limit > 0:
            found = self._server.query(collection, query, using, where, asked)
            if len(found) < asked or found[limit - 1].score > found[-1].score:
                hits = sorted((Hit(int(hit.payload[ID]), hit.score) for hit in found), key=lambda hit: (-hit.score, hit.id))
                if not hits and not self._is_finished(collection, repository, generation):
                    with self._turn:
                        self._known.pop((repository, generation), None)
                    raise NotIndexed(f"There is no chunk index {generation} of {repository} any more.")
                return hits[:limit]
            asked *= 4
        return []
