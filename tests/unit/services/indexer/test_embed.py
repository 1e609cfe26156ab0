"""The vectors of the code itself are in use before all are there."""

from __future__ import annotations

import itertools
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks.tables import differences, read_tables
from exegesis.adapters.cached_embedder import CachedEmbedder
from exegesis.adapters.edge_chunks import EdgeChunks
from exegesis.adapters.file_lock import FileLock
from exegesis.adapters.local_queue import LocalQueue
from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.errors import Cancelled, Conflict
from exegesis.model import Generation, Progress
from services.graph.api import Pin
from services.graph.local import LocalGraph
from services.indexer.api import IndexOptions
from services.indexer.local import LocalIndexer
from services.indexer.stores import Stores
from tests.fakes.word_embedder import WordEmbedder

CODE = ["README.md", "Sources/Token.swift"]
TESTS = ["Tests/TokenTests.swift"]
Make = Callable[..., LocalIndexer]


class Hurried:
    """A clock on which a minute passes between two looks, or no time at all."""

    def __init__(self, step: float) -> None:
        self._seconds = itertools.count(1_000_000.0, step)

    def now(self) -> float:
        return next(self._seconds)

    def monotonic(self) -> float:
        return next(self._seconds)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    for path, text in (
        ("README.md", "# Tokens\n"),
        ("Sources/Token.swift", "struct Token {\n    func refresh() {}\n}\n"),
        ("Tests/TokenTests.swift", "final class TokenTests {\n    func testRefresh() {}\n}\n"),
    ):
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_text(text)
    return made


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    opened: list[Stores] = []

    def build(step: float, used: WordEmbedder, home: Path = tmp_path / "home") -> LocalIndexer:
        clock = Hurried(step)
        cache = SqliteCache(home / "cache.db", clock)
        stores = Stores(SqliteCatalog(home / "catalog.db", clock), cache, LocalGraph(SqliteGraph(home / "graph")), EdgeChunks(home / "chunks"), clock)
        opened.append(stores)
        embedder, lock = CachedEmbedder(used, cache), FileLock(home / "locks")
        return LocalIndexer(stores, embedder=embedder, lock=lock, consume=lambda handlers: LocalQueue(handlers, consumers=1), workers=1, folder=home)

    yield build
    for stores in opened:
        stores.chunks.close()
        stores.cache.close()
        stores.catalog.close()


class Watching(WordEmbedder):
    """Notes what the head was when a test was embedded, and may do something then."""

    def __init__(self, do: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.heads: list[Generation | None] = []
        self.indexer: LocalIndexer | None = None
        self._do = do

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        assert self.indexer is not None
        if any("testRefresh" in text for text in texts):
            self.heads.append(self.indexer.status()[0].head)
            self._do()
        return super().embed(texts, tokens=tokens)


def having_vectors(indexer: LocalIndexer, generation: Generation, paths: Sequence[str]) -> list[bool]:
    chunks = [chunk.id for chunk in indexer._stores.graph.chunks_in(Pin(generation.repository, generation.id), paths)]
    found = indexer._stores.chunks.vectors(generation.repository, generation.id, chunks)
    return [chunk in found for chunk in chunks]


def test_where_the_rest_takes_long_the_vectors_of_the_code_are_in_use_first(make: Make, folder: Path) -> None:
    """While tests are embedded, the head has vectors of the code and of documents, and says how many."""
    embedder, details = Watching(), []
    embedder.indexer = indexer = make(60.0, embedder)
    done = indexer.index(str(folder), IndexOptions(), lambda progress: details.append(progress.detail)).generation
    [early] = embedder.heads
    assert early is not None
    assert early.embedder == embedder.fingerprint
    assert 0.0 < early.coverage.dense < 1.0
    assert all(having_vectors(indexer, early, CODE))
    assert not any(having_vectors(indexer, early, TESTS))
    assert "those of the code itself are in use" in details
    assert done.coverage.dense == 1.0
    assert all(having_vectors(indexer, done, [*CODE, *TESTS]))


def test_vectors_of_the_former_model_are_not_taken_for_those_of_this_one(make: Make, folder: Path) -> None:
    """While another model embeds, also after an edit, chunks have its vectors or none; those of the former one are as long and would be compared."""
    first = make(0.0, WordEmbedder())
    first.index(str(folder), IndexOptions(), lambda _: None)
    (folder / "Sources/Token.swift").write_text("struct Token {\n    func renew() {}\n}\n")
    embedder = Watching()
    embedder.fingerprint = "other words/256"
    embedder.indexer = indexer = make(60.0, embedder)
    indexer.index(str(folder), IndexOptions(), lambda _: None)
    [early] = embedder.heads
    assert early is not None
    assert early.embedder == embedder.fingerprint
    assert all(having_vectors(indexer, early, CODE))
    assert not any(having_vectors(indexer, early, TESTS))


def test_vectors_of_another_model_are_no_coverage(make: Make, folder: Path) -> None:
    """Questions that are asked with this model do not use them, so the status does not count them."""
    make(0.0, WordEmbedder()).index(str(folder), IndexOptions(), lambda _: None)
    found = []
    for fingerprint in ("words/256", "other words/256"):
        coverage = make(0.0, WordEmbedder(fingerprint=fingerprint)).status()[0].coverage
        assert coverage is not None
        found.append(coverage.dense)
    assert found == [1.0, 0.0]


def test_where_it_takes_no_time_there_is_one_generation_with_vectors(make: Make, folder: Path) -> None:
    """Saving twice what is computed at once would only cost."""
    embedder = Watching()
    embedder.indexer = indexer = make(0.0, embedder)
    indexer.index(str(folder), IndexOptions(), lambda _: None)
    assert [head.coverage.dense if head else None for head in embedder.heads] == [0.0]


def test_where_little_is_left_it_is_waited_for(make: Make, folder: Path) -> None:
    """One test beside thirty pieces of code, however slow they were."""
    (folder / "Sources" / "More.swift").write_text("".join(f"func step{number}() {{\n    go()\n}}\n\n" for number in range(28)))
    embedder = Watching()
    embedder.indexer = indexer = make(60.0, embedder)
    indexer.index(str(folder), IndexOptions(), lambda _: None)
    assert [head.coverage.dense if head else None for head in embedder.heads] == [0.0]


def test_where_nothing_comes_first_all_come_at_once(make: Make, folder: Path) -> None:
    """A repository of tests alone never has a generation that claims vectors and has none."""
    shutil.rmtree(folder / "Sources")
    (folder / "README.md").unlink()
    embedder = Watching()
    embedder.indexer = indexer = make(60.0, embedder)
    assert indexer.index(str(folder), IndexOptions(), lambda _: None).generation.coverage.dense == 1.0
    assert [head.coverage.dense if head else None for head in embedder.heads] == [0.0]


def test_saved_in_two_parts_or_at_once_is_the_same(make: Make, folder: Path, tmp_path: Path) -> None:
    """Table by table, vectors included."""
    twice = make(60.0, WordEmbedder(), tmp_path / "twice").index(str(folder), IndexOptions(), lambda _: None).generation
    once = make(0.0, WordEmbedder(), tmp_path / "once").index(str(folder), IndexOptions(), lambda _: None).generation
    assert differences(read_tables(tmp_path / "twice", twice), read_tables(tmp_path / "once", once)) == []


def test_half_of_the_vectors_are_completed_by_the_next_run(make: Make, folder: Path) -> None:
    """A head that has those of the code is not taken for one that has all, and what it has is not computed again."""

    def interrupt() -> None:
        raise Cancelled("Somebody pressed a key.")

    embedder = Watching(interrupt)
    embedder.indexer = indexer = make(60.0, embedder)
    with pytest.raises(Cancelled):
        indexer.index(str(folder), IndexOptions(), lambda _: None)
    again = WordEmbedder()
    report = make(60.0, again).index(str(folder), IndexOptions(), lambda _: None)
    assert report.unchanged
    assert report.generation.coverage.dense == 1.0
    assert again.embedded
    assert not set(again.embedded) & set(embedder.embedded)


def test_who_writes_meanwhile_delays_the_first_vectors_and_nothing_else(make: Make, folder: Path, tmp_path: Path) -> None:
    """Another process holds the lock when the code's vectors could be saved; all come at the end."""
    lock = FileLock(tmp_path / "home" / "locks")
    embedder = Watching()
    embedder.indexer = indexer = make(60.0, embedder)
    repository = indexer.locate(str(folder)).id
    holding = lock.hold(repository)

    def report(progress: Progress) -> None:
        if progress.phase == "embedding" and progress.done == 0:
            holding.__enter__()

    embedder._do = lambda: holding.__exit__(None, None, None)
    done = indexer.index(str(folder), IndexOptions(describe=False), report).generation
    assert [head.coverage.dense if head else None for head in embedder.heads] == [0.0]
    assert done.coverage.dense == 1.0


def test_an_interruption_while_the_first_vectors_are_saved_leaves_the_head(make: Make, folder: Path) -> None:
    """Nothing is left of the half-made generation."""
    stop = threading.Event()
    indexer = make(60.0, WordEmbedder())

    def report(progress: Progress) -> None:
        if progress.phase == "saving":
            stop.set()

    with pytest.raises((Cancelled, Conflict)):
        indexer.index(str(folder), IndexOptions(), report, cancelled=stop)
    head = indexer.status()[0].head
    assert head is not None
    assert head.embedder == ""
    assert indexer._stores.chunks.generations(head.repository) == [head.id]
