"""Hand-made evidence: contexts of a few items whose calls are written as pairs of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exegesis.model import Context, ContextItem, Edge, EdgeKind, Place, Span, Symbol, SymbolKind, Tier, stable_id
from services.query.flow import Flow, read_flow


def item(
    number: int,
    symbol: str,
    text: str = "",
    *,
    path: str = "Sources/App.swift",
    start: int = 1,
    kind: str = "method",
    doc: str = "",
    signature: str = "",
    place: Place = Place.ANCHOR,
    score: float = 1.0,
) -> ContextItem:
    body = text or f"func {symbol}() {{\n}}\n"
    lines = body.count("\n") + (not body.endswith("\n"))
    return ContextItem(
        id=f"E{number}",
        repository="app",
        path=path,
        runs=(Span(start, start + lines - 1),),
        text=body,
        symbol=symbol,
        kind=kind,
        score=score,
        place=place,
        why="",
        tokens=len(body) // 3,
        chunk=number,
        symbol_id=identifier(symbol),
        signature=signature,
        doc=doc,
    )


def identifier(symbol: str) -> int:
    return stable_id("symbol", symbol)


def symbols_of(items: Sequence[ContextItem]) -> Mapping[int, Symbol]:
    return {
        identifier(found.symbol): Symbol(
            id=identifier(found.symbol),
            name=found.symbol.partition("(")[0].rpartition(".")[2],
            qualified=found.symbol,
            kind=SymbolKind(found.kind) if found.kind in set(SymbolKind) else SymbolKind.HEADING,
            path=found.path,
            span=Span(found.start, found.end),
            line=found.start,
            column=1,
        )
        for found in items
    }


def context(items: Sequence[ContextItem], calls: Sequence[tuple[str, str, int] | tuple[str, str, int, EdgeKind, float]] = ()) -> Context:
    """``calls``: source, target and line, perhaps with kind and confidence."""
    edges = []
    for source, target, line, *more in calls:
        kind, confidence = more or (EdgeKind.CALL, 0.95)
        edges.append(Edge(identifier(source), identifier(target), kind, "S1", Tier.SCOPED, confidence, line, 5))
    return Context(tuple(items), sum(found.tokens for found in items), 24_000, tuple(edges))


def flow_of(found: Context) -> Flow:
    return read_flow(found, symbols_of(found.items))


def lines_of(found: Context) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Files that hold just the items, at their lines."""
    files: dict[tuple[str, str], dict[int, str]] = {}
    for one in found.items:
        for offset, line in enumerate(one.text.splitlines()):
            files.setdefault((one.repository, one.path), {})[one.start + offset] = line
    return {key: tuple(numbered.get(number, "") for number in range(1, max(numbered) + 1)) for key, numbered in files.items()}
