"""From records to facts: of several stores the first fresh one counts."""

from __future__ import annotations

import hashlib
import shutil
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.model import ExactFacts
from services.indexer.exact.examine import CACHE_SPACE, examine
from services.indexer.exact.holdings import look_into
from services.indexer.exact.kept import key_of, recall
from tests.unit.services.indexer.exact.sample import COMPRESSED, PACKAGE, STORE, source_files

TREES, FRUIT = "Sources/Orchard/Trees.swift", "Sources/Orchard/Fruit.swift"


def examined(root: Path, stores: list[Path], *paths: str, cache: SqliteCache | None = None) -> list[ExactFacts]:
    holdings, _ = look_into(str(root), source_files(), stores, None)
    digests = {path: hashlib.sha256((root / path).read_bytes()).hexdigest() for path in paths}
    return [each.facts for each in examine(str(root), digests, holdings, cache)]


def copied(into: Path) -> Path:
    shutil.copytree(PACKAGE, into)
    return into


def test_a_file_as_compiled_is_fresh() -> None:
    """Also from a store that is compressed, and with the same facts."""
    plain = examined(PACKAGE, [STORE], TREES, FRUIT)
    assert [(facts.path, facts.is_fresh) for facts in plain] == [(TREES, True), (FRUIT, True)]
    assert examined(PACKAGE, [COMPRESSED], TREES, FRUIT) == plain


def test_a_file_that_changed_tells_its_symbols_only(tmp_path: Path) -> None:
    """So does one whose text is not the one that counts."""
    root = copied(tmp_path / "package")
    (root / TREES).write_text("\n\n" + (root / TREES).read_text())
    trees, fruit = examined(root, [STORE], TREES, FRUIT)
    assert (trees.is_fresh, trees.uses, fruit.is_fresh) == (False, (), True)
    assert trees.symbols == examined(PACKAGE, [STORE], TREES)[0].symbols
    holdings, _ = look_into(str(PACKAGE), source_files(), [STORE], None)
    (other,) = examine(str(PACKAGE), {TREES: "of another text"}, holdings, None)
    assert not other.facts.is_fresh


def test_the_first_fresh_record_counts(tmp_path: Path) -> None:
    """A store that was written to last may hold another branch; the one before may hold what is there."""
    root = copied(tmp_path / "package")
    wrong = tmp_path / "wrong"
    shutil.copytree(STORE, wrong)
    (record,) = (wrong / "v5" / "records").rglob("Trees.swift-*")
    (other,) = (wrong / "v5" / "records").rglob("Fruit.swift-*")
    shutil.copy2(other, record)
    assert [facts.is_fresh for facts in examined(root, [wrong], TREES)] == [False]
    assert examined(root, [wrong, STORE], TREES) == examined(root, [STORE], TREES)


def test_a_file_without_records_has_empty_facts() -> None:
    """Which takes away what was known."""
    (facts,) = examined(PACKAGE, [STORE], "Package.swift")
    assert facts.is_empty


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[SqliteCache]:
    with closing(SqliteCache(tmp_path / "cache.db")) as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A copy of the sample's store, to be broken."""
    return Path(shutil.copytree(STORE, tmp_path / "store"))


def without_records(store: Path) -> Path:
    shutil.rmtree(store / "v5" / "records")
    (store / "v5" / "records").mkdir()
    return store


def test_records_are_read_once(cache: SqliteCache, store: Path) -> None:
    """What the cache holds needs no store."""
    first = examined(PACKAGE, [store], *source_files(), cache=cache)
    without_records(store)
    assert examined(PACKAGE, [store], *source_files(), cache=cache) == first
    (facts,) = examined(PACKAGE, [store], TREES)
    assert facts.is_empty


def test_what_is_kept_is_of_one_text(cache: SqliteCache, store: Path, tmp_path: Path) -> None:
    """A file that changed is examined anew, whatever was found before; and so is one that was not there to be compared."""
    root = copied(tmp_path / "package")
    (fresh,) = examined(root, [store], TREES, cache=cache)
    (root / TREES).write_text("\n\n" + (root / TREES).read_text())
    assert [facts.is_fresh for facts in examined(root, [store], TREES, cache=cache)] == [False]
    holdings, _ = look_into(str(root), source_files(), [store], None)
    digest = hashlib.sha256((PACKAGE / FRUIT).read_bytes()).hexdigest()
    away, back = root / FRUIT, root / "away"
    away.rename(back)
    assert [each.facts.is_fresh for each in examine(str(root), {FRUIT: digest}, holdings, cache)] == [False]
    back.rename(away)
    assert [each.facts.is_fresh for each in examine(str(root), {FRUIT: digest}, holdings, cache)] == [True]
    assert examined(PACKAGE, [store], TREES, cache=cache) == [fresh]


def test_what_could_not_be_read_whole_is_not_kept(cache: SqliteCache, store: Path) -> None:
    """A record that is cut off is a problem each time, and forgotten when it is whole again."""
    (path,) = (store / "v5" / "records").rglob("Trees.swift-*")
    whole = path.read_bytes()
    path.write_bytes(whole[:900])
    holdings, _ = look_into(str(PACKAGE), source_files(), [store], None)
    digests = {TREES: hashlib.sha256((PACKAGE / TREES).read_bytes()).hexdigest()}
    for _ in range(2):
        (each,) = examine(str(PACKAGE), digests, holdings, cache)
        assert each.problems
        assert not each.facts.is_fresh
    path.write_bytes(whole)
    assert [each.problems for each in examine(str(PACKAGE), digests, holdings, cache)] == [()]


@pytest.mark.parametrize("nonsense", [b"nonsense", zlib.compress(b"nonsense"), zlib.compress(b"\x12\x02")])
def test_a_cache_that_holds_nonsense_is_not_believed(cache: SqliteCache, nonsense: bytes) -> None:
    """It is examined again and replaced."""
    holdings, _ = look_into(str(PACKAGE), source_files(), [STORE], None)
    digest = hashlib.sha256((PACKAGE / TREES).read_bytes()).hexdigest()
    key = key_of(TREES, digest, holdings.records[TREES])
    cache.put(CACHE_SPACE, {key: nonsense})
    first = examined(PACKAGE, [STORE], TREES, cache=cache)
    assert [facts.is_fresh for facts in first] == [True]
    assert list(recall(cache, CACHE_SPACE, [key]).values()) == first
