"""What every write lock promises."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from exegesis.adapters.file_lock import FileLock
from exegesis.adapters.postgres_lock import PostgresLock
from exegesis.errors import Conflict, Unavailable
from exegesis.ports import WriteLock
from tests.fakes.postgres_server import PostgresServer

HOLD = """
import sys, time
from pathlib import Path
from exegesis.adapters.file_lock import FileLock
with FileLock(Path(sys.argv[1])).hold("r"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture(params=["file", "postgres"])
def lock(request: pytest.FixtureRequest, tmp_path: Path) -> WriteLock:
    return FileLock(tmp_path) if request.param == "file" else PostgresLock(request.getfixturevalue("postgres").fresh_schema())


def test_a_second_holder_is_turned_away(lock: WriteLock) -> None:
    """Only one may write a repository, even within one process; another repository is free."""
    with lock.hold("r"):
        with pytest.raises(Conflict), lock.hold("r"):
            pass
        with lock.hold("other"):
            pass


def test_a_released_lock_is_free(lock: WriteLock) -> None:
    """Leaving the context lets go, also by an exception."""
    with pytest.raises(KeyError), lock.hold("r"):
        raise KeyError
    with lock.hold("r"):
        pass


def test_a_killed_holder_lets_go(tmp_path: Path) -> None:
    """A lock never outlives its process, and while that lives its number is said."""
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder.stdout:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Conflict, match=str(holder.pid)), FileLock(tmp_path).hold("r"):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with FileLock(tmp_path).hold("r"):
        pass


def test_a_killed_holder_lets_go_of_a_database_as_well(postgres: PostgresServer) -> None:
    """The server ends its connection, and with it the lock."""
    program = HOLD.replace("exegesis.adapters.file_lock import FileLock", "exegesis.adapters.postgres_lock import PostgresLock")
    program = program.replace("FileLock(Path(sys.argv[1]))", "PostgresLock(sys.argv[1])")
    address = postgres.fresh_schema()
    holder = subprocess.Popen([sys.executable, "-c", program, address], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder.stdout:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Conflict), PostgresLock(address).hold("r"):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    for _ in range(100):
        with suppress(Conflict), PostgresLock(address).hold("r"):
            return
        time.sleep(0.05)
    pytest.fail("still held")


def test_a_folder_that_cannot_be_made_is_an_error_of_the_tree(tmp_path: Path) -> None:
    """The message names the folder."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unavailable, match="file"), FileLock(tmp_path / "file" / "locks").hold("r"):
        pass
