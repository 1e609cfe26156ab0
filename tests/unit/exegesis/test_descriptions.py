"""Descriptions as they are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.descriptions import keep, known_digests, load_set, save_set, set_name, space_of, told_by
from exegesis.model import Description, Spot, Subject

ONE = Description(1, Subject.TYPE, "Basket", "Basket.swift", "aa", "`Basket` is a class.", (Spot("Basket", "Basket.swift", 3),), symbol=7, weight=2)
TOLD = replace(ONE, text="A basket holds what is bought.", model="wise", written=12.5)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[SqliteCache]:
    made = SqliteCache(tmp_path / "cache.db")
    yield made
    made.close()


def test_a_set_comes_back_as_it_was(cache: SqliteCache) -> None:
    """Also an empty one, which is another thing than none."""
    save_set(cache, "shop", b"full", [ONE, replace(ONE, id=2, symbol=None)])
    save_set(cache, "shop", b"empty", [])
    assert load_set(cache, "shop", b"full") == (ONE, replace(ONE, id=2, symbol=None))
    assert load_set(cache, "shop", b"empty") == ()
    assert load_set(cache, "shop", b"none") is None


def test_what_cannot_be_read_was_not_kept(cache: SqliteCache) -> None:
    """It is made again."""
    cache.put(space_of("shop"), {b"broken": b"\xff\xff\xff", b"aa/wise": b"\xff\xff\xff"})
    assert load_set(cache, "shop", b"broken") is None
    assert told_by(cache, "shop", "wise", ["aa"]) == {}


def test_generations_of_one_content_share_a_set() -> None:
    """The serial of an attempt says nothing; what a language model had a part in is another set."""
    assert set_name("inputs-recipe-1", "") == set_name("inputs-recipe-2", "")
    assert len({set_name("inputs-recipe-1", ""), set_name("other-recipe-1", ""), set_name("inputs-recipe-1", "told")}) == 3


def test_each_is_kept_by_what_it_was_made_from(cache: SqliteCache) -> None:
    """What a model wrote is found under its name alone, and says when it did."""
    keep(cache, "shop", [ONE, TOLD])
    assert known_digests(cache, "shop", ["aa", "bb"]) == {"aa"}
    assert told_by(cache, "shop", "wise", ["aa", "bb"]) == {"aa": TOLD}
    assert told_by(cache, "shop", "other", ["aa"]) == {}
