"""``ports.ChunkIndex`` on a Qdrant server, for installations whose processes run on several machines; the only module that imports qdrant_client.

One collection holds the points of all repositories for one embedding model. Each point belongs to a repository (its tenant, by which the server
lays points out) and to a generation; it holds sparse and dense vectors and no text. Its identifier on the server is derived from repository,
generation and chunk, so writing it twice is writing it once; the chunk's own identifier is in the payload.

A generation exists by its *mark*, a point without vectors that says ``draft``, ``finished`` or ``doomed``. Points are written under a draft, counted
at the commit, and only then is the mark finished; deleting dooms it first and takes it away last. So whatever dies at whatever moment leaves a mark
by which the rest is found and collected, and nobody reads what is not whole.

A change of model makes another collection beside the running one. New generations go there; old ones are still read where they are, as far as words
go, through the alias ``exegesis``, until :meth:`QdrantChunks.promote` points the alias to the new collection in one step.

Searches are exact. A question reads the chunks of one generation of one repository, some thousand to a hundred thousand vectors that lie together,
which takes milliseconds; an approximate index would save some of them, and answer the same question differently after each optimisation.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from exegesis.errors import CorruptIndex, EmbedderMismatch, NotIndexed, Unavailable
from exegesis.model import Hit
from exegesis.ports import LexicalPoint, SparseVector

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

ALIAS: Final = "exegesis"
FORMAT: Final = 1
"""Of the points; another number is another collection."""

_DENSE, _CHUNK, _FILE = "dense", "chunk", "file"
_REPOSITORY, _GENERATION, _KIND, _ID = "repo_id", "generation", "kind", "chunk"
_POINT, _MARK, _MODEL = "point", "mark", "model"
_DRAFT, _FINISHED, _DOOMED = "draft", "finished", "doomed"

_BATCH: Final = 256
"""Points of one request: some hundred kilobytes. Each is waited for, because a collection may have several shards, and the last request of a draft
says nothing of what the others have written."""
_SEARCH_SECONDS: Final = 5
_WRITE_SECONDS: Final = 15
"""Also how long any answer is waited for. Deleting a large generation may take longer, and is then asked for again."""
_WRITE_ATTEMPTS: Final = 6
"""With pauses of 0.2 s, doubled each time: a server that restarts is waited for some seconds."""
_READ_ATTEMPTS: Final = 2
"""Somebody waits for the answer."""
_FIRST_PAUSE: Final = 0.2
_TIES: Final = 32
"""Further hits asked for, so that ties at the end of the list can be ordered by identifier before it is cut."""
_KNOWN: Final = 256
"""Finished generations remembered, which saves a request for each search. One that then finds nothing is looked up again."""
_NAMESPACE: Final = uuid.UUID("0b0c7b8e-5f0e-4b6e-9d55-3f6a3a1d2f60")

_T = TypeVar("_T")


class QdrantChunks:
    """Usable from several threads and processes at once.

    Args:
        connect: Makes the client, on first use.
        fingerprint: Of the embedding model whose vectors go in; empty without one.

    """

    def __init__(self, connect: Callable[[], QdrantClient], fingerprint: str) -> None:
        self._connect = connect
        self._fingerprint = fingerprint
        self._collection = collection_of(fingerprint)
        self._turn = threading.Lock()
        self._made: QdrantClient | None = None
        self._known: dict[tuple[str, str], str] = {}
        """Collection of each generation that was seen to be finished."""

    @classmethod
    def at(cls, address: str, fingerprint: str, *, key: str = "") -> QdrantChunks:
        """The index on the server at this address, such as ``http://qdrant:6333``."""

        def connect() -> QdrantClient:
            from qdrant_client import QdrantClient

            return QdrantClient(url=address, api_key=key or None, timeout=_WRITE_SECONDS, check_compatibility=False)

        return cls(connect, fingerprint)

    # ---- writing

    def draft(self, repository: str, generation: str, *, basis: str | None, dimensions: int) -> QdrantDraft:
        self._prepare(dimensions)
        origin = self._home(repository, basis) if basis is not None else None
        if basis is not None and origin is None:
            raise NotIndexed(f"There is no chunk index {basis} of {repository} to start from.")
        self._delete_in(self._collection, repository, generation)
        draft = QdrantDraft(self, self._collection, repository, generation, dimensions)
        draft.begin()
        if basis is not None and origin is not None:
            draft.copy(origin, basis)
        return draft

    def promote(self) -> None:
        """Make the collection of this model the one that the alias names, in one step for all readers."""
        from qdrant_client import models

        change: list[models.AliasOperations] = [
            models.CreateAliasOperation(create_alias=models.CreateAlias(collection_name=self._collection, alias_name=ALIAS))
        ]
        if self._aliased() is not None:
            change.insert(0, models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=ALIAS)))
        self.call(lambda client: client.update_collection_aliases(change))
        with self._turn:
            self._known.clear()

    def delete(self, repository: str, generation: str) -> None:
        with self._turn:
            self._known.pop((repository, generation), None)
        for collection in self._collections():
            self._delete_in(collection, repository, generation)

    # ---- reading

    def search_lexical(self, repository: str, generation: str, query: SparseVector, *, files: bool, limit: int) -> Sequence[Hit]:
        if not query.terms:
            return []
        from qdrant_client import models

        vector = models.SparseVector(indices=list(query.terms), values=list(query.weights))
        return self._search(repository, generation, vector, using=_FILE if files else _CHUNK, limit=limit)

    def search_dense(self, repository: str, generation: str, vector: Sequence[float], *, limit: int) -> Sequence[Hit]:
        return self._search(repository, generation, list(vector), using=_DENSE, limit=limit)

    def vectors(self, repository: str, generation: str, ids: Sequence[int]) -> Mapping[int, Sequence[float]]:
        collection = self._finished(repository, generation)
        if collection != self._collection:
            return {}  # vectors of another model, which nobody may compare with those of this one
        found: dict[int, Sequence[float]] = {}
        for batch in _batches(ids, _BATCH):
            names = [point_id(repository, generation, identifier) for identifier in batch]
            records = self._retrieve(collection, names)
            for record in records:
                vector = record.vector.get(_DENSE) if isinstance(record.vector, dict) else None
                if vector is not None:
                    found[int(record.payload[_ID])] = vector
        return found

    def generations(self, repository: str) -> Sequence[str]:
        found: set[str] = set()
        for collection in self._collections():
            for record in self.scroll(collection, matching(repository, kind=_MARK), vectors=False):
                found.add(record.payload[_GENERATION])
        return sorted(found)

    def close(self) -> None:
        with self._turn:
            client, self._made = self._made, None
        if client is not None:
            client.close()

    # ---- the server

    def call(self, ask: Callable[[QdrantClient], Any], *, attempts: int = _WRITE_ATTEMPTS) -> Any:
        """What the server answers. Asked again while it is away or busy, which does no harm, since everything here may be written twice."""
        from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
        from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

        for attempt in itertools.count(1):
            try:
                return ask(self._client())
            except UnexpectedResponse as error:
                status = error.status_code or 0
                why, passing = f"it answered {status}", status == 429 or status >= 500
                hint = "Check EXEGESIS_CHUNKS_KEY." if status in {401, 403} else "See the log of the Qdrant server."
            except ResourceExhaustedResponse:
                why, passing, hint = "it has too much to do", True, "Try again in a moment."
            except ResponseHandlingException as error:
                why, passing, hint = f"{error.source}", True, "Check that it runs at EXEGESIS_CHUNKS_ADDRESS."
            if not passing or attempt == attempts:
                raise Unavailable(f"The chunk index server does not serve: {why}.", hint=hint) from None
            time.sleep(_FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + random.random() / 2))  # noqa: S311 - jitter, not a secret
        raise AssertionError

    def scroll(self, collection: str, where: models.Filter, *, vectors: bool) -> Iterator[Any]:
        """All points, in the order of their identifiers on the server."""
        offset: Any = None
        while True:
            records, offset = self._page(collection, where, offset, vectors=vectors)
            yield from records
            if offset is None:
                return

    def _retrieve(self, collection: str, names: Sequence[str]) -> Sequence[Any]:
        return self.call(  # type: ignore[no-any-return]
            lambda client: client.retrieve(collection, names, with_payload=[_ID], with_vectors=[_DENSE], timeout=_SEARCH_SECONDS),
            attempts=_READ_ATTEMPTS,
        )

    def _page(self, collection: str, where: models.Filter, offset: Any, *, vectors: bool) -> tuple[Sequence[Any], Any]:
        return self.call(  # type: ignore[no-any-return]
            lambda client: client.scroll(
                collection, scroll_filter=where, limit=_BATCH, offset=offset, with_payload=True, with_vectors=vectors, timeout=_WRITE_SECONDS
            )
        )

    def _query(self, collection: str, query: models.SparseVector | list[float], using: str, where: models.Filter, limit: int) -> Sequence[Any]:
        from qdrant_client import models

        exact = models.SearchParams(exact=True)
        return self.call(  # type: ignore[no-any-return]
            lambda client: client.query_points(
                collection,
                query=query,
                using=using,
                query_filter=where,
                search_params=exact,
                limit=limit,
                with_payload=[_ID],
                timeout=_SEARCH_SECONDS,
            ),
            attempts=_READ_ATTEMPTS,
        ).points

    def _client(self) -> QdrantClient:
        with self._turn:
            if self._made is None:
                self._made = self._connect()
            return self._made

    def _prepare(self, dimensions: int) -> None:
        """Make the collection, or see that the one which is there holds vectors of this model. Several processes may do so at once."""
        if not self._exists(self._collection):
            self._create(dimensions)
        (model,) = self.call(lambda client: client.retrieve(self._collection, [_model_id()], with_payload=True)) or [None]
        stated = model.payload if model is not None else None
        expected = _about(self._fingerprint, dimensions)
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
                    vectors_config={_DENSE: models.VectorParams(size=dimensions, distance=models.Distance.COSINE)},
                    sparse_vectors_config={_CHUNK: models.SparseVectorParams(), _FILE: models.SparseVectorParams()},
                    hnsw_config=models.HnswConfigDiff(m=0),  # searches are exact, so a graph of neighbours would be built for nobody
                )
            except (UnexpectedResponse, ValueError):
                if not client.collection_exists(self._collection):
                    raise  # otherwise another process was faster

        self.call(create)
        for name, tenant in ((_REPOSITORY, True), (_GENERATION, False), (_KIND, False)):
            index = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=tenant)
            self._index(name, index)
        about = models.PointStruct(id=_model_id(), vector={}, payload=_about(self._fingerprint, dimensions))
        self.call(lambda client: client.upsert(self._collection, [about], wait=True))
        if self._aliased() is None:
            self.promote()

    def _index(self, name: str, parameters: models.KeywordIndexParams) -> None:
        self.call(lambda client: client.create_payload_index(self._collection, name, parameters, wait=True))

    def _exists(self, collection: str) -> bool:
        return bool(self.call(lambda client: client.collection_exists(collection), attempts=_READ_ATTEMPTS))

    def _aliased(self) -> str | None:
        aliases = self.call(lambda client: client.get_aliases(), attempts=_READ_ATTEMPTS).aliases
        return next((alias.collection_name for alias in aliases if alias.alias_name == ALIAS), None)

    def _collections(self) -> Sequence[str]:
        """Where generations may be: the collection of this model, and the one that is running."""
        aliased = self._aliased()
        own = [self._collection] if self._exists(self._collection) else []
        return [*own, aliased] if aliased is not None and aliased != self._collection else own

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
        marks = self.call(
            lambda client: client.retrieve(collection, [_mark_id(repository, generation)], with_payload=True, timeout=_SEARCH_SECONDS),
            attempts=_READ_ATTEMPTS,
        )
        return any(mark.payload.get("state") == _FINISHED for mark in marks)

    def _delete_in(self, collection: str, repository: str, generation: str) -> None:
        from qdrant_client import models

        mark = _mark_id(repository, generation)
        if not self.call(lambda client: client.retrieve(collection, [mark], with_payload=False)):
            return  # whatever has points has a mark
        self.call(lambda client: client.set_payload(collection, {"state": _DOOMED}, points=[mark], wait=True))
        points = models.FilterSelector(filter=matching(repository, generation, kind=_POINT))
        self.call(lambda client: client.delete(collection, points, wait=True))
        self.call(lambda client: client.delete(collection, models.PointIdsList(points=[mark]), wait=True))

    def _search(self, repository: str, generation: str, query: models.SparseVector | list[float], *, using: str, limit: int) -> Sequence[Hit]:
        """Best first, ties by identifier. The engine cuts ties anywhere, so more are asked for until the cut is no tie."""
        collection = self._finished(repository, generation)
        if using == _DENSE and collection != self._collection:
            return []  # vectors of another model
        where = matching(repository, generation, kind=_POINT)
        asked = limit + _TIES
        while limit > 0:
            found = self._query(collection, query, using, where, asked)
            if len(found) < asked or found[limit - 1].score > found[-1].score:
                hits = sorted((Hit(int(hit.payload[_ID]), hit.score) for hit in found), key=lambda hit: (-hit.score, hit.id))
                if not hits and not self._is_finished(collection, repository, generation):
                    with self._turn:
                        self._known.pop((repository, generation), None)
                    raise NotIndexed(f"There is no chunk index {generation} of {repository} any more.")
                return hits[:limit]
            asked *= 4
        return []


class QdrantDraft:
    """``ports.ChunkIndexDraft``: points under a mark that says ``draft``."""

    def __init__(self, index: QdrantChunks, collection: str, repository: str, generation: str, dimensions: int) -> None:
        self._index = index
        self._collection = collection
        self._repository = repository
        self._generation = generation
        self._dimensions = dimensions
        self._ids: set[int] = set()
        """Chunks and files that are in it. Who builds a generation is alone, so this needs not be asked of the server."""
        self._committed = False

    def begin(self) -> None:
        self._mark(_DRAFT)

    def copy(self, collection: str, basis: str) -> None:
        """All points of a finished generation; without dense vectors where those are of another model."""
        comparable = collection == self._collection
        rows = self._index.scroll(collection, matching(self._repository, basis, kind=_POINT), vectors=True)
        for batch in _batches(rows, _BATCH):
            self._upsert(
                (int(row.payload[_ID]), {name: vector for name, vector in row.vector.items() if comparable or name != _DENSE}) for row in batch
            )

    def put_lexical(self, points: Iterable[LexicalPoint]) -> None:
        from qdrant_client import models

        for batch in _batches(points, _BATCH):
            vectors = {
                point.id: {
                    _FILE if point.is_file else _CHUNK: models.SparseVector(indices=list(point.vector.terms), values=list(point.vector.weights))
                }
                for point in batch
            }
            known = [(identifier, vector) for identifier, vector in vectors.items() if identifier in self._ids]
            # Writing a point anew would drop the dense vector of a chunk whose weights alone changed.
            self._update(known)
            self._upsert((identifier, vector) for identifier, vector in vectors.items() if identifier not in self._ids)

    def put_dense(self, vectors: Iterable[tuple[int, Sequence[float]]]) -> None:
        for batch in _batches(vectors, _BATCH):
            for identifier, vector in batch:
                if identifier not in self._ids or len(vector) != self._dimensions:
                    raise CorruptIndex(f"Vectors do not fit the chunk index {self._generation}: {len(vector)} dimensions for {identifier}.")
            self._update([(identifier, {_DENSE: list(vector)}) for identifier, vector in batch])

    def remove(self, ids: Iterable[int]) -> None:
        for batch in _batches(ids, _BATCH):
            gone = [identifier for identifier in batch if identifier in self._ids]
            self._ids.difference_update(gone)
            self._delete(gone)

    def commit(self) -> None:
        """Raises ``Unavailable`` if the server does not hold what was written, which then is no generation."""
        where = matching(self._repository, self._generation, kind=_POINT)
        held = self._index.call(lambda client: client.count(self._collection, count_filter=where, exact=True, timeout=_WRITE_SECONDS)).count
        if held != len(self._ids):
            raise Unavailable(f"The chunk index server holds {held} of {len(self._ids)} points of {self._generation}.", hint="Index again.")
        self._mark(_FINISHED)
        self._committed = True

    def discard(self) -> None:
        """Also after ``commit``, which it does not undo."""
        if not self._committed:
            self._index.delete(self._repository, self._generation)

    def _mark(self, state: str) -> None:
        from qdrant_client import models

        payload = {_REPOSITORY: self._repository, _GENERATION: self._generation, _KIND: _MARK, "state": state}
        mark = models.PointStruct(id=_mark_id(self._repository, self._generation), vector={}, payload=payload)
        self._index.call(lambda client: client.upsert(self._collection, [mark], wait=True))

    def _upsert(self, vectors: Iterable[tuple[int, dict[str, Any]]]) -> None:
        from qdrant_client import models

        about = {_REPOSITORY: self._repository, _GENERATION: self._generation, _KIND: _POINT}
        points = [
            models.PointStruct(id=self._point_id(identifier), vector=vector, payload={**about, _ID: identifier}) for identifier, vector in vectors
        ]
        self._ids.update(int(point.payload[_ID]) for point in points if point.payload)
        if points:
            self._index.call(lambda client: client.upsert(self._collection, points, wait=True))

    def _delete(self, ids: Sequence[int]) -> None:
        from qdrant_client import models

        if ids:
            selector = models.PointIdsList(points=[self._point_id(identifier) for identifier in ids])
            self._index.call(lambda client: client.delete(self._collection, selector, wait=True))

    def _update(self, vectors: Collection[tuple[int, dict[str, Any]]]) -> None:
        from qdrant_client import models

        if vectors:
            points = [models.PointVectors(id=self._point_id(identifier), vector=vector) for identifier, vector in vectors]
            self._index.call(lambda client: client.update_vectors(self._collection, points, wait=True))

    def _point_id(self, identifier: int) -> str:
        return point_id(self._repository, self._generation, identifier)


def collection_of(fingerprint: str) -> str:
    """Name of the collection for an embedding model. The model's own name may hold characters that a collection's may not."""
    return f"{ALIAS}-v{FORMAT}-{hashlib.sha256(fingerprint.encode()).hexdigest()[:16]}"


def point_id(repository: str, generation: str, identifier: int) -> str:
    """Where a chunk or file is kept on the server: the same in every process."""
    return str(uuid.uuid5(_NAMESPACE, f"{repository}\n{generation}\n{identifier}"))


def matching(repository: str, generation: str = "", *, kind: str) -> models.Filter:
    """The points of a repository, or of one of its generations."""
    from qdrant_client import models

    wanted = {_REPOSITORY: repository, _KIND: kind, **({_GENERATION: generation} if generation else {})}
    return models.Filter(must=[models.FieldCondition(key=key, match=models.MatchValue(value=value)) for key, value in wanted.items()])


def _mark_id(repository: str, generation: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, f"{repository}\n{generation}\n{_MARK}"))


def _model_id() -> str:
    return str(uuid.uuid5(_NAMESPACE, _MODEL))


def _about(fingerprint: str, dimensions: int) -> dict[str, Any]:
    return {_KIND: _MODEL, "fingerprint": fingerprint, "dimensions": dimensions, "format": FORMAT}


def _batches(items: Iterable[_T], size: int) -> Iterator[Sequence[_T]]:
    remaining = iter(items)
    while batch := list(itertools.islice(remaining, size)):
        yield batch
