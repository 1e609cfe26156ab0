"""The edges that rules make, against what a compiler knew: precision and recall for each rule, each tier, and in all.

    python benchmarks/edges.py NAME=SOURCES:STORE... [--compile Module=SOURCES[:COMPILED]]... [--exact] [--examples 5] [--out results.jsonl]

SOURCES is a folder that is read as ``exegesis index`` would read it; STORE is an index store of it, a folder that holds ``v5``. Only files whose
text is what was compiled are measured. ``--compile`` makes a store first, of all Swift files below COMPILED (SOURCES itself, if not given), as one
module, in a temporary folder; the ``bin`` folder of a Swift toolchain must be on the path. What is counted: see ``edge_score.py``.

With ``--exact`` the graph is made with the store, as indexing makes it where it finds one, and measured by the same store: recall of tier E is then
the share of calls within the project that are edges.

Calibration stands at the end of each line: the stated confidence of a rule, the mean of that of all edges of a tier, and ``off`` if the measured
precision is not within 0.03 of it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the scoring is tested, so it is imported from where tests import it

from benchmarks.edge_score import Judged, Score, Tally, Verdict, score, truth_of
from benchmarks.indexstore import compile_module
from exegesis.model import Edge, ExactFacts, FileFacts, Symbol
from services.graph.exact import ExactTable
from services.graph.exact_edges import link_exactly
from services.graph.families import Families
from services.graph.rules import RULES
from services.graph.table import FileContext
from services.indexer.decode import Undecodable
from services.indexer.exact.facts import IndexedFile
from services.indexer.exact.indexstore import keep_fresh, read_project
from services.indexer.exact.recorded import recorded
from services.indexer.extract import extract
from services.indexer.modules import with_modules
from services.indexer.read import Unreadable, read_file
from services.indexer.tree import FolderTree
from services.indexer.walk import walk

CERTAIN, ALL = "SCT", "ESCTML"
"""Tiers that a reader may rely on, and all that traversal follows."""

LARGEST = 1 << 26
"""Bytes of a file that is read."""


@dataclass(frozen=True, slots=True)
class Graph:
    """What our side makes of a folder."""

    symbols: Mapping[int, Symbol]
    edges: Sequence[Edge]
    unresolved: int
    external: int
    paths: Sequence[str]
    extracting: float
    reading: float
    linking: float
    """Seconds of processor."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*", metavar="NAME=SOURCES:STORE")
    parser.add_argument("--compile", action="append", default=[], metavar="MODULE=SOURCES[:COMPILED]")
    parser.add_argument("--swift-version", default="5")
    parser.add_argument("--exact", action="store_true", help="link with the store")
    parser.add_argument("--examples", type=int, default=3, help="of each kind of error")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    scores: dict[str, Score] = {}
    with tempfile.TemporaryDirectory() as temporary:
        given = [(*named.split("=", 1),) for named in options.projects]
        for number, named in enumerate(options.compile):
            module, folders = named.split("=", 1)
            sources, _, compiled = folders.partition(":")
            compiler = shutil.which("swiftc")
            if compiler is None:
                raise SystemExit("Compiling needs a Swift toolchain on the path.")
            into = Path(temporary) / str(number)
            into.mkdir()
            compile_module(Path(compiler), module, Path(compiled or sources), into, options.swift_version)
            given.append((module, f"{sources}:{into / 'store'}"))
        for name, folders in given:
            sources, _, store = folders.rpartition(":")
            graph = graph_of(sources, store if options.exact else "")
            scores[name] = compare(graph, sources, store)
            print_score(name, graph, scores[name], options.examples)
    if len(scores) > 1:
        print_rules("all together", list(scores.values()))
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        with options.out.open("a") as file:
            file.writelines(json.dumps({"project": name, "time": time.time(), **row_of(each)}) + "\n" for name, each in scores.items())


def graph_of(sources: str, store: str = "") -> Graph:
    """Symbols and edges of a folder, as indexing it makes them, with a store if one is given."""
    started = time.process_time()
    files = with_modules(FolderTree(sources), list(walk(sources).candidates))
    facts: list[FileFacts] = []
    for file in files:
        try:
            facts.append(extract(file.path, read_file(sources, file.path, limit=LARGEST), file.digest, file.language))
        except (Undecodable, Unreadable):
            continue
    modules = {file.path: file.module for file in files}
    contexts = {
        each.path: FileContext(modules[each.path], frozenset(name.partition(".")[0] for name in each.imports), each.language, each.bindings)
        for each in facts
    }
    extracted = time.process_time()
    records = records_of(sources, store, [each.path for each in facts]) if store else {}
    reading = time.process_time()
    symbols = [symbol for each in facts for symbol in each.symbols]
    tables, exact_table = Families(symbols, contexts), ExactTable(records.values(), symbols)
    links = [link_exactly(each, tables.of(each.language), records.get(each.path), exact_table) for each in facts]
    linked = time.process_time()
    unresolved = [it for each in links for it in each.unresolved]
    return Graph(
        symbols={symbol.id: symbol for each in facts for symbol in each.symbols},
        edges=[edge for each in links for edge in each.edges],
        unresolved=sum(not it.external for it in unresolved),
        external=sum(it.external for it in unresolved),
        paths=[each.path for each in facts],
        extracting=extracted - started,
        reading=reading - extracted,
        linking=linked - reading,
    )


def records_of(sources: str, store: str, paths: Sequence[str]) -> Mapping[str, ExactFacts]:
    """What a store says about these files."""
    index = read_project(store, paths, root=str(Path(sources).resolve()))
    fresh, stale = keep_fresh(index, partial(text_of, sources))
    by_path: dict[str, list[IndexedFile]] = {}
    for file in fresh.files:
        by_path.setdefault(file.path, []).append(file)
    old = {each.path for each in stale} - by_path.keys()
    outdated = {path: recorded(path, [file for file in index.files if file.path == path], is_fresh=False) for path in old}
    return {path: recorded(path, files, is_fresh=True) for path, files in by_path.items()} | outdated


def text_of(sources: str, path: str) -> bytes | None:
    try:
        return read_file(sources, path, limit=LARGEST)
    except Unreadable:
        return None


def compare(graph: Graph, sources: str, store: str) -> Score:
    """The edges of a graph against a store, in the files whose text is what was compiled."""
    fresh, _ = keep_fresh(read_project(store, graph.paths, root=str(Path(sources).resolve())), partial(text_of, sources))
    return score(truth_of(fresh.files), graph.symbols, graph.edges)


# ---------------------------------------------------------------------------------------------------------- printing


def print_score(name: str, graph: Graph, found: Score, examples: int) -> None:
    print(f"\n{name}: {found.in_project} calls within the project, {found.external} of others; {len(graph.edges)} edges")
    print(f"  {graph.unresolved} unresolved, {graph.external} external")
    print(f"  extracting {graph.extracting:.1f} s, reading the store {graph.reading:.1f} s, linking {graph.linking:.1f} s")
    print_rules("", [found])
    print(f"  distinct edges: precision {found.edge_precision:.3f} recall {found.edge_recall:.3f}")
    if found.unseen:
        print("  calls that the compiler did not see: " + ", ".join(f"{rule} {count}" for rule, count in sorted(found.unseen.items())))
    for (verdict, rule), group in errors_of(found):
        print(f"  {verdict} {rule or '-'}: {len(group)}")
        for each in group[:: max(1, len(group) // examples)][:examples] if examples else ():
            path, line, column = each.site
            print(f"      {path}:{line}:{column} {each.callee}{f' -> {each.predicted.qualified}' if each.predicted else ''}")


def errors_of(found: Score) -> list[tuple[tuple[str, str], list[Judged]]]:
    """What is not right, by kind, the most frequent first."""
    kinds: dict[tuple[str, str], list[Judged]] = {}
    for each in found.judged:
        if each.verdict is not Verdict.RIGHT:
            kinds.setdefault((each.verdict.value, each.rule), []).append(each)
    return sorted(kinds.items(), key=lambda kind: -len(kind[1]))


def print_rules(title: str, scores: Sequence[Score]) -> None:
    if title:
        print(f"\n{title}")
    calls = sum(each.in_project for each in scores)
    print(f"  {'rule':10} {'edges':>7} {'right':>7} {'loose':>6} {'other':>6} {'extern':>6} {'precision':>9} {'recall':>7} {'stated':>7}")
    used = sorted({each.rule for found in scores for each in found.judged if each.rule})
    rows: list[tuple[str, Tally, float | None]] = [(rule, _sum([found.tally(rule) for found in scores]), stated_of(rule, scores)) for rule in used]
    rows += [
        (f"tiers {tiers}", _sum([found.tiers(tiers) for found in scores]), stated_of(tiers, scores))
        for tiers in (*Counter(rule[0] for rule in used), CERTAIN, ALL)
    ]
    for rule, it, stated in rows:
        recall = it.right / calls if calls else 1.0
        calibration = "" if stated is None else f"{stated:7.2f}{'' if round(abs(stated - it.precision), 3) <= 0.03 else ' off'}"
        print(
            f"  {rule:10} {it.made:7} {it.right:7} {it.loose:6} {it.other:6} {it.external:6} {it.precision:9.3f} {recall:7.3f} {calibration}".rstrip()
        )


def stated_of(rules: str, scores: Sequence[Score]) -> float | None:
    """The confidence of a rule; of all edges of some tiers, each named by its letter, the mean. None where there are none."""
    stated = [
        RULES[each.rule].confidence
        for found in scores
        for each in found.judged
        if each.rule and (each.rule == rules or (rules not in RULES and each.rule[0] in rules))
    ]
    return sum(stated) / len(stated) if stated else None


def _sum(parts: Sequence[Tally]) -> Tally:
    return Tally(sum(it.right for it in parts), sum(it.loose for it in parts), sum(it.other for it in parts), sum(it.external for it in parts))


def row_of(found: Score) -> dict[str, float | int | dict[str, list[int]]]:
    certain, everything = found.tiers(CERTAIN), found.tiers(ALL)
    return {
        "calls": found.in_project,
        "certain_precision": certain.precision,
        "certain_recall": found.recall(CERTAIN),
        "precision": everything.precision,
        "recall": found.recall(ALL),
        "edge_precision": found.edge_precision,
        "edge_recall": found.edge_recall,
        "rules": {rule: [(it := found.tally(rule)).right, it.made] for rule in RULES if found.tally(rule).made},
    }


if __name__ == "__main__":
    main()
