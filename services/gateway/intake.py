"""From a push to a reindexed repository: each delivery once, each repository by one run at a time, however many pushes arrive.

A host was told that its push is taken, and tells it no second time by itself. So what could not be indexed for now is tried again, and what could not
be at all is forgotten, so that whoever tells the host to deliver it again is heard.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from exegesis.errors import Cancelled, Conflict, ExegesisError, Unavailable
from exegesis.model import Repository
from exegesis.ports import Catalog
from services.gateway.webhooks import Push
from services.indexer.api import IndexerService, IndexOptions

_log: Final = logging.getLogger(__name__)

_REMEMBERED: Final = 10_000
"""Deliveries that are known again: hosts repeat one for hours at most, and a team pushes hundreds of times a day."""

_AGAIN_SECONDS: Final = 5.0
"""Until a repository is tried again that somebody else is indexing, or for which something did not answer; then twice as long after each failure."""

_LONGEST_PAUSE: Final = 300.0
"""Between two tries: nobody waits longer than that for a database that is back."""

_MOST_FAILURES: Final = 20
"""In a row, of one repository: more than an hour, in which a server is started again or somebody has heard of it."""


@dataclass(slots=True)
class _Due:
    """A repository that is to be indexed."""

    repository: Repository
    deliveries: set[str] = field(default_factory=set)
    """That wait for it."""
    failures: int = 0
    """Since somebody pushed to it last."""
    at: float = 0.0
    """When it may be tried, by the monotonic clock."""


class Intake:
    """Reindexes what was pushed to, in a thread of its own that ends with ``close``.

    Args:
        catalog: Which repositories there are.
        indexer: Indexes them.
        request: Has a repository indexed by others, and returns at once; None where there are no others.
        pause: Seconds until what failed is tried again; twice as long after each further failure.

    """

    def __init__(
        self,
        catalog: Catalog,
        indexer: IndexerService,
        request: Callable[[str], None] | None = None,
        *,
        pause: float = _AGAIN_SECONDS,
    ) -> None:
        self._catalog = catalog
        self._indexer = indexer
        self._request = request
        self._pause = pause
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._due: dict[str, _Due] = {}
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._worker: threading.Thread | None = None

    def take(self, push: Push) -> None:
        """Note that repositories of that name are due. A delivery that waits or was indexed changes nothing; one that failed is taken again."""
        found = [repository for repository in self._catalog.repositories() if repository.root and is_of(repository, push)]
        if not found:
            return
        with self._changed:
            if push.delivery in self._seen:
                return
            for repository in found:
                due = self._due.setdefault(repository.id, _Due(repository))
                due.failures, due.at = 0, 0.0
                due.deliveries.update({push.delivery} - {""})
            if push.delivery:
                self._seen[push.delivery] = None
                if len(self._seen) > _REMEMBERED:
                    self._seen.popitem(last=False)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="intake", daemon=True)
                self._worker.start()
            self._changed.notify()

    def close(self) -> None:
        """Stop; a run under way ends with its batch, and the next one takes it up."""
        self._closed.set()
        with self._changed:
            self._changed.notify()
            worker = self._worker
        if worker is not None:
            worker.join(30)

    def _work(self) -> None:
        while (due := self._next()) is not None:
            try:
                if self._request is not None:
                    self._request(due.repository.id)
                else:
                    self._indexer.index(due.repository.root, IndexOptions(embed=False), lambda _: None, cancelled=self._closed)
            except Cancelled:
                return
            except Conflict:
                self._put_back(due, self._pause)
            except Unavailable as error:
                due.failures += 1
                if due.failures < _MOST_FAILURES:
                    pause = min(self._pause * 2 ** (due.failures - 1), _LONGEST_PAUSE)
                    _log.warning("%s was pushed to and is indexed in %.0f s: %s", due.repository.id, pause, error.message)
                    self._put_back(due, pause)
                else:
                    self._give_up(due, error.message)
            except ExegesisError as error:
                self._give_up(due, error.message)
            except Exception as error:  # noqa: BLE001 - one repository must not keep the others from being indexed
                self._give_up(due, type(error).__name__)

    def _put_back(self, due: _Due, pause: float) -> None:
        """To be tried after ``pause`` seconds, or at once where somebody pushed to it meanwhile."""
        due.at = time.monotonic() + pause
        with self._changed:
            self._due.setdefault(due.repository.id, due).deliveries.update(due.deliveries)

    def _give_up(self, due: _Due, why: str) -> None:
        _log.warning("%s was pushed to and could not be indexed: %s", due.repository.id, why)
        with self._changed:
            for delivery in due.deliveries:
                self._seen.pop(delivery, None)

    def _next(self) -> _Due | None:
        """The one that has waited longest of those that may be tried; None once this is closed."""
        with self._changed:
            while not self._closed.is_set():
                first = min(self._due.values(), key=lambda due: due.at, default=None)
                pause = None if first is None else first.at - time.monotonic()
                if first is not None and pause is not None and pause <= 0:
                    return self._due.pop(first.repository.id)
                self._changed.wait(pause)
            return None


def is_of(repository: Repository, push: Push) -> bool:
    """Whether this may be what was pushed to, or a checkout of it: they have one name. A wrong guess costs a look at unchanged files."""
    return repository.name in {push.repository, push.repository.rpartition("/")[2]}
