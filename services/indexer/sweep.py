"""Which generations may go. Readers do not register, so a generation that was the head a moment ago stays for a while."""

from __future__ import annotations

from collections.abc import Sequence

from exegesis.model import Generation
from services.graph.api import Pin
from services.indexer.identity import facts_space, records_space
from services.indexer.stores import Stores

KEPT = 2
"""The head and the one before it, whatever their age: questions that run during an index run are answered by the latter."""

GRACE_SECONDS = 60.0
"""How long a generation outlives the moment it stopped being the head. A question pins its generation and opens all of it within milliseconds."""


def outdated(generations: Sequence[Generation], now: float) -> list[Generation]:
    """Those of ``generations``, newest first, that nobody can be reading. Each was the head until the next newer one was made."""
    return [old for newer, old in zip(generations[KEPT - 1 :], generations[KEPT:], strict=False) if now - newer.created > GRACE_SECONDS]


def sweep(repository: str, stores: Stores) -> None:
    """Delete what is outdated, and what runs left behind that died. Only for whoever holds the write lock: a draft has no other owner."""
    for generation in outdated(stores.catalog.generations(repository), stores.clock.now()):
        stores.catalog.retire(repository, generation.id)
    _delete_except(frozenset(generation.id for generation in stores.catalog.generations(repository)), repository, stores)


def drop(repository: str, stores: Stores) -> None:
    """Delete every generation, finished or not."""
    _delete_except(frozenset(), repository, stores)


def wipe(repository: str, stores: Stores) -> None:
    """Delete every generation, finished or not, and all that the content cache keeps of the repository."""
    from exegesis.descriptions import space_of  # brings the wire format
    from exegesis.rewritings import SPACE as REWRITINGS

    drop(repository, stores)
    for space in (facts_space(repository), records_space(repository), space_of(repository), REWRITINGS):
        stores.cache.trim(space, keep_bytes=0)


def _delete_except(kept: frozenset[str], repository: str, stores: Stores) -> None:
    for generation in stores.graph.stored(repository):
        if generation not in kept:
            stores.graph.delete(Pin(repository, generation))
    for generation in stores.chunks.generations(repository):
        if generation not in kept:
            stores.chunks.delete(repository, generation)
