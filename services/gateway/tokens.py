"""Tokens: how they are made, written and recognised, and what they allow.

    exg_<identifier>_<secret>      16 and 64 hexadecimal digits; the prefix lets scanners for leaked secrets find one

The secret is random and has 256 bits, so one round of SHA-256 is all that keeping it needs: nobody guesses it from its digest.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from exegesis.errors import Unauthenticated, UsageError
from exegesis.ports import TokenRecord

ALL: Final = "*"
"""In place of a repository: every one, also those that come later."""

READ: Final = "read"
INDEX: Final = "index"
ADMIN: Final = "admin"
METRICS: Final = "metrics"

_WRITTEN: Final = re.compile(r"exg_(?P<id>[0-9a-f]{16})_(?P<secret>[0-9a-f]{64})", re.ASCII)
_NOT_ACCEPTED: Final = "This token is not accepted."
_NOBODY: Final = b"\0" * 32
"""What a token is compared with whose identifier nobody knows, so that it costs the same."""


@dataclass(frozen=True, slots=True)
class Grants:
    """What a token allows. Identifiers of repositories, or ``ALL``."""

    read: frozenset[str] = frozenset()
    index: frozenset[str] = frozenset()
    """Reindexing; whoever may do that may also read, since its report names files."""
    admin: bool = False
    """Everything: all repositories, folders of the machine, removal, metrics."""
    metrics: bool = False

    def reads(self, repository: str) -> bool:
        return self.admin or not self.read.isdisjoint((repository, ALL)) or self.indexes(repository)

    def indexes(self, repository: str) -> bool:
        return self.admin or not self.index.isdisjoint((repository, ALL))


def write_scopes(grants: Grants) -> tuple[str, ...]:
    """As a store keeps them: ``admin``, ``metrics``, ``read:<repository>``, ``index:<repository>``."""
    flags = [name for name, is_set in ((ADMIN, grants.admin), (METRICS, grants.metrics)) if is_set]
    return (*flags, *(f"{READ}:{each}" for each in sorted(grants.read)), *(f"{INDEX}:{each}" for each in sorted(grants.index)))


def read_scopes(scopes: Iterable[str]) -> Grants:
    """What is not understood allows nothing."""
    parts = [scope.partition(":")[::2] for scope in scopes]
    return Grants(
        read=frozenset(which for kind, which in parts if kind == READ and which),
        index=frozenset(which for kind, which in parts if kind == INDEX and which),
        admin=(ADMIN, "") in parts,
        metrics=(METRICS, "") in parts,
    )


def mint(name: str, grants: Grants, *, now: float, seconds: float | None, per_minute: int) -> tuple[str, TokenRecord]:
    """A new token, which is shown once, and what is kept of it. ``seconds`` until it expires; None for never.

    Raises ``UsageError`` for one that would allow nothing.
    """
    scopes = write_scopes(grants)
    if not scopes:
        raise UsageError("This token would allow nothing.", hint="Name repositories with --read or --index, or pass --admin.")
    identifier, secret = secrets.token_hex(8), secrets.token_hex(32)
    expires = None if seconds is None else now + seconds
    return f"exg_{identifier}_{secret}", TokenRecord(identifier, name, digest_of(secret), scopes, now, expires, per_minute)


def digest_of(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("ascii")).digest()


def identifier_in(written: str) -> str:
    """The identifier that a token claims; empty for what is none. It may stand in a log."""
    found = _WRITTEN.fullmatch(written)
    return found["id"] if found else ""


def check(written: str, record: TokenRecord | None, *, now: float) -> TokenRecord:
    """The record of a token that is good now. ``record`` is what is kept under its identifier.

    Raises ``Unauthenticated`` in the same words and after the same work whether it is unknown, wrong, expired or revoked.
    """
    found = _WRITTEN.fullmatch(written)
    fits = hmac.compare_digest(digest_of(found["secret"] if found else ""), record.digest if record else _NOBODY)
    if record is None or not fits or not is_live(record, now=now):
        raise Unauthenticated(_NOT_ACCEPTED)
    return record


def is_live(record: TokenRecord, *, now: float) -> bool:
    return record.revoked is None and (record.expires is None or now < record.expires)


def bearer(header: str) -> str:
    """The token in the value of an ``authorization`` header. Raises ``Unauthenticated`` where there is none."""
    scheme, _, token = header.strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("This call needs a token.")
    return token.strip()
