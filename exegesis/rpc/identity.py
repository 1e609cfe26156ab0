"""The identifier of the request that a call belongs to: given by the first who asks, passed on by everyone, found in errors and logs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

REQUEST_ID: Final = "x-request-id"
"""Name in the metadata of a call."""

_SANE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What may stand in a log."""

_current: Final[ContextVar[str]] = ContextVar("exegesis-request", default="")


def current_request() -> str:
    """Empty outside of a call."""
    return _current.get()


def is_sane(written: str) -> bool:
    return _SANE.fullmatch(written) is not None


@contextmanager
def request(identifier: str) -> Iterator[None]:
    """Everything inside belongs to this request."""
    token = _current.set(identifier)
    try:
        yield
    finally:
        _current.reset(token)
