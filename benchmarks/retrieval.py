"""Retrieval figures on question sets, for several repositories and ablations at once.

    python benchmarks/retrieval.py QUESTIONS.jsonl alamofire=/repos/Alamofire/Source snapkit=/repos/SnapKit/Sources
        [--ablations lexical,no-graph,bm25f] [--vectors] [--late] [--budget 24000] [--each] [--out results.jsonl]

A repository is the name that the questions use for it, and the folder that is indexed. Paths of the gold may be relative to a folder above.
Without ``--late`` nothing is embedded at question time; with ``--vectors`` all chunks are embedded first, which takes minutes. ``--each`` prints
every question that is not answered perfectly. Figures are means over the questions of a repository, then over repositories.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exegesis.errors import NothingRelevant
from exegesis.model import Ablation, Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.gateway.scoring import Location, Prediction, figures, location, mean_over_repositories
from services.indexer.api import IndexOptions

COLUMNS = ("ndcg10", "ndcg10_file", "hit10", "mrr", "span_recall", "file_recall", "line_prec", "tokens", "ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--ablations", default="lexical")
    parser.add_argument("--budget", type=int, default=Options().budget)
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--home", type=Path, help="folder of the indexes, kept; a temporary one otherwise")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    folders = dict(pair.split("=", 1) for pair in arguments.repositories)
    asked = [json.loads(line) for line in arguments.questions.read_text("utf-8").splitlines() if line.strip()]
    asked = [question for question in asked if question["repo"] in folders and question.get("gold")]
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Assembly(Settings(home=str(arguments.home or temporary), embedder="minilm" if arguments.late or arguments.vectors else "none"))
        ids = {name: index(assembly, folder, vectors=arguments.vectors) for name, folder in folders.items()}
        print(f"{'ablation':16s} {'repository':16s} {'n':>4s} " + " ".join(f"{column:>11s}" for column in COLUMNS))
        for ablation in map(Ablation, arguments.ablations.split(",")):
            options = Options(budget=arguments.budget, ablation=ablation, dense=arguments.late or arguments.vectors)
            scored = [(question["repo"], measure(assembly, question, ids[question["repo"]], options, each=arguments.each)) for question in asked]
            report(ablation, scored, arguments.out)
        assembly.close()


def index(assembly: Assembly, folder: str, *, vectors: bool) -> str:
    started = time.perf_counter()
    report_ = assembly.indexer.index(folder, IndexOptions(embed=vectors), lambda _: None)
    print(f"{folder}: {report_.generation.chunks} chunks, {report_.generation.edges} edges, {time.perf_counter() - started:.1f} s")
    return report_.repository.id


def measure(assembly: Assembly, question: Mapping[str, Any], repository: str, options: Options, *, each: bool) -> dict[str, float]:
    started = time.perf_counter()
    gold = [location(place) for place in question["gold"]]
    try:
        composed = assembly.query.compose(Question(question["question"], (repository,), options))
        results = tuple(Location(result.path, result.start, result.end) for result in composed.results)
        context = tuple(Location(item.path, run.start, run.end) for item in composed.context.items for run in item.runs)
        prediction = Prediction(results, context, composed.context.tokens)
    except NothingRelevant:
        prediction = Prediction((), (), 0)
    values = figures(gold, prediction) | {"ms": 1000 * (time.perf_counter() - started)}
    if each and (values["ndcg10"] < 0.95 if gold[0].start is None else values["span_recall"] < 1):
        missed = [f"{place.path}:{place.start}-{place.end}" for place in gold if not any(item.meets(place) for item in prediction.context)]
        print(f"  {values['ndcg10']:.3f} {values['span_recall']:.2f} {question['id']} {question['question']}")
        print(f"        missed {missed}; found {[result.path for result in prediction.results[:6]]}")
    return values


def report(ablation: Ablation, scored: list[tuple[str, dict[str, float]]], out: Path | None) -> None:
    groups = {name: [row for row in scored if row[0] == name] for name in dict.fromkeys(name for name, _ in scored)}
    for name, rows in {**groups, "all": scored}.items():
        means = mean_over_repositories(rows)
        print(f"{ablation.value:16s} {name:16s} {len(rows):4d} " + " ".join(f"{means[c]:11.3f}" if c in means else " " * 11 for c in COLUMNS))
        if out:
            with out.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({"ablation": ablation.value, "repository": name, "questions": len(rows), **means}) + "\n")


if __name__ == "__main__":
    main()
