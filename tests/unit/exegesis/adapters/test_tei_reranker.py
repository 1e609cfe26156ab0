"""How the client of a reranker behaves when the server does not simply answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from exegesis.adapters.rested import RestedReranker
from exegesis.adapters.tei_reranker import TeiReranker
from exegesis.errors import RerankerUnavailable
from tests.fakes.tei_server import TeiServer, tei_server
from tests.unit.exegesis.adapters.test_rested import Hand

TEXTS = ["the gate is closed", "open the gate", "nothing"]


@pytest.fixture
def server() -> Iterator[TeiServer]:
    with tei_server() as running:
        yield running


def test_scores_come_in_the_order_of_the_texts(server: TeiServer) -> None:
    """The server gives the best first."""
    with closing(TeiReranker(server.url, key="secret")) as reranker:
        assert reranker.rerank("open the gate", TEXTS) == [pytest.approx(2 / 3), 1.0, 0.0]
        assert reranker.rerank("open", []) == []
    assert server.headers[0]["Authorization"] == "Bearer secret"


def test_more_than_the_server_takes_is_sent_in_parts(server: TeiServer) -> None:
    """No text is left out."""
    server.most_texts = 2
    with closing(TeiReranker(server.url)) as reranker:
        one_by_one = [reranker.rerank("open the gate", [text])[0] for text in TEXTS * 3]
        assert reranker.rerank("open the gate", TEXTS * 3) == one_by_one


@pytest.mark.parametrize("status", [400, 401, 413, 424, 429, 500])
def test_a_server_that_refuses_is_not_asked_again(server: TeiServer, status: int) -> None:
    """Somebody waits, and the list is complete without it."""
    server.refusals = [(status, {})] * 3
    with closing(TeiReranker(server.url)) as reranker, pytest.raises(RerankerUnavailable, match=str(status)):
        reranker.rerank("open", TEXTS[:1])
    assert len(server.asked) == 1


def test_a_server_that_is_away_is_left_alone_for_a_while(server: TeiServer) -> None:
    """Of many who ask one waits."""
    clock = Hand()
    server.refusals = [(500, {})]
    with closing(TeiReranker(server.url)) as served:
        reranker = RestedReranker(served, clock)
        for _ in range(3):
            with pytest.raises(RerankerUnavailable):
                reranker.rerank("open", TEXTS)
        assert len(server.asked) == 1
        clock.time += 60
        assert len(reranker.rerank("open", TEXTS)) == 3


@pytest.mark.parametrize(
    "answer", [{}, [], [{"index": 0}], [{"index": 0, "score": "high"}, {"index": 1, "score": 0.1}], [{"index": 0, "score": 1e999}] * 2]
)
def test_what_is_no_score_for_each_text_is_refused(server: TeiServer, monkeypatch: pytest.MonkeyPatch, answer: object) -> None:
    """Another kind of model at the address, or a proxy that answers in its place."""
    monkeypatch.setattr(server, "rerank", lambda _: (200, {}, answer))
    with closing(TeiReranker(server.url)) as reranker, pytest.raises(RerankerUnavailable, match="something else"):
        reranker.rerank("open", TEXTS[:2])


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "http://[", "nonsense"])
def test_an_address_where_nobody_answers_is_said(address: str) -> None:
    """Without its words becoming an error of another kind."""
    with closing(TeiReranker(address)) as reranker, pytest.raises(RerankerUnavailable):
        reranker.rerank("open", TEXTS)
