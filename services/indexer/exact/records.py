"""Record files: the symbols of one source file, and every place in it where one of them occurs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.indexer.exact import bitstream
from services.indexer.exact.bitstream import Block, Malformed
from services.indexer.exact.envelope import checked_blocks, unwrap
from services.indexer.exact.occurrences import Columns, Occurrence, Relation, keep_known, read_occurrences

MAGIC = b"IDXR"

_SYMBOLS_BLOCK, _OCCURRENCES_BLOCK = 9, 11
_SYMBOL = 1
_SYMBOL_FIELDS = 8


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
class Record:
    """``occurrences`` makes a value of each occurrence; what reads many works on ``columns``."""

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
    columns = Columns()
    problems: list[str] = []
    try:
        data, problem = unwrap(content, MAGIC)
        problems += [problem] if problem else []
        for block in checked_blocks(data):
            try:
                if block.identifier == _SYMBOLS_BLOCK:
                    _read_symbols(data, block, symbols)
                elif block.identifier == _OCCURRENCES_BLOCK:
                    read_occurrences(data, block, columns)
            except Malformed as error:
                problems.append(str(error))
    except Malformed as error:
        problems.append(str(error))
    if symbols and not columns and not problems:
        problems.append("symbols without occurrences")  # the file ends between two blocks
    known = keep_known(columns, len(symbols))
    if known is not columns:
        problems.append(f"{len(columns) - len(known)} occurrences of symbols that cannot be read")
    return Record(name, tuple(symbols), known, tuple(problems))


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
