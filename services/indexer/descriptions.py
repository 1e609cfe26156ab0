"""Descriptions over the queue: a run of one step, which one worker takes once a generation can be asked, and holds while a language model writes.

What was made lies in the content cache by digest, so whoever takes the step after a death makes nothing twice; how many tokens the model may still
have stands in the ledger, so that deaths do not buy it more. A head that moves meanwhile is begun with anew. Vectors that are about to come make a
generation that says that it is described, and ask for the words of the model again; otherwise this step makes such a generation.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from exegesis.errors import Cancelled, NotFound
from exegesis.model import Errand, Generation, Progress, RunState, RunStep, Tally
from exegesis.ports import Catalog, Errands
from services.indexer.bell import BULK, EMBEDDING, Bell
from services.indexer.bench import Bench
from services.indexer.tallies import count

if TYPE_CHECKING:
    from services.indexer.tell import Allowance

UNFINISHED: Final = frozenset({RunState.QUEUED, RunState.RUNNING})


@dataclass(slots=True)
class Account:
    """What a run has described, over all of its attempts; the outcome of its errand."""

    generation: str = ""
    """The head that it began with last."""
    described: int = 0
    kept: int = 0
    told: int = 0
    tokens: int | None = None
    """That the model may still have; None where none was asked yet."""


def describe(bench: Bench, errand: Errand, stop: threading.Event) -> None:
    """Describe the head, whichever it is by the end; nothing is left to do where another run is at it."""
    stores = bench.stores
    if _is_done_elsewhere(bench, errand):
        stores.catalog.end_run(errand.run, RunState.DONE)
        return
    account = read_account(errand)
    tell = bench.reporting(errand.run)
    seen = None
    while (head := _head(bench, errand.repository)) != seen:
        account.generation = head.id
        _describe(bench, errand, account, stop)
        if stop.is_set():
            raise Cancelled("Another worker has taken over, or nobody wants this run any more.")
        seen = head
    tell(Progress("described", 1, 1))
    stores.catalog.end_run(errand.run, RunState.DONE)
    count(bench.errands, Tally.DESCRIBED, account.described)
    count(bench.errands, Tally.TOLD, account.told)


def ask_for_descriptions(bench: Bench, repository: str, trace: str) -> bool:
    """Have the head described if it does not say that it is, or if a language model may have something to add."""
    head = bench.stores.catalog.head(repository)
    if head is None or (head.described and bench.teller is None):
        return False
    bench.bell.ask(bench.errands, repository, RunStep.DESCRIBE, queue=BULK, trace=trace)
    return True


def describe_what_is_not(catalog: Catalog, errands: Errands, bell: Bell) -> int:
    """Ask again for each head that lacks descriptions though nobody is at it: whoever should have asked died. Returns for how many.

    A head that a run failed to describe is left as it is.
    """
    asked = 0
    for repository in catalog.repositories():
        head = catalog.head(repository.id)
        if head is None or head.described:
            continue
        of = errands.of(repository.id)
        if any(errand.state in UNFINISHED for errand in of) or any(_has_failed(errand, head) for errand in of):
            continue
        bell.ask(errands, repository.id, RunStep.DESCRIBE, queue=BULK)
        asked += 1
    return asked


def read_account(errand: Errand) -> Account:
    written: Mapping[str, object] = json.loads(errand.outcome or "{}")
    return Account(**written)  # type: ignore[arg-type]  # as this module wrote it


def _describe(bench: Bench, errand: Errand, account: Account, stop: threading.Event) -> None:
    from services.indexer.describe import describe_head, say_described, tell_head  # loads the wire format
    from services.indexer.tell import Allowance

    stores, repository = bench.stores, errand.repository
    _note(bench, errand, account)
    made = describe_head(stores, repository, bench.reporting(errand.run))
    account.described += made.made
    account.kept = max(account.kept, made.made + made.kept - account.described)
    _note(bench, errand, account)
    if _vectors_are_to_come(bench, repository):
        return
    if bench.teller is not None:
        allowance = Allowance(bench.teller.tokens if account.tokens is None else account.tokens)
        told, tell = account.told, bench.reporting(errand.run)

        def report(progress: Progress) -> None:
            if progress.phase == "telling":
                account.told = told + progress.done
            _spend(bench, errand, account, allowance)
            tell(progress)

        _, fresh = tell_head(
            stores,
            bench.lock,
            repository,
            bench.teller,
            report,
            dimensions=bench.dimensions,
            cancelled=stop,
            allowance=allowance,
            run=errand.run,
        )
        account.told = told + fresh
        _spend(bench, errand, account, allowance)
    say_described(stores, bench.lock, repository, dimensions=bench.dimensions, run=errand.run)


def _spend(bench: Bench, errand: Errand, account: Account, allowance: Allowance) -> None:
    account.tokens = allowance.left
    _note(bench, errand, account)


def _note(bench: Bench, errand: Errand, account: Account) -> None:
    bench.errands.note(errand.run, json.dumps(asdict(account)))


def _head(bench: Bench, repository: str) -> Generation:
    head = bench.stores.catalog.head(repository)
    if head is None:
        raise NotFound("The index was removed while it was being described.")
    return head


def _has_failed(errand: Errand, head: Generation) -> bool:
    return errand.step is RunStep.DESCRIBE and errand.state is RunState.FAILED and read_account(errand).generation == head.id


def _is_done_elsewhere(bench: Bench, errand: Errand) -> bool:
    """Whether a run that was asked for before is at it; should its head be an older one, it begins anew with this one."""
    newest_first = [other for other in bench.errands.of(errand.repository) if other.step is RunStep.DESCRIBE]
    before = itertools.dropwhile(lambda other: other.run != errand.run, newest_first)
    return any(other.state is RunState.RUNNING for other in before if other.run != errand.run)


def _vectors_are_to_come(bench: Bench, repository: str) -> bool:
    return any(other.step in EMBEDDING and other.state in UNFINISHED for other in bench.errands.of(repository))
