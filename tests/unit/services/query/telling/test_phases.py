from __future__ import annotations

import pytest

from services.query.telling.phases import Phase, phase_of
from tests.fakes.evidence import item


@pytest.mark.parametrize(
    ("symbol", "phase"),
    [
        ("Login.startFlow()", Phase.START),
        ("Login.viewDidLoad()", Phase.START),
        ("Login.webView(_:decidePolicyFor:handler:)", Phase.CALLBACK),
        ("Session.urlSession(_:didReceive:)", Phase.CALLBACK),
        ("Login.handleCallback(url:)", Phase.CALLBACK),
        ("Login.sign(_:)", Phase.COURSE),
        ("ClientConfiguration.read()", Phase.SETTINGS),
        ("", Phase.COURSE),
    ],
)
def test_names_tell_the_phase(symbol: str, phase: Phase) -> None:
    """What begins, what goes on, what is told afterwards, what is set."""
    assert phase_of(item(1, symbol, "x\n")) is phase
