"""The queue behind a real broker, with workers that are processes of their own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import redis

from exegesis.adapters.celery_queue import PULSE_SECONDS, CeleryQueue
from exegesis.errors import Unavailable
from tests.fakes.valkey_server import ValkeyServer, valkey_server

WORKER = """
import json, os, sys, time
from pathlib import Path
from exegesis.adapters.celery_queue import work
from exegesis.errors import Conflict

folder = Path(sys.argv[2])

def note(**arguments):
    name = folder / f"{time.time_ns()}-{os.getpid()}.part"
    name.write_text(json.dumps(arguments))
    name.rename(name.with_suffix(".json"))

def fail(**arguments):
    note(failed=True)
    raise Conflict("somebody else is at it")

def die(**arguments):
    note(died=True)
    os.kill(os.getpid(), 9)

def wait(**arguments):
    note(began=True)
    while not (folder / "go").exists():
        time.sleep(0.01)
    note(waited=True)

def mourn(job, arguments):
    note(mourned=job, **arguments)

work(sys.argv[1], {"note": note, "fail": fail, "die": die, "wait": wait}, consumers=1, mourn=mourn, pulse=(folder / "pulse").touch)
"""


@pytest.fixture
def broker() -> Iterator[ValkeyServer]:
    with valkey_server() as server:
        yield server


@contextmanager
def worker(broker: ValkeyServer, folder: Path, program: str = WORKER) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", program, broker.address, str(folder)], stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def noted(folder: Path, count: int, seconds: float = 30.0) -> list[dict[str, object]]:
    """What handlers noted, as soon as it is that much."""
    deadline = time.monotonic() + seconds
    while len(files := sorted(folder.glob("*.json"))) < count and time.monotonic() < deadline:
        time.sleep(0.05)
    return [json.loads(file.read_text()) for file in files]


def test_jobs_reach_a_worker_that_outlives_their_failures(broker: ValkeyServer, tmp_path: Path) -> None:
    """Arguments arrive by name from every queue, and a job that fails ends itself only."""
    with closing(CeleryQueue(broker.address)) as queue, worker(broker, tmp_path):
        queue.publish("note", {"run": "ü\udcff", "number": 7}, queue="bulk")
        queue.publish("fail", {}, queue="maintenance")
        queue.publish("note", {"run": "x", "number": 8}, queue="interactive")
        seen = noted(tmp_path, 3)
    assert sorted(map(json.dumps, seen)) == sorted(map(json.dumps, [{"run": "ü\udcff", "number": 7}, {"failed": True}, {"run": "x", "number": 8}]))


@pytest.mark.slow
def test_a_worker_has_a_pulse_while_its_loop_turns(broker: ValkeyServer, tmp_path: Path) -> None:
    """The first beat comes after some seconds."""
    with worker(broker, tmp_path):
        deadline = time.monotonic() + PULSE_SECONDS + 15
        while not (tmp_path / "pulse").exists():
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_job_that_kills_its_process_is_tried_three_times(broker: ValkeyServer, tmp_path: Path) -> None:
    """Not once only, since the process may have been killed for something else, and not for ever; the worker has seen it, and tells each time."""
    with closing(CeleryQueue(broker.address)) as queue, worker(broker, tmp_path):
        queue.publish("die", {"run": "r"}, queue="bulk")
        deaths = noted(tmp_path, 5)
        queue.publish("note", {"number": 1}, queue="bulk")
        seen = noted(tmp_path, 6)
    assert deaths == [{"died": True}, {"mourned": "die", "run": "r"}, {"died": True}, {"mourned": "die", "run": "r"}, {"died": True}]
    assert seen == [*deaths, {"number": 1}]


def test_a_job_of_another_version_waits_for_a_worker_that_knows_it(broker: ValkeyServer, tmp_path: Path) -> None:
    """One that does not puts it aside, and goes on; it is not lost, and comes from the queue that it was published to."""
    later = WORKER.replace('{"note": note,', '{"summarise": note, "note": note,')
    with closing(CeleryQueue(broker.address)) as queue:
        with worker(broker, tmp_path):
            queue.publish("summarise", {"run": "r"}, queue="maintenance")
            queue.publish("rename", {"run": "s"}, queue="bulk")
            queue.publish("note", {"number": 1}, queue="bulk")
            assert noted(tmp_path, 1) == [{"number": 1}]
            deadline = time.monotonic() + 20
            while sum(queue.depths().values()) and time.monotonic() < deadline:
                time.sleep(0.05)
        with worker(broker, tmp_path):  # of the same version: nothing changes
            queue.publish("note", {"number": 2}, queue="bulk")
            assert noted(tmp_path, 2)[1:] == [{"number": 2}]
        with worker(broker, tmp_path, later):
            assert noted(tmp_path, 3)[2:] == [{"run": "r"}]
    client = redis.Redis(unix_socket_path=str(broker.folder / "socket"))
    assert client.llen("exegesis:parked") == 1
    client.close()


def test_a_job_with_arguments_of_another_version_waits_too(broker: ValkeyServer, tmp_path: Path) -> None:
    """The name is known, what is asked is not: to leave an argument out could do what nobody asked for."""
    later = WORKER.replace('{"note": note,', '{"note": lambda number, loudly: note(number=number, loudly=loudly),')
    assert later != WORKER
    earlier = WORKER.replace('{"note": note,', '{"note": lambda number: note(number=number),')
    with closing(CeleryQueue(broker.address)) as queue:
        with worker(broker, tmp_path, earlier):
            queue.publish("note", {"number": 1, "loudly": 1}, queue="interactive")
            queue.publish("note", {"number": 2}, queue="bulk")
            assert noted(tmp_path, 1) == [{"number": 2}]
            deadline = time.monotonic() + 20
            while sum(queue.depths().values()) and time.monotonic() < deadline:
                time.sleep(0.05)
        with worker(broker, tmp_path, later):
            assert noted(tmp_path, 2)[1:] == [{"number": 1, "loudly": 1}]


def test_jobs_wait_for_a_broker_that_was_killed(broker: ValkeyServer, tmp_path: Path) -> None:
    """What was published before the broker was killed is performed after it came back; meanwhile publishing says that it is away."""
    with closing(CeleryQueue(broker.address)) as queue:
        for number in range(5):
            queue.publish("note", {"number": number}, queue="bulk")
        time.sleep(1.1)  # the broker writes to disk once a second
        broker.kill()
        with pytest.raises(Unavailable) as raised:
            queue.publish("note", {"number": 5}, queue="bulk")
        assert "broker" in raised.value.hint
        broker.start()
        with worker(broker, tmp_path):
            seen = noted(tmp_path, 5)
    assert sorted(str(note["number"]) for note in seen) == ["0", "1", "2", "3", "4"]


def test_a_worker_goes_on_whose_broker_was_away_when_its_job_ended(broker: ValkeyServer, tmp_path: Path) -> None:
    """Its word that the job is done was not heard, and no message was asked for that could fail to come: it must find out all the same."""
    with closing(CeleryQueue(broker.address)) as queue, worker(broker, tmp_path):
        queue.publish("wait", {}, queue="bulk")
        assert noted(tmp_path, 1) == [{"began": True}]
        time.sleep(1.1)  # the broker writes to disk once a second
        broker.kill()
        (tmp_path / "go").touch()
        assert noted(tmp_path, 2)[1:] == [{"waited": True}]
        time.sleep(0.5)
        broker.start()
        queue.publish("note", {"number": 1}, queue="bulk")
        seen = noted(tmp_path, 3)
    assert seen[2:] == [{"number": 1}]


def test_what_waits_is_counted_by_queue(broker: ValkeyServer) -> None:
    """A queue that nothing was ever put into has nothing; a broker that is away says so."""
    with closing(CeleryQueue(broker.address)) as queue:
        for number in range(3):
            queue.publish("note", {"number": number}, queue="bulk")
        assert queue.depths() == {"interactive": 0, "bulk": 3, "maintenance": 0}
        broker.kill()
        with pytest.raises(Unavailable):
            queue.depths()


def test_only_what_a_broker_could_carry_is_accepted(broker: ValkeyServer) -> None:
    """An argument that JSON cannot say is refused when it is published."""
    with closing(CeleryQueue(broker.address)) as queue, pytest.raises(TypeError):
        queue.publish("note", {"run": object()}, queue="bulk")  # type: ignore[dict-item]
