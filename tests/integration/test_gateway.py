"""The gateway as its callers see it: both doors, over real stores."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

from exegesis.model import Event, Question, StageStarted
from exegesis.v1 import gateway_pb2, gateway_pb2_grpc, model_pb2, query_pb2
from services.assembly import Assembly
from services.gateway.operations import OPERATIONS, Operation
from services.gateway.tokens import Grants
from services.query.api import Composition, OutlineAnswer, SearchAnswer
from tests.fakes.gateway import Served, gateway, token
from tests.fakes.three_repositories import Known, three_repositories

ASKED = "How is a token renewed?"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Assembly, dict[str, Known]]]:
    assembly, known = three_repositories(tmp_path_factory.mktemp("three"))
    yield assembly, known
    assembly.close()


@pytest.fixture(scope="module")
def assembly(made: tuple[Assembly, dict[str, Known]]) -> Assembly:
    return made[0]


@pytest.fixture(scope="module")
def known(made: tuple[Assembly, dict[str, Known]]) -> dict[str, Known]:
    return made[1]


@pytest.fixture(scope="module")
def served(assembly: Assembly) -> Iterator[Served]:
    with gateway(assembly, reflection=True) as found:
        yield found


@pytest.fixture(scope="module")
def reader(assembly: Assembly, known: dict[str, Known]) -> str:
    return token(assembly, Grants(read=frozenset({known["alpha"].id})))


@pytest.fixture(scope="module")
def admin(assembly: Assembly) -> str:
    return token(assembly, Grants(admin=True))


def call(stub: gateway_pb2_grpc.GatewayStub, operation: Operation, request: Message) -> list[Message]:
    answer = getattr(stub, operation.name)(request)
    return list(answer) if operation.streams else [answer]


def refused(call: grpc.RpcError) -> tuple[grpc.StatusCode, str]:
    return call.code(), call.details()


# ------------------------------------------------------------------------------------------------------------ questions


def test_an_explanation_streams_numbered_events_to_the_verified_whole(served: Served, reader: str) -> None:
    """Places in the stream from 1 without gaps, one request identifier, and the last event is the answer."""
    events = list(served.stub(reader).Explain(gateway_pb2.Asked(text=ASKED)))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.request_id for event in events}) == 1
    kinds = [event.WhichOneof("event") for event in events]
    assert {"stage_started", "stage_finished", "evidence", "text_delta"} <= set(kinds)
    assert kinds[-1] == "finished"
    assert events[-1].finished.answer.citations


def test_server_sent_events_say_what_grpc_says(served: Served, reader: str) -> None:
    """The same events in the same order, apart from times and identifiers."""
    over_grpc = list(served.stub(reader).Explain(gateway_pb2.Asked(text=ASKED)))
    with served.client(reader) as client:
        text = client.post("/v1/explain", json={"text": ASKED}, headers={"accept": "text/event-stream"}).text
    over_http = [json_format.Parse(line.removeprefix("data: "), model_pb2.Event()) for line in text.splitlines() if line.startswith("data: ")]
    assert [event.WhichOneof("event") for event in over_http] == [event.WhichOneof("event") for event in over_grpc]
    assert over_http[-1].finished.answer.text == over_grpc[-1].finished.answer.text
    assert over_http[-1].finished.answer.context == over_grpc[-1].finished.answer.context


def test_without_a_stream_an_explanation_is_one_answer(served: Served, reader: str) -> None:
    """For programs that only want the end."""
    with served.client(reader) as client:
        answer = client.post("/v1/explain", json={"text": ASKED}).json()
    assert answer["question"] == ASKED
    assert answer["citations"]


def test_the_gateway_composes_what_the_query_service_composes(served: Served, reader: str, assembly: Assembly, known: dict[str, Known]) -> None:
    """Byte for byte the same context, through either door."""
    near = assembly.query.compose(Question(ASKED, (known["alpha"].id,)))
    over_grpc = served.stub(reader).Compose(gateway_pb2.Asked(text=ASKED))
    with served.client(reader) as client:
        over_http = json_format.ParseDict(client.post("/v1/compose", json={"text": ASKED}).json(), query_pb2.Composition())
    texts = [item.text for item in near.context.items]
    assert [item.text for item in over_grpc.context.items] == texts
    assert over_http.context == over_grpc.context


def test_a_question_that_names_nothing_asks_all_that_the_caller_may_read(served: Served, assembly: Assembly, known: dict[str, Known]) -> None:
    """And nothing else."""
    two = token(assembly, Grants(read=frozenset({known["alpha"].id, known["charlie"].id})))
    found = served.stub(two).Search(gateway_pb2.Asked(text="token session"))
    assert {result.repository for result in found.results} == {known["alpha"].id, known["charlie"].id}


def test_the_call_graph_is_asked_by_names(served: Served, reader: str) -> None:
    """Who calls what, and how one gets from here to there."""
    stub = served.stub(reader)
    callers = stub.Callers(gateway_pb2.SymbolRequest(project="alpha", symbol="QuokkaStore.saveQuokka"))
    assert [relation.source.name for relation in callers.relations] == ["renewToken"]
    callees = stub.Callees(gateway_pb2.SymbolRequest(project="alpha", symbol="QuokkaSession.renewToken"))
    assert "saveQuokka" in [relation.target.name for relation in callees.relations]
    paths = stub.FindPaths(gateway_pb2.FindPathsRequest(project="alpha", source="QuokkaSession.renewToken", target="QuokkaStore.saveQuokka"))
    assert len(paths.paths[0].relations) == 1
    assert stub.DescribeModules(gateway_pb2.ProjectRequest(project="alpha")).modules
    stub.ListHubs(gateway_pb2.ProjectRequest(project="alpha"))


def test_evidence_is_the_indexed_lines(served: Served, reader: str, known: dict[str, Known]) -> None:
    """A citation can be followed without the repository at hand."""
    alpha = known["alpha"]
    place = gateway_pb2.GetEvidenceRequest(repository=alpha.id, generation=alpha.generation, path=alpha.path, start=2, end=2)
    assert list(served.stub(reader).GetEvidence(place).lines) == ["final class QuokkaSession {"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"text": "  "}, "empty"),
        ({"text": "x" * 20_001}, "20000 are allowed"),
        ({"text": "q", "options": {"budget": 200_001}}, "`budget`"),
        ({"text": "q", "options": {"limit": 0}}, "`limit`"),
        ({"text": "q", "options": {"dense_seconds": "NaN"}}, "`dense_seconds`"),
        ({"text": "q", "options": {"index_store": "/etc"}}, "`index_store`"),
        ({"text": "q", "options": {"ablation": "ABLATION_PLAIN_TEXT"}}, "Ablations"),
        ({"text": "q", "colour": "red"}, "colour"),
        ({"text": ["q"]}, "JSON of Asked"),
    ],
)
def test_what_nobody_may_ask_is_said_to_be_wrong(served: Served, reader: str, asked: dict[str, object], words: str) -> None:
    """With the status for a call that must be mended, and words that say how."""
    with served.client(reader) as client:
        answer = client.post("/v1/search", json=asked)
    assert answer.status_code == 400
    assert words in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("route", "asked"),
    [
        ("/v1/graph/callers", {"symbol": "x" * 5_000}),
        ("/v1/graph/only-through", {"symbol": "x" * 5_000}),
        ("/v1/graph/paths", {"source": "x" * 5_000, "target": "saveQuokka"}),
        ("/v1/graph/paths", {"source": "saveQuokka", "target": "x" * 5_000}),
        ("/v1/describe", {"about": "x" * 5_000}),
    ],
)
def test_a_name_that_is_longer_than_any_is_refused_unread(served: Served, reader: str, route: str, asked: dict[str, str]) -> None:
    """It would be looked for, and quoted in the error in full."""
    with served.client(reader) as client:
        answer = client.post(route, json={"project": "alpha", **asked})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "The name has 5000 characters; 4000 are allowed."


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"text": "\\ud800"}', b"[" * 100_000, b'{"text":' + b'"' + b"x" * (1 << 20) + b'"}', b"\xff\xfe"]
)
def test_bodies_that_are_none_are_refused(served: Served, reader: str, body: bytes) -> None:
    """Each costs itself only: a 4xx, and the gateway goes on."""
    with served.client(reader) as client:
        assert client.post("/v1/search", content=body, headers={"content-type": "application/json"}).status_code == 400
        assert client.post("/v1/search", json={"text": "token"}).status_code == 200


def test_a_form_of_a_web_page_is_no_call(served: Served, reader: str) -> None:
    """Browsers send forms anywhere without asking first; JSON they do not."""
    with served.client(reader) as client:
        assert client.post("/v1/search", content=b'{"text":"token"}', headers={"content-type": "text/plain"}).status_code == 400


# --------------------------------------------------------------------------------------------------------- repositories


def test_indexing_streams_progress_and_ends_with_the_report(served: Served, assembly: Assembly, known: dict[str, Known]) -> None:
    """For a token that may; the report does not say where the folder is."""
    indexer = token(assembly, Grants(index=frozenset({known["alpha"].id})))
    events = list(served.stub(indexer).IndexRepository(gateway_pb2.IndexRepositoryRequest(project="alpha")))
    assert [event.WhichOneof("event") for event in events][-1] == "report"
    assert any(event.progress.phase == "usable" for event in events)
    assert events[-1].report.generation.id == known["alpha"].generation
    assert events[-1].report.repository.root == ""


def test_an_administrator_registers_a_folder_and_removes_it(served: Served, admin: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Over HTTP: index, ask, remove, and it is gone."""
    folder = tmp_path_factory.mktemp("delta")
    (folder / "Echidna.swift").write_text("/// Digs.\nfunc digEchidna() {}\n", "utf-8")
    with served.client(admin) as client:
        report = client.post("/v1/repositories/index", json={"project": str(folder)}).json()
        repository = report["repository"]["id"]
        found = client.post("/v1/search", json={"text": "echidna", "projects": [repository]}).json()
        assert found["results"][0]["path"] == "Echidna.swift"
        assert client.post("/v1/repositories/remove", json={"projects": [repository]}).status_code == 200
        assert client.post("/v1/search", json={"text": "echidna", "projects": [repository]}).status_code == 404


def test_an_index_store_of_the_machine_is_named_by_administrators_only(
    assembly: Assembly, served: Served, admin: str, known: dict[str, Known]
) -> None:
    """Who may index a repository says that stores be used or not, and not which folder is looked into."""
    asked = {"project": known["alpha"].id, "options": {"index_store": "/etc"}}
    with served.client(token(assembly, Grants(index=frozenset({known["alpha"].id})))) as client:
        answer = client.post("/v1/repositories/index", json=asked)
        assert (answer.status_code, "`index_store`" in answer.text) == (400, True)
        assert client.post("/v1/repositories/index", json={**asked, "options": {"index_store": "auto"}}).status_code == 200
    with served.client(admin) as client:
        assert "is no index store" in client.post("/v1/repositories/index", json=asked).text


@pytest.mark.parametrize("folder", [".", "", "tests", "../alpha", "../a@b:c", "a@b:/c"])
def test_a_folder_is_named_from_the_root(served: Served, admin: str, folder: str) -> None:
    """Where the gateway happens to have been started means nothing to its callers."""
    with served.client(admin) as client:
        assert client.post("/v1/repositories/index", json={"project": folder}).status_code == 404


def test_a_folder_is_not_named_by_what_looks_like_an_address(served: Served, admin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is one beside the gateway, an indexer that fetches nothing would take it."""
    (tmp_path / "git@example.org:owner").mkdir()
    monkeypatch.chdir(tmp_path)
    with served.client(admin) as client:
        assert client.post("/v1/repositories/index", json={"project": "git@example.org:owner"}).status_code == 404


@pytest.mark.parametrize(
    ("route", "asked"),
    [("/v1/repositories/index", {"project": "alpha"}), ("/v1/repositories/remove", {"projects": ["alpha"]}), ("/metrics", None)],
)
def test_a_reader_only_reads(served: Served, reader: str, route: str, asked: dict[str, object] | None) -> None:
    """What it may not do with what it may see is said plainly, and not done."""
    with served.client(reader) as client:
        answer = client.get(route) if asked is None else client.post(route, json=asked)
    assert answer.status_code == 403
    assert len(served.stub(reader).ListRepositories(gateway_pb2.ListRepositoriesRequest()).repositories) == 1


def test_a_folder_of_the_machine_is_nothing_to_others(served: Served, reader: str, known: dict[str, Known]) -> None:
    """Neither one that is indexed nor one that exists: only administrators name folders."""
    for folder in (known["bravo"].root, known["alpha"].root, "/", "/nowhere"):
        with pytest.raises(grpc.RpcError) as raised:
            list(served.stub(reader).IndexRepository(gateway_pb2.IndexRepositoryRequest(project=folder)))
        assert refused(raised.value) == (grpc.StatusCode.NOT_FOUND, f"There is no repository {folder!r} that you may read.")


# ------------------------------------------------------------------------------------------------------------ who comes


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_nothing_is_answered_without_a_token(served: Served, operation: Operation) -> None:
    """Neither through one door nor through the other."""
    with pytest.raises(grpc.RpcError) as raised:
        call(served.stub(), operation, operation.request())
    assert raised.value.code() is grpc.StatusCode.UNAUTHENTICATED
    with served.client() as client:
        answer = client.post(operation.route, json={})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_bad_tokens_are_all_the_same(served: Served, assembly: Assembly, reader: str) -> None:
    """Unknown, wrong, expired, revoked or scrawled: one answer, which does not repeat them."""
    expired = token(assembly, Grants(admin=True), seconds=-1.0)
    revoked = token(assembly, Grants(admin=True))
    assembly.tokens.revoke(revoked.split("_")[1], assembly.clock.now())
    wrong = f"{reader[:-1]}{'0' if reader[-1] != '0' else '1'}"
    unknown = f"exg_{'0' * 16}_{'0' * 64}"
    answers = set()
    for bad in (expired, revoked, wrong, unknown, "exg_", "secret"):
        with served.client(bad) as client:
            answer = client.post("/v1/search", json={"text": "token"})
        answers.add((answer.status_code, answer.json()["error"]["message"]))
    assert answers == {(401, "This token is not accepted.")}


def test_a_revoked_token_stops_at_once(served: Served, assembly: Assembly, known: dict[str, Known]) -> None:
    """The next call is refused: nothing about tokens is remembered between calls."""
    short = token(assembly, Grants(read=frozenset({known["alpha"].id})))
    with served.client(short) as client:
        assert client.post("/v1/search", json={"text": "token"}).status_code == 200
        assembly.tokens.revoke(short.split("_")[1], assembly.clock.now())
        assert client.post("/v1/search", json={"text": "token"}).status_code == 401


def test_who_asks_too_often_is_told_when_to_come_back(served: Served, assembly: Assembly, known: dict[str, Known]) -> None:
    """RESOURCE_EXHAUSTED with RetryInfo over gRPC, 429 with Retry-After over HTTP, from one quota."""
    slow = token(assembly, Grants(read=frozenset({known["alpha"].id})), per_minute=6)
    stub = served.stub(slow)
    stub.Search(gateway_pb2.Asked(text="token"))
    with pytest.raises(grpc.RpcError) as raised:
        stub.Search(gateway_pb2.Asked(text="token"))
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    status = rpc_status.from_call(raised.value)
    pause = error_details_pb2.RetryInfo()
    assert [detail for detail in status.details if detail.Is(pause.DESCRIPTOR) and detail.Unpack(pause)]
    assert 5 < pause.retry_delay.ToTimedelta().total_seconds() <= 10
    with served.client(slow) as client:
        answer = client.post("/v1/search", json={"text": "token"})
    assert answer.status_code == 429
    assert 5 < int(answer.headers["retry-after"]) <= 11


def test_the_audit_log_says_who_asked_what_without_secrets(assembly: Assembly, reader: str, known: dict[str, Known]) -> None:
    """A line for each call that was let in or not; neither question nor token nor code."""
    with gateway(assembly) as served:
        served.stub(reader).Search(gateway_pb2.Asked(text="renew the quokka token"))
        with served.client(reader) as client:
            client.post("/v1/search", json={"text": "token", "projects": ["bravo"]})
        with served.client(reader[:-4] + "0000") as client:
            client.post("/v1/search", json={"text": "token"})
    identifier = reader.split("_")[1]
    lines = [(entry["door"], entry["call"], entry["token"], entry["repositories"], entry["status"]) for entry in served.entries()]
    assert lines == [
        ("grpc", "Search", identifier, [known["alpha"].id], "OK"),
        ("http", "Search", identifier, [], "NOT_FOUND"),
        ("http", "Search", identifier, [], "UNAUTHENTICATED"),
    ]
    written = "".join(served.audit)
    assert not any(word in written for word in (reader.split("_")[2], "renew the", "Quokka"))


def test_an_open_gateway_answers_to_the_names_of_this_machine_only(assembly: Assembly) -> None:
    """A web page whose name was pointed at this machine is no caller."""
    with gateway(assembly, is_open=True) as served, served.client() as client:
        assert client.post("/v1/search", json={"text": "token"}).status_code == 200
        for host in ("localhost", "LOCALHOST:7", "127.0.0.1", "127.0.0.1:7", "[::1]", "[::1]:7"):
            assert client.post("/v1/search", json={"text": "token"}, headers={"host": host}).status_code == 200, host
        for host in ("evil.example", "evil.example:80", "localhost.evil.example", "[::1].evil.example", "localhost:7:7", "x@localhost", "[::2]"):
            assert client.post("/v1/search", json={"text": "token"}, headers={"host": host}).status_code == 403, host


# ------------------------------------------------------------------------------------------------------------ operators


def test_health_needs_no_token(served: Served) -> None:
    """What asks whether a server lives learns that and nothing else."""
    stub = health_pb2_grpc.HealthStub(served.channel())
    assert stub.Check(health_pb2.HealthCheckRequest(service="exegesis.v1.Gateway")).status == health_pb2.HealthCheckResponse.SERVING
    with served.client() as client:
        assert [client.get(route).status_code for route in ("/healthz", "/readyz", "/openapi.json")] == [200, 200, 200]


def test_metrics_count_requests_and_time_stages(served: Served, assembly: Assembly, reader: str) -> None:
    """For a token that may read them; without a name of any repository or token."""
    list(served.stub(reader).Explain(gateway_pb2.Asked(text=ASKED)))
    scraper = token(assembly, Grants(metrics=True))
    with served.client(scraper) as client:
        page = client.get("/metrics").text
        assert client.post("/v1/search", json={"text": "token"}).status_code == 404
    assert 'exegesis_requests_total{call="Explain",door="grpc",status="OK"}' in page
    assert 'exegesis_stage_seconds_count{stage="retrieval"}' in page
    assert not any(word in page for word in ("alpha", "Quokka", reader.split("_")[1]))


def test_a_client_made_by_reflection_searches(served: Served, reader: str) -> None:
    """Without any file of ours: services, messages and methods are what the server says they are."""
    channel = served.channel(reader)
    pool = DescriptorPool(ProtoReflectionDescriptorDatabase(channel))
    method = pool.FindServiceByName("exegesis.v1.Gateway").FindMethodByName("Search")
    asked, answer = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    call = channel.unary_unary(
        f"/{method.containing_service.full_name}/{method.name}", request_serializer=asked.SerializeToString, response_deserializer=answer.FromString
    )
    found = call(asked(text="renew token"))
    assert found.results[0].path == "Quokka.swift"


def test_reflection_asks_for_a_token(served: Served) -> None:
    """It is a call like others, except that of health."""
    database = ProtoReflectionDescriptorDatabase(served.channel())
    with pytest.raises(grpc.RpcError) as raised:
        database.get_services()
    assert raised.value.code() is grpc.StatusCode.UNAUTHENTICATED


# ---------------------------------------------------------------------------------------------------------- who leaves


class Endless:
    """A query service that begins to answer and then waits for the caller to give up."""

    def __init__(self) -> None:
        self.heard = threading.Event()

    def explain(self, question: Question, *, cancelled: threading.Event | None = None) -> Iterator[Event]:
        assert cancelled is not None
        yield StageStarted("retrieval")
        if cancelled.wait(20):
            self.heard.set()

    def outline(self, question: Question, *, cancelled: threading.Event | None = None) -> OutlineAnswer:
        assert cancelled is not None
        if cancelled.wait(20):
            self.heard.set()
        return OutlineAnswer((), question, ())  # type: ignore[arg-type]  # nobody reads it

    def search(self, question: Question) -> SearchAnswer:
        raise NotImplementedError

    def compose(self, question: Question) -> Composition:
        raise NotImplementedError

    def evidence(self, repository: str, generation: str, path: str, start: int, end: int) -> Sequence[str]:
        raise NotImplementedError


def test_a_grpc_client_that_leaves_is_heard_within_a_second(assembly: Assembly, reader: str) -> None:
    """What works for it is told to stop."""
    query = Endless()
    with gateway(assembly, query=query) as served:
        call = served.stub(reader).Explain(gateway_pb2.Asked(text=ASKED))
        assert next(call).stage_started.name == "retrieval"
        call.cancel()
        assert query.heard.wait(1)


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
@pytest.mark.parametrize("route", ["/v1/explain", "/v1/outline"])
def test_an_http_client_that_leaves_is_heard_within_a_second(assembly: Assembly, reader: str, route: str, accept: str) -> None:
    """Whether it reads a stream or waits for one answer; and the log says that it left."""
    query = Endless()
    with gateway(assembly, query=query) as served:
        host, _, port = served.http.removeprefix("http://").partition(":")
        body = json.dumps({"text": ASKED}).encode()
        with socket.create_connection((host, int(port))) as connection:
            head = f"POST {route} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {reader}\r\naccept: {accept}\r\n"
            connection.sendall(f"{head}content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
            time.sleep(0.3)
            assert not query.heard.is_set()
        assert query.heard.wait(1)
    assert served.entries()[-1]["status"] == "CANCELLED"
