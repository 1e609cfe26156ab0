"""Questions about a finished graph, answered with relations: edges whose ends are spelled out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from exegesis.model import Edge, EdgeKind, FileRole, Hub, Modifier, Relation, Symbol, SymbolKind
from exegesis.ports import GraphReader
from services.graph.parts import CERTAIN_ENOUGH, FLOW, MOST_EDGES, between_wholes, extensions_of, members_of, parts_of, the_symbol

USES = FLOW | {EdgeKind.TYPE, EdgeKind.INHERIT}


def callers(reader: GraphReader, symbol_id: int) -> Sequence[Relation]:
    """Who uses a symbol, each user once: current before deprecated, tests last, the most confident first.

    Calls of what the symbol stands in for (a requirement that it satisfies, a member that it overrides) are possible calls of it and are listed
    with the product of both confidences.
    """
    symbol = the_symbol(reader, symbol_id)
    return _ordered(reader, [use for use in _uses_of(reader, {symbol.id: 1.0}) if use.edge.source != symbol.id], outward=False)


def callees(reader: GraphReader, symbol_id: int) -> Sequence[Relation]:
    """What a symbol uses, each once, in the order of the first call; of a type, what its members use outside of it."""
    symbol = the_symbol(reader, symbol_id)
    own = [symbol.id, *(member.id for member in members_of(symbol, reader))]
    parts = [part for each in parts_of(own, reader).values() for part in each]
    edges = between_wholes(reader.edges_from(parts, per_node=MOST_EDGES, kinds=FLOW), reader)
    inside = set(own)
    outward = [_Use(edge, edge.confidence) for edge in edges if edge.target not in inside or edge.target == edge.source]
    return _ordered(reader, outward, outward=True)


def impact(reader: GraphReader, symbol_id: int, *, depth: int = 5, limit: int = 200) -> Sequence[Relation]:
    """Everything that reaches the symbol, nearest first, each with the edge by which it does and the product of confidences up to there."""
    symbol = the_symbol(reader, symbol_id)
    confidence = {symbol.id: 1.0}
    found: list[Relation] = []
    level = dict(confidence)
    for distance in range(1, depth + 1):
        best: dict[int, _Use] = {}
        for use in _uses_of(reader, level):
            if use.edge.source not in confidence and _better(use, best.get(use.edge.source)):
                best[use.edge.source] = use
        ends = reader.symbols({end for use in best.values() for end in (use.edge.source, use.edge.target)})
        tests = _tests(reader, ends.values())
        reached = sorted(best.values(), key=lambda use: _place_order(ends, tests, use, use.edge.source))[: limit - len(found)]
        found.extend(Relation(ends[use.edge.source], ends[use.edge.target], use.edge, distance, use.confidence) for use in reached)
        level = {use.edge.source: use.confidence for use in reached}
        confidence.update(level)
        if not level or len(found) >= limit:
            break
    return found


def hubs(reader: GraphReader, *, limit: int = 20) -> Sequence[Hub]:
    """Symbols that most others use, outside of tests."""
    busiest = dict(reader.busiest(limit * 3))
    found = reader.symbols(busiest)
    tests = _tests(reader, found.values())
    kept = [found[node] for node in busiest if node in found and found[node].path not in tests][:limit]
    degrees = reader.degrees([symbol.id for symbol in kept])
    return [Hub(symbol, degrees[symbol.id].callers, degrees[symbol.id].callees) for symbol in kept]


# ----------------------------------------------------------------------------------------------------------------- parts


@dataclass(frozen=True, slots=True)
class _Use:
    edge: Edge
    confidence: float


def _uses_of(reader: GraphReader, nodes: Mapping[int, float]) -> list[_Use]:
    """Edges into some symbols, into the initialisers of types among them, and into what they stand in for."""
    known = reader.symbols(nodes)
    weights = dict(nodes)
    for symbol in known.values():
        for member in members_of(symbol, reader):
            if member.kind is SymbolKind.INITIALIZER:
                weights.setdefault(member.id, nodes[symbol.id])
    stood_for: dict[int, float] = {}
    for edge in reader.edges_to(nodes, per_node=MOST_EDGES, kinds={EdgeKind.WITNESS}):
        stood_for[edge.source] = max(stood_for.get(edge.source, 0.0), nodes[edge.target] * edge.confidence)
    for edge in reader.edges_from(nodes, per_node=MOST_EDGES, kinds={EdgeKind.OVERRIDE}):
        stood_for[edge.target] = max(stood_for.get(edge.target, 0.0), nodes[edge.source] * edge.confidence)
    for node, confidence in stood_for.items():
        weights.setdefault(node, confidence)
    parts = {node: (node, *extensions) for node, extensions in extensions_of(weights, reader).items()}
    part_of = {part: node for node in weights for part in parts.get(node, (node,))}
    raw = [edge for edge in reader.edges_to(part_of, per_node=MOST_EDGES, kinds=USES) if edge.confidence >= CERTAIN_ENOUGH]
    lifted = between_wholes(raw, reader)
    return [
        _Use(edge, edge.confidence * weights[part_of[original.target]])
        for original, edge in zip(raw, lifted, strict=True)
        if not (edge.kind is EdgeKind.WITNESS and original.target in nodes and edge.source in stood_for)
    ]


def _ordered(reader: GraphReader, uses: Iterable[_Use], *, outward: bool) -> Sequence[Relation]:
    """One relation for each far end: the most confident."""
    best: dict[int, _Use] = {}
    for use in uses:
        far = use.edge.target if outward else use.edge.source
        if use.edge.confidence >= CERTAIN_ENOUGH and _better(use, best.get(far)):
            best[far] = use
    symbols = reader.symbols({end for use in best.values() for end in (use.edge.source, use.edge.target)})
    tests = _tests(reader, symbols.values())
    relations = [
        (
            _place_order(symbols, tests, use, far, by_site=outward),
            Relation(symbols[use.edge.source], symbols[use.edge.target], use.edge, 1, use.confidence),
        )
        for far, use in best.items()
        if use.edge.source in symbols and use.edge.target in symbols
    ]
    return [relation for _, relation in sorted(relations, key=lambda pair: pair[0])]


def _better(use: _Use, known: _Use | None) -> bool:
    """More confident, or as confident and earlier in the text."""
    if known is None:
        return True
    return (-use.confidence, use.edge.line, use.edge.column) < (-known.confidence, known.edge.line, known.edge.column)


def _place_order(symbols: Mapping[int, Symbol], tests: set[str], use: _Use, far: int, *, by_site: bool = False) -> tuple[object, ...]:
    symbol = symbols[far]
    site = (symbols[use.edge.source].path, use.edge.line, use.edge.column) if by_site else (-round(use.confidence, 6), symbol.path, symbol.line)
    return (symbol.path in tests, bool(symbol.modifiers & Modifier.DEPRECATED), *site, far)


def _tests(reader: GraphReader, symbols: Iterable[Symbol]) -> set[str]:
    return {row.file.path for row in reader.files(sorted({symbol.path for symbol in symbols})) if row.file.roles & FileRole.TEST}
