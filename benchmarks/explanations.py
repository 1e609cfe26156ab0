"""How well explanations and outlines tell what happens, measured against flows that people wrote down.

    python benchmarks/explanations.py QUESTIONS.jsonl GRDB.swift=/repos/GRDB vapor=/repos/vapor [--each] [--home FOLDER] [--show ID]

A repository is the name that the questions use for it, and the folder that is indexed. Each question has ``flow`` (names of symbols in the order in
which they take part, possibly none) and ``gold`` (places that a good answer cites). No language model and no vectors are used.

    context     share of the flow's symbols that are in the context: more cannot be told
    named       share of the flow's symbols that the explanation names
    outlined    share of the flow's symbols that the outline has as nodes
    order       longest run of named symbols in the flow's order (not necessarily adjacent), as a share of the named ones
    order-out   the same for the outline
    cited       share of the cited places that meet a place of the gold
    nodes       nodes of the outline
    words       words of the explanation
    gen-ms      time of the stage that writes the explanation
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from exegesis.errors import NothingRelevant
from exegesis.model import Answer, Finished, Options, OutlineNode, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions

COLUMNS = ("context", "named", "outlined", "order", "order-out", "cited", "nodes", "words", "gen-ms")

_SPAN = re.compile(r"`([^`\n]+)`")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--each", action="store_true", help="a line for every question")
    parser.add_argument("--show", default="", metavar="ID", help="print the explanations of questions whose id holds this")
    parser.add_argument("--home", type=Path, help="folder of the indexes, kept; a temporary one otherwise")
    arguments = parser.parse_args()
    folders = dict(pair.split("=", 1) for pair in arguments.repositories)
    asked = [json.loads(line) for line in arguments.questions.read_text("utf-8").splitlines() if line.strip()]
    rows: list[tuple[str, Mapping[str, float]]] = []
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Assembly(Settings(home=str(arguments.home or temporary), embedder="none"))
        ids = {name: assembly.indexer.index(folder, IndexOptions(embed=False), lambda _: None).repository.id for name, folder in folders.items()}
        for question in asked:
            answer = ask(assembly, question["question"], ids[question["repo"]]) if question["repo"] in ids else None
            if answer is None:
                continue
            values = measure(question, answer)
            rows.append((question["category"], values))
            if arguments.each:
                print(f"{question['id']:28s}" + _cells(values))
            if arguments.show and arguments.show in question["id"]:
                print(
                    f"\n{question['question']}\n\n{answer.text}\n"
                    + "\n".join(f"{node.id} {node.title} | {node.symbol}" for node in nodes_of(answer.outline))
                )
        assembly.close()
    report(rows)


def ask(assembly: Assembly, question: str, repository: str) -> Answer | None:
    """The whole answer, or None when nothing is relevant."""
    try:
        for event in assembly.query.explain(Question(question, (repository,), Options(dense=False, use_model=False))):
            if isinstance(event, Finished):
                return event.answer
    except NothingRelevant:
        pass
    return None


def measure(question: Mapping[str, Any], answer: Answer) -> dict[str, float]:
    """The figures of one answer; those without a meaning for the question are missing."""
    flow, gold = question["flow"], question["gold"]
    nodes = list(nodes_of(answer.outline))
    values = {"nodes": float(len(nodes)), "words": float(len(re.sub(r"\[E\d+\]", "", answer.text).split()))}
    values["gen-ms"] = sum(stage.ms for stage in answer.stages if stage.name == "generation")
    if flow:
        spans = _SPAN.findall(answer.text)
        named, outlined = positions(flow, spans), positions(flow, [node.symbol for node in nodes])
        values["context"] = len(positions(flow, [item.symbol for item in answer.context.items])) / len(flow)
        values["named"], values["outlined"] = len(named) / len(flow), len(outlined) / len(flow)
        if named:
            values["order"] = longest_increasing(list(named.values())) / len(named)
        if outlined:
            values["order-out"] = longest_increasing(list(outlined.values())) / len(outlined)
    if gold and answer.citations:
        met = [any(_meets(citation.path, citation.start, citation.end, place) for place in gold) for citation in answer.citations]
        values["cited"] = sum(met) / len(met)
    return values


def positions(flow: Sequence[str], symbols: Sequence[str]) -> dict[str, int]:
    """Where each name of the flow is first told, in the order of the flow; names that are not told are missing."""
    found: dict[str, int] = {}
    for name in flow:
        at = next((index for index, symbol in enumerate(symbols) if means(symbol, name)), None)
        if at is not None:
            found[name] = at
    return found


def means(symbol: str, name: str) -> bool:
    """Whether a symbol (``Database.add(transactionObserver:extent:)``) is what a person calls ``name``: its last components, labels where given."""
    base, _, labels = symbol.partition("(")
    wanted, _, wanted_labels = name.partition("(")
    parts, wanted_parts = base.split("."), wanted.split(".")
    same = parts[-len(wanted_parts) :] == wanted_parts
    return same and (not wanted_labels or wanted_labels.startswith(".") or not labels or labels == wanted_labels)


def longest_increasing(values: Sequence[int]) -> int:
    """Length of the longest subsequence that increases; for the short lists of a flow the simple way is fast enough."""
    best: list[int] = []
    for index, value in enumerate(values):
        best.append(1 + max((best[before] for before in range(index) if values[before] < value), default=0))
    return max(best, default=0)


def nodes_of(nodes: Iterable[OutlineNode]) -> Iterator[OutlineNode]:
    for node in nodes:
        yield node
        yield from nodes_of(node.children)


def _meets(path: str, start: int, end: int, place: Mapping[str, Any]) -> bool:
    return bool(path == place["path"] and (place.get("start") is None or (start <= place["end"] and place["start"] <= end)))


def report(rows: Sequence[tuple[str, Mapping[str, float]]]) -> None:
    print(f"{'questions':24s}{'n':>4s}" + "".join(f"{column:>10s}" for column in COLUMNS))
    groups = {name: [values for kind, values in rows if kind == name] for name in dict.fromkeys(kind for kind, _ in rows)}
    for name, group in {**groups, "all": [values for _, values in rows]}.items():
        means_ = {column: _mean([values[column] for values in group if column in values]) for column in COLUMNS}
        print(f"{name:24s}{len(group):4d}" + _cells({column: value for column, value in means_.items() if value is not None}))


def _cells(values: Mapping[str, float]) -> str:
    return "".join(f"{values[column]:10.2f}" if column in values else " " * 10 for column in COLUMNS)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


if __name__ == "__main__":
    main()
