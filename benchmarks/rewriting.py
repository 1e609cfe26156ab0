"""What words gain that a language model adds to questions, and what they cost.

    EXEGESIS_MODEL_URL=http://localhost:11434/v1 EXEGESIS_MODEL=NAME python -m benchmarks.rewriting QUESTIONS REPOSITORIES --words WORDS.jsonl
        [--sets explain,explain_other] [--repos gin] [--ablations lexical,stored] [--home FOLDER] [--known] [--each]

Questions, checkouts and indexes are those of ``python -m benchmarks.retrieval``. Every question that has essential places is composed without such
words and with them. What the model wrote for a question is a line of WORDS from the moment it is known, and is not asked for again: a run that was
interrupted goes on, and with ``--known`` a change of what is done with the words is measured without any model. Another prompt or model needs another
file.

    8k, 24k         share of the essential places in a context of that many tokens, without the words and with them
    more, fewer     questions that have more of these places with the words, or fewer, over all budgets
    words           that joined a question, on average
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Final, NoReturn

from benchmarks.retrieval.__main__ import Job, plan
from benchmarks.retrieval.catalogue import OWN_QUESTIONS, find_sets, read_checkouts, read_sets
from benchmarks.retrieval.indexing import opened
from benchmarks.retrieval.measure import ask
from benchmarks.retrieval.questions import Asked
from benchmarks.retrieval.variants import VARIANTS, Variant
from exegesis.adapters.openai_model import OpenAIModel, Patience
from exegesis.errors import ModelUnavailable, UsageError
from exegesis.ports import LanguageModel, Message
from exegesis.settings import read_settings
from services.assembly import Assembly
from services.query.local import LocalQuery
from services.query.rewriting import Rewriter, read_words
from services.query.telling.prompt import tokens_of

PATIENCE: Final = 900.0
"""Seconds for one answer: a model on a busy machine is to be measured, not cut off."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote for one question, with the cost as estimated."""

    model: str
    question: str
    text: str
    sent: int
    written: int
    seconds: float


class Notebook:
    """A model that is asked once for a question, and whose answers are kept in a file. ``model`` is None where only what is kept counts."""

    def __init__(self, path: Path, model: LanguageModel | None) -> None:
        self._path = path
        self._model = model
        lines = path.read_text("utf-8").splitlines() if path.exists() else ()
        self.known = {written.question: written for written in (Written(**json.loads(line)) for line in lines)}

    @property
    def name(self) -> str:
        return self._model.name if self._model else ", ".join(sorted({written.model for written in self.known.values()}))

    def complete_json(self, messages: Sequence[Message], schema: Mapping[str, object], *, max_tokens: int) -> str:
        question = messages[-1].content.rpartition("Question:\n")[2]
        if question not in self.known:
            self._ask(question, messages, schema, max_tokens)
        return self.known[question].text

    def _ask(self, question: str, messages: Sequence[Message], schema: Mapping[str, object], max_tokens: int) -> None:
        if self._model is None:
            raise ModelUnavailable("nothing is kept for this question")
        started = time.monotonic()
        text = self._model.complete_json(messages, schema, max_tokens=max_tokens)
        sent = sum(tokens_of(message.content) for message in messages)
        self.known[question] = Written(self._model.name, question, text, sent, tokens_of(text), time.monotonic() - started)
        with self._path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(self.known[question])) + "\n")

    def stream(self, *_: object, **__: object) -> NoReturn:
        raise ModelUnavailable("this model only names words")


@dataclass(frozen=True, slots=True)
class Pair:
    """Shares of the essential places by budget, of one question without words and with them."""

    asked: Asked
    words: tuple[str, ...]
    without: Mapping[str, float]
    given: Mapping[str, float]

    @property
    def change(self) -> float:
        return sum(self.given.values()) - sum(self.without.values())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rewriting", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("repositories", type=Path)
    parser.add_argument("--words", type=Path, required=True, help="file of what the model wrote")
    parser.add_argument("--sets", default="explain_other,explain")
    parser.add_argument("--repos", default="", help="only questions about these")
    parser.add_argument("--first", type=int, default=1_000, help="only so many questions about each repository, the first ones")
    parser.add_argument("--ablations", default="lexical")
    parser.add_argument("--home", type=Path, default=Path("~/.cache/exegesis-benchmarks"), help="folder of indexes")
    parser.add_argument("--known", action="store_true", help="ask no model")
    parser.add_argument("--each", action="store_true", help="print every question that the words change")
    arguments = parser.parse_args()

    names = arguments.sets.split(",")
    sets = [found for found in find_sets([arguments.questions, OWN_QUESTIONS], read_sets()) if found[0].name in names]
    jobs = plan(sets, read_checkouts(), arguments.repositories, set(filter(None, arguments.repos.split(","))))
    jobs = [replace(job, asked=tuple(one for one in job.asked if one.essential)[: arguments.first]) for job in jobs]
    notebook = Notebook(arguments.words, None if arguments.known else model_of_settings())
    for variant in (VARIANTS[name] for name in arguments.ablations.split(",")):
        for name in names:
            pairs: list[Pair] = []
            for job in jobs:
                if job.of.name == name and job.asked:
                    pairs += compare(job, variant, notebook, repositories=arguments.repositories, home=arguments.home.expanduser().absolute())
            if pairs:
                print_gain(f"{name}, {variant.name}", pairs, each=arguments.each)
    if notebook.known:
        print_cost(tuple(notebook.known.values()))
    return 0


def model_of_settings() -> LanguageModel:
    """With more patience than questions have."""
    settings = read_settings(os.environ)
    if not settings.model_url:
        raise UsageError("EXEGESIS_MODEL_URL names no model")
    return OpenAIModel(settings.model_url, settings.model, settings.model_key.value, patience=Patience(deadline=PATIENCE))


def compare(job: Job, variant: Variant, notebook: Notebook, *, repositories: Path, home: Path) -> list[Pair]:
    """The questions of a job, asked without words and with them."""
    with opened(job.subject, repositories, home, stored=variant.stored, say=lambda line: print(line, file=sys.stderr)) as (assembly, repository):
        plain, rewriting = query_of(assembly, None), query_of(assembly, Rewriter(notebook))
        pairs = []
        for one in job.asked:
            figures = [essential(ask(query, one, repository, variant, job.of)) for query in (plain, rewriting)]
            words = read_words(notebook.known[one.text].text, one.text) if one.text in notebook.known else ()
            pairs.append(Pair(one, words, *figures))
            print(f"{job.of.name} {variant.name} {one.id} {pairs[-1].change:+.2f}", file=sys.stderr, flush=True)
        return pairs


def query_of(assembly: Assembly, rewriter: Rewriter | None) -> LocalQuery:
    """The service as it is assembled, with this rewriter."""
    return LocalQuery(
        assembly.catalog, assembly.graph, assembly.question_chunks, embedder=assembly.question_embedder, rewriter=rewriter, cache=assembly.cache
    )


def essential(figures: Mapping[str, float]) -> dict[str, float]:
    return {name.removeprefix("essential@"): value for name, value in figures.items() if name.startswith("essential@")}


def print_gain(title: str, pairs: Sequence[Pair], *, each: bool) -> None:
    shares = "   ".join(f"{size} {mean(p.without[size] for p in pairs):.3f} → {mean(p.given[size] for p in pairs):.3f}" for size in pairs[0].without)
    more, fewer = (sum(sign * pair.change > 1e-9 for pair in pairs) for sign in (1, -1))
    words = mean(len(pair.words) for pair in pairs)
    print(f"{title}: {len(pairs)} questions   {shares}   {more} more, {fewer} fewer   {words:.1f} words")
    for pair in pairs:
        if each and pair.change:
            figures = "   ".join(f"{size} {pair.without[size]:.2f} → {pair.given[size]:.2f}" for size in pair.without)
            print(f"    {pair.asked.id}: {figures}\n        {pair.asked.text}\n        {', '.join(pair.words)}")


def print_cost(calls: Sequence[Written]) -> None:
    sent, written, seconds = (median(getattr(call, name) for call in calls) for name in ("sent", "written", "seconds"))
    models = ", ".join(sorted({call.model for call in calls}))
    print(f"{models}: {len(calls)} calls; median {sent:.0f} tokens sent, {written:.0f} written, {seconds:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
