"""From context to text: by a language model where one is set, from the evidence itself where none is or where it fails.

What is streamed is already verified, sentence by sentence; the joined deltas are the text of the answer.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from exegesis.errors import ModelUnavailable
from exegesis.model import Context, TextDelta, Usage, Warned
from exegesis.ports import Delta, LanguageModel
from services.query.flow import Flow
from services.query.sides import Side
from services.query.survey import Survey
from services.query.telling.beside import read_comparison
from services.query.telling.citations import Checked, CitationChecker, Lines
from services.query.telling.extractive import Form, documents_among, explain_from_evidence, usage_of
from services.query.telling.mapped import tell_map
from services.query.telling.prompt import explanation_messages, tokens_of
from services.query.telling.threads import Story


@dataclass(frozen=True, slots=True)
class Explanation:
    checked: Checked
    model: str = ""
    """Name of the model that wrote it, or its beginning; empty when it is all from the evidence."""
    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What an explanation is made of."""

    question: str
    context: Context
    flow: Flow
    lines: Lines
    form: Form
    fence: str
    max_tokens: int
    sides: frozenset[Side] = frozenset()
    surveys: tuple[Survey, ...] = ()
    """For a question about the whole the repositories as wholes; the sides say what of them is asked for."""
    story: Story | None = None
    """Of the flow, if it has been read already."""


_OF_THE_WHOLE: Final = re.compile(r"(?:^|/)(?:readme|architecture|overview|design|structure|index)[^/]*$", re.IGNORECASE)
"""Documents that speak of a repository as a whole; others speak of the conduct of people, of releases, of parts."""

Pieces = Generator[TextDelta | Warned, None, Explanation]

STOPPED: Final = {
    "length": "The language model reached its limit before the end of the answer.",
    "truncated": "The language model's stream ended without saying that it was complete.",
    "content_filter": "The endpoint's content filter cut the answer.",
}
"""Finish reasons that a reader must know about, and how they are said."""


def generate(request: Request, model: LanguageModel | None, cancelled: threading.Event | None = None) -> Pieces:
    """Text as it is written; returns the whole verified explanation. Never raises for a model's sake: what a model began and did not finish is
    kept, and the evidence tells the whole after it.
    """
    checker = CitationChecker(request.context, request.flow, request.lines)
    if model is None:
        yield from _from_evidence(request, checker)
        return Explanation(checker.checked())
    end = yield from _from_model(request, model, checker, cancelled)
    wrote = bool(checker.checked().text.strip())
    if end.failed:
        if wrote:
            yield TextDelta(checker.feed("\n\nWhat follows is taken from the code, without the language model.\n\n"))
        yield from _from_evidence(request, checker)
    return Explanation(checker.checked(), model.name if wrote else "", end.usage, end.warnings)


@dataclass(frozen=True, slots=True)
class _End:
    """How a model's part of an answer ended."""

    usage: Usage
    warnings: tuple[str, ...]
    failed: bool
    """Something is missing that the evidence can say instead."""


def _from_evidence(request: Request, checker: CitationChecker) -> Iterator[TextDelta]:
    text = _map_of(request, with_documents=True) or explain_from_evidence(
        request.question, request.flow, request.context.items, request.form, request.story
    )
    for line in text.splitlines(keepends=True):
        if verified := checker.feed(line, composed=True):
            yield TextDelta(verified)
    if rest := checker.finish():
        yield TextDelta(rest)


def _map_of(request: Request, *, with_documents: bool = False) -> str:
    """What the maps say, and which documents say more; empty for questions about something in particular."""
    told = [told for survey in request.surveys if (told := tell_map(survey, request.sides, request.context.items))]
    documents = documents_among([item for item in request.context.items if _OF_THE_WHOLE.search(item.path)]) if told and with_documents else ""
    return "\n".join([*told, *([documents] if documents else [])])


def _from_model(
    request: Request, model: LanguageModel, checker: CitationChecker, cancelled: threading.Event | None
) -> Generator[TextDelta | Warned, None, _End]:
    sent, written, reason, problem = None, None, "", ""
    counted = estimate = 0
    try:
        deltas, counted = _asked(request, model, cancelled)
        for delta in without_reasoning(deltas):
            reason = delta.finish_reason or reason
            sent = delta.input_tokens if delta.input_tokens is not None else sent
            written = delta.output_tokens if delta.output_tokens is not None else written
            estimate += tokens_of(delta.text) if delta.text else 0
            if verified := checker.feed(delta.text):
                yield TextDelta(verified)
    except ModelUnavailable as error:
        problem = error.message
    if rest := checker.finish():
        yield TextDelta(rest)
    stopped = cancelled is not None and cancelled.is_set()
    if not stopped and not problem and not checker.checked().text.strip():
        problem = "The language model wrote nothing"
    failed = bool(problem) and not stopped
    warnings = tuple(filter(None, (STOPPED.get(reason, ""), f"{problem}; the explanation is taken from the code." if failed else "")))
    yield from map(Warned, warnings)
    return _End(Usage(counted if sent is None else sent, estimate if written is None else written, sent is None or written is None), warnings, failed)


def _asked(request: Request, model: LanguageModel, cancelled: threading.Event | None) -> tuple[Iterator[Delta], int]:
    """What the model will write, and how many tokens it is sent, by our estimate. The prompt is the model's from here on: it may write for minutes,
    and a prompt is as large as its evidence.
    """
    usage = usage_of(request.question, request.flow, request.context.items) if request.form is Form.USAGE else None
    messages = explanation_messages(
        request.question,
        request.context,
        fence=request.fence,
        budget=request.context.budget,
        usage=usage,
        comparison=read_comparison(request.question, request.context.items),
        chart=_map_of(request),
    )
    estimate = sum(tokens_of(message.content) for message in messages)
    return model.stream(messages, max_tokens=request.max_tokens, cancelled=cancelled), estimate


def without_reasoning(deltas: Iterable[Delta]) -> Iterator[Delta]:
    """Drops ``<think>...</think>`` and blanks at the beginning of an answer: some models send their reasoning as text."""
    held: str | None = ""
    """What may still turn out to be reasoning; None once the answer has begun."""
    for delta in deltas:
        text = delta.text
        if held is not None:
            held = (held + text).lstrip()
            if held.startswith(_THINK) and _THOUGHT in held:
                held = held.partition(_THOUGHT)[2].lstrip()
            undecided = not held or held.startswith(_THINK) or _THINK.startswith(held)
            text, held = ("", held) if undecided else (held, None)
        yield Delta(text, delta.finish_reason, delta.input_tokens, delta.output_tokens)
    if held and not held.startswith(_THINK):
        yield Delta(held)


_THINK: Final = "<think>"
_THOUGHT: Final = "</think>"
