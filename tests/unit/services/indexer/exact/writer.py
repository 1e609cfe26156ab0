"""Writing bitstreams, records and units, for tests: what compilers write, and what they do not write yet."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from services.indexer.exact.bitstream import Abbreviation, Encoding, Operand
from services.indexer.exact.occurrences import Occurrence
from services.indexer.exact.records import RecordSymbol
from services.indexer.exact.units import Unit

END_BLOCK, ENTER_BLOCK, DEFINE, UNABBREVIATED = range(4)
Body = Callable[["Bits"], None]


def literal(value: int) -> Operand:
    return Operand(Encoding.LITERAL, value)


def fixed(width: int) -> Operand:
    return Operand(Encoding.FIXED, width)


def vbr(width: int) -> Operand:
    return Operand(Encoding.VBR, width)


ARRAY = Operand(Encoding.ARRAY)
BLOB = Operand(Encoding.BLOB)

# What compilers write today.
SYMBOL = (literal(1), vbr(5), vbr(5), vbr(5), vbr(9), fixed(21), fixed(21), vbr(6), vbr(6), BLOB)
OCCURRENCE = (literal(3), vbr(8), fixed(21), vbr(12), vbr(8), vbr(4), ARRAY, vbr(16))
OFFSETS = (literal(2), fixed(32), BLOB)
_PIECE = (vbr(10), vbr(8))
INFO = (
    literal(1),
    fixed(1),
    *_PIECE,
    *_PIECE,
    *_PIECE,
    vbr(10),
    fixed(1),
    fixed(1),
    vbr(5),
    vbr(5),
    vbr(5),
    vbr(5),
    BLOB,
)
DEPENDENCY = (literal(2), fixed(2), fixed(1), vbr(10), vbr(8), fixed(0), fixed(0), BLOB)
INCLUDE = (literal(3), vbr(10), vbr(12), vbr(10))
PATH = (literal(4), fixed(2), *_PIECE, vbr(10), vbr(6))
MODULE = (literal(6), vbr(9), vbr(6))


@dataclass(slots=True)
class Bits:
    value: int = 0
    length: int = 0

    def fixed(self, value: int, width: int) -> None:
        self.value |= (value & ((1 << width) - 1)) << self.length
        self.length += width

    def vbr(self, value: int, width: int) -> None:
        more = 1 << (width - 1)
        while value >= more:
            self.fixed((value & (more - 1)) | more, width)
            value >>= width - 1
        self.fixed(value, width)

    def align(self) -> None:
        self.length = (self.length + 31) & ~31

    def block(self, identifier: int, body: Body, *, outer: int = 2, width: int = 3) -> None:
        inner = Bits()
        body(inner)
        inner.fixed(END_BLOCK, width)
        inner.align()
        self.fixed(ENTER_BLOCK, outer)
        self.vbr(identifier, 8)
        self.vbr(width, 4)
        self.align()
        self.fixed(inner.length // 32, 32)
        self.value |= inner.value << self.length
        self.length += inner.length

    def define(self, abbreviation: Abbreviation, *, width: int = 3) -> None:
        self.fixed(DEFINE, width)
        self.vbr(len(abbreviation), 5)
        for operand in abbreviation:
            self.fixed(operand.encoding is Encoding.LITERAL, 1)
            if operand.encoding is Encoding.LITERAL:
                self.vbr(operand.value, 8)
                continue
            self.fixed(operand.encoding, 3)
            if operand.encoding in {Encoding.FIXED, Encoding.VBR}:
                self.vbr(operand.value, 5)

    def unabbreviated(self, code: int, fields: Sequence[int], *, width: int = 3) -> None:
        self.fixed(UNABBREVIATED, width)
        for number in (code, len(fields), *fields):
            self.vbr(number, 6)

    def record(self, number: int, abbreviation: Abbreviation, fields: Sequence[int], blob: bytes = b"", *, width: int = 3) -> None:
        """By abbreviation ``number`` (from 0) of the block; ``fields`` include the code and the elements of an array."""
        self.fixed(4 + number, width)
        rest = list(fields)
        for at, operand in enumerate(abbreviation):
            if operand.encoding is Encoding.ARRAY:
                self.vbr(len(rest), 6)
                for element in rest:
                    self._number(abbreviation[at + 1], element)
                return
            if operand.encoding is Encoding.BLOB:
                self.vbr(len(blob), 6)
                self.align()
                for byte in blob:
                    self.fixed(byte, 8)
                self.align()
                return
            self._number(operand, rest.pop(0))

    def _number(self, operand: Operand, value: int) -> None:
        if operand.encoding is Encoding.FIXED:
            self.fixed(value, operand.value)
        elif operand.encoding is Encoding.VBR and operand.value:
            self.vbr(value, operand.value)

    def to_bytes(self) -> bytes:
        return self.value.to_bytes((self.length + 7) // 8, "little")


def stream(magic: bytes, *blocks: tuple[int, Body]) -> bytes:
    bits = Bits()
    for byte in magic:
        bits.fixed(byte, 8)
    for identifier, body in blocks:
        bits.block(identifier, body)
    return bits.to_bytes()


def compress(plain: bytes, *, marker: bytes = b"R", size: int | None = None) -> bytes:
    return b"CIDX" + marker + (len(plain) if size is None else size).to_bytes(4, "little") + zlib.compress(plain, 1)


def version_block(version: int = 5) -> tuple[int, Body]:
    def body(bits: Bits) -> None:
        bits.define((literal(0), vbr(6)))
        bits.record(0, (literal(0), vbr(6)), [0, version])

    return 8, body


def names_block() -> tuple[int, Body]:
    """BLOCKINFO as compilers write it: names of blocks and records, for people."""

    def body(bits: Bits) -> None:
        bits.unabbreviated(1, [9])
        bits.unabbreviated(2, list(b"REC_DECLS_BLOCK"))

    return 0, body


def strange_block() -> tuple[int, Body]:
    """A block of a kind that no compiler writes yet, with a block in it."""

    def body(bits: Bits) -> None:
        bits.define((literal(99), ARRAY, fixed(7)))
        bits.record(0, (literal(99), ARRAY, fixed(7)), [99, 1, 2, 3])
        bits.block(31, lambda inner: inner.unabbreviated(5, [1 << 40]), outer=3)

    return 30, body


def symbols_block(symbols: Iterable[RecordSymbol]) -> tuple[int, Body]:
    def body(bits: Bits) -> None:
        bits.define(SYMBOL)
        for it in symbols:
            name, usr = it.name.encode(), it.usr.encode()
            numbers = [1, it.kind, it.subkind, it.language, it.properties, it.roles, it.related_roles, len(name), len(usr)]
            bits.record(0, SYMBOL, numbers, name + usr + it.codegen_name.encode())

    return 9, body


def occurrences_block(occurrences: Iterable[Occurrence], abbreviation: Abbreviation | None = OCCURRENCE) -> tuple[int, Body]:
    """Without an abbreviation, every record is written plainly."""

    def body(bits: Bits) -> None:
        if abbreviation is not None:
            bits.define(abbreviation)
        for it in occurrences:
            pairs = [number for relation in it.relations for number in (relation.roles, relation.symbol + 1)]
            fields = [it.symbol + 1, it.roles, it.line, it.column, len(it.relations), *pairs]
            if abbreviation is None:
                bits.unabbreviated(3, fields)
            else:
                bits.record(0, abbreviation, [3, *fields])

    return 11, body


def record_file(symbols: Sequence[RecordSymbol], occurrences: Sequence[Occurrence], *, strange: bool = False, version: int = 5) -> bytes:
    middle = (strange_block(),) if strange else ()
    return stream(b"IDXR", names_block(), version_block(version), *middle, symbols_block(symbols), *middle, occurrences_block(occurrences))


def unit_file(unit: Unit, *, strange: bool = False, version: int = 5) -> bytes:
    """Every path is written whole, as the file name of a path without prefix."""
    text, pieces = bytearray(), {}
    for path in (
        unit.working_directory,
        unit.output,
        unit.sysroot,
        unit.main_file,
        *(it.path for it in unit.dependencies),
        *(path for it in unit.includes for path in (it.source, it.target)),
    ):
        if path not in pieces:
            pieces[path] = (len(text), len(path.encode()))
            text += path.encode()
    numbers = {path: at for at, path in enumerate(pieces, start=1)} | {"": 0}
    modules = list(dict.fromkeys(it.module for it in unit.dependencies if it.module))
    module_numbers = {module: at for at, module in enumerate(modules, start=1)} | {"": 0}

    def information(bits: Bits) -> None:
        bits.define(INFO)
        places = [number for path in (unit.working_directory, unit.output, unit.sysroot) for number in pieces[path]]
        texts = [part.encode() for part in (unit.module, unit.provider, unit.provider_version, unit.target)]
        head = [1, unit.is_system, *places, numbers[unit.main_file], unit.is_debug, unit.is_module]
        bits.record(0, INFO, [*head, *(len(part) for part in texts[:3]), 0], b"".join(texts))

    def dependencies(bits: Bits) -> None:
        bits.define(DEPENDENCY)
        for it in unit.dependencies:
            bits.record(0, DEPENDENCY, [2, it.kind, it.is_system, numbers[it.path], module_numbers[it.module], 0, 0], it.name.encode())

    def includes(bits: Bits) -> None:
        bits.define(INCLUDE)
        for it in unit.includes:
            bits.record(0, INCLUDE, [3, numbers[it.source], it.line, numbers[it.target]])

    def paths(bits: Bits) -> None:
        bits.define(PATH)
        bits.define((literal(5), BLOB))
        for start, size in pieces.values():
            bits.record(0, PATH, [4, 0, 0, 0, start, size])
        bits.record(1, (literal(5), BLOB), [5], bytes(text))

    def module_names(bits: Bits) -> None:
        bits.define(MODULE)
        bits.define((literal(7), BLOB))
        start = 0
        for module in modules:
            bits.record(0, MODULE, [6, start, len(module.encode())])
            start += len(module.encode())
        bits.record(1, (literal(7), BLOB), [7], "".join(modules).encode())

    parts = [(9, information), (10, dependencies), (11, includes), (12, paths), (13, module_names)]
    return stream(b"IDXU", names_block(), version_block(version), *((strange_block(),) if strange else ()), *parts)
