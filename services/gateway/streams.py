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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def takes_every_character() -> bool:
    """Whether standard output can hold any text without escapes."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def give_up_output() -> None:
    """Send what is still to be written to nowhere, so that the interpreter does not complain about it once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
