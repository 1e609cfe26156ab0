"""Edges that follow from declarations alone: what an extension extends, what an override overrides, what may satisfy a requirement.

Each edge is made while the file of its source is linked, so that replacing a file replaces all edges that start in it. For a requirement that
means asking who conforms, not for a member asking what it satisfies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from exegesis.model import Edge, EdgeKind, FileFacts, Modifier, Symbol, SymbolKind
from services.graph.fit import same_labels
from services.graph.rules import RULES
from services.graph.table import STATIC, Scope, SymbolTable, Type, full_name, has
from services.graph.types import enclosing_names, last_component, split_type

OVERRIDE = int(Modifier.OVERRIDE)

_WITNESSED = frozenset(
    {
        SymbolKind.METHOD,
        SymbolKind.FUNCTION,
        SymbolKind.PROPERTY,
        SymbolKind.VARIABLE,
        SymbolKind.SUBSCRIPT,
        SymbolKind.OPERATOR,
        SymbolKind.INITIALIZER,
    }
)
"""Kinds of requirements that members satisfy; nested types are none of them, they run nothing."""


MOST_ASKED = 40
"""Methods of an interface that types are compared with: what asks for more is satisfied by its own implementation, if by any."""


def structural_edges(facts: FileFacts, table: SymbolTable) -> Iterator[Edge]:
    for symbol in facts.symbols:
        if symbol.kind is SymbolKind.EXTENSION:
            yield from _extended(symbol, table)
        elif symbol.container and (has(symbol, OVERRIDE) or _may_override(symbol, table)):
            yield from _overridden(symbol, table)
        elif symbol.kind in _WITNESSED and table.kind_of(symbol.parent) is SymbolKind.PROTOCOL:
            yield from _witnesses(symbol, table)


def edge(source: Symbol, target: Symbol, kind: EdgeKind, rule: str) -> Edge:
    """An edge whose site is the declaration of its source."""
    found = RULES[rule]
    return Edge(source.id, target.id, kind, rule, found.tier, found.confidence, source.line, source.column)


def _extended(symbol: Symbol, table: SymbolTable) -> Iterator[Edge]:
    target = table.lookup_type(full_name(symbol), Scope((), symbol.path))
    if target is not None and target.declaration is not None:
        yield edge(symbol, target.declaration, EdgeKind.EXTEND, "S6")


def _may_override(symbol: Symbol, table: SymbolTable) -> bool:
    """Where overriding is not marked: a method of a class; initialisers replace rather than override."""
    return not table.dialect.marks_overrides and symbol.kind is SymbolKind.METHOD


def _overridden(symbol: Symbol, table: SymbolTable) -> Iterator[Edge]:
    owner = table.declared(split_type(symbol.container)[0], symbol.path)
    for level in table.levels(owner)[1:]:
        found = [each for holder in level for each in _alike(symbol, holder, table)]
        if len(found) == 1:
            yield edge(symbol, found[0], EdgeKind.OVERRIDE, "S7")
        if found:
            return


def _witnesses(requirement: Symbol, table: SymbolTable) -> Iterator[Edge]:
    protocol = table.declared(split_type(requirement.container)[0], requirement.path)
    found = {each.id: each for each in _alike(requirement, protocol, table)}
    for conforming in _conforming(protocol, table):
        for distance, level in enumerate(table.levels(conforming)):
            own = [
                each
                for holder in level
                if distance == 0 or (holder.declaration is not None and holder.declaration.kind is not SymbolKind.PROTOCOL)
                for each in _alike(requirement, holder, table)
            ]
            if own:
                found.update((each.id, each) for each in own)
                break
    found.pop(requirement.id, None)
    for _, each in sorted(found.items()):
        yield edge(requirement, each, EdgeKind.WITNESS, "T4")
    if table.dialect.structural:
        for _, each in sorted((each.id, each) for each in _fulfilling(requirement, protocol, table) if each.id not in found):
            yield edge(requirement, each, EdgeKind.WITNESS, "T6")


def _fulfilling(requirement: Symbol, protocol: Type, table: SymbolTable) -> Iterator[Symbol]:
    """Methods that satisfy a requirement in types which satisfy all of its interface, each by itself or through what is embedded in it."""
    asked = [each for level in table.levels(protocol) for holder in level for each in _asked_by(holder, table)]
    if len(asked) > MOST_ASKED:
        return
    for method in table.members_anywhere(requirement.name):
        if method.kind is not SymbolKind.METHOD or table.kind_of(method.parent) is SymbolKind.PROTOCOL or not same_labels(method, requirement):
            continue
        owner = table.declared(split_type(method.container)[0], method.path)
        levels = table.levels(owner)
        if all(any(_alike(each, holder, table) for level in levels for holder in level) for each in asked if each.name != requirement.name):
            yield method


def _asked_by(holder: Type, table: SymbolTable) -> Sequence[Symbol]:
    declared = holder.declaration
    return table.members_of(declared) if declared is not None and declared.kind is SymbolKind.PROTOCOL else ()


def _conforming(protocol: Type, table: SymbolTable) -> Sequence[Type]:
    """Types that conform to a protocol by their own word or through protocols that refine it, and those refinements (for their defaults)."""
    found: dict[str, Type] = {}
    pending = [protocol]
    while pending:
        current = pending.pop()
        for symbol in table.inheritors(last_component(current.name)):
            if symbol.kind is SymbolKind.TYPEALIAS:
                continue
            name = full_name(symbol)
            if name in found or name == protocol.name or not _names_it(symbol, current, table):
                continue
            conforming = table.declared(name, symbol.path)
            found[name] = conforming
            if conforming.declaration is not None and conforming.declaration.kind is SymbolKind.PROTOCOL:
                pending.append(conforming)
    return [found[name] for name in sorted(found)]


def _names_it(symbol: Symbol, protocol: Type, table: SymbolTable) -> bool:
    """Does the inheritance clause of a symbol mean this protocol, not another of the same name?"""
    scope = Scope(enclosing_names(full_name(symbol)), symbol.path)
    for inherited in symbol.inherits:
        name = split_type(inherited)[0]
        if last_component(name) == last_component(protocol.name):
            target = table.lookup_type(name, scope, inherited=False)
            if target is not None and target.declaration is not None and target.declaration == protocol.declaration:
                return True
    return False


def _alike(symbol: Symbol, owner: Type, table: SymbolTable) -> Iterable[Symbol]:
    """Members that callers could not tell from this one: same name, labels and standing."""
    members = table.initializers(owner) if symbol.kind is SymbolKind.INITIALIZER else table.members(owner, symbol.name)
    return [
        each
        for each in members
        if each.id != symbol.id
        and each.kind.is_callable == symbol.kind.is_callable
        and not each.kind.is_type
        and has(each, STATIC) == has(symbol, STATIC)
        and (same_labels(each, symbol) or not table.dialect.marks_overrides)
    ]
