"""Descriptions of what is large, made once a generation can be asked: from declarations always, and told by a language model where one may.

Each is kept by the digest of what it was made from, so that whoever changes nothing about a type leaves its description as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from exegesis.descriptions import KEPT_BYTES, declared, is_described, keep, known_digests, load_set, save_set, set_name, space_of, told_by
from exegesis.errors import NotIndexed
from exegesis.model import Description, Generation, Progress
from exegesis.ports import WriteLock
from exegesis.telemetry import Attribute, SpanName, stage
from services.graph.api import Pin
from services.indexer.api import Report
from services.indexer.further import further_name, make_head
from services.indexer.stores import Stores
from services.indexer.sweep import sweep
from services.indexer.tell import Allowance, Teller, tell


@dataclass(frozen=True, slots=True)
class Described:
    made: int = 0
    kept: int = 0
    """Of what was described before, and is as it was."""


def describe_head(stores: Stores, repository: str, report: Report) -> Described:
    """Describe what the head holds, from declarations. A head that is described already costs a look."""
    head = stores.catalog.head(repository)
    if head is None:
        return Described()
    name = set_name(head.id, declared(head))
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


def tell_head(
    stores: Stores,
    lock: WriteLock,
    repository: str,
    teller: Teller,
    report: Report,
    *,
    dimensions: int,
    cancelled: threading.Event,
    allowance: Allowance | None = None,
    run: str = "",
) -> tuple[Generation | None, int]:
    """Have the language model describe what it has not described yet; where it did, a further generation of the same content has its words.

    Returns the head and how many it told. Asking needs no lock, because it only fills the cache. Raises ``Cancelled``, and ``Conflict`` when somebody
    else writes at the very end; what was written by then is kept, and the next run goes on with it.
    """
    head = stores.catalog.head(repository)
    if head is None:
        return None, 0
    found = load_set(stores.cache, repository, set_name(head.id, declared(head))) or ()
    known = dict(told_by(stores.cache, repository, teller.model.name, [each.digest for each in found]))
    fresh = 0
    with stage(SpanName.DESCRIBE) as describing, contextlib.suppress(NotIndexed):
        describing.mark(Attribute.REPOSITORY, repository)
        describing.mark(Attribute.MODEL, teller.model.name)
        missing = [each for each in found if each.digest not in known]
        for told in tell(teller, stores, Pin(repository, head.id), missing, report, cancelled=cancelled, allowance=allowance):
            known[told.digest] = told
            fresh += 1
            if stores.catalog.head(repository) != head:  # what is left to say is to be said of a newer one
                break
        describing.count(items_in=len(missing), items_out=fresh)
    words = [_in_words_of(known, each) for each in found]
    described = _fingerprint(words)
    if described in {"", head.described}:
        return head, fresh
    with lock.hold(repository):
        if stores.catalog.head(repository) != head:  # a newer one will be told by whoever made it
            return stores.catalog.head(repository), fresh
        save_set(stores.cache, repository, set_name(head.id, described), words)
        further = replace(head, id=further_name(head), created=stores.clock.now(), described=described)
        made = make_head(stores, head, further, dimensions=dimensions, run=run)
        sweep(repository, stores)
        return made, fresh


def say_described(stores: Stores, lock: WriteLock, repository: str, *, dimensions: int, run: str = "") -> Generation | None:
    """Where the head is described and does not say so, a further generation of the same content does; only of such do contexts hold descriptions.

    Returns the head. Raises ``Conflict`` when somebody else writes.
    """
    with lock.hold(repository):
        head = stores.catalog.head(repository)
        if head is None or head.described or not is_described(stores.cache, head):
            return head
        further = replace(head, id=further_name(head), created=stores.clock.now(), described=declared(head))
        made = make_head(stores, head, further, dimensions=dimensions, run=run)
        sweep(repository, stores)
        return made


def _in_words_of(known: Mapping[str, Description], each: Description) -> Description:
    """With what the model wrote of the same; an answer that was not believed says what was said before, and nobody wrote that."""
    told = known.get(each.digest)
    return each if told is None or told.text == each.text else replace(each, text=told.text, model=told.model, written=told.written)


def _fingerprint(words: Sequence[Description]) -> str:
    """Names a set that a language model had a part in; empty for one that it had none in."""
    told = [f"{each.digest} {each.model} {each.text}" for each in words if each.model]
    return hashlib.sha256("\n".join(told).encode("utf-8", "surrogatepass")).hexdigest()[:16] if told else ""
