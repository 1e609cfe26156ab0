"""Open what a walk found, and nothing else.

Between the moment a folder is listed and the moment a file is read, a hostile tree may put a symbolic link or a device in its place. So a path is
opened folder by folder relative to the one before, following no link, never waiting (a FIFO without a writer would), and what is open must be a
regular file.
"""

from __future__ import annotations

import errno
import os
import re
import stat

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

_ESCAPE = re.compile(rb"\\x([89a-f][0-9a-f])")

_REASONS = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "disappeared while it was read",
    errno.ELOOP: "symbolic link",
    errno.ENOTDIR: "symbolic link in its path",
    errno.ENXIO: "not a regular file",
    errno.ENAMETOOLONG: "name too long",
    errno.EIO: "the disk could not read it",
    errno.EMFILE: "too many open files",
}


class Unreadable(Exception):
    """A file or folder cannot be read; the message says why, in words a person understands."""


class Absent(Unreadable):
    """There is no such file in the tree; a link to one is none."""


_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


def reason_of(error: OSError) -> str:
    return _REASONS.get(error.errno or 0, error.strerror or "unknown error")


def _unreadable(error: OSError) -> Unreadable:
    return (Absent if error.errno in _ABSENT else Unreadable)(reason_of(error))


def path_of(raw: bytes) -> str:
    r"""A path as the index knows it: bytes that are not UTF-8 appear as ``\xNN``."""
    return raw.decode("utf-8", "backslashreplace")


def open_folder(root: str, path: str) -> int:
    """A descriptor of a folder in the tree, ``""`` for the root, which itself may be reached through links. Raises ``Unreadable``."""
    try:
        opened = os.open(root or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise _unreadable(error) from None
    for name in path.split("/") if path else ():
        parent = opened
        try:
            opened = _open(_checked(name), _FOLDER, parent)
        except OSError as error:
            raise _unreadable(error) from None
        finally:
            os.close(parent)
    return opened


def read_file(root: str, path: str, *, limit: int) -> bytes:
    """The content of a regular file in the tree. Raises ``Unreadable``, also where there are more than ``limit`` bytes."""
    folder, _, name = path.rpartition("/")
    opened = open_folder(root, folder)
    try:
        return read_in(opened, _checked(name), limit=limit)
    finally:
        os.close(opened)


def read_in(folder: int, name: str | bytes, *, limit: int) -> bytes:
    """The content of a regular file in an open folder. Raises ``Unreadable``."""
    try:
        opened = _open(name, _FILE, folder)
    except OSError as error:
        raise _unreadable(error) from None
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise Unreadable("not a regular file")
        content = _read(opened, limit + 1)
    except OSError as error:
        raise _unreadable(error) from None
    finally:
        os.close(opened)
    if len(content) > limit:
        raise Unreadable(f"larger than {limit:,} bytes")
    return content


def _checked(name: str) -> str:
    """One part of a path that stays below what it is opened from."""
    if name in {"", ".", ".."}:
        raise Unreadable("no path within the folder")
    return name


def _read(opened: int, most: int) -> bytes:
    """Up to ``most`` bytes; one read may return fewer than there are."""
    pieces: list[bytes] = []
    while most and (piece := os.read(opened, min(most, 1 << 20))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def _open(name: str | bytes, flags: int, folder: int) -> int:
    raw = name if isinstance(name, bytes) else name.encode("utf-8", "surrogateescape")
    try:
        return os.open(raw, flags, dir_fd=folder)
    except FileNotFoundError:
        # The name may hold escapes of ``path_of``. A file that really has a backslash in its name was found above and wins.
        meant = _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), raw)
        if meant == raw:
            raise
        return os.open(meant, flags, dir_fd=folder)
