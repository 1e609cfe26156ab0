"""``ports.WriteLock`` on advisory file locks: the kernel lets go of them when a process dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from exegesis.errors import Conflict, Unavailable


class FileLock:
    """One empty file per repository in ``folder``. The files stay: removing a lock file while somebody opens it would give two holders."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def hold(self, repository: str) -> Iterator[None]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # flock belongs to the open file, not to the process, so two threads of one process exclude each other as well.
            descriptor = os.open(self._folder / f"{repository}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Unavailable(
                f"{self._folder} cannot be written: {error.strerror}.", hint="See that you may write it, or set EXEGESIS_HOME to another folder."
            ) from error
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
                raise Conflict(f"The index of {repository} is being written{f' by process {holder}' if holder else ''}.") from None
            with suppress(OSError):  # a full disk; the number is for people alone, and `remove` needs the lock to make room
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, str(os.getpid()).encode("ascii"), 0)
            yield
        finally:
            os.close(descriptor)
