"""Processes of two versions side by side, as while an installation is brought up to date.

Fault 32.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from pathlib import Path

import pytest

from exegesis.adapters.celery_queue import CeleryQueue
from exegesis.model import RunState
from exegesis.v1 import gateway_pb2
from services.indexer.api import IndexOptions
from tests.fakes.crew import HOUSE, crew

pytestmark = pytest.mark.slow


def test_a_job_of_a_later_version_harms_nobody(tmp_path: Path) -> None:
    """A worker that does not know it puts it aside and goes on with those that it knows; so it does with arguments that it does not know."""
    project = tmp_path / "project"
    shutil.copytree(HOUSE / "examples" / "swift-oauth" / "Sources" / "OAuthKit", project)
    with crew(tmp_path / "crew") as workers, contextlib.closing(workers.assembly()) as assembly:
        worker = workers.join("worker")
        workers.join("beat")
        with contextlib.closing(CeleryQueue(workers.broker.address)) as queue:
            queue.publish("summarise", {"run": "of a later version"}, queue="bulk")
            queue.publish("look", {"run": "nobody's", "urgency": 3}, queue="bulk")
        made = assembly.indexer.index(str(project), IndexOptions(embed=False), lambda _: None)
        assert made.generation.symbols > 100
        assert worker.poll() is None


def test_what_a_worker_of_another_version_dropped_is_rung_for_again(tmp_path: Path) -> None:
    """The message is gone, the run stands in the ledger: the beat rings until somebody takes it."""
    project = tmp_path / "project"
    shutil.copytree(HOUSE / "examples" / "swift-oauth" / "Sources" / "OAuthKit", project)
    with crew(tmp_path / "crew", EXEGESIS_LEASE_SECONDS="3") as workers, contextlib.closing(workers.assembly()) as assembly:
        repository = assembly.indexer.locate(str(project))
        assembly.catalog.register(repository)
        assembly.asked_indexer.request(repository.id)
        workers.broker.flush()  # as a worker that confirms a job whose arguments it does not know
        workers.join("worker")
        workers.join("beat")
        deadline = time.monotonic() + 60
        while {errand.state for errand in assembly.errands.of(repository.id)} != {RunState.DONE}:
            assert time.monotonic() < deadline, workers.log()
            time.sleep(0.1)


def test_fields_of_a_later_version_pass_through() -> None:
    """A message that is read and written again keeps what this version does not know."""
    later = gateway_pb2.Asked(text="how").SerializeToString() + b"\x9a\x06\x03new"  # field 99
    kept = gateway_pb2.Asked.FromString(later)
    assert kept.text == "how"
    assert kept.SerializeToString() == later
