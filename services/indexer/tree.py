"""A tree of files, wherever it is: what a walk asks of a folder on disk, or of a commit that was never checked out."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from services.indexer.read import Unreadable, open_folder, read_file, read_in, reason_of
from services.indexer.walkstate import Stamp


class Entry(Protocol):
    """One name in a folder."""

    def is_folder(self) -> bool: ...
    def is_link(self) -> bool: ...
    def is_file(self) -> bool: ...
    def kind(self) -> str:
        """What it is that is none of these."""
        ...

    def stamp(self) -> Stamp:
        """Of a file. Raises ``Unreadable``."""
        ...


class Folder(Protocol):
    """A folder that is open."""

    def entries(self) -> Mapping[bytes, Entry]:
        """By name. Raises ``Unreadable``."""
        ...

    def read(self, name: bytes, *, limit: int) -> bytes:
        """The content of a file in it. Raises ``Unreadable``, also where there are more than ``limit`` bytes."""
        ...


class Tree(Protocol):
    @property
    def root(self) -> str:
        """What it is called."""
        ...

    def open(self, path: str) -> AbstractContextManager[Folder]:
        """A folder of the tree, ``""`` for its root. Raises ``Unreadable``."""
        ...

    def read(self, path: str, *, limit: int) -> bytes:
        """The content of a file of the tree. Raises ``Unreadable``."""
        ...


class FolderTree:
    """The files below a folder on disk, as they are at the moment."""

    def __init__(self, root: str) -> None:
        self.root = root

    @contextmanager
    def open(self, path: str) -> Iterator[_OpenFolder]:
        opened = open_folder(self.root, path)
        try:
            yield _OpenFolder(opened)
        finally:
            os.close(opened)

    def read(self, path: str, *, limit: int) -> bytes:
        return read_file(self.root, path, limit=limit)


class _OpenFolder:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def entries(self) -> Mapping[bytes, _DiskEntry]:
        try:
            with os.scandir(self._descriptor) as listing:
                return {os.fsencode(entry.name): _DiskEntry(entry) for entry in listing}
        except OSError as error:
            raise Unreadable(reason_of(error)) from None

    def read(self, name: bytes, *, limit: int) -> bytes:
        return read_in(self._descriptor, name, limit=limit)


class _DiskEntry:
    """What the listing of a folder said; more is asked of the disk only where it matters."""

    __slots__ = ("_entry",)

    def __init__(self, entry: os.DirEntry[str]) -> None:
        self._entry = entry

    def is_folder(self) -> bool:
        return self._entry.is_dir(follow_symlinks=False)

    def is_link(self) -> bool:
        return self._entry.is_symlink()

    def is_file(self) -> bool:
        return self._entry.is_file(follow_symlinks=False)

    def kind(self) -> str:
        try:
            mode = self._entry.stat(follow_symlinks=False).st_mode
        except OSError as error:
            return reason_of(error)
        tests = ((stat.S_ISFIFO, "FIFO"), (stat.S_ISSOCK, "socket"), (stat.S_ISCHR, "device"), (stat.S_ISBLK, "device"))
        return next((kind for test, kind in tests if test(mode)), "not a regular file")

    def stamp(self) -> Stamp:
        try:
            return Stamp.of(self._entry.stat(follow_symlinks=False))
        except OSError as error:
            raise Unreadable(reason_of(error)) from None
