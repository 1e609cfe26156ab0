from __future__ import annotations

from exegesis.model import FileRole, FileStatus, SourceFile
from services.gateway.listing import page_of


def file(path: str) -> SourceFile:
    return SourceFile(path, "", 0, "swift", FileRole(0), FileStatus.INDEXED)


def test_pages_follow_each_other_until_all_is_told() -> None:
    """Each begins after the last path of the one before; nothing twice, nothing left out."""
    files = [file(path) for path in ("b", "a/c", "ü", "a", "B")]
    told: list[str] = []
    more = True
    while more:
        page, more = page_of(files, told[-1] if told else "", most=2)
        told += [each.path for each in page]
    assert told == ["B", "a", "a/c", "b", "ü"]


def test_a_page_that_holds_the_rest_is_the_last() -> None:
    """Also where it is full."""
    assert page_of([file("a"), file("b")], "", most=2)[1] is False
    assert page_of([], "", most=2) == ([], False)
