"""LLVM bitstreams: blocks of records whose layout the stream itself declares.

A stream is a four-byte magic and then blocks. A block holds records; a record is a code and numbers, written plainly or by an *abbreviation*, a
layout defined earlier in the block, or for all blocks of its kind in BLOCKINFO. Bits are numbered from the low end of each byte, so the stream is
one little-endian integer, and a piece of it is cut out with ``int.from_bytes``, a shift and a mask. Everywhere here a position is a number of
bits from the start of the file.

Format: LLVM Bitcode File Format, section "Bitstream Format" (https://llvm.org/docs/BitCodeFormat.html).

Input is hostile. All work is bounded by the size of the input: what takes no bits is limited (``MAX_OPERANDS``, arrays of zero-width elements are
refused), what takes bits is checked against the end of its block, nested blocks are stepped over by their length and never entered.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace

Entry = tuple[int, list[int], bytes]
"""A record: its code, its numbers (those of an array last), its blob."""

MAX_OPERANDS = 32
"""Operands of one abbreviation; the widest that compilers write has 16."""
MAX_EMPTY_OPERANDS = 8
"""Literals and numbers of no bits among them; compilers write 3 at most. They make work and take no room, so a short record could grow long."""
_LEAST_RECORD_BITS = 16
"""Of a record on average; those of a store take 18 and more. An abbreviation of literals could make a record of each two bits."""
MAX_WIDTH = 64
MAX_ABBREVIATION_IDS = 32
"""Bits of an abbreviation identifier; compilers use 3."""
_MAX_BLOCKINFO_BITS = 1 << 19
"""64 KiB: it describes a dozen blocks in half a kilobyte, and is kept in memory for the next file."""
MAX_INHERITED = 64
MAX_BLOCKS = 1000
"""At the top level; a unit has 7. Every block pays for the abbreviations that it inherits, so neither may be many."""
TOP_LEVEL_WIDTH = 2
MAGIC_BITS = 32

_END_BLOCK, _ENTER_BLOCK, _DEFINE_ABBREVIATION, _UNABBREVIATED = range(4)
FIRST_ABBREVIATION = 4

_BLOCKINFO = 0
_SET_BLOCK = 1

_CHAR6 = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"


class Malformed(Exception):
    """The data is not what the format says; the message names what is wrong and at which bit."""


class Encoding(enum.IntEnum):
    LITERAL = 0
    """The value stands in the abbreviation and takes no bits (zero here is ours: the stream marks literals by a bit of their own)."""
    FIXED = 1
    VBR = 2
    """Groups of ``width`` bits, the highest of each telling whether another follows; low groups first."""
    ARRAY = 3
    CHAR6 = 4
    BLOB = 5


@dataclass(frozen=True, slots=True)
class Operand:
    encoding: Encoding
    value: int = 0
    """The literal, or the width in bits."""


Abbreviation = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Block:
    identifier: int
    start: int
    """Of what is left to read in it, in bits."""
    end: int
    """Never beyond the end of the data, whatever the block claims."""
    width: int
    """Bits of an abbreviation identifier."""
    abbreviations: tuple[Abbreviation, ...] = ()


# ------------------------------------------------------------------------------------------------------------------ reading


def blocks(data: bytes) -> Iterator[Block]:
    """The top-level blocks, unread, in order. Raises ``Malformed`` when the data ends early or is no stream, after the blocks that could be found."""
    position, end, count = MAGIC_BITS, len(data) * 8, 0
    inherited: list[tuple[int, Abbreviation]] = []
    while position + TOP_LEVEL_WIDTH <= end:
        identifier, after = read_fixed(data, position, TOP_LEVEL_WIDTH)
        if identifier != _ENTER_BLOCK:
            if end - position < 32 and not read_fixed(data, position, end - position)[0]:
                return  # padding to a whole word
            raise Malformed(f"no block at bit {position}")
        block, position = _enter(data, after, end)
        count += 1
        if count > MAX_BLOCKS:
            raise Malformed(f"more than {MAX_BLOCKS} blocks")
        if block.identifier == _BLOCKINFO:
            if block.end - block.start > _MAX_BLOCKINFO_BITS:
                raise Malformed(f"BLOCKINFO of {block.end - block.start} bits")
            inherited = [*inherited, *_block_info(data[block.start >> 3 : block.end >> 3], block.width)][:MAX_INHERITED]
        else:
            yield replace(block, abbreviations=tuple(abbreviation for kind, abbreviation in inherited if kind == block.identifier))
        if position > end:
            raise Malformed(f"block {block.identifier} is cut off at bit {end}")


def open_block(data: bytes, block: Block) -> Block:
    """The block after the abbreviations that it defines first, with these added. Raises ``Malformed``."""
    position, abbreviations = block.start, list(block.abbreviations)
    while True:
        identifier, after = read_fixed(data, position, block.width)
        if identifier != _DEFINE_ABBREVIATION or after > block.end:
            return replace(block, start=position, abbreviations=tuple(abbreviations))
        abbreviation, position = _define(data, after, block.end)
        abbreviations.append(abbreviation)


def entries(data: bytes, block: Block) -> Iterator[Entry]:
    """The records of a block. Raises ``Malformed`` where the block stops making sense, after the records before that place."""
    position, end, width = block.start, block.end, block.width
    layouts = [layout_of(abbreviation) for abbreviation in block.abbreviations]
    left = (end - position) // _LEAST_RECORD_BITS + 1
    while True:
        identifier, after = read_fixed(data, position, width)
        if after > end:
            raise Malformed(f"block {block.identifier} has no end at bit {end}")
        if identifier == _END_BLOCK:
            return
        if identifier == _ENTER_BLOCK:
            _, position = _enter(data, after, end)
        elif identifier == _DEFINE_ABBREVIATION:
            abbreviation, position = _define(data, after, end)
            layouts.append(layout_of(abbreviation))
        elif identifier == _UNABBREVIATED:
            entry, position = _unabbreviated(data, after, end)
            yield entry
        elif identifier - FIRST_ABBREVIATION < len(layouts):
            left -= 1
            if not left:
                raise Malformed(f"more records than could be meant in block {block.identifier}")
            entry, position = layouts[identifier - FIRST_ABBREVIATION].read(data, after, end)
            yield entry
        else:
            raise Malformed(f"undefined abbreviation {identifier} at bit {position}")


def read_fixed(data: bytes, position: int, width: int) -> tuple[int, int]:
    """A number of ``width`` bits and the position after it. Bits beyond the end read as zero: the caller compares the position with the end."""
    byte = position >> 3
    window = int.from_bytes(data[byte : byte + (width + 14) // 8], "little") >> (position & 7)
    return window & ((1 << width) - 1), position + width


def read_vbr(data: bytes, position: int, width: int) -> tuple[int, int]:
    """A number in groups of ``width`` bits and the position after it; beyond the end as in ``read_fixed``. Raises ``Malformed`` above 64 bits."""
    more = 1 << (width - 1)
    value = shift = 0
    while True:
        group, position = read_fixed(data, position, width)
        value |= (group & (more - 1)) << shift
        shift += width - 1
        if not group & more:
            break
        if shift > MAX_WIDTH:
            raise Malformed(f"a number longer than {MAX_WIDTH} bits before bit {position}")
    if value >> MAX_WIDTH:
        raise Malformed(f"a number longer than {MAX_WIDTH} bits before bit {position}")
    return value, position


# ------------------------------------------------------------------------------------------------------- what blocks are made of


def _align(position: int) -> int:
    return (position + 31) & ~31


def _enter(data: bytes, position: int, end: int) -> tuple[Block, int]:
    """A block whose ENTER_SUBBLOCK was just read, and where the next thing after it begins, which may lie beyond the end of the data."""
    identifier, position = read_vbr(data, position, 8)
    width, position = read_vbr(data, position, 4)
    length, position = read_fixed(data, _align(position), 32)
    if position > end:
        raise Malformed(f"the head of a block is cut off at bit {end}")
    if not 2 <= width <= MAX_ABBREVIATION_IDS:
        raise Malformed(f"block {identifier} has abbreviation identifiers of {width} bits")
    after = position + length * 32
    return Block(identifier, position, min(after, end), width), after


def _define(data: bytes, position: int, end: int) -> tuple[Abbreviation, int]:
    count, position = read_vbr(data, position, 5)
    if not 1 <= count <= MAX_OPERANDS:
        raise Malformed(f"an abbreviation of {count} operands before bit {position}")
    operands: list[Operand] = []
    for _ in range(count):
        literal, position = read_fixed(data, position, 1)
        if literal:
            value, position = read_vbr(data, position, 8)
            operands.append(Operand(Encoding.LITERAL, value))
            continue
        number, position = read_fixed(data, position, 3)
        if not Encoding.FIXED <= number <= Encoding.BLOB:
            raise Malformed(f"unknown encoding {number} before bit {position}")
        encoding, width = Encoding(number), 0
        if encoding in {Encoding.FIXED, Encoding.VBR}:
            width, position = read_vbr(data, position, 5)
            if width > MAX_WIDTH or (encoding is Encoding.VBR and width == 1):  # one bit would tell only that another follows
                raise Malformed(f"an operand of {width} bits before bit {position}")
        operands.append(Operand(encoding, width))
    if position > end:
        raise Malformed(f"an abbreviation is cut off at bit {end}")
    return tuple(operands), position


def _unabbreviated(data: bytes, position: int, end: int) -> tuple[Entry, int]:
    code, position = read_vbr(data, position, 6)
    count, position = read_vbr(data, position, 6)
    fields: list[int] = []
    position = _read_array(data, position, end, Operand(Encoding.VBR, 6), count=count, into=fields)
    if position > end:
        raise Malformed(f"a record is cut off at bit {end}")
    return (code, fields, b""), position


@functools.lru_cache(maxsize=8)  # every file of one compiler has the same, and reading it costs a third of reading a unit
def _block_info(content: bytes, width: int) -> tuple[tuple[int, Abbreviation], ...]:
    """Abbreviations, each with the kind of block that it is for. Other records of BLOCKINFO only name things for people."""
    found: list[tuple[int, Abbreviation]] = []
    position, end, target = 0, len(content) * 8, -1
    while True:
        identifier, after = read_fixed(content, position, width)
        if identifier == _END_BLOCK or after > end:
            return tuple(found)
        if identifier == _DEFINE_ABBREVIATION:
            abbreviation, position = _define(content, after, end)
            found.append((target, abbreviation))
            if len(found) > MAX_INHERITED:
                raise Malformed(f"BLOCKINFO with more than {MAX_INHERITED} abbreviations")
        elif identifier == _UNABBREVIATED:
            (code, fields, _), position = _unabbreviated(content, after, end)
            if code == _SET_BLOCK and fields:
                target = fields[0]
        else:
            raise Malformed(f"unexpected abbreviation {identifier} in BLOCKINFO at bit {position}")


_LENGTH = (6, 31, 32, 0)
"""Of an array or blob, as a number of ``Layout``: the format fixes groups of 6 bits."""


@dataclass(frozen=True, slots=True)
class Layout:
    """An abbreviation made ready for reading. All scalars are cut from one window, because making a window costs more than shifting it."""

    scalars: tuple[tuple[int, int, int, int], ...]
    """Per number: bits of a group, mask of its payload, its continuation bit (0 where fixed), literal value. The length of an array or blob is
    the last."""
    window: int
    """Bytes that hold the longest form of all scalars, wherever in a byte they begin."""
    array: Operand | None
    blob: bool

    def read(self, data: bytes, position: int, end: int) -> tuple[Entry, int]:
        byte, offset = position >> 3, position & 7
        window = int.from_bytes(data[byte : byte + self.window], "little") >> offset
        fields: list[int] = []
        for width, mask, more, literal in self.scalars:
            group = window & (mask | more)
            window >>= width
            position += width
            if group & more:
                value, shift = group & mask, width - 1
                while group & more:
                    if shift > MAX_WIDTH:
                        raise Malformed(f"a number longer than {MAX_WIDTH} bits before bit {position}")
                    group = window & (mask | more)
                    window >>= width
                    position += width
                    value |= (group & mask) << shift
                    shift += width - 1
                if value >> MAX_WIDTH:
                    raise Malformed(f"a number longer than {MAX_WIDTH} bits before bit {position}")
                fields.append(value)
            else:
                fields.append(group | literal)
        blob = b""
        if self.array is not None:
            position = _read_array(data, position, end, self.array, count=fields.pop(), into=fields)
        elif self.blob:
            length, position = fields.pop(), _align(position)
            if position + length * 8 > end:
                raise Malformed(f"a blob of {length} bytes is cut off at bit {end}")
            blob, position = data[position >> 3 : (position >> 3) + length], _align(position + length * 8)
        if position > end:
            raise Malformed(f"a record is cut off at bit {end}")
        return (fields[0], fields[1:], blob), position


def layout_of(abbreviation: Abbreviation) -> Layout:
    """Raises ``Malformed`` for an abbreviation that no record can follow."""
    scalars: list[tuple[int, int, int, int]] = []
    longest = 7  # the window may begin within a byte
    array: Operand | None = None
    blob = False
    operands = list(abbreviation)
    if len(operands) >= 2 and operands[-2].encoding is Encoding.ARRAY:
        array = operands[-1]
        operands = operands[:-2]
        if array.encoding not in {Encoding.FIXED, Encoding.VBR, Encoding.CHAR6} or (array.encoding is not Encoding.CHAR6 and not array.value):
            raise Malformed("an array whose elements take no bits")
    elif operands[-1].encoding is Encoding.BLOB:
        blob = True
        operands = operands[:-1]
    for operand in operands:
        width = 6 if operand.encoding is Encoding.CHAR6 else operand.value
        if operand.encoding is Encoding.LITERAL:
            scalars.append((0, 0, 0, operand.value))
        elif operand.encoding is Encoding.VBR and width:
            scalars.append((width, (1 << (width - 1)) - 1, 1 << (width - 1), 0))
            longest += width * (MAX_WIDTH // (width - 1) + 2)
        elif operand.encoding in {Encoding.FIXED, Encoding.VBR, Encoding.CHAR6}:
            scalars.append((width, (1 << width) - 1, 0, 0))
            longest += width
        else:
            raise Malformed("an array or blob that is not the last operand")
    if not scalars:
        raise Malformed("an abbreviation without a record code")
    if sum(not width for width, *_ in scalars) > MAX_EMPTY_OPERANDS:
        raise Malformed(f"an abbreviation of more than {MAX_EMPTY_OPERANDS} empty operands")
    if array is not None or blob:
        scalars.append(_LENGTH)
        longest += 6 * (MAX_WIDTH // 5 + 2)
    return Layout(tuple(scalars), (longest + 7) // 8, array, blob)


def _read_array(data: bytes, position: int, end: int, element: Operand, *, count: int, into: list[int]) -> int:
    width = 6 if element.encoding is Encoding.CHAR6 else element.value
    if position + count * width > end:
        raise Malformed(f"an array of {count} elements is cut off at bit {end}")
    more = 1 << (width - 1) if element.encoding is Encoding.VBR else 0
    mask = (1 << width) - 1 - more
    window = left = 0
    for _ in range(count):
        value = shift = 0
        while True:
            if left < width:
                byte, offset = position >> 3, position & 7
                window, left = int.from_bytes(data[byte : byte + _ARRAY_WINDOW], "little") >> offset, _ARRAY_WINDOW * 8 - offset
            group = window & (mask | more)
            window >>= width
            left -= width
            position += width
            value |= (group & mask) << shift
            if not group & more:
                break
            shift += width - 1
            if shift > MAX_WIDTH:
                raise Malformed(f"a number longer than {MAX_WIDTH} bits before bit {position}")
        if value >> MAX_WIDTH:
            raise Malformed(f"a number longer than {MAX_WIDTH} bits before bit {position}")
        into.append(_CHAR6[value] if element.encoding is Encoding.CHAR6 else value)
    return position


_ARRAY_WINDOW = 32
"""Bytes of an array that are cut out at once: enough for the relations of most occurrences, and still quick to shift."""
