"""Processes of our own interpreter that do a part of the work, and the frames on the pipes to them.

Each is a fresh interpreter, not a fork: it shares no lock, thread or open file with the process that started it, whatever that had loaded, and is the
same on every system. A frame is a length (4 bytes, big-endian) and that many bytes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

_SOURCES = Path(__file__).resolve().parents[1]

_PIPE_BYTES = 1 << 20
"""Answers of about sixty files fit into a pipe, so that a process does not wait while the other side is busy with the last ones."""

_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
"""What a process learns of the environment. No keys: it reads what somebody else wrote."""
_SET = {
    "OPENBLAS_NUM_THREADS": "1",  # each thread would reserve tens of megabytes of the address space that is meant for the file
    "PYTHONHASHSEED": "0",  # results must not depend on the order of a set; if they ever do, they do so everywhere alike
}


def program(module: str, call: str) -> str:
    """What a process runs: a function of one of our modules. Nothing of the current folder is imported: it may belong to an indexed repository."""
    return f"import sys; sys.path.insert(0, {str(_SOURCES)!r}); from {module} import {call.partition('(')[0]}; {call}"


def start(source: str) -> subprocess.Popen[bytes]:
    """A process that runs a program, with pipes to its standard input and output; what it says on standard error is nobody's."""
    import subprocess

    return subprocess.Popen(  # noqa: S603 - our own interpreter with a program of ours
        [sys.executable, "-s", "-P", "-c", source],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pipesize=_PIPE_BYTES,
        env={**{name: os.environ[name] for name in _PASSED_ON if name in os.environ}, **_SET},
    )


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame; None when the other side has closed, or died within one."""
    header = stream.read(4)
    size = int.from_bytes(header, "big")
    content = stream.read(size)
    return content if len(header) == 4 and len(content) == size else None


def write_frame(stream: IO[bytes], content: bytes) -> None:
    stream.write(len(content).to_bytes(4, "big"))
    stream.write(content)
    stream.flush()
