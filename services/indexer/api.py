"""The promise of the indexer service. Mirrors ``proto/exegesis/v1/indexer.proto``."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from exegesis.model import Coverage, Generation, Progress, Repository, SourceFile

Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class IndexOptions:
    include_dependencies: bool = False
    embed: bool = True
    """Compute the vectors of all chunks after the lexical and graph parts are in."""
    index_store: str = ""
    """Folder of an Xcode or SwiftPM index store, ``auto`` for those that are found, ``none``; empty for what was said last, at first ``auto``."""
    describe: bool = True
    """Make the descriptions of what is large, once the generation is usable."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    repository: Repository
    generation: Generation
    changed: int
    """Files parsed anew in this run."""
    removed: int
    resumed: bool
    """An interrupted run was continued."""
    unchanged: bool
    """Nothing differed, so the head stayed."""
    seconds: float
    described: int = 0
    """Descriptions made in this run."""
    descriptions_kept: int = 0
    """And those that were made before, of the same content."""
    told: int = 0
    """Of those made, by a language model."""


@dataclass(frozen=True, slots=True)
class ExactStatus:
    """What compilers left behind about a repository, and how far it is of the present text."""

    stores: tuple[str, ...]
    """Folders of the index stores, the one written to last first."""
    files: int
    """Files of the repository that they hold records of."""
    stale: tuple[str, ...]
    """Those of them whose text is another than was compiled, or whose record could not be read: they are linked by rules."""
    unknown: int
    """Files that were compiled and are none of the repository's."""
    problems: tuple[str, ...]
    """What could not be read."""


@dataclass(frozen=True, slots=True)
class Status:
    repository: Repository
    head: Generation | None
    coverage: Coverage | None
    stale: bool
    """The folder differs from what is indexed."""
    disk_bytes: int
    exact: ExactStatus | None = None
    """None where there is no index store."""
    problem: str = ""
    """Why it could not be looked at, or why the last run failed or waits; empty if nothing is the matter."""


class IndexerService(Protocol):
    def index(self, root: str, options: IndexOptions, report: Report, *, cancelled: threading.Event | None = None) -> IndexReport:
        """Bring the index of a folder up to date. Usable (lexical and graph) from the moment the generation becomes head, which
        ``report`` announces with phase ``usable``; vectors follow. Interrupting loses at most the batch under way.
        """
        ...

    def locate(self, root: str) -> Repository:
        """The repository that a folder is, registered or not."""
        ...

    def is_stale(self, repository: str) -> bool: ...
    def files(self, repository: str) -> Sequence[SourceFile]:
        """All files of the head generation with their status and reason."""
        ...

    def status(self, repository: str | None = None) -> Sequence[Status]: ...
    def remove(self, repository: str) -> None:
        """Delete everything kept about a repository."""
        ...

    def watch(self, root: str, options: IndexOptions, report: Report, *, cancelled: threading.Event) -> None:
        """Index, then again whenever files change, until cancelled: by file events, or by polling where there are none."""
        ...
