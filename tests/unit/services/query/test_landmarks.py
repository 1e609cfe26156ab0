"""Where a newcomer begins."""

from pathlib import Path

import pytest

from exegesis.model import FileRole
from services.query.landmarks import is_front_page, landmarks
from tests.fakes.small_repository import Piece, small_repository


@pytest.mark.parametrize(
    ("path", "begins"),
    [
        ("GRDB/Documentation.docc/GRDB.md", True),  # named like the folder of the module
        ("Sources/Nimble/Nimble.docc/Nimble.md", True),  # named like the catalogue
        ("Sources/Vapor/Docs.docc/index.md", True),
        ("docs/index.rst", True),
        ("Documentation/README.md", True),
        ("GRDB/Documentation.docc/Migrations.md", False),
        ("docs/reference/index.rst", False),  # of one part
        ("web/index.md", False),
        ("README.md", False),  # the top document, which is a landmark of its own
    ],
)
def test_the_front_page_of_documentation_is_known_by_its_place(path: str, *, begins: bool) -> None:
    """By folder and name, never by words."""
    assert is_front_page(path) is begins


def test_a_modules_documentation_begins_before_the_rest(tmp_path: Path) -> None:
    """The catalogue of the module speaks for it, and no longer the folder of all documents, whose index often only says where to look."""
    files = {
        "README.md": [Piece("Installation", "Add the package.")],
        "Documentation/README.md": [Piece("Moved", "See above.")],
        "Core/Docs.docc/Core.md": [Piece("Core", "Connections, records, migrations.")],
        "Core/Docs.docc/Records.md": [Piece("Records", "Rows as values.")],
        "Core/Pool.swift": [Piece("read", "connect()")],
    }
    roles = {path: FileRole.DOCUMENT | FileRole.EXAMPLE for path in files if path.endswith(".md")}
    corpus = small_repository(tmp_path, files, roles)
    found = landmarks(corpus)
    prose = {chunk.name for chunk in corpus.graph.chunks(corpus.pin, sorted(found)).values() if chunk.path.endswith(".md")}
    assert prose == {"Installation", "Core"}
