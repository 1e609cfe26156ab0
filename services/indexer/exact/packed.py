"""A record as bytes for the cache: columns as they are in memory, texts as JSON. Unpacking is many times faster than reading."""

from __future__ import annotations

import json
import struct
import sys
import zlib
from array import array
from collections.abc import Sequence

from services.indexer.exact.bitstream import Malformed
from services.indexer.exact.occurrences import Columns
from services.indexer.exact.records import Record, RecordSymbol

VERSION = 2
"""Raised whenever the same record file yields another record, or a record other bytes."""

_HEAD = struct.Struct("<BIII")
_TYPES = "iQIIIQi"
"""Of the columns, in their order."""
_NUMBERS = 6
"""Of a symbol: kind, subkind, language, properties, roles, related roles."""


def pack(record: Record) -> bytes:
    """Problems are not kept: a record that has some is read again."""
    columns = record.columns
    numbers = array("Q")
    for symbol in record.symbols:
        numbers.extend((symbol.kind, symbol.subkind, symbol.language, symbol.properties, symbol.roles, symbol.related_roles))
    parts = [_HEAD.pack(VERSION, len(record.symbols), len(columns), len(columns.relation_roles)), _little(numbers)]
    parts += [_little(array(kind, values)) for kind, values in zip(_TYPES, _fields(columns), strict=True)]
    parts.append(json.dumps([text for symbol in record.symbols for text in (symbol.usr, symbol.name, symbol.codegen_name)]).encode())
    return zlib.compress(b"".join(parts), 1)


def unpack(name: str, packed: bytes) -> Record:
    """Raises ``Malformed`` for bytes that are not a packed record of this version."""
    try:
        raw = zlib.decompress(packed)
        version, symbols, occurrences, relations = _HEAD.unpack_from(raw)
        if version != VERSION:
            raise Malformed(f"packed by version {version}")
        position = _HEAD.size
        numbers, position = _cut(raw, position, "Q", symbols * _NUMBERS)
        columns: list[array[int]] = []
        for kind, count in zip(_TYPES, [occurrences] * 5 + [relations] * 2, strict=True):
            column, position = _cut(raw, position, kind, count)
            columns.append(column)
        texts = json.loads(raw[position:])
        each = (numbers[at::_NUMBERS] for at in range(_NUMBERS))
        found = tuple(map(RecordSymbol, texts[0::3], texts[1::3], *each, texts[2::3]))
        if len(texts) != 3 * symbols:
            raise Malformed(f"{len(texts)} texts for {symbols} symbols")
    except (zlib.error, struct.error, ValueError) as error:
        raise Malformed(f"not a packed record: {error}") from None
    return Record(name, found, Columns(*columns))


def _fields(columns: Columns) -> tuple[Sequence[int], ...]:
    return (
        columns.symbol,
        columns.roles,
        columns.line,
        columns.column,
        columns.relations_end,
        columns.relation_roles,
        columns.relation_symbol,
    )


def _little(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def _cut(raw: bytes, position: int, kind: str, count: int) -> tuple[array[int], int]:
    values = array(kind)
    end = position + count * values.itemsize
    if end > len(raw):
        raise Malformed("a packed record is cut off")
    values.frombytes(raw[position:end])
    if sys.byteorder == "big":
        values.byteswap()
    return values, end
