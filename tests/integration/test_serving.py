"""The same code as processes that serve each other: graph and query on loopback, the command asking them."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from tests.fakes.collector import collecting
from tests.fakes.openai_server import endpoint, falls_silent

HOUSE = Path(__file__).resolve().parents[2]
ASKED = "How does a token get refreshed?"
STAGES = {"retrieval", "symbol-mapping", "graph-traversal", "ranking", "context-composition", "generation"}

pytestmark = pytest.mark.slow


def environment(home: Path, **more: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("EXEGESIS_", "OTEL_"))}
    return {**clean, "EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none", "PYTHONPATH": str(HOUSE), **more}


class Process:
    """A service as a person starts it."""

    def __init__(self, service: str, home: Path, *, listen: str = "127.0.0.1:0", **more: str) -> None:
        command = [sys.executable, "-m", "exegesis", "serve", service, "--listen", listen]
        self._process = subprocess.Popen(command, env=environment(home, **more), stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        self.said: list[str] = []
        for line in self._process.stderr:
            self.said.append(line)
            if found := re.search(r"listening at (\S+)", line):
                self.address = found[1]
                break
        else:
            self._process.wait(5)
            self._process.stderr.close()
            raise AssertionError("".join(self.said))
        self._reader = threading.Thread(target=lambda: self.said.extend(self._process.stderr or ()), daemon=True)
        self._reader.start()

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        self._process.send_signal(how)
        code = self._process.wait(20)
        self._reader.join(5)
        if self._process.stderr is not None:
            self._process.stderr.close()
        return code


class Installation:
    """A copy of the example, and two ways to ask about it: in one process, and through services that share a catalog but not the graph."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "swift-oauth"
        shutil.copytree(HOUSE / "examples" / "swift-oauth", self.project)
        self.addresses: dict[str, str] = {}
        self._sockets = itertools.count()

    def run(self, *arguments: str, home: str = "served", **more: str) -> subprocess.CompletedProcess[str]:
        addresses = self.addresses if home == "served" else {}
        return subprocess.run(
            [sys.executable, "-m", "exegesis", *arguments],
            cwd=self.project,
            env=environment(self.folder / home, **{**addresses, **more}),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def ask(self, *arguments: str, home: str = "served", **more: str) -> dict[str, object]:
        done = self.run(*arguments, "--json", home=home, **more)
        assert done.returncode == 0, done.stderr
        found: dict[str, object] = json.loads(done.stdout)
        return found

    @contextmanager
    def serving(self, **more: str) -> Iterator[dict[str, Process]]:
        graph = Process("graph", self.folder / "graph", listen=f"unix:{self.folder}/g{next(self._sockets)}", **more)
        query = Process("query", self.folder / "served", EXEGESIS_GRAPH_ADDRESS=graph.address, **more)
        before, self.addresses = self.addresses, {"EXEGESIS_GRAPH_ADDRESS": graph.address, "EXEGESIS_QUERY_ADDRESS": query.address}
        processes = {"query": query, "graph": graph}
        try:
            yield processes
        finally:
            self.addresses = before
            codes = [process.end() for process in processes.values()]
        assert codes == [0, 0]


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    made = Installation(tmp_path_factory.mktemp("i"))
    with made.serving():
        yield made


def test_services_compose_what_one_process_composes(installation: Installation) -> None:
    """Byte for byte: context, answer, citations, outline; and the graph is where the graph service keeps it."""
    near = installation.ask("explain", ASKED, "--diagram", home="embedded")
    far = installation.ask("explain", ASKED, "--diagram")
    assert json.dumps(far["context"]) == json.dumps(near["context"])
    for part in ("answer", "citations", "outline", "diagram", "confidence", "commit", "coverage"):
        assert far[part] == near[part]
    assert list((installation.folder / "graph" / "graph").rglob("*.db"))
    assert not (installation.folder / "served" / "graph").exists()


def test_a_graph_that_was_written_from_afar_is_the_same_graph(installation: Installation) -> None:
    """Table by table: symbols, edges, chunks, terms, what depends on the whole."""
    dumps = []
    for home in ("embedded", "graph"):
        assert installation.run("explain", ASKED, home="embedded" if home == "embedded" else "served").returncode == 0
        store = SqliteGraph(installation.folder / home / "graph")
        (repository,) = [each.name for each in (installation.folder / home / "graph").iterdir()]
        reader = store.open(repository, store.generations(repository)[-1])
        dumps.append(reader.dump())
        reader.close()
    assert dumps[0] == dumps[1]
    assert len(dumps[0]["edges"]) > 100


@pytest.mark.parametrize(
    "arguments",
    [("search", "token refresh"), ("graph", "callers", "TokenStore.load"), ("graph", "impact", "Credential"), ("graph", "hubs"), ("graph", "map")],
    ids=" ".join,
)
def test_other_questions_are_answered_alike(installation: Installation, arguments: tuple[str, ...]) -> None:
    """Or refused alike: exit code and words."""
    near, far = (installation.run(*arguments, "--json", home=home) for home in ("embedded", "served"))
    assert (far.returncode, far.stdout) == (near.returncode, near.stdout)
    assert near.returncode in {0, 1, 2}


def test_a_question_about_nothing_here_is_refused(installation: Installation) -> None:
    """With the exit code and the words of the service."""
    done = installation.run("explain", "quantum chromodynamics lattice")
    assert done.returncode == 3
    assert "quantum" in done.stderr
    assert "exegesis status" in done.stderr


def test_a_service_that_is_away_is_named(installation: Installation) -> None:
    """What does not answer, where, and what to do; no traceback."""
    done = installation.run("explain", ASKED, EXEGESIS_QUERY_ADDRESS="127.0.0.1:9")
    assert done.returncode == 1
    assert "query service at 127.0.0.1:9 does not answer" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_question_is_one_trace_across_processes(installation: Installation) -> None:
    """From the query service through every stage into the graph service; no text of the question in it."""
    with collecting() as (collector, address), installation.serving(OTEL_EXPORTER_OTLP_ENDPOINT=address):
        answer = installation.ask("explain", ASKED)
        spans = collector.trace(str(answer["trace_id"]))
    by_id = {span.span_id: span for span in spans}
    roots = [span for span in spans if span.parent_span_id not in by_id]
    assert [root.name for root in roots] == ["exegesis.v1.QueryService/ExplainInPages"]
    (explain,) = [span for span in spans if span.name == "explain"]
    assert by_id[explain.parent_span_id] is roots[0]
    assert {span.name for span in spans if span.parent_span_id == explain.span_id} >= STAGES
    asked = [span for span in spans if span.name.startswith("exegesis.v1.GraphService/")]
    assert {by_id[span.parent_span_id].name for span in asked} >= {"retrieval", "symbol-mapping", "context-composition"}
    assert "refreshed" not in " ".join(map(str, spans))


def test_an_interrupted_command_stops_the_model_of_the_service(installation: Installation) -> None:
    """Ctrl-C in one process, a closed connection out of another, within a second; the spans of what was left say that it was."""
    with (
        collecting() as (collector, address),
        endpoint(falls_silent("The refresher asks for a new token [E1]. And then ")) as server,
        installation.serving(EXEGESIS_MODEL_URL=server.url, EXEGESIS_MODEL="fake-1", OTEL_EXPORTER_OTLP_ENDPOINT=address) as served,
    ):
        process = subprocess.Popen(
            [sys.executable, "-m", "exegesis", "explain", ASKED],
            cwd=installation.project,
            env=environment(installation.folder / "served", **installation.addresses),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert server.arrived.wait(20)
        process.send_signal(signal.SIGINT)
        assert server.hung_up.wait(2.0)
        assert process.wait(10) == 130
        left = {"generation", "explain", "exegesis.v1.QueryService/ExplainInPages"}
        deadline = time.monotonic() + 10
        while not left <= (ended := {span.name: span.status.message for span in collector.spans}).keys():
            assert time.monotonic() < deadline, ended
            time.sleep(0.1)
        assert {ended[name] for name in left} == {"cancelled"}
    assert server.url not in "".join(served["query"].said), "addresses of others are not for our log"


def test_a_service_that_is_killed_while_it_serves_is_found_again(installation: Installation) -> None:
    """After a restart at the same place the next question is answered, without a restart of who asks."""
    with installation.serving() as served:
        assert installation.run("explain", ASKED).returncode == 0
        served["graph"].end(signal.SIGKILL)
        assert installation.run("search", "token").returncode == 1
        served["graph"] = Process("graph", installation.folder / "graph", listen=served["graph"].address)
        done = installation.run("explain", ASKED)
        assert done.returncode == 0, done.stderr
