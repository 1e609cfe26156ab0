"""What distance costs: the same questions near, with a far graph, and with a far query service before it.

    python benchmarks/serving.py REPOSITORY [--rounds 3] [--out benchmarks/results/serving.jsonl]

Services run on a socket and on loopback; the questions are those of ``latency.py``. Figures are medians and 95th percentiles in milliseconds over
all questions, after one round to warm up, and the time of an index run into either graph.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.latency import make_questions
from exegesis.errors import NothingRelevant
from exegesis.model import Options, Question
from exegesis.rpc.address import read_address
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from services.query.api import QueryService
from services.query.remote import RemoteQuery

MOST_QUESTIONS = 12
"""Enough for a median; each is asked in every place and round."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", default="benchmarks/results/serving.jsonl")
    arguments = parser.parse_args()
    rows = list(measure(arguments.repository, arguments.rounds))
    for row in rows:
        print(" ".join(f"{name} {value}" for name, value in row.items()))
    out = Path(arguments.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps({"repository": Path(arguments.repository).name, **row}) + "\n" for row in rows)


def measure(repository: str, rounds: int) -> Iterator[dict[str, object]]:
    with tempfile.TemporaryDirectory() as folder, served("graph", f"{folder}/g", f"unix:{folder}/graph") as graph:
        near = Assembly(Settings(home=f"{folder}/near", embedder="none"))
        far = Assembly(Settings(home=f"{folder}/far", embedder="none", graph_address=graph))
        reports = {name: each.indexer.index(repository, IndexOptions(embed=False), lambda _: None) for name, each in (("near", near), ("far", far))}
        yield {"what": "index", **{f"{name}_s": round(report.seconds, 2) for name, report in reports.items()}}
        asked = reports["near"].repository.id
        texts = make_questions(near, asked)[:MOST_QUESTIONS]
        with served("query", f"{folder}/far", "127.0.0.1:0", EXEGESIS_GRAPH_ADDRESS=graph) as query:
            both = RemoteQuery(read_address(query, source="benchmark"))
            services: dict[str, QueryService] = {"near": near.query, "far graph": far.query, "far query": both}
            for what in ("search", "compose"):
                for place, service in services.items():
                    yield {"what": what, "where": place, **latency(getattr(service, what), texts, asked, rounds)}
            both.close()
        near.close()
        far.close()


def latency(ask: Callable[[Question], object], texts: Sequence[str], repository: str, rounds: int) -> dict[str, object]:
    times = []
    for round_ in range(rounds + 1):
        for text in texts:
            started = time.perf_counter()
            with contextlib.suppress(NothingRelevant):
                ask(Question(text, (repository,), Options(dense=False)))
            if round_:
                times.append((time.perf_counter() - started) * 1000)
    times.sort()
    return {"p50_ms": round(statistics.median(times), 1), "p95_ms": round(times[int(len(times) * 0.95)], 1)}


@contextmanager
def served(service: str, home: str, listen: str, **more: str) -> Iterator[str]:
    """A service in a process of its own, and its address."""
    house = str(Path(__file__).resolve().parents[1])
    environment = {**os.environ, "EXEGESIS_HOME": home, "EXEGESIS_EMBEDDER": "none", "PYTHONPATH": house, **more}
    command = [sys.executable, "-m", "exegesis", "serve", service, "--listen", listen]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"listening at (\S+)", process.stderr.readline())
        assert found is not None
        yield found[1]
        process.terminate()


if __name__ == "__main__":
    main()
