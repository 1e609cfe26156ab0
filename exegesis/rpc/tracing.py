"""One trace across processes: the context of the current span goes out with a call, and a server's span becomes its child.

Nothing of OpenTelemetry is imported unless spans are exported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from exegesis.telemetry import SERVICE, ended_by_kind, exporting


def outgoing() -> tuple[tuple[str, str], ...]:
    """Metadata that tells the other side which span asks."""
    if not exporting():
        return ()
    from opentelemetry.propagate import inject

    carrier: dict[str, str] = {}
    inject(carrier)
    return tuple(carrier.items())


@contextmanager
def answering(method: str, metadata: Mapping[str, str]) -> Iterator[None]:
    """A server's span around one call, named as the conventions of OpenTelemetry have it: ``package.Service/Method``."""
    if not exporting():
        yield
        return
    from opentelemetry import trace
    from opentelemetry.propagate import extract

    service, _, name = method.lstrip("/").rpartition("/")
    opening = trace.get_tracer(SERVICE).start_as_current_span(
        method.lstrip("/"),
        context=extract(dict(metadata)),
        kind=trace.SpanKind.SERVER,
        attributes={"rpc.system": "grpc", "rpc.service": service, "rpc.method": name},
        record_exception=False,
        set_status_on_exception=False,
    )
    with opening as span, ended_by_kind(span):
        yield
