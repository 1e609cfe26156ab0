"""``ports.Embedder`` on a text-embeddings-inference server, the embedding server of a team's installation.

httpx instead of the hub's own client, which repeats nothing, tells no waiting time, sends a token that it finds in the user's home to any address,
and refuses to work where HF_HUB_OFFLINE is set, as it is on machines without a way out (docs/decisions/0011).

The server refuses what it has no room for, whole batches at a time. The answer to 429 is to wait and send the same again; to 413 and 422, to send
less at once; a single text that is refused even so is read less far, and at last not at all: its vector is zero, similar to nothing, so a strange
file costs itself only.
"""

from __future__ import annotations

import logging
import math
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from exegesis.adapters.chat_protocol import seconds_to_wait
from exegesis.adapters.embedding_models import EmbeddingModel
from exegesis.errors import EmbedderMismatch, EmbedderUnavailable

if TYPE_CHECKING:
    import httpx

BATCH: Final = 32
"""Texts of one request: what the server takes by default, and as many as a GPU of a team keeps busy with."""

IN_FLIGHT: Final = 4
"""Requests at the same time. The server gives every text of a request a permit of 512, and refuses the whole request when one is missing, so 16 full
requests are the most it takes from all clients together."""

CHARACTERS_PER_TOKEN: Final = 4
"""Code and English have three to four. Counting exactly would take a second request for each batch."""

QUESTION_TOKENS: Final = 256
_SHORTEST: Final = 64
"""Characters below which a refused text is given up: fewer say nothing."""

_BUSY: Final = frozenset({408, 424, 429})
"""Statuses beside 5xx that may be better next time; 424 is a fault of the server's own backend."""
_TOO_MUCH: Final = frozenset({413, 422})
_REFUSED: Final = frozenset({400, *_TOO_MUCH})

_INFO: Final = "/info"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what, in seconds."""

    deadline: float
    """For one call of ``embed`` or ``embed_question``, waiting and repeating included."""
    connect: float = 5.0
    read: float = 60.0
    first_pause: float = 0.25
    """Doubled after each refusal; half of it is jitter, so that many workers do not come back at once."""
    longest_pause: float = 15.0


INDEXING: Final = Patience(deadline=300.0)
"""A worker has time: a server that restarts and loads its model takes minutes."""
ASKING: Final = Patience(deadline=3.0, connect=1.0, read=3.0)
"""Somebody waits for an answer, which is as good as complete without vectors."""


class TeiEmbedder:
    """Vectors of ``model`` from the server at ``address``. It is asked what it serves at each call, which costs a millisecond, and again after it was
    away in the middle of one: that is when it may come back as another. Usable from several threads.

    Args:
        address: Base address, such as ``http://tei:80``.
        model: What must be served there.
        revision: Commit of its weights; empty to accept any, but the same one as long as this object lives.
        key: For servers behind a gate.
        patience: How long to wait.
        sleep: Waits so many seconds.
        on_pause: Hears of every time that the server has to be waited for.

    """

    def __init__(
        self,
        address: str,
        model: EmbeddingModel,
        *,
        revision: str = "",
        key: str = "",
        patience: Patience = INDEXING,
        sleep: Callable[[float], None] = time.sleep,
        on_pause: Callable[[], None] = lambda: None,
    ) -> None:
        self._address = address.rstrip("/")
        self._model = model
        self._revision = revision
        self._key = key
        self._patience = patience
        self._sleep = sleep
        self._on_pause = on_pause
        self._turn = threading.Lock()
        self._client: httpx.Client | None = None
        self._seen_revision = ""
        self._permits = threading.BoundedSemaphore(IN_FLIGHT)

    @property
    def fingerprint(self) -> str:
        return self._model.fingerprint(self._revision)

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        """Raises ``EmbedderMismatch`` when the server serves another model; otherwise as the port says."""
        cut = [self._model.text_prefix + text[: tokens * CHARACTERS_PER_TOKEN] for text in texts]
        return self._embed(cut)

    def embed_question(self, text: str) -> Sequence[float]:
        return self._embed([self._model.question_prefix + text[: QUESTION_TOKENS * CHARACTERS_PER_TOKEN]])[0]

    def close(self) -> None:
        with self._turn:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if not texts:
            return []
        until = time.monotonic() + self._patience.deadline
        size = min(BATCH, self._check(until))
        batches = [texts[start : start + size] for start in range(0, len(texts), size)]
        if len(batches) == 1:
            return list(self._batch(batches[0], until))
        with ThreadPoolExecutor(min(IN_FLIGHT, len(batches)), thread_name_prefix="tei") as pool:
            return [vector for vectors in pool.map(lambda batch: list(self._batch(batch, until)), batches) for vector in vectors]

    # ---- one batch

    def _batch(self, texts: Sequence[str], until: float) -> Iterator[Sequence[float]]:
        """The vectors of some texts, by as many requests as it takes."""
        response = self._ask("POST", "/embed", until, {"inputs": list(texts), "truncate": False, "normalize": True})
        if response.is_success:
            yield from self._read(response, len(texts))
        elif response.status_code not in _REFUSED:
            raise EmbedderUnavailable(f"The embedding server answered {response.status_code}.", hint="Check EXEGESIS_EMBEDDER_ADDRESS and its key.")
        elif len(texts) > 1:
            middle = len(texts) // 2
            yield from self._batch(texts[:middle], until)
            yield from self._batch(texts[middle:], until)
        elif response.status_code in _TOO_MUCH and len(texts[0]) > _SHORTEST:
            yield from self._batch([texts[0][: len(texts[0]) // 2]], until)
        else:
            _log.warning("the embedding server refuses a text of %d characters with status %d", len(texts[0]), response.status_code)
            yield [0.0] * self.dimensions

    def _read(self, response: httpx.Response, count: int) -> Sequence[Sequence[float]]:
        try:
            vectors = response.json()
            sound = len(vectors) == count and all(isinstance(value, float | int) for vector in vectors for value in vector)
        except (ValueError, TypeError, RecursionError):
            sound = False
        if not sound:
            raise EmbedderUnavailable("The embedding server answered with something else than vectors.")
        sizes = {len(vector) for vector in vectors}
        if sizes != {self.dimensions}:
            raise EmbedderMismatch(f"The embedding server gives vectors of {sorted(sizes)} dimensions; {self._model.name} has {self.dimensions}.")
        return [_unit(vector) for vector in vectors]

    # ---- what is served

    def _check(self, until: float) -> int:
        """Texts that one request may hold. Raises ``EmbedderMismatch`` when the server is not what the settings say."""
        response = self._ask("GET", _INFO, until)
        try:
            served = response.json() if response.is_success else None
        except (ValueError, RecursionError):
            served = None
        if not isinstance(served, dict):
            raise EmbedderUnavailable(f"The embedding server does not say what it serves (status {response.status_code}).")
        self._compare(served)
        most = served.get("max_client_batch_size")
        return most if isinstance(most, int) and most > 0 else BATCH

    def _compare(self, served: Mapping[str, Any]) -> None:
        name, revision = served.get("model_id"), str(served.get("model_sha") or "")
        if name != self._model.name:
            raise EmbedderMismatch(f"The embedding server serves {name}, not {self._model.name}.")
        pinned = self._revision or self._seen_revision
        if pinned and revision and not (revision.startswith(pinned) or pinned.startswith(revision)):
            raise EmbedderMismatch(f"The embedding server serves revision {revision[:12]} of {name}, not {pinned[:12]}.")
        kind = served.get("model_type")
        pooling = kind.get("embedding", {}).get("pooling") if isinstance(kind, dict) and isinstance(kind.get("embedding"), dict) else None
        if pooling is not None and pooling != self._model.pooling:
            raise EmbedderMismatch(f"The embedding server pools by {pooling}; vectors of {name} are pooled by {self._model.pooling}.")
        self._seen_revision = self._seen_revision or revision

    # ---- the wire

    def _ask(self, method: str, path: str, until: float, body: object = None) -> httpx.Response:
        """The first answer that is not a request for patience. Raises ``EmbedderUnavailable`` at the deadline."""
        import httpx

        pause = self._patience.first_pause
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise EmbedderUnavailable("The embedding server did not answer in time.")
            timeout = httpx.Timeout(min(self._patience.read, left), connect=min(self._patience.connect, left))
            wait = None
            try:
                with self._permits:
                    response = self._http().request(method, self._address + path, json=body, timeout=timeout)
            except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError):
                raise EmbedderUnavailable("EXEGESIS_EMBEDDER_ADDRESS is not an address that can be asked.") from None
            except httpx.TransportError as error:
                why, away = f"The embedding server does not answer: {str(error) or type(error).__name__}.", True
            else:
                if response.status_code not in _BUSY and response.status_code < 500:
                    return response
                why, away = f"The embedding server has too much to do (status {response.status_code}).", response.status_code >= 500
                wait = seconds_to_wait(response.headers.get("retry-after"), time.time())
            jittered = pause * (0.5 + random.random() / 2)  # noqa: S311 - jitter, not a secret
            rest = min(max(jittered, wait or 0.0), self._patience.longest_pause)
            if time.monotonic() + rest >= until:
                raise EmbedderUnavailable(why)
            self._on_pause()
            self._sleep(rest)
            pause = min(2 * pause, self._patience.longest_pause)
            if away and path != _INFO:
                self._check(until)

    def _http(self) -> httpx.Client:
        """Made on first use, so that a process that forks does it afterwards."""
        import httpx

        with self._turn:
            if self._client is None:
                # A redirect might lead the key elsewhere; httpx follows none by itself.
                self._client = httpx.Client(headers={"Authorization": f"Bearer {self._key}"} if self._key else {})
            return self._client


def _unit(vector: Sequence[float]) -> list[float]:
    """Of length one, whatever the server was told to do; a zero vector stays what it is."""
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector] if length else list(vector)
