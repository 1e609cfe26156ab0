"""What is to be done to get from one generation to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exegesis.model import FileStatus, SourceFile
from services.graph.api import Pin


@dataclass(frozen=True, slots=True)
class Basis:
    """The generation that a build starts from, and the files that it holds."""

    pin: Pin
    files: Mapping[str, SourceFile]

    def keeps(self, file: SourceFile) -> bool:
        """Whether what the basis knows of a file is what parsing it would yield. A file that failed, or whose language did, is tried again."""
        old = self.files.get(file.path)
        return old is not None and old.status is FileStatus.INDEXED and not old.reason and (old.digest, old.language) == (file.digest, file.language)


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done to get from a basis to the files as they are."""

    files: Sequence[SourceFile]
    """All of them, as walked."""
    parse: Sequence[SourceFile]
    gone: Sequence[str]
    """Files of the basis whose chunks must go: those that are parsed anew, and those that are no longer to be indexed."""
    removed: int
    """Files that were indexed and are no more."""
    exact: Sequence[SourceFile] = ()
    """Those of which a compiler recorded something else than is known, or nothing any more."""


def work_of(files: Sequence[SourceFile], basis: Basis | None) -> Work:
    candidates = {file.path: file for file in files if file.status is FileStatus.INDEXED}
    old = basis.files if basis else {}
    parse = [file for file in candidates.values() if basis is None or not basis.keeps(file)]
    indexed = [path for path, file in old.items() if file.status is FileStatus.INDEXED]
    again = {file.path for file in parse}
    gone = [path for path in indexed if path in again or path not in candidates]
    removed = sum(path not in candidates for path in indexed)
    exact = [file for file in candidates.values() if (file.exact if file.path in again else file.exact != old[file.path].exact)]
    return Work(files, parse, gone, removed, exact)
