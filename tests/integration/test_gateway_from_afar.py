"""The commands of one machine, answered by the gateway of another: the same promise, the same output."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from exegesis.errors import Forbidden, NotFound, Unauthenticated, UsageError
from exegesis.model import Finished, Options, Progress
from exegesis.rpc.address import read_address
from exegesis.settings import Secret, Settings
from services.assembly import Assembly
from services.gateway.api import Asked, Gateway
from services.gateway.elsewhere import RemoteGateway, reach, speaks_tls
from services.gateway.local import LocalGateway
from services.gateway.tokens import Grants
from services.indexer.api import IndexOptions
from tests.fakes.gateway import Served, gateway, token
from tests.fakes.three_repositories import Known, three_repositories

HOUSE = Path(__file__).resolve().parents[2]
ASKED = Asked("How is the session token renewed?", ("alpha",), Options(use_model=False))


@dataclass(frozen=True, slots=True)
class Both:
    """The same indexes, asked here and asked through a gateway."""

    near: Gateway
    far: RemoteGateway
    served: Served
    assembly: Assembly
    known: dict[str, Known]

    def far_with(self, grants: Grants) -> contextlib.closing[RemoteGateway]:
        return contextlib.closing(reach_with(self.served, token(self.assembly, grants)))


def reach_with(served: Served, written: str) -> RemoteGateway:
    return reach(Settings(token=Secret(written)), read_address(served.grpc, source="test"))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    assembly, known = three_repositories(tmp_path_factory.mktemp("afar"))
    near = LocalGateway(assembly.catalog, assembly.indexer, assembly.graph, lambda: assembly.query)
    with gateway(assembly) as served, contextlib.closing(reach_with(served, token(assembly, Grants(admin=True)))) as far:
        yield Both(near, far, served, assembly, known)
    assembly.close()


@pytest.mark.parametrize(
    "ask",
    [
        lambda gateway: gateway.compose(ASKED).context,
        lambda gateway: gateway.outline(ASKED).nodes,
        lambda gateway: gateway.search(ASKED).results,
        lambda gateway: gateway.callers("alpha", "QuokkaStore.saveQuokka"),
        lambda gateway: gateway.callees("alpha", "QuokkaSession.renewToken"),
        lambda gateway: gateway.impact("alpha", "QuokkaStore.saveQuokka"),
        lambda gateway: gateway.path("alpha", "QuokkaSession.renewToken", "QuokkaStore.saveQuokka"),
        lambda gateway: gateway.hubs("alpha"),
        lambda gateway: gateway.map("alpha"),
        lambda gateway: gateway.status(["alpha", "bravo"]),
        lambda gateway: sorted(gateway.files("alpha"), key=lambda file: file.path),
    ],
    ids=["compose", "outline", "search", "callers", "callees", "impact", "path", "hubs", "map", "status", "files"],
)
def test_it_answers_as_if_it_were_here(both: Both, ask: Callable[[Gateway], Any]) -> None:
    """Value for value."""
    found = ask(both.far)
    assert found
    assert list_or_self(found) == list_or_self(ask(both.near))


def list_or_self(found: Any) -> Any:
    return [list_or_self(each) for each in found] if isinstance(found, list | tuple) else found


def test_an_explanation_streams_and_ends_with_the_same_answer(both: Both) -> None:
    """Stages, evidence, text, and the whole."""
    (near,) = [event.answer for event in both.near.explain(ASKED) if isinstance(event, Finished)]
    events = list(both.far.explain(ASKED))
    assert len(events) > 5
    assert isinstance(events[-1], Finished)
    answer = events[-1].answer
    assert (answer.text, answer.citations, answer.context) == (near.text, near.citations, near.context)


def test_a_folder_stands_for_the_repository_of_its_name(both: Both, tmp_path: Path) -> None:
    """As a checkout of one's own does for the one that the gateway has."""
    own = tmp_path / "alpha"
    own.mkdir()
    assert both.far.search(replace(ASKED, projects=(str(own),))).results == both.far.search(ASKED).results


def test_an_index_run_reports_as_it_goes(both: Both) -> None:
    """A repository that the gateway knows, by name; and a folder on its machine, by its path."""
    said: list[Progress] = []
    report = both.far.index("bravo", IndexOptions(embed=False), said.append)
    assert report.unchanged
    assert report.repository.id == both.known["bravo"].id
    assert said


def test_a_checkout_of_ones_own_is_indexed_over_there(both: Both, tmp_path: Path) -> None:
    """By its name, wherever it lies here; whoever may index one repository needs not be an administrator for that."""
    own = tmp_path / "elsewhere" / "bravo"
    own.mkdir(parents=True)
    with both.far_with(Grants(index=frozenset({both.known["bravo"].id}))) as far:
        assert far.index(str(own), IndexOptions(embed=False), lambda _: None).repository.id == both.known["bravo"].id


def test_a_new_folder_is_for_administrators(both: Both, tmp_path: Path) -> None:
    """Whoever may not is told that it is not there."""
    folder = tmp_path / "delta"
    folder.mkdir()
    (folder / "Delta.swift").write_text("func delta() {}\n", "utf-8")
    with both.far_with(Grants(index=frozenset("*"))) as far, pytest.raises(NotFound):
        far.index(str(folder), IndexOptions(embed=False), lambda _: None)
    report = both.far.index(str(folder), IndexOptions(embed=False), lambda _: None)
    assert report.repository.name == "delta"
    both.far.remove(["delta"])
    assert [status.repository.name for status in both.far.status([])] == ["alpha", "bravo", "charlie"]


def test_a_folder_that_is_not_named_in_full_says_how(both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As somebody writes it who has a checkout before them; a name that is no folder is only not there."""
    (tmp_path / "echo").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFound) as raised:
        both.far.index("echo", IndexOptions(embed=False), lambda _: None)
    assert "full path" in raised.value.hint
    with pytest.raises(NotFound) as raised:
        both.far.index("foxtrot", IndexOptions(embed=False), lambda _: None)
    assert "full path" not in raised.value.hint


def test_what_a_token_may_not_is_refused_as_everywhere(both: Both) -> None:
    """With the error that the gateway raised."""
    with both.far_with(Grants(read=frozenset({both.known["alpha"].id}))) as far:
        with pytest.raises(NotFound, match="no repository 'bravo'"):
            far.search(replace(ASKED, projects=("bravo",)))
        with pytest.raises(Forbidden):
            far.remove(["alpha"])
    with contextlib.closing(reach_with(both.served, "")) as far, pytest.raises(Unauthenticated):
        far.status([])


def test_what_is_no_token_is_not_sent() -> None:
    """A slip of the pen may be another secret; the error does not repeat it."""
    with pytest.raises(UsageError) as raised:
        reach(Settings(token=Secret("hunter2\n")), read_address("127.0.0.1:1", source="test"))
    assert "hunter2" not in raised.value.message + raised.value.hint


@pytest.mark.parametrize(
    ("address", "settings", "tls"),
    [
        ("127.0.0.1:7600", Settings(), False),
        ("127.0.0.1:7600", Settings(server_ca="ca.pem"), True),
        ("gateway.example.org:7600", Settings(), True),
        ("gateway.example.org:7600", Settings(server_clear=True), False),
        ("gateway.example.org:7600", Settings(server_clear=True, server_ca="ca.pem"), True),
    ],
)
def test_a_token_crosses_a_network_in_tls(address: str, settings: Settings, *, tls: bool) -> None:
    """Unless somebody says that it need not."""
    assert speaks_tls(settings, read_address(address, source="test")) is tls


def test_a_watch_is_for_ones_own_folders(both: Both) -> None:
    """The gateway does not see them change."""
    with pytest.raises(UsageError, match="--watch"):
        both.far.watch("alpha", IndexOptions(), lambda _: None, cancelled=threading.Event())


# ---- the command


@pytest.mark.slow
@pytest.mark.parametrize(
    "written",
    [
        ("search", "renew token", "--project", "alpha", "--json"),
        ("outline", "How is a token renewed?", "--project", "alpha", "--json"),
        ("graph", "callers", "QuokkaStore.saveQuokka", "--project", "alpha"),
        ("status", "--project", "bravo", "--files"),
    ],
    ids=lambda written: written[0],
)
def test_the_command_prints_the_same(both: Both, written: tuple[str, ...], tmp_path: Path) -> None:
    """With an address as without one."""
    home = str(both.assembly.settings.folder)
    near = run(*written, EXEGESIS_HOME=home)
    far = run(*written, "--server", both.served.grpc, EXEGESIS_HOME=str(tmp_path), EXEGESIS_TOKEN=token(both.assembly, Grants(admin=True)))
    assert near.returncode == 0, near.stderr
    assert (far.returncode, far.stdout) == (0, near.stdout), far.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_address_may_stand_in_the_environment(both: Both, tmp_path: Path) -> None:
    """An explanation with everything that varies taken out; without a token the exit code is that of a failure, and nothing is printed."""
    environment = {"EXEGESIS_SERVER": both.served.grpc, "EXEGESIS_HOME": str(tmp_path)}
    asked = ("explain", "How is a token renewed?", "--project", "alpha", "--json")
    near = run(*asked, EXEGESIS_HOME=str(both.assembly.settings.folder))
    far = run(*asked, EXEGESIS_TOKEN=token(both.assembly, Grants(admin=True)), **environment)
    assert far.returncode == 0, far.stderr
    assert steady(far.stdout) == steady(near.stdout)
    refused = run(*asked, **environment)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "needs a token" in refused.stderr


def steady(printed: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(printed)
    return {name: value for name, value in document.items() if name not in {"stages", "trace_id"}}


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("EXEGESIS_", "OTEL_"))}
    return subprocess.run(
        [sys.executable, "-m", "exegesis", *arguments],
        env={**clean, "EXEGESIS_EMBEDDER": "none", "PYTHONPATH": str(HOUSE), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
