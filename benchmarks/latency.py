"""How long a question takes once the index is open: search and composition, without vectors and with late embedding on a cold cache.

    python benchmarks/latency.py REPOSITORY [--rounds 3] [--out benchmarks/results/latency.jsonl]

Questions are made from the repository itself: the names of its larger types, put as people put them, so that any repository can be measured.
Late embedding is measured with an empty cache of vectors for every question. Figures are medians and 95th percentiles over all questions.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from exegesis.adapters.cached_embedder import SPACE as VECTORS
from exegesis.errors import NothingRelevant
from exegesis.model import Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.graph.api import Pin
from services.indexer.api import IndexOptions

TEMPLATES = ("How does {} work?", "Where is {} used?", "What happens when {} fails?", "{} lifecycle and error handling")


def questions(assembly: Assembly, repository: str) -> list[str]:
    """Sixteen questions about the most referenced symbols."""
    head = assembly.catalog.head(repository)
    assert head is not None
    hubs = assembly.graph.hubs(Pin(repository, head.id), limit=16)
    words = [" ".join(re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+", hub.symbol.container or hub.symbol.name)).lower() for hub in hubs]
    return [TEMPLATES[number % len(TEMPLATES)].format(text) for number, text in enumerate(words)]


def timed(ask: Callable[[Question], object], asked: Sequence[Question], *, before: Callable[[], None] = lambda: None) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds; what ``before`` takes is not counted."""
    times = []
    for question in asked:
        before()
        started = time.perf_counter()
        with contextlib.suppress(NothingRelevant):
            ask(question)
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.95)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        assembly = Assembly(Settings(home=folder))
        report = assembly.indexer.index(arguments.repository, IndexOptions(embed=False), lambda _progress: None)
        asked = [Question(text, (report.repository.id,), Options(dense=False)) for text in questions(assembly, report.repository.id)]
        query = assembly.query
        for question in asked:
            query.search(question)  # opens everything once
        warm = asked * arguments.rounds
        # Rows read for one question serve the next; so the first time that questions are asked is told apart.
        rows = {"composed, no vectors, first time": timed(query.compose, asked)}
        rows |= {"search, no vectors": timed(query.search, warm), "composed, no vectors": timed(query.compose, warm)}
        late = [replace(question, options=Options()) for question in asked]
        query.compose(late[0])  # loads the model
        rows["composed, late embedding, cold cache"] = timed(query.compose, late, before=lambda: assembly.cache.trim(VECTORS, keep_bytes=0))
        for question in late:
            query.compose(question)
        rows["composed, late embedding, warm cache"] = timed(query.compose, late)
        assembly.close()
    print(f"{Path(arguments.repository).name}: {report.generation.chunks} chunks, {len(asked)} questions, {os.cpu_count()} cores")
    for name, (p50, p95) in rows.items():
        print(f"  {name:40s} p50 {p50:8.1f} ms   p95 {p95:8.1f} ms")
    if arguments.out:
        with arguments.out.open("a", encoding="utf-8") as out:
            record = {"repository": Path(arguments.repository).name, "cores": os.cpu_count(), "at": time.strftime("%Y-%m-%d"), "rows": rows}
            out.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
