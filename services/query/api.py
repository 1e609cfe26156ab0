"""The promise of the query service. Mirrors ``proto/exegesis/v1/query.proto``."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from exegesis.errors import UsageError
from exegesis.model import Context, Description, Event, FileResults, OutlineNode, Question, Result, StageReport

BESIDE: Final = "This may be beside the question"
"""How the warning begins that goes with an answer which little bears out: whoever shows the answer shows this first."""

LONGEST_QUESTION: Final = 20_000
"""Characters: a question with a page of log pasted into it. A longer one costs more than it says."""


def check_length(text: str) -> None:
    """Raises ``UsageError`` for what is longer than any question, near and far alike."""
    if len(text) > LONGEST_QUESTION:
        raise UsageError(f"The question has {len(text)} characters; {LONGEST_QUESTION} are allowed.", hint="Ask it in fewer words.")


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    results: tuple[Result, ...]
    """Best chunk of each of the first files, then the best further chunks; best first."""
    stages: tuple[StageReport, ...]
    warnings: tuple[str, ...] = ()
    files: tuple[FileResults, ...] = ()
    """The files of the results in the order in which the list first names them; none for descriptions and windows of plain text."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A composed context without an answer: what evaluation measures."""

    results: tuple[Result, ...]
    context: Context
    stages: tuple[StageReport, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutlineAnswer:
    nodes: tuple[OutlineNode, ...]
    context: Context
    stages: tuple[StageReport, ...]
    model: str = ""
    warnings: tuple[str, ...] = ()


class QueryService(Protocol):
    """Every call pins the head generation of each repository once and reads nothing else.

    Raises ``NotIndexed`` for a repository without a head, ``NothingRelevant`` when nothing bears on the question.
    """

    def explain(self, question: Question, *, cancelled: threading.Event | None = None) -> Iterator[Event]:
        """Stages, evidence and text as they come; the last event is ``Finished`` and holds the whole verified answer."""
        ...

    def outline(self, question: Question, *, cancelled: threading.Event | None = None) -> OutlineAnswer:
        """Raises ``Cancelled`` between two stages, and between two attempts of a language model, once ``cancelled`` is set."""
        ...

    def search(self, question: Question) -> SearchAnswer:
        """Raises ``NothingRelevant`` only where there is nothing to list; a list that may be beside the question says so in its warnings."""
        ...

    def compose(self, question: Question) -> Composition:
        """Everything up to and including composition, for ``eval`` and for callers that bring their own model."""
        ...

    def describe(self, repository: str, about: str) -> Sequence[Description]:
        """What a type, a file or a module is, by its name or path; of the repository and its modules where nothing is named. Best first.

        Raises ``NotFound`` where nothing that has a description is called so.
        """
        ...

    def evidence(self, repository: str, generation: str, path: str, start: int, end: int) -> Sequence[str]:
        """Lines of a file as indexed; empty when the generation does not hold them."""
        ...
