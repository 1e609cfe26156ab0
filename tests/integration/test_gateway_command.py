"""The gateway as a person starts it: tokens made by the command, doors opened by another process."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import httpx
import pytest

from exegesis.v1 import gateway_pb2, gateway_pb2_grpc
from tests.fakes.three_repositories import NAMES, three_repositories

HOUSE = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Installation:
    home: Path

    def environment(self, **more: str) -> dict[str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("EXEGESIS_", "OTEL_"))}
        return {**clean, "EXEGESIS_HOME": str(self.home), "EXEGESIS_EMBEDDER": "none", "PYTHONPATH": str(HOUSE), **more}

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "exegesis", *arguments]
        return subprocess.run(command, cwd=self.home, env=self.environment(**more), capture_output=True, text=True, timeout=60, check=False)

    def token(self, *arguments: str) -> str:
        done = self.run("token", "create", "test", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    @contextmanager
    def serving(self, *arguments: str, **more: str) -> Iterator[tuple[str, str, list[str]]]:
        """Where gRPC and HTTP are answered, and what is written to standard error."""
        command = [sys.executable, "-m", "exegesis", "serve", "gateway", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", *arguments]
        process = subprocess.Popen(command, cwd=self.home, env=self.environment(**more), stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        said: list[str] = []
        try:
            for line in process.stderr:
                said.append(line)
                if found := re.search(r"gateway listening at (\S+), HTTP at (\S+)", line):
                    yield found[1], found[2], said
                    break
            else:
                raise AssertionError("".join(said))
        finally:
            process.send_signal(signal.SIGTERM)
            said += process.stderr
            code = process.wait(20)
            process.stderr.close()
        assert code == 0, said


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("command")
    assembly, _ = three_repositories(folder)
    assembly.close()
    return Installation(folder / "home")


def test_a_token_made_by_the_command_opens_both_doors(installation: Installation) -> None:
    """Of a gateway that runs already, for what it names, until it is revoked; and the gateway ends well when told to."""
    with installation.serving() as (at_grpc, at_http, said):
        written = installation.token("--read", "alpha")
        metadata = [("authorization", f"Bearer {written}")]
        with grpc.insecure_channel(at_grpc) as channel:
            listed = gateway_pb2_grpc.GatewayStub(channel).ListRepositories(gateway_pb2.ListRepositoriesRequest(), metadata=metadata)
        assert [status.repository.name for status in listed.repositories] == ["alpha"]
        asked = {"url": f"http://{at_http}/v1/search", "json": {"text": "renew token"}, "headers": {"authorization": f"Bearer {written}"}}
        assert httpx.post(**asked, trust_env=False).status_code == 200  # type: ignore[arg-type]
        assert installation.run("token", "revoke", written.split("_")[1]).returncode == 0
        assert httpx.post(**asked, trust_env=False).status_code == 401  # type: ignore[arg-type]
    assert "there is no token yet" in said[0]
    entries = [json.loads(line) for line in said if line.startswith("{")]
    assert [entry["status"] for entry in entries] == ["OK", "OK", "UNAUTHENTICATED"]
    assert written.split("_")[2] not in "".join(said)


def test_the_example_client_prints_a_cited_answer(installation: Installation) -> None:
    """As its readme says: an address, a question, a project, and a token in the environment."""
    written = installation.token("--read", "*")
    with installation.serving() as (at_grpc, _, _said):
        command = [sys.executable, str(HOUSE / "examples" / "clients" / "ask.py"), at_grpc, "How is a token renewed?", "bravo"]
        environment = installation.environment(EXEGESIS_TOKEN=written)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        refused = subprocess.run(
            command, env=installation.environment(EXEGESIS_TOKEN="exg_1"), capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\[E\d+\] Wombat\.swift:\d+-\d+$", done.stdout, re.MULTILINE)
    assert "retrieval:" in done.stderr
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("UNAUTHENTICATED: ")


def test_tokens_are_listed_without_their_secrets(installation: Installation) -> None:
    """What they allow, until when, and which are revoked."""
    written = installation.token("--read", "bravo", "--index", "alpha", "--days", "0", "--per-minute", "7")
    found = json.loads(installation.run("token", "list", "--json").stdout)["tokens"]
    (own,) = [token for token in found if token["id"] == written.split("_")[1]]
    assert (own["state"], own["expires"], own["per_minute"]) == ("good", "", 7)
    assert [scope.rpartition("-")[0] for scope in own["scopes"]] == ["read:bravo", "index:alpha"]
    shown = installation.run("token", "list")
    assert own["id"] in shown.stdout
    assert written.split("_")[2] not in json.dumps(found) + shown.stdout


@pytest.mark.parametrize("arguments", [("--read", "zulu"), ("--index", "/nowhere"), ()], ids=str)
def test_a_token_for_nothing_is_not_made(installation: Installation, arguments: tuple[str, ...]) -> None:
    """A slip of the pen is found when it is made, not when it is used."""
    before = installation.run("token", "list", "--json").stdout
    done = installation.run("token", "create", "test", *arguments)
    assert done.returncode in {1, 2}
    assert done.stdout == ""
    assert installation.run("token", "list", "--json").stdout == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--listen", "0.0.0.0:0"), "in the clear"),
        (("--listen", "127.0.0.1:0", "--http", "0.0.0.0:0"), "in the clear"),
        (("--listen", "0.0.0.0:0", "--open"), "--open asks nobody"),
    ],
)
def test_it_does_not_listen_where_that_would_be_unsafe(installation: Installation, arguments: tuple[str, ...], words: str) -> None:
    """A usage error before anything listens; both doors count."""
    installation.token("--admin")
    done = installation.run("serve", "gateway", *arguments)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """For this machine, signed by itself."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run([*command, *names], check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"


def test_with_a_certificate_both_doors_speak_tls(installation: Installation, certificate: tuple[Path, Path], tmp_path: Path) -> None:
    """To clients that trust its authority; those that speak in the clear hear nothing. The audit log goes where it is told to."""
    chain, key = certificate
    written = installation.token("--admin")
    log = tmp_path / "audit.jsonl"
    settings = {"EXEGESIS_TLS_CERTIFICATE": str(chain), "EXEGESIS_TLS_KEY": str(key), "EXEGESIS_AUDIT_LOG": str(log)}
    with installation.serving(**settings) as (at_grpc, at_http, _said):
        credentials = grpc.ssl_channel_credentials(chain.read_bytes())
        with grpc.secure_channel(at_grpc, credentials) as channel:
            stub = gateway_pb2_grpc.GatewayStub(channel)
            listed = stub.ListRepositories(gateway_pb2.ListRepositoriesRequest(), metadata=[("authorization", f"Bearer {written}")], timeout=10)
        shown = {"EXEGESIS_SERVER": at_grpc, "EXEGESIS_TOKEN": written, "EXEGESIS_HOME": str(tmp_path / "elsewhere")}
        assert "alpha" in installation.run("status", EXEGESIS_SERVER_CA=str(chain), **shown).stdout
        assert installation.run("status", EXEGESIS_SERVER_CA=str(key), **shown).returncode != 0
        assert installation.run("status", **shown).returncode == 1
        trusting = ssl.create_default_context(cafile=str(chain))
        assert httpx.get(f"https://{at_http}/healthz", verify=trusting, trust_env=False).status_code == 200
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://{at_http}/healthz", trust_env=False)
    assert sorted(status.repository.name for status in listed.repositories) == sorted(NAMES)
    assert [json.loads(line)["call"] for line in log.read_text("utf-8").splitlines()] == ["ListRepositories"] * 2
    assert log.stat().st_mode & 0o777 == 0o600


def test_with_an_authority_for_clients_strangers_get_no_answer(installation: Installation, certificate: tuple[Path, Path]) -> None:
    """Mutual TLS: not even health is told to who shows no certificate."""
    chain, key = certificate
    settings = {"EXEGESIS_TLS_CERTIFICATE": str(chain), "EXEGESIS_TLS_KEY": str(key), "EXEGESIS_TLS_CLIENTS": str(chain)}

    with installation.serving(**settings) as (_at_grpc, at_http, _said):
        stranger = ssl.create_default_context(cafile=str(chain))
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"https://{at_http}/healthz", verify=stranger, trust_env=False)
        known = ssl.create_default_context(cafile=str(chain))
        known.load_cert_chain(str(chain), str(key))
        assert httpx.get(f"https://{at_http}/healthz", verify=known, trust_env=False).status_code == 200
