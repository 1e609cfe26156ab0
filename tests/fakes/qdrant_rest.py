"""A fake: a real HTTP server on loopback that speaks as much of Qdrant's REST protocol as Exegesis uses, over the client's own local mode.

What it proves is that requests are well formed on the wire and that refusals are understood; what an operation means is the local mode's word.
"""

from __future__ import annotations

import json
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from qdrant_client import QdrantClient, models

_DONE: Final = {"operation_id": 0, "status": "completed"}


@dataclass
class QdrantRest:
    local: QdrantClient = field(default_factory=lambda: QdrantClient(":memory:"))
    url: str = ""
    refusals: list[int] = field(default_factory=list)
    """Statuses of the next answers, whatever is asked."""
    lost: int = 0
    """Further requests that write points which are confirmed and not performed."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    turn: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        with self.turn, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the local mode's, about what only a server has
            self.asked.append((method, path))
            if self.refusals:
                return self.refusals.pop(0), {"error": "no"}
            for (verb, pattern), perform in _ROUTES.items():
                found = re.fullmatch(pattern, path)
                if found and verb == method:
                    try:
                        return 200, perform(self, *found.groups(), body)
                    except ValueError as error:
                        return (409 if "already exists" in str(error) else 404), {"error": str(error)}
        return 404, {"error": "no such call"}

    def create(self, name: str, body: dict[str, Any]) -> Any:
        wanted = models.CreateCollection.model_validate(body)
        assert wanted.vectors is not None
        return self.local.create_collection(name, vectors_config=wanted.vectors, sparse_vectors_config=wanted.sparse_vectors)

    def upsert(self, name: str, body: dict[str, Any]) -> Any:
        if self.lost and len(body["points"]) > 1:
            self.lost -= 1
        else:
            self.local.upsert(name, models.PointsList.model_validate(body).points)
        return _DONE

    def update_vectors(self, name: str, body: dict[str, Any]) -> Any:
        self.local.update_vectors(name, models.UpdateVectors.model_validate(body).points)
        return _DONE

    def delete_vectors(self, name: str, body: dict[str, Any]) -> Any:
        wanted = models.DeleteVectors.model_validate(body)
        assert wanted.filter is not None
        self.local.delete_vectors(name, wanted.vector, wanted.filter)
        return _DONE

    def delete(self, name: str, body: dict[str, Any]) -> Any:
        chosen = models.PointIdsList if "points" in body else models.FilterSelector
        self.local.delete(name, chosen.model_validate(body))
        return _DONE

    def set_payload(self, name: str, body: dict[str, Any]) -> Any:
        self.local.set_payload(name, body["payload"], points=body["points"])
        return _DONE

    def retrieve(self, name: str, body: dict[str, Any]) -> Any:
        asked = models.PointRequest.model_validate(body)
        found = self.local.retrieve(name, asked.ids, with_payload=_choice(asked.with_payload), with_vectors=asked.with_vector or False)
        return [record.model_dump(mode="json") for record in found]

    def query(self, name: str, body: dict[str, Any]) -> Any:
        asked = models.QueryRequest.model_validate(body)
        return self.local.query_points(
            name, query=asked.query, using=asked.using, query_filter=asked.filter, limit=asked.limit or 10, with_payload=_choice(asked.with_payload)
        ).model_dump(mode="json")

    def count(self, name: str, body: dict[str, Any]) -> Any:
        return self.local.count(name, count_filter=models.CountRequest.model_validate(body).filter, exact=True).model_dump()

    def scroll(self, name: str, body: dict[str, Any]) -> Any:
        asked = models.ScrollRequest.model_validate(body)
        points, following = self.local.scroll(
            name,
            scroll_filter=asked.filter,
            limit=asked.limit or 10,
            offset=asked.offset,
            with_payload=_choice(asked.with_payload),
            with_vectors=asked.with_vector or False,
        )
        return {"points": [point.model_dump(mode="json") for point in points], "next_page_offset": following}


def _choice(stated: Any) -> Any:
    return True if stated is None else stated


_POINTS: Final = r"/collections/([^/]+)/points"
_ROUTES: Final[dict[tuple[str, str], Callable[..., Any]]] = {
    ("PUT", r"/collections/([^/]+)"): QdrantRest.create,
    ("GET", r"/collections/([^/]+)/exists"): lambda fake, name, _: {"exists": fake.local.collection_exists(name)},
    ("PUT", r"/collections/([^/]+)/index"): lambda *_: _DONE,
    ("PUT", _POINTS): QdrantRest.upsert,
    ("PUT", _POINTS + "/vectors"): QdrantRest.update_vectors,
    ("POST", _POINTS + "/vectors/delete"): QdrantRest.delete_vectors,
    ("POST", _POINTS + "/delete"): QdrantRest.delete,
    ("POST", _POINTS + "/payload"): QdrantRest.set_payload,
    ("POST", _POINTS): QdrantRest.retrieve,
    ("POST", _POINTS + "/query"): QdrantRest.query,
    ("POST", _POINTS + "/count"): QdrantRest.count,
    ("POST", _POINTS + "/scroll"): QdrantRest.scroll,
    ("GET", r"/collections"): lambda fake, _: fake.local.get_collections().model_dump(),
    ("DELETE", r"/collections/([^/]+)"): lambda fake, name, _: fake.local.delete_collection(name),
}


@contextmanager
def qdrant_rest() -> Iterator[QdrantRest]:
    fake = QdrantRest()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: apart, each waits for the other's acknowledgement

        def handle_any(self) -> None:
            fake.keys.add(self.headers.get("api-key", ""))
            length = int(self.headers.get("Content-Length") or 0)
            status, result = fake.answer(self.command, self.path.partition("?")[0], json.loads(self.rfile.read(length)) if length else {})
            content = {"result": result, "status": "ok", "time": 0.0} if status == 200 else {"status": result, "time": 0.0}
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_PUT = do_POST = do_DELETE = handle_any  # noqa: N815 - names that the library asks for

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        fake.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield fake
        finally:
            server.shutdown()
            thread.join()
            fake.local.close()
