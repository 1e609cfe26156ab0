"""A real PostgreSQL server of the tests' own, on a socket in a temporary folder, up in about a second."""

from __future__ import annotations

import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from deploy import wheels

_START_SECONDS = 30.0


@dataclass(slots=True)
class PostgresServer:
    folder: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"host={self.folder} user=postgres dbname=postgres"

    def fresh_schema(self) -> str:
        """The address of an empty schema."""
        name = f"t{secrets.token_hex(6)}"
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{self.address} options='-c search_path={name}'"

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        command = [str(wheels.postgres("postgres")), "-D", str(self.folder / "data"), "-k", str(self.folder), "-c", "listen_addresses=", "-F"]
        self.process = subprocess.Popen(command, stderr=log, stdout=log, cwd=self.folder, **wheels.somebody())
        log.close()
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                psycopg.connect(self.address).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.02)
            else:
                return

    def stop(self, how: int = signal.SIGQUIT) -> None:
        """At once, as when the machine fails."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=_START_SECONDS)
            self.process = None


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # a short path: that of a socket may not exceed 107 bytes
    folder.chmod(0o777)
    server = PostgresServer(folder)
    try:
        options = ["-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        subprocess.run(
            [str(wheels.postgres("initdb")), "-D", str(folder / "data"), *options], check=True, capture_output=True, cwd=folder, **wheels.somebody()
        )
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
