"""Graphs that live in a database, and are read from copies on whichever machine is asked."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from exegesis.adapters.postgres_files import PART_BYTES, PostgresFiles
from exegesis.adapters.postgres_graph import ABANDONED_SECONDS, PostgresGraph
from exegesis.errors import CorruptIndex, NotIndexed, Unavailable
from exegesis.model import FileRole, FileStatus, SourceFile, SymbolKind
from tests.fakes.code import Code
from tests.fakes.postgres_server import PostgresServer, postgres_server

REPOSITORY = "shop-1234"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with postgres_server() as started:
        yield started


@pytest.fixture
def address(server: PostgresServer) -> str:
    return server.fresh_schema()


SLOW_TO_READ = """
ALTER TABLE graph_part RENAME TO graph_part_kept;
CREATE FUNCTION waited(generation text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF generation = 'large' THEN PERFORM pg_advisory_xact_lock_shared(7); END IF;
    RETURN true;
END $$;
CREATE VIEW graph_part AS
    SELECT digest, number, packed FROM graph_part_kept JOIN graph_generation USING (digest) WHERE waited(generation)
"""
"""The parts of the generation ``large`` come when nobody holds the lock 7."""

Machine = Callable[..., PostgresGraph]
"""Makes the store of a machine of this name."""


@pytest.fixture
def machine(address: str, tmp_path: Path) -> Iterator[Machine]:
    with contextlib.ExitStack() as opened:

        def make(name: str, **more: int) -> PostgresGraph:
            return opened.enter_context(contextlib.closing(PostgresGraph(address, tmp_path / name, **more)))

        yield make


def built(store: PostgresGraph, generation: str, *names: str) -> None:
    code = Code("a")
    for name in names:
        code.declare(SymbolKind.FUNCTION, name)
    draft = store.draft(REPOSITORY, generation, basis=None)
    draft.put_files([SourceFile("a", code.facts().digest, 1, "test", FileRole.NONE, FileStatus.INDEXED)])
    draft.put_facts([code.facts()])
    draft.commit()


def names(store: PostgresGraph, generation: str) -> list[str]:
    with contextlib.closing(store.open(REPOSITORY, generation)) as reader:
        return [symbol.name for symbol in reader.all_symbols()]


def copies(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*/*"))


def change(address: str, statement: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)


def count(address: str, table: str) -> int:
    with psycopg.connect(address) as connection:
        row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(row[0]) if row else 0


def test_what_one_machine_built_another_one_reads_and_builds_on(machine: Machine, tmp_path: Path) -> None:
    """Also when the machine that built it is gone."""
    one, two = machine("one"), machine("two")
    built(one, "g1", "first")
    shutil.rmtree(tmp_path / "one")
    assert names(two, "g1") == ["first"]
    draft = two.draft(REPOSITORY, "g2", basis="g1")
    draft.commit()
    assert names(one, "g2") == ["first"]
    assert one.generations(REPOSITORY) == two.generations(REPOSITORY) == ("g1", "g2")


def test_a_copy_that_was_cut_short_is_fetched_anew(machine: Machine, tmp_path: Path) -> None:
    """As after a crash of the machine, whose file system may have kept the name and lost the content."""
    store = machine("one")
    built(store, "g1", "first")
    (file,) = tmp_path.glob("one/*/*.db")
    file.write_bytes(file.read_bytes()[:100])
    assert names(store, "g1") == ["first"]


@pytest.mark.parametrize("damage", ["UPDATE graph_part SET packed = 'x'", "DELETE FROM graph_part", "UPDATE graph_content SET parts = 0"])
def test_what_the_database_lost_is_reported_and_not_kept(machine: Machine, address: str, tmp_path: Path, damage: str) -> None:
    """``CorruptIndex``, and nothing of it lies in the folder."""
    built(machine("one"), "g1", "first")
    change(address, damage)
    with pytest.raises(CorruptIndex):
        machine("two").open(REPOSITORY, "g1")
    assert copies(tmp_path / "two") == []


def test_what_was_deleted_elsewhere_is_no_more_and_its_copy_goes(machine: Machine, tmp_path: Path) -> None:
    """The copy goes with the next one that is fetched."""
    one, two = machine("one"), machine("two")
    built(one, "g1", "first")
    assert names(two, "g1") == ["first"]
    one.delete(REPOSITORY, "g1")
    with pytest.raises(NotIndexed):
        two.open(REPOSITORY, "g1")
    built(one, "g2", "second")
    assert names(two, "g2") == ["second"]
    assert copies(tmp_path / "two") == ["g2.db"]


def test_what_is_deleted_while_it_is_fetched_is_gone_and_not_corrupt(address: str, tmp_path: Path) -> None:
    """Its last parts are not there any more, and neither is its name."""
    file, copy = tmp_path / "file", tmp_path / "copy"
    file.write_bytes(random.Random(1).randbytes(PART_BYTES + 1))
    os.mkfifo(copy)  # whoever writes to it goes on when it is read
    with contextlib.closing(PostgresFiles(address)) as kept, ThreadPoolExecutor(1) as fetching:
        kept.save(REPOSITORY, "g1", file)
        fetched = fetching.submit(kept.fetch, REPOSITORY, "g1", copy)
        with copy.open("rb") as begun:
            begun.read(1)
            kept.delete(REPOSITORY, "g1")
            begun.read()
        with pytest.raises(NotIndexed):
            fetched.result()


def test_beginnings_of_copies_that_a_kill_left_behind_go(machine: Machine, tmp_path: Path) -> None:
    """With the next one that is fetched; what somebody may still be writing stays."""
    built(machine("one"), "g1", "first")
    folder = tmp_path / "two" / REPOSITORY
    folder.mkdir(parents=True)
    for name, age in (("g0.old.part", ABANDONED_SECONDS + 60), ("g0.new.part", 0.0)):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - age,) * 2)
    assert names(machine("two"), "g1") == ["first"]
    assert copies(tmp_path / "two") == ["g0.new.part", "g1.db"]


def test_the_same_content_is_kept_once_until_its_last_name_goes(machine: Machine, address: str, tmp_path: Path) -> None:
    """A generation with vectors shares the graph of the one without."""
    store = machine("one")
    built(store, "g1", "first")
    store.share(REPOSITORY, "g1", "g2")
    assert count(address, "graph_content") == 1
    store.delete(REPOSITORY, "g1")
    shutil.rmtree(tmp_path / "one")
    assert names(store, "g2") == ["first"]
    store.delete(REPOSITORY, "g2")
    assert count(address, "graph_content") == count(address, "graph_part") == 0


def test_copies_that_were_not_read_for_long_make_room(machine: Machine, tmp_path: Path) -> None:
    """The one that was just fetched stays, however large; those that go are fetched again when somebody asks."""
    for number in range(3):
        built(machine("one"), f"g{number}", f"name{number}")
    small = machine("two", keep_bytes=1)
    assert [names(small, f"g{number}") for number in (0, 1, 2, 0)] == [["name0"], ["name1"], ["name2"], ["name0"]]
    assert copies(tmp_path / "two") == ["g0.db"]


def test_many_who_ask_for_the_same_at_once_fetch_it_once(machine: Machine, tmp_path: Path) -> None:
    """And all get it whole."""
    built(machine("one"), "g1", *(f"name{number}" for number in range(500)))
    store = machine("two")
    with ThreadPoolExecutor(8) as asking:
        assert set(asking.map(lambda _: len(names(store, "g1")), range(16))) == {500}
    assert copies(tmp_path / "two") == ["g1.db"]


def test_a_large_repository_that_is_fetched_holds_up_no_other(machine: Machine, address: str) -> None:
    """Whose graph is small, and is answered about while the other one is still on its way."""
    for generation in ("large", "small"):
        built(machine("one"), generation, generation)
    change(address, SLOW_TO_READ)
    with psycopg.connect(address, autocommit=True) as connection, ThreadPoolExecutor(1) as asking:
        connection.execute("SELECT pg_advisory_lock(7)")
        store = machine("two")
        slow = asking.submit(names, store, "large")
        with psycopg.connect(address, autocommit=True) as looking:
            while not looking.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").fetchone():
                time.sleep(0.01)
        assert names(store, "small") == ["small"]
        assert not slow.done()
        connection.execute("SELECT pg_advisory_unlock(7)")
        assert slow.result(30) == ["large"]


def test_what_is_about_to_be_read_is_not_deleted_to_make_room(machine: Machine) -> None:
    """By whoever fetches another one at that moment, for a folder in which there is room for one."""
    for generation in ("g0", "g1", "g2"):
        built(machine("one"), generation, generation)
    small = machine("two", keep_bytes=1)
    with ThreadPoolExecutor(6) as asking:
        asked = [f"g{number % 3}" for number in range(60)]
        assert list(asking.map(lambda generation: names(small, generation), asked)) == [[generation] for generation in asked]


def test_what_another_process_deletes_at_once_is_no_missing_index(address: str, tmp_path: Path) -> None:
    """But a folder that is too small, which may be better in a moment."""
    with contextlib.closing(PostgresGraph(address, tmp_path / "one")) as one:
        built(one, "g1", "first")
    (tmp_path / "two" / REPOSITORY).mkdir(parents=True)
    over = threading.Event()

    def delete() -> None:
        while not over.is_set():
            for file in (tmp_path / "two").glob("*/*.db"):
                file.unlink(missing_ok=True)

    deleting = threading.Thread(target=delete)
    deleting.start()
    try:
        with contextlib.closing(PostgresGraph(address, tmp_path / "two")) as store:
            for _ in range(20):
                with contextlib.suppress(Unavailable):
                    assert names(store, "g1") == ["first"]
    finally:
        over.set()
        deleting.join()


def test_a_file_of_many_parts_comes_back_to_the_byte(address: str, tmp_path: Path) -> None:
    """With a last part that is shorter, and with one that is not."""
    with contextlib.closing(PostgresFiles(address)) as kept:
        for size in (2 * PART_BYTES + 17, PART_BYTES, 0):
            (tmp_path / "file").write_bytes(bytes(number % 251 for number in range(1000)) * (size // 1000) + b"x" * (size % 1000))
            kept.save(REPOSITORY, f"g{size}", tmp_path / "file")
            kept.fetch(REPOSITORY, f"g{size}", tmp_path / "copy")
            assert (tmp_path / "copy").read_bytes() == (tmp_path / "file").read_bytes()


def test_a_graph_that_did_not_reach_the_database_is_none(tmp_path: Path) -> None:
    """Nobody opens it, here or elsewhere; whoever tries again is not in its way."""
    with postgres_server() as server, contextlib.closing(PostgresGraph(server.fresh_schema(), tmp_path)) as store:
        draft = store.draft(REPOSITORY, "g1", basis=None)
        server.stop()
        with pytest.raises(Unavailable):
            draft.commit()
        draft.discard()
        server.start()
        with pytest.raises(NotIndexed):
            store.open(REPOSITORY, "g1")
        assert store.generations(REPOSITORY) == ()
        built(store, "g1", "first")
        assert names(store, "g1") == ["first"]
