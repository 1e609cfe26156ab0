"""From records to facts: of several stores the first fresh one counts."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.model import ExactFacts
from services.indexer.exact.examine import examine
from services.indexer.exact.holdings import look_into
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


def test_records_are_read_once(tmp_path: Path) -> None:
    """What the cache holds needs no store."""
    cache = SqliteCache(tmp_path / "cache.db")
    store = tmp_path / "store"
    shutil.copytree(STORE, store)
    first = examined(PACKAGE, [store], TREES, cache=cache)
    shutil.rmtree(store / "v5" / "records")
    (store / "v5" / "records").mkdir()
    assert examined(PACKAGE, [store], TREES, cache=cache) == first
    cache.close()
    (facts,) = examined(PACKAGE, [store], TREES)
    assert facts.is_empty
