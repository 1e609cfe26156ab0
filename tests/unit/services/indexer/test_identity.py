"""Names of repositories and generations."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.errors import UsageError
from exegesis.model import FileRole, FileStatus, SourceFile
from services.indexer.identity import GenerationName, inputs_of, repository_of

FILE = SourceFile("a.swift", "d1", 10, "swift", FileRole.NONE, FileStatus.INDEXED)


def test_a_folder_is_one_repository_however_it_is_written(tmp_path: Path) -> None:
    """Links, dots and trailing slashes lead to the same identifier; another folder of that name has another."""
    (tmp_path / "My App!" / "inner").mkdir(parents=True)
    (tmp_path / "other" / "My App!").mkdir(parents=True)
    (tmp_path / "link").symlink_to("My App!")
    one = repository_of(str(tmp_path / "My App!"))
    assert one.name == "My App!"
    assert one.root == str(tmp_path / "My App!")
    assert one.id.startswith("my-app-")
    assert {repository_of(f"{tmp_path}/{way}") for way in ("My App!/", "link", "My App!/inner/..")} == {one}
    assert repository_of(str(tmp_path / "other" / "My App!")).id != one.id


def test_an_identifier_is_safe_in_a_file_name(tmp_path: Path) -> None:
    """Whatever a folder is called, its identifier consists of letters, digits and dashes."""
    for name in (b"..hidden", "漢字".encode(), b"-rf", b"x" * 200):
        folder = tmp_path / os.fsdecode(name)
        folder.mkdir()
        found = repository_of(str(folder)).id
        assert found.replace("-", "").isalnum()
        assert found.isascii()
        assert len(found) < 60
        assert not found.startswith("-")


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    """A missing folder and a file are mistakes of the caller."""
    (tmp_path / "file").touch()
    for name in ("file", "missing"):
        with pytest.raises(UsageError):
            repository_of(str(tmp_path / name))


def test_inputs_are_equal_exactly_when_the_walk_saw_the_same() -> None:
    """Order does not matter; content, language, role, status and reason do, the module does not."""
    other = replace(FILE, path="b.swift")
    assert inputs_of([FILE, other]) == inputs_of([other, FILE])
    assert inputs_of([replace(FILE, module="M")]) == inputs_of([FILE])
    changes = [
        {"path": "c.swift"},
        {"digest": "d2"},
        {"language": ""},
        {"roles": FileRole.TEST},
        {"status": FileStatus.SKIPPED},
        {"reason": "binary"},
    ]
    assert len({inputs_of([FILE]), *(inputs_of([replace(FILE, **change)]) for change in changes)}) == 7


def test_a_generation_name_reads_back() -> None:
    """Names are unique, and tell whether two generations are made of the same."""
    name = GenerationName.make("inputs", "recipe")
    again = GenerationName.make("inputs", "recipe")
    assert GenerationName.parse(str(name)) == name
    assert name != again
    assert name.has_content_of(again)
    assert not name.has_content_of(GenerationName.make("inputs", "other"))
    assert not GenerationName.parse("something else").has_content_of(name)


def test_an_empty_name_is_no_folder() -> None:
    """A script whose variable is not set must not index the folder that it happens to run in."""
    with pytest.raises(UsageError, match="empty"):
        repository_of("")


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 5_000])
def test_what_can_be_no_path_is_refused(name: str) -> None:
    """As a mistake of the caller, though the system does not even look for it."""
    with pytest.raises(UsageError):
        repository_of(name)


def test_a_folder_whose_path_is_no_text_is_refused(tmp_path: Path) -> None:
    """It could not be written down; what is called so is shown."""
    folder = tmp_path / os.fsdecode(b"caf\xe9") / "inner"
    folder.mkdir(parents=True)
    with pytest.raises(UsageError, match=r"caf\\xe9/inner is not text in UTF-8"):
        repository_of(str(folder))
