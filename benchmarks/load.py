"""What a team's shape bears: many people who ask at one time, then many streams on which nothing happens.

    python benchmarks/load.py REPOSITORY... [--seconds 300] [--streams 50] [--again 0] [--idle 100] [--queries N]
        [--far-graph] [--out FILE]

Runs what `make up` runs, in a folder that is deleted afterwards, indexes the repositories over the queue, and asks through the gateway as clients do.
Each stream asks its next question when the one before is answered; no model writes. Questions are made from names of the repositories, four to a
name, and none is asked twice unless there are too few of them or `--again` says that a share of them is. Then streams are opened whose model falls
silent after a word, as many as `--idle` says.

Printed are seconds to the composed context (the first piece of evidence) and to the end of the answer, processor time of every part for an answer,
and memory (RSS) of every part over time. The client shares the machine; its processor time is told like the others'.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import re
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOUSE))  # for `deploy` and the fake endpoint, which are no part of the distribution

from benchmarks.latency import TEMPLATES  # noqa: E402 - after the line above, as all of these
from benchmarks.over_the_queue import Installation, index, installation  # noqa: E402
from benchmarks.processes import family, processor_seconds, resident_mib  # noqa: E402
from exegesis.errors import ExegesisError, NothingRelevant  # noqa: E402
from exegesis.model import Options  # noqa: E402
from exegesis.rpc.address import Address, read_address  # noqa: E402
from exegesis.rpc.ask import Asker  # noqa: E402
from exegesis.settings import read_settings  # noqa: E402
from exegesis.v1 import gateway_pb2, gateway_pb2_grpc, model_pb2  # noqa: E402
from exegesis.wire import to_message  # noqa: E402
from services.assembly import Assembly  # noqa: E402
from services.gateway.operations import SECONDS, SERVICE  # noqa: E402
from services.gateway.tokens import Grants, mint  # noqa: E402
from services.graph.api import Pin  # noqa: E402
from tests.fakes.openai_server import Exchange, endpoint, event, piece  # noqa: E402

NAMES = 500
"""Symbols of a repository that questions are made from, those first that most others refer to."""

EVERY = 5.0
"""Seconds between two looks at memory."""

Ask = tuple[str, str]
"""A repository and a question to it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--streams", type=int, default=50)
    parser.add_argument("--again", type=float, default=0.0, metavar="SHARE", help="of the questions that are some of those asked before")
    parser.add_argument("--idle", type=int, default=100, metavar="STREAMS")
    parser.add_argument("--queries", type=int, default=os.cpu_count() or 1, metavar="N", help="processes that answer questions (%(default)s)")
    parser.add_argument("--far-graph", action="store_true", help="they ask the graph service, and do not read its files")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    over = threading.Event()
    with tempfile.TemporaryDirectory() as scratch, endpoint(_falls_silent(over)) as model:
        told = {"EXEGESIS_MODEL_URL": model.url, "EXEGESIS_MODEL": "silent", "EXEGESIS_MODEL_SECONDS": "600"}
        with installation(Path(scratch) / "up", doors=True, queries=arguments.queries, **told) as made:
            if arguments.far_graph:
                _ask_for_rows(made)
            asked = [question for repository in arguments.repositories for question in _questions(made, repository)]
            random.Random(1).shuffle(asked)
            for worker in ("interactive", "bulk", "beat"):  # have done their part
                made.kill(worker)
            token = _token(made)
            print(f"{len(asked)} questions about {len(arguments.repositories)} repositories; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
            bear(made, token, asked[: 2 * arguments.streams], arguments.streams, seconds=60.0, stop_after=2 * arguments.streams)  # warm
            rows = [bear(made, token, _order(asked[2 * arguments.streams :], arguments.again), arguments.streams, seconds=arguments.seconds)]
            if arguments.idle:
                rows += [idle(made, token, asked, arguments.idle) for _ in range(2)]
            over.set()
    for row in rows:
        for name, value in row.items():
            print(f"  {name:28s} {value}")
    if arguments.out:
        with arguments.out.open("a", encoding="utf-8") as out:
            names = [repository.name for repository in arguments.repositories]
            out.writelines(json.dumps({"repositories": names, "at": time.strftime("%Y-%m-%d"), **row}) + "\n" for row in rows)
    return 0


def _ask_for_rows(made: Installation) -> None:
    """Starts those that answer questions anew, so that they ask the graph service for what they read."""
    made.of = {"query": {"EXEGESIS_GRAPH_ADDRESS": made.places.environment()["EXEGESIS_GRAPH_ADDRESS"]}}
    for name in made.places.query_names:
        made.kill(name)
        made.start(name)
        made.await_ready(name)


# ----------------------------------------------------------------------------------------------------------- what is asked


def _questions(made: Installation, repository: Path) -> list[Ask]:
    report = index(made.settings, repository)
    with contextlib.closing(Assembly(read_settings(made.settings))) as assembly:
        hubs = assembly.graph.hubs(Pin(report.repository.id, report.generation.id), limit=NAMES)
    names = dict.fromkeys(" ".join(_words(f"{hub.symbol.container.rpartition('.')[2]} {hub.symbol.name}")) for hub in hubs)
    return [(report.repository.id, template.format(name)) for name in names for template in TEMPLATES]


def _words(name: str) -> list[str]:
    return list(dict.fromkeys(word.lower() for word in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+", name)))


def _order(asked: Sequence[Ask], again: float) -> Sequence[Ask]:
    """The questions, among which that share was there before."""
    chance, order = random.Random(2), list[Ask]()
    for question in asked:
        while order and chance.random() < again:
            order.append(chance.choice(order))
        order.append(question)
    return order


def _token(made: Installation) -> str:
    with contextlib.closing(Assembly(read_settings(made.settings))) as assembly:
        written, record = mint("load", Grants(admin=True), now=assembly.clock.now(), seconds=None, per_minute=1_000_000)
        assembly.tokens.add(record)
    return written


def _asker(made: Installation, token: str) -> Asker:
    address: Address = read_address(made.address, source="the gateway")
    return Asker(address, service=SERVICE, stub=gateway_pb2_grpc.GatewayStub, seconds=SECONDS, retried=(), token=token)


def _request(ask: Ask, *, use_model: bool) -> gateway_pb2.Asked:
    repository, text = ask
    return gateway_pb2.Asked(text=text, projects=[repository], options=to_message(Options(use_model=use_model), model_pb2.Options))


# ------------------------------------------------------------------------------------------------------------------- load


@dataclass
class Heard:
    """What the streams heard, in seconds from asking."""

    context: list[float] = field(default_factory=list)
    answer: list[float] = field(default_factory=list)
    refused: int = 0
    """Nothing bears on the question: an answer as well, and not counted among them."""
    errors: Counter[str] = field(default_factory=Counter)


def bear(made: Installation, token: str, asked: Sequence[Ask], streams: int, *, seconds: float, stop_after: int = sys.maxsize) -> dict[str, object]:
    asker, heard, over = _asker(made, token), Heard(), threading.Event()
    numbers = itertools.count()
    before, began, own = _processor(made), time.monotonic(), time.process_time()

    def stream() -> None:
        while time.monotonic() - began < seconds and (number := next(numbers)) < stop_after:
            _ask_once(asker, asked[number % len(asked)], heard)

    memory: list[Mapping[str, float]] = []

    def look() -> None:
        while not over.wait(EVERY):
            memory.append(_memory(made))

    looking = threading.Thread(target=look)
    looking.start()
    threads = [threading.Thread(target=stream) for _ in range(streams)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lasted = time.monotonic() - began
    after, own = _processor(made), time.process_time() - own
    over.set()
    looking.join()
    asker.close()
    answers = max(1, len(heard.answer))
    taken = asked[: next(numbers)]
    cost = {name: round((after[name] - before[name]) / answers * 1000, 1) for name in after} | {"client": round(own / answers * 1000, 1)}
    return {
        "what": f"{streams} streams for {lasted:.0f} s",
        "answers": f"{len(heard.answer)}, {len(heard.answer) / lasted:.1f} a second; refused {heard.refused}",
        "different_questions": f"{len(set(taken))} of {len(taken)}",
        "errors": dict(heard.errors) or "none",
        "context_s": _spread(heard.context),
        "answer_s": _spread(heard.answer),
        "processor_ms_an_answer": {**cost, "all": round(sum(cost.values()), 1)},
        "memory_mib": _course(memory),
    }


def _ask_once(asker: Asker, ask: Ask, heard: Heard) -> None:
    began, has_context = time.monotonic(), False
    try:
        for message in asker.stream("Explain", _request(ask, use_model=False)):
            if not has_context and message.WhichOneof("event") == "evidence":
                has_context = True
                heard.context.append(time.monotonic() - began)
        heard.answer.append(time.monotonic() - began)
    except NothingRelevant:
        heard.refused += 1
    except ExegesisError as error:
        heard.errors[f"{type(error).__name__}: {error.message}"[:120]] += 1


def _spread(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times) or [float("nan")]
    at = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return {name: round(ordered[int(len(ordered) * part)], 2) for name, part in at.items()} | {"most": round(ordered[-1], 2)}


def _processor(made: Installation) -> dict[str, float]:
    return {name: sum(map(processor_seconds, family(running.process.pid))) for name, running in made.running.items() if running.is_alive}


def _memory(made: Installation) -> dict[str, float]:
    return {name: sum(map(resident_mib, family(running.process.pid))) for name, running in made.running.items() if running.is_alive}


def _course(memory: Sequence[Mapping[str, float]]) -> dict[str, str]:
    """Of each part: the median of the first, the middle and the last third of the looks."""
    third = max(1, len(memory) // 3)
    parts = [part for part in (memory[:third], memory[third:-third], memory[-third:]) if part]
    return {name: " ".join(f"{statistics.median(look[name] for look in part):.0f}" for part in parts) for name in (memory[0] if memory else ())}


# ------------------------------------------------------------------------------------------------------------------- idle


def idle(made: Installation, token: str, asked: Sequence[Ask], streams: int) -> dict[str, object]:
    """Streams that wait for a model that has said one word. The first time a process also keeps what it needs for talking to a model at all."""
    asker, before, held = _asker(made, token), _memory(made), list[Iterator[Any]]()
    silent, errors = threading.Semaphore(0), list[str]()

    def hold(ask: Ask) -> None:
        messages = asker.stream("Explain", _request(ask, use_model=True))
        try:
            for message in messages:
                if message.WhichOneof("event") == "text_delta":
                    break
            held.append(messages)
        except ExegesisError as error:
            errors.append(error.message)
        silent.release()

    for number in range(streams):
        threading.Thread(target=hold, args=(asked[number % len(asked)],), daemon=True).start()
    waiting = sum(silent.acquire(timeout=120) for _ in range(streams))
    time.sleep(2)
    after = _memory(made)
    for messages in held:
        messages.close()  # type: ignore[attr-defined]  # a generator
    asker.close()
    more = {name: round(after[name] - before[name], 1) for name in after}
    return {"what": f"{waiting} idle streams", "errors": errors or "none", "memory_mib_more": {**more, "all": round(sum(more.values()), 1)}}


def _falls_silent(over: threading.Event) -> Any:
    """A word, then nothing as long as the benchmark runs."""

    def script(exchange: Exchange) -> None:
        exchange.start()
        exchange.write(event(piece("It begins [E1]. And then ")))
        over.wait()

    return script


if __name__ == "__main__":
    sys.exit(main())
