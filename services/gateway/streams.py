"""The three standard streams, made fit for whatever the command is started with: closed, of another encoding, or a full disk."""

from __future__ import annotations

import io
import os
import sys


def prepare() -> None:
    """Open those streams that are closed, to nowhere, and let all of them take any character.

    A closed descriptor would be given to the next file that is opened, and what a library writes to "standard error" would land in an index.
    Characters that the encoding of a stream lacks, and bytes of file names that are no text, are written as escapes.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
    # The interpreter leaves None where it found a closed descriptor.
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - lives as long as the process
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = _Remarks(sys.stderr)


class _Remarks(io.TextIOWrapper):
    """Standard error, which holds remarks: where they cannot be written, such as on a full disk, they are dropped, and the answer goes on."""

    def __init__(self, beneath: io.TextIOWrapper) -> None:
        super().__init__(beneath.buffer, encoding=beneath.encoding, errors="backslashreplace", line_buffering=True)
        self._beneath = beneath  # which would close their buffer if nothing held it

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError:
            _give_up(2)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            _give_up(2)


def takes_every_character() -> bool:
    """Whether standard output can hold any text without escapes."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def give_up_output() -> None:
    """Send what is still to be written to nowhere, so that the interpreter does not complain about it once more when it ends."""
    _give_up(1)


def _give_up(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
