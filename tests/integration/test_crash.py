"""An index run may die at any moment without taking anything with it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from benchmarks.crash import EXAMPLE, index, kill_runs, start


@pytest.mark.slow
def test_killed_runs_leave_the_old_index_and_the_next_run_finishes(tmp_path: Path) -> None:
    """Two runs are killed at random moments: the generation before stays readable, and the next run equals a clean build."""
    folder = tmp_path / "project"
    shutil.copytree(EXAMPLE, folder)
    assert kill_runs(folder, tmp_path, 2, random.Random(7)) == []


def test_a_killed_run_leaves_no_process_and_no_lock(tmp_path: Path) -> None:
    """Its parsers end with it, and the next run starts at once."""
    folder = tmp_path / "project"
    shutil.copytree(EXAMPLE, folder)
    process = start(tmp_path / "home", folder)
    deadline = time.monotonic() + 20
    children: list[int] = []
    while not children and process.poll() is None and time.monotonic() < deadline:
        children = _children(process.pid)
        time.sleep(0.01)
    assert children, "parsers were started"
    process.send_signal(signal.SIGKILL)
    process.wait()
    while any(map(_is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(_is_alive, children))
    assert index(tmp_path / "home", folder).generation.symbols > 100


def _children(process: int) -> list[int]:
    listing = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False).stdout
    return [int(number) for number in listing.split()]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
