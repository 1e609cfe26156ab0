"""How a Qdrant server is asked, and what is made of its refusals."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import httpx

from exegesis.adapters.qdrant_points import BATCH, DENSE, ID
from exegesis.errors import ChunksUnavailable

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

SEARCH_SECONDS: Final = 5
"""Somebody waits, and is answered by words alone when nothing comes."""
WRITE_SECONDS: Final = 15
"""Also how long any answer is waited for. Deleting a large generation may take longer, and is then asked for again."""
WRITE_ATTEMPTS: Final = 6
"""With pauses of 0.2 s, doubled each time: a server that restarts is waited for some seconds."""
READ_ATTEMPTS: Final = 2
"""Somebody waits for the answer."""
_FIRST_PAUSE: Final = 0.2


class QdrantServer:
    """A connection that is made on first use, so that a process that forks makes its own afterwards. Usable from several threads."""

    def __init__(self, connect: Callable[[], QdrantClient]) -> None:
        self._connect = connect
        self._turn = threading.Lock()
        self._made: QdrantClient | None = None

    @classmethod
    def at(cls, address: str, *, key: str = "", seconds: int = WRITE_SECONDS) -> QdrantServer:
        """The server at this address, such as ``http://qdrant:6333``. ``seconds`` is how long any answer is waited for."""

        def connect() -> QdrantClient:
            from qdrant_client import QdrantClient

            return QdrantClient(url=address, api_key=key or None, timeout=seconds, check_compatibility=False)

        return cls(connect)

    def call(self, ask: Callable[[QdrantClient], Any], *, attempts: int = WRITE_ATTEMPTS) -> Any:
        """What the server answers. Asked again while it is away or busy, which does no harm, since everything here may be written twice."""
        from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
        from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

        for attempt in itertools.count(1):
            try:
                return ask(self._client())
            except UnexpectedResponse as error:
                status = error.status_code or 0
                why, passing = f"it answered {status}", status == 429 or status >= 500
                hint = "Check EXEGESIS_CHUNKS_KEY." if status in {401, 403} else "See the log of the Qdrant server."
            except ResourceExhaustedResponse:
                why, passing, hint = "it has too much to do", True, "Try again in a moment."
            except ResponseHandlingException as error:
                # Whoever reads has waited long enough for one answer that did not come.
                passing = attempts > READ_ATTEMPTS or not isinstance(error.source, httpx.TimeoutException)
                why, hint = f"{error.source}", "Check that it runs at EXEGESIS_CHUNKS_ADDRESS."
            if not passing or attempt == attempts:
                raise ChunksUnavailable(f"The chunk index server does not serve: {why}.", hint=hint) from None
            time.sleep(_FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + random.random() / 2))  # noqa: S311 - jitter, not a secret
        raise AssertionError

    def scroll(self, collection: str, where: models.Filter, *, vectors: bool) -> Iterator[Any]:
        """All points, in the order of their identifiers on the server."""
        offset: Any = None
        while True:
            records, offset = self._page(collection, where, offset, vectors=vectors)
            yield from records
            if offset is None:
                return

    def retrieve(self, collection: str, names: Sequence[str]) -> Sequence[Any]:
        return self.call(  # type: ignore[no-any-return]
            lambda client: client.retrieve(collection, names, with_payload=[ID], with_vectors=[DENSE], timeout=SEARCH_SECONDS),
            attempts=READ_ATTEMPTS,
        )

    def query(self, collection: str, query: models.SparseVector | list[float], using: str, where: models.Filter, limit: int) -> Sequence[Any]:
        from qdrant_client import models

        exact = models.SearchParams(exact=True)
        return self.call(  # type: ignore[no-any-return]
            lambda client: client.query_points(
                collection,
                query=query,
                using=using,
                query_filter=where,
                search_params=exact,
                limit=limit,
                with_payload=[ID],
                timeout=SEARCH_SECONDS,
            ),
            attempts=READ_ATTEMPTS,
        ).points

    def close(self) -> None:
        with self._turn:
            client, self._made = self._made, None
        if client is not None:
            client.close()

    def _page(self, collection: str, where: models.Filter, offset: Any, *, vectors: bool) -> tuple[Sequence[Any], Any]:
        return self.call(  # type: ignore[no-any-return]
            lambda client: client.scroll(
                collection, scroll_filter=where, limit=BATCH, offset=offset, with_payload=True, with_vectors=vectors, timeout=WRITE_SECONDS
            )
        )

    def _client(self) -> QdrantClient:
        with self._turn:
            if self._made is None:
                self._made = self._connect()
            return self._made
