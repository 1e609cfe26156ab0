"""Record files, as compilers write them, as they may write them some day, and broken."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.indexer.exact.bitstream import Abbreviation
from services.indexer.exact.occurrences import Occurrence, Relation
from services.indexer.exact.records import MAGIC, Record, RecordSymbol, read_record
from tests.unit.services.indexer.exact.sample import STORE
from tests.unit.services.indexer.exact.writer import (
    ARRAY,
    OCCURRENCE,
    compress,
    fixed,
    literal,
    names_block,
    occurrences_block,
    record_file,
    strange_block,
    stream,
    symbols_block,
    vbr,
    version_block,
)

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
ROLES = st.integers(0, 2**21 - 1)
SYMBOLS = st.builds(
    RecordSymbol, TEXT, TEXT, st.integers(0, 1100), st.integers(0, 1100), st.integers(0, 200), st.integers(0, 2**20), ROLES, ROLES, TEXT
)


@dataclass(frozen=True, slots=True)
class Written:
    """What a record file holds."""

    symbols: tuple[RecordSymbol, ...] = field(repr=False)
    occurrences: tuple[Occurrence, ...]


@st.composite
def contents(draw: st.DrawFn) -> Written:
    """Symbols and occurrences with numbers on both sides of the limits at which they need another group of bits."""
    symbols = tuple(draw(st.lists(SYMBOLS, min_size=1, max_size=3))) * draw(st.sampled_from([1, 1, 60, 150]))
    number = st.one_of(st.integers(0, len(symbols) - 1), st.just(len(symbols) - 1))
    relations = st.lists(st.builds(Relation, ROLES, number), max_size=5).map(tuple)
    places = st.one_of(st.integers(0, 130), st.integers(2040, 2060), st.integers(0, 2**32 - 1))
    occurrences = draw(st.lists(st.builds(Occurrence, number, ROLES, places, places, relations), min_size=1, max_size=12))
    return Written(symbols, tuple(occurrences))


def read(content: bytes) -> Record:
    return read_record("it", content)


@given(contents())
@settings(max_examples=60, deadline=None)
def test_what_was_written_is_read(written: Written) -> None:
    """Symbols, occurrences and relations come back, plain, compressed, and between blocks of an unknown kind."""
    plain = record_file(written.symbols, written.occurrences)
    for content in (plain, compress(plain), record_file(written.symbols, written.occurrences, strange=True)):
        record = read(content)
        assert record.problems == ()
        assert Written(record.symbols, tuple(record.occurrences())) == written


@pytest.mark.parametrize(
    "abbreviation",
    [
        None,
        (literal(3), vbr(5), fixed(32), vbr(3), vbr(4), vbr(2), ARRAY, vbr(7)),
        (literal(3), fixed(32), fixed(21), fixed(32), fixed(32), fixed(8), ARRAY, fixed(32)),
        (literal(3), vbr(8), fixed(21), vbr(12), vbr(8), vbr(4), ARRAY, vbr(60)),
    ],
    ids=["plain", "other widths", "other encodings", "too wide for a window"],
)
@given(written=contents())
@settings(max_examples=30, deadline=None)
def test_the_layout_is_that_of_the_stream(abbreviation: Abbreviation | None, written: Written) -> None:
    """Occurrences that are laid out otherwise than today's compilers do read the same."""
    content = stream(b"IDXR", version_block(), symbols_block(written.symbols), occurrences_block(written.occurrences, abbreviation))
    record = read(content)
    assert record.problems == ()
    assert tuple(record.occurrences()) == written.occurrences


def symbol(name: str) -> RecordSymbol:
    return RecordSymbol(f"s:{name}", name, 12, 0, 100, 0, 2, 0)


SOME = (
    tuple(symbol(name) for name in ("first", "second", "third")),
    tuple(Occurrence(number % 3, 0x24, number + 1, 5, (Relation(0x12000, (number + 1) % 3),)) for number in range(40)),
)


@pytest.mark.parametrize("pack", [lambda content: content, compress], ids=["plain", "compressed"])
def test_a_file_that_is_cut_off_gives_what_is_there(pack: object) -> None:
    """At whatever byte it ends, what is read is the beginning of the truth, and the loss is said."""
    assert callable(pack)
    whole = pack(record_file(*SOME))
    most = 0
    for length in range(len(whole)):
        record = read(whole[:length])
        occurrences = tuple(record.occurrences())
        assert record.symbols == SOME[0][: len(record.symbols)]
        assert occurrences == SOME[1][: len(occurrences)]
        assert record.problems or (record.symbols, occurrences) in {SOME, ((), ())}  # a file without symbols is one without names
        most = max(most, len(occurrences))
    assert most >= 30


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_broken_file_never_raises(data: st.DataObject) -> None:
    """Whatever bytes of a real record are changed, reading ends with a record whose numbers point to what it holds."""
    files = sorted((STORE / "v5" / "records").glob("*/*"))
    content = bytearray(data.draw(st.sampled_from(files)).read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    record = read(bytes(content))
    for occurrence in record.occurrences():
        assert 0 <= occurrence.symbol < len(record.symbols)
        assert all(0 <= relation.symbol < len(record.symbols) for relation in occurrence.relations)


def test_occurrences_of_symbols_that_are_not_there_are_left_out() -> None:
    """A number beyond the symbols costs the occurrence that has it, and is a problem."""
    good, bad = Occurrence(0, 2, 1, 1, ()), Occurrence(7, 2, 2, 1, ())
    related = Occurrence(0, 4, 3, 1, (Relation(512, 9),))
    record = read(record_file(SOME[0], [good, bad, related, good]))
    assert list(record.occurrences()) == [good, good]
    assert record.problems == ("2 occurrences of symbols that cannot be read",)


def test_a_newer_version_is_not_guessed_at() -> None:
    """A file of another format version gives nothing, and says so."""
    record = read(record_file(*SOME, version=6))
    assert (record.symbols, len(record.columns)) == ((), 0)
    assert record.problems == ("format version 6, not 5",)


def test_a_broken_block_of_symbols_does_not_hide_the_occurrences_of_the_others() -> None:
    """When the last symbol cannot be read, occurrences of the first two are still there."""
    content = bytearray(record_file(*SOME))
    at = content.index(b"thirds:third")
    content[at - 4 : at] = b"\xff\xff\xff\xff"  # its length
    record = read(bytes(content))
    assert record.symbols == SOME[0][:2]
    assert {occurrence.symbol for occurrence in record.occurrences()} == {0}
    assert len(record.problems) == 2


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "begins with"),
        (b"IDXU" + record_file(*SOME)[4:], "begins with"),
        (b"CIDXR\xff\xff\xff\xff" + b"x" * 40, "larger than 16 MiB"),
        (b"CIDXR\x10\x00\x00\x00" + b"x" * 40, "begins with"),
        (compress(record_file(*SOME), size=1 << 20), "compressed data ends at byte"),
    ],
)
def test_what_is_no_record_is_a_problem(content: bytes, problem: str) -> None:
    """Files of another kind, sizes that are not meant and noise are named, not raised."""
    assert any(problem in text for text in read(content).problems)


def test_a_bomb_costs_no_more_than_it_declares() -> None:
    """A small file that decompresses to far more than it says is read to the size that it says."""
    started = time.perf_counter()
    record = read(compress(MAGIC + bytes(15 << 20), size=1000))
    assert record.problems
    assert time.perf_counter() - started < 2


def test_blocks_may_stand_in_any_order_and_more_than_once() -> None:
    """Symbols in two blocks, the second after the occurrences, count on."""
    symbols, occurrences = SOME
    content = stream(
        b"IDXR",
        version_block(),
        strange_block(),
        symbols_block(symbols[:2]),
        occurrences_block(occurrences, OCCURRENCE),
        names_block(),
        symbols_block(symbols[2:]),
    )
    assert (read(content).symbols, tuple(read(content).occurrences())) == SOME
