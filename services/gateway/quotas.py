"""How often a token may ask: a bucket that holds the requests of ten seconds and fills at the rate of its quota."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

from exegesis.errors import QuotaExceeded

_BURST_SECONDS: Final = 10.0
"""Of requests that may come at once: an editor that opens a file asks several things, and then nothing for a while."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """``level`` requests could be made at ``at``."""

    level: float
    at: float


def take(bucket: Bucket | None, *, now: float, per_minute: int) -> tuple[Bucket, float]:
    """The bucket after one request at ``now``, and 0; or what it holds, and the seconds until the next request may come."""
    rate = per_minute / 60
    most = max(rate * _BURST_SECONDS, 1.0)
    level = most if bucket is None else min(most, bucket.level + max(now - bucket.at, 0.0) * rate)
    if level >= 1:
        return Bucket(level - 1, now), 0.0
    return Bucket(level, now), (1 - level) / rate


class Quotas:
    """The buckets of one process; each replica of a gateway counts for itself. Only tokens that are accepted get one, so there are few."""

    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}
        self._turn = threading.Lock()

    def spend(self, token: str, *, now: float, per_minute: int) -> None:
        """Raises ``QuotaExceeded``, which says when to come back."""
        with self._turn:
            self._buckets[token], wait = take(self._buckets.get(token), now=now, per_minute=per_minute)
        if wait:
            raise QuotaExceeded(f"This token may ask {per_minute} times a minute.", hint=f"Come back in {wait:.1f} s.", seconds=wait)
