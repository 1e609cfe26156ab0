"""What is embedded first."""

from __future__ import annotations

from exegesis.model import FileRole, FileStatus, SourceFile
from exegesis.ports import FileRow
from services.indexer.embedding_order import in_order


def row(path: str, mentions: int = 0, roles: FileRole = FileRole.NONE, status: FileStatus = FileStatus.INDEXED) -> FileRow:
    return FileRow(SourceFile(path, "digest", 1, "swift", roles, status), mentions)


def test_what_others_mention_most_comes_first() -> None:
    """Then by path, so that the order is the same each time."""
    assert in_order([row("b"), row("a"), row("core", 9), row("net", 3)]) == (["core", "net", "a", "b"], [])


def test_tests_examples_and_other_peoples_code_can_wait() -> None:
    """However often they are mentioned; documents and the code itself cannot."""
    rows = [
        row("t", 99, FileRole.TEST),
        row("v", 2, FileRole.VENDORED | FileRole.UI),
        row("README.md", 0, FileRole.DOCUMENT),
        row("screen", 1, FileRole.UI),
    ]
    assert in_order(rows) == (["screen", "README.md"], ["t", "v"])


def test_files_that_are_not_indexed_are_in_neither() -> None:
    """They have no chunks."""
    assert in_order([row("gone", 5, status=FileStatus.SKIPPED)]) == ([], [])
