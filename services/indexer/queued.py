"""An index run as batches behind a queue: publish what is due, and hand over what comes back."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from exegesis.errors import Cancelled
from exegesis.model import RunState
from exegesis.ports import Catalog, ContentCache, TaskQueue
from services.indexer.handlers import PARSE, QUEUE, BatchParser, Plan, parse, save_plan
from services.indexer.pool import ParserPool

BATCH_FILES = 64
"""A job of some seconds: a message for each file would cost more than parsing it, and a lost job must not cost much."""

BATCH_BYTES = 1 << 20
"""Source of one batch at most, so that the last batches of a repository of large files still keep every worker busy."""

_GLANCE = 0.2
"""Seconds between looks at whether the caller wants to stop."""


class Consumers(TaskQueue, Protocol):
    """A queue whose jobs are handled by somebody in reach."""

    def raise_failure(self) -> None:
        """Raise what a handler raised, if one did."""
        ...


Consume = Callable[[Mapping[str, Callable[..., None]]], AbstractContextManager[Consumers]]
"""Makes a queue whose jobs the given handlers perform, as long as the context lasts."""


def parse_queued(
    plan: Plan,
    sizes: Mapping[str, int],
    catalog: Catalog,
    cache: ContentCache,
    parsers: ParserPool,
    *,
    consume: Consume,
    cancelled: threading.Event,
) -> Generator[Mapping[str, bytes], None, None]:
    """The answers for all files of the plan, batch by batch as they are done, in any order.

    Batches that an interrupted run of the same plan has finished are not parsed again: their answers are in the cache. ``sizes`` are bytes by path.
    """
    save_plan(catalog, plan)
    planned = [path for batch in catalog.batches(plan.run) for path in batch.paths]
    if sorted(planned) != sorted(plan.files):
        catalog.plan(plan.run, cut(list(plan.files), sizes))
    finished: queue.SimpleQueue[int] = queue.SimpleQueue()
    leaving = threading.Event()
    # One owner for all runs of this repository on this machine: whoever is here holds its write lock, so leases of others are those of the dead.
    handler = BatchParser(catalog, cache, parsers, owner=f"here:{plan.repository}", finished=finished.put, leaving=leaving)
    batches = {batch.number: batch for batch in catalog.batches(plan.run)}
    with consume({PARSE: handler}) as jobs:
        try:
            for batch in batches.values():
                if batch.state is RunState.DONE:
                    finished.put(batch.number)
                else:
                    jobs.publish(PARSE, {"repository": plan.repository, "run": plan.run, "number": batch.number}, queue=QUEUE)
            for _ in batches:
                batch = batches[_next(finished, jobs, cancelled)]
                files = [plan.files[path] for path in batch.paths if path in plan.files]
                # What the cache has lost is parsed again: losing it costs time, never truth.
                yield parse(plan, files, cache, parsers, leaving=leaving)
        finally:
            leaving.set()


def cut(paths: Sequence[str], sizes: Mapping[str, int], *, most_files: int = BATCH_FILES, most_bytes: int = BATCH_BYTES) -> list[list[str]]:
    """Batches of at most so many files, and of about so many bytes."""
    batches: list[list[str]] = []
    room = 0
    for path in paths:
        size = sizes.get(path, 0)
        if not batches or len(batches[-1]) == most_files or room < size:
            batches.append([])
            room = most_bytes
        batches[-1].append(path)
        room -= size
    return batches


def _next(finished: queue.SimpleQueue[int], jobs: Consumers, cancelled: threading.Event) -> int:
    while True:
        if cancelled.is_set():
            raise Cancelled("Indexing was interrupted.")
        jobs.raise_failure()
        try:
            return finished.get(timeout=_GLANCE)
        except queue.Empty:
            continue
