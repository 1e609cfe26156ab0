"""What is composed reaches whoever asked while others are still being told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.errors import NothingRelevant, UsageError
from exegesis.model import Evidence, Finished, Options, Question, StageFinished, StageStarted, TextDelta, Warned
from exegesis.rpc.deadline import ending_in
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from services.query.api import LONGEST_QUESTION
from services.query.local import LocalQuery
from tests.unit.services.query.test_without import Away

SOURCE = """\
/// Keeps the accounts and moves money between them.
final class Ledger {
    /// Moves an amount, or throws when there is not enough.
    func transfer(_ amount: Int) { journal.record(amount) }
}

final class Journal {
    /// Writes one line.
    func record(_ amount: Int) {}
}
"""


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[tuple[LocalQuery, Question]]:
    """A service that works on one question at one time, and one to ask it."""
    project = tmp_path / "ledger"
    project.mkdir()
    (project / "Ledger.swift").write_text(SOURCE)
    with closing(Assembly(Settings(home=str(tmp_path / "home"), embedder="none"))) as assembly:
        repository = assembly.indexer.index(str(project), IndexOptions(embed=False), lambda _: None).repository.id
        service = LocalQuery(assembly.catalog, assembly.graph, assembly.question_chunks, at_once=1)
        yield service, Question("How does a transfer work?", (repository,), Options(use_model=False))


def test_evidence_does_not_wait_for_a_turn_to_tell(asked: tuple[LocalQuery, Question]) -> None:
    """One question holds the only turn; the evidence of another, which was composed before, has been shown all the same."""
    query, question = asked
    with ending_in(20):
        first = query.explain(question)
        seen = [next(first)]
        while not (isinstance(seen[-1], StageFinished) and seen[-1].report.name == "context-composition"):
            seen.append(next(first))
        evidence = next(first)  # gives its turn back
        second = query.explain(question)
        next(second)  # and this one takes it
        rest = [evidence]
        while not isinstance(rest[-1], StageStarted):
            rest.append(next(first))
        assert len(rest) > 1
        assert all(isinstance(event, Evidence) for event in rest[:-1])
        second.close()  # type: ignore[attr-defined]  # a generator
        assert isinstance(list(first)[-1], Finished)


def test_without_a_model_the_text_comes_whole(asked: tuple[LocalQuery, Question]) -> None:
    """One piece, which is the text of the answer."""
    query, question = asked
    events = list(query.explain(question))
    texts = [event.text for event in events if isinstance(event, TextDelta)]
    assert isinstance(events[-1], Finished)
    assert len(texts) == 1
    assert texts[0].strip() == events[-1].answer.text.strip()


def test_who_does_not_read_holds_no_turn_for_warnings(tmp_path: Path) -> None:
    """While evidence is found there are ten events, whatever there is to warn of, and warnings follow."""
    project = tmp_path / "ledger"
    project.mkdir()
    (project / "Ledger.swift").write_text(SOURCE)
    with closing(Assembly(Settings(home=str(tmp_path / "home"), embedder="none"))) as assembly:
        repository = assembly.indexer.index(str(project), IndexOptions(embed=False), lambda _: None).repository.id
        service = LocalQuery(assembly.catalog, assembly.graph, Away())
        events = list(service.explain(Question("How does a transfer work?", (repository,), Options(use_model=False))))
    composed = next(at for at, event in enumerate(events) if isinstance(event, StageFinished) and event.report.name == "context-composition")
    assert composed < 10
    assert not any(isinstance(event, Warned) for event in events[:composed])
    assert isinstance(events[composed + 1], Warned)


def test_what_is_longer_than_any_question_is_refused_near_as_well(asked: tuple[LocalQuery, Question]) -> None:
    """As by a service that is far, before anything is read; the longest question is answered, or refused for what it asks."""
    query, question = asked
    for ask in (query.search, query.compose, query.outline, lambda asked: list(query.explain(asked))):
        with pytest.raises(UsageError, match="20001 characters"):
            ask(replace(question, text="x" * (LONGEST_QUESTION + 1)))
    with pytest.raises(NothingRelevant):
        query.search(replace(question, text=("zebra quagga " * LONGEST_QUESTION)[:LONGEST_QUESTION]))
