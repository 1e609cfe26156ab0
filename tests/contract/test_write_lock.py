"""What every write lock promises."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from exegesis.adapters.file_lock import FileLock
from exegesis.errors import Conflict, Unavailable
from exegesis.ports import WriteLock

HOLD = """
import sys, time
from pathlib import Path
from exegesis.adapters.file_lock import FileLock
with FileLock(Path(sys.argv[1])).hold("r"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture(params=["file"])
def lock(request: pytest.FixtureRequest, tmp_path: Path) -> WriteLock:
    return {"file": lambda: FileLock(tmp_path)}[request.param]()


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


def test_a_folder_that_cannot_be_made_is_an_error_of_the_tree(tmp_path: Path) -> None:
    """The message names the folder."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unavailable, match="file"), FileLock(tmp_path / "file" / "locks").hold("r"):
        pass
