"""A real Valkey server of the tests' own, on a socket in a temporary folder."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from deploy import wheels

_START_SECONDS = 20.0


@dataclass(slots=True)
class ValkeyServer:
    folder: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"redis+socket://{self.folder / 'socket'}"

    def start(self) -> None:
        options = ["--port", "0", "--unixsocket", str(self.folder / "socket"), "--dir", str(self.folder), "--appendonly", "yes", "--save", ""]
        self.process = subprocess.Popen([str(wheels.valkey()), *options], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + _START_SECONDS
        while not (self.folder / "socket").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def flush(self) -> None:
        """Lose everything."""
        redis.Redis(unix_socket_path=str(self.folder / "socket")).flushall()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
        (self.folder / "socket").unlink(missing_ok=True)


@contextmanager
def valkey_server() -> Iterator[ValkeyServer]:
    server = ValkeyServer(Path(tempfile.mkdtemp(prefix="vk-")))  # a short path: that of a socket may not exceed 107 bytes
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(server.folder, ignore_errors=True)
