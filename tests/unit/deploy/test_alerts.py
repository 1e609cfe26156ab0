"""Rules that ring for somebody: Prometheus can read them, and they fire on what the gateway's page says when it is time, and not before."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from exegesis.model import RunState, Standing, Tally
from services.gateway.index_metrics import IndexMetrics
from services.gateway.metrics import Meter
from tests.fakes.prometheus import Page, fires, promql, read_page

OBSERVED: Final = Path(__file__).resolve().parents[3] / "deploy" / "observability"
RULES: Final[dict[str, dict[str, Any]]] = {
    rule["alert"]: rule for group in yaml.safe_load((OBSERVED / "alerts.yml").read_text("utf-8"))["groups"] for rule in group["rules"]
}
MINUTE: Final = 60.0


def page(*, waits: float = 0.0, depth: int = 0, overdue: float = 0.0, **counted: int) -> Page:
    """What a gateway tells of such a ledger and such a broker."""
    tallies = {tally: counted.get(tally.name.lower(), 0) for tally in Tally}
    runs = {("bulk", RunState.RUNNING): 1} if waits else {}
    standing = Standing(runs, {"bulk": waits, "interactive": waits} if waits else {}, overdue, tallies)
    meter = Meter()
    meter.add(IndexMetrics(lambda: standing, lambda: {"bulk": depth}))
    return read_page(meter.page()[0].decode())


@pytest.mark.parametrize("name", RULES)
def test_a_rule_can_be_read(name: str) -> None:
    """By a parser of the language, and it says for how long it must hold and what it means."""
    promql.parse(RULES[name]["expr"])
    assert re.fullmatch(r"\d+m", RULES[name]["for"])
    assert RULES[name]["annotations"]["summary"]


def test_panels_can_be_read() -> None:
    """Every expression of the dashboard, by the same parser."""
    panels = json.loads((OBSERVED / "grafana" / "dashboards" / "exegesis.json").read_text("utf-8"))["panels"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(expressions) > 5
    for expression in expressions:
        promql.parse(expression.replace("$__rate_interval", "5m"))


@pytest.mark.parametrize("name", RULES)
def test_nothing_rings_while_all_is_well(name: str) -> None:
    """A run under way, messages that wait for a moment, and batches that are done."""
    quiet = [(minute * MINUTE, page(waits=30.0, depth=3, batch_done=minute)) for minute in range(30)]
    assert not fires(RULES[name], quiet)


def test_messages_that_nobody_takes_raise_an_alert() -> None:
    """Fault 8, where it lasts: after ten minutes, and not while a batch is done now and then."""
    stuck = [(minute * MINUTE, page(waits=minute * MINUTE, depth=16, batch_done=7)) for minute in range(16)]
    assert not fires(RULES["MessagesWaitAndNobodyWorks"], stuck[:8])
    assert fires(RULES["MessagesWaitAndNobodyWorks"], stuck)
    slow = [(minute * MINUTE, page(waits=minute * MINUTE, depth=16, batch_done=minute // 3)) for minute in range(16)]
    assert not fires(RULES["MessagesWaitAndNobodyWorks"], slow)


def test_runs_that_are_put_off_raise_an_alert() -> None:
    """Fault 30: a disk without room, or anything else that is away for long."""
    full = [(minute * MINUTE, page(waits=minute * MINUTE, put_off=4 * minute)) for minute in range(30)]
    assert not fires(RULES["MuchIsPutOff"], full[:10])
    assert fires(RULES["MuchIsPutOff"], full)


def test_workers_that_die_raise_an_alert() -> None:
    """Not for one of them."""
    dying = [(minute * MINUTE, page(waits=60.0, taken_over=minute)) for minute in range(30)]
    once = [(minute * MINUTE, page(waits=60.0, taken_over=int(minute > 5))) for minute in range(30)]
    assert fires(RULES["WorkersDie"], dying)
    assert not fires(RULES["WorkersDie"], once)


def test_a_beat_that_is_gone_raises_an_alert() -> None:
    """Within minutes."""
    assert fires(RULES["NobodyRings"], [(minute * MINUTE, page(waits=60.0, overdue=130.0 + minute * MINUTE)) for minute in range(4)])
