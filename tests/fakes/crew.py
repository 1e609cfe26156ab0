"""An installation whose indexing goes through a queue: broker, workers and beat as processes of their own, over one home."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from exegesis.settings import Settings, read_settings
from services.assembly import Assembly
from tests.fakes.valkey_server import ValkeyServer, valkey_server

HOUSE = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class Crew:
    """Who works over one home, and what they are told by the environment."""

    home: Path
    broker: ValkeyServer
    told: dict[str, str]
    members: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        return read_settings(self.told)

    def assembly(self) -> Assembly:
        """The parts of a process that asks."""
        return Assembly(self.settings)

    def join(self, *command: str, **more: str) -> subprocess.Popen[bytes]:
        """One more process: ``worker`` or ``beat``, and its options. It leads a group, so that all of it can be killed at once."""
        with (self.home.parent / f"{command[0]}.log").open("ab") as log:
            environment = {**_clean(), **self.told, "PYTHONPATH": str(HOUSE), **more}
            process = subprocess.Popen(
                [sys.executable, "-m", "exegesis", "serve", *command], env=environment, stdout=log, stderr=log, start_new_session=True
            )
        self.members.append(process)
        return process

    def listening(self, service: str, *options: str) -> str:
        """One more that is called by others, and where it listens."""
        self.join(service, *options)
        for _ in range(600):
            found = re.findall(rf"{service}.* listening at (\S+?),? *$", (self.home.parent / f"{service}.log").read_text(), re.MULTILINE)
            if found:
                return str(found[-1])
            time.sleep(0.1)
        raise AssertionError(self.log())

    def kill(self, member: subprocess.Popen[bytes]) -> None:
        """With all its children, as when its machine stops."""
        os.killpg(member.pid, signal.SIGKILL)
        member.wait()

    def log(self) -> str:
        return "".join(file.read_text() for file in sorted(self.home.parent.glob("*.log")))

    def leave(self) -> None:
        for member in self.members:
            if member.poll() is None:
                member.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 20
        for member in self.members:
            try:
                member.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.kill(member)


@contextmanager
def crew(folder: Path, **told: str) -> Iterator[Crew]:
    """A broker, and nobody yet who works."""
    with valkey_server() as broker:
        home = folder / "home"
        settings = {"EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none", "EXEGESIS_WORKERS": "1", "EXEGESIS_QUEUE_ADDRESS": broker.address}
        made = Crew(home, broker, {**settings, "EXEGESIS_POLL_SECONDS": "0", "EXEGESIS_LEASE_SECONDS": "6", **told})
        home.mkdir(parents=True)
        try:
            yield made
        finally:
            made.leave()


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("EXEGESIS_", "OTEL_"))}
