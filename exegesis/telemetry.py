"""Names of spans and attributes, and the one way to open a span.

Spans hold counts and identifiers, never text of a repository, of a question or of an answer. They leave the process only when the standard
OpenTelemetry variables name an endpoint (``OTEL_EXPORTER_OTLP_ENDPOINT``); the SDK is not even imported otherwise.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from exegesis.errors import Cancelled
from exegesis.model import StageReport

if TYPE_CHECKING:
    from opentelemetry.trace import Span

SERVICE: Final = "exegesis"


class SpanName(StrEnum):
    """Every span that Exegesis opens."""

    # a question
    EXPLAIN = "explain"
    OUTLINE = "outline"
    SEARCH = "search"
    COMPOSE = "compose"
    REWRITING = "rewriting"
    RETRIEVAL = "retrieval"
    SYMBOL_MAPPING = "symbol-mapping"
    GRAPH_TRAVERSAL = "graph-traversal"
    RANKING = "ranking"
    COMPOSITION = "context-composition"
    GENERATION = "generation"
    # an index run
    INDEX = "index"
    POLL = "poll"
    CLONE = "clone"
    WALK = "walk"
    PARSE = "parse"
    COLLECT = "collect"
    LINK = "link"
    UPSERT = "upsert"
    ACTIVATE = "activate"
    EMBED = "embed"
    DESCRIBE = "describe"


class Attribute(StrEnum):
    """Every attribute that a span of ours may carry."""

    ITEMS_IN = "exegesis.items.in"
    ITEMS_OUT = "exegesis.items.out"
    DETAIL = "exegesis.detail"
    REPOSITORY = "exegesis.repository"
    GENERATION = "exegesis.generation"
    MODEL = "gen_ai.request.model"
    INPUT_TOKENS = "gen_ai.usage.input_tokens"
    OUTPUT_TOKENS = "gen_ai.usage.output_tokens"


class Stage:
    """A stage under way: count what goes in and out while it runs, read ``report`` when it has ended."""

    __slots__ = ("_span", "_started", "detail", "items_in", "items_out", "ms", "name")

    def __init__(self, name: str, span: Span | None) -> None:
        self.name = str(name)
        self.items_in = 0
        self.items_out = 0
        self.detail = ""
        self.ms = 0.0
        self._span = span
        self._started = time.perf_counter()

    def count(self, *, items_in: int | None = None, items_out: int | None = None) -> None:
        if items_in is not None:
            self.items_in = items_in
        if items_out is not None:
            self.items_out = items_out

    def mark(self, attribute: Attribute, value: str | float) -> None:
        """Put one more attribute on the span."""
        if self._span is not None:
            self._span.set_attribute(str(attribute), value)

    @property
    def report(self) -> StageReport:
        return StageReport(self.name, round(self.ms, 3), self.items_in, self.items_out, self.detail)

    def _end(self) -> None:
        self.ms = (time.perf_counter() - self._started) * 1000
        self.mark(Attribute.ITEMS_IN, self.items_in)
        self.mark(Attribute.ITEMS_OUT, self.items_out)
        if self.detail:
            self.mark(Attribute.DETAIL, self.detail)


@contextmanager
def stage(name: SpanName) -> Iterator[Stage]:
    """A span around a block, with its time and counts. An exception ends the span as failed or left, and passes on."""
    if not exporting():
        running = Stage(name, None)
        try:
            yield running
        finally:
            running._end()  # noqa: SLF001 - the two halves of one idea
        return
    from opentelemetry import trace

    with (
        trace.get_tracer(SERVICE).start_as_current_span(str(name), record_exception=False, set_status_on_exception=False) as span,
        ended_by_kind(span),
    ):
        running = Stage(name, span)
        try:
            yield running
        finally:
            running._end()  # noqa: SLF001 - as above


CANCELLED: Final = "cancelled"
"""What the status of a span says whose block was left: somebody went away, which is nobody's failure."""


@contextmanager
def ended_by_kind(span: Span) -> Iterator[None]:
    """Has the span say how its block ended: that it was left, or the kind of the error. Its words stay here, since they quote questions, names and
    code; so whoever opens a span turns off what the library would write of them.
    """
    try:
        yield
    except BaseException as error:
        import asyncio

        from opentelemetry.trace import StatusCode

        left = isinstance(error, Cancelled | GeneratorExit | KeyboardInterrupt | asyncio.CancelledError)
        span.set_status(StatusCode.ERROR, CANCELLED if left else type(error).__name__)
        raise


def exporting() -> bool:
    """Whether the standard variables name a place where spans go."""
    return any(os.environ.get(name) for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")) and (
        os.environ.get("OTEL_SDK_DISABLED", "").lower() != "true"
    )


def trace_id() -> str:
    """The identifier of the current trace, 32 hexadecimal digits; empty when nothing is traced."""
    if not exporting():
        return ""
    from opentelemetry import trace

    context = trace.get_current_span().get_span_context()
    return f"{context.trace_id:032x}" if context.is_valid else ""


def current_trace() -> str:
    """The span under way as ``traceparent`` of W3C Trace Context has it, for whoever goes on elsewhere; empty when nothing is traced."""
    if not exporting():
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get("traceparent", "")


@contextmanager
def continued(trace: str) -> Iterator[None]:
    """What happens inside belongs to a span elsewhere, which :func:`current_trace` told of; to none if it is empty."""
    if not trace or not exporting():
        yield
        return
    from opentelemetry import context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    token = context.attach(TraceContextTextMapPropagator().extract({"traceparent": trace}, context.Context()))
    try:
        yield
    finally:
        context.detach(token)


def start_exporting() -> Callable[[], None]:
    """Send spans by OTLP if the standard variables ask for it; returns what flushes them at the end, within two seconds.

    Called once per process, after any fork, because the exporter owns a thread.
    """
    if not exporting():
        return lambda: None
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: os.environ.get("OTEL_SERVICE_NAME", SERVICE)}), shutdown_on_exit=False)
    # A collector that is down must cost a question nothing but this bound at the very end.
    processor = BatchSpanProcessor(OTLPSpanExporter(timeout=2), schedule_delay_millis=500, export_timeout_millis=2000)
    provider.add_span_processor(processor)
    trace.set_tracer_provider(provider)
    return lambda: (processor.force_flush(2000), None)[1]
