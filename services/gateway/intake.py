"""From a push to a reindexed repository: each delivery once, each repository by one run at a time, however many pushes arrive."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from exegesis.errors import Cancelled, Conflict, ExegesisError
from exegesis.model import Repository
from exegesis.ports import Catalog
from services.gateway.webhooks import Push
from services.indexer.api import IndexerService, IndexOptions

_log: Final = logging.getLogger(__name__)

_REMEMBERED: Final = 10_000
"""Deliveries that are known again: hosts repeat one for hours at most, and a team pushes hundreds of times a day."""

_AGAIN_SECONDS: Final = 5.0
"""Until a repository is tried again that somebody else is indexing."""


class Intake:
    """Reindexes what was pushed to, in a thread of its own that ends with ``close``.

    Args:
        catalog: Which repositories there are.
        indexer: Indexes them.
        request: Has a repository indexed by others, and returns at once; None where there are no others.

    """

    def __init__(self, catalog: Catalog, indexer: IndexerService, request: Callable[[str], None] | None = None) -> None:
        self._catalog = catalog
        self._indexer = indexer
        self._request = request
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._due: OrderedDict[str, Repository] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._worker: threading.Thread | None = None

    def take(self, push: Push) -> None:
        """Note that repositories of that name are due; the same delivery again changes nothing, and neither does a push to what is due already."""
        found = [repository for repository in self._catalog.repositories() if repository.root and is_of(repository, push)]
        with self._changed:
            if push.delivery:
                if push.delivery in self._seen:
                    return
                self._seen[push.delivery] = None
                if len(self._seen) > _REMEMBERED:
                    self._seen.popitem(last=False)
            self._due.update((repository.id, repository) for repository in found)
            if found and self._worker is None:
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
        while (repository := self._next()) is not None:
            try:
                if self._request is not None:
                    self._request(repository.id)
                else:
                    self._indexer.index(repository.root, IndexOptions(embed=False), lambda _: None, cancelled=self._closed)
            except Cancelled:
                return
            except Conflict:
                with self._changed:
                    self._due.setdefault(repository.id, repository)
                self._closed.wait(_AGAIN_SECONDS)
            except ExegesisError as error:
                _log.warning("%s was pushed to and could not be indexed: %s", repository.id, error.message)
            except Exception as error:  # noqa: BLE001 - one repository must not keep the others from being indexed
                _log.warning("%s was pushed to and could not be indexed: %s", repository.id, type(error).__name__)

    def _next(self) -> Repository | None:
        with self._changed:
            while not self._due and not self._closed.is_set():
                self._changed.wait()
            return None if self._closed.is_set() else self._due.popitem(last=False)[1]


def is_of(repository: Repository, push: Push) -> bool:
    """Whether this may be what was pushed to, or a checkout of it: they have one name. A wrong guess costs a look at unchanged files."""
    return repository.name in {push.repository, push.repository.rpartition("/")[2]}
