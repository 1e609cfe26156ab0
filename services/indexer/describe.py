"""Descriptions of what is large, made once a generation can be asked: from declarations always, and told by a language model where one may.

Each is kept by the digest of what it was made from, so that whoever changes nothing about a type leaves its description as it is.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from exegesis.descriptions import KEPT_BYTES, keep, known_digests, load_set, save_set, set_name, space_of
from exegesis.errors import NotIndexed
from exegesis.model import Progress
from exegesis.telemetry import Attribute, SpanName, stage
from services.graph.api import Pin
from services.indexer.api import Report
from services.indexer.stores import Stores


@dataclass(frozen=True, slots=True)
class Described:
    made: int = 0
    kept: int = 0
    """Of what was described before, and is as it was."""
    told: int = 0
    """Of those made, by a language model."""


def describe_head(stores: Stores, repository: str, report: Report) -> Described:
    """Describe what the head holds, from declarations. A head that is described already costs a look."""
    head = stores.catalog.head(repository)
    if head is None:
        return Described()
    name = set_name(head.id, "")
    known = load_set(stores.cache, repository, name)
    if known is not None:
        return Described(kept=len(known))
    with stage(SpanName.DESCRIBE) as describing, contextlib.suppress(NotIndexed):  # newer generations came, and this one was swept away meanwhile
        describing.mark(Attribute.REPOSITORY, repository)
        report(Progress("describing", 0, 1))
        found = stores.graph.descriptions(Pin(repository, head.id))
        before = known_digests(stores.cache, repository, [each.digest for each in found])
        fresh = [each for each in found if each.digest not in before]
        keep(stores.cache, repository, fresh)
        save_set(stores.cache, repository, name, found)
        stores.cache.trim(space_of(repository), keep_bytes=KEPT_BYTES)
        describing.count(items_in=len(found), items_out=len(fresh))
        report(Progress("describing", 1, 1))
        return Described(made=len(fresh), kept=len(found) - len(fresh))
    return Described()
