"""``ports.Reranker`` on a text-embeddings-inference server that serves a cross-encoder: a model that reads question and passage together.

Somebody waits for the list, which is complete without it, so a server that is busy or away is asked once and not again.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from exegesis.errors import RerankerUnavailable

if TYPE_CHECKING:
    import httpx

SECONDS: Final = 3.0
"""For one request; a list that comes later has lost its reader."""

CONNECT_SECONDS: Final = 1.0
LONGEST_QUESTION: Final = 2_000
"""Characters of a question that are sent."""

_TOO_MANY: Final = frozenset({413, 422})
"""Statuses that say: fewer texts at once."""


class TeiReranker:
    """Scores of the server at ``address``, such as ``http://reranker:80``; ``key`` for one behind a gate. Usable from several threads."""

    def __init__(self, address: str, *, key: str = "", seconds: float = SECONDS) -> None:
        self._address = address.rstrip("/")
        self._key = key
        self._seconds = seconds
        self._turn = threading.Lock()
        self._client: httpx.Client | None = None

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        if not texts:
            return []
        response = self._ask(question[:LONGEST_QUESTION], texts)
        if response.status_code in _TOO_MANY and len(texts) > 1:
            middle = len(texts) // 2
            return [*self.rerank(question, texts[:middle]), *self.rerank(question, texts[middle:])]
        if not response.is_success:
            raise RerankerUnavailable(f"The reranker answered {response.status_code}.")
        return _scores(response, len(texts))

    def close(self) -> None:
        with self._turn:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _ask(self, question: str, texts: Sequence[str]) -> httpx.Response:
        import httpx

        body = {"query": question, "texts": list(texts), "raw_scores": False, "return_text": False, "truncate": True}
        try:
            return self._http().post(f"{self._address}/rerank", json=body, timeout=httpx.Timeout(self._seconds, connect=CONNECT_SECONDS))
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError):
            raise RerankerUnavailable("EXEGESIS_RERANKER_ADDRESS is not an address that can be asked.") from None
        except httpx.TransportError as error:
            raise RerankerUnavailable(f"The reranker does not answer: {str(error) or type(error).__name__}.") from error

    def _http(self) -> httpx.Client:
        """Made on first use, so that a process that forks does it afterwards."""
        import httpx

        with self._turn:
            if self._client is None:
                # A redirect might lead the key elsewhere; httpx follows none by itself.
                self._client = httpx.Client(headers={"Authorization": f"Bearer {self._key}"} if self._key else {})
            return self._client


def _scores(response: httpx.Response, count: int) -> Sequence[float]:
    """One for each text, by its index: the server gives them best first."""
    try:
        found = {entry["index"]: float(entry["score"]) for entry in response.json()}
    except (ValueError, TypeError, KeyError, RecursionError):
        found = {}
    if found.keys() != set(range(count)) or not all(math.isfinite(score) for score in found.values()):
        raise RerankerUnavailable("The reranker answered with something else than a score for each text.")
    return [min(max(found[index], 0.0), 1.0) for index in range(count)]
