"""What containers are told: every command, setting and metric in the files of the deployment exists, and nothing is published that should not be.

No container engine takes part. That the images exist, start and become healthy is for whoever has one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from exegesis.model import RunState, StageReport, Standing, Tally
from exegesis.settings import Settings, read_settings, unknown
from services.gateway.arguments import build_parser
from services.gateway.index_metrics import IndexMetrics
from services.gateway.metrics import Meter

HOUSE: Final = Path(__file__).resolve().parents[3]
TEAM: Final = "docker-compose.yml"
WATCHED: Final = "compose.observability.yml"
OURS: Final = ("gateway", "query", "graph", "worker-interactive", "worker-bulk", "beat")
THEIRS: Final = ("postgres", "valkey", "qdrant", "tei")

REACHING_OUT: Final = {"gateway", "query", "worker-interactive", "worker-bulk", "tei", "grafana"}
"""Those that are published, or call others: a language model, code hosts, where the embedding model is fetched from."""

FILES: Final[dict[str, dict[str, Any]]] = {name: yaml.safe_load((HOUSE / name).read_text("utf-8")) for name in (TEAM, WATCHED)}
SERVICES: Final = {name: service for content in FILES.values() for name, service in content["services"].items() if "image" in service}
"""Those that a file describes in whole, and does not only add to."""


def test_all_parts_are_there() -> None:
    """And whoever watches adds to no other."""
    assert set(FILES[TEAM]["services"]) == {*OURS, *THEIRS}
    assert {name for name, service in FILES[WATCHED]["services"].items() if "image" not in service} == set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_a_command_is_one_that_the_program_takes(name: str) -> None:
    """The image's entry point is the program; the rest is its arguments."""
    arguments = build_parser().parse_args(FILES[TEAM]["services"][name]["command"])
    assert arguments.command == "serve"
    assert arguments.service == name.partition("-")[0]


def test_questions_are_answered_by_as_many_as_are_asked_for() -> None:
    """Behind one name, none of which has a port or a volume of its own."""
    query = FILES[TEAM]["services"]["query"]
    assert int(filled(query["deploy"]["replicas"])) > 1
    assert not {"ports", "volumes", "container_name"} & set(query)


def test_each_queue_has_a_worker() -> None:
    """Exactly one of the two."""
    workers = [FILES[TEAM]["services"][name]["command"] for name in OURS if name.startswith("worker")]
    queues = [queue for command in workers for queue in build_parser().parse_args(command).queues]
    assert sorted(queues) == ["bulk", "interactive", "maintenance"]


@pytest.mark.parametrize("name", OURS)
def test_what_it_is_told_are_settings(name: str) -> None:
    """And values that they take, whatever stands in .env."""
    environment = {key: filled(str(value)) for key, value in FILES[TEAM]["services"][name]["environment"].items()}
    assert unknown(environment) == ()
    settings = read_settings(environment)
    assert settings.chunks_address == "http://qdrant:6333"
    assert settings.catalog_address.value == "postgresql://exegesis:secret@postgres/exegesis"
    assert settings.graph_address == "graph:7602"


def filled(value: str) -> str:
    """With every variable at its default, or a secret where it has none."""
    return re.sub(r"\$\{\w+(?::([-?])([^}]*))?\}", lambda found: found[2] if found[1] == "-" else "secret", value)


def test_addresses_lead_to_services() -> None:
    """Of the same file, at the port where they listen."""
    services = FILES[TEAM]["services"]
    for name in ("graph", "query"):
        port = services[name]["command"][-1].rpartition(":")[2]
        assert services["gateway"]["environment"][f"EXEGESIS_{name.upper()}_ADDRESS"] == f"{name}:{port}"
        assert services[name]["healthcheck"]["test"][-1] == f"127.0.0.1:{port}"
    for variable in ("CATALOG", "QUEUE", "CHUNKS", "EMBEDDER"):
        address = services["gateway"]["environment"][f"EXEGESIS_{variable}_ADDRESS"]
        assert re.split(r"[@/:]", address.rpartition("@")[2].removeprefix("http://"))[0] in services


@pytest.mark.parametrize("name", SERVICES)
def test_an_image_is_of_one_version(name: str) -> None:
    """A start tomorrow is a start with the same software."""
    _, _, tag = SERVICES[name]["image"].rpartition(":")
    assert re.search(r"\d+\.\d+(\.\d+)?", tag), SERVICES[name]["image"]
    assert "latest" not in tag


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_watched_limited_and_ended_in_order(name: str) -> None:
    """Its health is asked for, it starts again when it dies, takes no more than it may, and has time to end."""
    service = SERVICES[name]
    assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert {"interval", "timeout", "retries", "start_period"} <= set(service["healthcheck"])
    assert service["restart"] == "unless-stopped"
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}
    assert int(service["stop_grace_period"].removesuffix("s")) >= 15


@pytest.mark.parametrize("name", OURS)
def test_our_own_may_do_little(name: str) -> None:
    """No capabilities, nothing to write but its volumes, signals passed on, and time for workers to give back their jobs."""
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"], service["init"]) == (True, ["ALL"], True)
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "user" not in service  # that of the image, which is not root
    assert service["stop_grace_period"] == "45s"


def test_only_the_gateway_is_published() -> None:
    """On loopback unless it is told otherwise; and the dashboards, for whoever sits at the machine."""
    published = {name: service["ports"] for name, service in SERVICES.items() if service.get("ports")}
    assert set(published) == {"gateway", "grafana"}
    assert all(port.startswith("${EXEGESIS_PUBLISH:-127.0.0.1}:") for port in published["gateway"])
    assert published["grafana"] == ["127.0.0.1:3000:3000"]
    assert FILES[TEAM]["networks"]["inside"] == {"internal": True}
    assert {name for name in SERVICES if "outside" in SERVICES[name]["networks"]} == REACHING_OUT


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_waits_for_those_it_cannot_do_without(name: str) -> None:
    """Until they are healthy. Nobody waits for the chunk index, the embedding server or the collector, which may be away."""
    needed = SERVICES[name].get("depends_on", {})
    assert set(needed) <= {"postgres", "valkey", "graph", "query"}
    assert all(each == {"condition": "service_healthy"} for each in needed.values())


def test_every_volume_is_declared_and_used() -> None:
    """What is kept has a name, by which it is backed up."""
    used = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", []) if re.match(r"\w+:", volume)}
    assert used == {name for content in FILES.values() for name in content.get("volumes", {})}


def test_no_secret_has_a_default() -> None:
    """Whoever forgets one is told so, instead of running with one that everybody knows."""
    text = "".join((HOUSE / name).read_text("utf-8") for name in FILES)
    secrets = [found for found in re.findall(r"\$\{(\w*(?:PASSWORD|_KEY|SECRET)\w*)(:[-?][^}]*)?\}", text) if found[0] != "EXEGESIS_TLS_KEY"]
    assert len(secrets) >= 6
    assert all(default.startswith(":?") or default == ":-" for _, default in secrets)
    example = (HOUSE / "deploy" / "example.env").read_text("utf-8")
    assert {name for name, default in secrets if default.startswith(":?")} - {"GRAFANA_PASSWORD"} <= set(
        re.findall(r"^(\w+)=$", example, re.MULTILINE)
    )


def test_the_image_runs_the_program_as_nobody_in_particular() -> None:
    """In the form that gets signals, from bases of one version."""
    lines = (HOUSE / "Dockerfile").read_text("utf-8").splitlines()
    assert 'ENTRYPOINT ["exegesis"]' in lines
    assert "USER exegesis" in lines
    assert lines.index("USER exegesis") < lines.index('ENTRYPOINT ["exegesis"]')
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert len(bases) == 2
    assert all(re.search(r":\d+\.\d+\.\d+-slim", base) for base in bases)


def test_the_image_gets_what_it_is_made_of() -> None:
    """Everything that is copied is let through, and is there."""
    let_through = {line.removeprefix("!") for line in (HOUSE / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    copies = [
        line.split()[1:-1] for line in (HOUSE / "Dockerfile").read_text("utf-8").splitlines() if line.startswith("COPY ") and "--from" not in line
    ]
    copied = {name for names in copies for name in names}
    assert copied == let_through
    assert all((HOUSE / name).exists() for name in copied)


def measured() -> set[str]:
    """Every metric of ours on the page of a gateway."""
    meter = Meter()
    meter.begin("Search", "grpc")
    meter.end("Search", "grpc", "OK", 0.1)
    meter.reject("http", "UNAUTHENTICATED")
    meter.stage(StageReport("retrieval", 1.0, 1, 1))
    standing = Standing({("bulk", RunState.RUNNING): 1}, {"bulk": 1.0}, 0.0, dict.fromkeys(Tally, 1))
    meter.add(IndexMetrics(lambda: standing, lambda: {"bulk": 1}))
    page, _ = meter.page()
    return {re.split(r"[{ ]", line)[0] for line in page.decode().splitlines() if not line.startswith("#")}


def test_dashboards_show_what_is_measured() -> None:
    """Every metric of ours that a panel names is on the page of the gateway."""
    panels = json.loads((HOUSE / "deploy" / "observability" / "grafana" / "dashboards" / "exegesis.json").read_text("utf-8"))["panels"]
    named = {name for panel in panels for target in panel["targets"] for name in re.findall(r"exegesis_\w+", target["expr"])}
    assert named
    assert named <= measured()


def test_alerts_are_about_what_is_measured() -> None:
    """Every metric that one names is on the page of the gateway, and Prometheus is told of the file."""
    watched = yaml.safe_load((HOUSE / "deploy" / "observability" / "prometheus.yml").read_text("utf-8"))
    mounts = [mount.split(":")[:2] for mount in FILES[WATCHED]["services"]["prometheus"]["volumes"]]
    (inside,) = watched["rule_files"]
    (outside,) = [source for source, place in mounts if place == inside]
    rules = [rule for group in yaml.safe_load((HOUSE / outside).read_text("utf-8"))["groups"] for rule in group["rules"]]
    named = {name for rule in rules for name in re.findall(r"exegesis_\w+", rule["expr"])}
    assert named
    assert named <= measured()


def test_spans_go_where_the_collector_listens() -> None:
    """And on to where traces are shown."""
    collector = yaml.safe_load((HOUSE / "deploy" / "observability" / "collector.yml").read_text("utf-8"))
    port = collector["receivers"]["otlp"]["protocols"]["grpc"]["endpoint"].rpartition(":")[2]
    for name in OURS:
        told = FILES[WATCHED]["services"][name]["environment"]
        assert told["OTEL_EXPORTER_OTLP_ENDPOINT"] == f"http://collector:{port}"
        assert told["OTEL_SERVICE_NAME"] == f"exegesis-{name}"
    assert collector["exporters"]["otlp"]["endpoint"].partition(":")[0] in SERVICES


def test_settings_have_one_default_for_a_pulse() -> None:
    """Only processes without an address have one in the compose file, and it is the file that is felt."""
    assert Settings().pulse == ""
    for name in OURS:
        service = FILES[TEAM]["services"][name]
        felt = service["healthcheck"]["test"][-1]
        assert ("EXEGESIS_PULSE" in service["environment"]) == felt.startswith("file:")
        if felt.startswith("file:"):
            assert felt == f"file:{service['environment']['EXEGESIS_PULSE']}"
