"""Facts of a compiler's record in the cache. They follow from a text and the records that are held about it, so these are the key.

Not the records themselves are kept: they are four times as large, and making facts of them takes as long as reading them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence

from google.protobuf.message import DecodeError

from exegesis.errors import WireError
from exegesis.model import ExactFacts
from exegesis.ports import ContentCache
from exegesis.v1 import facts_pb2
from exegesis.wire.exact import exact_from_message, exact_to_message
from services.indexer.exact.holdings import Held

VERSION = 1
"""Raised whenever the same records and the same text yield other facts."""


def key_of(path: str, digest: str, held: Sequence[Held]) -> bytes:
    """Of a file whose text has this SHA-256. Where its stores lie is not part of it; which of them comes first is."""
    return hashlib.sha256(json.dumps((VERSION, path, digest, [(each.store, each.module, each.record) for each in held])).encode()).digest()


def recall(cache: ContentCache, space: str, keys: Sequence[bytes]) -> Mapping[bytes, ExactFacts]:
    """What was kept under some of the keys. Bytes that are no facts are as good as none: they are made anew and replaced."""
    found: dict[bytes, ExactFacts] = {}
    for key, packed in cache.get(space, keys).items():
        try:
            found[key] = exact_from_message(facts_pb2.ExactFacts.FromString(zlib.decompress(packed)))
        except (zlib.error, DecodeError, WireError):
            continue
    return found


def keep(cache: ContentCache, space: str, facts: Mapping[bytes, ExactFacts]) -> None:
    cache.put(space, {key: zlib.compress(exact_to_message(each).SerializeToString(), 1) for key, each in facts.items()})
