"""Whether a record still describes a file: do the names that it places stand where it says?

A record is of the source as it was compiled. After an edit its lines are wrong, and an edge drawn from it is a lie that looks exact, so every
file is tested before its record is used. In real stores the files that had not changed scored 1.000 (the worst 0.981), changed ones 0.00 to 0.67;
times of modification are worth nothing after a checkout, so they are not asked.

A file in which a single name was replaced passes, so the names that are not in their places go even then: what stays of a record was looked up
one by one, as far as it has names to look up.

What the test cannot see is text added below the last symbol: everything in the record still holds then, and what was added is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.indexer.exact.records import Record, RecordSymbol
from services.indexer.exact.vocabulary import Kind, Role, Subkind, is_accessor, is_operator

THRESHOLD = 0.95
"""Between the worst fresh file (0.981) and the best stale one (0.67) that were seen, near the fresh end: a stale edge costs more than a lost one."""

_NAMELESS = frozenset({Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.EXTENSION, Kind.COMMENT_TAG, Kind.MODULE})
"""Kinds whose occurrences do not show their name: ``Foo()`` calls ``init()``."""
_DEFINITION, _REFERENCE, _CALL, _IMPLICIT = int(Role.DEFINITION), int(Role.REFERENCE), int(Role.CALL), int(Role.IMPLICIT)


@dataclass(frozen=True, slots=True)
class Freshness:
    share: float
    """Of the names tested that stand where they should; 1.0 when none could be tested."""
    tested: int
    misplaced: frozenset[tuple[int, int]] = frozenset()
    """Line and column of each name that does not stand where it should."""

    @property
    def is_fresh(self) -> bool:
        """A record that places no name cannot be told from one of another file, so it is not believed."""
        return self.tested > 0 and self.share >= THRESHOLD


def measure_freshness(record: Record, source: bytes) -> Freshness:
    """Test the definitions and calls of a record against the text, or where it has none of these, the other names it places."""
    lines = source.split(b"\n")
    names = [_base_name(symbol) for symbol in record.symbols]
    for wanted in (_DEFINITION | _CALL, _REFERENCE):
        tested = wrong = 0
        misplaced: set[tuple[int, int]] = set()
        columns = record.columns
        for symbol, roles, line, column in zip(columns.symbol, columns.roles, columns.line, columns.column, strict=True):
            if not roles & wanted or roles & _IMPLICIT or not names[symbol]:
                continue
            tested += 1
            if not (0 < line <= len(lines) and column > 0 and _stands_at(lines[line - 1], column - 1, names[symbol])):
                wrong += 1
                misplaced.add((line, column))
        if tested:
            return Freshness(1 - wrong / tested, tested, frozenset(misplaced))
    return Freshness(1.0, 0)


def _base_name(symbol: RecordSymbol) -> bytes:
    """The name as the text shows it, empty for a symbol whose occurrences need not show it."""
    unseen = (
        symbol.kind in _NAMELESS
        or is_accessor(symbol.subkind)
        or is_operator(symbol.subkind)
        or symbol.subkind == Subkind.SUBSCRIPT
        or symbol.name == "_"  # the nameless value of an enum case is placed at its type
        or symbol.name.startswith("__derived")
    )
    return b"" if unseen else symbol.name.partition("(")[0].partition(":")[0].encode()  # foo(_:with:) of Swift, foo:with: of Objective-C


def _stands_at(line: bytes, start: int, name: bytes) -> bool:
    """Whether a name stands at a place, maybe quoted, or as the projection or storage of a wrapped property."""
    return line.startswith(name, start) or (line[start : start + 1] in {b"`", b"$", b"_"} and line.startswith(name, start + 1))
