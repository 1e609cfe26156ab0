"""``exegesis eval``: answer every question of a file, write the predictions, print the figures."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from exegesis.errors import NothingRelevant, UsageError
from exegesis.model import Ablation, ChunkKind, Options, Progress, Result
from services.gateway.api import Asked, Gateway
from services.gateway.arguments import index_store_of
from services.gateway.progress import ProgressPrinter
from services.gateway.scoring import Location, Prediction, figures, location, mean_over_repositories

_FORM: Final = 'Each line is {"id", "question", "gold": [{"path", "start"?, "end"?}]}; ids and questions are texts, lines numbers from 1.'

COLUMNS: Final = ("ndcg10", "ndcg10_file", "hit10", "mrr", "span_recall", "file_recall", "line_prec", "tokens")


def run(arguments: Namespace, gateway: Gateway) -> int:
    questions = read_questions(Path(arguments.questions), arguments.repo)
    target = Path(arguments.out)
    if target.exists() and target.samefile(arguments.questions):
        raise UsageError("--out names the file of questions, which would be lost.", hint="Give the predictions a file of their own.")
    options = Options(budget=arguments.budget, dense=not arguments.no_dense, use_model=False, ablation=Ablation(arguments.ablation))
    scored: list[tuple[Mapping[str, Any], Mapping[str, float]]] = []
    times: list[float] = []
    with ProgressPrinter() as progress, _writable(target) as out:
        gateway.prepare([arguments.project], progress, index_store=index_store_of(arguments))
        if options.ablation is Ablation.DENSE:
            _require_vectors(arguments.project, gateway, wanted=options.dense)
        for number, question in enumerate(questions, start=1):
            started = time.perf_counter()
            predicted = predict(gateway, Asked(question["question"], (arguments.project,), options))
            times.append(time.perf_counter() - started)
            out.write(json.dumps({"id": question["id"], **predicted}, ensure_ascii=False) + "\n")
            if question.get("gold"):
                scored.append((question, figures([location(place) for place in question["gold"]], _prediction(predicted))))
            progress(Progress("questions", number, len(questions)))
    times.sort()
    p50 = times[len(times) // 2] * 1000
    if arguments.json:
        overall = mean_over_repositories((question.get("repo", ""), values) for question, values in scored)
        sys.stdout.write(
            json.dumps({"questions": len(questions), "scored": len(scored), "p50_ms": round(p50, 1), "figures": overall}, indent=2) + "\n"
        )
    else:
        sys.stdout.write(table(scored) + f"{len(questions)} questions, {len(scored)} with gold, median {p50:.0f} ms a question\n")
    return 0


def _require_vectors(project: str, gateway: Gateway, *, wanted: bool) -> None:
    """Vectors alone rank nothing where there are none; figures of that would mislead."""
    covered = all(status.coverage is not None and status.coverage.dense == 1 for status in gateway.status([project]))
    if not wanted or not covered:
        raise UsageError(
            "The ablation `dense` needs the vectors of the whole index.", hint=f"Run `exegesis index {project}` first, and leave out --no-dense."
        )


def _writable(target: Path) -> IO[str]:
    try:
        return target.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}.", hint="Give --out a file in a folder that exists.") from None


def read_questions(path: Path, repository: str | None) -> list[dict[str, Any]]:
    """Raises ``UsageError`` naming the line that is no question."""
    questions = []
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # and not at the separators of Unicode, which JSON may hold
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8.", hint=_FORM) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            question = json.loads(line)
            readable = _is_question(question)
        except (ValueError, RecursionError):
            readable = False
        if not readable:
            raise UsageError(f"{path}:{number} is not a question.", hint=_FORM)
        if repository is None or question.get("repo") == repository:
            questions.append(question)
    if not questions:
        raise UsageError(f"{path} holds no question" + (f" about {repository}." if repository else "."), hint=_FORM)
    return questions


def _is_question(value: object) -> bool:
    if not isinstance(value, dict) or not all(isinstance(value.get(name), str) for name in ("id", "question")):
        return False
    gold = value.get("gold") or []
    named = all(isinstance(value.get(name, ""), str) for name in ("repo", "category"))
    return named and bool(value["question"].strip()) and isinstance(gold, list) and all(map(_is_place, gold))


def _is_place(value: object) -> bool:
    """A path, with or without lines."""
    if not isinstance(value, dict) or not isinstance(value.get("path"), str):
        return False
    return all(value.get(name) is None or (type(value[name]) is int and value[name] > 0) for name in ("start", "end"))


def predict(gateway: Gateway, asked: Asked) -> dict[str, Any]:
    """Results and context in the form that predictions are exchanged in. A refused question has no context, and the results that searching lists."""
    try:
        composed = gateway.compose(asked)
    except NothingRelevant:
        return {"results": _listed(_searched(gateway, asked)), "context": [], "tokens": 0}
    return {
        "results": _listed(composed.results),
        "context": [
            {"path": item.path, "start": run.start, "end": run.end}
            for item in composed.context.items
            if item.kind != ChunkKind.DESCRIPTION.value  # which shows none of the lines that it is made of
            for run in item.runs
        ],
        "tokens": composed.context.tokens,
    }


def _searched(gateway: Gateway, asked: Asked) -> Sequence[Result]:
    """None where nothing can be listed."""
    try:
        return gateway.search(asked).results
    except NothingRelevant:
        return ()


def _listed(results: Sequence[Result]) -> list[dict[str, Any]]:
    return [{"path": result.path, "start": result.start, "end": result.end} for result in results]


def _prediction(record: Mapping[str, Any]) -> Prediction:
    def places(name: str) -> tuple[Location, ...]:
        return tuple(location(place) for place in record[name])

    return Prediction(places("results"), places("context"), record["tokens"])


def table(scored: Sequence[tuple[Mapping[str, Any], Mapping[str, float]]]) -> str:
    """Figures per category and over all, as aligned text."""
    groups: dict[str, list[tuple[str, Mapping[str, float]]]] = defaultdict(list)
    for question, values in scored:
        groups[str(question.get("category", "-"))].append((question.get("repo", ""), values))
    if len(groups) > 1:
        groups["all"] = [(question.get("repo", ""), values) for question, values in scored]
    lines = [f"{'category':16s} {'n':>5s} " + " ".join(f"{name:>11s}" for name in COLUMNS)]
    for name, rows in groups.items():
        means = mean_over_repositories(rows)
        lines.append(f"{name:16s} {len(rows):5d} " + " ".join(f"{means[column]:11.3f}" if column in means else " " * 11 for column in COLUMNS))
    return "\n".join(lines) + "\n"
