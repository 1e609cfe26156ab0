from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.errors import Conflict, NotIndexed, UsageError
from exegesis.model import ExactFacts, ExactSymbol, FileFacts, SourceFile, SymbolKind
from exegesis.v1 import graph_pb2
from services.graph.api import BuildReport, Pin
from services.graph.local import LocalGraph
from services.graph.remote import RemoteGraph, host
from services.graph.transfer import BATCH_BYTES, UNCONFIRMED_BYTES, Builds, files_in, number, unconfirmed
from tests.fakes.breaking_proxy import breaking_proxy
from tests.fakes.code import Code
from tests.fakes.loopback import loopback

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PIN = Pin("shop-1234", "g1")


def some_facts(sizes: Sequence[int]) -> list[FileFacts]:
    """Files with that many bytes of prose each; the bytes differ, so that nothing shares them."""
    made = []
    for place, size in enumerate(sizes):
        code = Code(f"Sources/File{place}")
        code.declare(SymbolKind.FUNCTION, f"function{place}")
        facts = code.facts()
        made.append(replace(facts, problems=(f"{place:08d}" * (size // 8),)))
    return made


def received(messages: Sequence[graph_pb2.WriteRequest], kept: Recorder) -> Builds:
    builds = Builds(kept)  # type: ignore[arg-type]  # it only writes
    builds.begin(PIN, basis=None, writer="a")
    for message in messages:
        builds.receive(PIN, message, writer="a")
    return builds


class Recorder:
    """Keeps what is written, in order; fails as often as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.written: list[FileFacts] = []
        self.recorded: list[ExactFacts] = []
        self.aborted: list[Pin] = []
        self.failures = failures

    def begin(self, pin: Pin, *, basis: str | None) -> None: ...

    def write(self, pin: Pin, facts: Sequence[FileFacts], exact: Iterable[ExactFacts] = ()) -> int:
        if self.failures:
            self.failures -= 1
            raise OSError
        self.written += facts
        self.recorded += exact
        return len(facts)

    def abort(self, pin: Pin) -> None:
        self.aborted.append(pin)


@given(st.lists(st.sampled_from([0, 100, BATCH_BYTES // 2, BATCH_BYTES, 3 * BATCH_BYTES + 5]), max_size=8), st.integers(0, 5))
@settings(max_examples=25)
def test_facts_arrive_whole_and_in_order(sizes: list[int], after: int) -> None:
    """Small files share messages, large ones are cut; no message is much larger than a batch, and the numbers have no gap."""
    facts = some_facts(sizes)
    messages = list(number(facts, after=after))
    assert [message.seq for message in messages] == list(range(after + 1, after + 1 + len(messages)))
    assert all(message.ByteSize() < BATCH_BYTES + 100 for message in messages)
    assert sum(map(files_in, messages)) == len(facts)
    kept = Recorder()
    received(list(number(facts, after=0)), kept)
    assert kept.written == facts


def test_what_compilers_recorded_follows_the_facts() -> None:
    """In messages of their own with the next numbers, so that each finds the facts of its file there."""
    facts = some_facts([100, 100])
    exact = [ExactFacts(each.path, is_fresh=True, symbols=(ExactSymbol("s:1f", "f()", 1, 6),)) for each in facts]
    messages = list(number(facts, exact, after=0))
    assert [(message.seq, len(message.facts), len(message.exact)) for message in messages] == [(1, 2, 0), (2, 0, 2)]
    kept = Recorder()
    received(messages, kept)
    assert (kept.written, kept.recorded) == (facts, exact)


@given(st.data())
@settings(max_examples=40)
def test_whatever_is_sent_again_is_applied_once(data: st.DataObject) -> None:
    """Streams that break anywhere, and go on from the number that the receiver names or from any one before."""
    facts = some_facts([10, 2 * BATCH_BYTES, 20, BATCH_BYTES // 2, BATCH_BYTES // 2, 30])
    messages = list(number(facts, after=0))
    kept = Recorder()
    builds = received([], kept)
    while (last := builds.last(PIN, writer="a")) < len(messages):
        start = data.draw(st.integers(0, last))
        end = data.draw(st.integers(last + 1, len(messages)))
        for message in messages[start:end]:
            builds.receive(PIN, message, writer="a")
    assert kept.written == facts


class Slow(LocalGraph):
    """Finishes a generation when it may."""

    def __init__(self, folder: Path) -> None:
        super().__init__(SqliteGraph(folder))
        self.began, self.may = threading.Event(), threading.Event()

    def finish(self, pin: Pin, files: Sequence[SourceFile]) -> BuildReport:
        self.began.set()
        assert self.may.wait(30)
        return super().finish(pin, files)


def test_who_takes_over_waits_for_what_the_dead_have_begun_to_finish(tmp_path: Path) -> None:
    """And is told what came of it, which is all that there is to do."""
    with closing(Slow(tmp_path)) as graph, ThreadPoolExecutor(2) as asking:
        builds = Builds(graph)
        builds.begin(PIN, basis=None, writer="dead")
        first = asking.submit(builds.finish, PIN, [], writer="dead")
        assert graph.began.wait(30)
        second = asking.submit(builds.finish, PIN, [], writer="next")
        assert not second.done()
        graph.may.set()
        assert first.result(30) == second.result(30)


def test_what_another_writer_has_only_begun_is_not_finished_for_him(tmp_path: Path) -> None:
    """It may lack anything; whoever begins it anew throws it away."""
    with closing(LocalGraph(SqliteGraph(tmp_path))) as graph:
        builds = Builds(graph)
        builds.begin(PIN, basis=None, writer="dead")
        with pytest.raises(Conflict):
            builds.finish(PIN, [], writer="next")
        builds.begin(PIN, basis=None, writer="next")
        builds.finish(PIN, [], writer="next")


def test_a_generation_that_could_not_be_begun_is_nobody_s(tmp_path: Path) -> None:
    """Its basis was swept away."""
    with closing(LocalGraph(SqliteGraph(tmp_path))) as graph:
        builds = Builds(graph)
        with pytest.raises(NotIndexed):
            builds.begin(PIN, basis="gone", writer="a")
        builds.begin(PIN, basis=None, writer="a")
        with pytest.raises(Conflict):
            builds.begin(PIN, basis=None, writer="a")
        assert builds.last(PIN, writer="a") == 0


def test_a_message_that_failed_is_taken_when_it_comes_again() -> None:
    """What was not kept does not count as received: not even a last piece."""
    facts = some_facts([3 * BATCH_BYTES])
    messages = list(number(facts, after=0))
    kept = Recorder(failures=1)
    builds = received(messages[:-1], kept)
    with pytest.raises(OSError):  # noqa: PT011 - the recorder's own
        builds.receive(PIN, messages[-1], writer="a")
    assert builds.receive(PIN, messages[-1], writer="a") == 1
    assert kept.written == facts


def test_a_gap_is_refused() -> None:
    """Rather than a generation that silently lacks files."""
    messages = list(number(some_facts([BATCH_BYTES] * 3), after=0))
    with pytest.raises(UsageError, match="missing"):
        received([messages[0], messages[2]], Recorder())


def test_facts_without_a_number_are_refused() -> None:
    """Rather than taken for something that came before."""
    (message,) = number(some_facts([10]), after=0)
    message.seq = 0
    with pytest.raises(UsageError, match="number"):
        received([message], Recorder())


def test_a_second_writer_finds_the_repository_free() -> None:
    """What the first one left is thrown away, and a late message of its is refused; builds of other repositories are not touched."""
    kept = Recorder()
    builds = received([], kept)
    other = Pin("other-1", "g1")
    builds.begin(other, basis=None, writer="a")
    builds.begin(Pin(PIN.repository, "g2"), basis=None, writer="b")
    assert kept.aborted == [PIN]
    with pytest.raises(NotIndexed):
        builds.last(PIN, writer="a")
    with pytest.raises(Conflict):
        builds.last(other, writer="b")
    assert builds.last(other, writer="a") == 0


def test_no_more_is_kept_than_is_unconfirmed() -> None:
    """The sender's memory is bounded, whatever it sends."""
    cut = list(unconfirmed(iter([graph_pb2.WriteRequest(piece=bytes(BATCH_BYTES))] * 40)))
    assert [len(part) for part in cut] == [16, 16, 8]
    assert all(sum(message.ByteSize() for message in part) < UNCONFIRMED_BYTES + 2 * BATCH_BYTES for part in cut)
    assert list(unconfirmed([])) == [[]]


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[LocalGraph]:
    local = LocalGraph(SqliteGraph(tmp_path))
    yield local
    local.close()


@pytest.mark.parametrize("after", [[1_000], [300_000], [1_400_000, 700_000]])
def test_facts_survive_a_connection_that_breaks(graph: LocalGraph, after: list[int]) -> None:
    """Every file once, over as many connections as it takes; what was confirmed is not sent again."""
    facts = some_facts([200_000] * 12)
    with loopback(host(graph)) as address, breaking_proxy(address, after) as (proxy, carried), closing(RemoteGraph(proxy)) as remote:
        remote.begin(PIN, basis=None)
        assert remote.write(PIN, facts) == 12
        report = remote.finish(PIN, [Code(f"Sources/File{place}").file() for place in range(12)])
        connections = len(carried)
    assert (report.symbols, report.relinked_files) == (12, 12)
    assert connections == 1 + len(after)
    assert sum(carried) < 2.5e6 + sum(after) + 1.2 * BATCH_BYTES * len(after)


def test_a_graph_service_that_has_restarted_says_that_it_has_forgotten(tmp_path: Path) -> None:
    """The run fails with what to do, and does not hang."""
    facts = some_facts([10])
    with loopback(host(LocalGraph(SqliteGraph(tmp_path)))) as address:
        remote = RemoteGraph(address)
        remote.begin(PIN, basis=None)
    with loopback(host(LocalGraph(SqliteGraph(tmp_path))), listen=address.target), pytest.raises(NotIndexed, match="not being built"):
        remote.write(PIN, facts)
    remote.close()


def test_a_writer_that_died_holds_nobody_up(graph: LocalGraph) -> None:
    """The next one builds the same generation at once; within one process it is a conflict as ever."""
    with loopback(host(graph)) as address:
        with closing(RemoteGraph(address)) as dead:
            dead.begin(PIN, basis=None)
            dead.write(PIN, some_facts([10, 10]))
        with closing(RemoteGraph(address)) as remote:
            remote.begin(PIN, basis=None)
            with pytest.raises(Conflict):
                remote.begin(PIN, basis=None)
            remote.write(PIN, some_facts([10]))
            assert remote.finish(PIN, [Code("Sources/File0").file()]).symbols == 1
