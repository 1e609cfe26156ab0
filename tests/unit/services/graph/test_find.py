"""What a person means by a name."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import Modifier, SymbolKind
from services.graph.api import Pin
from services.graph.local import LocalGraph
from tests.fakes.code import Code

PIN = Pin("made-1234", "g1")


def test_a_procedure_comes_before_the_prototypes_that_declare_it(tmp_path: Path) -> None:
    """Nobody calls a prototype, wherever it stands, and a procedure may be private to its member."""
    code = Code("A_ORDERS.rpgle", language="rpg")
    code.declare(SymbolKind.PROTOTYPE, "SetType")
    code.declare(SymbolKind.PROCEDURE, "SetType", modifiers=Modifier.PRIVATE)
    graph = LocalGraph(SqliteGraph(tmp_path))
    graph.begin(PIN, basis=None)
    graph.write(PIN, [code.facts()])
    graph.finish(PIN, [code.file()])
    with closing(graph):
        assert [symbol.kind for symbol in graph.find(PIN, "settype")] == [SymbolKind.PROCEDURE, SymbolKind.PROTOTYPE]
