"""A repository written down in a few lines: real graph store, real chunk index, facts given by hand. A fake of an indexer, for tests of queries."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exegesis.adapters.edge_chunks import EdgeChunks
from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.bm25f import chunk_vectors, file_vectors
from exegesis.model import (
    Chunk,
    ChunkKind,
    Coverage,
    Edge,
    EdgeKind,
    FileFacts,
    FileRole,
    FileStatus,
    Generation,
    Modifier,
    SourceFile,
    Span,
    Symbol,
    SymbolKind,
    Tier,
    file_id,
    stable_id,
)
from exegesis.ports import Embedder, LexicalPoint, Reranker
from exegesis.terms import document_terms, pack
from services.graph.api import Pin
from services.graph.local import LocalGraph
from services.query.corpus import Corpora, Corpus


@dataclass(frozen=True, slots=True)
class Piece:
    """One symbol with a chunk of its own."""

    name: str
    text: str
    """Body lines, without the declaration."""
    doc: str = ""
    kind: SymbolKind = SymbolKind.METHOD
    enclosing: str = ""
    calls: tuple[str, ...] = ()
    """Names of pieces anywhere in the repository, in the order of their call sites."""
    in_closure: tuple[str, ...] = ()
    """Names of pieces that a closure on the first line of the body calls."""
    modifiers: Modifier = Modifier.NONE
    part: int = 0
    parts: int = 1


def small_repository(
    folder: Path,
    files: Mapping[str, Sequence[Piece]],
    roles: Mapping[str, FileRole] | None = None,
    *,
    name: str = "repo",
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    vectors: bool = False,
) -> Corpus:
    """An opened corpus. With ``vectors`` every chunk gets one, made of its name and doc."""
    symbols, chunks = _declare(files)
    by_name = {symbol.name: symbol for symbol in symbols.values()}
    pin = Pin(name, "g1")
    store, index = SqliteGraph(folder / "graph"), EdgeChunks(folder / "chunks")
    draft = store.draft(name, "g1", basis=None)
    paths = sorted(files)
    draft.put_files([SourceFile(path, "", 1, "toy", (roles or {}).get(path, FileRole.NONE), FileStatus.INDEXED) for path in paths])
    terms = {chunk.id: pack(document_terms(chunk)) for chunk in chunks}
    for path in paths:
        own = tuple(chunk for chunk in chunks if chunk.path == path)
        declared = tuple({s.id: s for s in symbols.values() if s.path == path}.values())
        draft.put_facts([FileFacts(path, "", "toy", declared, (), own, tuple(terms[chunk.id] for chunk in own))])
        draft.put_links(path, _edges(files[path], path, symbols, by_name), (), ())
    draft.commit()
    graph = LocalGraph(store)
    statistics = graph.statistics(pin)
    points = index.draft(name, "g1", basis=None, dimensions=embedder.dimensions if embedder else 4)
    for chunk, vector in zip(chunks, chunk_vectors([terms[chunk.id] for chunk in chunks], statistics), strict=True):
        points.put_lexical([LexicalPoint(chunk.id, is_file=False, vector=vector)])
    whole = [[terms[chunk.id] for chunk in chunks if chunk.path == path] for path in paths]
    for path, vector in zip(paths, file_vectors(whole, statistics), strict=True):
        points.put_lexical([LexicalPoint(file_id(path), is_file=True, vector=vector)])
    if vectors and embedder:
        embedded = embedder.embed([f"{chunk.name} {chunk.doc}" for chunk in chunks], tokens=64)
        points.put_dense(zip((chunk.id for chunk in chunks), embedded, strict=True))
    points.commit()
    fingerprint = embedder.fingerprint if vectors and embedder else ""
    coverage = Coverage(len(paths), len(paths), dense=1.0 if fingerprint else 0.0)
    generation = Generation("g1", name, "c0ffee", 0.0, len(symbols), 0, len(chunks), coverage, fingerprint)
    return Corpora(graph, index, embedder=embedder, reranker=reranker).open(generation)


def _declare(files: Mapping[str, Sequence[Piece]]) -> tuple[dict[tuple[str, str], Symbol], list[Chunk]]:
    symbols: dict[tuple[str, str], Symbol] = {}
    chunks: list[Chunk] = []
    for path in sorted(files):
        line = 1
        for piece in files[path]:
            head = "".join(f"/// {comment}\n" for comment in piece.doc.splitlines()) + f"func {piece.name}() {{\n"
            text = head + "".join(f"    {body}\n" for body in piece.text.splitlines()) + "}\n"
            span = Span(line, line + text.count("\n") - 1)
            qualified = f"{piece.enclosing}.{piece.name}" if piece.enclosing else piece.name
            symbol = symbols.get((path, qualified)) or Symbol(
                id=stable_id("toy", path, qualified),
                name=piece.name,
                qualified=qualified,
                kind=piece.kind,
                path=path,
                span=span,
                line=line + head.count("\n") - 1,
                column=6,
                container=piece.enclosing,
                signature=f"func {piece.name}()",
                doc=piece.doc,
                modifiers=piece.modifiers,
            )
            symbols[path, qualified] = symbol
            if piece.in_closure:
                symbols[path, f"{qualified}.closure"] = dataclasses.replace(
                    symbol,
                    id=stable_id("toy", path, qualified, "closure"),
                    name="closure",
                    qualified=f"{qualified}.closure",
                    kind=SymbolKind.CLOSURE,
                    line=symbol.line + 1,
                    parent=symbol.id,
                )
            chunks.append(
                Chunk(
                    id=stable_id(path, qualified, piece.part),
                    path=path,
                    kind=ChunkKind.SYMBOL,
                    runs=(span,),
                    text=text,
                    symbol=symbol.id,
                    symbol_kind=piece.kind,
                    name=piece.name,
                    qualified=qualified,
                    enclosing=piece.enclosing,
                    signature=symbol.signature,
                    doc=piece.doc,
                    part=piece.part,
                    parts=piece.parts,
                )
            )
            line = span.end + 2
    return symbols, chunks


def _edges(pieces: Sequence[Piece], path: str, symbols: Mapping[tuple[str, str], Symbol], by_name: Mapping[str, Symbol]) -> list[Edge]:
    edges = []
    for piece in pieces:
        qualified = f"{piece.enclosing}.{piece.name}" if piece.enclosing else piece.name
        for within, calls in ((qualified, piece.calls), (f"{qualified}.closure", piece.in_closure)):
            edges += [
                Edge(source.id, by_name[name].id, EdgeKind.CALL, "S1", Tier.SCOPED, 1.0, source.line + number, 5)
                for number, name in enumerate(calls, 1)
                for source in [symbols[path, within]]
            ]
    return edges
