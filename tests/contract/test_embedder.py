"""What every embedder promises."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from exegesis.adapters.cached_embedder import CachedEmbedder
from exegesis.adapters.embedding_models import embedding_model
from exegesis.adapters.granite import Granite
from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.adapters.tei import TeiEmbedder
from exegesis.ports import Embedder
from tests.fakes.tei_server import tei_server


@pytest.fixture(scope="module")
def granite() -> Granite:
    return Granite(threads=2)


@pytest.fixture(params=["granite", "cached granite", "tei"])
def embedder(request: pytest.FixtureRequest, tmp_path: Path, granite: Granite) -> Iterator[Embedder]:
    if request.param == "granite":
        yield granite
        return
    if request.param == "tei":
        with tei_server(unreadable="\ufffe") as server:
            remote = TeiEmbedder(server.url, embedding_model("sentence-transformers/all-MiniLM-L6-v2"))
            yield remote
            remote.close()
        return
    cache = SqliteCache(tmp_path / "cache.db")
    yield CachedEmbedder(granite, cache)
    cache.close()


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def test_vectors_have_the_stated_dimensions_and_length_one(embedder: Embedder) -> None:
    """One unit vector for each text, also for empty and strange ones."""
    texts = ["func refresh()", "", "日本語 \x00 🧵", "x" * 50_000]
    vectors = embedder.embed(texts, tokens=64)
    assert [len(vector) for vector in vectors] == [embedder.dimensions] * 4
    assert all(math.isclose(dot(vector, vector), 1, rel_tol=1e-5) for vector in vectors)


def test_a_vector_depends_on_its_text_alone(embedder: Embedder) -> None:
    """The same text has the same vector whatever is embedded with it, in whatever order."""
    texts = ["one", "a much longer text about tokens and sessions", "three", "one"]
    vectors = embedder.embed(texts, tokens=128)
    assert vectors[0] == vectors[3]
    assert [embedder.embed([text], tokens=128)[0] for text in texts] == list(vectors)


def test_near_texts_have_near_vectors(embedder: Embedder) -> None:
    """A paraphrase is nearer than another subject."""
    question = embedder.embed_question("how is an access token refreshed")
    near, far = embedder.embed(["renew the expired access token", "draw a rounded rectangle"], tokens=128)
    assert dot(question, near) > dot(question, far) + 0.2


def test_nothing_is_read_beyond_the_stated_tokens(embedder: Embedder) -> None:
    """Texts that agree in their first tokens have one vector."""
    one, other, longer = embedder.embed(["word " * 100, "word " * 100 + "different", "word " * 100 + "different"], tokens=64)[:3]
    assert one == other == longer


def test_no_texts_no_vectors(embedder: Embedder) -> None:
    """An empty list is answered by one."""
    assert list(embedder.embed([], tokens=64)) == []


class CountingEmbedder:
    """Real vectors are not needed to see what is asked for."""

    fingerprint = "counting"
    dimensions = 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        self.asked += texts
        return [[1 / 3, len(text)] for text in texts]

    def embed_question(self, text: str) -> Sequence[float]:
        return [0.0, len(text)]


def test_a_cached_text_is_not_computed_again(tmp_path: Path) -> None:
    """Equal texts are computed once; another number of tokens is another vector; hits and misses agree to the last bit."""
    cache, counting = SqliteCache(tmp_path / "cache.db"), CountingEmbedder()
    embedder = CachedEmbedder(counting, cache)
    first = embedder.embed(["a", "bb", "a"], tokens=64)
    assert embedder.embed(["bb", "a"], tokens=64) == [first[1], first[0]]
    assert counting.asked == ["a", "bb"]
    embedder.embed(["a"], tokens=128)
    assert counting.asked == ["a", "bb", "a"]
    cache.close()
