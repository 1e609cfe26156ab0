"""Which files are pushed down, and what lifts that."""

import pytest

from exegesis.model import FileRole, FileStatus, Options, SourceFile
from services.query.intent import read_question
from services.query.noise import CONTEXT_ASIDE, CONTEXT_HISTORY, is_history, push_down


def document(path: str) -> SourceFile:
    return SourceFile(path, "", 1, "markdown", FileRole.DOCUMENT, FileStatus.INDEXED)


@pytest.mark.parametrize(
    "path", ["History.md", "CHANGELOG.md", "docs/changes.rst", "NEWS", "00-RELEASENOTES", "release-notes.md", "CHANGELOG-4.x.md"]
)
def test_changelogs_are_known_by_their_names(path: str) -> None:
    """Whatever a project calls the list of what changed."""
    assert is_history(document(path))


@pytest.mark.parametrize("path", ["README.md", "docs/newsletter.md", "docs/history-api.md", "docs/exchanges.md"])
def test_other_documents_are_none(path: str) -> None:
    """A word that only begins or ends like one is another word."""
    assert not is_history(document(path))


def test_a_changelog_hardly_enters_the_context_of_a_question() -> None:
    """It says every word of the project, and how nothing works."""
    pushed = push_down(document("History.md"), read_question("How is a page rendered?", Options()), stored=False)
    assert (pushed.name, pushed.value) == ("history", CONTEXT_HISTORY)


def test_who_asks_what_changed_sees_the_changelog() -> None:
    """The question lifts what is pushed down."""
    asked = read_question("In which version was rendering deprecated?", Options())
    assert push_down(document("History.md"), asked, stored=False).value == 1.0


@pytest.mark.parametrize(
    ("path", "language", "value"),
    [("src/EX1PUT.rpgle", "rpg", 1.0), ("src/EX2APPEND.rpgle", "rpg", CONTEXT_ASIDE), ("examples/ex1put.py", "python", CONTEXT_ASIDE)],
)
def test_a_program_that_the_question_names_is_no_noise(path: str, language: str, value: float) -> None:
    """Although it is an example. Others are, and files of languages in which tests and documents are called like what they are about."""
    file = SourceFile(path, "", 1, language, FileRole.EXAMPLE, FileStatus.INDEXED)
    assert push_down(file, read_question("What does program EX1PUT do?", Options()), stored=False).value == value
