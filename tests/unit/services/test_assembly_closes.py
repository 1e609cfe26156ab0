"""Whatever a process has built is released when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.ports import GraphStore
from exegesis.settings import Secret, Settings
from services.assembly import Assembly, C
from services.graph.api import GraphService, Pin
from services.graph.local import LocalGraph
from tests.fakes.postgres_server import postgres_server
from tests.fakes.qdrant_rest import qdrant_rest
from tests.fakes.tei_server import tei_server
from tests.fakes.valkey_server import valkey_server


class Noted(Assembly):
    """Notes what is going to be closed."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.to_close: list[object] = []

    def _to_close(self, part: C) -> C:
        self.to_close.append(part)
        return super()._to_close(part)


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Settings]]:
    """The same parts kept here, and kept by servers."""
    home = tmp_path_factory.mktemp("home")
    with postgres_server() as database, valkey_server() as broker, qdrant_rest() as qdrant, tei_server() as tei:
        yield {
            "here": Settings(home=str(home), embedder="none"),
            "elsewhere": Settings(
                home=str(home),
                catalog_address=Secret(database.address),
                queue_address=Secret(broker.address),
                chunks_address=qdrant.url,
                graph_store="database",
                embedder_address=tei.url,
                embedder_model="sentence-transformers/all-MiniLM-L6-v2",
                reranker_address=tei.url,
                graph_address="127.0.0.1:1",
                query_address="127.0.0.1:2,127.0.0.1:3",
            ),
        }


PARTS = [
    ("here", "catalog", {"SqliteCatalog"}),
    ("here", "tokens", {"SqliteTokens"}),
    ("here", "errands", {"TableErrands"}),
    ("here", "cache", {"SqliteCache"}),
    ("here", "chunk_index", {"EdgeChunks"}),
    ("here", "question_chunks", {"EdgeChunks"}),
    ("here", "graph", {"LocalGraph"}),
    ("elsewhere", "catalog", {"PostgresCatalog"}),
    ("elsewhere", "errands", {"TableErrands"}),
    ("elsewhere", "cache", {"PostgresCache"}),
    ("elsewhere", "queue", {"CeleryQueue"}),
    ("elsewhere", "chunk_index", {"QdrantChunks"}),
    ("elsewhere", "question_chunks", {"QdrantChunks"}),
    ("elsewhere", "graph_store", {"PostgresGraph"}),
    ("elsewhere", "embedder", {"TeiEmbedder"}),
    ("elsewhere", "question_embedder", {"TeiEmbedder"}),
    ("elsewhere", "_reranker", {"TeiReranker"}),
    ("elsewhere", "graph", {"RemoteGraph"}),
    ("elsewhere", "_local_graph", {"PostgresGraph", "LocalGraph"}),
    ("elsewhere", "query", {"SpreadQuery"}),
]


@pytest.mark.parametrize(("shape", "name", "kinds"), PARTS, ids=[f"{name} {shape}" for shape, name, _ in PARTS])
def test_what_a_part_opens_is_closed(shapes: dict[str, Settings], shape: str, name: str, kinds: set[str]) -> None:
    """Each part by itself, with what it is built of."""
    with closing(Noted(shapes[shape])) as assembly:
        getattr(assembly, name)
        assert kinds <= {type(part).__name__ for part in assembly.to_close}


@pytest.mark.parametrize("shape", ["here", "elsewhere"])
def test_no_part_that_can_be_closed_is_forgotten(shapes: dict[str, Settings], shape: str) -> None:
    """Also one that is added later: what has a ``close`` has to be noted where it is made."""
    with closing(Noted(shapes[shape])) as assembly:
        names = [name for name, value in vars(Assembly).items() if isinstance(value, cached_property)]
        if shape == "here":  # these are about a queue
            names = [name for name in names if name not in {"queue", "asked_indexer", "bench", "beat"}]
        built = {name: getattr(assembly, name) for name in names}
        noted = {id(part) for part in assembly.to_close}
        assert [name for name, part in built.items() if hasattr(part, "close") and id(part) not in noted] == []


def test_a_process_that_serves_the_graph_throws_unfinished_builds_away(tmp_path: Path) -> None:
    """It builds its own graph, whatever the address of that service says, and under another name than those who ask."""
    pin = Pin("shop", "g1")
    with closing(Noted(Settings(home=str(tmp_path), embedder="none", graph_address="127.0.0.1:1"))) as assembly:
        assembly.host("graph")
        (graph,) = (part for part in assembly.to_close if isinstance(part, LocalGraph))
        graph.begin(pin, basis=None)
        assert list(graph.stored("shop")) == ["g1"]
    assert list(SqliteGraph(assembly.settings.folder / "graph").generations("shop")) == []


def test_what_stands_on_another_is_closed_before_it(tmp_path: Path) -> None:
    """A draft is discarded by its store, so the store has to be open by then; and a part that fails keeps no other from being closed."""
    closed: list[str] = []

    class Closing:
        def __init__(self, name: str) -> None:
            self.name = name

        def close(self) -> None:
            closed.append(self.name)
            if self.name == "graph":
                raise OSError("no space")

    class Small(Assembly):
        @cached_property
        def graph_store(self) -> GraphStore:
            return self._to_close(Closing("store"))  # type: ignore[return-value] # closing is all that is asked of it

        @cached_property
        def graph(self) -> GraphService:
            assert self.graph_store
            return self._to_close(Closing("graph"))  # type: ignore[return-value] # likewise

    assembly = Small(Settings(home=str(tmp_path)))
    assert assembly.graph
    with pytest.raises(OSError, match="no space"):
        assembly.close()
    assembly.close()
    assert closed == ["graph", "store"]
