"""Several programs as one: started one after the other, each when the one before is ready; one log; ended together, in the reverse order."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from exegesis.errors import Unavailable

Say = Callable[[str, str], None]
"""Hears the name of a program and a line that it wrote."""

MOST_STARTS: Final = 5
"""Of one program within :data:`STARTS_SECONDS`: what dies more often is not helped by being started again."""
STARTS_SECONDS: Final = 60.0
_PAUSE: Final = 0.5
"""Seconds before a program that died is started again."""
_GLANCE: Final = 0.1
_KEPT_LINES: Final = 12
"""Of a program that does not start, to be told with the error."""


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    command: Sequence[str]
    ready: str
    """Pattern of the line by which it says that it can be used."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Beside that of the supervisor."""
    end: signal.Signals = signal.SIGTERM
    """By which it ends in order."""
    start_seconds: float = 60.0
    end_seconds: float = 30.0
    """After which it is killed."""
    identity: Mapping[str, Any] = field(default_factory=dict)
    """As whom it runs; as ``subprocess.Popen`` takes it."""


class Running:
    """A program that was started. Each is the leader of a process group, so that the keys of a terminal reach the supervisor alone."""

    def __init__(self, program: Program, say: Say) -> None:
        self.program = program
        self.lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._say = say
        self._ready = threading.Event()
        self.process = subprocess.Popen(
            list(program.command),
            env={**os.environ, **program.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
            errors="replace",
            **program.identity,
        )
        self._reader = threading.Thread(target=self._read, name=f"log-{program.name}", daemon=True)
        self._reader.start()

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def await_ready(self, stopping: threading.Event) -> None:
        """Raises ``Unavailable`` when it ends before, or takes too long."""
        late = time.monotonic() + self.program.start_seconds
        while not self._ready.wait(_GLANCE):
            if stopping.is_set():
                return
            if not self.is_alive or time.monotonic() > late:
                self._reader.join(1.0)
                what = f"ended with {self.process.returncode}" if not self.is_alive else "is not ready"
                raise Unavailable(f"{self.program.name} {what}.", hint="\n  ".join(self.lines) or "It said nothing.")

    def end(self, hurried: threading.Event) -> None:
        """In order, or by force when that takes too long or somebody is in a hurry; with everything that it started."""
        late = time.monotonic() + self.program.end_seconds
        if self.is_alive:
            self.process.send_signal(self.program.end)
        while self.is_alive and time.monotonic() < late and not hurried.wait(_GLANCE):
            pass
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join(2.0)

    def _read(self) -> None:
        assert self.process.stdout is not None
        ready = re.compile(self.program.ready)
        with self.process.stdout:
            for line in self.process.stdout:
                told = line.rstrip("\n")
                self.lines.append(told)
                self._say(self.program.name, told)
                if ready.search(told):
                    self._ready.set()


class Supervisor:
    """Keeps programs running until ``stopping`` is set. ``most_starts`` of one program within :data:`STARTS_SECONDS` end all."""

    def __init__(self, programs: Sequence[Program], say: Say, stopping: threading.Event, *, most_starts: int = MOST_STARTS) -> None:
        self._programs = programs
        self._say = say
        self._stopping = stopping
        self._running: list[Running] = []
        self._most_starts = most_starts
        self._starts: dict[str, deque[float]] = {program.name: deque(maxlen=most_starts) for program in programs}

    def start(self) -> None:
        """Raises ``Unavailable`` for the first that does not become ready; ``end`` ends those that did."""
        for program in self._programs:
            if self._stopping.is_set():
                return
            running = self._begin(program)
            self._running.append(running)
            running.await_ready(self._stopping)

    def keep(self) -> None:
        """Start again what dies. Raises ``Unavailable`` for what dies too often."""
        while not self._stopping.wait(_GLANCE):
            for number, running in enumerate(self._running):
                if not running.is_alive:
                    self._running[number] = self._again(running)

    def end(self, hurried: threading.Event) -> None:
        """Whoever asks others ends before them. Once ``hurried`` is set nothing is waited for."""
        while self._running:
            self._running.pop().end(hurried)

    def process_of(self, name: str) -> int | None:
        """The process of a program, and of the group that it leads; None while it does not run."""
        return next((running.process.pid for running in self._running if running.program.name == name and running.is_alive), None)

    def _begin(self, program: Program) -> Running:
        self._starts[program.name].append(time.monotonic())
        return Running(program, self._say)

    def _again(self, ended: Running) -> Running:
        program, starts = ended.program, self._starts[ended.program.name]
        self._say(program.name, f"ended with {ended.process.returncode}")
        ended.end(threading.Event())  # what it started, and left
        if len(starts) == self._most_starts and time.monotonic() - starts[0] < STARTS_SECONDS:
            raise Unavailable(f"{program.name} ended {self._most_starts} times within a minute.", hint="\n  ".join(ended.lines))
        self._stopping.wait(_PAUSE)
        return ended if self._stopping.is_set() else self._begin(program)
