"""What every chunk index promises."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from qdrant_client import QdrantClient

from exegesis.adapters.edge_chunks import EdgeChunks
from exegesis.adapters.qdrant_chunks import QdrantChunks
from exegesis.adapters.qdrant_server import QdrantServer
from exegesis.errors import CorruptIndex, NotIndexed
from exegesis.model import Hit
from exegesis.ports import ChunkIndex, LexicalPoint, SparseVector
from tests.fakes.qdrant_rest import qdrant_rest

R = "repository-1"
SIZE = 8


pytestmark = pytest.mark.filterwarnings(
    # The client's local mode says so of what only a server has.
    "ignore:Payload indexes have no effect in the local Qdrant",
    "ignore:Local mode performs exact",
)


def in_memory() -> QdrantChunks:
    """Qdrant as its own client understands it, without a server."""
    return QdrantChunks(QdrantServer(lambda: QdrantClient(":memory:")), "model one")


@pytest.fixture(params=["edge", "qdrant", "qdrant over the wire"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChunkIndex]:
    if request.param == "qdrant over the wire":
        with qdrant_rest() as server, closing(QdrantChunks.at(server.url, "model one")) as far:
            yield far
        return
    made: ChunkIndex = EdgeChunks(tmp_path) if request.param == "edge" else in_memory()
    yield made
    made.close()


def sparse(**weights: float) -> SparseVector:
    """``t5=1.0`` is term 5 with weight 1.0."""
    terms = sorted((int(name[1:]), weight) for name, weight in weights.items())
    return SparseVector(tuple(term for term, _ in terms), tuple(weight for _, weight in terms))


def chunk(identifier: int, **weights: float) -> LexicalPoint:
    return LexicalPoint(identifier, is_file=False, vector=sparse(**weights))


def file(identifier: int, **weights: float) -> LexicalPoint:
    return LexicalPoint(identifier, is_file=True, vector=sparse(**weights))


def unit(*values: float) -> list[float]:
    padded = [*values, *[0.0] * (SIZE - len(values))]
    length = math.sqrt(sum(value * value for value in padded))
    return [value / length for value in padded]


def build(index: ChunkIndex, generation: str, points: Sequence[LexicalPoint], *, basis: str | None = None, remove: Sequence[int] = ()) -> None:
    draft = index.draft(R, generation, basis=basis, dimensions=SIZE)
    draft.remove(remove)
    draft.put_lexical(points)
    draft.commit()


def test_the_score_is_the_dot_product(index: ChunkIndex) -> None:
    """Documents come best first with the product of their weights and the question's; others do not come."""
    build(index, "g", [chunk(1, t7=2.0, t8=1.0), chunk(2, t7=0.5), chunk(2**62 + 1, t4294967295=4.0), chunk(4, t9=9.0), chunk(5)])
    found = index.search_lexical(R, "g", sparse(t7=3.0, t8=0.5, t4294967295=0.25), files=False, limit=10)
    assert list(found) == [Hit(1, 6.5), Hit(2, 1.5), Hit(2**62 + 1, 1.0)]


def test_chunks_and_files_are_searched_apart(index: ChunkIndex) -> None:
    """A question for files finds no chunk, and the reverse."""
    build(index, "g", [chunk(1, t7=1.0), file(2, t7=2.0)])
    assert [hit.id for hit in index.search_lexical(R, "g", sparse(t7=1.0), files=False, limit=9)] == [1]
    assert [hit.id for hit in index.search_lexical(R, "g", sparse(t7=1.0), files=True, limit=9)] == [2]
    assert list(index.search_lexical(R, "g", sparse(), files=True, limit=9)) == []


def test_ties_are_ordered_by_identifier_before_the_list_is_cut(index: ChunkIndex) -> None:
    """A cut among equals always keeps the same ones, however they were written."""
    identifiers = list(range(1, 300))
    random.Random(4).shuffle(identifiers)
    build(index, "g", [chunk(identifier, t7=1.0) for identifier in identifiers])
    assert [hit.id for hit in index.search_lexical(R, "g", sparse(t7=1.0), files=False, limit=5)] == [1, 2, 3, 4, 5]


def test_a_draft_is_not_seen_before_it_is_committed(index: ChunkIndex) -> None:
    """Nothing of a generation can be asked while it is built, and nothing remains of one that is given up."""
    draft = index.draft(R, "g", basis=None, dimensions=SIZE)
    draft.put_lexical([chunk(1, t7=1.0)])
    with pytest.raises(NotIndexed):
        index.search_lexical(R, "g", sparse(t7=1.0), files=False, limit=9)
    assert list(index.generations(R)) == ["g"], "a collector of garbage sees it"
    draft.discard()
    assert list(index.generations(R)) == []
    with pytest.raises(NotIndexed):
        index.search_lexical(R, "g", sparse(t7=1.0), files=False, limit=9)


def test_a_draft_that_died_can_be_begun_again(index: ChunkIndex) -> None:
    """What an abandoned draft holds does not show up in the next one of the same name."""
    index.draft(R, "g", basis=None, dimensions=SIZE).put_lexical([chunk(1, t7=1.0)])
    build(index, "g", [chunk(2, t7=1.0)])
    assert [hit.id for hit in index.search_lexical(R, "g", sparse(t7=1.0), files=False, limit=9)] == [2]


def test_a_generation_built_on_another_leaves_it_alone(index: ChunkIndex) -> None:
    """Changed, added and removed chunks are those of the new generation only."""
    build(index, "old", [chunk(1, t7=1.0), chunk(2, t7=2.0), chunk(3, t7=3.0)])
    assert len(index.search_lexical(R, "old", sparse(t7=1.0), files=False, limit=9)) == 3, "and it may be open meanwhile"
    build(index, "new", [chunk(1, t7=5.0), chunk(4, t7=4.0)], basis="old", remove=[3, 77])
    new = index.search_lexical(R, "new", sparse(t7=1.0), files=False, limit=9)
    assert list(new) == [Hit(1, 5.0), Hit(4, 4.0), Hit(2, 2.0)]
    old = index.search_lexical(R, "old", sparse(t7=1.0), files=False, limit=9)
    assert list(old) == [Hit(3, 3.0), Hit(2, 2.0), Hit(1, 1.0)]
    with pytest.raises(NotIndexed):
        index.draft(R, "newer", basis="never made", dimensions=SIZE)


def test_dense_vectors_are_found_by_cosine(index: ChunkIndex) -> None:
    """Chunks that have a vector are found by it, and it can be read back."""
    draft = index.draft(R, "g", basis=None, dimensions=SIZE)
    draft.put_lexical([chunk(1, t7=1.0), chunk(2, t7=1.0), chunk(3, t7=1.0)])
    draft.put_dense([(1, unit(1.0)), (2, unit(1.0, 1.0))])
    draft.commit()
    found = index.search_dense(R, "g", unit(1.0), limit=9)
    assert [hit.id for hit in found] == [1, 2]
    assert found[1].score == pytest.approx(math.sqrt(0.5), abs=1e-6)
    vectors = index.vectors(R, "g", [1, 2, 3, 99])
    assert set(vectors) == {1, 2}
    assert list(vectors[2]) == pytest.approx(unit(1.0, 1.0))


def test_new_weights_keep_the_vector_and_removal_drops_it(index: ChunkIndex) -> None:
    """Averages may move without any text changing; a chunk whose text changed is removed first."""
    draft = index.draft(R, "old", basis=None, dimensions=SIZE)
    draft.put_lexical([chunk(1, t7=1.0), chunk(2, t7=1.0)])
    draft.put_dense([(1, unit(1.0)), (2, unit(1.0))])
    draft.commit()
    build(index, "new", [chunk(1, t7=2.0), chunk(2, t7=2.0)], basis="old", remove=[2])
    assert set(index.vectors(R, "new", [1, 2])) == {1}
    assert [hit.score for hit in index.search_lexical(R, "new", sparse(t7=1.0), files=False, limit=9)] == [2.0, 2.0]


def test_vectors_can_be_dropped_and_words_stay(index: ChunkIndex) -> None:
    """What another model made is gone from the draft, and still there where it came from."""
    draft = index.draft(R, "old", basis=None, dimensions=SIZE)
    draft.put_lexical([chunk(1, t7=1.0), chunk(2, t7=2.0)])
    draft.put_dense([(1, unit(1.0)), (2, unit(1.0))])
    draft.commit()
    following = index.draft(R, "new", basis="old", dimensions=SIZE)
    following.drop_dense()
    following.put_dense([(2, unit(0.0, 1.0))])
    following.commit()
    assert set(index.vectors(R, "new", [1, 2])) == {2}
    assert [hit.id for hit in index.search_dense(R, "new", unit(0.0, 1.0), limit=9)] == [2]
    assert [hit.id for hit in index.search_lexical(R, "new", sparse(t7=1.0), files=False, limit=9)] == [2, 1]
    assert set(index.vectors(R, "old", [1, 2])) == {1, 2}


def test_vectors_of_unknown_chunks_are_refused(index: ChunkIndex) -> None:
    """A vector without its chunk, or of the wrong size, is a mistake of the caller's data and said to be one."""
    draft = index.draft(R, "g", basis=None, dimensions=SIZE)
    draft.put_lexical([chunk(1, t7=1.0)])
    with pytest.raises(CorruptIndex):
        draft.put_dense([(99, unit(1.0))])
    with pytest.raises(CorruptIndex):
        draft.put_dense([(1, [1.0])])
    draft.discard()


def test_a_deleted_generation_is_gone(index: ChunkIndex) -> None:
    """Deleting works on what is open, and on what was never there."""
    build(index, "g", [chunk(1, t7=1.0)])
    index.search_lexical(R, "g", sparse(t7=1.0), files=False, limit=9)
    index.delete(R, "g")
    index.delete(R, "never made")
    assert list(index.generations(R)) == []
    with pytest.raises(NotIndexed):
        index.search_lexical(R, "g", sparse(t7=1.0), files=False, limit=9)


def test_threads_search_at_the_same_time(index: ChunkIndex) -> None:
    """Searches of several threads over more generations than are kept open give the right answers."""
    for number in range(12):
        build(index, f"g{number}", [chunk(number + 1, t7=1.0)])
    wrong: list[object] = []

    def search(seed: int) -> None:
        order = random.Random(seed)
        for _ in range(40):
            number = order.randrange(12)
            found = index.search_lexical(R, f"g{number}", sparse(t7=1.0), files=False, limit=9)
            if [hit.id for hit in found] != [number + 1]:
                wrong.append(found)

    threads = [threading.Thread(target=search, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


READ = """
import sys
from pathlib import Path
from exegesis.adapters.edge_chunks import EdgeChunks
from exegesis.adapters.qdrant_chunks import QdrantChunks
from exegesis.ports import SparseVector
for _ in range(int(sys.argv[2])):
    index = EdgeChunks(Path(sys.argv[1]))
    found = index.search_lexical("repository-1", "g", SparseVector((7,), (1.0,)), files=False, limit=1000)
    assert [hit.id for hit in found] == list(range(1000, 0, -1)), found
    print("read", flush=True)
    index.close()
"""


def test_processes_read_one_generation_at_the_same_time(tmp_path: Path) -> None:
    """Several processes open, search and close the same shard, one is killed in the middle, and all others see all of it."""
    index = EdgeChunks(tmp_path)
    build(index, "g", [chunk(identifier, t7=float(identifier)) for identifier in range(1, 1001)])
    readers = [subprocess.Popen([sys.executable, "-c", READ, str(tmp_path), "12"], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    victim = subprocess.Popen([sys.executable, "-c", READ, str(tmp_path), "1000"], stdout=subprocess.PIPE, text=True)
    assert victim.stdout is not None
    victim.stdout.readline()
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    build(index, "next", [chunk(5000, t7=5000.0)], basis="g")  # a writer copies it meanwhile
    assert [reader.communicate()[0].count("read") for reader in readers] == [12, 12, 12]
    assert len(index.search_lexical(R, "next", sparse(t7=1.0), files=False, limit=2000)) == 1001
    index.close()


def test_the_same_content_has_the_same_scores_to_the_last_digit(tmp_path: Path) -> None:
    """Whenever and wherever it is built: sums of single precision depend on their order, and contexts are compared byte for byte."""
    chance = random.Random(5)
    terms = sorted(chance.sample(range(1 << 20), 60))
    points = [
        LexicalPoint(number, False, SparseVector(tuple(own), tuple(chance.uniform(0.3, 2.2) for _ in own)))
        for number in range(1, 101)
        if (own := sorted(chance.sample(terms, 20)))
    ]
    query = SparseVector(tuple(terms), tuple(chance.uniform(1.0, 9.0) for _ in terms))
    found = []
    for number in range(4):
        with closing(EdgeChunks(tmp_path / str(number))) as index:
            draft = index.draft("r", "g", basis=None, dimensions=4)
            draft.put_lexical(points)
            draft.commit()
            found.append(index.search_lexical("r", "g", query, files=False, limit=100))
    assert found[1:] == found[:-1]
    assert len(found[0]) == 100


def test_a_copy_occupies_no_more_than_its_origin(tmp_path: Path) -> None:
    """The files of a shard are mostly holes; copying one does not fill them."""
    index = EdgeChunks(tmp_path)
    build(index, "g", [chunk(identifier, t7=1.0) for identifier in range(100)])
    build(index, "next", [], basis="g")
    index.close()

    def occupied(generation: str) -> int:
        return sum(path.stat().st_blocks * 512 for path in (tmp_path / R / generation).rglob("*"))

    assert occupied("next") < 1.2 * occupied("g") + 100_000


def test_what_is_no_index_is_said_to_be_none(tmp_path: Path) -> None:
    """A damaged shard is reported with a hint, not with a traceback of the engine."""
    index = EdgeChunks(tmp_path)
    build(index, "g", [chunk(1, t7=1.0)])
    index.close()
    (tmp_path / R / "g" / "edge_config.json").write_text("{")
    with pytest.raises(CorruptIndex):
        EdgeChunks(tmp_path).search_lexical(R, "g", sparse(t7=1.0), files=False, limit=1)


@pytest.mark.parametrize("damage", ["lost", "emptied", "cut", "overwritten"])
def test_lost_identifiers_are_damage_and_not_an_empty_index(damage: str, tmp_path: Path) -> None:
    """What the engine would take for a shard without points, or die of, is told as damage."""
    build(EdgeChunks(tmp_path), "g", [chunk(number, t7=1.0) for number in range(1, 50)])
    (identifiers,) = (tmp_path / R / "g").rglob("mutable_id_tracker.mappings")
    content = identifiers.read_bytes()
    if damage == "lost":
        identifiers.unlink()
    else:
        identifiers.write_bytes({"emptied": b"", "cut": content[: len(content) // 2], "overwritten": b"\xff" * len(content)}[damage])
    with pytest.raises(CorruptIndex):
        EdgeChunks(tmp_path).search_lexical(R, "g", sparse(t7=1.0), files=False, limit=1)


def test_reading_is_no_damage(tmp_path: Path) -> None:
    """Generations are built on one another, loaded and searched again and again, though the engine writes some files anew each time."""
    chance = random.Random(5)
    build(EdgeChunks(tmp_path), "g0", [chunk(number, t7=1.0) for number in range(1, 200)])
    for number in range(6):
        index = EdgeChunks(tmp_path)
        for _ in range(2):
            assert index.search_lexical(R, f"g{number}", sparse(t7=1.0), files=False, limit=100)
        again = [chunk(identifier, t7=chance.random() + 0.1) for identifier in chance.sample(range(1, 300), 40)]
        build(index, f"g{number + 1}", again, basis=f"g{number}", remove=chance.sample(range(1, 200), 40))
        index.close()
