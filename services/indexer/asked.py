"""The indexer's promise kept by workers behind a queue: a run is written down, rung for, and watched in the ledger."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from exegesis.errors import Cancelled, ExegesisError, NotFound, NotIndexed, Unavailable
from exegesis.model import Errand, Progress, Repository, RunState, RunStep, SourceFile
from exegesis.ports import Catalog, Clock, Errands
from exegesis.telemetry import Attribute, SpanName, current_trace, stage
from services.indexer.api import IndexerService, IndexOptions, IndexReport, Report, Status
from services.indexer.bell import BULK, EMBEDDING, INTERACTIVE, MAINTENANCE, Bell
from services.indexer.descriptions import UNFINISHED, Account, read_account
from services.indexer.git_address import is_remote
from services.indexer.identity import repository_at
from services.indexer.mirror import Mirrors
from services.indexer.steps import write_options
from services.indexer.stores import registered

_GLANCE: Final = 0.25
"""Seconds between two looks at how far a run is."""

_WATCH_SECONDS: Final = 3.0
"""Between two looks at whether a watched folder has changed."""

_REST_SECONDS: Final = 15.0
"""After a run of a watched folder that failed: what it failed of may last, and each costs the workers a look at all files."""

_PATIENCE: Final = 6
"""Times that looking at a repository that lies elsewhere is put off before whoever waits is told why: about a minute. A misspelt address is so,
and so is a network that is away, so the run goes on trying for longer."""

_LATER_SECONDS: Final = 10.0
"""That is waited for a run which another process is about to ask for."""


class AskedIndexer:
    """``IndexerService`` that asks for runs.

    Args:
        catalog: The ledger of repositories and runs.
        errands: Its further half.
        bell: Rings for what was asked.
        near: Answers what needs nothing but a look.
        mirrors: Know which addresses may be fetched from.
        clock: Measures what a run took, and how long is waited for one.

    """

    def __init__(self, catalog: Catalog, errands: Errands, bell: Bell, near: IndexerService, mirrors: Mirrors, *, clock: Clock) -> None:
        self._catalog = catalog
        self._errands = errands
        self._bell = bell
        self._near = near
        self._mirrors = mirrors
        self._clock = clock

    def index(self, root: str, options: IndexOptions, report: Report, *, cancelled: threading.Event | None = None) -> IndexReport:
        """Whoever stops waiting stops waiting only: the run goes on, since others may wait for it as well."""
        started = self._clock.monotonic()
        repository = self.locate(root)
        if repository not in self._catalog.repositories():
            self._catalog.register(repository)
        stop = cancelled or threading.Event()
        before = {errand.run for errand in self._errands.of(repository.id)}
        queue = BULK if self._catalog.head(repository.id) is None else INTERACTIVE
        with stage(SpanName.INDEX) as running:
            running.mark(Attribute.REPOSITORY, repository.id)
            while (done := self._follow(self._ask(repository.id, options, queue), report, stop)).state is RunState.SUPERSEDED:
                pass  # whoever superseded it may have seen less than what is there now
            head = self._catalog.head(repository.id)
            if head is None:
                raise NotIndexed(f"{repository.name} was removed while it was being indexed.")
            running.mark(Attribute.GENERATION, head.id)
            running.count(items_in=head.coverage.seen, items_out=head.chunks)
            report(Progress("usable", 1, 1, head.id))
            outcome = json.loads(done.outcome or "{}")
            vectors = self._vectors(repository.id, outcome["vectors"], stop) if outcome.get("vectors") else None
            if vectors is not None:
                self._follow(vectors, report, stop)
                head = self._catalog.head(repository.id) or head
            account = self._described(repository.id, before, report, stop) if options.describe else Account()
            head = self._catalog.head(repository.id) or head
        return IndexReport(
            repository,
            head,
            changed=int(outcome.get("changed", 0)),
            removed=int(outcome.get("removed", 0)),
            resumed=bool(done.attempt > 1),
            unchanged=bool(outcome.get("unchanged", False)),
            seconds=self._clock.monotonic() - started,
            described=account.described,
            descriptions_kept=account.kept,
            told=account.told,
        )

    def request(self, repository: str) -> None:
        """Have a registered repository indexed soon, as it was before. Returns at once."""
        self._bell.ask(self._errands, repository, RunStep.LOOK, queue=BULK, options=write_options(self._options(repository)))

    def remove(self, repository: str) -> None:
        """Nothing of it can be asked from here on; its space is given back when a worker comes to it."""
        registered(self._catalog, repository)
        self._catalog.forget(repository)
        self._bell.ask(self._errands, repository, RunStep.WIPE, queue=MAINTENANCE)

    def watch(self, root: str, options: IndexOptions, report: Report, *, cancelled: threading.Event) -> None:
        """By polling: the folder is the workers'. A run that fails, for whatever reason, is told, and asked for again after a while."""
        self.locate(root)  # what is no folder, or may not be fetched, is not waited for
        while not cancelled.is_set():
            try:
                self.index(root, options, report, cancelled=cancelled)
                while not cancelled.wait(_WATCH_SECONDS) and not self.is_stale(self.locate(root).id):
                    pass
            except Cancelled:
                return
            except ExegesisError as error:
                report(Progress("waiting", 0, 0, error.message))
                cancelled.wait(_REST_SECONDS)

    # ---- looking

    def locate(self, root: str) -> Repository:
        """Of a folder, or of an address, which is checked before anything is done with it."""
        return repository_at(self._mirrors.read(root)) if is_remote(root) else self._near.locate(root)

    def is_stale(self, repository: str) -> bool:
        return self._near.is_stale(repository)

    def files(self, repository: str) -> Sequence[SourceFile]:
        return self._near.files(repository)

    def status(self, repository: str | None = None) -> Sequence[Status]:
        return [
            status if status.problem else replace(status, problem=self._problem(status.repository.id)) for status in self._near.status(repository)
        ]

    def _problem(self, repository: str) -> str:
        """What the last run failed of, or waits for; empty if it does neither."""
        last = next((errand for errand in self._errands.of(repository) if errand.step in {RunStep.LOOK, RunStep.PARSE, RunStep.ASSEMBLE}), None)
        if last is None:
            return ""
        if last.state is RunState.FAILED:
            return last.reason
        return _waits_for(last) if last.state in UNFINISHED else ""

    # ---- waiting

    def _ask(self, repository: str, options: IndexOptions, queue: str) -> Errand:
        run = self._errands.ask(repository, RunStep.LOOK, queue=queue, options=write_options(options), trace=current_trace())
        errand = self._errands.find(run)
        if errand is None:
            raise NotFound(f"There is no repository {repository}.")
        if errand.state is RunState.QUEUED and not self._bell.ring(errand):
            raise Unavailable("The queue does not take jobs; the run is written down, and begins when it does.", hint="Come back later.")
        return errand

    def _follow(self, errand: Errand, report: Report, stop: threading.Event) -> Errand:
        """The errand once it has ended, or the one that it joined. Raises what it failed with."""
        errand = self._until_it_ends(errand, report, stop)
        if errand.state is RunState.FAILED:
            raise ExegesisError(errand.reason)
        return errand

    def _until_it_ends(self, errand: Errand, report: Report, stop: threading.Event) -> Errand:
        shown: Progress | None = None
        patience = max(errand.waits + 1, _PATIENCE)
        while errand.state in UNFINISHED or errand.joined:
            if errand.progress != shown:
                shown = errand.progress
                report(shown)
            if errand.waits >= patience and errand.step is RunStep.LOOK and _waits_for(errand) and self._is_elsewhere(errand.repository):
                raise Unavailable(
                    _waits_for(errand), hint="Check the address, and the network. The run goes on trying; `exegesis status` tells how it fares."
                )
            if not errand.joined and stop.wait(_GLANCE):
                raise Cancelled("Nobody waits for this run any more; it goes on.")
            errand = self._found(errand.joined or errand.run)
        return errand

    def _is_elsewhere(self, repository: str) -> bool:
        return any(is_remote(known.root) for known in self._catalog.repositories() if known.id == repository)

    def _found(self, run: str) -> Errand:
        errand = self._errands.find(run)
        if errand is None:
            raise NotFound("The repository was removed while it was being indexed.")
        return errand

    def _vectors(self, repository: str, model: str, stop: threading.Event) -> Errand | None:
        """The run that computes the vectors of a model, by fingerprint, which is asked for as soon as the index can be; None if whoever should have
        done that died.
        """
        late = self._clock.monotonic() + _LATER_SECONDS
        while self._clock.monotonic() < late and not stop.is_set():
            under_way = [errand for errand in self._errands.of(repository) if errand.step in EMBEDDING and errand.state in UNFINISHED]
            if under_way:
                return under_way[-1]  # those that were asked for later leave it to the first
            head = self._catalog.head(repository)
            if head is None or head.has_all_vectors_of(model):
                return None
            stop.wait(_GLANCE)
        return None

    def _described(self, repository: str, before: Collection[str], report: Report, stop: threading.Event) -> Account:
        """What the runs made that describe, which are asked for as soon as the index can be; descriptions that cannot be had are done without."""
        late = self._clock.monotonic() + _LATER_SECONDS
        while self._clock.monotonic() < late and not stop.is_set():
            runs = [errand for errand in self._errands.of(repository) if errand.step is RunStep.DESCRIBE]
            under_way = [errand for errand in runs if errand.state in UNFINISHED]
            if under_way:
                with contextlib.suppress(NotFound):
                    self._until_it_ends(under_way[-1], report, stop)
                late = self._clock.monotonic() + _LATER_SECONDS
                continue
            head = self._catalog.head(repository)
            fresh = [errand for errand in runs if errand.run not in before]
            if head is None or head.described or any(errand.state is RunState.FAILED for errand in fresh):
                return _sum_of([read_account(errand) for errand in fresh])
            stop.wait(_GLANCE)
        return Account()

    def _options(self, repository: str) -> IndexOptions:
        """Those of the last run that said so."""
        asked = next((errand.options for errand in self._errands.of(repository) if errand.options), "")
        return IndexOptions(**json.loads(asked)) if asked else IndexOptions()


def _waits_for(errand: Errand) -> str:
    """What its step was put off for; empty while somebody is at it."""
    return errand.progress.detail if errand.progress.phase == "waiting" else ""


def _sum_of(accounts: Sequence[Account]) -> Account:
    """Of runs one after the other on the same content: what one of them made the next one kept."""
    described = sum(account.described for account in accounts)
    most = max((account.described + account.kept for account in accounts), default=0)
    return Account(described=described, kept=max(0, most - described), told=sum(account.told for account in accounts))
