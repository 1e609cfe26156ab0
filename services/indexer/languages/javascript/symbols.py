"""Making a symbol of a declaration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exegesis.model import Modifier, Span, Symbol, SymbolKind
from services.indexer.comments import start_of_comments
from services.indexer.languages.javascript.comments import read_doc, says_deprecated
from services.indexer.languages.javascript.facts import Facts, Place

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNATURE = 1000
"""Letters; what is longer is a table in the disguise of a declaration."""

_VALUE = 200
"""Letters of a variable's signature, which includes the beginning of its value."""


@dataclass(frozen=True, slots=True)
class Naming:
    """How a symbol is called."""

    name: str
    node: Node
    """Where its name stands."""
    kind: SymbolKind


def add_symbol(
    facts: Facts,
    whole: Node,
    naming: Naming,
    place: Place,
    modifiers: Modifier = Modifier.NONE,
    *,
    body: Node | None = None,
    first: bool = True,
) -> tuple[Symbol, Place]:
    """Add a symbol, and say where its inside is.

    ``whole`` is the statement that declares it; only the ``first`` of several names gets the comments above.
    """
    kind, name = naming.kind, naming.name
    row, column = whole.start_point
    start = start_of_comments(facts.lines, row, column) if first else row
    doc = read_doc(facts.lines, start, row) if start < row else ""
    if says_deprecated(doc):
        modifiers |= Modifier.DEPRECATED
    if place.exported:
        modifiers |= Modifier.PUBLIC
    qualified = f"{place.qualified}.{name}" if place.qualified else name
    if not doc and body is not None and kind.is_callable:
        doc = _doc_of_overload(facts, qualified, kind, place)
    identifier, key = facts.identify(f"{place.key}.{kind.value} {name}")
    name_row, name_column = naming.node.start_point
    end_row, end_column = whole.end_point
    symbol = Symbol(
        id=identifier,
        name=name,
        qualified=qualified,
        kind=kind,
        path=facts.path,
        span=Span(start + 1, max(end_row if end_column else end_row - 1, row) + 1),
        line=name_row + 1,
        column=name_column + 1,
        parent=place.symbol,
        container=place.container if place.member else "",
        signature=_signature(facts, whole, body, kind),
        doc=doc,
        modifiers=modifiers,
    )
    facts.symbols.append(symbol)
    is_type = kind.is_type and kind is not SymbolKind.TYPEALIAS
    container = (f"{place.container}.{name}" if place.member else name) if is_type else place.container
    inside = Place(
        symbol=identifier,
        key=key,
        container=container,
        qualified=symbol.qualified,
        owner=identifier if is_type else place.owner,
        member=is_type,
        in_code=place.in_code,
        scopes=place.scopes,
        depth=place.depth + 1,
    )
    return symbol, inside


def _doc_of_overload(facts: Facts, qualified: str, kind: SymbolKind, place: Place) -> str:
    """What the first signature says that is written for an implementation: TypeScript wants overloads right above it, and people comment these."""
    doc = ""
    for symbol in reversed(facts.symbols):
        if (symbol.qualified, symbol.kind, symbol.parent) != (qualified, kind, place.symbol):
            break
        doc = symbol.doc or doc
    return doc


def _signature(facts: Facts, whole: Node, body: Node | None, kind: SymbolKind) -> str:
    """The declaration without its body, on one line."""
    stop = body.start_byte if body is not None else min(whole.end_byte, whole.start_byte + 4 * _SIGNATURE)
    text = facts.content[whole.start_byte : stop].decode("utf-8", "replace")
    words = " ".join(text.split()).rstrip("{;= ").strip()
    return words[: _VALUE if kind in {SymbolKind.VARIABLE, SymbolKind.PROPERTY} else _SIGNATURE]
