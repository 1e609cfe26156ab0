"""The indexer on this machine: vectors afterwards, interruptions, lost caches, options."""

from __future__ import annotations

import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.edits import edit
from benchmarks.tables import differences, read_tables
from exegesis.adapters.cached_embedder import CachedEmbedder
from exegesis.adapters.edge_chunks import EdgeChunks
from exegesis.adapters.file_lock import FileLock
from exegesis.adapters.local_queue import LocalQueue
from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.adapters.system_clock import SystemClock
from exegesis.descriptions import DECLARED, load_set, set_name
from exegesis.errors import Cancelled, NotFound, NotIndexed
from exegesis.model import FileStatus, Progress
from exegesis.rewritings import SPACE
from services.graph.api import Pin
from services.graph.local import LocalGraph
from services.indexer.api import IndexOptions
from services.indexer.identity import facts_space
from services.indexer.local import LocalIndexer
from services.indexer.stores import Stores
from tests.fakes.word_embedder import WordEmbedder

Make = Callable[..., LocalIndexer]


def ignore(_progress: Progress) -> None:
    """Nobody looks."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files that use each other."""
    made = tmp_path / "project"
    (made / "Sources").mkdir(parents=True)
    (made / "README.md").write_text("# Tokens\n\nHow `refresh` works.\n")
    (made / "Sources" / "Token.swift").write_text("/// A token.\nstruct Token {\n    func refresh() -> Token {\n        renew(self)\n    }\n}\n")
    (made / "Sources" / "Renew.swift").write_text("func renew(_ token: Token) -> Token {\n    let fresh = Token()\n    return fresh.refresh()\n}\n")
    return made


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def make(tmp_path: Path, embedder: WordEmbedder) -> Iterator[Make]:
    """Indexers over one home unless told otherwise, as several processes would make them."""
    opened: list[Stores] = []

    def build(home: Path = tmp_path / "home", used: WordEmbedder = embedder) -> LocalIndexer:
        clock = SystemClock()
        cache = SqliteCache(home / "cache.db", clock)
        catalog = SqliteCatalog(home / "catalog.db", clock)
        stores = Stores(catalog, cache, LocalGraph(SqliteGraph(home / "graph")), EdgeChunks(home / "chunks"), clock)
        opened.append(stores)
        return LocalIndexer(
            stores,
            embedder=CachedEmbedder(used, cache),
            lock=FileLock(home / "locks"),
            consume=lambda handlers: LocalQueue(handlers, consumers=1),
            workers=1,
            folder=home,
        )

    yield build
    for stores in opened:
        stores.chunks.close()
        stores.cache.close()
        stores.catalog.close()


def test_vectors_make_a_second_generation_of_the_same_content(make: Make, folder: Path, tmp_path: Path, embedder: WordEmbedder) -> None:
    """The index is usable before its vectors are there; the generation that has them equals it in everything else."""
    indexer = make()
    usable: list[str] = []

    def report(progress: Progress) -> None:
        if progress.phase == "usable":
            assert embedder.embedded == []
            usable.append(progress.detail)

    done = indexer.index(str(folder), IndexOptions(), report).generation
    assert usable != [done.id]
    assert len(usable) == 1
    assert done.embedder == embedder.fingerprint
    assert done.coverage.dense == 1.0
    lexical = indexer._stores.catalog.generation(done.repository, usable[0])
    assert lexical is not None
    assert (lexical.embedder, lexical.coverage.dense) == ("", 0.0)
    before, after = read_tables(tmp_path / "home", lexical), read_tables(tmp_path / "home", done)
    assert all(before[name] == after[name] for name in before if name not in {"points", "catalog"})
    assert after["catalog"] == [
        (replace(lexical, id="", repository="", created=0.0, embedder=done.embedder, coverage=done.coverage, described=DECLARED),)
    ]
    chunks = [chunk.id for chunk in indexer._stores.graph.chunks_in(Pin(done.repository, done.id), ["README.md", "Sources/Token.swift"])]
    assert set(indexer._stores.chunks.vectors(done.repository, done.id, chunks)) == set(chunks)
    assert indexer.index(str(folder), IndexOptions(), ignore).unchanged


def test_without_embedding_the_head_has_no_vectors(make: Make, folder: Path, embedder: WordEmbedder) -> None:
    """A question waits for nothing; asking for vectors later adds them to the same content."""
    indexer = make()
    first = indexer.index(str(folder), IndexOptions(embed=False), ignore)
    assert embedder.embedded == []
    second = indexer.index(str(folder), IndexOptions(), ignore)
    assert second.unchanged
    assert second.generation.embedder
    assert second.generation.id != first.generation.id


def test_what_is_large_is_described_once(make: Make, folder: Path) -> None:
    """After the generation is usable; an edit that changes nothing about a type leaves its description, and a removal takes all of them."""
    members = "".join(f"    func step{number}() {{}}\n" for number in range(9))
    (folder / "Sources" / "Large.swift").write_text(f"/// Walks.\nclass Walker {{\n{members}}}\n")
    phases: list[str] = []
    indexer = make()
    first = indexer.index(str(folder), IndexOptions(embed=False), lambda progress: phases.append(progress.phase))
    assert phases.index("usable") < phases.index("describing")
    assert (first.described, first.descriptions_kept) == (3, 0)  # repository, module, Walker
    (folder / "Sources" / "Renew.swift").write_text(
        "func renew(_ token: Token) -> Token {\n    let fresh = Token()\n    // again\n    return fresh.refresh()\n}\n"
    )
    second = make().index(str(folder), IndexOptions(embed=False), ignore)
    assert (second.described, second.descriptions_kept) == (0, 3)
    (folder / "Sources" / "Large.swift").write_text(f"/// Runs.\nclass Walker {{\n{members}}}\n")
    third = make().index(str(folder), IndexOptions(embed=False), ignore)
    assert (third.described, third.descriptions_kept) == (1, 2)
    name = set_name(third.generation.id, "")
    assert [each.name for each in load_set(indexer._stores.cache, third.repository.id, name) or ()] == ["", "Sources", "Walker"]
    indexer._stores.cache.put(SPACE, {b"question": b"names of its code"})
    indexer.remove(third.repository.id)
    assert load_set(indexer._stores.cache, third.repository.id, name) is None
    assert indexer._stores.cache.get(SPACE, [b"question"]) == {}


def test_an_edit_embeds_what_it_changed(make: Make, folder: Path, embedder: WordEmbedder) -> None:
    """Texts that have a vector already are not embedded again."""
    make().index(str(folder), IndexOptions(), ignore)
    embedder.embedded.clear()
    (folder / "README.md").write_text("# Tokens\n\nSomething about zebras.\n")
    generation = make().index(str(folder), IndexOptions(), ignore).generation
    assert generation.coverage.dense == 1.0
    assert ["zebras" in text for text in embedder.embedded] == [True]


def test_edits_with_vectors_equal_a_clean_build(make: Make, folder: Path, tmp_path: Path) -> None:
    """Also the vectors of chunks: those of changed ones are new, those of deleted ones are gone."""
    order = random.Random(3)
    make().index(str(folder), IndexOptions(), ignore)
    for number in range(3):
        done = [edit(folder, order), edit(folder, order)]
        grown = make().index(str(folder), IndexOptions(), ignore).generation
        clean = make(tmp_path / f"clean-{number}").index(str(folder), IndexOptions(), ignore).generation
        assert differences(read_tables(tmp_path / "home", grown), read_tables(tmp_path / f"clean-{number}", clean)) == [], done


def test_interrupted_embedding_goes_on_where_it_stopped(make: Make, folder: Path) -> None:
    """What was embedded before the interruption is not embedded again; the lexical generation answers meanwhile."""
    stop = threading.Event()
    for number in range(40):
        (folder / f"n{number}.md").write_text(f"# Number {number}\n\nText {number}.\n")

    class Stopping(WordEmbedder):
        def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
            stop.set()
            return super().embed(texts, tokens=tokens)

    used = Stopping()
    with pytest.raises(Cancelled):
        make(used=used).index(str(folder), IndexOptions(), ignore, cancelled=stop)
    indexer = make()
    head = indexer.status()[0].head
    assert head is not None
    assert head.embedder == ""
    again = WordEmbedder()
    assert make(used=again).index(str(folder), IndexOptions(), ignore).generation.embedder
    assert used.embedded
    assert not set(used.embedded) & set(again.embedded)


def test_watching_embeds_in_the_background_and_gives_way_to_edits(make: Make, folder: Path) -> None:
    """An edit during a slow embedding is usable at once; the vectors of the new state follow."""
    for number in range(30):
        (folder / f"n{number}.md").write_text(f"# Number {number}\n\nText {number}.\n")
    indexer, stop, embedding, usable = make(used=WordEmbedder(seconds=0.4)), threading.Event(), threading.Event(), threading.Semaphore(0)
    repository = indexer.locate(str(folder)).id

    def report(progress: Progress) -> None:
        if progress.phase == "embedding":
            embedding.set()
        if progress.phase == "usable":
            usable.release()

    watching = threading.Thread(target=indexer.watch, args=(str(folder), IndexOptions(), report), kwargs={"cancelled": stop})
    watching.start()
    try:
        assert usable.acquire(timeout=30)
        assert embedding.wait(30)
        (folder / "Added.md").write_text("# Added\n")
        assert usable.acquire(timeout=30)
        head = indexer.status(repository)[0].head
        assert head is not None
        assert head.embedder == ""
        assert any(file.path == "Added.md" for file in indexer.files(repository))
        deadline = time.monotonic() + 30
        while not (indexer.status(repository)[0].head or head).embedder and time.monotonic() < deadline:
            time.sleep(0.1)
        assert (indexer.status(repository)[0].head or head).coverage.dense == 1.0
    finally:
        stop.set()
        watching.join(20)
    assert not watching.is_alive()


def test_a_lost_cache_costs_time_and_never_truth(make: Make, folder: Path, tmp_path: Path) -> None:
    """Between an interruption and the next run the cache is emptied: everything is parsed again, and nothing is missing."""
    stop = threading.Event()
    stop_at_linking = {"linking"}

    def interrupt(progress: Progress) -> None:
        if progress.phase in stop_at_linking:
            stop.set()

    indexer = make()
    with pytest.raises(Cancelled):
        indexer.index(str(folder), IndexOptions(embed=False), interrupt, cancelled=stop)
    repository = indexer.locate(str(folder)).id
    indexer._stores.cache.trim(facts_space(repository), keep_bytes=0)
    resumed = make().index(str(folder), IndexOptions(embed=False), ignore)
    clean = make(tmp_path / "clean").index(str(folder), IndexOptions(embed=False), ignore)
    assert resumed.resumed
    assert differences(read_tables(tmp_path / "home", resumed.generation), read_tables(tmp_path / "clean", clean.generation)) == []


def test_damaged_stores_are_built_again(make: Make, folder: Path, tmp_path: Path) -> None:
    """When the files of the head are gone, the next run builds anew instead of answering from nothing."""
    first = make().index(str(folder), IndexOptions(embed=False), ignore)
    shutil.rmtree(tmp_path / "home" / "chunks")
    again = make().index(str(folder), IndexOptions(embed=False), ignore)
    assert not again.unchanged
    assert again.generation.id != first.generation.id


def test_dependencies_are_indexed_on_request_only(make: Make, folder: Path) -> None:
    """Asking for them makes another index; staleness is judged the way the folder was last indexed."""
    library = folder / ".build" / "checkouts" / "Library"
    library.mkdir(parents=True)
    (library / "Library.swift").write_text("public func fromLibrary() {}\n")
    indexer = make()
    without = indexer.index(str(folder), IndexOptions(embed=False), ignore)
    with_them = indexer.index(str(folder), IndexOptions(embed=False, include_dependencies=True), ignore)
    assert with_them.generation.coverage.indexed == without.generation.coverage.indexed + 1
    assert not indexer.is_stale(with_them.repository.id)
    assert any("Library" in file.path for file in indexer.files(with_them.repository.id) if file.status is FileStatus.INDEXED)


def test_what_is_not_there_is_said_to_be_missing(make: Make, folder: Path) -> None:
    """Unknown repositories and ones without a head are told apart by their errors."""
    indexer = make()
    for ask in (indexer.is_stale, indexer.files, indexer.remove):
        with pytest.raises((NotFound, NotIndexed)):
            ask("no-such-repository")
    assert list(indexer.status("no-such-repository")) == []
    assert indexer.locate(str(folder)).name == "project"


@pytest.mark.parametrize("damaged", ["graph/**/*.db", "chunks/**/mutable_id_tracker.mappings", "chunks/**/segment.json", "cache.db"])
def test_a_damaged_index_is_built_anew(make: Make, folder: Path, tmp_path: Path, damaged: str) -> None:
    """Whoever indexes again, or asks, gets an index that reads, and need not know what was broken."""
    make().index(str(folder), IndexOptions(embed=False), ignore)
    for path in (tmp_path / "home").glob(damaged):
        path.write_bytes(b"\xff" * 8192)
    indexer = make()
    report = indexer.index(str(folder), IndexOptions(embed=False), ignore)
    assert {file.path: file.status for file in indexer.files(report.repository.id)}["README.md"] is FileStatus.INDEXED
    assert make().index(str(folder), IndexOptions(embed=False), ignore).unchanged


def test_what_is_wrong_with_one_repository_keeps_no_other_from_being_listed(make: Make, folder: Path, tmp_path: Path) -> None:
    """It is listed with its reason, and counts as changed."""
    indexer = make()
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("# A\n")
    for root in (folder, other):
        indexer.index(str(root), IndexOptions(embed=False), ignore)
    (folder / ".gitignore").write_text("**/a/**/a/**/a/**/a\n")
    problems = {status.repository.name: (status.stale, status.problem) for status in indexer.status()}
    assert problems["other"] == (False, "")
    assert problems["project"][0]
    assert ".gitignore has a rule with more than 3 times **" in problems["project"][1]
