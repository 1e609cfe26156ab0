"""What Prometheus scrapes: how many requests of each call, how they ended, how long they and the stages of an answer took.

Labels are names of calls, doors, statuses and stages, all from short lists; never a repository, a token or anything that a caller wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from exegesis.model import StageReport

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

_REQUEST_BUCKETS: Final = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0)
"""Seconds. A lookup takes hundredths, an extractive answer tenths, one by a language model up to minutes."""

_STAGE_BUCKETS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
"""Seconds. The stages before generation take milliseconds to tenths."""


class Meter:
    """The metrics of one server, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        everywhere = self._registry
        self._requests = Counter("exegesis_requests", "Requests that ended.", ["call", "door", "status"], registry=everywhere)
        self._rejected = Counter("exegesis_requests_rejected", "Requests that were not let in.", ["door", "status"], registry=everywhere)
        self._running = Gauge("exegesis_requests_running", "Requests under way.", ["call", "door"], registry=everywhere)
        self._seconds = Histogram("exegesis_request_seconds", "How long requests took.", ["call"], buckets=_REQUEST_BUCKETS, registry=everywhere)
        self._stages = Histogram("exegesis_stage_seconds", "How long stages of answers took.", ["stage"], buckets=_STAGE_BUCKETS, registry=everywhere)

    def begin(self, call: str, door: str) -> None:
        self._running.labels(call, door).inc()

    def end(self, call: str, door: str, status: str, seconds: float) -> None:
        self._running.labels(call, door).dec()
        self._requests.labels(call, door, status).inc()
        self._seconds.labels(call).observe(seconds)

    def reject(self, door: str, status: str) -> None:
        self._rejected.labels(door, status).inc()

    def stage(self, report: StageReport) -> None:
        self._stages.labels(report.name).observe(report.ms / 1000)

    def add(self, further: Collector) -> None:
        """Something that is read when the page is asked for, which may take seconds."""
        self._registry.register(further)

    def page(self) -> tuple[bytes, str]:
        """What is served to Prometheus, and its media type."""
        return generate_latest(self._registry), CONTENT_TYPE_LATEST
