"""Where descriptions are kept: in the content cache, by what they are made from, and the set of each state of a repository under its name.

Losing them costs time: those that are made from declarations can be made again of the same generation, and say the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.errors import WireError
from exegesis.model import Description, Generation
from exegesis.ports import ContentCache
from exegesis.v1 import graph_pb2, model_pb2
from exegesis.wire import decode, encode

FORMAT: Final = 1
"""Raised whenever the same material is told in other words, so that what was kept is not taken for what would be said now."""

DECLARED: Final = "declarations"
"""What :attr:`exegesis.model.Generation.described` begins with where all descriptions are made from declarations (see :func:`declared`)."""

KEPT_BYTES: Final = 64 << 20
"""Of one repository: 1 kB for each description, so those of all branches of a large one."""


@dataclass(frozen=True, slots=True)
class _Set:
    descriptions: tuple[Description, ...]


def space_of(repository: str) -> str:
    """Each repository has its own, because descriptions quote comments, and removing a repository removes all of it."""
    return f"descriptions/{repository}"


def set_name(generation: str, described: str) -> bytes:
    """The name of the descriptions of a state: generations of the same content have the same, unless a language model had a part in them."""
    content = generation.rpartition("-")[0] or generation
    return f"set/{FORMAT}/{content}/{described.removeprefix(DECLARED)}".encode()


def declared(generation: Generation) -> str:
    """What a generation says that is described from its declarations. One in which files failed differs from others of its content, because another
    attempt may read them.
    """
    failed = sorted((*generation.coverage.failed, *generation.coverage.degraded))
    told = hashlib.sha256(repr(failed).encode("utf-8", "backslashreplace")).hexdigest()[:16]
    return f"{DECLARED}-{told}" if failed else DECLARED


def save_set(cache: ContentCache, repository: str, name: bytes, descriptions: Iterable[Description]) -> None:
    cache.put(space_of(repository), {name: encode(_Set(tuple(descriptions)), graph_pb2.DescriptionPage)})


def load_set(cache: ContentCache, repository: str, name: bytes) -> Sequence[Description] | None:
    """None where it was not kept, or cannot be read."""
    stored = cache.get(space_of(repository), [name]).get(name)
    if stored is None:
        return None
    try:
        return decode_set(stored)
    except WireError:
        return None


def is_described(cache: ContentCache, generation: Generation) -> bool:
    """Whether the descriptions of a generation are kept that are made from declarations."""
    name = set_name(generation.id, declared(generation))
    return name in cache.get(space_of(generation.repository), [name])


def known_digests(cache: ContentCache, repository: str, digests: Sequence[str]) -> frozenset[str]:
    """Those of them that something was made from before."""
    return frozenset(key.decode() for key in cache.get(space_of(repository), [digest.encode() for digest in digests]))


def keep(cache: ContentCache, repository: str, descriptions: Iterable[Description]) -> None:
    """Each under its digest, and what a language model wrote under that model's name as well."""
    cache.put(space_of(repository), {_key(each.digest, each.model): encode(each, model_pb2.Description) for each in descriptions})


def told_by(cache: ContentCache, repository: str, model: str, digests: Sequence[str]) -> Mapping[str, Description]:
    """What this language model wrote before, by digest."""
    found: dict[str, Description] = {}
    for stored in cache.get(space_of(repository), [_key(digest, model) for digest in digests]).values():
        try:
            each = decode(stored, model_pb2.Description, Description)
        except WireError:
            continue
        found[each.digest] = each
    return found


def decode_set(stored: bytes) -> Sequence[Description]:
    """Raises ``WireError`` for bytes that are no set."""
    return decode(stored, graph_pb2.DescriptionPage, _Set).descriptions


def _key(digest: str, model: str) -> bytes:
    return f"{digest}/{model}".encode() if model else digest.encode()
