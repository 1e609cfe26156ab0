"""``ports.Embedder`` with a memory: vectors are looked up by model and text before they are computed.

Indexing in the background and questions that embed a few candidates both go through here, so neither computes what the other has.
"""

from __future__ import annotations

import array
import hashlib
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from exegesis.errors import Unavailable
from exegesis.ports import ContentCache, Embedder

SPACE = "vectors"

KEPT_BYTES = 1 << 30
"""Vectors kept for all repositories together: 700,000 of them. Those not used for longest go first."""
_TRIM_EVERY = 4_096
"""New vectors between two looks at how many there are."""


class CachedEmbedder:
    """The vector of a text is a function of (fingerprint, tokens, text), and is kept under the digest of these as little-endian 32-bit floats."""

    def __init__(self, embedder: Embedder, cache: ContentCache) -> None:
        self._embedder = embedder
        self._cache = cache
        self._added = 0

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        keys = [self._key(text, tokens) for text in texts]
        found = self._cache.get(SPACE, keys)
        known = {key: _unpack(packed) for key, packed in found.items() if len(packed) == 4 * self.dimensions}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            packed = {key: _pack(vector) for key, vector in zip(missing, self._embedder.embed(list(missing.values()), tokens=tokens), strict=True)}
            with suppress(Unavailable):  # a full disk: what was computed is as good without being remembered
                self._remember(packed)
            known.update((key, _unpack(value)) for key, value in packed.items())  # rounded alike, whether they were cached or not
        return [known[key] for key in keys]

    def _remember(self, packed: Mapping[bytes, bytes]) -> None:
        self._cache.put(SPACE, packed)
        self._added += len(packed)
        if self._added >= _TRIM_EVERY:
            self._cache.trim(SPACE, keep_bytes=KEPT_BYTES)
            self._added = 0

    def embed_question(self, text: str) -> Sequence[float]:
        return self._embedder.embed_question(text)

    def _key(self, text: str, tokens: int) -> bytes:
        return hashlib.sha256(f"{self.fingerprint}\0{tokens}\0{text}".encode()).digest()


def _pack(vector: Sequence[float]) -> bytes:
    packed = array.array("f", vector)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _unpack(packed: bytes) -> Sequence[float]:
    vector = array.array("f", packed)
    if sys.byteorder == "big":
        vector.byteswap()
    return vector.tolist()
