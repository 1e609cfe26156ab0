"""A fake: a real HTTP server on loopback that answers as text-embeddings-inference does, with its limits and its ways to refuse. It serves both kinds
of models, where a real one serves one.

Vectors are those of ``WordEmbedder``: near texts have near vectors, and a text has the same vector in every process.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes.word_embedder import WordEmbedder


@dataclass
class TeiServer:
    model: str = "sentence-transformers/all-MiniLM-L6-v2"
    revision: str = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
    pooling: str = "mean"
    dimensions: int = 384
    most_texts: int = 32
    longest_text: int = 2_000
    """Characters; a longer text is refused, because nobody may truncate in silence."""
    unreadable: str = "\x00"
    """What no text may hold."""
    refusals: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    """Statuses and headers of the next answers to /embed, whatever is asked."""
    becomes: TeiServer | None = None
    """What the server is after the last of the refusals: it restarted."""
    url: str = ""
    asked: list[list[str]] = field(default_factory=list)
    """The texts of each request to /embed."""
    headers: list[dict[str, str]] = field(default_factory=list)
    turn: threading.Lock = field(default_factory=threading.Lock)

    def info(self) -> dict[str, Any]:
        return {
            "model_id": self.model,
            "model_sha": self.revision,
            "model_type": {"embedding": {"pooling": self.pooling}},
            "max_concurrent_requests": 512,
            "max_client_batch_size": self.most_texts,
        }

    def embed(self, body: dict[str, Any]) -> tuple[int, dict[str, str], object]:
        texts = body["inputs"]
        with self.turn:
            self.asked.append(texts)
            if self.refusals:
                status, headers = self.refusals.pop(0)
                if not self.refusals and self.becomes is not None:
                    self.model, self.revision, self.dimensions = self.becomes.model, self.becomes.revision, self.becomes.dimensions
                return status, headers, {"error": "no", "error_type": "Overloaded"}
        if len(texts) > self.most_texts:
            return 422, {}, {"error": f"batch size {len(texts)} > maximum allowed batch size {self.most_texts}", "error_type": "Validation"}
        if any(len(text) > self.longest_text for text in texts) and not body.get("truncate", True):
            return 413, {}, {"error": "`inputs` must have less than 512 tokens", "error_type": "Validation"}
        if any(self.unreadable in text for text in texts):
            return 422, {}, {"error": "tokenization error", "error_type": "Tokenizer"}
        words = WordEmbedder(dimensions=self.dimensions)
        # An empty text has the vector of its closing token.
        vectors = [vector if any(vector) else [1 / math.sqrt(self.dimensions)] * self.dimensions for vector in words.embed(texts, tokens=512)]
        return 200, {}, vectors

    def rerank(self, body: dict[str, Any]) -> tuple[int, dict[str, str], object]:
        """The score of a text is the share of the question's words that it has; best first, as there."""
        texts = body["texts"]
        with self.turn:
            self.asked.append(texts)
            if self.refusals:
                status, headers = self.refusals.pop(0)
                return status, headers, {"error": "no", "error_type": "Overloaded"}
        if len(texts) > self.most_texts:
            return 422, {}, {"error": f"batch size {len(texts)} > maximum allowed batch size {self.most_texts}", "error_type": "Validation"}
        wanted = set(body["query"].lower().split())
        scores = [len(wanted & set(text.lower().split())) / max(len(wanted), 1) for text in texts]
        ranked = sorted(range(len(texts)), key=lambda index: -scores[index])
        return 200, {}, [{"index": index, "score": scores[index]} for index in ranked]


@contextmanager
def tei_server(**settings: Any) -> Iterator[TeiServer]:
    fake = TeiServer(**settings)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: apart, each waits for the other's acknowledgement

        def do_GET(self) -> None:
            self.answer(200, {}, fake.info())

        def do_POST(self) -> None:
            fake.headers.append(dict(self.headers))
            answer = fake.rerank if self.path == "/rerank" else fake.embed
            self.answer(*answer(json.loads(self.rfile.read(int(self.headers["Content-Length"])))))

        def answer(self, status: int, headers: dict[str, str], content: object) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

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
