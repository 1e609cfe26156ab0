"""Contents out of the object store of a repository, by name, through one ``git cat-file --batch``. Nothing is checked out."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final, Self

from services.indexer.git import arguments, environment, program
from services.indexer.read import Unreadable

_NAME: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Blobs:
    """The blobs of the bare repository at ``mirror``. A context; for one thread."""

    def __init__(self, mirror: str) -> None:
        git = program()
        if git is None:
            raise Unreadable("there is no git")
        try:
            self._process = subprocess.Popen(  # noqa: S603 - a fixed command, options that switch off what a repository could run
                arguments(git, "--git-dir", str(Path(mirror).absolute()), "cat-file", "--batch"),
                cwd="/",
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise Unreadable(error.strerror or "git does not start") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        return self._process.poll() is None

    def read(self, blob: str, *, limit: int) -> bytes:
        """The content of a blob. Raises ``Unreadable``, also where there are more than ``limit`` bytes, after which it may not be open any more."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        if not _NAME.fullmatch(blob):
            raise Unreadable("no name of a blob")
        try:
            requests.write(f"{blob}\n".encode("ascii"))
            requests.flush()
            kind, size = self._header(answers.readline().split())
            if kind != b"blob" or size > limit:
                self.close()
                raise Unreadable(f"larger than {limit:,} bytes" if kind == b"blob" else "not a regular file")
            content = answers.read(size + 1)
        except (OSError, ValueError):
            self.close()
            raise Unreadable("git ended") from None
        if len(content) != size + 1:
            raise Unreadable("git ended")
        return content[:-1]

    def _header(self, fields: list[bytes]) -> tuple[bytes, int]:
        if len(fields) == 2:  # that it has no such object
            raise Unreadable("not in the repository any more")
        if len(fields) != 3:
            raise ValueError
        return fields[1], int(fields[2])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue


_kept: Final[dict[str, Blobs]] = {}
"""At most one, of the repository whose files a process is parsing."""


def read_blob(mirror: str, blob: str, *, limit: int) -> bytes:
    """One blob of many, for a process that reads those of one repository after another. Raises ``Unreadable``."""
    if mirror not in _kept or not _kept[mirror].is_open:
        while _kept:
            _kept.popitem()[1].close()
        _kept[mirror] = Blobs(mirror)
    return _kept[mirror].read(blob, limit=limit)
