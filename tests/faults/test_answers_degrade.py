"""A stopped chunk index, embedding server, language model or collector costs an answer what it would have given, and no more.

Faults 18, 19, 22 and 29.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from exegesis.adapters.rested import REST_SECONDS
from exegesis.model import Answer, Edge, Finished, Options, Question, Warned
from exegesis.rpc.deadline import ending_in
from exegesis.settings import Settings
from services.assembly import Assembly
from services.graph.api import Direction, Pin
from services.graph.local import LocalGraph
from services.graph.remote import RemoteGraph, host
from services.indexer.api import IndexOptions
from services.query.hurry import CUT
from services.query.local import LocalQuery
from tests.fakes.gate import Gate, Way, gate
from tests.fakes.loopback import loopback
from tests.fakes.openai_server import endpoint, falls_silent
from tests.fakes.qdrant_rest import qdrant_rest
from tests.fakes.tei_server import TeiServer, tei_server

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect", "ignore:Local mode performs exact"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),  # of the fake servers, whose clients vanish
]

SOURCE = """\
/// Keeps the session and renews its token before it expires.
final class Session {
    let store = Store()

    /// Renews the token of the session.
    func renewToken() {
        store.save(token: "next")
    }
}

/// Where tokens are kept.
final class Store {
    func save(token: String) {
        write(token)
    }

    func write(_ token: String) {
        print(token)
    }
}
"""
SOON: float = 1.5
"""Seconds within which an answer without a server must be there on a busy machine; on an idle one it takes tenths."""


@dataclass(frozen=True, slots=True)
class Team:
    """An installation with a chunk index, an embedding server and a language model at addresses, each behind a gate."""

    assembly: Assembly
    repository: str
    chunks: Gate
    embeddings: Gate
    model: Gate
    served: TeiServer

    def ask(self, *, use_model: bool = False) -> Answer:
        return finished(self.assembly, self.repository, use_model=use_model)

    def warnings(self) -> Sequence[str]:
        return self.ask().warnings


def finished(assembly: Assembly, repository: str, *, use_model: bool) -> Answer:
    question = Question("How is the token of a session renewed?", (repository,), Options(use_model=use_model))
    events = list(assembly.query.explain(question))
    told = tuple(event.message for event in events if isinstance(event, Warned))
    assert isinstance(events[-1], Finished)
    assert set(told) <= set(events[-1].answer.warnings)
    return events[-1].answer


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    root = tmp_path / "app"
    root.mkdir()
    (root / "Session.swift").write_text(SOURCE, "utf-8")
    with ExitStack() as stack:
        chunks = stack.enter_context(gate(stack.enter_context(qdrant_rest()).url.removeprefix("http://")))
        served = stack.enter_context(tei_server())
        embeddings = stack.enter_context(gate(served.url.removeprefix("http://")))
        model = stack.enter_context(gate(stack.enter_context(endpoint(falls_silent())).url.removeprefix("http://").partition("/")[0]))
        settings = Settings(
            home=str(tmp_path / "home"),
            workers=1,
            chunks_address=f"http://{chunks.address}",
            embedder_address=f"http://{embeddings.address}",
            embedder_model=served.model,
            model_url=f"http://{model.address}/v1",
            model="any",
            model_seconds=1.0,
        )
        assembly = stack.enter_context(closing(Assembly(settings)))
        report = assembly.indexer.index(str(root), IndexOptions(), lambda _: None)
        yield Team(assembly, report.repository.id, chunks, embeddings, model, served)


def test_nothing_is_missing_while_all_answer(team: Team) -> None:
    """What the others compare with."""
    answer = team.ask()
    assert answer.warnings == ()
    assert "Session.swift" in {citation.path for citation in answer.citations}


@pytest.mark.parametrize("way", [Way.CLOSED, Way.FROZEN], ids=["stopped", "unreachable"])
@pytest.mark.slow
def test_without_the_chunk_index_words_and_calls_answer(team: Team, way: Way) -> None:
    """Fault 18: with a warning; the first who asks waits no longer than a search may take, the next one not at all."""
    whole = team.ask()
    team.chunks.turn(way)
    started = time.monotonic()
    first = team.ask()
    waited = time.monotonic() - started
    assert any(warning.startswith("Found by words and calls alone") for warning in first.warnings)
    assert {item.symbol for item in first.context.items} == {item.symbol for item in whole.context.items}
    assert waited < (SOON if way is Way.CLOSED else 5 + SOON)
    started = time.monotonic()
    assert team.ask().context == first.context
    assert time.monotonic() - started < SOON


@pytest.mark.endurance
def test_a_chunk_index_that_comes_back_is_found_again(team: Team) -> None:
    """After a rest, without anybody doing anything."""
    team.chunks.turn(Way.CLOSED)
    assert team.warnings()
    team.chunks.turn(Way.OPEN)
    deadline = time.monotonic() + 2 * REST_SECONDS
    while team.warnings():
        assert time.monotonic() < deadline
        time.sleep(0.5)


@pytest.mark.parametrize("way", [Way.CLOSED, Way.FROZEN], ids=["stopped", "unreachable"])
@pytest.mark.slow
def test_without_the_embedding_server_words_answer(team: Team, way: Way) -> None:
    """With a warning; the first who asks waits as long as one may for an embedding, the next one not at all. The chunk index is still asked."""
    team.embeddings.turn(way)
    answer = team.ask()
    assert any(warning.startswith("Vectors were left out") for warning in answer.warnings)
    assert answer.context.items
    before = team.chunks.connections
    started = time.monotonic()
    assert team.ask().context == answer.context
    assert time.monotonic() - started < SOON
    assert team.chunks.connections >= before


@pytest.mark.parametrize("way", [Way.CLOSED, Way.FROZEN], ids=["stopped", "unreachable"])
@pytest.mark.slow
def test_without_the_language_model_the_code_tells(team: Team, way: Way) -> None:
    """Fault 22: within the time that a model may take, with a warning, and from the same context."""
    team.model.turn(way)
    started = time.monotonic()
    answer = team.ask(use_model=True)
    assert time.monotonic() - started < 10
    assert (answer.model, answer.text) == ("", team.ask().text)
    assert answer.warnings


# ---- the graph service


class SlowGraph(LocalGraph):
    """Takes its time for edges, as a service does whose disk is busy."""

    seconds = 5.0

    def edges(self, pin: Pin, ids: Sequence[int], direction: Direction, *, per_node: int = 16) -> Sequence[Edge]:
        threading.Event().wait(self.seconds)
        return super().edges(pin, ids, direction, per_node=per_node)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [2.0, 1.0])
def test_a_slow_graph_service_cuts_the_traversal_and_not_the_answer(team: Team, seconds: float) -> None:
    """Fault 19: within the time of the caller, from what words found, with a warning."""
    assembly = team.assembly
    question = Question("How is the token of a session renewed?", (team.repository,), Options(use_model=False, dense=False))
    whole = assembly.query.compose(question)
    with loopback(host(SlowGraph(assembly.graph_store))) as address, closing(RemoteGraph(address)) as slow:
        query = LocalQuery(assembly.catalog, slow, assembly.chunk_index)
        started = time.monotonic()
        with ending_in(seconds):
            composed = query.compose(question)
        assert time.monotonic() - started < seconds
    assert CUT in composed.warnings
    assert whole.warnings == ()
    assert {item.symbol for item in composed.context.items} <= {item.symbol for item in whole.context.items}
    assert composed.context.items
