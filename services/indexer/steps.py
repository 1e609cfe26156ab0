"""The steps of a run that one worker takes as a whole. Each may be begun again by another worker at any time, and finds what the last one left."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, replace
from typing import Final

from exegesis.errors import Cancelled, Conflict, UsageError
from exegesis.model import Errand, Progress, Repository, RunState, RunStep
from exegesis.telemetry import SpanName
from services.graph.api import Pin
from services.indexer.api import IndexOptions
from services.indexer.bell import BULK
from services.indexer.bench import Bench
from services.indexer.commit_tree import CommitTree
from services.indexer.descriptions import ask_for_descriptions, describe
from services.indexer.exact.account import Examination
from services.indexer.fan_in import fan_out
from services.indexer.git_address import is_remote
from services.indexer.handlers import load_plan, parse, plan_of, save_plan
from services.indexer.identity import facts_space
from services.indexer.local import FACTS_KEPT
from services.indexer.modules import with_modules
from services.indexer.queued import cut
from services.indexer.read import Unreadable
from services.indexer.snapshot import Snapshot, load_snapshot, save_snapshot
from services.indexer.stores import registered
from services.indexer.survey import Survey, note_failures, relabelled, survey
from services.indexer.sweep import sweep, wipe
from services.indexer.tree import FolderTree
from services.indexer.vectors import complete, embed

Perform = Callable[[Bench, Errand, threading.Event], None]
"""Performs a step; the event is set once nobody wants it any more. Raises what :mod:`services.indexer.worker` knows what to do about."""


def write_options(options: IndexOptions) -> str:
    return json.dumps(asdict(options), sort_keys=True)


def look(bench: Bench, errand: Errand, stop: threading.Event) -> None:
    """See what there is. What is as it was ends the run; else its work is planned, and the first batches are rung for."""
    stores = bench.stores
    repository = registered(stores.catalog, errand.repository)
    options = IndexOptions(**json.loads(errand.options))
    tell = bench.reporting(errand.run)
    with contextlib.ExitStack() as opened:
        tree = opened.enter_context(_commit_of(bench, repository, tell)) if is_remote(repository.root) else None
        found = survey(repository, stores, dimensions=bench.dimensions, options=options, report=tell, tree=tree)
        files = with_modules(tree or FolderTree(repository.root), found.work.files)
    if stop.is_set():
        raise Cancelled("Nobody waits for this run any more.")
    if found.is_current:
        _leave_as_it_is(bench, errand, found, options)
        return
    if bench.errands.adopt(errand.run, found.fingerprint) != errand.run:
        return
    work = replace(found.work, files=files)
    basis = found.basis.pin.generation if found.basis else ""
    save_plan(stores.catalog, plan_of(repository, errand.run, work, commit=tree.commit if tree else "", blobs=tree.names if tree else None))
    save_snapshot(stores.catalog, repository.id, Snapshot(errand.run, str(found.name), found.commit, basis, work, found.holdings))
    batches = cut([file.path for file in work.parse], {file.path: file.size for file in work.parse})
    stores.catalog.plan(errand.run, batches)
    tell(Progress("parsing", 0, len(work.parse)))
    fan_out(bench, errand, RunStep.PARSE, len(batches))


def assemble(bench: Bench, errand: Errand, stop: threading.Event) -> None:
    """Make a generation of what was parsed, and make it the head."""
    from services.indexer.build import Build  # loads numpy, which a worker that parses does not need

    stores = bench.stores
    options = IndexOptions(**json.loads(errand.options))
    snapshot = load_snapshot(stores.catalog, errand.repository, errand.run)
    if snapshot is None:  # somebody has indexed the folder in between, without the queue
        _look_again(bench, errand)
        return
    work = snapshot.work
    with bench.lock.hold(errand.repository):
        records = Examination(registered(stores.catalog, errand.repository), stores, snapshot.holdings, work.exact, anew=not snapshot.basis)
        build = Build(
            stores=stores,
            pin=Pin(errand.repository, snapshot.generation),
            run=errand.run,
            answers=_collecting(bench, errand, stop),
            exact=records,
            dimensions=bench.dimensions,
            report=bench.reporting(errand.run),
            cancelled=stop,
            parsing=SpanName.COLLECT,
            again=errand.attempt > 1,
        )
        _note(bench, errand.run, changed=len(work.parse), removed=work.removed, vectors=_vectors(bench, options))
        generation = build.generation(work, snapshot.basis_in(errand.repository), snapshot.commit)
        _ask_for_vectors(bench, errand, options)
        if options.describe:
            ask_for_descriptions(bench, errand.repository, errand.trace)
        sweep(errand.repository, stores)
    note_failures(generation, stores)
    records.remember()
    stores.cache.trim(facts_space(errand.repository), keep_bytes=FACTS_KEPT)


def wipe_out(bench: Bench, errand: Errand, _stop: threading.Event) -> None:
    """Delete what is kept about a repository that was removed; if it is registered again, what that has not."""
    stores = bench.stores
    with bench.lock.hold(errand.repository):
        if any(known.id == errand.repository for known in stores.catalog.repositories()):
            sweep(errand.repository, stores)
        else:
            wipe(errand.repository, stores)
    bench.mirrors.prune({known.id for known in stores.catalog.repositories()})
    stores.catalog.end_run(errand.run, RunState.DONE)


PERFORM: Final[Mapping[RunStep, Perform]] = {
    RunStep.LOOK: look,
    RunStep.ASSEMBLE: assemble,
    RunStep.EMBED: embed,
    RunStep.COMPLETE: complete,
    RunStep.DESCRIBE: describe,
    RunStep.WIPE: wipe_out,
}

AGAIN: Final[Mapping[RunStep, RunStep]] = {RunStep.LOOK: RunStep.LOOK, RunStep.ASSEMBLE: RunStep.LOOK, RunStep.COMPLETE: RunStep.EMBED}
"""Where a step is begun again whose plan holds no longer; others where they are."""


def _leave_as_it_is(bench: Bench, errand: Errand, found: Survey, options: IndexOptions) -> None:
    """The head says what is there; at most it is said to be of another commit, and lacks vectors."""
    head = found.head
    vectors = _ask_for_vectors(bench, errand, options)
    if options.describe:
        ask_for_descriptions(bench, errand.repository, errand.trace)
    _note(bench, errand.run, changed=0, removed=0, unchanged=True, vectors=vectors)
    labelled = relabelled(head, found.commit) if head else None
    if labelled is not None:
        with bench.lock.hold(errand.repository):
            if bench.stores.catalog.head(errand.repository) == head:
                bench.stores.catalog.activate(errand.run, labelled)
                return
        raise Conflict("Another run has changed the index meanwhile.")
    bench.stores.catalog.end_run(errand.run, RunState.DONE)


def _vectors(bench: Bench, options: IndexOptions) -> str:
    """Fingerprint of the model whose vectors the head is to have; empty for none."""
    return bench.embedder.fingerprint if options.embed and bench.embedder is not None else ""


def _ask_for_vectors(bench: Bench, errand: Errand, options: IndexOptions) -> str:
    """The model whose vectors the head lacks and is to have; then a run is asked for that computes them. Empty where there is nothing to be done."""
    head = bench.stores.catalog.head(errand.repository)
    wanted = _vectors(bench, options)
    if not wanted or head is None or head.has_all_vectors_of(wanted):
        return ""
    bench.bell.ask(bench.errands, errand.repository, RunStep.EMBED, queue=BULK, trace=errand.trace)
    return wanted


def _look_again(bench: Bench, errand: Errand) -> None:
    bench.bell.send_back(bench.errands, errand, RunStep.LOOK)


def _collecting(bench: Bench, errand: Errand, stop: threading.Event) -> Generator[Mapping[str, bytes], None, None]:
    """The answers for all batches; what the cache has lost is parsed again, here."""
    catalog = bench.stores.catalog
    plan = load_plan(catalog, errand.repository, errand.run)
    plan = bench.within_reach(plan) if plan else None
    for batch in catalog.batches(errand.run):
        if stop.is_set() or plan is None:
            raise Cancelled("Another run has taken over.")
        files = [plan.files[path] for path in batch.paths if path in plan.files]
        yield parse(plan, files, bench.stores.cache, bench.parsers, leaving=stop)
    if stop.is_set():
        raise Cancelled("Another run has taken over.")


def _commit_of(bench: Bench, repository: Repository, tell: Callable[[Progress], None]) -> CommitTree:
    """What is newest of a repository that lies elsewhere."""
    tell(Progress("fetching", 0, 1))
    mirror, commit = bench.mirrors.bring(repository.id, repository.root)
    try:
        return CommitTree(repository.root, mirror, commit)
    except Unreadable as error:
        raise UsageError(f"The tree of commit {commit} cannot be read: {error}.") from None


def _note(bench: Bench, run: str, **outcome: int | bool | str) -> None:
    bench.errands.note(run, json.dumps(outcome))
