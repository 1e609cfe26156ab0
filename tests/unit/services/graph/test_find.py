"""What a person means by a name."""

from __future__ import annotations

import difflib
from contextlib import closing
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.errors import UnknownSymbol
from exegesis.model import Modifier, SymbolKind
from services.graph.api import Pin
from services.graph.find import ALIKE, alike
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


def test_a_line_that_no_file_has_is_no_place(tmp_path: Path) -> None:
    """However many digits somebody sends, and in whatever script."""
    graph = LocalGraph(SqliteGraph(tmp_path))
    graph.begin(PIN, basis=None)
    graph.finish(PIN, [])
    with closing(graph):
        for line in ("9" * 5_000, "²", "٣"):
            with pytest.raises(UnknownSymbol):
                graph.find(PIN, f"A.swift:{line}")


@given(st.text("abcé_1", max_size=9), st.lists(st.text("abcdé_1", min_size=1, max_size=9), max_size=20))
def test_what_is_spelled_alike_is_always_compared(wanted: str, names: list[str]) -> None:
    """Letters that names have in common decide who is compared in order, and nobody is lost by it."""
    assert set(difflib.get_close_matches(wanted, names, n=20, cutoff=ALIKE)) <= set(alike(wanted, names))


def test_what_has_other_letters_is_not_compared() -> None:
    """Comparing in order is dear: a name too short, too long or of other letters is left out before."""
    assert alike("session", ["sessoin", "sess", "sessionManager", "request"]) == ["sessoin"]
