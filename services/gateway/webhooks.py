"""What code hosts send when somebody pushes: checked before it is read, and then only a hint that a repository may have changed.

Headers are looked at before the body is waited for, so that a stranger who has nothing to show holds no place.

GitHub signs the body (HMAC-SHA256 in ``x-hub-signature-256``). GitLab signs as Standard Webhooks have it (``webhook-id``, ``webhook-timestamp`` and
``webhook-signature``, over ``id.timestamp.body``), or, where it is set up the older way, repeats the secret in ``x-gitlab-token``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from exegesis.errors import Unauthenticated, WireError

WINDOW_SECONDS: Final = 300.0
"""That a signed delivery may be old or early: clocks differ, and what is older may be a recording."""

_PREFIX: Final = "whsec_"

_SIGNED_BY_GITHUB: Final = re.compile(r"sha256=[0-9a-f]{64}")
_SIGNED_AS_STANDARD: Final = re.compile(r"v1,[A-Za-z0-9+/]{43}=")


@dataclass(frozen=True, slots=True)
class Push:
    """Somebody pushed to a repository."""

    repository: str
    """As its host names it: ``owner/name``."""
    delivery: str
    """The same for each time that the host sends it."""


Headers = Mapping[str, str]
"""By names in lower case."""

Read = Callable[[Headers, bytes, str, float], Push | None]
"""The push in a delivery, None for one of anything else; takes headers, body, secret and the time now.

Raises ``Unauthenticated`` for what is not signed, and ``WireError`` for what is no delivery.
"""

Look = Callable[[Headers, str, float], None]
"""Raises ``Unauthenticated`` for headers with which no body can be signed; takes headers, secret and the time now."""


@dataclass(frozen=True, slots=True)
class Host:
    """How deliveries of a code host are told from those of strangers."""

    look: Look
    read: Read


def look_github(headers: Headers, _secret: str, _now: float) -> None:
    _require(_SIGNED_BY_GITHUB.fullmatch(headers.get("x-hub-signature-256", "")) is not None)


def read_github(headers: Headers, body: bytes, secret: str, now: float) -> Push | None:
    look_github(headers, secret, now)
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    _require(hmac.compare_digest(expected.encode(), headers["x-hub-signature-256"].encode()))
    if headers.get("x-github-event") != "push":
        return None
    fields = _object(body)
    return Push(_named(fields, "repository", "full_name"), headers.get("x-github-delivery", ""))


def look_gitlab(headers: Headers, secret: str, now: float) -> None:
    if "webhook-signature" in headers:
        written = headers.get("webhook-timestamp", "")
        _require(written.isascii() and written.isdigit() and len(written) < 16 and abs(now - int(written)) <= WINDOW_SECONDS)
        _require(any(_SIGNED_AS_STANDARD.fullmatch(signature) for signature in headers["webhook-signature"].split()))
    else:
        _require(hmac.compare_digest(secret.encode(), headers.get("x-gitlab-token", "").encode()))


def read_gitlab(headers: Headers, body: bytes, secret: str, now: float) -> Push | None:
    look_gitlab(headers, secret, now)
    if "webhook-signature" in headers:
        _check_standard(headers, body, secret)
    if headers.get("x-gitlab-event") != "Push Hook":
        return None
    fields = _object(body)
    delivery = headers.get("idempotency-key") or headers.get("webhook-id") or headers.get("x-gitlab-event-uuid", "")
    return Push(_named(fields, "project", "path_with_namespace"), delivery)


HOSTS: Final[Mapping[str, Host]] = {"github": Host(look_github, read_github), "gitlab": Host(look_gitlab, read_gitlab)}


def _check_standard(headers: Headers, body: bytes, secret: str) -> None:
    identifier, written = headers.get("webhook-id", ""), headers["webhook-timestamp"]
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True) if secret.startswith(_PREFIX) else secret.encode()
    except binascii.Error:
        key = b""
    _require(bool(key))
    digest = hmac.new(key, f"{identifier}.{written}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = headers["webhook-signature"].split()  # several while a secret is changed
    _require(any(hmac.compare_digest(expected, signature.encode()) for signature in signatures))


def _require(fits: bool) -> None:  # noqa: FBT001 - the one thing it is about
    if not fits:
        raise Unauthenticated("This delivery is not signed as it should be.", hint="The host and the gateway must have the same secret.")


def _object(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise WireError("The body of this delivery is no JSON object.", hint="Let the host send application/json.")
    return fields


def _named(fields: Mapping[str, Any], part: str, name: str) -> str:
    inner = fields.get(part)
    found = inner.get(name) if isinstance(inner, dict) else None
    if not isinstance(found, str) or not found:
        raise WireError(f"This delivery does not name its {part}.")
    return found
