"""Blocks, abbreviations and records of a bitstream."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.indexer.exact import bitstream
from services.indexer.exact.bitstream import Abbreviation, Encoding, Entry, Malformed
from tests.unit.services.indexer.exact.writer import ARRAY, BLOB, Bits, fixed, literal, stream, vbr

NUMBERS = st.integers(0, 2**64 - 1)
SCALARS = st.one_of(NUMBERS.map(literal), st.integers(0, 64).map(fixed), st.integers(2, 64).map(vbr), st.just(vbr(0)))
TRAILERS = st.sampled_from([(), (BLOB,), (ARRAY, vbr(6)), (ARRAY, fixed(5))])


@st.composite
def abbreviated(draw: st.DrawFn) -> tuple[Abbreviation, Entry]:
    """An abbreviation and a record that it can hold."""
    scalars = [literal(draw(st.integers(0, 2**32))), *draw(st.lists(SCALARS, max_size=7))]
    trailer = draw(TRAILERS)
    fields = []
    for operand in scalars:
        width = operand.value if operand.encoding is Encoding.FIXED else 64 if operand.value else 0
        fields.append(operand.value if operand.encoding is Encoding.LITERAL else draw(st.integers(0, 2**width - 1)))
    if trailer[:1] == (ARRAY,):
        fields += draw(st.lists(st.integers(0, 31), max_size=40))
    blob = draw(st.binary(max_size=70)) if trailer == (BLOB,) else b""
    return (*scalars, *trailer), (fields[0], fields[1:], blob)


def read(data: bytes) -> list[Entry]:
    return [entry for block in bitstream.blocks(data) for entry in bitstream.entries(data, block)]


@given(st.lists(abbreviated(), max_size=5), st.integers(6, 12))
def test_what_was_written_is_read(records: list[tuple[Abbreviation, Entry]], width: int) -> None:
    """Every record comes back, whatever abbreviation it was written with and wherever in a byte it begins."""
    bits = Bits()
    bits.fixed(0, 32)

    def body(inner: Bits) -> None:
        for number, (abbreviation, (code, fields, blob)) in enumerate(records):
            inner.define(abbreviation, width=width)
            inner.record(number, abbreviation, [code, *fields], blob, width=width)

    bits.block(9, body, width=width)
    assert read(bits.to_bytes()) == [entry for _, entry in records]


@given(st.integers(0, 2**64 - 1), st.lists(NUMBERS, max_size=20))
def test_plain_records_are_read(code: int, fields: list[int]) -> None:
    """A record without abbreviation comes back with all its numbers."""
    assert read(stream(b"IDXR", (9, lambda bits: bits.unabbreviated(code, fields)))) == [(code, fields, b"")]


def test_abbreviations_of_block_info_come_before_those_of_the_block() -> None:
    """A block inherits the abbreviations that BLOCKINFO defines for its kind, and only these."""
    inherited, own = (literal(1), fixed(7)), (literal(2), vbr(4))

    def info(bits: Bits) -> None:
        bits.unabbreviated(1, [9])
        bits.define(inherited)
        bits.unabbreviated(1, [10])
        bits.define((literal(3), fixed(3)))

    def body(bits: Bits) -> None:
        bits.define(own)
        bits.record(0, inherited, [1, 100])
        bits.record(1, own, [2, 200])

    assert read(stream(b"IDXR", (0, info), (9, body))) == [(1, [100], b""), (2, [200], b"")]


def test_a_nested_block_is_stepped_over() -> None:
    """Records before and after a block within a block are read; those in it are not."""

    def body(bits: Bits) -> None:
        bits.unabbreviated(1, [1])
        bits.block(77, lambda inner: inner.unabbreviated(2, [2]), outer=3)
        bits.unabbreviated(3, [3])

    assert read(stream(b"IDXR", (9, body))) == [(1, [1], b""), (3, [3], b"")]


def test_open_block_reads_the_definitions_at_its_head() -> None:
    """The abbreviations at the head of a block are found, and its records are still there."""
    abbreviation = (literal(1), fixed(9))

    def body(bits: Bits) -> None:
        bits.define(abbreviation)
        bits.record(0, abbreviation, [1, 300])

    data = stream(b"IDXR", (9, body))
    (block,) = bitstream.blocks(data)
    opened = bitstream.open_block(data, block)
    assert opened.abbreviations == (abbreviation,)
    assert list(bitstream.entries(data, opened)) == [(1, [300], b"")]


@pytest.mark.parametrize(
    "abbreviation",
    [
        (literal(1), ARRAY, fixed(0)),
        (literal(1), ARRAY, vbr(0)),
        (literal(1), ARRAY, literal(5)),
        (literal(1), ARRAY, BLOB),
        (literal(1), BLOB, fixed(3)),
        (BLOB,),
        (literal(1), vbr(1)),
        (literal(1), fixed(65)),
        tuple(fixed(1) for _ in range(33)),
        (fixed(3), *[literal(1)] * 9),
    ],
)
def test_layouts_that_could_make_much_of_little_are_refused(abbreviation: Abbreviation) -> None:
    """Elements that take no bits, endless groups and hundreds of literals are malformed, not work."""

    def body(bits: Bits) -> None:
        bits.define(abbreviation)
        bits.fixed(4, 3)
        bits.fixed(2**64 - 1, 64)

    with pytest.raises(Malformed):
        read(stream(b"IDXR", (9, body)))


@pytest.mark.parametrize("operand", [ARRAY, BLOB])
def test_a_length_beyond_the_end_is_refused_before_it_is_believed(operand: bitstream.Operand) -> None:
    """An array or blob that claims more than the block holds raises at once."""
    abbreviation = (literal(1), operand, fixed(8)) if operand is ARRAY else (literal(1), operand)

    def body(bits: Bits) -> None:
        bits.define(abbreviation)
        bits.fixed(4, 3)
        bits.vbr(2**60, 6)

    with pytest.raises(Malformed, match="cut off"):
        read(stream(b"IDXR", (9, body)))


def test_a_stream_of_very_many_blocks_is_refused() -> None:
    """Blocks and inherited abbreviations are counted, for each of the ones costs each of the others."""

    def info(bits: Bits) -> None:
        bits.unabbreviated(1, [9])
        for _ in range(65):
            bits.define((literal(1), vbr(6)))

    with pytest.raises(Malformed, match="abbreviations"):
        read(stream(b"IDXR", (0, info)))
    with pytest.raises(Malformed, match="blocks"):
        read(stream(b"IDXR", *[(9, lambda bits: None)] * 1001))


def test_records_that_take_next_to_nothing_are_refused() -> None:
    """An abbreviation of literals makes a record of every three bits; a block of them ends where they outnumber its bytes."""
    abbreviation = (literal(3), *[literal(1)] * 5)

    def body(bits: Bits) -> None:
        bits.define(abbreviation)
        for _ in range(2000):
            bits.record(0, abbreviation, [3, *[1] * 5])

    data = stream(b"IDXR", (9, body))
    assert len(read_until_broken(data)) <= len(data)


def test_a_stream_that_ends_early_gives_what_came_before() -> None:
    """Records that are wholly there are read before the error is raised."""
    data = stream(b"IDXR", (9, lambda bits: [bits.unabbreviated(number, [number] * 9) for number in range(9)] and None))
    found = read_until_broken(data[: len(data) // 2])
    assert [entry[0] for entry in found] == list(range(len(found)))
    assert all(fields == [code] * 9 for code, fields, _ in found)
    assert 2 <= len(found) <= 5


def read_until_broken(data: bytes) -> list[Entry]:
    found: list[Entry] = []
    with contextlib.suppress(Malformed):
        for block in bitstream.blocks(data):
            for entry in bitstream.entries(data, block):
                found.append(entry)  # noqa: PERF402 - those before the error count
        pytest.fail("nothing was missed")
    return found


@given(st.binary(max_size=400))
def test_noise_is_malformed_and_nothing_else(noise: bytes) -> None:
    """Random bytes raise ``Malformed`` or read as something; no other error comes out."""
    for start in (b"", stream(b"IDXR", (9, lambda bits: bits.define((literal(1), vbr(6), ARRAY, fixed(2)))))[:16]):
        with contextlib.suppress(Malformed):
            read(b"IDXR" + start + noise)
