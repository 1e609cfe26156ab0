"""A further generation of the same content, which says more of it: it takes its place as the head, and nothing of it is copied that can be shared."""

from __future__ import annotations

import contextlib

from exegesis.errors import Conflict
from exegesis.model import Generation
from services.graph.api import Pin
from services.indexer.identity import GenerationName
from services.indexer.stores import Stores


def further_name(head: Generation) -> str:
    name = GenerationName.parse(head.id)
    return str(GenerationName.make(name.inputs, name.recipe))


def make_head(stores: Stores, head: Generation, further: Generation, *, dimensions: int, run: str = "") -> Generation:
    """Make ``further``, which differs from ``head`` in what is said of it, the head. For whoever holds the write lock.

    ``run`` makes it and ends with it, and others that wait stay; without one a run is begun for it, which takes over from all that are unfinished.
    Raises ``Conflict`` if another run has taken over.
    """
    repository, pin = head.repository, Pin(head.repository, further.id)
    run = run or stores.catalog.start_run(repository, f"further {head.id} {further.described}")[0]
    with contextlib.ExitStack() as undo:
        stores.graph.share(Pin(repository, head.id), further.id)
        undo.callback(stores.graph.delete, pin)
        points = stores.chunks.draft(repository, further.id, basis=head.id, dimensions=dimensions)
        undo.callback(stores.chunks.delete, repository, further.id)
        undo.callback(points.discard)
        points.commit()
        if not stores.catalog.activate(run, further):
            raise Conflict(f"Another run has taken over the index of {repository}.")
        undo.pop_all()
    return further
