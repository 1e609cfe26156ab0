"""A record as facts for linking: what its compiler knew, without how it is written down. Pure.

Left out is what no edge could come of: parameters and generic parameters, modules, declarations without a definition, and the calls of accessors
where the property that they are of is named at the same place.
"""

from __future__ import annotations

from collections.abc import Iterable

from exegesis.model import EdgeKind, ExactFacts, ExactRole, ExactSymbol, ExactTie, ExactUse
from services.indexer.exact.facts import IndexedFile
from services.indexer.exact.records import RecordSymbol
from services.indexer.exact.vocabulary import Kind, Role, Subkind, is_accessor

_DEFINITION, _REFERENCE, _CALL = int(Role.DEFINITION), int(Role.REFERENCE), int(Role.CALL)
_IMPLICIT, _DYNAMIC = int(Role.IMPLICIT), int(Role.DYNAMIC)
_CALLED_BY, _CONTAINED_BY = int(Role.CALLED_BY), int(Role.CONTAINED_BY)
_CHILD_OF, _ACCESSOR_OF, _OVERRIDE_OF, _EXTENDED_BY = int(Role.CHILD_OF), int(Role.ACCESSOR_OF), int(Role.OVERRIDE_OF), int(Role.EXTENDED_BY)

_UNUSED_KINDS = frozenset({Kind.MODULE, Kind.NAMESPACE_ALIAS, Kind.PARAMETER, Kind.COMMENT_TAG, Kind.USING})

_ROLES = [ExactRole(bits) for bits in range(int(~ExactRole.NONE) + 1)]

MOST_USES = 100_000
"""Of one file, as they travel in one message. Thirty thousand lines, the most that a file may have, hold about sixty thousand."""


def recorded(path: str, files: Iterable[IndexedFile], *, is_fresh: bool) -> ExactFacts:
    """What the records of one file say together; there are several where several modules compile it. A stale record tells its symbols only."""
    symbols: dict[ExactSymbol, None] = {}
    uses: dict[ExactUse, None] = {}
    ties: dict[ExactTie, None] = {}
    for file in files:
        _read(file, symbols, uses, ties)
    if not is_fresh or len(uses) > MOST_USES:
        return ExactFacts(path, is_fresh=False, symbols=tuple(symbols))
    return ExactFacts(path, is_fresh=True, symbols=tuple(symbols), uses=tuple(uses), ties=tuple(ties))


def _read(file: IndexedFile, symbols: dict[ExactSymbol, None], uses: dict[ExactUse, None], ties: dict[ExactTie, None]) -> None:
    known, columns = file.record.symbols, file.record.columns
    counts = [_counts(symbol) for symbol in known]
    named = _named_places(file)
    for index, (symbol, roles, line, column) in enumerate(zip(columns.symbol, columns.roles, columns.line, columns.column, strict=True)):
        if not counts[symbol]:
            continue
        it = known[symbol]
        user = container = owner = property_ = ""
        for related_roles, related in columns.relations(index):
            usr = known[related].usr
            if related_roles & _CALLED_BY:
                user = user or usr
            if related_roles & _CONTAINED_BY:
                container = container or usr
            if related_roles & _CHILD_OF:
                owner = owner or usr
            if related_roles & _ACCESSOR_OF:
                property_ = property_ or usr
            if related_roles & _OVERRIDE_OF:
                ties[ExactTie(EdgeKind.OVERRIDE, it.usr, usr, line, column)] = None
            if related_roles & _EXTENDED_BY:
                ties[ExactTie(EdgeKind.EXTEND, usr, it.usr, line, column)] = None
        if roles & _DEFINITION:
            folds = bool(property_) or is_accessor(it.subkind) or bool(roles & _IMPLICIT and owner)
            symbols[ExactSymbol(it.usr, it.name, line, column, property_ or owner, folds)] = None
        elif roles & _REFERENCE and not (is_accessor(it.subkind) and (line, column, it.name.partition(":")[2]) in named):
            bits = bool(roles & _CALL) | bool(roles & _IMPLICIT) << 1 | bool(roles & _DYNAMIC) << 2
            uses[ExactUse(it.usr, line, column, _ROLES[bits], user or container)] = None


def _counts(symbol: RecordSymbol) -> bool:
    return symbol.kind not in _UNUSED_KINDS and symbol.subkind != Subkind.GENERIC_PARAMETER


def _named_places(file: IndexedFile) -> set[tuple[int, int, str]]:
    """Where something is named that may have accessors."""
    known, columns = file.record.symbols, file.record.columns
    return {
        (line, column, known[symbol].name)
        for symbol, roles, line, column in zip(columns.symbol, columns.roles, columns.line, columns.column, strict=True)
        if roles & _REFERENCE and not roles & _IMPLICIT and not roles & _CALL
    }
