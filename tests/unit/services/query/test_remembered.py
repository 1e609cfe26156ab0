"""Rows that were read once are not read again, and an answer does not depend on what was read before it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.errors import NotIndexed
from exegesis.model import EdgeKind, Span, Symbol, SymbolKind
from services.graph.api import Direction, Pin
from services.graph.local import LocalGraph
from services.query.remembered import WITHOUT_TEXT, RememberedGraph
from tests.fakes.code import Code

PIN = Pin("shop-1234", "g1")


@pytest.fixture
def graph(tmp_path: Path) -> LocalGraph:
    return LocalGraph(SqliteGraph(tmp_path))


def build(graph: LocalGraph, pin: Pin, names: Sequence[str]) -> list[Symbol]:
    """Functions of which each calls the one after it."""
    file = Code("a.swift")
    symbols = [file.declare(SymbolKind.FUNCTION, name) for name in names]
    for symbol, other in zip(symbols, names[1:], strict=False):
        file.call(symbol, other)
    graph.begin(pin, basis=None)
    graph.write(pin, [file.facts()])
    graph.finish(pin, [file.file()])
    return symbols


def build_files(graph: LocalGraph, pin: Pin, paths: Sequence[str]) -> None:
    """Files of two functions."""
    files = [Code(path) for path in paths]
    for file in files:
        file.declare(SymbolKind.FUNCTION, "first")
        file.declare(SymbolKind.FUNCTION, "second")
    graph.begin(pin, basis=None)
    graph.write(pin, [file.facts() for file in files])
    graph.finish(pin, [file.file() for file in files])


def test_answers_are_those_of_the_graph_whatever_was_read_before(graph: LocalGraph) -> None:
    """Rows come in the order asked for, known and new ones mixed; what is unknown is left out, every time."""
    ids = [symbol.id for symbol in build(graph, PIN, "abcdef")]
    kept = RememberedGraph(graph)
    for asked in (ids[3:5], ids[::-1], [ids[2], 99, ids[0]], ids, []):
        assert list(kept.symbols(PIN, asked)) == [id_ for id_ in asked if id_ in ids]
        assert kept.symbols(PIN, asked) == graph.symbols(PIN, asked)
        assert kept.degrees(PIN, asked) == graph.degrees(PIN, asked)
        assert kept.chunks_of_symbols(PIN, asked) == graph.chunks_of_symbols(PIN, asked)
        chunks = [chunk for own in graph.chunks_of_symbols(PIN, asked).values() for chunk in own]
        assert kept.chunks(PIN, chunks) == graph.chunks(PIN, chunks)
        assert kept.chunks(PIN, chunks, text=True) == graph.chunks(PIN, chunks, text=True)
        for direction in Direction:
            for cap in (1, 16):
                assert list(kept.edges(PIN, asked, direction, per_node=cap)) == list(graph.edges(PIN, asked, direction, per_node=cap))
    assert {edge.kind for edge in kept.edges(PIN, ids, Direction.BOTH)} == {EdgeKind.CALL}


def test_what_was_read_is_not_read_again(graph: LocalGraph) -> None:
    """Rows outlive the graph that they were read from; rows that were not read do not."""
    first, second, third = build(graph, PIN, "abc")
    kept = RememberedGraph(graph)
    known = kept.symbols(PIN, [first.id, second.id])
    edges = kept.edges(PIN, [first.id, third.id], Direction.CALLEES)
    with closing(graph):
        graph.delete(PIN)
    assert kept.symbols(PIN, [second.id, first.id]) == known
    assert kept.edges(PIN, [third.id, first.id], Direction.CALLEES) == edges
    with pytest.raises(NotIndexed):
        kept.symbols(PIN, [first.id, third.id])


def test_files_come_whole_and_in_the_order_of_their_paths(graph: LocalGraph) -> None:
    """Chunks of files are those of the graph, also of files that were read before, asked for twice or unknown; and they are read once."""
    build_files(graph, PIN, ["b.swift", "a.swift", "c.swift"])
    kept = RememberedGraph(graph)
    for asked in (["b.swift"], ["c.swift", "b.swift", "none.swift"], ["a.swift", "a.swift", "none.swift"], []):
        assert list(kept.chunks_in(PIN, asked)) == list(graph.chunks_in(PIN, asked))
        assert list(kept.chunks_in(PIN, asked, text=True)) == list(graph.chunks_in(PIN, asked, text=True))
    known = kept.chunks_in(PIN, ["a.swift", "c.swift"])
    graph.delete(PIN)
    assert [chunk.path for chunk in known] == ["a.swift"] * 2 + ["c.swift"] * 2
    assert kept.chunks_in(PIN, ["c.swift", "a.swift"]) == known


def test_of_whole_files_the_chunks_are_counted(graph: LocalGraph) -> None:
    """Three rows are one file of two chunks, whatever number of files was asked for; a file that is larger than all that is kept is read whole."""
    build_files(graph, PIN, ["a.swift", "b.swift"])
    kept, smaller = RememberedGraph(graph, rows=3), RememberedGraph(graph, rows=1)
    assert len(kept.chunks_in(PIN, ["a.swift", "b.swift"])) == 4
    assert len(smaller.chunks_in(PIN, ["a.swift"])) == 2
    graph.delete(PIN)
    assert len(kept.chunks_in(PIN, ["b.swift"])) == 2
    with pytest.raises(NotIndexed):
        kept.chunks_in(PIN, ["a.swift"])
    with pytest.raises(NotIndexed):
        smaller.chunks_in(PIN, ["a.swift"])


def test_symbols_at_lines_are_kept_by_the_runs_asked_for(graph: LocalGraph) -> None:
    """Overlapping runs, runs in no order and runs read before give every symbol once, in the order of the text, and are read once."""
    build_files(graph, PIN, ["a.swift", "b.swift"])
    kept = RememberedGraph(graph)
    all_lines, first, last = Span(1, 9), Span(1, 1), Span(2, 9)
    for places in (
        {"a.swift": [first]},
        {"b.swift": [last, first], "a.swift": [last, first]},
        {"a.swift": [all_lines, first], "none.swift": [first]},
        {"b.swift": []},
    ):
        assert list(kept.symbols_at(PIN, places)) == list(graph.symbols_at(PIN, places))
    graph.delete(PIN)
    assert [symbol.name for symbol in kept.symbols_at(PIN, {"a.swift": [last, first]})] == ["first", "second"]
    with pytest.raises(NotIndexed):
        kept.symbols_at(PIN, {"b.swift": [all_lines]})


def test_symbols_are_kept_by_name_in_any_case(graph: LocalGraph) -> None:
    """Names asked for in several spellings, unknown ones and names that many bear: the symbols come by place, and are read once."""
    build_files(graph, PIN, ["b.swift", "a.swift"])
    kept = RememberedGraph(graph)
    for names in (["Second"], ["first", "FIRST", "none"], ["second", "first"], []):
        assert list(kept.symbols_named(PIN, names)) == list(graph.symbols_named(PIN, names))
    graph.delete(PIN)
    assert [symbol.path for symbol in kept.symbols_named(PIN, ["First"])] == ["a.swift", "b.swift"]
    with pytest.raises(NotIndexed):
        kept.symbols_named(PIN, ["other"])


def test_texts_are_kept_by_their_size(graph: LocalGraph) -> None:
    """A chunk with its text is not read twice while there is room, and makes room for others."""
    build_files(graph, PIN, ["a.swift"])
    first, second = (chunk.id for chunk in graph.chunks_in(PIN, ["a.swift"]))
    kept, smaller = RememberedGraph(graph), RememberedGraph(graph, text=WITHOUT_TEXT + 500)
    known = kept.chunks(PIN, [second, first], text=True)
    smaller.chunks(PIN, [first], text=True)
    smaller.chunks(PIN, [second], text=True)
    graph.delete(PIN)
    assert kept.chunks(PIN, [first, second], text=True) == known
    assert list(smaller.chunks(PIN, [second], text=True)) == [second]
    with pytest.raises(NotIndexed):
        smaller.chunks(PIN, [first], text=True)


def test_generations_are_kept_apart(graph: LocalGraph) -> None:
    """The same symbol may have other edges in another generation of the same repository."""
    later = Pin(PIN.repository, "g2")
    (first, _), _ = build(graph, PIN, "ab"), build(graph, later, "a")
    kept = RememberedGraph(graph)
    assert len(kept.edges(PIN, [first.id], Direction.CALLEES)) == 1
    assert kept.edges(later, [first.id], Direction.CALLEES) == []


def test_memory_is_bounded(graph: LocalGraph) -> None:
    """The rows read longest ago make room, and so do generations; answers stay whole."""
    ids = [symbol.id for symbol in build(graph, PIN, "abcdef")]
    others = [Pin(PIN.repository, name) for name in ("g2", "g3")]
    for other in others:
        build(graph, other, "xy")
    kept = RememberedGraph(graph, generations=2, rows=3)
    assert list(kept.symbols(PIN, ids)) == ids
    graph.delete(PIN)
    assert list(kept.symbols(PIN, ids[3:])) == ids[3:]
    with pytest.raises(NotIndexed):
        kept.symbols(PIN, ids[:1])
    for other in others:
        kept.symbols(other, ids[:1])
    with pytest.raises(NotIndexed):
        kept.symbols(PIN, ids[3:])
