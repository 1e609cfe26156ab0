"""The query service in this process."""

from __future__ import annotations

import contextlib
import itertools
import secrets
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.errors import NotFound, NotIndexed, UsageError
from exegesis.model import (
    Ablation,
    Answer,
    Coverage,
    Description,
    Event,
    Evidence,
    Finished,
    Generation,
    Question,
    StageFinished,
    StageReport,
    StageStarted,
    TextDelta,
    Usage,
    Warned,
)
from exegesis.ports import Catalog, ChunkSearch, ContentCache, Embedder, LanguageModel, Reranker
from exegesis.telemetry import Attribute, SpanName, stage, trace_id
from services.graph.api import GraphService, Pin
from services.query import baseline, pipeline
from services.query.api import Composition, OutlineAnswer, SearchAnswer, check_length
from services.query.confidence import judge, read_signs
from services.query.corpus import Corpora, Corpus
from services.query.describing import descriptions_about, list_descriptions
from services.query.events import drain, hold_warnings, keep_reports
from services.query.gaps import warn_of_gaps
from services.query.glance import glance
from services.query.relevance import Grade
from services.query.remembered import RememberedGraph
from services.query.rewriting import NONE, Rewriter, Rewriting
from services.query.sides import asks_for_more
from services.query.source import IndexedText
from services.query.turns import Turns, Work

AT_ONCE: Final = 1
"""Questions that are worked on at one time where all that they read is near: the interpreter runs one of them. Of fifty who ask on a busy machine
half see their evidence after 1.8 s with three, 1.2 with two, 0.7 with one, for the same processor time and as many answers."""

AT_ONCE_AFAR: Final = 3
"""Where the graph or the chunk index is another process, which an answer waits for a third of its time and more."""

ASIDE: Final = 3
"""Questions besides that one which have been worked on for long: they wait for engines or for other services."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """What one question reads: the head generations as they were when it began."""

    generations: tuple[Generation, ...]
    corpora: tuple[Corpus, ...]
    names: Mapping[str, str]

    @property
    def pins(self) -> Mapping[str, Pin]:
        return {corpus.repository: corpus.pin for corpus in self.corpora}

    @property
    def coverage(self) -> Coverage:
        """Of all repositories, as this question finds it."""
        return join_coverage(
            [
                generation.covered_for(corpus.embedder.fingerprint) if corpus.embedder else generation.coverage
                for generation, corpus in zip(self.generations, self.corpora, strict=True)
            ]
        )


class LocalQuery:
    """``QueryService`` over the parts of this process. Without a model every answer is extractive; without an embedder it is found by words."""

    def __init__(
        self,
        catalog: Catalog,
        graph: GraphService,
        chunks: ChunkSearch,
        *,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        model: LanguageModel | None = None,
        output_tokens: int = 2_000,
        at_once: int = AT_ONCE,
        cache: ContentCache | None = None,
        rewriter: Rewriter | None = None,
    ) -> None:
        self._catalog = catalog
        self._graph = RememberedGraph(graph)
        self._corpora = Corpora(self._graph, chunks, embedder=embedder, reranker=reranker, cache=cache)
        self._model = model
        self._rewriter = rewriter
        self._output_tokens = output_tokens
        self._turns = Turns(at_once, aside=ASIDE)
        self._windows: tuple[Pin, baseline.WindowIndex] | None = None

    def explain(self, question: Question, *, cancelled: threading.Event | None = None) -> Iterator[Event]:
        with stage(SpanName.EXPLAIN):
            pinned = self._pin(question)
            reports: list[StageReport] = []
            rewriting = yield from keep_reports(self._rewrite(question, pinned, cancelled), reports)
            warned: list[Warned] = []
            with self._turns.take(Work.COMPOSING, cancelled):
                composing = pipeline.compose_context(question, pinned.corpora, pinned.names, rewriting)
                composed = yield from keep_reports(hold_warnings(composing, warned), reports)
            yield from warned
            gaps = warn_of_gaps({generation.repository: generation.coverage for generation in pinned.generations}, composed.context)
            yield from map(Warned, gaps)
            yield from map(Evidence, composed.context.items)  # before any turn for telling: whoever asked reads it meanwhile
            text = IndexedText(self._graph, pinned.pins)
            model = self._model_for(question)
            telling = pipeline.explain(composed, text.lines, model, max_tokens=self._output_tokens, cancelled=cancelled)
            if model is None:
                telling = self._told_at_once(telling, cancelled)
            told = yield from keep_reports(telling, reports)
            yield Finished(_answer(question, pinned, composed, told, rewriting.usage, stages=tuple(reports), gaps=gaps))

    def outline(self, question: Question, *, cancelled: threading.Event | None = None) -> OutlineAnswer:
        with stage(SpanName.OUTLINE):
            pinned = self._pin(question)
            rewriting, asked = drain(self._rewrite(question, pinned, cancelled), cancelled)
            with self._turns.take(Work.COMPOSING, cancelled):
                composed, first = drain(pipeline.compose_context(question, pinned.corpora, pinned.names, rewriting), cancelled)
            writing = pipeline.outline(composed, self._model_for(question), max_tokens=self._output_tokens, cancelled=cancelled)
            outlined, last = drain(writing, cancelled)
            return OutlineAnswer(outlined.nodes, composed.context, (*asked, *first, *last), outlined.model, (*composed.warnings, *outlined.warnings))

    def search(self, question: Question) -> SearchAnswer:
        with stage(SpanName.SEARCH):
            if question.options.ablation is Ablation.PLAIN_TEXT:
                return SearchAnswer(self._plain_text(question).results, ())
            pinned = self._pin(question)
            with self._turns.take(Work.COMPOSING):
                if question.options.descriptions:
                    return SearchAnswer(list_descriptions(question, pinned.corpora), ())
                found, stages = drain(pipeline.search(question, pinned.corpora, pinned.names))
            return SearchAnswer(found.listed.results, stages, found.warnings, found.listed.files)

    def compose(self, question: Question) -> Composition:
        with stage(SpanName.COMPOSE):
            if question.options.ablation is Ablation.PLAIN_TEXT:
                return self._plain_text(question)
            pinned = self._pin(question)
            rewriting, asked = drain(self._rewrite(question, pinned, None))
            with self._turns.take(Work.COMPOSING):
                composed, stages = drain(pipeline.compose_context(question, pinned.corpora, pinned.names, rewriting, listed=True))
            return Composition(composed.results, composed.context, (*asked, *stages), composed.warnings)

    def describe(self, repository: str, about: str) -> Sequence[Description]:
        with stage(SpanName.DESCRIBE):
            pinned = self._pin(Question("", (repository,)))
            with self._turns.take(Work.COMPOSING):  # of what is not kept, every symbol and edge is read
                return descriptions_about(pinned.corpora[0], about)

    def evidence(self, repository: str, generation: str, path: str, start: int, end: int) -> Sequence[str]:
        if self._catalog.generation(repository, generation) is None:
            raise NotFound("There is no such repository or generation.")
        text = IndexedText(self._graph, {repository: Pin(repository, generation)})
        return text.lines(repository, path)[max(start, 1) - 1 : max(end, 0)]

    # ---- what a question reads

    def _pin(self, question: Question) -> Pinned:
        """Raises ``UsageError`` for a question to no repository."""
        _check(question)
        names = {repository.id: repository.name for repository in self._catalog.repositories()}
        generations = tuple(self._head(repository, names) for repository in dict.fromkeys(question.repositories))
        return Pinned(generations, tuple(self._corpora.open(generation) for generation in generations), names)

    def _head(self, repository: str, names: Mapping[str, str]) -> Generation:
        head = self._catalog.head(repository)
        if head is None:
            raise NotIndexed(f"{names.get(repository, repository)} is not indexed yet.")
        return head

    def _told_at_once(
        self, telling: Generator[Event, None, pipeline.Told], cancelled: threading.Event | None
    ) -> Generator[Event, None, pipeline.Told]:
        """An explanation that waits for nobody but this machine: made in one turn, so that a slow reader holds up nobody, and so its text comes as
        one piece. That it has begun is said before the turn, so that nothing is held back meanwhile.
        """
        yield next(telling)
        events: list[Event] = []
        with self._turns.take(Work.TELLING, cancelled), contextlib.closing(telling):
            try:
                while True:
                    events.append(next(telling))
            except StopIteration as end:
                told: pipeline.Told = end.value
        for is_text, together in itertools.groupby(events, lambda event: isinstance(event, TextDelta)):
            if is_text:
                yield TextDelta("".join(event.text for event in together if isinstance(event, TextDelta)))
            else:
                yield from together
        return told

    def _rewrite(self, question: Question, pinned: Pinned, cancelled: threading.Event | None) -> Generator[Event, None, Rewriting]:
        """Words that a language model adds, where somebody turned that on. It is waited for without a turn, so that nobody else waits for it."""
        if self._rewriter is None or not question.options.use_model:
            return NONE
        pins = tuple(pinned.pins.values())
        yield StageStarted(SpanName.REWRITING)
        with stage(SpanName.REWRITING) as rewriting:
            found = self._rewriter.remembered(question.text, pins)
            if found is None:
                with self._turns.take(Work.COMPOSING, cancelled):
                    seen = glance(question, pinned.corpora)
                found = NONE if seen is None else self._rewriter.ask(question.text, pins, seen, fence=secrets.token_hex(8))
                rewriting.mark(Attribute.MODEL, self._rewriter.name)
            rewriting.count(items_out=len(found.words))
            rewriting.detail = ", ".join(found.words)
            rewriting.mark(Attribute.INPUT_TOKENS, found.usage.input_tokens)
            rewriting.mark(Attribute.OUTPUT_TOKENS, found.usage.output_tokens)
        yield StageFinished(rewriting.report)
        return found

    def _model_for(self, question: Question) -> LanguageModel | None:
        return self._model if question.options.use_model else None

    def _plain_text(self, question: Question) -> Composition:
        """The baseline, of the first repository asked; its windows are kept for the next question of an evaluation."""
        _check(question)
        head = self._head(question.repositories[0], {})
        pin = Pin(head.repository, head.id)
        if self._windows is None or self._windows[0] != pin:
            self._windows = (pin, baseline.build(pin, self._graph))
        return baseline.compose(question.text, pin.repository, self._windows[1], question.options.budget)


def _check(question: Question) -> None:
    if not question.repositories:
        raise UsageError("A question needs at least one repository.")
    check_length(question.text)


def _answer(
    question: Question,
    pinned: Pinned,
    composed: pipeline.Composed,
    told: pipeline.Told,
    asked_before: Usage,
    *,
    stages: tuple[StageReport, ...],
    gaps: tuple[str, ...],
) -> Answer:
    explanation, checked = told.explanation, told.explanation.checked
    doubtful = composed.relevance.grade is Grade.DOUBT
    asked = "" if composed.surveys and not asks_for_more(composed.question) else composed.question  # words for the map stand in no code
    signs = read_signs(asked, composed.context, composed.flow, checked, gaps=len(gaps), doubtful=doubtful)
    return Answer(
        question=question.text,
        repositories=tuple(generation.repository for generation in pinned.generations),
        commit=", ".join(generation.commit for generation in pinned.generations),
        generation=", ".join(generation.id for generation in pinned.generations),
        text=checked.text,
        confidence=judge(signs).verdict,
        citations=checked.citations,
        context=composed.context,
        stages=stages,
        coverage=pinned.coverage,
        outline=told.outline,
        diagram=told.diagram,
        model=explanation.model,
        usage=add_up(asked_before, explanation.usage),
        warnings=(*composed.warnings, *gaps, *explanation.warnings),
        trace_id=trace_id(),
    )


def add_up(first: Usage, second: Usage) -> Usage:
    return Usage(first.input_tokens + second.input_tokens, first.output_tokens + second.output_tokens, first.estimated or second.estimated)


def join_coverage(parts: Sequence[Coverage]) -> Coverage:
    """The coverage of several repositories as one; dense coverage is that of the least covered."""
    skipped: dict[str, int] = {}
    for part in parts:
        for reason, number in part.skipped:
            skipped[reason] = skipped.get(reason, 0) + number
    return Coverage(
        seen=sum(part.seen for part in parts),
        indexed=sum(part.indexed for part in parts),
        skipped=tuple(sorted(skipped.items(), key=lambda entry: (-entry[1], entry[0]))),
        failed=tuple(failed for part in parts for failed in part.failed),
        degraded=tuple(degraded for part in parts for degraded in part.degraded),
        dense=min((part.dense for part in parts), default=0.0),
    )
