"""Symbols found by what a compiler calls them, in the graph of the sample package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.errors import UnknownSymbol
from exegesis.model import FileRole, FileStatus, SourceFile
from exegesis.ports import GraphReader
from services.graph.api import Pin
from services.graph.find import find
from services.graph.local import LocalGraph
from tests.unit.services.graph.test_exact_edges import parsed, records

PIN = Pin("harvest", "g1")


@pytest.fixture(scope="module")
def reader() -> Iterator[GraphReader]:
    with TemporaryDirectory() as folder:
        graph = LocalGraph(SqliteGraph(Path(folder)))
        graph.begin(PIN, basis=None)
        graph.write(PIN, parsed().values(), records().values())
        graph.finish(PIN, [SourceFile(path, facts.digest, 1, "swift", FileRole.NONE, FileStatus.INDEXED) for path, facts in parsed().items()])
        graph.close()
        yield SqliteGraph(Path(folder)).open(PIN.repository, PIN.generation)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("s:7Orchard4TreeC4growyyF", "Tree.grow()"),
        ("$s7Orchard4TreeC4growyyF", "Tree.grow()"),
        ("_$s7Orchard4TreeC4growyyF", "Tree.grow()"),
        ("s:7Orchard4TreeC3ageSivg", "Tree.age"),
        ("s:7Harvest5AppleV5gramsACSi_tcfc", "Apple"),
    ],
    ids=["a USR", "a mangled name", "as a linker writes it", "a getter", "an initialiser that nobody wrote"],
)
def test_a_key_is_its_declaration(reader: GraphReader, written: str, meant: str) -> None:
    """What a crash log or another tool says can be pasted."""
    assert [symbol.qualified for symbol in find(reader, written)] == [meant]


@pytest.mark.parametrize("written", ["Apple.init(grams:)", "Apple.init"])
def test_what_nobody_wrote_is_found_by_its_name(reader: GraphReader, written: str) -> None:
    """Its type stands for it."""
    assert [symbol.qualified for symbol in find(reader, written)] == ["Apple"]


def test_what_was_written_is_found_as_ever(reader: GraphReader) -> None:
    """A name that is declared means its declaration, and nothing that a compiler made."""
    assert [symbol.qualified for symbol in find(reader, "Tree.init(age:)")] == ["Tree.init(age:)"]


@pytest.mark.parametrize("written", ["s:5print", "$sSa6appendyyxnF", "Apple.init(weight:)", "Nothing.init(grams:)"])
def test_what_is_not_of_the_project_is_unknown(reader: GraphReader, written: str) -> None:
    """Keys of libraries, and names that fit nothing."""
    with pytest.raises(UnknownSymbol):
        find(reader, written)
