"""Occurrences: the places in a source file where its symbols are named, each with what it does there and what it is related to.

They are the bulk of a store (one or two for each line of source, each with about one relation), so they are kept as columns, and read in the one
layout that all compilers write by code made for it; any other layout is read the general way, with the same result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from services.indexer.exact import bitstream
from services.indexer.exact.bitstream import Abbreviation, Block, Encoding, Malformed

_OCCURRENCE = 3
"""Code of a record."""
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Relation:
    roles: int
    symbol: int
    """Index into the symbols of the record."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    symbol: int
    """Index into the symbols of the record."""
    roles: int
    line: int
    column: int
    """Both 1-based; columns count UTF-8 bytes."""
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Occurrences in the order of the file, one list per field. All of one length, except the two of the relations."""

    symbol: list[int] = field(default_factory=list)
    roles: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    relations_end: list[int] = field(default_factory=list)
    """The relations of occurrence ``i`` are ``relations_end[i - 1] : relations_end[i]``, from 0 for the first."""
    relation_roles: list[int] = field(default_factory=list)
    relation_symbol: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.symbol)

    def relations(self, index: int) -> Iterator[tuple[int, int]]:
        """Roles and symbol of each relation of an occurrence."""
        start = self.relations_end[index - 1] if index else 0
        for at in range(start, self.relations_end[index]):
            yield self.relation_roles[at], self.relation_symbol[at]

    def append(self, symbol: int, roles: int, line: int, column: int, pairs: Sequence[int]) -> None:
        """For readers only. Symbols count from one, as in the file; ``pairs`` are roles and symbol of each relation in turn."""
        self.symbol.append(symbol - 1)
        self.roles.append(roles)
        self.line.append(line)
        self.column.append(column)
        if pairs:
            self.relation_roles.extend(pairs[::2])
            self.relation_symbol.extend([number - 1 for number in pairs[1::2]])
        self.relations_end.append(len(self.relation_roles))


_MAX_SYMBOL = (1 << 31) - 1
_MAX_PLACE = (1 << 32) - 1
"""Lines and columns are 32 bits wide in every compiler."""


def read_occurrences(data: bytes, block: Block, columns: Columns) -> None:
    """Add the occurrences of a block. Raises ``Malformed`` where it stops making sense, with all before that place added."""
    block = bitstream.open_block(data, block)
    for number, abbreviation in enumerate(block.abbreviations):
        widths = _usual_widths(abbreviation, block.width)
        if widths:
            block = replace(block, start=_scan(data, block, number, widths, columns))
            break
    for code, fields, _ in bitstream.entries(data, block):
        if code == _OCCURRENCE:
            _add(fields, columns)


def keep_known(columns: Columns, symbols: int) -> Columns:
    """The occurrences that name only the first ``symbols`` symbols, in themselves and in their relations: what a broken file leaves of itself."""
    named = (columns.symbol, columns.relation_symbol)
    if all(not numbers or (min(numbers) >= 0 and max(numbers) < symbols) for numbers in named):
        return columns
    if not symbols:
        return Columns()
    return _leave_out(
        columns,
        [
            index
            for index, symbol in enumerate(columns.symbol)
            if not all(0 <= number < symbols for number in (symbol, *(related for _, related in columns.relations(index))))
        ],
    )


def drop_places(columns: Columns, places: Collection[tuple[int, int]]) -> Columns:
    """The occurrences that are at none of the places, each a line and a column."""
    return _leave_out(columns, [index for index, place in enumerate(zip(columns.line, columns.column, strict=True)) if place in places])


def _leave_out(columns: Columns, dropped: Sequence[int]) -> Columns:
    """The occurrences but those whose indices are given in order. They are few, so what lies between them is copied whole."""
    kept = Columns()
    for start, end in zip((0, *(index + 1 for index in dropped)), (*dropped, len(columns)), strict=True):
        kept.symbol.extend(columns.symbol[start:end])
        kept.roles.extend(columns.roles[start:end])
        kept.line.extend(columns.line[start:end])
        kept.column.extend(columns.column[start:end])
        if start < end:
            first = columns.relations_end[start - 1] if start else 0
            last, moved = columns.relations_end[end - 1], first - len(kept.relation_roles)
            kept.relations_end.extend([each - moved for each in columns.relations_end[start:end]])
            kept.relation_roles.extend(columns.relation_roles[first:last])
            kept.relation_symbol.extend(columns.relation_symbol[first:last])
    return kept


def _add(fields: Sequence[int], columns: Columns) -> None:
    """Raises ``Malformed`` for fields that no occurrence has."""
    if len(fields) < _FIELDS or len(fields) < _FIELDS + 2 * fields[4]:
        raise Malformed(f"an occurrence of {len(fields)} fields")
    symbol, roles, line, column, related = fields[:_FIELDS]
    pairs = fields[_FIELDS : _FIELDS + 2 * related]
    if max(symbol, *pairs[1::2]) > _MAX_SYMBOL if pairs else symbol > _MAX_SYMBOL:
        raise Malformed("an occurrence of a symbol that no file has")
    if max(line, column) > _MAX_PLACE:
        raise Malformed("an occurrence at a place that no file has")
    columns.append(symbol, roles, line, column, pairs)


_USUAL_SHAPE = (Encoding.LITERAL, Encoding.VBR, Encoding.FIXED, Encoding.VBR, Encoding.VBR, Encoding.VBR, Encoding.ARRAY, Encoding.VBR)
_WINDOW_BYTES = 32
"""Holds an occurrence with two relations, which today takes 198 bits at most when its numbers are of the usual size."""
_WINDOW_BITS = _WINDOW_BYTES * 8 - 7
_USUAL_RELATIONS = 2
_MAX_GROUP = 16
"""Bits of a group of a symbol's number: two groups then stay within the 31 bits of a column."""
_LENGTH_WIDTH = 6
"""Of the length of an array: fixed by the format."""


def _usual_widths(abbreviation: Abbreviation, id_width: int) -> tuple[int, ...]:
    """Widths of symbol, roles, line, column, number of relations and array element, if the layout is one that ``_scan`` reads; else empty."""
    if tuple(operand.encoding for operand in abbreviation) != _USUAL_SHAPE or abbreviation[0].value != _OCCURRENCE:
        return ()
    widths = tuple(operand.value for operand in abbreviation[1:] if operand.encoding is not Encoding.ARRAY)
    symbol, element = widths[0], widths[5]
    longest = id_width + symbol + sum(widths[:5]) + _LENGTH_WIDTH + 4 * _USUAL_RELATIONS * element
    is_usual = min(widths) >= 2 and max(widths) <= 32 and max(symbol, element) <= _MAX_GROUP and longest <= _WINDOW_BITS
    return widths if is_usual else ()


def _scan(data: bytes, block: Block, number: int, widths: tuple[int, ...], columns: Columns) -> int:
    """Read the occurrences written by abbreviation ``number`` of the block up to the first thing that is not one, or is near the end: its position.

    Nearly every number of an occurrence fits one group, the symbol and the roles of a relation two. So the fields are cut out at the places where
    they then lie, after one test of all continuation bits together, and an occurrence that fails it (one in twelve) is read the general way.
    This is twice as fast.
    """
    symbol_width, roles_width, line_width, column_width, count_width, element_width = widths
    line_at = roles_width
    column_at = line_at + line_width
    count_at = column_at + column_width
    length_at = count_at + count_width
    head_width = length_at + _LENGTH_WIDTH
    head_more = 1 << (column_at - 1) | 1 << (count_at - 1) | 1 << (length_at - 1) | 1 << (head_width - 1)
    roles_mask, line_mask, column_mask = (1 << roles_width) - 1, (1 << line_width) - 1, (1 << column_width) - 1
    count_mask, length_mask = (1 << count_width) - 1, (1 << _LENGTH_WIDTH) - 1
    symbol_more, element_more = 1 << (symbol_width - 1), 1 << (element_width - 1)
    symbol_mask, element_mask = symbol_more - 1, element_more - 1
    symbol_shift, element_shift = symbol_width - 1, element_width - 1

    identifier, id_width, id_mask = bitstream.FIRST_ABBREVIATION + number, block.width, (1 << block.width) - 1
    layout = bitstream.layout_of(block.abbreviations[number])
    position, limit = block.start, block.end - _WINDOW_BYTES * 8
    from_bytes = int.from_bytes
    add_symbol, add_roles, add_line, add_column = columns.symbol.append, columns.roles.append, columns.line.append, columns.column.append
    add_end, relation_roles, relation_symbol = columns.relations_end.append, columns.relation_roles, columns.relation_symbol
    while position <= limit:
        byte = position >> 3
        window = from_bytes(data[byte : byte + _WINDOW_BYTES], "little") >> (position & 7)
        if window & id_mask != identifier:
            break
        position += id_width
        start = position
        window >>= id_width
        symbol = window & symbol_mask
        if window & symbol_more:
            window >>= symbol_width
            symbol |= (window & symbol_mask) << symbol_shift
            position += symbol_width
        unusual = window & symbol_more
        window >>= symbol_width
        count = window >> count_at & count_mask
        if unusual or window & head_more or count > _USUAL_RELATIONS or window >> length_at & length_mask != 2 * count:
            (_, fields, _), position = layout.read(data, start, block.end)
            _add(fields, columns)
            continue
        roles, line, column = window & roles_mask, window >> line_at & line_mask, window >> column_at & column_mask
        window >>= head_width
        position += symbol_width + head_width
        if count:
            related = []
            for _ in range(2 * count):
                value = window & element_mask
                if window & element_more:
                    window >>= element_width
                    position += element_width
                    value |= (window & element_mask) << element_shift
                    unusual |= window & element_more
                window >>= element_width
                position += element_width
                related.append(value)
            if unusual:
                (_, fields, _), position = layout.read(data, start, block.end)
                _add(fields, columns)
                continue
            relation_roles += related[::2]
            relation_symbol += [number - 1 for number in related[1::2]]
        add_symbol(symbol - 1)
        add_roles(roles)
        add_line(line)
        add_column(column)
        add_end(len(relation_roles))
    return position
