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
from services.indexer.reconcile import reconcile

_log: Final = logging.getLogger(__name__)

TICK_SECONDS: Final = 5.0
"""Between two looks at what is overdue: one query."""
_TERM: Final = 3 * TICK_SECONDS
"""How long one beat keeps others from acting after it was last heard of."""


@dataclass(frozen=True, slots=True)
class Beat:
    """Several may run: by offices in the ledger, one at a time acts."""

    catalog: Catalog
    errands: Errands
    bell: Bell
    owner: str
    poll_seconds: float
    """Between two polls of every repository; 0 for none."""

    def run(self, stopping: threading.Event, *, tick: float = TICK_SECONDS, pulse: Callable[[], None] | None = None) -> None:
        """Until told to stop. A ledger or a broker that is away is waited for. ``pulse`` is called at every tick."""
        while True:
            if pulse is not None:
                pulse()
            try:
                self.act()
            except ExegesisError as error:
                _log.warning("the beat waits: %s", error.message)
            if stopping.wait(tick):
                return

    def act(self) -> None:
        """Do what is due now, if it is ours to do."""
        if not self.errands.lead("beat", owner=self.owner, seconds=_TERM):
            return
        reconcile(self.catalog, self.errands, self.bell)
        # The office of whoever polls is never held on to, and so falls vacant when it is time for the next.
        if self.poll_seconds and self.errands.lead("poll", owner=f"{self.owner}/{secrets.token_hex(4)}", seconds=self.poll_seconds):
            for repository in self.catalog.repositories():
                self.bell.poll(repository.id)
