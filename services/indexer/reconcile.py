"""Ringing again for what is due: messages get lost, and workers die."""

from __future__ import annotations

from exegesis.model import Errand, RunState
from exegesis.ports import Catalog, Errands
from services.indexer.bell import BATCHES, Bell
from services.indexer.fan_in import WINDOW, hand_on


def reconcile(catalog: Catalog, errands: Errands, bell: Bell) -> int:
    """Ring for every run that nothing was heard of for a while; returns for how many. Ringing once too often does no harm."""
    overdue = errands.overdue()
    for errand in overdue:
        if errand.step in BATCHES:
            _ring_batches(errand, catalog, errands, bell)
        else:
            bell.ring(errand)
    return len(overdue)


def _ring_batches(errand: Errand, catalog: Catalog, errands: Errands, bell: Bell) -> None:
    """For the batches that were opened and are nobody's; for what follows them, if whoever finished the last one died there."""
    if errand.opened == 0:
        bell.ring_batches(errand, errands.open_batches(errand.run, WINDOW))
        return
    idle = catalog.idle_batches(errand.run)
    opened = [number for number in idle if number < errand.opened]
    if opened:
        bell.ring_batches(errand, opened)
    elif idle:  # those that were opened are done or worked on, and somebody died who should have opened others
        bell.ring_batches(errand, errands.open_batches(errand.run, WINDOW))
    elif all(batch.state is RunState.DONE for batch in catalog.batches(errand.run)):
        hand_on(errands, bell, errand.run, since=errand.step)
