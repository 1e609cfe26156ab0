"""Vectors over the queue: the head is cut into batches of files, whoever is free embeds one, and one worker makes a generation of all of them.

Computing fills the embedder's memory and nothing else, so a batch may be done twice or by halves, what was computed before a death is not computed
again, and what a newer head shares with the one before need not be computed either. A head that moves meanwhile is begun with anew.
"""

from __future__ import annotations

import json
import threading
from typing import Final

from exegesis.errors import NotFound, NotIndexed
from exegesis.model import Batch, Errand, Generation, Progress, RunState, RunStep
from exegesis.telemetry import Attribute, SpanName, stage
from services.graph.api import Pin
from services.indexer.bell import EMBEDDING
from services.indexer.bench import Bench
from services.indexer.descriptions import ask_for_descriptions
from services.indexer.embedding_order import in_order
from services.indexer.fan_in import fan_out
from services.indexer.queued import cut
from services.indexer.sweep import sweep

BATCH_BYTES: Final = 1 << 16
"""Source of one batch: about fifty chunks, which take a core some seconds, so that a small repository is shared as well, and a server that embeds a
thousand a second is not slower for the messages."""
BATCH_FILES: Final = 32


def embed(bench: Bench, errand: Errand, _stop: threading.Event) -> None:
    """Cut what lacks vectors into batches; nothing is left to do where it has them, or where another run is about to give it some."""
    stores = bench.stores
    head = _head(bench, errand.repository)
    if _has_vectors(bench, head) or _is_done_elsewhere(bench, errand):
        stores.catalog.end_run(errand.run, RunState.DONE)
        return
    rows = stores.graph.files(Pin(head.repository, head.id))
    first, later = in_order(rows)
    batches = cut([*first, *later], {row.file.path: row.file.size for row in rows}, most_files=BATCH_FILES, most_bytes=BATCH_BYTES)
    stores.catalog.plan(errand.run, batches)
    bench.errands.note(errand.run, json.dumps({"generation": head.id}))
    bench.errands.tell(errand.run, Progress("embedding", 0, head.chunks))
    fan_out(bench, errand, RunStep.VECTORS, len(batches))


def embed_batch(bench: Bench, repository: str, batch: Batch, lost: threading.Event) -> int | None:
    """The chunks of a batch that were embedded, now or before."""
    from services.indexer.embed import embed_files

    errand = bench.errands.find(batch.run)
    head = bench.stores.catalog.head(repository)
    if errand is None or head is None:  # the repository was removed
        return None
    if bench.embedder is None or _planned(errand) != head.id:
        _plan_anew(bench, errand)
        return None
    done = 0
    with stage(SpanName.EMBED) as embedding:
        embedding.mark(Attribute.REPOSITORY, repository)
        try:
            for vectors in embed_files(bench.stores.graph, Pin(repository, head.id), batch.paths, bench.embedder, cancelled=lost):
                done += len(vectors)
        except NotIndexed:  # swept away, since newer ones came
            _plan_anew(bench, errand)
            return None
        embedding.count(items_in=done, items_out=done)
    return done


def complete(bench: Bench, errand: Errand, stop: threading.Event) -> None:
    """Make a generation of the same content that has vectors the head."""
    from services.indexer.embed import with_vectors

    stores = bench.stores
    with bench.lock.hold(errand.repository):
        head = _head(bench, errand.repository)
        if _has_vectors(bench, head):
            stores.catalog.end_run(errand.run, RunState.DONE)
        elif bench.embedder is None or _planned(errand) != head.id:
            _plan_anew(bench, errand)
        else:
            bench.errands.tell(errand.run, Progress("saving", 0, 1))
            with stage(SpanName.UPSERT) as writing:
                writing.mark(Attribute.REPOSITORY, errand.repository)
                writing.count(items_in=head.chunks, items_out=head.chunks)
                with_vectors(stores, head, bench.embedder, cancelled=stop, run=errand.run)
            sweep(errand.repository, stores)
            ask_for_descriptions(bench, errand.repository, errand.trace)


def _head(bench: Bench, repository: str) -> Generation:
    head = bench.stores.catalog.head(repository)
    if head is None:
        raise NotFound("The index was removed while it was being embedded.")
    return head


def _has_vectors(bench: Bench, head: Generation) -> bool:
    return bench.embedder is None or head.has_all_vectors_of(bench.embedder.fingerprint)


def _is_done_elsewhere(bench: Bench, errand: Errand) -> bool:
    """Whether another run computes already; should its head be an older one, it begins anew with this one."""
    return any(
        other.run != errand.run and other.step in EMBEDDING - {RunStep.EMBED} and other.state is RunState.RUNNING
        for other in bench.errands.of(errand.repository)
    )


def _planned(errand: Errand) -> str:
    """The generation whose chunks the batches are of."""
    return str(json.loads(errand.outcome or "{}").get("generation", ""))


def _plan_anew(bench: Bench, errand: Errand) -> None:
    bench.bell.send_back(bench.errands, errand, RunStep.EMBED)
