"""``ports.GraphStore`` whose finished generations live in a PostgreSQL database, so that any graph service on any machine answers from them.

A graph is read thousands of times for each time it is written, and SQLite reads it from the page cache. So the database is where a generation is
kept, and not where it is searched: a finished file is copied there before anybody can open it, and each service that is asked about a generation
fetches it once and then has it as a file. What is in the folder can be lost at any time.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from exegesis.adapters.graph_tables import GraphTables
from exegesis.adapters.postgres_files import PostgresFiles
from exegesis.adapters.sqlite_graph import SqliteGraph, SqliteGraphDraft
from exegesis.errors import NotIndexed, Unavailable

KEPT_BYTES: Final = 20 << 30
"""Of fetched files in one folder; beyond it those go that were opened longest ago. A thousand repositories of 100,000 lines, or what a node has."""

ABANDONED_SECONDS: Final = 3600.0
"""After which a copy that nobody has written to any more belongs to a process that was killed: every part of one takes seconds."""

ATTEMPTS: Final = 5
"""Times that a copy is fetched which other processes delete, to make room, before it could be opened. More often, and the folder is too small."""

T = TypeVar("T")


@dataclass(slots=True)
class _Want:
    """Threads of this process that want one copy."""

    alone: threading.Lock = field(default_factory=threading.Lock)
    """Held by the one that fetches it."""
    number: int = 0


class PostgresGraph:
    """A store over a database and a folder, which several processes may share.

    Args:
        address: Of the database.
        folder: Of drafts, which belong to their maker's machine, and of copies.
        keep_bytes: How much of copies stays in the folder.

    """

    def __init__(self, address: str, folder: Path, *, keep_bytes: int = KEPT_BYTES) -> None:
        self._kept = PostgresFiles(address)
        self._near = SqliteGraph(folder, complete=self._kept.save)
        self._folder = folder
        self._keep_bytes = keep_bytes
        self._guard = threading.Lock()
        self._wants: dict[Path, _Want] = {}

    def draft(self, repository: str, generation: str, *, basis: str | None) -> SqliteGraphDraft:
        if basis is None:
            return self._near.draft(repository, generation, basis=None)
        return self._with_copy(repository, basis, lambda: self._near.draft(repository, generation, basis=basis))

    def open(self, repository: str, generation: str) -> GraphTables:
        return self._with_copy(repository, generation, lambda: self._near.open(repository, generation))

    def share(self, repository: str, generation: str, further: str) -> None:
        self._kept.share(repository, generation, further)
        with contextlib.suppress(NotIndexed):  # not here: then it is fetched under that name when somebody asks
            self._near.share(repository, generation, further)

    def delete(self, repository: str, generation: str) -> None:
        self._kept.delete(repository, generation)
        self._near.delete(repository, generation)

    def generations(self, repository: str) -> Sequence[str]:
        kept = self._kept.generations(repository)
        unfinished = set(self._near.generations(repository)) - set(self._near.finished(repository))
        return tuple(sorted(unfinished.union(kept)))

    def close(self) -> None:
        self._kept.close()

    def _with_copy(self, repository: str, generation: str, read: Callable[[], T]) -> T:
        """What ``read`` makes of the copy of a generation. Raises ``NotIndexed`` where the database has none, and only then."""
        file = self._near.file(repository, generation)
        with self._wanted(file) as alone:
            for _ in range(ATTEMPTS):
                self._bring(repository, generation, file, alone)
                with contextlib.suppress(NotIndexed):  # another process has made room in between
                    return read()
        raise Unavailable("Copies of graphs are deleted faster than they can be read.", hint="Give the cache folder more room.")

    @contextmanager
    def _wanted(self, file: Path) -> Iterator[threading.Lock]:
        """Keep a copy from being deleted here. Whoever fetches it holds its lock; other files need not wait, however large this one is."""
        with self._guard:
            want = self._wants.setdefault(file, _Want())
            want.number += 1
        try:
            yield want.alone
        finally:
            with self._guard:
                want.number -= 1
                if not want.number:
                    del self._wants[file]

    def _bring(self, repository: str, generation: str, file: Path, alone: threading.Lock) -> None:
        """Have the file of a finished generation here. A name is never used twice for different content, so a whole file that is here will do."""
        size = self._kept.size(repository, generation)
        if self._near.is_damaged(repository, generation):  # this copy is; the database may have it whole
            with alone:
                self._near.delete(repository, generation)
        if _is_here(file, size):
            return
        with alone:
            if _is_here(file, size):
                return
            self._forget()
            part = file.with_suffix(f".{secrets.token_hex(4)}.part")
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                self._kept.fetch(repository, generation, part)
                part.replace(file)
            except OSError as error:
                raise Unavailable(f"The graph could not be fetched: {error.strerror}.", hint="Check free space of the cache folder.") from error
            finally:
                part.unlink(missing_ok=True)
            self._make_room()

    def _forget(self) -> None:
        """Delete copies of what was deleted elsewhere, and beginnings of copies. Nothing is here before it is in the database, so what is not there
        any more was deleted.
        """
        here = [file for _, _, file in _copies(self._folder)]  # before the other list is read
        kept = set(self._kept.names())
        for file in here:
            if (file.parent.name, file.stem) not in kept:
                file.unlink(missing_ok=True)
        for part in self._folder.glob("*/*.part"):
            with contextlib.suppress(FileNotFoundError):
                if part.stat().st_mtime < time.time() - ABANDONED_SECONDS:
                    part.unlink()

    def _make_room(self) -> None:
        """Whoever has a file open keeps reading it; what somebody here is about to open stays."""
        left = self._keep_bytes
        with self._guard:
            wanted = frozenset(self._wants)
        for _, size, file in _copies(self._folder):
            left -= size
            if left < 0 and file not in wanted:
                file.unlink(missing_ok=True)


def _is_here(file: Path, size: int) -> bool:
    """Whether a file is there as a whole; then it counts as used now."""
    try:
        if file.stat().st_size != size:
            return False
        with contextlib.suppress(PermissionError):  # a folder that may only be read
            os.utime(file)
    except FileNotFoundError:
        return False
    return True


def _copies(folder: Path) -> list[tuple[float, int, Path]]:
    """Moment of last use, size and place of each, the one that was used last first."""
    found = []
    for file in folder.glob("*/*.db"):
        with contextlib.suppress(FileNotFoundError):  # another process makes room as well
            state = file.stat()
            found.append((state.st_mtime, state.st_size, file))
    return sorted(found, reverse=True)
