"""Indexing through a queue, with real workers: the same index as in one process, whatever dies on the way."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from benchmarks.tables import Tables, differences, read_tables
from exegesis.adapters.celery_queue import CeleryQueue
from exegesis.errors import ExegesisError
from exegesis.model import Progress, Question, RunState, RunStep
from exegesis.settings import read_settings
from exegesis.v1 import gateway_pb2, gateway_pb2_grpc
from services.assembly import Assembly
from services.gateway.index_metrics import IndexMetrics
from services.gateway.intake import Intake
from services.gateway.metrics import Meter
from services.gateway.server import hooks_of
from services.gateway.tokens import Grants, mint
from services.indexer.api import IndexOptions, IndexReport
from tests.fakes.collector import collecting
from tests.fakes.crew import HOUSE, Crew, crew
from tests.fakes.gateway import gateway
from tests.fakes.git_http import commit_all, git_host
from tests.fakes.openai_server import Exchange, Script, endpoint, says
from tests.fakes.postgres_server import PostgresServer, postgres_server
from tests.fakes.tei_server import tei_server

pytestmark = pytest.mark.slow

ASKED = "How does a token get refreshed?"
WORDS = IndexOptions(embed=False)


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, outside of any repository."""
    copied = tmp_path_factory.mktemp("project") / "swift-oauth"
    shutil.copytree(HOUSE / "examples" / "swift-oauth", copied)
    return copied


@pytest.fixture(scope="module")
def embedded(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """What one process makes of the example."""
    home = tmp_path_factory.mktemp("embedded")
    with contextlib.closing(Assembly(read_settings({"EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none"}))) as assembly:
        made = assembly.indexer.index(str(project), WORDS, lambda _: None)
        return read_tables(home, made.generation)


def index(asking: Crew, project: Path, report: Callable[[Progress], None] = lambda _: None) -> IndexReport:
    with contextlib.closing(asking.assembly()) as assembly:
        return assembly.indexer.index(str(project), WORDS, report)


def context(settings: dict[str, str], repository: str) -> str:
    with contextlib.closing(Assembly(read_settings({name: value for name, value in settings.items() if "QUEUE" not in name}))) as assembly:
        return repr(assembly.query.compose(Question(ASKED, (repository,))).context)


@pytest.fixture(params=["files", "postgres"])
def addresses(request: pytest.FixtureRequest) -> dict[str, str]:
    """Where the ledger is: in a file, or on a server."""
    return {} if request.param == "files" else {"EXEGESIS_CATALOG_ADDRESS": request.getfixturevalue("postgres").fresh_schema()}


def test_two_workers_make_what_one_process_makes(addresses: dict[str, str], project: Path, embedded: Tables, tmp_path: Path) -> None:
    """Table by table, and the same context byte for byte; what has not changed is left as it is."""
    seen: list[Progress] = []
    with crew(tmp_path / "far", **addresses) as workers:
        workers.join("worker")
        workers.join("worker")
        made = index(workers, project, seen.append)
        assert differences(read_tables(workers.home, made.generation), embedded) == [], workers.log()
        again = index(workers, project)
        found = context(workers.told, made.repository.id)
    assert (made.changed, made.removed, made.unchanged) == (23, 0, False)
    assert (again.changed, again.unchanged, again.generation.id) == (0, True, made.generation.id)
    assert "usable" in {progress.phase for progress in seen}  # other steps may pass between two looks at the ledger
    alone = {"EXEGESIS_HOME": str(tmp_path / "near"), "EXEGESIS_EMBEDDER": "none"}
    with contextlib.closing(Assembly(read_settings(alone))) as assembly:
        near = assembly.indexer.index(str(project), WORDS, lambda _: None)
    assert found == context(alone, near.repository.id)


def test_a_killed_worker_costs_time_and_nothing_else(project: Path, embedded: Tables, tmp_path: Path) -> None:
    """Killed with all its processes while it parses; another one finishes the run, and what it makes is the same."""
    with crew(tmp_path) as workers:
        victim = workers.join("worker")
        workers.join("beat")
        parsing = threading.Event()

        def report(progress: Progress) -> None:
            if progress.phase != "queued":  # somebody has begun
                parsing.set()

        with ThreadPoolExecutor(1) as asking:
            run = asking.submit(index, workers, project, report)
            assert parsing.wait(60), workers.log()
            workers.kill(victim)
            workers.join("worker")
            made = run.result(120)
        assert differences(read_tables(workers.home, made.generation), embedded) == [], workers.log()


def test_a_worker_killed_while_a_model_describes_costs_one_answer(project: Path, tmp_path: Path) -> None:
    """Another one goes on where it was; the descriptions are those of a run that nobody killed, and so is the context."""
    good = says("It takes care of what its members do, and the rest of the code leans on it.")
    told = {"EXEGESIS_MODEL": "wise-1", "EXEGESIS_DESCRIBE_TOKENS": "1000000"}
    silent = threading.Event()

    def stall(exchange: Exchange) -> None:
        silent.set()
        exchange.wait_until_closed(60)

    scripts: list[Script] = [good, stall, good]
    with endpoint(*scripts) as fake, crew(tmp_path / "far", EXEGESIS_MODEL_URL=fake.url, **told) as workers:
        victim = workers.join("worker")
        workers.join("beat")
        with ThreadPoolExecutor(1) as asking:
            run = asking.submit(index, workers, project)
            assert silent.wait(120), workers.log()
            workers.kill(victim)
            workers.join("worker")
            made = run.result(240)
        asked = [request["messages"][-1]["content"].splitlines()[1] for request in fake.requests]
        tables = read_tables(workers.home, made.generation)
    with endpoint(good) as fake:
        alone = {"EXEGESIS_HOME": str(tmp_path / "near"), "EXEGESIS_EMBEDDER": "none", "EXEGESIS_MODEL_URL": fake.url, **told}
        with contextlib.closing(Assembly(read_settings(alone))) as assembly:
            near = assembly.indexer.index(str(project), WORDS, lambda _: None)
        clean = [request["messages"][-1]["content"].splitlines()[1] for request in fake.requests]
    assert asked == [clean[0], clean[1], *clean[1:]]
    assert (made.described, made.told) == (near.described, near.told)
    assert made.generation.described == near.generation.described
    both = (tables, read_tables(tmp_path / "near", near.generation))
    for side in both:
        side["descriptions"] = [(replace(each, written=0.0),) for (each,) in side["descriptions"]]
    assert differences(*both) == []


def test_messages_that_are_lost_or_come_twice_change_nothing(project: Path, embedded: Tables, tmp_path: Path) -> None:
    """Everything that the broker holds is lost before anybody works; once the run goes on all the same, every message arrives three times more."""
    parsing = threading.Event()

    def report(progress: Progress) -> None:
        if progress.phase != "queued":  # somebody has begun
            parsing.set()

    with crew(tmp_path) as workers, ThreadPoolExecutor(1) as asking, contextlib.closing(workers.assembly()) as assembly:
        run = asking.submit(index, workers, project, report)
        repository = assembly.indexer.locate(str(project)).id
        while not (asked := assembly.errands.of(repository)):
            time.sleep(0.01)
        time.sleep(0.5)
        workers.broker.flush()
        for member in ("worker", "worker", "beat"):
            workers.join(member)
        assert parsing.wait(60), workers.log()
        with contextlib.closing(CeleryQueue(workers.broker.address)) as queue:
            for _ in range(3):
                for job in ("look", "assemble", "embed"):
                    queue.publish(job, {"run": asked[0].run}, queue="bulk")
                for number in range(3):
                    queue.publish("parse-batch", {"repository": repository, "run": asked[0].run, "number": number}, queue="bulk")
        made = run.result(120)
        assert [errand.state for errand in assembly.errands.of(repository)] == [RunState.DONE] * 2  # indexed, and described
        assert differences(read_tables(workers.home, made.generation), embedded) == [], workers.log()
        meter = Meter()
        meter.add(IndexMetrics(assembly.errands.standing, assembly.queue.depths))
        told = meter.page()[0].decode().splitlines()
        assert 'exegesis_index_runs{queue="bulk",state="done"} 2.0' in told
        assert "exegesis_index_batches_done_total 1.0" in told
        assert [line for line in told if line.startswith('exegesis_queue_depth{queue="bulk"}')]


def test_a_repository_that_lies_elsewhere_is_fetched_and_indexed(project: Path, embedded: Tables, tmp_path: Path) -> None:
    """Without a checkout; a push that its host tells of five times makes the next index, once."""
    work = tmp_path / "work"
    shutil.copytree(project, work)
    first = commit_all(work)
    reach = {"EXEGESIS_GIT_PROTOCOLS": "https,http", "EXEGESIS_GIT_HOSTS": "127.0.0.1", "EXEGESIS_GITHUB_WEBHOOK_SECRET": "s"}
    with git_host(tmp_path / "host") as host, crew(tmp_path / "far", **reach) as workers, contextlib.closing(workers.assembly()) as assembly:
        address = host.publish(work, "team/swift-oauth")
        workers.join("worker")
        workers.join("worker")
        made = assembly.indexer.index(address, WORDS, lambda _: None)
        assert (made.repository.name, made.repository.root, made.generation.commit) == ("team/swift-oauth", address, first)
        tables = read_tables(workers.home, made.generation)
        tables["catalog"] = embedded["catalog"]  # of another commit
        assert differences(tables, embedded) == [], workers.log()
        assert not list((workers.home / "mirrors").rglob("*.swift"))
        (work / "NEW.md").write_text("# New\n\nAbout the `wombat`.\n")
        second = commit_all(work)
        host.publish(work, "team/swift-oauth")
        body = json.dumps({"ref": "refs/heads/main", "after": second, "repository": {"full_name": "team/swift-oauth"}}).encode()
        signed = "sha256=" + hmac.new(b"s", body, hashlib.sha256).hexdigest()
        headers = {"x-hub-signature-256": signed, "x-github-event": "push"}
        with contextlib.closing(Intake(assembly.catalog, assembly.indexer, assembly.asked_indexer.request)) as intake:
            hook = hooks_of(workers.settings, intake, assembly.clock)["github"]
            with ThreadPoolExecutor(5) as hosts:
                list(
                    hosts.map(lambda number: hook.take({**headers, "x-github-delivery": f"d{number}"}, body), range(5))
                )  # each is news to the gateway
            deadline = time.monotonic() + 60
            while (head := assembly.catalog.head(made.repository.id)) is None or head.commit != second:
                assert time.monotonic() < deadline, workers.log()
                time.sleep(0.1)
        assert head.coverage.indexed == 24
        runs = [errand for errand in assembly.errands.of(made.repository.id) if errand.step is not RunStep.DESCRIBE]
        told = [(run.step, run.state, run.outcome, run.options) for run in runs]
        changes = [run for run in runs if run.state is RunState.DONE and json.loads(run.outcome or "{}").get("changed")]
        assert len(changes) == 2, told
        # A push that comes when a worker has begun to look is answered by another look: what the first saw may be older. Either has nothing to do.
        assert all(run.state in {RunState.DONE, RunState.SUPERSEDED} for run in runs), told


@pytest.mark.parametrize("address", ["https://169.254.169.254/a/b", "ext::sh -c id", "file:///etc", "https://me:secret@example.org/a/b"])
def test_an_address_that_may_not_be_fetched_is_refused_before_anything_is_asked(address: str, tmp_path: Path) -> None:
    """Or fails the run without a connection; the words hold no password."""
    with crew(tmp_path) as workers, contextlib.closing(workers.assembly()) as assembly:
        workers.join("worker")
        with pytest.raises(ExegesisError) as raised:
            assembly.indexer.index(address, WORDS, lambda _: None)
        assert "secret" not in raised.value.message
        assert not (workers.home / "mirrors").exists() or not list((workers.home / "mirrors").glob("*/objects/pack/*"))


def test_a_run_is_one_trace_from_the_gateway_to_the_last_vector(project: Path, tmp_path: Path) -> None:
    """Through the queue: fetched, looked at, parsed batch by batch, linked, upserted, activated, embedded; and no span holds text."""
    work = tmp_path / "work"
    shutil.copytree(project, work)
    commit_all(work)
    with tei_server() as embedder, git_host(tmp_path / "host") as host, collecting() as (collector, exporter):
        told = {
            "EXEGESIS_GIT_PROTOCOLS": "http",
            "EXEGESIS_GIT_HOSTS": "127.0.0.1",
            "EXEGESIS_EMBEDDER": "bundled",
            "EXEGESIS_EMBEDDER_ADDRESS": embedder.url,
            "EXEGESIS_EMBEDDER_MODEL": embedder.model,
            "OTEL_EXPORTER_OTLP_ENDPOINT": exporter,
        }
        with crew(tmp_path / "far", **told) as workers:
            told["EXEGESIS_GRAPH_ADDRESS"] = workers.told["EXEGESIS_GRAPH_ADDRESS"] = workers.listening("graph", "--listen", "127.0.0.1:0")
            workers.join("worker")
            workers.join("worker")
            address = workers.listening("gateway", "--open", "--listen", "127.0.0.1:0", "--http", "none")
            with grpc.insecure_channel(address) as channel:
                asked = gateway_pb2.IndexRepositoryRequest(project=host.publish(work, "team/project"))
                events = list(gateway_pb2_grpc.GatewayStub(channel).IndexRepository(asked, timeout=120))  # type: ignore[no-untyped-call]
        roots = [span for span in collector.spans if span.name == "exegesis.v1.Gateway/IndexRepository"]
        assert len(roots) == 1
        spans = collector.trace(roots[0].trace_id.hex())
    assert events[-1].report.generation.coverage.dense == 1.0
    phases = {event.progress.phase for event in events[:-1]}
    assert "usable" in phases  # a step of milliseconds may pass between two looks at the ledger
    by_id = {span.span_id: span for span in spans}
    assert [span.name for span in spans if span.parent_span_id not in by_id] == [roots[0].name]
    (run,) = [span for span in spans if span.name == "index"]
    inside = [span.name for span in spans if span.parent_span_id == run.span_id]
    assert set(inside) >= {"clone", "walk", "parse", "collect", "link", "upsert", "activate", "embed"}
    assert {by_id[span.parent_span_id].name for span in spans if span.name == "exegesis.v1.GraphService/Finish"} == {"link"}
    assert "refresh" not in " ".join(map(str, spans))


def test_an_address_is_for_administrators(project: Path, tmp_path: Path) -> None:
    """Whoever may only read or index what is there learns nothing, and nothing is asked of anybody."""
    work = tmp_path / "work"
    shutil.copytree(project, work)
    commit_all(work)
    with git_host(tmp_path / "host") as host, crew(tmp_path / "far", EXEGESIS_GIT_PROTOCOLS="http", EXEGESIS_GIT_HOSTS="127.0.0.1") as workers:
        address = host.publish(work, "team/project")
        with contextlib.closing(workers.assembly()) as assembly:
            shown, token = mint("reader", Grants(read=frozenset("*"), index=frozenset("*")), now=assembly.clock.now(), seconds=None, per_minute=300)
            assembly.tokens.add(token)
            with gateway(assembly) as served, pytest.raises(grpc.RpcError) as raised:
                list(served.stub(shown).IndexRepository(gateway_pb2.IndexRepositoryRequest(project=address)))
            assert raised.value.code() is grpc.StatusCode.NOT_FOUND
            assert assembly.catalog.repositories() == []
        assert host.asked == []
