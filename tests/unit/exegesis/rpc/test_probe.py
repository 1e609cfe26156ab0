from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from exegesis.rpc.probe import PULSE_SECONDS, is_well, main
from services.assembly import Assembly
from tests.fakes.gateway import gateway
from tests.fakes.loopback import loopback
from tests.fakes.scripted_service import Scripted, host
from tests.fakes.three_repositories import three_repositories


def test_a_service_that_serves_is_well() -> None:
    """And one that is not there is not."""
    with loopback(host(Scripted())) as address:
        assert main([str(address)]) == 0
    assert main([str(address)]) == 1


@pytest.mark.slow
def test_a_gateway_is_asked_for_a_page(tmp_path: Path) -> None:
    """Only the answer 200 says yes."""
    assembly: Assembly
    assembly, _ = three_repositories(tmp_path)
    with gateway(assembly, is_open=True) as served:
        assert is_well(f"{served.http}/readyz")
        assert not is_well(f"{served.http}/nothing")
        assert not is_well(served.http.replace("http://", "https://") + "/readyz")
    assembly.close()


def test_a_pulse_is_felt_for_a_while(tmp_path: Path) -> None:
    """A file that was touched long ago, or never, is no sign of life."""
    pulse = tmp_path / "pulse"
    assert not is_well(f"file:{pulse}")
    pulse.touch()
    assert is_well(f"file:{pulse}")
    os.utime(pulse, (0, time.time() - PULSE_SECONDS - 1))
    assert not is_well(f"file:{pulse}")


@pytest.mark.parametrize("arguments", [[], ["127.0.0.1:1", "127.0.0.1:2"], ["no address"]], ids=str)
def test_what_is_no_question_is_answered_with_no(arguments: list[str]) -> None:
    """Whoever restarts by the answer is on the safe side."""
    assert main(arguments) == 1
