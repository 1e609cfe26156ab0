"""How long a question takes once the index is open, and what late embedding gains and costs.

    python benchmarks/latency.py REPOSITORY [--rounds 3] [--out FILE]
    python benchmarks/latency.py REPOSITORY --questions QUESTIONS.jsonl --name alamofire --curve 0,16,32,64,128

The first form asks questions made from the repository itself: the names of its most referenced types, put as people put them, so that any
repository can be measured. The second asks given questions about it, and shows for each number of late candidates how well the list is ranked and
what that costs with nothing remembered.

Wall and processor time of the whole process, in milliseconds. On a machine that does other work only the processor's says something. Late embedding
is measured with an empty cache of vectors for every question, where it is not said otherwise; for the curve each number of candidates embeds what the
smaller one left, and its cost is the sum.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.retrieval.questions import Asked, read_questions
from exegesis.adapters.cached_embedder import SPACE as VECTORS
from exegesis.errors import NothingRelevant
from exegesis.model import Options, Question
from exegesis.settings import read_settings
from services.assembly import Assembly
from services.gateway.scoring import Location, Prediction, figures
from services.graph.api import Pin
from services.indexer.api import IndexOptions
from services.query import dense
from services.query.api import SearchAnswer

TEMPLATES = ("How does {} work?", "Where is {} used?", "What happens when {} fails?", "{} lifecycle and error handling")
PATIENT = Options(dense_seconds=3_600.0)
"""All candidates are embedded however long that takes: a busy machine must not change what is measured."""


@dataclass(frozen=True, slots=True)
class Times:
    """Of several questions, milliseconds."""

    p50: float
    p95: float
    processor: float
    """Mean."""

    def __str__(self) -> str:
        return f"p50 {self.p50:8.1f}   p95 {self.p95:8.1f}   processor {self.processor:8.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=Path, help="file of questions with gold, for --curve")
    parser.add_argument("--name", help="what these call the repository")
    parser.add_argument("--curve", default="0,16,32,64,128", help="numbers of late candidates")
    parser.add_argument("--home", type=Path, help="folder of the index, kept; a temporary one otherwise")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Assembly(replace(read_settings(os.environ), home=str(arguments.home or temporary)))
        report = assembly.indexer.index(str(arguments.repository), IndexOptions(embed=False, index_store="none"), lambda _progress: None)
        print(f"{arguments.repository.name}: {report.generation.chunks} chunks, {os.cpu_count()} cores", flush=True)
        if arguments.questions:
            asked = [one for one in read_questions(arguments.questions) if one.gold and one.repository == arguments.name]
            records = measure_curve(assembly, report.repository.id, asked, [int(number) for number in arguments.curve.split(",")])
        else:
            records = measure_stages(assembly, report.repository.id, arguments.rounds)
        assembly.close()
    if arguments.out:
        with arguments.out.open("a", encoding="utf-8") as out:
            record = {"repository": arguments.repository.name, "cores": os.cpu_count(), "at": time.strftime("%Y-%m-%d"), "rows": records}
            out.write(json.dumps(record) + "\n")


def measure_stages(assembly: Assembly, repository: str, rounds: int) -> dict[str, object]:
    """Search, and everything up to composition, with nothing, something and everything remembered."""
    asked = [Question(text, (repository,), replace(PATIENT, dense=False)) for text in make_questions(assembly, repository)]
    query = assembly.query
    timed(query.search, asked[:1])  # opens everything once
    # Rows read for one question serve the next; so the first time that questions are asked is told apart.
    rows = {"composed, no vectors, first time": timed(query.compose, asked)}
    rows |= {"search, no vectors": timed(query.search, asked * rounds), "composed, no vectors": timed(query.compose, asked * rounds)}
    if assembly.embedder is not None:
        late = [replace(question, options=PATIENT) for question in asked]
        timed(query.search, late[:1])  # loads the model
        rows["search, late embedding, cold cache"] = timed(query.search, late, before=lambda: forget_vectors(assembly))
        timed(query.search, late)
        rows["search, late embedding, warm cache"] = timed(query.search, late)
    for name, times in rows.items():
        print(f"  {name:40s} {times}")
    return {name: [times.p50, times.p95, times.processor] for name, times in rows.items()}


def measure_curve(assembly: Assembly, repository: str, asked: Sequence[Asked], candidates: Sequence[int]) -> dict[str, object]:
    """For each number of candidates: NDCG@10, and the processor time of a search with nothing remembered."""
    query = assembly.query
    query.search(Question(asked[0].text, (repository,), PATIENT))  # opens everything, loads the model
    chosen = dense.LATE
    numbers = sorted(candidates)
    ranked: dict[int, list[float]] = {number: [] for number in numbers}
    spent: dict[int, list[float]] = {number: [] for number in numbers}
    without = replace(PATIENT, dense=False)
    for one in asked:
        query.search(Question(one.text, (repository,), without))  # reads the rows
        forget_vectors(assembly)
        plain = cost = _processor(query.search, Question(one.text, (repository,), without))[0]
        for number in numbers:
            dense.LATE = number  # type: ignore[misc] - the one place that varies what is a constant of the product
            question = Question(one.text, (repository,), replace(PATIENT, dense=number > 0))
            worked, answer = _processor(query.search, question)
            cost += worked - plain if number else 0.0
            spent[number].append(cost)
            results = tuple(Location(result.path, result.start, result.end) for result in answer.results)
            ranked[number].append(figures(one.gold, Prediction(results, (), 0))["ndcg10"])
    dense.LATE = chosen  # type: ignore[misc]
    rows: dict[str, object] = {}
    for number, values in ranked.items():
        gain, cost = statistics.fmean(values), statistics.fmean(spent[number])
        print(f"  {number:4d} candidates   ndcg10 {gain:.3f}   processor {cost:8.1f}", flush=True)
        rows[str(number)] = {"ndcg10": gain, "processor": cost}
    return rows


def _processor(search: Callable[[Question], SearchAnswer], question: Question) -> tuple[float, SearchAnswer]:
    """Milliseconds, and the answer."""
    started = time.process_time()
    answer = search(question)
    return (time.process_time() - started) * 1_000, answer


def make_questions(assembly: Assembly, repository: str) -> list[str]:
    """Sixteen questions about the most referenced symbols."""
    head = assembly.catalog.head(repository)
    assert head is not None
    hubs = assembly.graph.hubs(Pin(repository, head.id), limit=16)
    words = [" ".join(re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+", hub.symbol.container or hub.symbol.name)).lower() for hub in hubs]
    return [TEMPLATES[number % len(TEMPLATES)].format(text) for number, text in enumerate(words)]


def timed(ask: Callable[[Question], object], asked: Sequence[Question], *, before: Callable[[], None] = lambda: None) -> Times:
    """What ``before`` takes is not counted."""
    waited, worked = [], []
    for question in asked:
        before()
        started, processor = time.perf_counter(), time.process_time()
        with contextlib.suppress(NothingRelevant):
            ask(question)
        waited.append((time.perf_counter() - started) * 1_000)
        worked.append((time.process_time() - processor) * 1_000)
    waited.sort()
    return Times(waited[len(waited) // 2], waited[int(len(waited) * 0.95)], statistics.fmean(worked))


def forget_vectors(assembly: Assembly) -> None:
    assembly.cache.trim(VECTORS, keep_bytes=0)


if __name__ == "__main__":
    main()
