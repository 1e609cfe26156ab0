"""``ports.ChunkIndex`` on qdrant-edge: one folder, a shard, per generation; the only module that imports qdrant_edge.

A draft is a folder beside the finished ones. It becomes a generation by a rename after the shard was flushed and closed, so a killed build leaves
a folder that nobody looks at. A finished shard is never written by us; loading one rewrites small state files with what they already hold, the
larger ones through a temporary file and a rename, so several processes may load the same shard at once (a contract test does).
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from exegesis.adapters import seal
from exegesis.errors import ChunksUnavailable, CorruptIndex, NotIndexed
from exegesis.model import Hit
from exegesis.ports import LexicalPoint, SparseVector

if TYPE_CHECKING:
    import qdrant_edge

_DENSE, _CHUNK, _FILE = "dense", "chunk", "file"
_DRAFT = ".draft"

_UNWRITABLE = re.compile(rf"\(os error (?:{errno.ENOSPC}|{errno.EDQUOT}|{errno.EROFS}|{errno.EACCES}|{errno.EPERM})\)")
"""How the engine words that it may not write, or has no room to. Opening a shard writes, so such an index is as it was, and cannot be used now."""
_ROOM = "Make room in that folder and see that you may write it."
_BATCH = 512
"""Points of one update. Larger ones gain nothing and hold more lists of Python numbers at once."""
_OPEN_SHARDS = 8
"""Loaded shards kept: a question reads one generation of each repository asked, and loading costs about 0.1 s."""
_TIES = 32
"""Further hits asked for, so that ties at the end of the list can be ordered by identifier before it is cut."""
_COPY_ATTEMPTS = 5

_T = TypeVar("_T")


class EdgeChunks:
    """Shards under ``folder/<repository>/<generation>``. Usable from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._turn = threading.Lock()
        self._open: OrderedDict[Path, qdrant_edge.EdgeShard] = OrderedDict()

    def draft(self, repository: str, generation: str, *, basis: str | None, dimensions: int) -> EdgeDraft:
        final = self._path(repository, generation)
        aside = final.with_name(final.name + _DRAFT)
        shutil.rmtree(aside, ignore_errors=True)
        if basis is None:
            aside.mkdir(parents=True)
            return EdgeDraft(_create(aside, dimensions), aside, final)
        origin = self._path(repository, basis)
        if not origin.is_dir():
            raise NotIndexed(f"There is no chunk index {basis} of {repository} to start from.")
        _copy_shard(origin, aside)
        return EdgeDraft(_load(aside), aside, final)

    def search_lexical(self, repository: str, generation: str, query: SparseVector, *, files: bool, limit: int) -> Sequence[Hit]:
        if not query.terms:
            return []
        import qdrant_edge as edge

        nearest = edge.Query.Nearest(edge.SparseVector(list(query.terms), list(query.weights)), using=_FILE if files else _CHUNK)
        return _search(self._shard(repository, generation), nearest, limit)

    def search_dense(self, repository: str, generation: str, vector: Sequence[float], *, limit: int) -> Sequence[Hit]:
        import qdrant_edge as edge

        return _search(self._shard(repository, generation), edge.Query.Nearest(list(vector), using=_DENSE), limit)

    def vectors(self, repository: str, generation: str, ids: Sequence[int]) -> Mapping[int, Sequence[float]]:
        found: dict[int, Sequence[float]] = {}
        for record in self._shard(repository, generation).retrieve(list(ids), False, [_DENSE]):
            vector = record.vector.get(_DENSE) if isinstance(record.vector, dict) else None
            if vector is not None:
                found[int(record.id)] = vector  # type: ignore[assignment]  # the stub allows every kind of identifier and vector
        return found

    def delete(self, repository: str, generation: str) -> None:
        path = self._path(repository, generation)
        with self._turn:
            shard = self._open.pop(path, None)
        if shard is not None:
            shard.close()
        for doomed in (path, path.with_name(path.name + _DRAFT)):
            shutil.rmtree(doomed, ignore_errors=True)

    def generations(self, repository: str) -> Sequence[str]:
        folder = self._folder / repository
        return sorted({entry.name.removesuffix(_DRAFT) for entry in folder.iterdir()}) if folder.is_dir() else []

    def close(self) -> None:
        with self._turn:
            shards, self._open = list(self._open.values()), OrderedDict()
        for shard in shards:
            shard.close()

    def _path(self, repository: str, generation: str) -> Path:
        return self._folder / repository / generation

    def _shard(self, repository: str, generation: str) -> qdrant_edge.EdgeShard:
        path = self._path(repository, generation)
        with self._turn:
            shard = self._open.get(path)
            if shard is None:
                if not path.is_dir():
                    raise NotIndexed(f"There is no chunk index {generation} of {repository}.")
                shard = self._open[path] = _load(path)
            self._open.move_to_end(path)
            if len(self._open) > _OPEN_SHARDS:
                self._open.popitem(last=False)  # a search that still runs keeps it alive; the last reference closes it
        return shard


class EdgeDraft:
    """``ports.ChunkIndexDraft``: a shard that nobody else looks at yet."""

    def __init__(self, shard: qdrant_edge.EdgeShard, aside: Path, final: Path) -> None:
        self._shard = shard
        self._aside = aside
        self._final = final

    def put_lexical(self, points: Iterable[LexicalPoint]) -> None:
        import qdrant_edge as edge

        for batch in _batches(points):
            known = {int(record.id) for record in self._shard.retrieve([point.id for point in batch], False, False)}
            vectors: dict[int, dict[str, list[float] | edge.SparseVector | list[list[float]]]] = {
                point.id: {_FILE if point.is_file else _CHUNK: edge.SparseVector(list(point.vector.terms), list(point.vector.weights))}
                for point in batch
            }
            new = [edge.Point(identifier, vector) for identifier, vector in vectors.items() if identifier not in known]
            # An upsert would drop the dense vector of a chunk whose weights alone changed.
            changed = [edge.PointVectors(identifier, vector) for identifier, vector in vectors.items() if identifier in known]
            for point in new:
                # One by one: the engine takes those of one update in any order, adds up scores in the order in which it first met the terms, and so
                # gives other last digits to the same content. It costs 0.02 ms a point.
                self._shard.update(edge.UpdateOperation.upsert_points([point]))
            if changed:
                self._shard.update(edge.UpdateOperation.update_vectors(changed))

    def put_dense(self, vectors: Iterable[tuple[int, Sequence[float]]]) -> None:
        import qdrant_edge as edge

        for batch in _batches(vectors):
            points = [edge.PointVectors(identifier, {_DENSE: list(vector)}) for identifier, vector in batch]
            try:
                self._shard.update(edge.UpdateOperation.update_vectors(points))
            except Exception as error:
                raise CorruptIndex(f"Vectors do not fit the chunk index {self._final.name}: {error}.") from error

    def drop_dense(self) -> None:
        import qdrant_edge as edge

        self._shard.update(edge.UpdateOperation.delete_vectors_by_filter(edge.Filter(), [_DENSE]))

    def remove(self, ids: Iterable[int]) -> None:
        import qdrant_edge as edge

        for batch in _batches(ids):
            self._shard.update(edge.UpdateOperation.delete_points(list(batch)))

    def commit(self) -> None:
        self._shard.flush()
        self._shard.close()
        seal.seal(self._aside)
        shutil.rmtree(self._final, ignore_errors=True)
        self._aside.rename(self._final)
        folder = os.open(self._final.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def discard(self) -> None:
        """Also after ``commit``, which it does not undo."""
        with contextlib.suppress(Exception):  # closed already
            self._shard.close()
        shutil.rmtree(self._aside, ignore_errors=True)


def _create(path: Path, dimensions: int) -> qdrant_edge.EdgeShard:
    import qdrant_edge as edge

    config = edge.EdgeConfig(
        vectors={_DENSE: edge.EdgeVectorParams(dimensions, edge.Distance.Cosine)},
        sparse_vectors={_CHUNK: edge.EdgeSparseVectorParams(), _FILE: edge.EdgeSparseVectorParams()},
        wal_enabled=False,  # a draft that was not committed is garbage, so nothing needs to be replayed
    )
    return edge.EdgeShard.create(str(path), config)


def _load(path: Path) -> qdrant_edge.EdgeShard:
    import qdrant_edge as edge

    seal.check(path)
    try:
        return edge.EdgeShard.load(str(path))
    except Exception as error:
        if _UNWRITABLE.search(str(error)):
            raise ChunksUnavailable(f"The chunk index {path.name} cannot be opened: {error}.", hint=_ROOM) from error
        raise CorruptIndex(f"The chunk index {path.name} cannot be read: {error}.") from error


def _search(shard: qdrant_edge.EdgeShard, nearest: qdrant_edge.Query, limit: int) -> Sequence[Hit]:
    """Best first, ties by identifier. The engine cuts ties anywhere, so more are asked for until the cut is no tie."""
    import qdrant_edge as edge

    asked = limit + _TIES
    while limit > 0:
        hits = shard.query(edge.QueryRequest(limit=asked, query=nearest))
        if len(hits) < asked or hits[limit - 1].score > hits[-1].score:
            ordered = sorted([(-hit.score, int(hit.id)) for hit in hits])
            return [Hit(id_, -score) for score, id_ in ordered[:limit]]
        asked *= 4
    return []


def _batches(items: Iterable[_T]) -> Iterator[Sequence[_T]]:
    remaining = iter(items)
    while batch := list(itertools.islice(remaining, _BATCH)):
        yield batch


def _copy_shard(origin: Path, target: Path) -> None:
    """Copy a finished shard. A reader that loads it meanwhile replaces small files by a rename, so a file may be gone between listing and opening."""
    for attempt in itertools.count(1):
        try:
            shutil.copytree(origin, target, ignore=shutil.ignore_patterns(".atomicwrite*"), copy_function=_copy_sparse)
        except (shutil.Error, FileNotFoundError):
            shutil.rmtree(target, ignore_errors=True)
            if attempt == _COPY_ATTEMPTS:
                raise
        else:
            return


def _copy_sparse(origin: str, target: str) -> None:
    """Copy a file without filling its holes: a shard of 7 MB occupies 135 MB of address space, most of it never written."""
    with open(origin, "rb", buffering=0) as source, open(target, "wb", buffering=0) as sink:  # noqa: PTH123 - what copytree passes are strings
        size = os.fstat(source.fileno()).st_size
        os.truncate(sink.fileno(), size)
        for start, end in _extents(source.fileno(), size):
            _copy_range(source.fileno(), sink.fileno(), start, end)


def _extents(descriptor: int, size: int) -> Iterator[tuple[int, int]]:
    """Where a file holds data; all of it, where the file system does not tell."""
    position = 0
    while position < size:
        try:
            start = os.lseek(descriptor, position, os.SEEK_DATA)
            position = os.lseek(descriptor, start, os.SEEK_HOLE)
        except OSError as error:
            if error.errno != errno.ENXIO:  # ENXIO: only a hole remains
                yield position, size
            return
        yield start, position


def _copy_range(source: int, sink: int, start: int, end: int) -> None:
    while start < end:
        piece = os.pread(source, min(end - start, 1 << 20), start)
        if not piece:
            return
        os.pwrite(sink, piece, start)
        start += len(piece)
