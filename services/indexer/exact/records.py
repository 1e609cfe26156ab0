"""Record files: the symbols of one source file, and every place in it where one of them occurs.

Occurrences are the bulk of a store (a project of 67,000 lines has about 300,000), so a record keeps them as columns; ``Record.occurrences`` makes
a value of one when it is asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from services.indexer.exact import bitstream
from services.indexer.exact.bitstream import Abbreviation, Block, Encoding, Malformed
from services.indexer.exact.envelope import checked_blocks, unwrap

MAGIC = b"IDXR"

_SYMBOLS_BLOCK, _OCCURRENCES_BLOCK = 9, 11
_SYMBOL, _OCCURRENCE = 1, 3
_SYMBOL_FIELDS, _OCCURRENCE_FIELDS = 8, 5


@dataclass(frozen=True, slots=True)
class RecordSymbol:
    usr: str
    """Unified symbol resolution: the name of a symbol that is the same in every file, target and repository."""
    name: str
    """With argument labels: ``request(_:method:)``."""
    kind: int
    subkind: int
    language: int
    properties: int
    roles: int
    """All roles of its occurrences in this file."""
    related_roles: int
    """All roles in which it is related to occurrences of other symbols in this file."""
    codegen_name: str = ""


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
    """Occurrences in the order of the file, one array per field. All of one length, except the two of the relations."""

    symbol: Sequence[int]
    roles: Sequence[int]
    line: Sequence[int]
    column: Sequence[int]
    relations_end: Sequence[int]
    """The relations of occurrence ``i`` are ``relations_end[i - 1] : relations_end[i]``, from 0 for the first."""
    relation_roles: Sequence[int]
    relation_symbol: Sequence[int]

    def __len__(self) -> int:
        return len(self.symbol)

    def relations(self, index: int) -> Iterator[tuple[int, int]]:
        """Roles and symbol of each relation of an occurrence."""
        start = self.relations_end[index - 1] if index else 0
        for at in range(start, self.relations_end[index]):
            yield self.relation_roles[at], self.relation_symbol[at]


@dataclass(frozen=True, slots=True)
class Record:
    name: str
    symbols: tuple[RecordSymbol, ...]
    columns: Columns
    problems: tuple[str, ...] = ()
    """What could not be read; the rest is here."""

    def occurrences(self) -> Iterator[Occurrence]:
        for index, (symbol, roles, line, column) in enumerate(
            zip(self.columns.symbol, self.columns.roles, self.columns.line, self.columns.column, strict=True)
        ):
            yield Occurrence(symbol, roles, line, column, tuple(Relation(*pair) for pair in self.columns.relations(index)))


def read_record(name: str, content: bytes) -> Record:
    """All that can be read of a record file. Never raises: what is broken, cut off or of an unknown version is said in ``problems``."""
    symbols: list[RecordSymbol] = []
    rows = _Rows()
    problems: list[str] = []
    try:
        data, problem = unwrap(content, MAGIC)
        problems += [problem] if problem else []
        for block in checked_blocks(data):
            try:
                if block.identifier == _SYMBOLS_BLOCK:
                    _read_symbols(data, block, symbols)
                elif block.identifier == _OCCURRENCES_BLOCK:
                    _read_occurrences(data, block, rows)
            except Malformed as error:
                problems.append(str(error))
    except Malformed as error:
        problems.append(str(error))
    if symbols and not rows.symbol and not problems:
        problems.append("symbols without occurrences")  # the file ends between two blocks
    if not rows.are_sound(len(symbols)):
        sound = rows.sound_only(len(symbols))
        problems.append(f"{len(rows.symbol) - len(sound.symbol)} occurrences of symbols that cannot be read")
        rows = sound
    return Record(name, tuple(symbols), rows.columns(), tuple(problems))


def _read_symbols(data: bytes, block: Block, symbols: list[RecordSymbol]) -> None:
    for code, fields, blob in bitstream.entries(data, block):
        if code != _SYMBOL:
            continue
        if len(fields) < _SYMBOL_FIELDS:
            raise Malformed(f"a symbol of {len(fields)} fields")
        kind, subkind, language, properties, roles, related_roles, name_end, usr_size = fields[:_SYMBOL_FIELDS]
        usr_end = name_end + usr_size
        if usr_end > len(blob):
            raise Malformed("a symbol whose name is longer than its text")
        symbols.append(
            RecordSymbol(
                _text(blob[name_end:usr_end]),
                _text(blob[:name_end]),
                kind,
                subkind,
                language,
                properties,
                roles,
                related_roles,
                _text(blob[usr_end:]),
            )
        )


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")


# ---------------------------------------------------------------------------------------------------------------- occurrences


class _Rows:
    """Columns while they grow: lists append faster than arrays do."""

    __slots__ = ("column", "line", "relation_roles", "relation_symbol", "relations_end", "roles", "symbol")

    def __init__(self) -> None:
        self.symbol: list[int] = []
        self.roles: list[int] = []
        self.line: list[int] = []
        self.column: list[int] = []
        self.relations_end: list[int] = []
        self.relation_roles: list[int] = []
        self.relation_symbol: list[int] = []

    def add(self, fields: Sequence[int]) -> None:
        """Fields as they are in the file. Raises ``Malformed`` for too few."""
        if len(fields) < _OCCURRENCE_FIELDS or len(fields) < _OCCURRENCE_FIELDS + 2 * fields[4]:
            raise Malformed(f"an occurrence of {len(fields)} fields")
        symbol, roles, line, column, related = fields[:_OCCURRENCE_FIELDS]
        self.append(symbol, roles, line, column, fields[_OCCURRENCE_FIELDS : _OCCURRENCE_FIELDS + 2 * related])

    def append(self, symbol: int, roles: int, line: int, column: int, pairs: Sequence[int]) -> None:
        """Symbols count from one, as in the file; ``pairs`` are roles and symbol of each relation in turn."""
        self.symbol.append(symbol - 1)
        self.roles.append(roles)
        self.line.append(line)
        self.column.append(column)
        if pairs:
            self.relation_roles += pairs[::2]
            self.relation_symbol += [number - 1 for number in pairs[1::2]]
        self.relations_end.append(len(self.relation_roles))

    def columns(self) -> Columns:
        return Columns(
            array("I", self.symbol),
            array("Q", self.roles),
            array("I", self.line),
            array("I", self.column),
            array("I", self.relations_end),
            array("Q", self.relation_roles),
            array("I", self.relation_symbol),
        )

    def are_sound(self, symbols: int) -> bool:
        """Whether all name symbols that are there, and places that a file can have."""
        return (
            min(self.symbol, default=0) >= 0
            and max(self.symbol, default=-1) < symbols
            and min(self.relation_symbol, default=0) >= 0
            and max(self.relation_symbol, default=-1) < symbols
            and max(self.line, default=0) <= _MAX_PLACE
            and max(self.column, default=0) <= _MAX_PLACE
        )

    def sound_only(self, symbols: int) -> _Rows:
        """The rows that are sound: a broken file costs those that refer to what could not be read, not the others."""
        kept = _Rows()
        start = 0
        for row in zip(self.symbol, self.roles, self.line, self.column, self.relations_end, strict=True):
            symbol, roles, line, column, end = row
            pairs = zip(self.relation_roles[start:end], self.relation_symbol[start:end], strict=True)
            one = _Rows()
            one.append(symbol + 1, roles, line, column, [number for role, related in pairs for number in (role, related + 1)])
            start = end
            if one.are_sound(symbols):
                kept.extend(one)
        return kept

    def extend(self, other: _Rows) -> None:
        before = len(self.relation_roles)
        self.symbol += other.symbol
        self.roles += other.roles
        self.line += other.line
        self.column += other.column
        self.relations_end += [before + end for end in other.relations_end]
        self.relation_roles += other.relation_roles
        self.relation_symbol += other.relation_symbol


_MAX_PLACE = (1 << 32) - 1
"""Lines and columns are 32 bits wide in every compiler."""


def _read_occurrences(data: bytes, block: Block, rows: _Rows) -> None:
    block = bitstream.open_block(data, block)
    for number, abbreviation in enumerate(block.abbreviations):
        widths = _usual_widths(abbreviation, block.width)
        if widths:
            block = replace(block, start=_scan(data, block, number, widths, rows))
            break
    for code, fields, _ in bitstream.entries(data, block):
        if code == _OCCURRENCE:
            rows.add(fields)


_USUAL_SHAPE = (Encoding.LITERAL, Encoding.VBR, Encoding.FIXED, Encoding.VBR, Encoding.VBR, Encoding.VBR, Encoding.ARRAY, Encoding.VBR)
_WINDOW_BYTES = 32
"""Holds an occurrence with two relations, which today takes 198 bits at most when its numbers are of the usual size."""
_WINDOW_BITS = _WINDOW_BYTES * 8 - 7
_USUAL_RELATIONS = 2
_LENGTH_WIDTH = 6
"""Of the length of an array: fixed by the format."""


def _usual_widths(abbreviation: Abbreviation, id_width: int) -> tuple[int, ...]:
    """Widths of symbol, roles, line, column, number of relations and array element, if the layout is one that ``_scan`` reads; else empty."""
    if tuple(operand.encoding for operand in abbreviation) != _USUAL_SHAPE or abbreviation[0].value != _OCCURRENCE:
        return ()
    widths = tuple(operand.value for operand in abbreviation[1:] if operand.encoding is not Encoding.ARRAY)
    longest = id_width + widths[0] + sum(widths[:5]) + _LENGTH_WIDTH + 4 * _USUAL_RELATIONS * widths[5]
    return widths if min(widths) >= 2 and longest <= _WINDOW_BITS else ()


def _scan(data: bytes, block: Block, number: int, widths: tuple[int, ...], rows: _Rows) -> int:
    """Read the occurrences written by abbreviation ``number`` of the block up to the first thing that is not one, or is near the end: its position.

    Nearly every number of an occurrence fits one group, the symbol and the roles of a relation two. So the fields are cut out at the places where
    they then lie, after one test of all continuation bits together, and an occurrence that fails it is read the general way. This is several
    times faster.
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
            rows.add(fields)
            continue
        roles, line, column = window & roles_mask, window >> line_at & line_mask, window >> column_at & column_mask
        window >>= head_width
        position += symbol_width + head_width
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
            rows.add(fields)
            continue
        rows.append(symbol, roles, line, column, related)
    return position
