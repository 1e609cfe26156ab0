"""Every service as a process of this machine: started by one command, asked from a terminal, ended by one key."""

from __future__ import annotations

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
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
PROGRAMS = ("postgres", "valkey", "graph", "query", "gateway", "interactive", "bulk", "beat")

pytestmark = pytest.mark.slow


@dataclass
class Up:
    """A running installation, whose standard output goes to a file and who sits at a terminal."""

    folder: Path
    grpc: str
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


def start(folder: Path) -> Up:
    grpc, http = (f"127.0.0.1:{free_port()}" for _ in range(2))
    log = folder / "log"
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "deploy.up", "--folder", str(folder / "up"), "--listen", grpc, "--http", http, "--workers", "1"]
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", _IN_TERMINAL, *command], cwd=HOUSE, env=clean(), stdin=child, stdout=out, stderr=child, start_new_session=True
        )
    os.close(child)
    up = Up(folder, grpc, process, log)

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
