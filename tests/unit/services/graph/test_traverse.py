"""Walking the graph breadth first."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import ReferenceKind, Symbol, SymbolKind
from exegesis.ports import GraphReader
from services.graph.api import Direction, Pin
from services.graph.local import LocalGraph
from services.graph.traverse import HUB, traverse
from tests.fakes.code import UNKNOWN, Code


def opened(folder: Path, code: Code) -> GraphReader:
    graph = LocalGraph(SqliteGraph(folder))
    graph.begin(Pin("shop", "g1"), basis=None)
    graph.write(Pin("shop", "g1"), [code.facts()])
    graph.finish(Pin("shop", "g1"), [code.file()])
    return SqliteGraph(folder).open("shop", "g1")


def row_of_calls(code: Code, length: int) -> list[Symbol]:
    """f0 calls f1 calls f2 ..."""
    functions = [code.declare(SymbolKind.FUNCTION, f"f{index}") for index in range(length)]
    for caller, callee in itertools.pairwise(functions):
        code.call(caller, callee.name)
    return functions


@pytest.mark.parametrize(
    ("direction", "reached"),
    [
        (Direction.CALLEES, {3: 0, 4: 1, 5: 2}),
        (Direction.CALLERS, {3: 0, 2: 1, 1: 2}),
        (Direction.BOTH, {3: 0, 4: 1, 2: 1, 5: 2, 1: 2}),
    ],
)
def test_levels_follow_the_direction_up_to_the_depth(tmp_path: Path, direction: Direction, reached: dict[int, int]) -> None:
    """Distances count calls from the nearest seed."""
    code = Code("a")
    functions = row_of_calls(code, 8)
    around = traverse(opened(tmp_path, code), [functions[3].id], direction, depth=2)
    assert dict(around.distances) == {functions[index].id: distance for index, distance in reached.items()}
    assert not around.truncated


def test_hub_is_reached_and_not_walked_through(tmp_path: Path) -> None:
    """What everything calls leads to nothing else that calls it, except where it was asked for itself."""
    code = Code("a")
    log = code.declare(SymbolKind.FUNCTION, "log")
    callers = [code.declare(SymbolKind.FUNCTION, f"f{index}") for index in range(HUB + 5)]
    for caller in callers:
        code.call(caller, "log")
    reader = opened(tmp_path, code)
    assert {node for node, _ in traverse(reader, [callers[0].id], Direction.BOTH).distances} == {callers[0].id, log.id}
    assert len(traverse(reader, [log.id], Direction.BOTH, per_node=10).distances) == 11


def test_fan_out_is_capped_and_said_so(tmp_path: Path) -> None:
    """A function that calls a hundred others shows as many as were asked for."""
    code = Code("a")
    start = code.declare(SymbolKind.FUNCTION, "start")
    for index in range(30):
        code.declare(SymbolKind.FUNCTION, f"f{index}")
        code.call(start, f"f{index}")
    around = traverse(opened(tmp_path, code), [start.id], Direction.CALLEES, per_node=8)
    assert len(around.distances) == 9
    assert around.truncated


def test_maybes_are_walked_only_on_request(tmp_path: Path) -> None:
    """A guess of confidence .3 is kept in the graph and left out of its neighbourhoods by default."""
    code = Code("a.py", language="python")
    start = code.declare(SymbolKind.FUNCTION, "start")
    code.declare(SymbolKind.METHOD, "reticulate", code.declare(SymbolKind.CLASS, "Spline"))
    code.call(start, "reticulate", UNKNOWN)
    reader = opened(tmp_path, code)
    assert len(traverse(reader, [start.id], Direction.CALLEES).distances) == 1
    assert len(traverse(reader, [start.id], Direction.CALLEES, min_confidence=0.3).distances) == 2


def test_type_is_reached_through_what_its_extensions_do(tmp_path: Path) -> None:
    """An extension's conformance counts as the type's own."""
    code = Code("a")
    protocol = code.declare(SymbolKind.PROTOCOL, "Payment")
    card = code.declare(SymbolKind.STRUCT, "Card")
    extension = code.declare(SymbolKind.EXTENSION, "Card", inherits=("Payment",))
    code.refer(ReferenceKind.INHERIT, extension, "Payment")
    around = traverse(opened(tmp_path, code), [card.id], Direction.CALLEES)
    assert dict(around.distances) == {card.id: 0, protocol.id: 1}
    assert [(edge.source, edge.target) for edge in around.edges] == [(card.id, protocol.id)]
