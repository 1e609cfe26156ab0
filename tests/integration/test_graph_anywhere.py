"""Graphs in the database: several graph services, each with a folder of its own, answer about what one of them built."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from exegesis.settings import Settings, read_settings
from services.assembly import Assembly
from services.graph.api import Pin
from services.indexer.api import IndexOptions
from tests.fakes.postgres_server import postgres_server

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "swift-oauth" / "Sources"
WORDS = IndexOptions(embed=False)


def machine(address: str, home: Path) -> Settings:
    told = {"EXEGESIS_CATALOG_ADDRESS": address, "EXEGESIS_GRAPH_STORE": "database", "EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none"}
    return read_settings(told)


def test_a_graph_service_with_an_empty_folder_answers_as_the_one_that_built(tmp_path: Path) -> None:
    """Symbols, edges and texts alike, of the head and of the one after an edit; what retention deleted is kept nowhere."""
    project = tmp_path / "project"
    shutil.copytree(EXAMPLE, project)
    with (
        postgres_server() as server,
        contextlib.closing(Assembly(machine(server.address, tmp_path / "one"))) as builder,
        contextlib.closing(Assembly(machine(server.address, tmp_path / "two"))) as reader,
    ):
        for edit in ("", "\nfunc added() { added() }\n"):
            file = next(project.rglob("*.swift"))
            file.write_text(file.read_text() + edit)
            head = builder.indexer.index(str(project), WORDS, lambda _: None).generation
            assert reader.catalog.head(head.repository) == head
            pin = Pin(head.repository, head.id)
            paths = [row.file.path for row in builder.graph.files(pin)]
            assert reader.graph.files(pin) == builder.graph.files(pin)
            assert reader.graph.symbols_in(pin, paths) == builder.graph.symbols_in(pin, paths)
            assert reader.graph.chunks_in(pin, paths, text=True) == builder.graph.chunks_in(pin, paths, text=True)
            assert (tmp_path / "two" / "graph" / head.repository / f"{head.id}.db").exists()
        assert len(list(reader.graph.stored(head.repository))) == 2 * 2  # each with one that says that it is described
        builder.indexer.remove(head.repository)
        assert list(reader.graph.stored(head.repository)) == []
