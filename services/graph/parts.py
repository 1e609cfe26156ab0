"""What belongs to a symbol when a person names it: closures belong to the declaration around them, extensions to the type they extend,
prototypes to the procedure they declare.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from exegesis.errors import UnknownSymbol
from exegesis.model import Edge, EdgeKind, Symbol, SymbolKind
from exegesis.ports import GraphReader
from services.graph.types import split_type

FLOW = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS, EdgeKind.IMPLICIT, EdgeKind.OVERRIDE, EdgeKind.WITNESS})
"""Kinds along which control or data may pass."""

CERTAIN_ENOUGH = 0.5
"""Guesses below this are kept in the graph and never told as an answer."""

MOST_EDGES = 2_000
"""Edges read at one symbol: past this a list of callers helps nobody, and hubs() names the symbol."""

_EXTENSIONS = 64
"""More extensions of one type than this add nothing that an answer could show."""


def extensions_of(types: Iterable[int], reader: GraphReader) -> Mapping[int, tuple[int, ...]]:
    """The extensions of each type that has any."""
    found: dict[int, list[int]] = {}
    for edge in reader.edges_to(types, per_node=_EXTENSIONS, kinds={EdgeKind.EXTEND}):
        found.setdefault(edge.target, []).append(edge.source)
    return {target: tuple(sorted(sources)) for target, sources in found.items()}


def wholes_of(ids: Iterable[int], reader: GraphReader) -> Mapping[int, int]:
    """For closures the declaration around them, for extensions the type they extend; other symbols are left out."""
    nodes = set(ids)
    found = dict(reader.owners(nodes))
    found.update((edge.source, edge.target) for edge in reader.edges_from(nodes, per_node=1, kinds={EdgeKind.EXTEND}))
    return found


def parts_of(ids: Iterable[int], reader: GraphReader) -> Mapping[int, tuple[int, ...]]:
    """Each symbol with its closures and extensions, itself first."""
    nodes = tuple(dict.fromkeys(ids))
    closures, extensions = reader.closures_in(nodes), extensions_of(nodes, reader)
    return {node: (node, *closures.get(node, ()), *extensions.get(node, ())) for node in nodes}


def members_of(symbol: Symbol, reader: GraphReader) -> Sequence[Symbol]:
    """What a type and its extensions declare; empty for anything that is no type."""
    if not symbol.kind.is_type:
        return ()
    name = split_type(symbol.name)[0]
    full = name if symbol.kind is SymbolKind.EXTENSION or not symbol.container else f"{symbol.container}.{name}"
    extensions = reader.symbols(extensions_of((symbol.id,), reader).get(symbol.id, ()))
    paths = {symbol.path, *(extension.path for extension in extensions.values())}
    return [each for each in reader.symbols_in(sorted(paths)) if split_type(each.container)[0] == full and each.id != symbol.id]


def the_symbol(reader: GraphReader, symbol_id: int) -> Symbol:
    """Raises ``UnknownSymbol`` for an identifier that the generation does not have."""
    symbol = reader.symbols((symbol_id,)).get(symbol_id)
    if symbol is None:
        raise UnknownSymbol("The symbol is not in this generation of the index.", hint="Look it up again: identifiers belong to one generation.")
    return symbol


def endpoints_of(reader: GraphReader, symbol_ids: Iterable[int]) -> set[int]:
    """The symbols; of a type, its members too, for whoever asks about a type means what it does."""
    symbols = [the_symbol(reader, symbol_id) for symbol_id in symbol_ids]
    return {end for symbol in symbols for end in (symbol.id, *(member.id for member in members_of(symbol, reader)))}


def between_wholes(edges: Iterable[Edge], reader: GraphReader) -> list[Edge]:
    """Edges with both ends lifted to what they belong to."""
    listed = list(edges)
    wholes = wholes_of({end for edge in listed for end in (edge.source, edge.target)}, reader)
    return [replace(edge, source=wholes.get(edge.source, edge.source), target=wholes.get(edge.target, edge.target)) for edge in listed]
