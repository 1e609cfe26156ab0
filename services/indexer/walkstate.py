"""What the last walk saw, so that the next one need not read it again."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from exegesis.model import FileRole, FileStatus

RACY_SECONDS = 2
"""A file changed this shortly before it was read may change again within the same tick of its clock and look the same. Git calls such an entry racily
clean and reads it again, and so do we. The coarsest file system in use (FAT) counts in steps of two seconds."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Stamp:
    """What ``stat`` says about a file whose content is known. Equal stamps mean equal content, unless the entry is racy."""

    size: int
    modified: int
    """Nanoseconds since the epoch, as the other one."""
    changed: int
    """Of the inode: catches edits after which a program set the time of modification back."""
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


@dataclass(frozen=True, slots=True)
class Seen:
    """A file that was read, and what was found."""

    stamp: Stamp
    digest: str
    blob: str
    """Git's name for the content (SHA-1 of a blob), hexadecimal."""
    status: FileStatus
    roles: FileRole
    reason: str


@dataclass(frozen=True, slots=True)
class WalkState:
    rules: str
    """Fingerprint of the rules by which files were judged; what other rules found is not used."""
    started: int
    """When the walk began, nanoseconds since the epoch, by the clock of this machine."""
    files: Mapping[str, Seen] = field(default_factory=dict)

    def known(self, path: str, stamp: Stamp) -> Seen | None:
        """What is known about a file, if it cannot have changed since."""
        seen = self.files.get(path)
        if seen is None or seen.stamp != stamp or max(stamp.modified, stamp.changed) >= self.started - RACY_SECONDS * 1_000_000_000:
            return None
        return seen


def without(state: WalkState, paths: Collection[str]) -> WalkState:
    """The same, knowing nothing about these files."""
    return replace(state, files={path: seen for path, seen in state.files.items() if path not in paths})


def encode_state(state: WalkState) -> bytes:
    """The state as bytes to be kept; :func:`decode_state` reads them."""
    files = [
        (
            path,
            seen.stamp.size,
            seen.stamp.modified,
            seen.stamp.changed,
            seen.stamp.inode,
            seen.digest,
            seen.blob,
            seen.status,
            int(seen.roles),
            seen.reason,
        )
        for path, seen in state.files.items()
    ]
    document = {"format": _FORMAT, "rules": state.rules, "started": state.started, "files": files}
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode("utf-8", "surrogatepass"), 1)


def decode_state(stored: bytes) -> WalkState | None:
    """The state that was kept, or None for bytes that are none: then everything is read again, which costs time and never truth."""
    try:
        document = json.loads(zlib.decompress(stored))
        if document["format"] != _FORMAT:
            return None
        files = {
            path: Seen(Stamp(size, modified, changed, inode), digest, blob, FileStatus(status), FileRole(roles), reason)
            for path, size, modified, changed, inode, digest, blob, status, roles, reason in document["files"]
        }
        return WalkState(str(document["rules"]), int(document["started"]), files)
    except (zlib.error, ValueError, KeyError, TypeError):
        return None
