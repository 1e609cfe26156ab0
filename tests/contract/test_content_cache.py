"""What every content cache promises."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from exegesis.adapters.postgres_cache import PostgresCache
from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.ports import ContentCache


class SetClock:
    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@dataclass
class Installation:
    """A cache, and the means to let its entries age."""

    cache: ContentCache
    elapse: Callable[[float], None]


@pytest.fixture(params=["sqlite", "postgres"])
def installation(request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock) -> Iterator[Installation]:
    if request.param == "sqlite":

        def elapse(seconds: float) -> None:
            clock.time += seconds

        made = Installation(SqliteCache(tmp_path / "cache.db", clock), elapse)
    else:
        address = request.getfixturevalue("postgres").fresh_schema()

        def elapse(seconds: float) -> None:
            """The server's clock cannot be set; what was used is made to have been used that much earlier."""
            with psycopg.connect(address) as connection:
                connection.execute("UPDATE cache_entry SET used = used - make_interval(secs => %s)", (seconds,))

        made = Installation(PostgresCache(address), elapse)
    yield made
    made.cache.close()


@pytest.fixture
def cache(installation: Installation) -> ContentCache:
    return installation.cache


def test_what_is_put_is_got(cache: ContentCache) -> None:
    """Known keys come back with their bytes, unknown ones are missing."""
    cache.put("s", {b"one": b"1", b"\x00": b"", b"big": b"x" * 300_000})
    assert cache.get("s", [b"one", b"\x00", b"big", b"none"]) == {b"one": b"1", b"\x00": b"", b"big": b"x" * 300_000}


def test_the_last_value_of_a_key_counts(cache: ContentCache) -> None:
    """Putting a key again replaces its value."""
    cache.put("s", {b"one": b"1"})
    cache.put("s", {b"one": b"2"})
    assert cache.get("s", [b"one"]) == {b"one": b"2"}


def test_spaces_are_apart(cache: ContentCache) -> None:
    """A key of one space says nothing about another."""
    cache.put("s", {b"one": b"1"})
    assert cache.get("t", [b"one"]) == {}


def test_thousands_of_keys_at_once(cache: ContentCache) -> None:
    """There is no limit on the number of keys of a call, and repeated ones do no harm."""
    entries = {str(number).encode(): b"v" for number in range(3_000)}
    cache.put("s", entries)
    assert cache.get("s", [*entries, *entries]) == entries
    assert cache.get("s", []) == {}


def test_trimming_drops_what_was_not_used_for_longest(installation: Installation) -> None:
    """Reading counts as use; other spaces are left alone."""
    cache = installation.cache
    for number in range(4):
        installation.elapse(10_000.0)
        cache.put("s", {bytes([number]): b"x" * 10})
    cache.put("t", {b"other": b"x" * 10})
    installation.elapse(20_000.0)
    cache.get("s", [b"\x00"])
    cache.trim("s", keep_bytes=25)
    assert set(cache.get("s", [bytes([number]) for number in range(4)])) == {b"\x00", b"\x03"}
    assert cache.get("t", [b"other"])


def test_trimming_to_nothing_removes_the_bytes_from_disk(tmp_path: Path, clock: SetClock) -> None:
    """What is removed on purpose is not left lying in free pages of the file."""
    cache = SqliteCache(tmp_path / "cache.db", clock)
    cache.put("s", {b"k": b"the secret of the removed repository" * 10_000})
    cache.trim("s", keep_bytes=0)
    cache.close()
    assert (tmp_path / "cache.db").stat().st_size < 100_000
    assert not any(b"removed repository" in file.read_bytes() for file in tmp_path.iterdir())


def test_processes_share_a_cache(tmp_path: Path, clock: SetClock) -> None:
    """Three processes that write and read at the same time all succeed."""
    program = f"""
import sys
from pathlib import Path
from exegesis.adapters.sqlite_cache import SqliteCache
cache = SqliteCache(Path({str(tmp_path / "cache.db")!r}))
for number in range(60):
    cache.put("s", {{f"{{sys.argv[1]}}/{{number}}".encode(): b"x" * 2_000}})
    assert cache.get("s", [f"{{sys.argv[1]}}/{{number}}".encode()])
"""
    writers = [subprocess.Popen([sys.executable, "-c", program, str(number)]) for number in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    cache = SqliteCache(tmp_path / "cache.db", clock)
    assert len(cache.get("s", [f"{writer}/{number}".encode() for writer in range(3) for number in range(60)])) == 180
    cache.close()


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 500])
def test_a_damaged_file_is_an_empty_cache(damage: bytes, tmp_path: Path) -> None:
    """Losing the cache costs time and never an answer, whether the damage was there before or comes while it is open."""
    path = tmp_path / "cache.db"
    path.write_bytes(damage)
    cache = SqliteCache(path)
    cache.put("s", {b"one": b"1"})
    assert cache.get("s", [b"one"]) == {b"one": b"1"}
    for file in tmp_path.iterdir():
        file.write_bytes(damage or b"\xff" * 8192)
    cache.get("s", [b"one"])
    cache.put("s", {b"two": b"2"})
    assert cache.get("s", [b"two"]) == {b"two": b"2"}
    cache.close()
