"""What happens without anybody asking: lost messages are rung for again, and repositories are looked at now and then."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from exegesis.errors import ExegesisError
from exegesis.ports import Catalog, Errands
from services.indexer.bell import Bell
from services.indexer.descriptions import describe_what_is_not
from services.indexer.reconcile import reconcile

_log: Final = logging.getLogger(__name__)

LOOKS: Final = 9
"""At what is overdue, each one query, while a lease lasts: what a death costs is then the lease and little more. Every five seconds by default."""
_TERM: Final = 3
"""Looks for which one beat keeps others from acting after it was last heard of."""


@dataclass(frozen=True, slots=True)
class Beat:
    """Several may run: by offices in the ledger, one at a time acts."""

    catalog: Catalog
    errands: Errands
    bell: Bell
    owner: str
    poll_seconds: float
    """Between two polls of every repository; 0 for none."""
    lease_seconds: float
    """After which a process that says nothing is taken for dead."""

    @property
    def tick(self) -> float:
        """Seconds between two looks."""
        return self.lease_seconds / LOOKS

    def run(self, stopping: threading.Event, *, pulse: Callable[[], None] | None = None) -> None:
        """Until told to stop. A ledger or a broker that is away is waited for. ``pulse`` is called at every tick."""
        while True:
            if pulse is not None:
                pulse()
            try:
                self.act()
            except ExegesisError as error:
                _log.warning("the beat waits: %s", error.message)
            if stopping.wait(self.tick):
                return

    def act(self) -> None:
        """Do what is due now, if it is ours to do."""
        if not self.errands.lead("beat", owner=self.owner, seconds=_TERM * self.tick):
            return
        reconcile(self.catalog, self.errands, self.bell)
        # The offices of whoever looks at all repositories are never held on to, and so fall vacant when it is time for the next.
        if self.errands.lead("describe", owner=f"{self.owner}/{secrets.token_hex(4)}", seconds=self.lease_seconds):
            describe_what_is_not(self.catalog, self.errands, self.bell)
        if self.poll_seconds and self.errands.lead("poll", owner=f"{self.owner}/{secrets.token_hex(4)}", seconds=self.poll_seconds):
            for repository in self.catalog.repositories():
                self.bell.poll(repository.id)
