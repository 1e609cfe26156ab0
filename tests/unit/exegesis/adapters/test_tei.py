"""How the client of an embedding server behaves when the server does not simply answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from exegesis.adapters.embedding_models import MODELS, embedding_model
from exegesis.adapters.tei import Patience, TeiEmbedder
from exegesis.errors import EmbedderMismatch, EmbedderUnavailable, UsageError
from tests.fakes.tei_server import TeiServer, tei_server

MODEL = embedding_model("sentence-transformers/all-MiniLM-L6-v2")


@pytest.fixture
def server() -> Iterator[TeiServer]:
    with tei_server() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    """What the client waited, in seconds, without having done so."""
    return []


@pytest.fixture
def connect() -> Iterator[Callable[..., TeiEmbedder]]:
    """Makes clients of a server, for as long as the test takes."""
    with ExitStack() as stack:

        def client(address: str, **options: Any) -> TeiEmbedder:
            return stack.enter_context(closing(TeiEmbedder(address, options.pop("model", MODEL), **options)))

        yield client


@pytest.fixture
def embedder(server: TeiServer, waits: list[float], connect: Callable[..., TeiEmbedder]) -> TeiEmbedder:
    return connect(server.url, key="hf_secret", patience=Patience(deadline=100.0), sleep=waits.append)


def test_texts_are_asked_for_in_batches_that_the_server_takes(server: TeiServer, embedder: TeiEmbedder) -> None:
    """No request holds more than the server's limit, and the vectors keep the order of the texts."""
    server.most_texts = 8
    texts = [f"text number {number}" for number in range(20)]
    vectors = embedder.embed(texts, tokens=64)
    assert max(len(asked) for asked in server.asked) == 8
    assert vectors == [embedder.embed([text], tokens=64)[0] for text in texts]


def test_a_busy_server_is_asked_again_after_a_pause(server: TeiServer, embedder: TeiEmbedder, waits: list[float]) -> None:
    """429 is answered by pauses that grow and differ, then the same batch is sent again; nothing is lost and nothing is hurried."""
    server.refusals = [(429, {})] * 6
    assert len(embedder.embed(["one", "two"], tokens=64)) == 2
    assert server.asked == [["one", "two"]] * 7
    assert len(waits) == 6
    assert waits == sorted(waits)
    assert sum(waits) > 5


def test_whoever_counts_pauses_hears_of_each(server: TeiServer, connect: Callable[..., TeiEmbedder]) -> None:
    """One for each refusal."""
    paused: list[str] = []
    server.refusals = [(429, {})] * 3
    client = connect(server.url, patience=Patience(deadline=100.0), sleep=lambda _: None, on_pause=lambda: paused.append("paused"))
    client.embed(["text"], tokens=8)
    assert len(paused) == 3


def test_a_stated_time_to_wait_is_kept(server: TeiServer, embedder: TeiEmbedder, waits: list[float]) -> None:
    """``Retry-After`` is not undercut."""
    server.refusals = [(429, {"Retry-After": "7"})]
    embedder.embed(["one"], tokens=64)
    assert waits == [7.0]


def test_a_batch_that_is_too_much_is_halved(server: TeiServer, embedder: TeiEmbedder) -> None:
    """After 429 comes 413: the halves are sent by themselves, and every text has its vector."""
    server.refusals = [(429, {}), (413, {})]
    vectors = embedder.embed(["a", "b", "c", "d"], tokens=64)
    assert server.asked == [["a", "b", "c", "d"], ["a", "b", "c", "d"], ["a", "b"], ["c", "d"]]
    assert all(any(vector) for vector in vectors)


def test_a_text_that_is_too_long_is_read_less_far(server: TeiServer, embedder: TeiEmbedder) -> None:
    """What the server will not truncate is cut here, and the text is found by its beginning."""
    server.longest_text = 128
    long = "session " * 128
    (vector,) = embedder.embed([long], tokens=512)
    assert vector == embedder.embed(["session"], tokens=512)[0]


def test_a_text_that_cannot_be_read_costs_itself_only(server: TeiServer, embedder: TeiEmbedder) -> None:
    """Its vector is zero; those of its neighbours are what they are without it."""
    vectors = embedder.embed(["one", "bad \x00", "three"], tokens=64)
    assert not any(vectors[1])
    assert [vectors[0], vectors[2]] == embedder.embed(["one", "three"], tokens=64)
    assert len(server.asked) < 12


@pytest.mark.parametrize(
    ("served", "said"),
    [
        ({"model": "other/model"}, "other/model"),
        ({"pooling": "cls"}, "pools by cls"),
        ({"dimensions": 8}, "dimensions"),
    ],
)
def test_another_model_is_refused(served: dict[str, object], said: str, connect: Callable[..., TeiEmbedder]) -> None:
    """A server that is not what the settings say gives no vector."""
    with tei_server(**served) as server, pytest.raises(EmbedderMismatch, match=said):
        connect(server.url).embed(["one"], tokens=64)


def test_a_pinned_revision_is_insisted_on(server: TeiServer, connect: Callable[..., TeiEmbedder]) -> None:
    """The fingerprint names the pinned commit, and another one is refused."""
    pinned = connect(server.url, revision=server.revision)
    assert len(pinned.embed(["one"], tokens=64)) == 1
    assert server.revision[:12] in pinned.fingerprint
    with pytest.raises(EmbedderMismatch, match="revision"):
        connect(server.url, revision="0" * 40).embed(["one"], tokens=64)


def test_a_server_that_restarts_as_another_model_is_found_out(server: TeiServer, embedder: TeiEmbedder) -> None:
    """In the middle of a batch, and between two: no vector of the other model is taken for one of the first."""
    server.refusals = [(503, {})]
    server.becomes = TeiServer(model="other/model")
    with pytest.raises(EmbedderMismatch):
        embedder.embed(["one"], tokens=64)
    server.model = MODEL.name
    embedder.embed(["one"], tokens=64)
    server.revision = "f" * 40
    with pytest.raises(EmbedderMismatch, match="revision"):
        embedder.embed(["one"], tokens=64)


def test_the_deadline_ends_all_patience(server: TeiServer, connect: Callable[..., TeiEmbedder]) -> None:
    """A server that stays busy is given up, with few requests."""
    server.refusals = [(429, {})] * 1_000
    with pytest.raises(EmbedderUnavailable, match="too much to do"):
        connect(server.url, patience=Patience(deadline=0.5)).embed(["one"], tokens=64)
    assert len(server.asked) < 5


def test_a_server_that_is_away_is_said_to_be(connect: Callable[..., TeiEmbedder]) -> None:
    """No traceback of the client, and no key in the message."""
    embedder = connect("http://127.0.0.1:9", key="hf_secret", patience=Patience(deadline=0.3))
    with pytest.raises(EmbedderUnavailable) as raised:
        embedder.embed_question("how")
    assert "hf_secret" not in raised.value.message + raised.value.hint


def test_the_key_is_shown_to_the_server_only(server: TeiServer, embedder: TeiEmbedder) -> None:
    """It travels as a bearer token."""
    embedder.embed(["one"], tokens=64)
    assert server.headers[0]["Authorization"] == "Bearer hf_secret"


def test_questions_and_texts_have_the_prefixes_of_their_model(connect: Callable[..., TeiEmbedder]) -> None:
    """Where a model was trained with a prefix for questions, they have it and texts do not; the fingerprint tells models apart by it."""
    model = embedding_model("nomic-ai/CodeRankEmbed")
    with tei_server(model=model.name, pooling="cls", dimensions=768) as server:
        embedder = connect(server.url, model=model)
        embedder.embed_question("how")
        embedder.embed(["func"], tokens=64)
    assert server.asked == [["Represent this query for searching relevant code: how"], ["func"]]
    assert len({known.fingerprint("") for known in MODELS}) == len(MODELS)


def test_vectors_have_length_one(server: TeiServer, embedder: TeiEmbedder) -> None:
    """Even of an empty text."""
    assert [math.isclose(sum(x * x for x in vector), 1) for vector in embedder.embed(["", "one"], tokens=64)] == [True, True]


def test_a_model_that_nobody_described_is_a_usage_error() -> None:
    """Dimensions and prefixes cannot be guessed; the hint lists what is known."""
    with pytest.raises(UsageError) as raised:
        embedding_model("somebody/something")
    assert MODELS[0].name in raised.value.hint
