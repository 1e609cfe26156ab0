"""What is to be done to get from one generation to the next."""

from __future__ import annotations

from dataclasses import replace

from exegesis.model import FileRole, FileStatus, SourceFile
from services.graph.api import Pin
from services.indexer.work import Basis, work_of


def file(path: str, digest: str = "1", status: FileStatus = FileStatus.INDEXED) -> SourceFile:
    return SourceFile(path, digest, 1, "swift", FileRole.NONE, status)


def basis(*files: SourceFile) -> Basis:
    return Basis(Pin("r", "g"), {file.path: file for file in files})


def test_without_a_basis_everything_is_parsed() -> None:
    """A clean build parses every candidate, and nothing has to go."""
    work = work_of([file("a"), file("b", status=FileStatus.SKIPPED)], None)
    assert [file.path for file in work.parse] == ["a"]
    assert (work.gone, work.removed) == ([], 0)


def test_only_what_differs_is_parsed() -> None:
    """Changed, added and re-claimed files are parsed; the chunks of changed and removed ones go."""
    old = basis(file("same"), file("edited"), file("deleted"), file("now ignored"), file("renamed language"))
    new = [
        file("same"),
        file("edited", "2"),
        file("added"),
        file("now ignored", status=FileStatus.SKIPPED),
        replace(file("renamed language"), language="markdown"),
    ]
    work = work_of(new, old)
    assert [file.path for file in work.parse] == ["edited", "added", "renamed language"]
    assert sorted(work.gone) == ["deleted", "edited", "now ignored", "renamed language"]
    assert work.removed == 2


def test_a_file_that_failed_is_tried_again() -> None:
    """It may have been the machine's fault; it has no chunks that would have to go."""
    work = work_of([file("a")], basis(file("a", status=FileStatus.FAILED)))
    assert [file.path for file in work.parse] == ["a"]
    assert work.gone == []


def test_a_file_whose_language_failed_is_tried_again() -> None:
    """Its words are in the index, and make way for what there is now."""
    work = work_of([file("a")], basis(replace(file("a"), reason="found by its words alone")))
    assert [file.path for file in work.parse] == ["a"]
    assert work.gone == ["a"]


def test_a_change_of_role_alone_parses_nothing() -> None:
    """What a file is does not change what it says."""
    assert work_of([replace(file("a"), roles=FileRole.TEST)], basis(file("a"))).parse == []


def test_files_of_which_a_compiler_says_something_else_are_examined() -> None:
    """Of files that stay as they are when the record is another or gone, of those that are parsed when there is one."""
    old = basis(
        replace(file("same"), exact="1"), replace(file("built"), exact="1"), replace(file("no longer"), exact="1"), file("edited"), file("plain")
    )
    new = [
        replace(file("same"), exact="1"),
        replace(file("built"), exact="2"),
        file("no longer"),
        replace(file("edited", "2"), exact="1"),
        file("plain", "2"),
        replace(file("added"), exact="1"),
    ]
    work = work_of(new, old)
    assert [file.path for file in work.exact] == ["built", "no longer", "edited", "added"]
    assert [file.path for file in work.parse] == ["edited", "plain", "added"]
    assert [file.path for file in work_of(new, None).exact] == ["same", "built", "edited", "added"]
