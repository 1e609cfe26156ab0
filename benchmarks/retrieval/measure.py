"""One question, asked and scored."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.retrieval.catalogue import QuestionSet
from benchmarks.retrieval.key_points import share_named
from benchmarks.retrieval.questions import Asked
from benchmarks.retrieval.variants import Variant
from exegesis.errors import NothingRelevant
from exegesis.model import Options, Question, Result
from services.gateway.scoring import Location, Prediction, figures
from services.query.api import Composition, QueryService
from services.query.flow import is_description

PATIENCE = 3_600.0
"""Seconds that embedding may take within a question: a busy machine must not change what is found, only how long it takes."""
_OF_THE_LIST = ("ndcg10", "ndcg10_file", "hit10", "mrr")
_OF_A_CONTEXT = {"span_recall": "span", "file_recall": "file", "line_prec": "prec", "tokens": "tokens"}
"""Figures that depend on the budget, and the names under which the report has them, such as ``span@8k``."""


def ask(query: QueryService, asked: Asked, repository: str, variant: Variant, of: QuestionSet) -> dict[str, float]:
    """All figures of one question.

    ``ms`` and ``cpu`` are wall and processor time of the whole composition for the last budget, in milliseconds, and ``search`` is the part of ``ms``
    until the list stands. With several budgets it is asked for the second time, so what it reads is in memory and late vectors are remembered.
    """
    scored: dict[str, float] = {}
    for budget in of.budgets:
        options = Options(budget=budget, ablation=variant.ablation, dense=variant.late, dense_seconds=PATIENCE)
        started, processor = time.perf_counter(), time.process_time()
        question = Question(asked.text, (repository,), options)
        try:
            composed = query.compose(question)
        except NothingRelevant:
            composed = None
        scored |= {"ms": 1_000 * (time.perf_counter() - started), "cpu": 1_000 * (time.process_time() - processor)}
        if composed is not None and composed.stages:
            scored["search"] = composed.stages[0].ms
        listed = composed.results if composed is not None else _searched(query, question)
        scored |= score(asked, composed, listed, of, f"@{budget // 1_000}k")
    return scored


def _searched(query: QueryService, question: Question) -> Sequence[Result]:
    """What searching lists where explaining refuses."""
    try:
        return query.search(question).results
    except NothingRelevant:
        return ()


def score(asked: Asked, composed: Composition | None, listed: Sequence[Result], of: QuestionSet, size: str) -> dict[str, float]:
    """Figures of one answer and of the list beside it; None is a refusal. ``size`` is added to the names of what depends on the budget."""
    refused = float(composed is None)
    if asked.absent:
        return {"absent_refused": refused}
    scored = {"refused": refused}
    found = _prediction(composed, listed)
    if asked.gold:
        all_figures = figures(asked.gold, found)
        scored |= {name: all_figures[name] for name in _OF_THE_LIST}
        scored |= {short + size: all_figures[name] for name, short in _OF_A_CONTEXT.items() if name in all_figures}
    if asked.essential:
        scored["essential" + size] = _share(asked.essential, found.context)
    if of.key_points:
        text = "\n".join(f"{item.signature}\n{item.text}" for item in composed.context.items) if composed else ""
        scored["points" + size] = share_named(asked.points, text)
    return scored


def _prediction(composed: Composition | None, listed: Sequence[Result]) -> Prediction:
    results = tuple(Location(result.path, result.start, result.end) for result in listed)
    if composed is None:
        return Prediction(results, (), 0)
    code = [item for item in composed.context.items if not is_description(item)]  # which shows none of the lines that it is made of
    context = tuple(Location(item.path, run.start, run.end) for item in code for run in item.runs)
    return Prediction(results, context, composed.context.tokens)


def _share(places: Sequence[Location], context: Sequence[Location]) -> float:
    return sum(any(item.meets(place) for item in context) for place in places) / len(places)
