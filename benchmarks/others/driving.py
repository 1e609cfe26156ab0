"""How ``side_by_side.py`` drives a search tool: one process indexes a folder, then answers questions, and tells what each took.

Runs in the environment of the tool, so only the standard library is used. The process is given the folder to index and a folder of its own, and
reads questions from standard input, a line of JSON each: ``{"id", "question"}``. It writes a line ``{"index": COST}``, then for every question
``{"id", "results": [{"path", "start", "end"}], "cost": COST}``, best first. A cost is wall and processor seconds of the process and all that descend
from it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

RESULTS = 10

Found = Iterable[tuple[str, int, int]]
"""Path, first and last line."""
Search = Callable[[str], Found]


def drive(index: Callable[[Path, Path], Search]) -> None:
    """``index`` takes the folder to index and a folder of its own; what it returns answers a question."""
    said = os.dup(1)
    os.dup2(2, 1)  # what a tool prints is not an answer
    with os.fdopen(said, "w", encoding="utf-8") as out:
        started = _now()
        search = index(Path(sys.argv[1]), Path(sys.argv[2]))
        _write(out, {"index": _since(started)})
        search("warm up")
        for line in sys.stdin:
            question = json.loads(line)
            started = _now()
            found = list(search(question["question"]))
            cost = _since(started)
            results = [{"path": path, "start": start, "end": end} for path, start, end in found[:RESULTS]]
            _write(out, {"id": question["id"], "results": results, "cost": cost})


def _write(out: object, record: object) -> None:
    print(json.dumps(record), file=out, flush=True)  # type: ignore[call-overload]


def _now() -> tuple[float, float]:
    ticks, family = 0, [os.getpid()]
    for process in family:
        try:
            fields = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # of itself, and of its children that have ended
            for children in Path(f"/proc/{process}/task").glob("*/children"):
                family += map(int, children.read_text().split())
        except OSError:  # it ended meanwhile
            continue
    return time.perf_counter(), ticks / os.sysconf("SC_CLK_TCK")


def _since(started: tuple[float, float]) -> dict[str, float]:
    seconds, processor = _now()
    return {"seconds": seconds - started[0], "processor": processor - started[1]}
