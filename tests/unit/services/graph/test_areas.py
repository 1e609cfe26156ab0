"""Which module of the map a file falls into."""

from __future__ import annotations

from exegesis.model import FileRole, FileStatus, SourceFile
from exegesis.ports import FileRow
from services.graph.areas import Area, areas_of


def place(*files: tuple[str, str, FileRole, str], programs: tuple[str, ...] = ()) -> dict[str, Area]:
    rows = {path: FileRow(SourceFile(path, "", 0, language, roles, FileStatus.INDEXED, module=module), 0) for path, language, roles, module in files}
    return dict(areas_of(rows, [path for path in rows if not path.endswith("/__init__.py")], programs))


def test_tests_beside_the_code_are_a_module_of_their_own() -> None:
    """A Go package holds its tests, which are no part of what it is."""
    found = place(("bind/a.go", "go", FileRole.NONE, "github.com/o/x/bind"), ("bind/a_test.go", "go", FileRole.TEST, "github.com/o/x/bind"))
    assert found == {"bind/a.go": Area("x/bind", ""), "bind/a_test.go": Area("x/bind (tests)", "tests")}


def test_python_has_packages_also_without_a_file_that_says_so() -> None:
    """Folders within a package bear its name in front; a script outside lies in its folder."""
    none = FileRole.NONE
    found = place(*((path, "python", none, "") for path in ("src/web/__init__.py", "src/web/app.py", "src/web/pure/core.py", "src/tool.py")))
    assert {path: area.name for path, area in found.items()} == {"src/web/app.py": "web", "src/web/pure/core.py": "web.pure", "src/tool.py": "src"}


def test_members_with_code_are_modules_and_those_that_are_copied_are_one() -> None:
    """A program of RPG is one member; constants and prototypes are copied into many."""
    files = [(f"src/rpg/{name}", "rpg", FileRole.NONE, "") for name in ("ORDERS.rpgle", "CONST.rpgleinc", "PROTO.rpgleinc")]
    found = place(*files, programs=("src/rpg/ORDERS.rpgle",))
    assert [area.name for _, area in sorted(found.items())] == ["src/rpg (copies)", "ORDERS", "src/rpg (copies)"]


def test_a_manifest_builds_the_project_and_is_no_part_of_it() -> None:
    """Documents and manifests at the top are not the code of the project."""
    found = place(("Package.swift", "swift", FileRole.NONE, ""), ("Package@swift-5.9.swift", "swift", FileRole.NONE, ""))
    assert {area.kind for area in found.values()} == {"build"}


def test_a_few_documents_among_tests_go_with_them() -> None:
    """One README makes no module; three examples beside tests do."""
    tests = [(f"Tests/Test{number}.swift", "swift", FileRole.TEST, "") for number in range(5)]
    shown = [(f"Tests/EX{number}.swift", "swift", FileRole.EXAMPLE, "") for number in range(3)]
    found = place(*tests, *shown, ("Tests/README.md", "markdown", FileRole.DOCUMENT, ""))
    assert {area.name for area in found.values()} == {"Tests", "Tests (examples)"}
    assert found["Tests/README.md"].kind == "tests"
