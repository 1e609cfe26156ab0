"""Spans leave the process by OTLP, as one tree, when the standard variables ask for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent import futures
from typing import TYPE_CHECKING

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as messages
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as service

from tests.e2e.conftest import Run

if TYPE_CHECKING:
    from opentelemetry.proto.trace.v1.trace_pb2 import Span

STAGES = {"retrieval", "symbol-mapping", "graph-traversal", "ranking", "context-composition", "generation"}


class Collector(service.TraceServiceServicer):
    """Keeps every span that it is sent."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.lock = threading.Lock()

    def Export(self, request: messages.ExportTraceServiceRequest, context: grpc.ServicerContext) -> messages.ExportTraceServiceResponse:  # noqa: N802
        with self.lock:
            self.spans += [span for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans]
        return messages.ExportTraceServiceResponse()


@pytest.fixture
def collector() -> Iterator[tuple[Collector, str]]:
    """A collector on loopback and its address."""
    server = grpc.server(futures.ThreadPoolExecutor(2))
    kept = Collector()
    service.add_TraceServiceServicer_to_server(kept, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield kept, f"http://127.0.0.1:{port}"
    server.stop(None).wait()


def test_an_explanation_is_one_trace_with_a_span_per_stage(exegesis: Run, collector: tuple[Collector, str]) -> None:
    """The stages are children of the question's span, and the answer bears the trace's identifier."""
    kept, address = collector
    done = exegesis("explain", "How does a token get refreshed?", "--json", "--no-dense", OTEL_EXPORTER_OTLP_ENDPOINT=address)
    assert done.returncode == 0, done.stderr
    roots = [span for span in kept.spans if span.name == "explain"]
    assert len(roots) == 1
    children = {span.name for span in kept.spans if span.parent_span_id == roots[0].span_id}
    assert children >= STAGES
    assert json.loads(done.stdout)["trace_id"] == roots[0].trace_id.hex()


def test_spans_hold_no_text_of_question_or_code(exegesis: Run, collector: tuple[Collector, str]) -> None:
    """Counts and identifiers only."""
    kept, address = collector
    exegesis("explain", "How does a token get refreshed?", "--no-dense", OTEL_EXPORTER_OTLP_ENDPOINT=address)
    assert kept.spans
    said = " ".join(str(span) for span in kept.spans)
    assert "refreshed" not in said
    assert "usableCredential" not in said


def test_a_collector_that_is_down_costs_an_answer_nothing(exegesis: Run) -> None:
    """The answer comes, and the process ends in time."""
    done = exegesis("explain", "How does a token get refreshed?", "--json", "--no-dense", OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 0
    assert json.loads(done.stdout)["answer"]
