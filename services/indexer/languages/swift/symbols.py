"""Making a symbol of a Swift declaration whose head is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exegesis.model import Modifier, Span, Symbol, SymbolKind
from services.indexer.comments import start_of_comments
from services.indexer.languages.swift.comments import read_doc, says_deprecated
from services.indexer.languages.swift.facts import Facts, Place
from services.indexer.languages.swift.heads import ACCESS, DEPRECATED, Head

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Naming:
    """How a symbol is called."""

    name: str
    node: Node
    """Where its name stands."""
    kind: SymbolKind
    label: str = ""
    """Follows the name for people: ``(_:method:)``."""
    types: str = ""
    """Tells overloads and extensions apart; part of the identifier only."""


def add_symbol(
    facts: Facts, node: Node, place: Place, naming: Naming, head: Head, *, signature: str, rows: tuple[int, int] | None = None, first: bool = True
) -> tuple[Symbol, str]:
    """Add the symbol, and what its head mentions as its references. Returns it with its key.

    ``rows`` (0-based, inclusive) are those of one of several names that share the declaration ``node``; only the ``first`` of them
    gets the comments above.
    """
    kind, name = naming.kind, naming.name
    row, column = node.start_point
    start = start_of_comments(facts.lines, row, column) if first else row
    doc = read_doc(facts.lines, start, row) if start < row else ""
    modifiers = head.modifiers if head.modifiers & ACCESS else head.modifiers | place.access
    if doc and says_deprecated(doc):
        modifiers |= DEPRECATED
    label = f"{name}{naming.label}"
    identifier, key = facts.identify(f"{place.key}.{kind.value} {label}{naming.types}")
    if rows is None:
        end_row, end_column = node.end_point
        # A node that ends at the start of a line ends with the line before.
        span = Span(start + 1, max(end_row if end_column else end_row - 1, row) + 1)
    else:
        span = Span((start if first else rows[0]) + 1, max(rows) + 1)
    name_row, name_column = naming.node.start_point
    top = kind is SymbolKind.EXTENSION or not place.qualified
    symbol = Symbol(
        identifier,
        name,
        label if top else f"{place.qualified}.{label}",
        kind,
        facts.path,
        span,
        name_row + 1,
        name_column + 1,
        place.symbol,
        place.container if place.member and kind is not SymbolKind.EXTENSION else "",
        signature,
        doc,
        Modifier(modifiers),
        tuple(head.parameters),
        head.result,
        tuple(head.inherits),
        tuple(head.generics),
    )
    facts.symbols.append(symbol)
    if facts.mentions:
        facts.flush(identifier, {**place.generics, **dict(head.generics)} if head.generics else place.generics)
    return symbol, key


def inside(symbol: Symbol, key: str, place: Place, head: Head) -> Place:
    """The place inside a symbol."""
    kind = symbol.kind
    is_type = kind.is_type and kind is not SymbolKind.TYPEALIAS
    return Place(
        symbol=symbol.id,
        key=key,
        container=(f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name) if is_type else place.container,
        qualified=symbol.qualified,
        member=is_type,
        generics={**place.generics, **dict(head.generics)} if head.generics else place.generics,
        access=int(symbol.modifiers) & ACCESS if kind is SymbolKind.EXTENSION else 0,
        scopes=() if is_type else place.scopes,
        entry=head.entry,
        depth=place.depth + 1,
    )
