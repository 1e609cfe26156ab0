"""A push that a code host tells of, from the signed delivery to the reindexed repository."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from exegesis.errors import Conflict, CorruptIndex, ExegesisError, Unavailable
from exegesis.settings import Secret, Settings
from services.assembly import Assembly
from services.gateway.http import DELIVERY_BYTES, MOST_DELIVERIES, MOST_DELIVERIES_OF_ONE
from services.gateway.intake import Intake
from services.gateway.server import hooks_of
from services.gateway.webhooks import Push
from services.indexer.api import IndexOptions, IndexReport, Report
from tests.fakes.gateway import Served, gateway
from tests.fakes.three_repositories import Known, three_repositories

SECRET = "a secret of the team"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Assembly, dict[str, Known]]]:
    assembly, known = three_repositories(tmp_path_factory.mktemp("webhooks"))
    yield assembly, known
    assembly.close()


def deliver(client: httpx.Client, repository: str, *, delivery: str, secret: str = SECRET) -> int:
    body = json.dumps({"ref": "refs/heads/main", "after": "c0ffee", "repository": {"full_name": repository}}).encode()
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    headers = {"x-hub-signature-256": f"sha256={signature}", "x-github-event": "push", "x-github-delivery": delivery}
    return client.post("/webhooks/github", content=body, headers=headers).status_code


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Counting:
    """An indexer that counts its runs; all else is that of the one it has."""

    def __init__(self, assembly: Assembly) -> None:
        self._indexer = assembly.indexer
        self.runs: list[str] = []

    def index(self, root: str, options: IndexOptions, report: Report, *, cancelled: object = None) -> IndexReport:
        self.runs.append(root)
        return self._indexer.index(root, options, report)


def test_a_push_reindexes_the_repository_once_however_often_it_is_told(made: tuple[Assembly, dict[str, Known]]) -> None:
    """Repeated deliveries are harmless, strangers are turned away without work, and unknown repositories are answered like known ones."""
    assembly, known = made
    alpha = known["alpha"]
    (Path(alpha.root) / "New.swift").write_text("func quokkaArrives() {}\n", "utf-8")
    indexer = Counting(assembly)
    settings = Settings(github_webhook_secret=Secret(SECRET))
    with closing(Intake(assembly.catalog, indexer)) as intake:  # type: ignore[arg-type]  # it indexes, and that is all that is asked of it
        hooks = hooks_of(settings, intake, assembly.clock)
        with gateway(assembly, hooks=hooks) as served, served.client() as client:
            assert deliver(client, "team/alpha", delivery="d0", secret="another") == 401
            assert indexer.runs == []
            with ThreadPoolExecutor(5) as hosts:
                assert list(hosts.map(lambda _: deliver(client, "team/alpha", delivery="d1"), range(5))) == [202] * 5
            assert deliver(client, "team/unknown", delivery="d2") == 202
            assert client.post("/webhooks/gitlab", json={}).status_code == 404
            assert eventually(lambda: assembly.catalog.head(alpha.id).id != alpha.generation)  # type: ignore[union-attr]
    assert indexer.runs == [alpha.root]
    assert [entry["status"] for entry in served.entries()] == ["UNAUTHENTICATED"] + ["OK"] * 6
    assert SECRET not in "".join(served.audit)


LIKE_A_SIGNATURE = "X-Hub-Signature-256: sha256=" + 64 * "0"


def begin(served: Served, *headers: str, source: str = "127.0.0.1") -> socket.socket:
    """A delivery whose body never comes."""
    host, _, port = served.http.removeprefix("http://").partition(":")
    connection = socket.create_connection((host, int(port)), timeout=10, source_address=(source, 0))
    connection.sendall("\r\n".join(["POST /webhooks/github HTTP/1.1", "Host: x", *headers, "", ""]).encode())
    return connection


def status(connection: socket.socket) -> int:
    return int(connection.recv(4096).split()[1])


def test_strangers_do_not_close_the_door(made: tuple[Assembly, dict[str, Known]]) -> None:
    """What shows no signature, or says that it is too large, is answered before its body; what waits for a body leaves places to other addresses."""
    assembly, _ = made
    settings = Settings(github_webhook_secret=Secret(SECRET))
    with (
        closing(Intake(assembly.catalog, assembly.indexer)) as intake,
        ExitStack() as opened,
        gateway(assembly, hooks=hooks_of(settings, intake, assembly.clock)) as served,
    ):
        for _ in range(MOST_DELIVERIES + 1):
            assert status(opened.enter_context(begin(served, "Content-Length: 100"))) == 401
        too_large = f"Content-Length: {DELIVERY_BYTES + 1}"
        assert status(opened.enter_context(begin(served, LIKE_A_SIGNATURE, too_large))) == 400
        for _ in range(MOST_DELIVERIES_OF_ONE):
            opened.enter_context(begin(served, LIKE_A_SIGNATURE, "Content-Length: 100"))
        assert eventually(lambda: status(opened.enter_context(begin(served, LIKE_A_SIGNATURE, "Content-Length: 0"))) == 503)
        far = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=served.http, transport=far, timeout=10) as client:
            assert deliver(client, "team/unknown", delivery="d9") == 202
        opened.close()  # those who waited have left
        with served.client() as client:
            assert eventually(lambda: deliver(client, "team/unknown", delivery="d9") == 202)


class Failing:
    """Has repositories indexed by others, whose first answers are these errors."""

    def __init__(self, *errors: ExegesisError) -> None:
        self._errors = list(errors)
        self.asked: list[str] = []

    def __call__(self, repository: str) -> None:
        self.asked.append(repository)
        if self._errors:
            raise self._errors.pop(0)


def pushed(repository: str, delivery: str) -> Push:
    return Push(repository, delivery)


def test_a_push_outlasts_what_does_not_answer(made: tuple[Assembly, dict[str, Known]]) -> None:
    """It is tried until it succeeds, whatever else is pushed to meanwhile; and then the same delivery changes nothing."""
    assembly, known = made
    failing = Failing(Unavailable("The database does not answer."), Conflict("Somebody is indexing."), Unavailable("It does not answer."))
    with closing(Intake(assembly.catalog, assembly.indexer, failing, pause=0.05)) as intake:
        intake.take(pushed("team/alpha", "d1"))
        assert eventually(lambda: len(failing.asked) == 4)
        intake.take(pushed("team/alpha", "d1"))
        intake.take(pushed("team/bravo", "d2"))
        assert eventually(lambda: len(failing.asked) == 5)
    assert failing.asked == [known["alpha"].id] * 4 + [known["bravo"].id]


def test_what_waits_to_be_tried_again_holds_up_nothing_else(made: tuple[Assembly, dict[str, Known]]) -> None:
    """Another repository is indexed at once, and so is the same one when somebody pushes to it; a delivery that waits is not taken twice."""
    assembly, known = made
    failing = Failing(Unavailable("The database does not answer."))
    with closing(Intake(assembly.catalog, assembly.indexer, failing, pause=60)) as intake:
        intake.take(pushed("team/alpha", "d1"))
        assert eventually(lambda: failing.asked == [known["alpha"].id])
        intake.take(pushed("team/alpha", "d1"))
        intake.take(pushed("team/bravo", "d2"))
        assert eventually(lambda: failing.asked == [known["alpha"].id, known["bravo"].id])
        intake.take(pushed("team/alpha", "d3"))
        assert eventually(lambda: failing.asked == [known["alpha"].id, known["bravo"].id, known["alpha"].id])


def test_a_delivery_that_failed_may_be_delivered_again(made: tuple[Assembly, dict[str, Known]]) -> None:
    """After what trying again does not mend, and after many tries in vain."""
    assembly, known = made
    for errors in ([CorruptIndex("Nothing of it can be read.")], [Unavailable("The database does not answer.")] * 20):
        failing = Failing(*errors)
        with closing(Intake(assembly.catalog, assembly.indexer, failing, pause=0)) as intake:
            intake.take(pushed("team/alpha", "d1"))
            assert eventually(lambda: len(failing.asked) == len(errors))  # noqa: B023 - asked before the next one begins
            assert eventually(lambda: _again(intake, failing, len(errors)))  # noqa: B023 - likewise
            intake.take(pushed("team/alpha", "d1"))
            intake.take(pushed("team/bravo", "d2"))
            assert eventually(lambda: failing.asked[-1] == known["bravo"].id)  # noqa: B023 - likewise
        assert failing.asked == [known["alpha"].id] * (len(errors) + 1) + [known["bravo"].id]


def _again(intake: Intake, failing: Failing, before: int) -> bool:
    """Whether the delivery, told once more, is tried once more."""
    intake.take(pushed("team/alpha", "d1"))
    return len(failing.asked) > before
