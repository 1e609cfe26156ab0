"""Every service as a process of this machine: started by one command, asked from a terminal, ended by one key."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import grpc
import httpx
import pytest
from google.protobuf import json_format

from exegesis.model import Context, Question
from exegesis.settings import Settings
from exegesis.v1 import gateway_pb2, gateway_pb2_grpc, query_pb2
from exegesis.wire import from_message
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from tests.fakes.git_http import commit_all, git_host

HOUSE = Path(__file__).resolve().parents[2]
PROGRAMS = ("postgres", "valkey", "graph", "query", "query-2", "gateway", "interactive", "bulk", "beat")

pytestmark = pytest.mark.slow


@dataclass
class Up:
    """A running installation, whose standard output goes to a file and who sits at a terminal."""

    folder: Path
    grpc: str
    http: str
    process: subprocess.Popen[bytes]
    log: Path
    seen: bytearray = field(default_factory=bytearray)
    """On the terminal."""

    @property
    def terminal(self) -> str:
        return self.seen.decode("utf-8", "replace")

    def wait_for(self, pattern: str) -> re.Match[str]:
        deadline = time.monotonic() + 120
        while not (found := re.search(pattern, self.terminal)):
            assert time.monotonic() < deadline, self.log.read_text("utf-8") + self.terminal
            assert self.process.poll() is None, self.log.read_text("utf-8") + self.terminal
            time.sleep(0.05)
        return found

    def run(self, *arguments: str, token: str) -> subprocess.CompletedProcess[str]:
        environment = {**clean(), "EXEGESIS_HOME": str(self.folder / "elsewhere"), "EXEGESIS_TOKEN": token, "EXEGESIS_SERVER": self.grpc}
        command = [sys.executable, "-m", "exegesis", *arguments]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120, check=False)


def clean() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("EXEGESIS_", "OTEL_"))}
    return {**own, "PYTHONPATH": str(HOUSE), "EXEGESIS_EMBEDDER": "none"}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def start(folder: Path, **more: str) -> Up:
    grpc_at, http_at = (f"127.0.0.1:{free_port()}" for _ in range(2))
    log = folder / "log"
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "deploy.up", "--folder", str(folder / "up"), "--listen", grpc_at, "--http", http_at, "--workers", "1"]
    command += ["--queries", "2"]
    with log.open("ab") as out:
        everything = [sys.executable, "-c", _IN_TERMINAL, *command]
        environment = {**clean(), **more}
        process = subprocess.Popen(everything, cwd=HOUSE, env=environment, stdin=child, stdout=out, stderr=child, start_new_session=True)
    os.close(child)
    up = Up(folder, grpc_at, http_at, process, log)

    def read() -> None:
        try:
            while portion := os.read(parent, 4096):
                up.seen.extend(portion)
        except OSError:  # the terminal has gone with the last who had it open
            pass
        os.close(parent)

    threading.Thread(target=read, daemon=True).start()
    return up


_IN_TERMINAL = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes standard input the terminal of the session, as a shell does."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Reached by whoever the database runs as, which the folders of pytest are not."""
    made = Path(tempfile.mkdtemp(prefix="up-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def test_one_command_starts_everything_and_one_key_ends_it(folder: Path) -> None:
    """An administrator's token stands on the terminal, once, and in no log; a repository is indexed and asked about; nothing is left behind."""
    project = folder / "swift-oauth"
    shutil.copytree(HOUSE / "examples" / "swift-oauth", project)
    up = start(folder)
    try:
        token = up.wait_for(r"EXEGESIS_TOKEN=(exg_[0-9a-f]+_[0-9a-f]+)")[1]
        indexed = up.run("index", str(project), token=token)
        assert indexed.returncode == 0, indexed.stderr + up.log.read_text("utf-8")
        found = up.run("search", "token refresh", "--project", "swift-oauth", token=token)
        assert "Sources/OAuthKit" in found.stdout, found.stderr
        children = descendants(up.process.pid)
        assert len(children) >= len(PROGRAMS)
    finally:
        up.process.send_signal(signal.SIGINT)
        code = up.process.wait(90)
    log = up.log.read_text("utf-8")
    assert code == 0, log
    assert token not in log
    assert not list(filter(lives, children))
    assert {line.partition("|")[0].strip() for line in log.splitlines()} == set(PROGRAMS)
    assert "Traceback" not in log

    again = start(folder)
    try:
        again.wait_for("Ctrl-C ends all of it")
        assert again.run("status", token=token).returncode == 0
    finally:
        again.process.send_signal(signal.SIGINT)
        again.process.wait(90)
    assert "EXEGESIS_TOKEN" not in again.terminal


def test_three_repositories_are_asked_about_as_if_they_were_here(folder: Path) -> None:
    """A Swift package, a handbook, and one that is fetched over HTTP: registered over gRPC with progress, asked over gRPC, HTTP and by the command.

    The context is byte for byte that of one process.
    """
    package, handbook, fetched = folder / "swift-oauth", folder / "handbook", folder / "fetched"
    shutil.copytree(HOUSE / "examples" / "swift-oauth", package)
    shutil.copytree(HOUSE / "docs", handbook)
    shutil.copytree(HOUSE / "examples" / "swift-oauth" / "Sources", fetched)
    commit_all(fetched)
    asked = {"swift-oauth": "How does a token get refreshed?", "handbook": "How are services near and far?", "fetched": "How is a token stored?"}
    with git_host(folder / "host") as host:
        address = host.publish(fetched, "fetched")
        up = start(folder, EXEGESIS_GIT_PROTOCOLS="http", EXEGESIS_GIT_HOSTS="127.0.0.1")
        try:
            token = up.wait_for(r"EXEGESIS_TOKEN=(exg_[0-9a-f]+_[0-9a-f]+)")[1]
            with grpc.insecure_channel(up.grpc) as channel:
                stub, shown = gateway_pb2_grpc.GatewayStub(channel), [("authorization", f"Bearer {token}")]
                for project in (str(package), str(handbook), address):
                    events = list(stub.IndexRepository(gateway_pb2.IndexRepositoryRequest(project=project), metadata=shown, timeout=120))
                    assert events[-1].WhichOneof("event") == "report", up.log.read_text("utf-8")
                    assert "usable" in {event.progress.phase for event in events[:-1]}  # other steps may pass between two looks at the ledger
                over_grpc = {
                    name: from_message(stub.Compose(gateway_pb2.Asked(text=text, projects=[name]), metadata=shown, timeout=60).context, Context)
                    for name, text in asked.items()
                }
            for name, text in asked.items():
                body = {"text": text, "projects": [name]}
                headers = {"authorization": f"Bearer {token}"}
                answer = httpx.post(f"http://{up.http}/v1/compose", json=body, headers=headers, timeout=60, trust_env=False)
                over_http = json_format.Parse(answer.text, query_pb2.Composition()).context
                assert from_message(over_http, Context) == over_grpc[name]
                printed = json.loads(up.run("explain", text, "--project", name, "--json", token=token).stdout)
                assert [item["path"] for item in printed["context"]["items"]] == [item.path for item in over_grpc[name].items]
        finally:
            up.process.send_signal(signal.SIGINT)
            up.process.wait(90)
    with contextlib.closing(Assembly(Settings(home=str(folder / "near"), embedder="none"))) as near:
        for project in (package, handbook, fetched):
            repository = near.indexer.index(str(project), IndexOptions(), lambda _: None).repository.id
            context = near.query.compose(Question(asked[project.name], (repository,))).context
            assert len(context.items) > 3
            assert repr(anonymous(over_grpc[project.name])) == repr(anonymous(context))


def anonymous(context: Context) -> Context:
    """Without the identifier of the repository, which for one that is fetched follows from its address."""
    return replace(context, items=tuple(replace(item, repository="") for item in context.items))


def descendants(process: int) -> list[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, seen = [], {process}
    while more := {child for child, parent in parents.items() if parent in seen} - seen:
        found += more
        seen |= more
    return found


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
