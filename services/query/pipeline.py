"""The pipeline of a question, from words to a verified answer. READ THIS FIRST: a stage is a block, a module and a span.

    rewriting            glance, rewriting   words that a language model adds; off unless somebody turned it on
    retrieval            retrieve, dense     candidates from words, names and vectors, with raw scores
    symbol-mapping       rank, symbols       the best chunks, and what is declared in them
    graph-traversal      expand              what these call and are called by
    ranking              rank                one score for everything, its parts kept
    context-composition  compose             what fits the budget, in the order in which it happens
    generation           telling/generate    text, verified while it is written

The stages are functions of values; only the corpora, the indexed text and the model reach outside.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from exegesis.errors import UsageError
from exegesis.model import Ablation, Context, Event, FileResults, Options, OutlineNode, Question, Result, StageFinished, StageStarted, Symbol, Warned
from exegesis.ports import LanguageModel
from exegesis.telemetry import Attribute, SpanName, Stage, stage
from services.query.aims import Aim
from services.query.called import with_calls
from services.query.compose import compose
from services.query.corpus import Corpus, Key
from services.query.dense import with_late_vectors
from services.query.expand import expand
from services.query.flow import Flow, read_flow
from services.query.grading import Graded, grade_what_is_found
from services.query.intent import Intent
from services.query.nearness import nearness_of_files, with_nearness
from services.query.own_name import with_whole_for_its_name
from services.query.present import by_file, present
from services.query.rank import Ranking, rank
from services.query.referent import with_referent
from services.query.refusal import refuse, warn_of_doubt
from services.query.relevance import Relevance
from services.query.reranked import with_reranking
from services.query.retrieve import Nearest, Seeds, with_chunks
from services.query.rewriting import NONE, Rewriting
from services.query.spelling import with_declared_spelling
from services.query.survey import Glimpse, Survey, glimpses, survey
from services.query.symbols import map_to_symbols
from services.query.telling.citations import Lines
from services.query.telling.diagram import draw_flow
from services.query.telling.extractive import Form, story_of
from services.query.telling.generate import Explanation, Request, generate
from services.query.telling.mapped import draw_modules, outline_of_map
from services.query.telling.outline import Outline, number_nodes, outline_from_flow, write_outline
from services.query.telling.threads import Story
from services.query.ways import count_ways
from services.query.without import AvailableSources

FORMS: Mapping[Aim, Form] = {Aim.USAGE: Form.USAGE, Aim.WHY: Form.PROSE, Aim.OVERVIEW: Form.PROSE}
"""What an extractive explanation puts first, by what a question aims at; the others are told as a flow."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list for people."""

    results: tuple[Result, ...] = ()
    files: tuple[FileResults, ...] = ()
    """The same by files."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What is known before anything is composed."""

    seeds: Seeds
    ranking: Ranking
    relevance: Relevance
    listed: Listed
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Composed:
    """What the second half needs of the first. Not its candidates and their scores, half a megabyte of them: a model may take minutes over this."""

    question: str
    intent: Intent
    results: tuple[Result, ...]
    warnings: tuple[str, ...]
    relevance: Relevance
    context: Context
    flow: Flow
    surveys: tuple[Survey, ...] = ()
    """For a question about the whole: each repository as a whole."""


def search(question: Question, corpora: Sequence[Corpus], names: Mapping[str, str]) -> Generator[Event, None, Found]:
    """A list for people, who judge the hits themselves: where an explanation would be refused, the list comes with a warning.

    Raises ``NothingRelevant`` where nothing can be listed; ``names`` say how people call the repositories.
    """
    yield StageStarted(SpanName.RETRIEVAL)
    with stage(SpanName.RETRIEVAL) as retrieval:
        sources = AvailableSources(_as_the_code_says(question, corpora, names), corpora)
        graded = grade_what_is_found(sources)
        listed = _list(graded.seeds, graded.ranking, sources.nearest())
        doubts = warn_of_doubt(graded.seeds, graded.ranking, graded.relevance)
        warnings = tuple(dict.fromkeys((*doubts, *sources.warnings, *graded.warnings, *listed.warnings)))
        _count(retrieval, graded.seeds)
    yield StageFinished(retrieval.report)
    if not graded.relevance.may_be_listed:
        raise refuse(graded.seeds, graded.ranking, graded.relevance, names)
    yield from map(Warned, warnings)
    return Found(graded.seeds, graded.ranking, graded.relevance, listed, warnings)


def _find(
    question: Question, corpora: Sequence[Corpus], names: Mapping[str, str], lent: Sequence[str], *, listed: bool
) -> Generator[Event, None, Found]:
    """What an answer is composed from, with its grade and not yet judged by it; its list is empty unless ``listed``. Words that are lent find more,
    and do not count for the grade.
    """
    yield StageStarted(SpanName.RETRIEVAL)
    with stage(SpanName.RETRIEVAL) as retrieval:
        sources = AvailableSources(_as_the_code_says(question, corpora, names), corpora)
        graded = grade_what_is_found(sources)
        lent = lent if graded.relevance.relevant else ()
        if lent or sources.nearest().vector:
            seeds = sources.everything(lent)
            ranking = rank(seeds)
        else:
            seeds, ranking = graded.seeds, graded.ranking
        compared: tuple[str, ...] = ()
        if question.options.ablation is Ablation.DENSE:
            seeds, ranking, compared = _compared(seeds, ranking)
        list_ = _list(*_to_list(graded, seeds, ranking), sources.nearest()) if listed else Listed()
        doubts = warn_of_doubt(seeds, ranking, graded.relevance)
        warnings = tuple(dict.fromkeys((*doubts, *sources.warnings, *graded.warnings, *compared, *list_.warnings)))
        _count(retrieval, seeds)
    yield StageFinished(retrieval.report)
    return Found(seeds, ranking, graded.relevance, list_, warnings)


def _as_the_code_says(question: Question, corpora: Sequence[Corpus], names: Mapping[str, str]) -> Question:
    """The question in the words in which it can be answered."""
    return with_declared_spelling(with_whole_for_its_name(question, corpora, names), corpora)


def _count(retrieval: Stage, seeds: Seeds) -> None:
    retrieval.count(items_in=sum(corpus.table.statistics.chunks for corpus in seeds.corpora.values()), items_out=len(seeds.candidates))


def _compared(seeds: Seeds, ranking: Ranking, *, late: bool = True) -> tuple[Seeds, Ranking, tuple[str, ...]]:
    """Candidates in order, the best of them compared: by a reranker where there is one, else by ``late`` vectors where the index has none; warnings.

    Late vectors compare what was found for a topic, a few words that say too little. Who asks in a sentence says what is meant, and calls lead on
    from there; beside these late vectors moved as many answers down as up.
    """
    near, warnings = with_reranking(seeds, ranking)
    if late and near is seeds and (seeds.intent.aim is Aim.TOPIC or seeds.question.options.ablation is Ablation.DENSE):
        near, more = with_late_vectors(seeds, ranking)
        warnings = (*warnings, *more)
    return (seeds, ranking, warnings) if near is seeds else (near, rank(near), warnings)


def _to_list(graded: Graded, seeds: Seeds, ranking: Ranking) -> tuple[Seeds, Ranking]:
    """Beside a context what a search would list: with stored vectors what words alone found, otherwise the same, and what lent words find."""
    return (graded.seeds, graded.ranking) if seeds.has_vectors else (seeds, ranking)


def _list(seeds: Seeds, ranking: Ranking, nearest: Nearest) -> Listed:
    """What words found, its files moved by what else is known of them: by how near they are as far as vectors are stored, beside which late ones
    would add nothing. A list that ranks every chunk by its vector, and asks with the names of the nearest too, loses .03 of NDCG@10. Only what no
    word finds is listed by stored vectors.
    """
    near = None if seeds.has_vectors else nearness_of_files(seeds, nearest)
    seeds, ranking, warnings = _compared(seeds, ranking, late=near is None)
    moved = with_referent(seeds, with_calls(seeds, with_nearness(ranking, near or {})))
    results = present(seeds, moved)
    kind = seeds.question.options.kind
    if kind and not any(result.kind == kind.value for result in results):
        warnings = (*warnings, f"Nothing that was found is of kind {kind.value}; other kinds are listed.")
    return Listed(results, by_file(seeds, moved, results), warnings)


def compose_context(
    question: Question, corpora: Sequence[Corpus], names: Mapping[str, str], rewriting: Rewriting = NONE, *, listed: bool = False
) -> Generator[Event, None, Composed]:
    """Everything up to and including composition; with ``listed`` also the list that a search gives.

    Late vectors are for that list, and for what would be refused otherwise. A context has no use for them: sixteen chunks that were compared displace
    others that the question's words and the graph lead to.

    Raises ``NothingRelevant`` where nothing bears on the question, and ``UsageError`` for a budget that holds nothing of what was found.
    """
    found = yield from _find(question, corpora, names, rewriting.words, listed=listed)
    if not found.relevance.relevant:
        raise refuse(found.seeds, found.ranking, found.relevance, names)
    warnings = (*rewriting.warnings, *found.warnings)
    yield from map(Warned, warnings)

    yield StageStarted(SpanName.SYMBOL_MAPPING)
    with stage(SpanName.SYMBOL_MAPPING) as mapping:
        anchors = map_to_symbols(found.seeds, found.ranking)
        mapping.count(items_in=len(found.ranking.chunks), items_out=sum(len(anchor.symbols) for anchor in anchors))
    yield StageFinished(mapping.report)

    yield StageStarted(SpanName.GRAPH_TRAVERSAL)
    with stage(SpanName.GRAPH_TRAVERSAL) as traversal:
        expansion = expand(found.seeds, anchors)
        traversal.count(items_in=len(anchors), items_out=len(expansion.lent))
        traversal.detail = f"{expansion.edges} edges looked at"
    yield StageFinished(traversal.report)

    yield StageStarted(SpanName.RANKING)
    with stage(SpanName.RANKING) as ordering:
        seeds = with_chunks(found.seeds, expansion.chunks)
        ranking = rank(seeds, expansion.lent)
        ordering.count(items_in=len(seeds.candidates), items_out=len(ranking.chunks))
    yield StageFinished(ordering.report)

    yield StageStarted(SpanName.COMPOSITION)
    with stage(SpanName.COMPOSITION) as composition:
        surveys = tuple(survey(corpus, names.get(corpus.repository, "")) for corpus in corpora) if seeds.intent.sides else ()
        context = compose(seeds, ranking, anchors, expansion, _glimpses(corpora, surveys))
        if not context.items:
            raise UsageError(f"Nothing that was found fits into {context.budget} tokens.", hint=f"Allow more: {Options().budget} are usual.")
        flow = read_flow(context, *_ends(context, corpora))
        composition.count(items_in=len(ranking.chunks), items_out=len(context.items))
    yield StageFinished(composition.report)
    for lack in sorted({corpus.hurry.lack for corpus in corpora} - {""}):
        yield Warned(lack)
        warnings = (*warnings, lack)
    return Composed(found.seeds.question.text, found.seeds.intent, found.listed.results, warnings, found.relevance, context, flow, surveys)


def _glimpses(corpora: Sequence[Corpus], surveys: Sequence[Survey]) -> Mapping[Key, Glimpse]:
    found: dict[Key, Glimpse] = {}
    for corpus, known in zip(corpora, surveys, strict=False):
        found |= glimpses(corpus, known)
    return found


@dataclass(frozen=True, slots=True)
class Told:
    explanation: Explanation
    outline: tuple[OutlineNode, ...]
    diagram: str
    """Mermaid."""


def explain(
    composed: Composed, lines: Lines, model: LanguageModel | None, *, max_tokens: int, cancelled: threading.Event | None
) -> Generator[Event, None, Told]:
    """The second half: text as it is verified, about evidence that has been shown."""
    yield StageStarted(SpanName.GENERATION)
    with stage(SpanName.GENERATION) as generation:
        story = None if composed.surveys else story_of(composed.flow, composed.context.items, composed.question)
        request = Request(
            question=composed.question,
            context=composed.context,
            flow=composed.flow,
            lines=lines,
            form=FORMS.get(composed.intent.aim, Form.FLOW),
            fence=secrets.token_hex(8),
            max_tokens=max_tokens,
            sides=composed.intent.sides,
            surveys=composed.surveys,
            story=story,
        )
        explanation = yield from generate(request, model, cancelled)
        generation.count(items_in=len(composed.context.items), items_out=explanation.checked.sentences)
        generation.detail = f"{explanation.checked.supported} verified, {explanation.checked.rejected} citations dropped"
        generation.mark(Attribute.MODEL, explanation.model)
        generation.mark(Attribute.INPUT_TOKENS, explanation.usage.input_tokens)
        generation.mark(Attribute.OUTPUT_TOKENS, explanation.usage.output_tokens)
    yield StageFinished(generation.report)
    return Told(explanation, _outline_of(composed, story), _diagram_of(composed, story))


def outline(
    composed: Composed, model: LanguageModel | None, *, max_tokens: int, cancelled: threading.Event | None = None
) -> Generator[Event, None, Outline]:
    yield StageStarted(SpanName.GENERATION)
    with stage(SpanName.GENERATION) as generation:
        question = composed.question
        fence = secrets.token_hex(8)
        if composed.surveys:
            written = Outline(_outline_of(composed, None))
        else:
            written = write_outline(question, composed.context, composed.flow, model, fence=fence, max_tokens=max_tokens, cancelled=cancelled)
        generation.count(items_in=len(composed.context.items), items_out=len(written.nodes))
    yield StageFinished(generation.report)
    return written


def _outline_of(composed: Composed, story: Story | None) -> tuple[OutlineNode, ...]:
    """The outline that needs no model: of a question about the whole from the map, of any other from the flow."""
    if composed.surveys:
        return number_nodes([node for known in composed.surveys for node in outline_of_map(known)])
    return outline_from_flow(composed.flow, story)


def _diagram_of(composed: Composed, story: Story | None) -> str:
    """As Mermaid: for a question about the whole the modules, for any other the flow."""
    return draw_modules(composed.surveys) if composed.surveys else draw_flow(composed.flow, story)


def _ends(context: Context, corpora: Sequence[Corpus]) -> tuple[Mapping[int, Symbol], Mapping[int, int]]:
    """Both ends of the edges of a context, and how many ways lead into each of the targets."""
    wanted = sorted({end for edge in context.flow for end in (edge.source, edge.target)})
    targets = {edge.target for edge in context.flow}
    symbols: dict[int, Symbol] = {}
    ways: dict[int, int] = {}
    for corpus in corpora:
        found = corpus.graph.symbols(corpus.pin, wanted)
        symbols |= found
        ways |= count_ways(corpus, sorted(targets & found.keys()))
    return symbols, ways
