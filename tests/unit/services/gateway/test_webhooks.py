from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping

import pytest

from exegesis.errors import Unauthenticated, WireError
from services.gateway.webhooks import HOSTS, WINDOW_SECONDS, Push, read_github, read_gitlab

SECRET = "a secret of the team"
NOW = 1_800_000_000.0
GITHUB = json.dumps({"ref": "refs/heads/main", "after": "c0ffee", "repository": {"full_name": "team/alpha"}}).encode()
GITLAB = json.dumps({"ref": "refs/heads/main", "after": "c0ffee", "project": {"path_with_namespace": "team/alpha"}}).encode()


def github(body: bytes, secret: str = SECRET, event: str = "push") -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"x-hub-signature-256": f"sha256={digest}", "x-github-event": event, "x-github-delivery": "d1"}


def standard(body: bytes, *, at: float = NOW, key: bytes = SECRET.encode()) -> dict[str, str]:
    digest = hmac.new(key, f"m1.{at:.0f}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"webhook-id": "m1", "webhook-timestamp": f"{at:.0f}", "webhook-signature": f"v1,AAAA {signature}", "x-gitlab-event": "Push Hook"}


def test_a_signed_push_is_read() -> None:
    """Of either host, whichever way it proves itself."""
    assert read_github(github(GITHUB), GITHUB, SECRET, NOW) == Push("team/alpha", "d1")
    assert read_gitlab(standard(GITLAB), GITLAB, SECRET, NOW) == Push("team/alpha", "m1")
    told = {"x-gitlab-token": SECRET, "x-gitlab-event": "Push Hook", "x-gitlab-event-uuid": "u1"}
    assert read_gitlab(told, GITLAB, SECRET, NOW) == Push("team/alpha", "u1")


def test_the_signature_is_the_one_that_github_documents() -> None:
    """Its own example; any event but a push is read no further."""
    signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert read_github({"x-hub-signature-256": signature}, b"Hello, World!", "It's a Secret to Everybody", NOW) is None


def test_a_secret_of_standard_webhooks_is_decoded() -> None:
    """As their tools write it; one that does not decode signs nothing."""
    key = b"\x00" * 32
    written = "whsec_" + base64.b64encode(key).decode()
    assert read_gitlab(standard(GITLAB, key=key), GITLAB, written, NOW) is not None
    with pytest.raises(Unauthenticated):
        read_gitlab(standard(GITLAB, key=b""), GITLAB, "whsec_!", NOW)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        github(GITHUB, secret="another"),
        github(GITHUB + b" "),
        {**github(GITHUB), "x-hub-signature-256": github(GITHUB)["x-hub-signature-256"].removeprefix("sha256=")},
        {**github(GITHUB), "x-hub-signature-256": "sha256=\u00e9"},
    ],
)
def test_what_github_did_not_sign_is_refused(headers: Mapping[str, str]) -> None:
    """Before a byte of it is read as anything."""
    with pytest.raises(Unauthenticated):
        read_github(headers, GITHUB, SECRET, NOW)


@pytest.mark.parametrize(
    "headers",
    [
        {"x-gitlab-event": "Push Hook"},
        {"x-gitlab-event": "Push Hook", "x-gitlab-token": "another"},
        standard(GITLAB, key=b"another"),
        standard(GITLAB, at=NOW - WINDOW_SECONDS - 1),
        standard(GITLAB, at=NOW + WINDOW_SECONDS + 1),
        {**standard(GITLAB), "webhook-timestamp": "soon"},
        {**standard(GITLAB), "webhook-timestamp": "\u0661"},
        {**standard(GITLAB), "webhook-signature": "", "x-gitlab-token": SECRET},
    ],
)
def test_what_gitlab_did_not_sign_is_refused(headers: Mapping[str, str]) -> None:
    """Recordings too; and a signature that does not fit is not made good by a token beside it."""
    with pytest.raises(Unauthenticated):
        read_gitlab(headers, GITLAB, SECRET, NOW)


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff", b'{"repository": 1}', b'{"repository": {"full_name": 7}}', b"[" * 100_000])
def test_a_signed_body_that_is_no_push_is_said_to_be_none(body: bytes) -> None:
    """A host that changed its form is told, and nothing falls over."""
    with pytest.raises(WireError):
        read_github(github(body), body, SECRET, NOW)


def test_every_host_refuses_what_has_no_headers() -> None:
    """Whatever is added to the table fails closed, before and after the body."""
    for host in HOSTS.values():
        with pytest.raises(Unauthenticated):
            host.look({}, SECRET, NOW)
        with pytest.raises(Unauthenticated):
            host.read({}, b"{}", SECRET, NOW)


@pytest.mark.parametrize(
    ("host", "headers"),
    [
        ("github", {"x-hub-signature-256": "sha256=0"}),
        ("github", {"x-hub-signature": "sha1=" + 40 * "0"}),
        ("github", {"x-gitlab-token": SECRET}),
        ("gitlab", {"x-gitlab-token": "another"}),
        ("gitlab", {**standard(GITLAB), "webhook-signature": "v1a,AAAA"}),
        ("gitlab", standard(GITLAB, at=NOW - WINDOW_SECONDS - 1)),
        ("gitlab", {**standard(GITLAB), "webhook-signature": "", "x-gitlab-token": SECRET}),
    ],
)
def test_headers_that_sign_nothing_are_refused_without_a_body(host: str, headers: Mapping[str, str]) -> None:
    """No signature, one of another kind, a wrong token, a recording."""
    with pytest.raises(Unauthenticated):
        HOSTS[host].look(headers, SECRET, NOW)


def test_headers_of_a_signed_delivery_let_its_body_come() -> None:
    """Of either host, whichever way it proves itself."""
    HOSTS["github"].look(github(GITHUB), SECRET, NOW)
    HOSTS["gitlab"].look(standard(GITLAB), SECRET, NOW)
    HOSTS["gitlab"].look({"x-gitlab-token": SECRET}, SECRET, NOW)
