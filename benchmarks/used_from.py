"""Whether questions of use bring the callers, measured with questions that the graph itself makes.

    python benchmarks/used_from.py RxSwift=~/src/RxSwift GRDB=~/src/GRDB [--questions 100] [--each] [--home FOLDER] [--seed 7]

From each repository functions, methods and types are drawn that code outside tests uses, from other chunks than their own; of each "How is X used?"
and the like is asked, with the bare name. An item of the context is true if it shows a call site of X, or of an overload that bears the same name.
No language model and no vectors are used.

    first five   share of the questions with a true caller among the first five items of the context
    any          the same for the whole context
    precision    share of the true ones among the items that the context places as callers
    tests        share of the questions about something that tests use, in whose context a test is
    tokens       size of the context
    words        first five, of the best matching pieces by words alone (``bm25f``), without graph and composition
    plain text   first five windows of 1,000 characters by BM25, no parser and no graph

The drawn symbols follow from the seed, which is there to draw others: nothing is to be tuned on any of them.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exegesis.errors import NothingRelevant
from exegesis.model import Ablation, ContextItem, EdgeKind, FileRole, Options, Place, Question, Symbol, SymbolKind
from exegesis.settings import Settings
from services.assembly import Assembly
from services.graph.api import Direction, GraphService, Pin
from services.indexer.api import IndexOptions
from services.query.flow import is_description

FORMS: Final = ("How is {} used?", "Who calls {}?", "Where is {} used?", "Describe {} and how it is used", "What are the usages of {}?")
FORMS_OF_TYPES: Final = ("How is {} used?", "Who uses {}?", "Where is {} used?", "Describe {} and how it is used", "What are the usages of {}?")
FIRST: Final = 5
MOST_ALIKE: Final = 8
"""Declarations of one name, more of which make a name that nobody would ask for without its type."""

_USES: Final = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS, EdgeKind.INHERIT, EdgeKind.TYPE, EdgeKind.EXTEND})
_CALLABLE: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.PROCEDURE, SymbolKind.SUBROUTINE})
_TYPE: Final = frozenset({SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.ACTOR, SymbolKind.PROTOCOL})
CERTAIN: Final = 0.8
"""Confidence from which an edge is taken for the truth."""


@dataclass(frozen=True, slots=True)
class Case:
    repository: str
    question: str
    name: str
    sites: frozenset[tuple[str, int]]
    """Path and line of every true use outside tests."""
    tested: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    first: bool
    anywhere: bool
    precision: float | None
    tested: bool | None
    tokens: int
    words: bool
    plain: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--questions", type=int, default=100, help="in all, shared out evenly")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--each", action="store_true", help="the questions without a true caller among the first five items")
    parser.add_argument("--home", type=Path, help="folder of the indexes, kept; a temporary one otherwise")
    arguments = parser.parse_args()
    folders = dict(pair.split("=", 1) for pair in arguments.repositories)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Assembly(Settings(home=str(arguments.home or temporary), embedder="none"))
        for number, (name, folder) in enumerate(folders.items()):
            report = assembly.indexer.index(folder, IndexOptions(embed=False), lambda _: None)
            head = assembly.catalog.head(report.repository.id)
            if head is None:
                continue
            share = arguments.questions // len(folders) + (number < arguments.questions % len(folders))
            pin = Pin(report.repository.id, head.id)
            cases = list(draw(assembly.graph, pin, name, share, random.Random(arguments.seed)))
            outcomes += [judge(assembly, case, pin.repository) for case in cases]
        assembly.close()
    if arguments.each:
        for outcome in outcomes:
            if not outcome.first:
                print(f"{outcome.case.repository:14s}{outcome.case.question}  ({len(outcome.case.sites)} uses)")
    report_on(outcomes)


def draw(graph: GraphService, pin: Pin, repository: str, number: int, chance: random.Random) -> Iterator[Case]:
    """Questions about names that something outside tests and outside their own declarations uses for certain."""
    roles = {row.file.path: row.file.roles for row in graph.files(pin)}
    ordinary = [path for path in sorted(roles) if not roles[path] & (FileRole.TEST | FileRole.EXAMPLE | FileRole.GENERATED | FileRole.VENDORED)]
    symbols = [symbol for symbol in graph.symbols_in(pin, ordinary) if symbol.kind in _CALLABLE | _TYPE]
    symbols.sort(key=lambda symbol: (symbol.path, symbol.line, symbol.id))
    chance.shuffle(symbols)
    asked: set[str] = set()
    for symbol in symbols:
        if len(asked) >= number:
            return
        alike = [one for one in graph.symbols_named(pin, [symbol.name]) if one.name == symbol.name and one.kind is not SymbolKind.EXTENSION]
        if symbol.name in asked or len(symbol.name) < 3 or not 0 < len(alike) <= MOST_ALIKE:
            continue
        sites, tested = true_sites(graph, pin, alike, roles)
        if sites:
            forms = FORMS_OF_TYPES if symbol.kind in _TYPE else FORMS
            yield Case(repository, forms[len(asked) % len(forms)].format(symbol.name), symbol.name, sites, tested)
            asked.add(symbol.name)


def true_sites(
    graph: GraphService, pin: Pin, alike: Sequence[Symbol], roles: Mapping[str, FileRole]
) -> tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]]:
    """Call sites of all declarations that bear a name, and of a type's initialisers; outside tests, and in tests."""
    types = {symbol.id for symbol in alike if symbol.kind in _TYPE}
    paths = sorted({symbol.path for symbol in alike if symbol.id in types})
    makers = [one.id for one in graph.symbols_in(pin, paths) if one.parent in types and one.kind is SymbolKind.INITIALIZER] if paths else []
    edges = graph.edges(pin, sorted({*(symbol.id for symbol in alike), *makers}), Direction.CALLERS, per_node=500)
    certain = [edge for edge in edges if edge.kind in _USES and edge.confidence >= CERTAIN]
    sources = graph.symbols(pin, sorted({edge.source for edge in certain}))
    sites: set[tuple[str, int]] = set()
    tested: set[tuple[str, int]] = set()
    for edge in certain:
        source = sources[edge.source]
        if any(source.path == one.path and one.span.start <= edge.line <= one.span.end for one in alike):
            continue
        (tested if roles.get(source.path, FileRole.NONE) & FileRole.TEST else sites).add((source.path, edge.line))
    return frozenset(sites), frozenset(tested)


def judge(assembly: Assembly, case: Case, repository: str) -> Outcome:
    context = compose(assembly, case, repository, Ablation.FULL)
    callers = [item for item in context if item.place is Place.CALLER]
    true = [holds(item, case.sites | case.tested) for item in callers]
    return Outcome(
        case,
        first=any(holds(item, case.sites) for item in context[:FIRST]),
        anywhere=any(holds(item, case.sites) for item in context),
        precision=sum(true) / len(true) if true else None,
        tested=any(holds(item, case.tested) for item in context) if case.tested else None,
        tokens=sum(item.tokens for item in context),
        words=any(holds(item, case.sites) for item in compose(assembly, case, repository, Ablation.BM25F)[:FIRST]),
        plain=any(holds(item, case.sites) for item in compose(assembly, case, repository, Ablation.PLAIN_TEXT)[:FIRST]),
    )


def compose(assembly: Assembly, case: Case, repository: str, ablation: Ablation) -> Sequence[ContextItem]:
    try:
        items = assembly.query.compose(Question(case.question, (repository,), Options(dense=False, use_model=False, ablation=ablation))).context.items
    except NothingRelevant:
        return ()
    return items if ablation is Ablation.FULL else sorted(items, key=lambda item: -item.score)


def holds(item: ContextItem, sites: frozenset[tuple[str, int]]) -> bool:
    """Whether an item shows one of the lines."""
    return not is_description(item) and any((item.path, line) in sites for run in item.runs for line in range(run.start, run.end + 1))


def report_on(outcomes: Sequence[Outcome]) -> None:
    print(f"{'repository':16s}{'n':>5s}{'first five':>12s}{'any':>8s}{'precision':>11s}{'tests':>8s}{'tokens':>9s}{'words':>8s}{'plain text':>12s}")
    names = dict.fromkeys(outcome.case.repository for outcome in outcomes)
    for name in (*names, "all"):
        rows = [outcome for outcome in outcomes if name in {"all", outcome.case.repository}]
        cells = (
            mean([float(row.first) for row in rows]),
            mean([float(row.anywhere) for row in rows]),
            mean([row.precision for row in rows if row.precision is not None]),
            mean([float(row.tested) for row in rows if row.tested is not None]),
        )
        print(
            f"{name:16s}{len(rows):5d}{cells[0]:12.2f}{cells[1]:8.2f}{cells[2]:11.2f}{cells[3]:8.2f}"
            f"{mean([float(row.tokens) for row in rows]):9.0f}{mean([float(row.words) for row in rows]):8.2f}"
            f"{mean([float(row.plain) for row in rows]):12.2f}"
        )


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


if __name__ == "__main__":
    main()
