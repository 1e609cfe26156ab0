"""What is told of indexing is what the ledger and the broker say at that moment."""

from __future__ import annotations

from collections.abc import Mapping

from exegesis.errors import Unavailable
from exegesis.model import RunState, Standing, Tally
from services.gateway.index_metrics import COUNTERS, IndexMetrics
from services.gateway.metrics import Meter

STANDING = Standing(
    {("bulk", RunState.RUNNING): 2, ("interactive", RunState.QUEUED): 1}, {"bulk": 90.0}, 3.0, dict.fromkeys(Tally, 7) | {Tally.POISON: 1}
)


def page(metrics: IndexMetrics) -> list[str]:
    meter = Meter()
    meter.add(metrics)
    return meter.page()[0].decode().splitlines()


def away() -> Mapping[str, int]:
    raise Unavailable("The queue's broker does not take jobs.")


def test_runs_lag_depths_and_counts_are_told() -> None:
    """By queue and by state, and never by repository."""
    told = page(IndexMetrics(lambda: STANDING, lambda: {"bulk": 12, "interactive": 0}))
    assert {
        'exegesis_index_runs{queue="bulk",state="running"} 2.0',
        'exegesis_index_lag_seconds{queue="bulk"} 90.0',
        "exegesis_index_overdue_seconds 3.0",
        'exegesis_queue_depth{queue="bulk"} 12.0',
        "exegesis_index_poison_files_total 1.0",
        "exegesis_index_batches_done_total 7.0",
        'exegesis_index_unreadable{part="broker"} 0.0',
    } <= set(told)


def test_what_is_away_costs_its_own_metrics_only() -> None:
    """And the page says that it is away."""
    told = page(IndexMetrics(lambda: STANDING, away))
    assert 'exegesis_index_unreadable{part="broker"} 1.0' in told
    assert "exegesis_index_overdue_seconds 3.0" in told
    assert not any(line.startswith("exegesis_queue_depth{") for line in told)


def test_registering_asks_nobody() -> None:
    """A gateway starts while its broker is away."""
    asked: list[str] = []

    def depths() -> Mapping[str, int]:
        asked.append("depths")
        return {}

    Meter().add(IndexMetrics(lambda: STANDING, depths))
    assert asked == []


def test_everything_that_is_counted_has_a_name() -> None:
    """A tally that is added is shown, or this fails."""
    assert set(COUNTERS) == set(Tally)
