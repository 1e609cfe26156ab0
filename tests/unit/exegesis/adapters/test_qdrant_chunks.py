"""The chunk index on a Qdrant server: models side by side, failures of the server, and the same hits as the index in files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from qdrant_client import QdrantClient

from exegesis.adapters.edge_chunks import EdgeChunks
from exegesis.adapters.qdrant_chunks import QdrantChunks
from exegesis.adapters.qdrant_points import collection_of, point_id
from exegesis.adapters.qdrant_server import QdrantServer
from exegesis.errors import EmbedderMismatch, NotIndexed, Unavailable
from exegesis.model import Hit
from exegesis.ports import ChunkIndex, LexicalPoint, SparseVector
from tests.fakes.qdrant_rest import QdrantRest, qdrant_rest

pytestmark = pytest.mark.filterwarnings(
    "ignore:Api key is used with an insecure connection",  # on loopback
    # The client's local mode says so of what only a server has.
    "ignore:Payload indexes have no effect",
    "ignore:Local mode performs exact",
)

R = "repository-1"
SIZE = 4
ASKED = SparseVector((7,), (1.0,))


@pytest.fixture
def server() -> Iterator[QdrantRest]:
    with qdrant_rest() as running:
        yield running


@pytest.fixture
def connect(server: QdrantRest) -> Iterator[Callable[[str], QdrantChunks]]:
    """Makes the index of a process whose settings name this model."""
    with ExitStack() as stack:
        yield lambda fingerprint: stack.enter_context(closing(QdrantChunks.at(server.url, fingerprint, key="secret-key")))


@pytest.fixture
def index(connect: Callable[[str], QdrantChunks]) -> QdrantChunks:
    return connect("one")


def point(identifier: int, weight: float = 1.0) -> LexicalPoint:
    return LexicalPoint(identifier, is_file=False, vector=SparseVector((7,), (weight,)))


def build(index: ChunkIndex, generation: str, *, basis: str | None = None, vector: list[float] | None = None) -> None:
    draft = index.draft(R, generation, basis=basis, dimensions=SIZE)
    draft.put_lexical([point(1), point(2)])
    if vector is not None:
        draft.put_dense([(1, vector)])
    draft.commit()


def found(index: ChunkIndex, generation: str) -> list[int]:
    return [hit.id for hit in index.search_lexical(R, generation, ASKED, files=False, limit=9)]


def test_another_model_goes_beside_the_running_one(connect: Callable[[str], QdrantChunks]) -> None:
    """What the running model's generations say in words is read meanwhile; its vectors are compared with nothing of the other's."""
    old, new = connect("one"), connect("two")
    build(old, "g1", vector=[1.0, 0.0, 0.0, 0.0])
    build(new, "g2", basis="g1")
    assert found(new, "g1") == [1, 2], "where they are"
    assert new.search_dense(R, "g1", [1.0, 0.0, 0.0, 0.0], limit=9) == []
    assert new.vectors(R, "g1", [1]) == {}
    assert new.vectors(R, "g2", [1]) == {}, "a copy leaves vectors of the other model behind"
    assert list(new.generations(R)) == ["g1", "g2"], "a collector of garbage sees both"
    assert found(old, "g2") == [1, 2], "a process that still has the former model answers by words as well"


def test_the_collection_of_a_former_model_goes_with_its_last_generation(connect: Callable[[str], QdrantChunks], server: QdrantRest) -> None:
    """Until then each is found, however often the model changed; one's own stays, empty or not."""
    first, second, third = connect("one"), connect("two"), connect("three")
    build(first, "g1")
    build(second, "g2")
    build(third, "g3")
    assert list(third.generations(R)) == ["g1", "g2", "g3"]
    assert [found(third, generation) for generation in ("g1", "g2", "g3")] == [[1, 2]] * 3
    third.delete(R, "g1")
    assert {each.name for each in server.local.get_collections().collections} == {collection_of("two"), collection_of("three")}
    third.delete(R, "g2")
    third.delete(R, "g3")
    assert [each.name for each in server.local.get_collections().collections] == [collection_of("three")]
    build(first, "g4")
    assert found(third, "g4") == [1, 2], "a process of a former model makes its collection anew"


def test_a_collection_of_something_else_is_refused(index: QdrantChunks, connect: Callable[[str], QdrantChunks]) -> None:
    """Vectors of two kinds are never mixed, even if dimensions alone differ."""
    build(index, "g1")
    with pytest.raises(EmbedderMismatch):
        connect("one").draft(R, "g2", basis=None, dimensions=SIZE + 1)


def test_processes_share_what_they_write(index: QdrantChunks, connect: Callable[[str], QdrantChunks]) -> None:
    """What one has committed another reads; what one deletes is gone for the other, also if it had read it before."""
    build(index, "g1")
    other = connect("one")
    assert found(other, "g1") == [1, 2]
    index.delete(R, "g1")
    with pytest.raises(NotIndexed):
        found(other, "g1")


def test_points_that_are_not_there_are_no_generation(index: QdrantChunks, server: QdrantRest) -> None:
    """A server that confirms what it then does not hold is found out at the commit, and nobody reads the rest."""
    draft = index.draft(R, "g1", basis=None, dimensions=SIZE)
    server.lost = 1
    draft.put_lexical([point(1), point(2)])
    with pytest.raises(Unavailable, match="0 of 2"):
        draft.commit()
    with pytest.raises(NotIndexed):
        found(index, "g1")
    draft.discard()
    assert list(index.generations(R)) == []


def test_a_deletion_that_was_cut_short_is_finished_by_the_next(
    index: QdrantChunks, server: QdrantRest, connect: Callable[[str], QdrantChunks]
) -> None:
    """A generation that is half gone is read by nobody and still listed, so whoever collects garbage comes back to it."""
    build(index, "g1")
    server.local.set_payload(collection_of("one"), {"state": "doomed"}, points=[point_id(R, "g1", "mark")])  # type: ignore[arg-type]
    server.local.delete(collection_of("one"), [point_id(R, "g1", 1)])
    with pytest.raises(NotIndexed):
        found(connect("one"), "g1")
    assert list(index.generations(R)) == ["g1"]
    index.delete(R, "g1")
    assert list(index.generations(R)) == []
    assert server.local.count(collection_of("one")).count == 1, "what says which model it is"


def test_a_server_that_is_busy_for_a_moment_is_waited_for(index: QdrantChunks, server: QdrantRest) -> None:
    """A refusal that may pass is not passed on."""
    build(index, "g1")
    server.refusals = [503]
    assert found(index, "g1") == [1, 2]
    server.refusals = [503]
    index.draft(R, "g2", basis="g1", dimensions=SIZE).discard()
    assert server.refusals == []


def test_a_server_that_refuses_is_said_to(index: QdrantChunks, server: QdrantRest) -> None:
    """Neither a traceback nor the key."""
    build(index, "g1")
    server.refusals = [401]
    with pytest.raises(Unavailable) as raised:
        found(index, "g1")
    assert "EXEGESIS_CHUNKS_KEY" in raised.value.hint
    assert "secret-key" not in raised.value.message + raised.value.hint
    assert server.keys == {"secret-key"}


def test_both_indexes_give_the_same_hits(tmp_path: Path) -> None:
    """The same random operations on the index in files and on Qdrant: the same documents in the same order with the same scores."""
    chance = random.Random(11)
    with closing(EdgeChunks(tmp_path)) as edge, closing(QdrantChunks(QdrantServer(lambda: QdrantClient(":memory:")), "one")) as qdrant:
        both: list[ChunkIndex] = [edge, qdrant]
        alive: set[int] = set()
        for number in range(6):
            added = [document(identifier, chance) for identifier in chance.sample(range(1, 120), 40)]
            removed = chance.sample(sorted(alive), len(alive) // 3)
            alive = alive - set(removed) | {made.id for made in added}
            embedded = [(identifier, unit(chance)) for identifier in chance.sample(sorted(alive), len(alive) // 2) if identifier % 5]
            for one in both:
                draft = one.draft(R, f"g{number}", basis=f"g{number - 1}" if number else None, dimensions=SIZE)
                draft.remove(removed)
                draft.put_lexical(added)
                draft.put_dense(embedded)
                draft.commit()
            for _ in range(10):
                asked = document(0, chance).vector
                files, limit = chance.random() < 0.3, chance.randrange(1, 60)
                same(*(one.search_lexical(R, f"g{number}", asked, files=files, limit=limit) for one in both))
                direction = unit(chance)
                same(*(one.search_dense(R, f"g{number}", direction, limit=limit) for one in both))
            assert set(edge.vectors(R, f"g{number}", sorted(alive))) == set(qdrant.vectors(R, f"g{number}", sorted(alive)))


def document(identifier: int, chance: random.Random) -> LexicalPoint:
    """Few terms and coarse weights, so that ties are common; every fifth one is a file."""
    terms = tuple(sorted(chance.sample(range(12), chance.randrange(0, 6))))
    return LexicalPoint(identifier, is_file=identifier % 5 == 0, vector=SparseVector(terms, tuple(chance.choice([0.5, 1.0, 2.0]) for _ in terms)))


def unit(chance: random.Random) -> list[float]:
    vector = [chance.gauss(0, 1) for _ in range(SIZE)]
    length = sum(value * value for value in vector) ** 0.5
    return [value / length for value in vector]


def same(one: list[Hit], other: list[Hit]) -> None:
    assert [hit.id for hit in one] == [hit.id for hit in other]
    assert [hit.score for hit in one] == pytest.approx([hit.score for hit in other], abs=1e-5)
