"""The tree of a commit, read out of a bare repository as if it were a folder. Nothing is written, followed or run."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Final, Self

from services.indexer.blobs import Blobs
from services.indexer.git import arguments, environment, is_file, program
from services.indexer.read import Absent, Unreadable, path_of
from services.indexer.walkstate import Stamp

MOST_FILES: Final = 1_000_000
"""Entries of a tree that are looked at; what has more is no source code."""
_SECONDS: Final = 120
"""For listing a tree; a hundred thousand files take less than one."""

_KINDS: Final = {b"120000": "symbolic link", b"160000": "submodule"}


@dataclass(frozen=True, slots=True)
class _Blob:
    """A file, a link or a submodule, as a tree lists it."""

    mode: bytes
    name: str
    size: int

    def is_folder(self) -> bool:
        return False

    def is_link(self) -> bool:
        return self.mode == b"120000"

    def is_file(self) -> bool:
        return is_file(self.mode)

    def kind(self) -> str:
        return _KINDS.get(self.mode, "not a regular file")

    def stamp(self) -> Stamp:
        """Equal for equal content, whenever and wherever it was committed."""
        return Stamp(self.size, 0, 0, int(self.name, 16))

    def read(self, blobs: Blobs, *, limit: int) -> bytes:
        if self.size > limit:
            raise Unreadable(f"larger than {limit:,} bytes")
        return blobs.read(self.name, limit=limit)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A folder."""

    blobs: Blobs
    names: dict[bytes, _Blob | _Listed] = field(default_factory=dict)
    folders: dict[str, _Listed] = field(default_factory=dict)
    """Those of ``names``, as the index calls them: a tree may list a million, and each is looked up when it is walked."""

    def is_folder(self) -> bool:
        return True

    def is_link(self) -> bool:
        return False

    def is_file(self) -> bool:
        return False

    def kind(self) -> str:
        return "folder"

    def stamp(self) -> Stamp:
        raise Unreadable("a folder")

    def entries(self) -> Mapping[bytes, _Blob | _Listed]:
        return self.names

    def read(self, name: bytes, *, limit: int) -> bytes:
        entry = self.names.get(name)
        if not isinstance(entry, _Blob) or not entry.is_file():
            raise Unreadable("not a regular file")
        return entry.read(self.blobs, limit=limit)


class CommitTree:
    """A ``Tree``: the files of ``commit`` in the bare repository at ``mirror``, called ``root``. A context.

    Raises ``Unreadable`` when there is no such commit, or its tree is beyond all measure.
    """

    def __init__(self, root: str, mirror: str, commit: str) -> None:
        self.root = root
        self.mirror = mirror
        self.commit = commit
        self._files: dict[str, _Blob] = {}
        """By path."""
        self._blobs = Blobs(mirror)
        try:
            self._top = _Listed(self._blobs)
            with _listing(mirror, commit) as entries:
                for entry in _entries(entries):
                    self._place(*entry)
        except BaseException:
            self._blobs.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._blobs.close()

    @property
    def names(self) -> Mapping[str, str]:
        """Git's name for the content of each file, by path."""
        return {path: blob.name for path, blob in self._files.items()}

    @contextmanager
    def open(self, path: str) -> Iterator[_Listed]:
        yield self._folder(path)

    def read(self, path: str, *, limit: int) -> bytes:
        blob = self._files.get(path)
        if blob is None:
            raise Absent("not a regular file")
        return blob.read(self._blobs, limit=limit)

    def _folder(self, path: str) -> _Listed:
        found = self._top
        for name in path.split("/") if path else ():
            inner = found.folders.get(name)
            if inner is None:
                raise Unreadable("disappeared while it was read")
            found = inner
        return found

    def _place(self, path: bytes, blob: _Blob) -> None:
        *folders, name = path.split(b"/")
        found = self._top
        for part in folders:
            inner = found.names.get(part)
            if inner is None:
                inner = found.names[part] = _Listed(self._blobs)
                found.folders.setdefault(path_of(part), inner)
            if not isinstance(inner, _Listed):  # a tree that lists a file and a folder of one name
                return
            found = inner
        if name not in {b"", b".", b".."} and not {b"", b".", b".."}.intersection(folders):
            found.names.setdefault(name, blob)
            if blob.is_file():
                self._files.setdefault(path_of(path), blob)


@contextmanager
def _listing(mirror: str, commit: str) -> Iterator[IO[bytes]]:
    """What ``ls-tree`` writes, in a file, because it may be large."""
    git = program()
    if git is None:
        raise Unreadable("there is no git")
    with tempfile.TemporaryFile() as written:
        try:
            done = subprocess.run(  # noqa: S603 - a fixed command, options that switch off what a repository could run
                arguments(git, "--git-dir", mirror, "ls-tree", "-r", "-l", "-z", "--full-tree", "--end-of-options", commit),
                cwd="/",
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            raise Unreadable("git does not list it") from None
        if done.returncode != 0:
            raise Unreadable("there is no such commit")
        written.seek(0)
        yield written


def _entries(listing: IO[bytes]) -> Iterator[tuple[bytes, _Blob]]:
    """Path and entry of a listing; whatever else stands in it is passed over."""
    rest = b""
    count = 0
    while piece := listing.read(1 << 20):
        *whole, rest = (rest + piece).split(b"\0")
        for entry in whole:
            count += 1
            if count > MOST_FILES:
                raise Unreadable(f"more than {MOST_FILES:,} files")
            description, tab, path = entry.partition(b"\t")
            fields = description.split()
            if tab and len(fields) == 4:
                mode, _, name, size = fields
                yield path, _Blob(mode, name.decode("ascii", "replace"), int(size) if size.isdigit() else 0)
