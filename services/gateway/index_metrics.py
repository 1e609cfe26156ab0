"""What Prometheus scrapes about indexing over the queue. All of it stands in the ledger and in the broker, and is read when it is asked for.

So every gateway tells the same, and none has to be asked before it ends. Labels are names of queues and states, never a repository.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from exegesis.errors import ExegesisError
from exegesis.model import Standing, Tally

COUNTERS: Final[Mapping[Tally, tuple[str, str]]] = {
    Tally.BATCH_DONE: ("batches_done", "Batches of files that were parsed or embedded."),
    Tally.BATCH_LOST: ("batches_lost", "Batches whose worker was taken for dead, or whose run was superseded, while it worked."),
    Tally.PUT_OFF: ("put_off", "Steps and batches that were put off, because something is away or another writer is at work."),
    Tally.TAKEN_OVER: ("leases_taken_over", "Leases of the dead that others took over."),
    Tally.POISON: ("poison_files", "Files that killed who parsed them."),
    Tally.EMBED_PAUSE: ("embed_pauses", "Times that the embedding server had to be waited for."),
    Tally.DESCRIBED: ("described", "Descriptions that were made from declarations."),
    Tally.TOLD: ("described_by_model", "Descriptions that the language model was asked for and answered."),
}
"""Name, after ``exegesis_index_``, and meaning of what workers count."""


class IndexMetrics(Collector):
    """The ledger's standing and the depths of queues, at the moment of the scrape.

    Args:
        standing: Of the ledger.
        depths: Messages that wait in each queue.

    """

    def __init__(self, standing: Callable[[], Standing], depths: Callable[[], Mapping[str, int]]) -> None:
        self._standing = standing
        self._depths = depths

    def describe(self) -> list[Metric]:
        """Nothing, so that registering asks nobody."""
        return []

    def collect(self) -> Iterator[Metric]:
        """What is away leaves out its metrics and says so; the others are served."""
        away = GaugeMetricFamily("exegesis_index_unreadable", "1 where this could not be read.", labels=["part"])
        for part, read in (("ledger", self._of_ledger), ("broker", self._of_broker)):
            try:
                yield from list(read())
                away.add_metric([part], 0)
            except ExegesisError:
                away.add_metric([part], 1)
        yield away

    def _of_broker(self) -> Iterator[Metric]:
        depth = GaugeMetricFamily("exegesis_queue_depth", "Messages that wait and that nobody has taken.", labels=["queue"])
        for queue, messages in self._depths().items():
            depth.add_metric([queue], messages)
        yield depth

    def _of_ledger(self) -> Iterator[Metric]:
        standing = self._standing()
        runs = GaugeMetricFamily("exegesis_index_runs", "Runs on record; of those that have ended only the newest.", labels=["queue", "state"])
        for (queue, state), number in standing.runs.items():
            runs.add_metric([queue, state], number)
        yield runs
        lag = GaugeMetricFamily("exegesis_index_lag_seconds", "Age of the oldest run that has not ended.", labels=["queue"])
        for queue, seconds in standing.waiting.items():
            lag.add_metric([queue], seconds)
        yield lag
        yield GaugeMetricFamily("exegesis_index_overdue_seconds", "For how long a run has been due that no beat rang for.", standing.overdue)
        for tally, (name, meaning) in COUNTERS.items():
            yield CounterMetricFamily(f"exegesis_index_{name}", meaning, standing.tallies[tally])
