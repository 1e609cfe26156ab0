"""Questions about a whole call graph, on one that is made up: 200,000 symbols and a million edges unless told otherwise.

    .venv/bin/python benchmarks/graph_questions.py
    .venv/bin/python benchmarks/graph_questions.py --symbols 20000 --edges 100000

The shape is that of real code: a function calls mostly what is declared near it, and some symbols are called by very many. Prints how long the
graph takes to load, and the median and 95th percentile of each question over a hundred symbols drawn at random;
those about no symbol are asked ten times.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import Edge, EdgeKind, FileFacts, FileRole, FileStatus, Modifier, SourceFile, Span, Symbol, SymbolKind, Tier, stable_id
from services.graph.api import Pin
from services.graph.local import LocalGraph

PIN = Pin("made-1234", "g1")
PER_FILE = 40
_ABOUT_SYMBOLS = frozenset({"only-through", "always-with", "impact", "path", "callers", "callees"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--symbols", type=int, default=200_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ids = _build(Path(folder), arguments.symbols, arguments.edges, random.Random(arguments.seed))
        with closing(LocalGraph(SqliteGraph(Path(folder)))) as graph:
            began = time.perf_counter()
            graph.entry_points(PIN, limit=1)
            print(f"{os.cpu_count()} cores, {arguments.symbols} symbols, {arguments.edges} edges")
            print(f"load              {time.perf_counter() - began:8.2f} s")
            chosen = random.Random(arguments.seed + 1).sample(ids, arguments.questions)
            for name, ask in _questions(graph, ids):
                times = sorted(_timed(ask, symbol) for symbol in (chosen if name in _ABOUT_SYMBOLS else chosen[:10]))
                print(f"{name:16s}  p50 {statistics.median(times):7.1f} ms   p95 {times[int(len(times) * 0.95)]:7.1f} ms", flush=True)


def _questions(graph: LocalGraph, ids: list[int]) -> Iterator[tuple[str, Callable[[int], object]]]:
    yield "only-through", lambda symbol: graph.only_through(PIN, [symbol])
    yield "always-with", lambda symbol: graph.always_with(PIN, [symbol])
    yield "impact", lambda symbol: graph.impact(PIN, symbol)
    yield "path", lambda symbol: graph.path(PIN, symbol, ids[symbol % len(ids)])
    yield "callers", lambda symbol: graph.callers(PIN, symbol)
    yield "callees", lambda symbol: graph.callees(PIN, symbol)
    yield "cycles", lambda _: graph.cycles(PIN)
    yield "entry-points", lambda _: graph.entry_points(PIN)


def _timed(ask: Callable[[int], object], symbol: int) -> float:
    began = time.perf_counter()
    ask(symbol)
    return (time.perf_counter() - began) * 1000


def _build(folder: Path, symbols: int, edges: int, chance: random.Random) -> list[int]:
    files = [f"Sources/Made/File{number}.swift" for number in range(-(-symbols // PER_FILE))]
    ids = [stable_id("made", number) for number in range(symbols)]
    drafted = SqliteGraph(folder).draft(PIN.repository, PIN.generation, basis=None)
    drafted.put_files([SourceFile(path, "", 0, "swift", FileRole.NONE, FileStatus.INDEXED) for path in files])
    drafted.put_facts(_facts(path, number, ids) for number, path in enumerate(files))
    targets: list[list[Edge]] = [[] for _ in files]
    for line in range(edges):
        source = chance.randrange(symbols)
        near = min(symbols - 1, max(0, source + int(chance.gauss(0, 300))))
        target = near if chance.random() < 0.8 else int(symbols * chance.random() ** 4)
        targets[source // PER_FILE].append(Edge(ids[source], ids[target], EdgeKind.CALL, "T1", Tier.TYPED, 0.99, line + 1, 0))
    for path, found in zip(files, targets, strict=True):
        drafted.put_links(path, found, (), ())
    drafted.commit()
    return ids


def _facts(path: str, number: int, ids: list[int]) -> FileFacts:
    first = number * PER_FILE
    declared = [
        Symbol(
            id=node,
            name=f"f{first + place}",
            qualified=f"f{first + place}()",
            kind=SymbolKind.FUNCTION,
            path=path,
            line=place + 1,
            column=0,
            span=Span(place + 1, place + 1),
            modifiers=Modifier.NONE,
        )
        for place, node in enumerate(ids[first : first + PER_FILE])
    ]
    return FileFacts(path, "", "swift", tuple(declared), (), (), ())


if __name__ == "__main__":
    main()
