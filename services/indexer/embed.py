"""The vectors of a generation's chunks, computed after it is usable already."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

from exegesis.descriptions import declared, is_described
from exegesis.embedding_text import embedding_text
from exegesis.errors import Cancelled, Conflict, NotFound, NotIndexed
from exegesis.model import Chunk, FileStatus, Generation, Progress
from exegesis.ports import Embedder, WriteLock
from services.graph.api import GraphService, Pin
from services.indexer.api import Report
from services.indexer.embedding_order import in_order
from services.indexer.identity import GenerationName
from services.indexer.progress import Phase
from services.indexer.stores import Stores
from services.indexer.sweep import sweep

TOKENS = 256
"""Tokens read of a chunk. Half as many take .7 of the time, and find fewer places among the nearest sixteen (starlette .42 for .63)."""

EARLY_SECONDS = 20.0
"""What the rest must take, at the pace of what came first, for the vectors of the latter to be worth a generation: saving ten thousand takes five."""

_FILES = 16
"""Files whose chunks are in memory at once."""
_PORTION = 32
"""Chunks embedded between two looks at whether to stop, which is also what an interruption loses: about a second of work."""


def embed_head(stores: Stores, lock: WriteLock, repository: str, embedder: Embedder, report: Report, *, cancelled: threading.Event) -> Generation:
    """Compute the vectors of the head, then make a generation of the same content that has them the head.

    Files that most questions are about come first, and where the rest takes long they make a generation of their own: the vectors of a repository's
    code are of use before those of its tests and of other people's code are computed.

    Computing needs no lock, because it only fills the embedder's memory; so a question that finds changed files can have them indexed meanwhile, and
    this begins again with what then is the head. Raises ``Cancelled``, ``Conflict`` when somebody else writes at the very end.
    """
    while True:
        head = stores.catalog.head(repository)
        if head is None:
            raise NotFound("The index was removed while it was being embedded.")
        if head.has_all_vectors_of(embedder.fingerprint):
            return head
        with contextlib.suppress(NotIndexed):  # newer generations came, and this one was swept away meanwhile
            head = _compute(stores, lock, head, embedder, report, cancelled=cancelled)
        if saved := _save(stores, lock, head, embedder, report, cancelled=cancelled):
            return saved


def _compute(stores: Stores, lock: WriteLock, head: Generation, embedder: Embedder, report: Report, *, cancelled: threading.Event) -> Generation:
    """Fill the embedder's memory. The result is the head as this knows it: the one that was made on the way, if one was."""
    pin = Pin(head.repository, head.id)
    first, later = in_order(stores.graph.files(pin))
    phase = Phase("embedding", head.chunks, stores.clock, report)
    begun, done = stores.clock.monotonic(), 0
    for vectors in embed_files(stores.graph, pin, first, embedder, cancelled=cancelled):
        done += len(vectors)
        phase.advance(len(vectors))
    known = head
    waiting = (stores.clock.monotonic() - begun) * (head.chunks - done) / done if done else 0.0
    if head.embedder != embedder.fingerprint and waiting > EARLY_SECONDS:
        with contextlib.suppress(Conflict):  # somebody else writes; all of them come a little later
            known = _save(stores, lock, head, embedder, report, cancelled=cancelled, files=first) or head
    for vectors in embed_files(stores.graph, pin, later, embedder, cancelled=cancelled):
        phase.advance(len(vectors), "" if known is head else "those of the code itself are in use")
    return known


def _save(
    stores: Stores,
    lock: WriteLock,
    head: Generation,
    embedder: Embedder,
    report: Report,
    *,
    cancelled: threading.Event,
    files: Sequence[str] | None = None,
) -> Generation | None:
    """Make a generation with all vectors, or those of some files, the head. None if another one has become it."""
    with lock.hold(head.repository):
        if stores.catalog.head(head.repository) != head:
            return None
        report(Progress("saving", 0, 1))
        saved = with_vectors(stores, head, embedder, cancelled=cancelled, files=files)
        sweep(head.repository, stores)
        return saved


def embed_chunks(graph: GraphService, pin: Pin, embedder: Embedder, *, cancelled: threading.Event) -> Iterator[Sequence[tuple[int, Sequence[float]]]]:
    """Identifiers and vectors of all chunks, some at a time, ordered by path. Raises ``Cancelled`` between two portions."""
    paths = [row.file.path for row in graph.files(pin) if row.file.status is FileStatus.INDEXED]
    return embed_files(graph, pin, paths, embedder, cancelled=cancelled)


def embed_files(
    graph: GraphService, pin: Pin, files: Sequence[str], embedder: Embedder, *, cancelled: threading.Event
) -> Iterator[Sequence[tuple[int, Sequence[float]]]]:
    """The same of some files."""
    remaining = iter(files)
    while paths := list(itertools.islice(remaining, _FILES)):
        for portion in _portions(graph.chunks_in(pin, paths, text=True)):
            if cancelled.is_set():
                raise Cancelled("Embedding was interrupted.")
            vectors = embedder.embed([embedding_text(chunk) for chunk in portion], tokens=TOKENS)
            yield [(chunk.id, vector) for chunk, vector in zip(portion, vectors, strict=True)]


def with_vectors(
    stores: Stores, head: Generation, embedder: Embedder, *, cancelled: threading.Event, run: str = "", files: Sequence[str] | None = None
) -> Generation:
    """Make a generation of the same content that has vectors, all or those of some files, and make it the head. For whoever holds the write lock.
    ``run`` is the run that does it, where there is one already. Raises ``Conflict`` if it was superseded.
    """
    repository = head.repository
    name = GenerationName.parse(head.id)
    pin = Pin(repository, str(GenerationName.make(name.inputs, name.recipe)))
    run = run or stores.catalog.start_run(repository, f"vectors {head.id} {embedder.fingerprint}")[0]
    with contextlib.ExitStack() as undo:
        stores.graph.share(Pin(repository, head.id), pin.generation)
        undo.callback(stores.graph.delete, pin)
        points = stores.chunks.draft(repository, pin.generation, basis=head.id, dimensions=embedder.dimensions)
        undo.callback(stores.chunks.delete, repository, pin.generation)
        undo.callback(points.discard)
        embedded = 0
        chosen = embed_chunks(stores.graph, pin, embedder, cancelled=cancelled)
        if files is not None:
            points.drop_dense()  # chunks of other files may have vectors of another model, which would pass for this one's
            chosen = embed_files(stores.graph, pin, sorted(files), embedder, cancelled=cancelled)
        for vectors in chosen:
            points.put_dense(vectors)
            embedded += len(vectors)
        points.commit()
        coverage = replace(head.coverage, dense=1.0 if files is None else embedded / max(head.chunks, 1))
        complete = replace(
            head,
            id=pin.generation,
            created=stores.clock.now(),
            coverage=coverage,
            embedder=embedder.fingerprint,
            described=head.described or (declared(head) if is_described(stores.cache, head) else ""),
        )
        if not stores.catalog.activate(run, complete):
            raise Conflict(f"Another run has taken over the index of {repository}.")
        undo.pop_all()
    return complete


def _portions(chunks: Sequence[Chunk]) -> Iterator[Sequence[Chunk]]:
    for start in range(0, len(chunks), _PORTION):
        yield chunks[start : start + _PORTION]
