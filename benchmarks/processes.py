"""What a command and all processes that it starts cost: wall time, processor time, and memory at its peak."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_INTERVAL = 0.02
"""Seconds between two looks at memory; a peak shorter than that is missed."""


@dataclass(frozen=True, slots=True)
class Cost:
    seconds: float
    processor: float
    """User and system time of the command and of its children, seconds."""
    peak_mib: float
    """Largest sum of proportional set sizes seen: pages that processes share are counted once."""
    exit_code: int
    output: str


_COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Modules are compiled once when a program is installed; where nothing may be written they would be at every start, and that would be measured."""


def measure(command: Sequence[str], *, environment: Mapping[str, str] | None = None, timeout: float = 3_600.0) -> Cost:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen(command, env={**os.environ, **_COMPILED, **(environment or {})}, stdout=said, stderr=subprocess.STDOUT)
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, sum(map(_resident, family(process.pid))))
            if time.monotonic() - started > timeout:
                process.kill()
            time.sleep(_INTERVAL)
        seconds = time.monotonic() - started
        said.seek(0)
        output = said.read()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, processor, peak / 1024, process.returncode, output)


def family(process: int) -> list[int]:
    """A process and its descendants, as far as they are still there."""
    family = [process]
    for member in family:
        for children in Path(f"/proc/{member}/task").glob("*/children"):  # a thread may have started a process, too
            with contextlib.suppress(OSError):
                family += map(int, children.read_text().split())
    return family


def _resident(process: int) -> float:
    """KiB."""
    try:
        summary = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return sum(float(line.split()[1]) for line in summary.splitlines() if line.startswith("Pss:"))


def processor_seconds(process: int) -> float:
    """User and system time so far; 0 for one that has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(process: int) -> float:
    """Resident set size; 0 for one that has ended. Cheap enough to be looked at while others are measured."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
