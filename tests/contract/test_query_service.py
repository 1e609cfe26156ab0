"""What every ``QueryService`` does, whether it answers in this process or over gRPC."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.adapters.openai_model import OpenAIModel, Patience
from exegesis.errors import Cancelled, NotFound, NothingRelevant, NotIndexed, UsageError
from exegesis.model import (
    Ablation,
    Answer,
    Event,
    Evidence,
    Finished,
    Options,
    Question,
    StageFinished,
    StageStarted,
    SymbolKind,
    TextDelta,
    Warned,
)
from exegesis.ports import LanguageModel
from exegesis.rpc.deadline import ending_in
from exegesis.rpc.hurry import HurriedModel
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from services.query.api import QueryService
from services.query.local import LocalQuery
from services.query.remote import RemoteQuery, host
from services.query.spread import SpreadQuery
from tests.fakes.loopback import loopback
from tests.fakes.openai_server import Script, endpoint, falls_silent, refuses, says

FILES = {
    "Sources/Ledger/Ledger.swift": """\
/// Keeps the accounts and moves money between them.
final class Ledger {
    private let journal = Journal()

    /// Moves an amount from one account to another, or throws when there is not enough.
    func transfer(_ amount: Int, from source: Account, to target: Account) throws {
        guard source.balance >= amount else { throw LedgerError.insufficientFunds }
        source.withdraw(amount)
        target.deposit(amount)
        journal.record(amount)
    }
}

enum LedgerError: Error { case insufficientFunds }
""",
    "Sources/Ledger/Account.swift": """\
final class Account {
    private(set) var balance = 0

    func withdraw(_ amount: Int) { balance -= amount }
    func deposit(_ amount: Int) { balance += amount }
}
""",
    "Sources/Ledger/Journal.swift": """\
final class Journal {
    private var lines: [Int] = []

    /// Writes one line – caf\u00e9 \U0001f469\u200d\U0001f4bb.
    func record(_ amount: Int) { lines.append(amount) }
}
""",
    "README.md": "# Ledger\n\nA transfer is refused when the account has insufficient funds.\n",
}

ASKED = "How does a transfer between accounts work?"

Asking = Callable[[LanguageModel | None], AbstractContextManager[QueryService]]


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assembly]:
    root: Path = tmp_path_factory.mktemp("ledger")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    made = Assembly(Settings(home=str(tmp_path_factory.mktemp("home")), embedder="none", workers=1))
    made.indexer.index(str(root), IndexOptions(embed=False), lambda _: None)
    yield made
    made.close()


@pytest.fixture(scope="module", params=["local", "remote", "spread"])
def asking(request: pytest.FixtureRequest, assembly: Assembly) -> Asking:
    """Makes a service with a language model, or with none."""

    @contextmanager
    def made(model: LanguageModel | None = None) -> Iterator[QueryService]:
        local = LocalQuery(assembly.catalog, assembly.graph, assembly.chunk_index, model=HurriedModel(model) if model else None)
        if request.param == "local":
            yield local
            return
        with loopback(host(local)) as address:
            far = [RemoteQuery(address) for _ in range(1 if request.param == "remote" else 2)]
            with closing(far[0] if len(far) == 1 else SpreadQuery(far)) as remote:
                yield remote

    return made


@pytest.fixture(scope="module")
def service(asking: Asking) -> Iterator[QueryService]:
    with asking(None) as made:
        yield made


@pytest.fixture(scope="module")
def reference(assembly: Assembly) -> QueryService:
    """What a service in this process says."""
    return assembly.query


def question(assembly: Assembly, text: str = ASKED, **options: object) -> Question:
    (known,) = assembly.catalog.repositories()
    return Question(text, (known.id,), replace(Options(), **options))  # type: ignore[arg-type]


def answer_of(events: list[Event]) -> Answer:
    last = events[-1]
    assert isinstance(last, Finished)
    return last.answer


def test_an_explanation_comes_as_it_is_made(service: QueryService, assembly: Assembly) -> None:
    """Stages, evidence and text are the parts of the answer that comes last."""
    events = list(service.explain(question(assembly)))
    answer = answer_of(events)
    assert [event.report for event in events if isinstance(event, StageFinished)] == list(answer.stages)
    assert len([event for event in events if isinstance(event, StageStarted)]) == len(answer.stages)
    assert tuple(event.item for event in events if isinstance(event, Evidence)) == answer.context.items
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == answer.text
    assert "Ledger.transfer" in answer.text


def test_everything_is_said_alike(service: QueryService, reference: QueryService, assembly: Assembly) -> None:
    """Answer, outline, results and context equal those of a service in this process, times aside, for every kind of option."""
    for asked in (
        question(assembly),
        question(assembly, "How is an amount recorded in the journal?", budget=300, limit=2, neighbors=0),
        question(assembly, whole_files=True, lexical_prefilter=True, oversize_anchors=True, include_dependencies=True, dense=False),
        question(assembly, ablation=Ablation.NO_GRAPH),
        question(assembly, "journal", kind=SymbolKind.METHOD),
    ):
        here, there = (replace(answer_of(list(each.explain(asked))), stages=()) for each in (reference, service))
        assert here == there
        for ask in ("outline", "search", "compose"):
            here, there = (replace(getattr(each, ask)(asked), stages=()) for each in (reference, service))
            assert here == there


def test_the_baseline_is_answered_too(service: QueryService, assembly: Assembly) -> None:
    """An ablation that has no stages."""
    assert service.compose(question(assembly, ablation=Ablation.PLAIN_TEXT)).results


def test_what_is_not_there_is_refused_in_the_same_words(service: QueryService, reference: QueryService, assembly: Assembly) -> None:
    """With what was searched and what to do, from every call."""
    asked = question(assembly, "quantum chromodynamics lattice")
    with pytest.raises(NothingRelevant) as expected:
        reference.search(asked)
    for ask in (service.search, service.compose, service.outline, lambda each: list(service.explain(each))):
        with pytest.raises(NothingRelevant) as raised:
            ask(asked)
        assert (raised.value.message, raised.value.hint) == (expected.value.message, expected.value.hint)


def test_what_an_explanation_refuses_a_search_lists_with_a_warning(service: QueryService, assembly: Assembly) -> None:
    """Whoever searches judges the hits himself, and is told which words occur nowhere."""
    asked = question(assembly, "How does the kubernetes autoscaler drain the balance of its nodes?")
    with pytest.raises(NothingRelevant):
        service.compose(asked)
    found = service.search(asked)
    assert found.results
    assert any("may be beside the question" in warning and "kubernetes" in warning for warning in found.warnings)


def test_descriptions_are_the_same_everywhere(service: QueryService, reference: QueryService, assembly: Assembly) -> None:
    """By name, of the whole, and as a list; what is called by no such name is refused in the same words."""
    repository = question(assembly).repositories[0]
    for about in ("Ledger", "", "Sources/Ledger/Account.swift"):
        assert service.describe(repository, about) == reference.describe(repository, about)
    assert "`transfer`" in service.describe(repository, "Ledger")[0].text
    listed = question(assembly, "transfer money between accounts", descriptions=True)
    assert service.search(listed).results == reference.search(listed).results
    with pytest.raises(NotFound, match="zebra"):
        service.describe(repository, "zebra")


def test_only_what_is_indexed_can_be_asked(service: QueryService) -> None:
    """Repositories without a head, generations that nobody knows."""
    with pytest.raises(NotIndexed):
        list(service.explain(Question(ASKED, ("unknown-1",))))
    with pytest.raises(NotFound):
        service.evidence("unknown-1", "g1", "README.md", 1, 2)


def test_a_question_goes_to_a_repository(service: QueryService) -> None:
    """Without one there is nothing to search, for people and for evaluations alike."""
    for options in (Options(), Options(ablation=Ablation.PLAIN_TEXT)):
        for ask in (service.search, service.compose):
            with pytest.raises(UsageError, match="at least one repository"):
                ask(Question("how does it work?", (), options))


def test_evidence_is_what_was_indexed(service: QueryService, assembly: Assembly) -> None:
    """Lines by number; none outside of the file, none of files that are not there."""
    (known,) = assembly.catalog.repositories()
    head = assembly.catalog.head(known.id)
    assert head is not None
    lines = FILES["Sources/Ledger/Journal.swift"].splitlines()
    assert list(service.evidence(known.id, head.id, "Sources/Ledger/Journal.swift", 2, 4)) == lines[1:4]
    assert list(service.evidence(known.id, head.id, "Sources/Ledger/Journal.swift", -5, 1)) == lines[:1]
    for path, start, end in (("Sources/Ledger/Journal.swift", 100, 200), ("Sources/Ledger/Journal.swift", 3, -1), ("../etc/passwd", 1, 9)):
        assert list(service.evidence(known.id, head.id, path, start, end)) == []


def test_questions_at_the_same_time_are_answered_alike(service: QueryService, assembly: Assembly) -> None:
    """From several threads over one service."""
    found: list[Answer] = []
    ask = lambda: found.append(replace(answer_of(list(service.explain(question(assembly)))), stages=()))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 8
    assert all(each == found[0] for each in found)


# ---- with a language model


def model(url: str) -> OpenAIModel:
    return OpenAIModel(url, "fake-1", patience=Patience(first_pause=0.01, retries=1))


@pytest.mark.parametrize("script", [says("It checks the balance first [E1]."), refuses(401, "no such key")], ids=["writes", "refuses"])
def test_a_model_writes_or_the_code_does(asking: Asking, assembly: Assembly, script: Script) -> None:
    """Warnings come as events and in the answer; usage and the name of the model are in it."""
    with endpoint(script) as server, asking(model(server.url)) as service:
        events = list(service.explain(question(assembly)))
    answer = answer_of(events)
    assert tuple(event.message for event in events if isinstance(event, Warned)) == answer.warnings
    assert bool(answer.model) != bool(answer.warnings)
    assert answer.text


def test_an_answer_comes_in_the_time_that_there_is(asking: Asking, assembly: Assembly) -> None:
    """A model that does not finish is left, and the code tells the rest: what it wrote is kept, and a warning says why."""
    with endpoint(falls_silent("It checks the balance first [E1]. And then ")) as server, asking(model(server.url)) as service, ending_in(4.0):
        answer = answer_of(list(service.explain(question(assembly))))
        assert server.hung_up.wait(1.0)
    assert "ran out" in " ".join(answer.warnings)
    assert answer.text.startswith("It checks the balance first [E1].")
    assert "Ledger.transfer" in answer.text


def test_cancelling_reaches_the_model_within_a_second(asking: Asking, assembly: Assembly) -> None:
    """The connection to it is closed, and the events end: with what there is, or as cancelled."""
    cancelled = threading.Event()
    with endpoint(falls_silent("It checks the balance first [E1]. And then ")) as server, asking(model(server.url)) as service:
        events = service.explain(question(assembly), cancelled=cancelled)
        assert any(isinstance(event, TextDelta) for event in events)
        threading.Timer(0.1, cancelled.set).start()
        stopped = time.monotonic() + 0.1
        try:
            rest = list(events)
        except Cancelled:
            rest = []
        assert time.monotonic() - stopped < 1.0
        assert not rest or isinstance(rest[-1], Finished)
        assert server.hung_up.wait(2.0)
        assert server.closed_at[0] - stopped < 1.0


def test_an_outline_can_be_taken_back(asking: Asking, assembly: Assembly) -> None:
    """Before it is begun and while a model is asked for it; whoever asked goes on within a second of the model's attempt."""
    cancelled = threading.Event()
    cancelled.set()
    with endpoint(says("no JSON")) as server, asking(model(server.url)) as service:
        with pytest.raises(Cancelled):
            service.outline(question(assembly), cancelled=cancelled)
        assert service.outline(question(assembly), cancelled=threading.Event()).nodes


def test_a_reader_that_leaves_reaches_the_model_within_a_second(asking: Asking, assembly: Assembly) -> None:
    """Closing the events is enough."""
    with endpoint(falls_silent("It checks the balance first [E1]. And then ")) as server, asking(model(server.url)) as service:
        events = service.explain(question(assembly))
        assert any(isinstance(event, TextDelta) for event in events)
        stopped = time.monotonic()
        events.close()  # type: ignore[attr-defined]  # every implementation is a generator
        assert server.hung_up.wait(2.0)
        assert server.closed_at[0] - stopped < 1.0
