from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exegesis.errors import QuotaExceeded
from services.gateway.quotas import Bucket, Quotas, take


@given(st.lists(st.floats(0, 600), min_size=1, max_size=200), st.integers(1, 600))
def test_never_more_than_the_quota_and_a_burst_pass(moments: list[float], per_minute: int) -> None:
    """Whatever the times at which somebody asks."""
    bucket: Bucket | None = None
    passed = 0
    times = sorted(moments)
    for now in times:
        bucket, wait = take(bucket, now=now, per_minute=per_minute)
        passed += wait == 0
    burst = max(per_minute / 6, 1)
    assert passed <= burst + (times[-1] - times[0]) * per_minute / 60 + 1e-6


@given(st.integers(1, 600), st.floats(0, 1e9))
def test_who_comes_back_when_told_is_let_in(per_minute: int, start: float) -> None:
    """The wait is long enough, and no longer than the next request takes to become due."""
    bucket, wait = take(None, now=start, per_minute=per_minute)
    while wait == 0:
        bucket, wait = take(bucket, now=start, per_minute=per_minute)
    assert wait <= 60 / per_minute + 1e-6
    assert take(bucket, now=start + wait + 1e-3, per_minute=per_minute)[1] == 0


def test_a_clock_that_jumps_back_gives_nothing() -> None:
    """And takes nothing."""
    bucket, _ = take(None, now=100.0, per_minute=60)
    assert take(bucket, now=0.0, per_minute=60)[0].level == bucket.level - 1


def test_each_token_has_its_own_quota() -> None:
    """One that asks too often keeps nobody else waiting, and is told for how long."""
    quotas = Quotas()
    quotas.spend("busy", now=0.0, per_minute=1)
    with pytest.raises(QuotaExceeded) as refused:
        quotas.spend("busy", now=0.0, per_minute=1)
    assert refused.value.seconds == pytest.approx(60.0)
    quotas.spend("calm", now=0.0, per_minute=1)
