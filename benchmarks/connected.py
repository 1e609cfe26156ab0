"""How often edges join what one commit changed: for each pair of changed files, whether a way of one or two edges leads from one to the other.

    python benchmarks/connected.py QUESTIONS.jsonl NAME=SOURCES[:STORE]...

QUESTIONS are those of ``retrieval.py``; a question counts if its gold lies in two or more files. With a STORE the graph is made by rules and with
the store, one after the other. Counted are ways between the declarations that the gold lies in, and between any declarations of the files; edges
below ``CONFIDENCE``, which traversal does not follow, do not count, and directions do not matter.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.edges import Graph, graph_of
from exegesis.model import Symbol

CONFIDENCE = 0.5

Places = Mapping[str, Collection[int]]
"""Declarations by file."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("projects", nargs="+", metavar="NAME=SOURCES[:STORE]")
    options = parser.parse_args()
    asked = [json.loads(line) for line in options.questions.read_text("utf-8").splitlines() if line.strip()]
    for named in options.projects:
        name, folders = named.split("=", 1)
        sources, _, store = folders.partition(":")
        golds = [each["gold"] for each in asked if each["repo"] == name and len({place["path"] for place in each["gold"]}) > 1]
        for how in ("", store) if store else ("",):
            graph = graph_of(sources, how)
            print(f"{name}, {'with the store' if how else 'by rules'}: {len(graph.edges)} edges; {describe(graph, golds)}")


def describe(graph: Graph, golds: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    of_file: dict[str, list[Symbol]] = defaultdict(list)
    for symbol in graph.symbols.values():
        of_file[symbol.path].append(symbol)
    near: dict[int, set[int]] = defaultdict(set)
    for edge in graph.edges:
        if edge.confidence >= CONFIDENCE:
            near[edge.source].add(edge.target)
            near[edge.target].add(edge.source)
    whole = {path: {symbol.id for symbol in symbols} for path, symbols in of_file.items()}
    changed = [changed_in(gold, of_file) for gold in golds]
    pairs = sum(len(list(combinations(places, 2))) for places in changed)
    parts = [f"{pairs} pairs of files"]
    for title, every in (("declarations", changed), ("files", [{path: whole.get(path, ()) for path in places} for places in changed])):
        ways = [steps(places[one], places[other], near) for places in every for one, other in combinations(sorted(places), 2)]
        parts.append(f"{title} one edge {sum(way == 1 for way in ways) / pairs:.2f}, one or two {sum(way > 0 for way in ways) / pairs:.2f}")
    return "; ".join(parts)


def changed_in(gold: Sequence[Mapping[str, Any]], of_file: Mapping[str, Sequence[Symbol]]) -> Places:
    """The innermost declarations that the places of a gold lie in."""
    found: dict[str, set[int]] = defaultdict(set)
    for place in gold:
        first, last = place.get("start", 1), place.get("end", sys.maxsize)
        around = [symbol for symbol in of_file.get(place["path"], ()) if symbol.span.start <= last and first <= symbol.span.end]
        found[place["path"]] |= {symbol.id for symbol in around} - {symbol.parent for symbol in around}
    return found


def steps(one: Collection[int], other: Collection[int], near: Mapping[int, set[int]]) -> int:
    """Edges of the shortest way between two sets of declarations, if it has one or two; else 0."""
    beside_one = {target for symbol in one for target in near.get(symbol, ())}
    if not beside_one.isdisjoint(other):
        return 1
    return 2 if any(not beside_one.isdisjoint(near.get(symbol, ())) for symbol in other) else 0


if __name__ == "__main__":
    main()
