"""Who asked for what, a line of JSON each, for whoever must be able to say so later. Holds identifiers: no question, no code, no secret."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

Write = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    at: float
    """Seconds since the epoch."""
    request_id: str
    door: str
    """``grpc`` or ``http``."""
    call: str
    peer: str
    token: str
    """Identifier of the token; what was claimed, where it was not accepted; empty where nobody need show one."""
    name: str
    """Of the token."""
    repositories: tuple[str, ...]
    """Those that were asked, once it was clear that the caller may."""
    status: str
    ms: float


def line_of(entry: AuditEntry) -> str:
    fields: dict[str, Any] = {"audit": 1, **asdict(entry)}
    fields["at"], fields["ms"] = round(entry.at, 3), round(entry.ms, 1)
    return json.dumps(fields)
