"""A collector of spans on loopback, as OTLP exporters know it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager
from typing import TYPE_CHECKING

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as messages
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as service

if TYPE_CHECKING:
    from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Collector(service.TraceServiceServicer):
    """Keeps every span that it is sent."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.lock = threading.Lock()

    def Export(self, request: messages.ExportTraceServiceRequest, context: grpc.ServicerContext) -> messages.ExportTraceServiceResponse:  # noqa: N802
        with self.lock:
            self.spans += [span for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans]
        return messages.ExportTraceServiceResponse()

    def trace(self, identifier: str) -> list[Span]:
        """The spans of one trace, once no more have come for a second: processes send theirs at their own pace."""
        count, still = -1, 0
        while still < 10:
            time.sleep(0.1)
            with self.lock:
                found = [span for span in self.spans if span.trace_id.hex() == identifier]
            still = still + 1 if len(found) == count else 0
            count = len(found)
        return found


@contextmanager
def collecting() -> Iterator[tuple[Collector, str]]:
    """A collector and its address."""
    server = grpc.server(futures.ThreadPoolExecutor(2))
    kept = Collector()
    service.add_TraceServiceServicer_to_server(kept, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield kept, f"http://127.0.0.1:{port}"
    finally:
        server.stop(None).wait()
