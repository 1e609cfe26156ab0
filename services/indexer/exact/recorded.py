"""A record as facts for linking: what its compiler knew, without how it is written down. Pure.

Left out is what no edge could come of: parameters and generic parameters, modules, declarations without a definition, and the calls of accessors
where the property that they are of is named at the same place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import starmap

from exegesis.model import EdgeKind, ExactFacts, ExactRole, ExactSymbol, ExactTie, ExactUse
from services.indexer.exact.facts import IndexedFile
from services.indexer.exact.records import RecordSymbol
from services.indexer.exact.vocabulary import Kind, Role, Subkind, is_accessor

_DEFINITION, _REFERENCE, _CALL = int(Role.DEFINITION), int(Role.REFERENCE), int(Role.CALL)
_IMPLICIT, _DYNAMIC = int(Role.IMPLICIT), int(Role.DYNAMIC)
_CALLED_BY, _CONTAINED_BY = int(Role.CALLED_BY), int(Role.CONTAINED_BY)
_CHILD_OF, _ACCESSOR_OF, _OVERRIDE_OF, _EXTENDED_BY = int(Role.CHILD_OF), int(Role.ACCESSOR_OF), int(Role.OVERRIDE_OF), int(Role.EXTENDED_BY)

_NAMED = _REFERENCE | _IMPLICIT | _CALL
"""Of these a place where a symbol is named, and neither called nor made up, has the first only."""

_UNUSED_KINDS = frozenset({Kind.MODULE, Kind.NAMESPACE_ALIAS, Kind.PARAMETER, Kind.COMMENT_TAG, Kind.USING})

_ROLES = [ExactRole(bits) for bits in range(int(~ExactRole.NONE) + 1)]

MOST_USES = 100_000
"""Of one file, as they travel in one message. Thirty thousand lines, the most that a file may have, hold about sixty thousand."""


def recorded(path: str, files: Iterable[IndexedFile], *, is_fresh: bool) -> ExactFacts:
    """What the records of one file say together; there are several where several modules compile it. A stale record tells its symbols only."""
    found = _Found()
    for file in files:
        _read(file, found, is_fresh=is_fresh)
    symbols = tuple(starmap(ExactSymbol, found.symbols))
    if not is_fresh or len(found.uses) > MOST_USES:
        return ExactFacts(path, is_fresh=False, symbols=symbols)
    return ExactFacts(path, is_fresh=True, symbols=symbols, uses=tuple(starmap(ExactUse, found.uses)), ties=tuple(starmap(ExactTie, found.ties)))


@dataclass(frozen=True, slots=True)
class _Found:
    """The fields of symbols, uses and ties, each once, in order. Tuples, for most of a record's are said several times, and values cost more."""

    symbols: dict[tuple[str, str, int, int, str, bool], None] = field(default_factory=dict)
    uses: dict[tuple[str, int, int, ExactRole, str], None] = field(default_factory=dict)
    ties: dict[tuple[EdgeKind, str, str, int, int], None] = field(default_factory=dict)


def _read(file: IndexedFile, found: _Found, *, is_fresh: bool) -> None:
    known, columns = file.record.symbols, file.record.columns
    usrs, counts = [symbol.usr for symbol in known], [_counts(symbol) for symbol in known]
    accessors = [is_accessor(symbol.subkind) for symbol in known]
    named = _named_places(file)
    symbols, uses, ties = found.symbols, found.uses, found.ties
    start = 0
    for symbol, roles, line, column, end in zip(columns.symbol, columns.roles, columns.line, columns.column, columns.relations_end, strict=True):
        first, start = start, end
        if not counts[symbol] or not (is_fresh or roles & _DEFINITION):
            continue
        usr = usrs[symbol]
        user = container = owner = property_ = ""
        for at in range(first, end):
            related_roles, related = columns.relation_roles[at], usrs[columns.relation_symbol[at]]
            if related_roles & _CALLED_BY:
                user = user or related
            if related_roles & _CONTAINED_BY:
                container = container or related
            if related_roles & _CHILD_OF:
                owner = owner or related
            if related_roles & _ACCESSOR_OF:
                property_ = property_ or related
            if related_roles & _OVERRIDE_OF:
                ties[EdgeKind.OVERRIDE, usr, related, line, column] = None
            if related_roles & _EXTENDED_BY:
                ties[EdgeKind.EXTEND, related, usr, line, column] = None
        if roles & _DEFINITION:
            folds = bool(property_) or accessors[symbol] or bool(roles & _IMPLICIT and owner)
            symbols[usr, known[symbol].name, line, column, property_ or owner, folds] = None
        elif roles & _REFERENCE and not (accessors[symbol] and (line, column, known[symbol].name.partition(":")[2]) in named):
            bits = bool(roles & _CALL) | bool(roles & _IMPLICIT) << 1 | bool(roles & _DYNAMIC) << 2
            uses[usr, line, column, _ROLES[bits], user or container] = None


def _counts(symbol: RecordSymbol) -> bool:
    return symbol.kind not in _UNUSED_KINDS and symbol.subkind != Subkind.GENERIC_PARAMETER


def _named_places(file: IndexedFile) -> set[tuple[int, int, str]]:
    """Where something is named that may have accessors."""
    columns, names = file.record.columns, [symbol.name for symbol in file.record.symbols]
    return {
        (line, column, names[symbol])
        for symbol, roles, line, column in zip(columns.symbol, columns.roles, columns.line, columns.column, strict=True)
        if roles & _NAMED == _REFERENCE
    }
