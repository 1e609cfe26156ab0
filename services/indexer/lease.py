"""Holding on to what one is working on, so that others know that somebody is at it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from exegesis.errors import ExegesisError

_BEATS: Final = 4
"""Times that a lease is renewed before it would end: a ledger that is away for a moment must not cost the work."""


@contextmanager
def held(keep: Callable[[float], bool], seconds: float) -> Iterator[threading.Event]:
    """Keep a lease of so many ``seconds`` as long as the context lasts. The event is set once it is lost: then somebody else does the work, or nobody
    wants it any more. A ledger that does not answer for as long as the lease lasts counts as lost.
    """
    lost, left = threading.Event(), threading.Event()

    def renew() -> None:
        heard = time.monotonic()
        while not left.wait(seconds / _BEATS):
            try:
                if not keep(seconds):
                    lost.set()
                    return
                heard = time.monotonic()
            except ExegesisError:
                if time.monotonic() - heard > seconds:
                    lost.set()
                    return

    renewing = threading.Thread(target=renew, name="lease", daemon=True)
    renewing.start()
    try:
        yield lost
    finally:
        left.set()
        renewing.join()
