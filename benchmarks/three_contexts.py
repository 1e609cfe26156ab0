"""One question, three contexts: windows of text, chunks of a parser, and these with what the call graph knows about use.

    python benchmarks/three_contexts.py ftpapi=~/src/ftpapi Alamofire=~/src/Alamofire [--questions 20] [--asked QUESTIONS.jsonl [--category usage]]
        [--budget 6000] [--show ID]

The comparison that this project began with. Questions are made as ``used_from.py`` makes them, from what the graph is sure of, with another seed;
with ``--asked`` those of a file that have gold come first. Every context has the same budget. No vectors, no language model.

    definition   share of the lines of the definition (of asked questions: of the essential gold lines) that the context holds
    sites        share of the true call sites that it shows, of at most a dozen
    facts        share of the facts of asked questions whose names of code are all in the context; facts without such names are left out
    whole        share of the questions whose definition is there whole and unbroken
    tokens       size of the context

``windows`` are 1,000 characters with 200 overlap by BM25; ``chunks`` are those of the parser, whole symbols with their comments, by BM25F; and
``used from`` adds the callers that the graph knows, and everything else that the product does.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from used_from import Case, draw, mean

from exegesis.errors import NothingRelevant
from exegesis.model import Ablation, ContextItem, Options, Question, SymbolKind
from exegesis.settings import Settings
from exegesis.terms import words
from services.assembly import Assembly
from services.graph.api import GraphService, Pin
from services.indexer.api import IndexOptions
from services.query.flow import is_description
from services.query.intent import looks_like_code

CONTEXTS: Final[Mapping[str, Ablation]] = {"windows": Ablation.PLAIN_TEXT, "chunks": Ablation.BM25F, "used from": Ablation.FULL}
MOST_SITES: Final = 12
"""Call sites that an answer can be asked to show; of more the first, by place."""

ESSENTIAL: Final = 2
"""Grade of gold without which an answer is wrong."""

Lines = frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Asked:
    id: str
    repository: str
    question: str
    definition: Lines
    sites: Lines
    facts: tuple[frozenset[str], ...]
    """The names of code in each."""


@dataclass(frozen=True, slots=True)
class Found:
    definition: float | None
    sites: float | None
    facts: float | None
    tokens: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--questions", type=int, default=20, help="made for each repository")
    parser.add_argument("--asked", type=Path)
    parser.add_argument("--category", default="", help="of the asked questions only those")
    parser.add_argument("--budget", type=int, default=6_000)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--show", help="print the three contexts of one question")
    parser.add_argument("--home", type=Path, help="folder of the indexes, kept; a temporary one otherwise")
    arguments = parser.parse_args()
    print(f"{'':16s}{'context':12s}{'n':>5s}{'definition':>12s}{'whole':>8s}{'sites':>8s}{'facts':>8s}{'tokens':>9s}")
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Assembly(Settings(home=str(arguments.home or temporary), embedder="none"))
        for name, folder in (pair.split("=", 1) for pair in arguments.repositories):
            report = assembly.indexer.index(folder, IndexOptions(embed=False), lambda _: None)
            head = assembly.catalog.head(report.repository.id)
            if head is None:
                continue
            pin = Pin(report.repository.id, head.id)
            made = [_made(assembly.graph, pin, case) for case in draw(assembly.graph, pin, name, arguments.questions, random.Random(arguments.seed))]
            told = list(_asked(arguments.asked, name, arguments.category)) if arguments.asked else []
            for title, questions in ((f"{name} asked", told), (f"{name} made", made)):
                for label, ablation in CONTEXTS.items() if questions else ():
                    contexts = [_compose(assembly, pin, asked.question, ablation, arguments.budget) for asked in questions]
                    _print(title, label, [_look(asked, context) for asked, context in zip(questions, contexts, strict=True)])
                    for asked, context in zip(questions, contexts, strict=True):
                        if asked.id == arguments.show:
                            _show(label, context)
        assembly.close()


def _made(graph: GraphService, pin: Pin, case: Case) -> Asked:
    alike = [one for one in graph.symbols_named(pin, [case.name]) if one.name == case.name]
    code = [one for one in alike if one.kind not in {SymbolKind.EXTENSION, SymbolKind.PROTOTYPE, SymbolKind.HEADING}] or alike
    first = min(code, key=lambda one: (one.path, one.line))
    definition = frozenset((first.path, line) for line in range(first.span.start, first.span.end + 1)) if len(code) == 1 else frozenset()
    return Asked(case.name, case.repository, case.question, definition, frozenset(sorted(case.sites)[:MOST_SITES]), ())


def _asked(path: Path, repository: str, category: str) -> Iterator[Asked]:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        gold = row.get("gold", ())
        if row["repo"] == repository and gold and category in {"", row.get("category")}:
            spans = [(place["path"], place["start"], place["end"]) for place in gold if "start" in place and place.get("grade") == ESSENTIAL]
            essential = frozenset((where, number) for where, start, end in spans for number in range(start, end + 1))
            named = [frozenset(word.lower() for word in words(fact) if looks_like_code(word)) for fact in row.get("facts", ())]
            yield Asked(row["id"], repository, row["question"], essential, frozenset(), tuple(names for names in named if names))


def _compose(assembly: Assembly, pin: Pin, question: str, ablation: Ablation, budget: int) -> Sequence[ContextItem]:
    options = Options(dense=False, use_model=False, ablation=ablation, budget=budget)
    try:
        return assembly.query.compose(Question(question, (pin.repository,), options)).context.items
    except NothingRelevant:
        return ()


def _look(asked: Asked, context: Sequence[ContextItem]) -> Found:
    code = [item for item in context if not is_description(item)]
    shown = {(item.path, line) for item in code for run in item.runs for line in range(run.start, run.end + 1)}
    said = {word.lower() for item in context for word in words(item.text)}
    return Found(
        _share(asked.definition, shown),
        _share(asked.sites, shown),
        mean([float(names <= said) for names in asked.facts]) if asked.facts else None,
        sum(item.tokens for item in context),
    )


def _share(wanted: Lines, shown: set[tuple[str, int]]) -> float | None:
    return len(wanted & shown) / len(wanted) if wanted else None


def _print(title: str, label: str, rows: Sequence[Found]) -> None:
    definitions = [row.definition for row in rows if row.definition is not None]
    cells = (
        mean(definitions),
        mean([float(share == 1.0) for share in definitions]),
        mean([row.sites for row in rows if row.sites is not None]),
        mean([row.facts for row in rows if row.facts is not None]),
    )
    shares = "".join(f"{cell:{width}.2f}" for cell, width in zip(cells, (12, 8, 8, 8), strict=True))
    print(f"{title:16.16s}{label:12s}{len(rows):5d}{shares}{mean([row.tokens for row in rows]):9.0f}", flush=True)


def _show(label: str, context: Sequence[ContextItem]) -> None:
    print(f"--- {label}")
    for item in context:
        print(f"{item.id} {item.path}:{item.start}-{item.end} {item.symbol} ({item.place}, {item.tokens} tokens)")


if __name__ == "__main__":
    main()
