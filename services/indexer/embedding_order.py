"""Which files are embedded first: what most questions are about."""

from __future__ import annotations

from collections.abc import Sequence

from exegesis.model import FileRole, FileStatus
from exegesis.ports import FileRow

LATER = FileRole.TEST | FileRole.EXAMPLE | FileRole.GENERATED | FileRole.MINIFIED | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.SUPERSEDED
"""Half of the chunks of redis, and what a list and a context push down unless the question asks for it. Documents are not among them: the answer to
what something is for begins there."""


def in_order(rows: Sequence[FileRow]) -> tuple[Sequence[str], Sequence[str]]:
    """Paths of indexed files: those that come first, what most others mention before the rest; and those that can wait, likewise."""
    indexed = sorted((row for row in rows if row.file.status is FileStatus.INDEXED), key=lambda row: (-row.indegree, row.file.path))
    return [row.file.path for row in indexed if not row.file.roles & LATER], [row.file.path for row in indexed if row.file.roles & LATER]
