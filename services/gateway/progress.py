"""Progress of long work, for people: a bar on a terminal, a line now and then elsewhere. Always on standard error."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from exegesis.model import Progress
from services.gateway.render import one_line, visible

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

_QUIET_SECONDS: Final = 5.0
"""Away from a terminal at most one line in this many seconds, so that logs stay readable."""


class ProgressPrinter:
    """Call it with every ``Progress``; use it as a context manager so that the bar is taken away again."""

    def __init__(self) -> None:
        self._on_terminal = sys.stderr.isatty()
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}
        self._said = ("", 0.0, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bars is not None:
            self._bars.stop()

    def __call__(self, progress: Progress) -> None:
        shown = replace(progress, detail=one_line(visible(progress.detail)))  # names of files may hold anything
        if self._on_terminal:
            self._draw(shown)
        else:
            self._say(shown)

    def _draw(self, progress: Progress) -> None:
        if self._bars is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bars = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[detail]}", markup=False),
                console=Console(stderr=True),
                transient=True,
            )
            self._bars.start()
        if progress.phase not in self._tasks:
            self._tasks[progress.phase] = self._bars.add_task(progress.phase, total=progress.total or None, detail=progress.detail)
        self._bars.update(self._tasks[progress.phase], completed=progress.done, total=progress.total or None, detail=progress.detail)

    def _say(self, progress: Progress) -> None:
        phase, at, ended = self._said
        now = time.monotonic()
        ends = progress.total > 0 and progress.done >= progress.total
        if progress.phase == phase and (ended or (now - at < _QUIET_SECONDS and not ends)):
            return
        self._said = (progress.phase, now, ends)
        count = f" {progress.done}/{progress.total}" if progress.total else ""
        left = f", about {progress.seconds_left:.0f} s left" if progress.seconds_left else ""
        detail = f": {progress.detail}" if progress.detail else ""
        print(f"{progress.phase}{count}{left}{detail}", file=sys.stderr, flush=True)
