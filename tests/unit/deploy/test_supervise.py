"""Programs that are supervised: real processes, small ones."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deploy.supervise import MOST_STARTS, Program, Supervisor
from exegesis.errors import Unavailable

CALM = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: (print("ending", flush=True), sys.exit(0)))
print("ready now", flush=True)
time.sleep(60)
"""
STUBBORN = CALM.replace("lambda *_: (print('ending', flush=True), sys.exit(0))", "signal.SIG_IGN").replace(
    'lambda *_: (print("ending", flush=True), sys.exit(0))', "signal.SIG_IGN"
)
PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print("child", child.pid, flush=True)
print("ready now", flush=True)
time.sleep(60)
"""


def program(name: str, script: str, **more: float) -> Program:
    return Program(name, [sys.executable, "-c", script], "ready now", **more)  # type: ignore[arg-type]


@dataclass
class Heard:
    lines: list[tuple[str, str]] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    hurried: threading.Event = field(default_factory=threading.Event)

    def say(self, name: str, line: str) -> None:
        self.lines.append((name, line))

    def wait_for(self, line: tuple[str, str], times: int = 1) -> None:
        deadline = time.monotonic() + 20
        while self.lines.count(line) < times:
            assert time.monotonic() < deadline, self.lines
            time.sleep(0.02)

    @contextmanager
    def keeping(self, *programs: Program) -> Iterator[list[BaseException]]:
        """Started and kept in a thread; gives what went wrong there."""
        supervisor, wrong = Supervisor(programs, self.say, self.stopping), list[BaseException]()

        def keep() -> None:
            try:
                supervisor.keep()
            except Unavailable as error:
                wrong.append(error)

        thread = threading.Thread(target=keep)
        try:
            supervisor.start()
            thread.start()
            yield wrong
        finally:
            self.stopping.set()
            if thread.ident:
                thread.join(20)
            supervisor.end(self.hurried)


def test_each_starts_when_the_one_before_is_ready_and_ends_before_it() -> None:
    """Whoever is asked is there before whoever asks, and longer."""
    heard = Heard()
    with heard.keeping(program("first", CALM), program("second", CALM)):
        pass
    assert heard.lines == [("first", "ready now"), ("second", "ready now"), ("second", "ending"), ("first", "ending")]


def test_what_does_not_start_is_told_with_what_it_said() -> None:
    """And what had started ends."""
    heard = Heard()
    with (
        pytest.raises(Unavailable, match="second ended with 3") as raised,
        heard.keeping(program("first", CALM), program("second", "print('no such folder'); raise SystemExit(3)"), program("third", CALM)),
    ):
        pass
    assert "no such folder" in raised.value.hint
    assert ("first", "ending") in heard.lines
    assert "third" not in {name for name, _ in heard.lines}


def test_what_is_not_ready_in_time_does_not_start() -> None:
    """A program that hangs is one that failed."""
    heard = Heard()
    with pytest.raises(Unavailable, match="is not ready"), heard.keeping(program("slow", "import time; time.sleep(60)", start_seconds=0.3)):
        pass


def test_what_dies_is_started_again() -> None:
    """With a line that says so."""
    heard = Heard()
    with heard.keeping(program("one", "import os; print('ready now', os.getpid(), flush=True); import time; time.sleep(60)")) as wrong:
        os.kill(int(heard.lines[0][1].split()[-1]), signal.SIGKILL)
        heard.wait_for(("one", "ended with -9"))
        deadline = time.monotonic() + 20
        while len(heard.lines) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.02)
    assert heard.lines[2][1].startswith("ready now")
    assert wrong == []


def test_what_dies_again_and_again_ends_all() -> None:
    """Starting it does not help."""
    heard = Heard()
    with heard.keeping(program("moth", "print('ready now', flush=True)")) as wrong:
        heard.wait_for(("moth", "ended with 0"), MOST_STARTS)
        time.sleep(0.3)
    assert [error.message for error in wrong if isinstance(error, Unavailable)] == [f"moth ended {MOST_STARTS} times within a minute."]


@pytest.mark.parametrize("hurried", [True, False])
def test_what_does_not_want_to_end_is_killed(*, hurried: bool) -> None:
    """After its time, or at once for somebody in a hurry."""
    heard = Heard()
    started = time.monotonic()
    with heard.keeping(program("stubborn", STUBBORN, end_seconds=60.0 if hurried else 0.3)):
        if hurried:
            heard.hurried.set()
    assert time.monotonic() - started < 10


def test_nothing_is_left_behind() -> None:
    """Also not what a program started itself."""
    heard = Heard()
    with heard.keeping(program("parent", PARENT)):
        child = int(heard.lines[0][1].split()[-1])
        assert lives(child)
    deadline = time.monotonic() + 5
    while lives(child):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def lives(process: int) -> bool:
    """Neither gone nor dead and waiting for somebody to notice."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
