"""A whole store: the committed one of the sample, moved and broken."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from services.indexer.exact.facts import calls
from services.indexer.exact.indexstore import Problem, keep_fresh, read_project, read_records, read_units, record_path
from services.indexer.exact.units import Dependency, DependencyKind, Unit
from tests.unit.services.indexer.exact.oracle import plain_record, plain_unit
from tests.unit.services.indexer.exact.sample import BUILT_IN, COMPRESSED, PACKAGE, STORE, golden, read_sample, read_source, source_files
from tests.unit.services.indexer.exact.writer import unit_file

SOURCES = [path for path in source_files() if path.startswith("Sources/")]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A copy of the sample's store, to be broken."""
    return Path(shutil.copytree(STORE, tmp_path / "store"))


def test_units_are_what_the_library_of_the_toolchain_reads() -> None:
    """Every field of every unit equals the golden file that libIndexStore made."""
    units, problems = read_units(str(STORE), system=True)
    assert problems == ()
    assert [plain_unit(unit) for unit in units] == golden()["units"]


def test_records_are_what_the_library_of_the_toolchain_reads() -> None:
    """Every symbol, occurrence and relation of every record equals the golden file that libIndexStore made."""
    wanted = {record["name"]: record for record in golden()["records"]}
    records, problems = read_records(str(STORE), list(wanted))
    assert problems == ()
    assert {name: plain_record(record) for name, record in records.items()} == wanted


def test_a_compressed_store_holds_the_same_records() -> None:
    """A store whose files a compiler compressed is read as the plain one is."""
    assert any(path.read_bytes().startswith(b"CIDXR") for path in COMPRESSED.glob("v5/records/*/*"))
    assert any(path.read_bytes().startswith(b"CIDXU") for path in COMPRESSED.glob("v5/units/*"))
    assert read_project(str(COMPRESSED), source_files(), root=str(PACKAGE)).files == read_sample().files


def test_a_store_is_read_for_the_files_of_a_repository() -> None:
    """All sources of the sample that a compiler saw are there, each with its module, and nothing else was compiled."""
    index = read_sample()
    assert [file.path for file in index.files] == SOURCES
    assert {file.path.split("/")[1]: file.module for file in index.files if file.path.endswith(".swift")} == {
        "Harvest": "Harvest",
        "Market": "Market",
        "Orchard": "Orchard",
    }
    assert index.unknown == ()


@pytest.mark.parametrize("root", ["/somewhere/else", BUILT_IN, f"{BUILT_IN}/"])
def test_a_store_of_another_machine_is_read_all_the_same(root: str) -> None:
    """Wherever the repository lies now, its files are found by the ends of their paths."""
    index = read_project(str(STORE), source_files(), root=root)
    assert [file.path for file in index.files] == SOURCES


def test_sources_that_a_package_gathers_by_links_are_found(tmp_path: Path) -> None:
    """Where the compiler was given links, the files that they lead to are those of the repository."""
    shutil.copytree(PACKAGE, tmp_path / "package")
    (tmp_path / "package" / "Sources").rename(tmp_path / "package" / "Code")
    (tmp_path / "package" / "Sources").symlink_to("Code")
    root = str(tmp_path / "package")
    known = [path.replace("Sources/", "Code/") for path in SOURCES]
    assert [file.path for file in read_project(str(STORE), known, root=root, prefixes=[(BUILT_IN, root)]).files] == known


def test_given_prefixes_are_followed() -> None:
    """A prefix that leads to no file of the repository finds none; the right one finds all."""
    assert read_project(str(STORE), SOURCES, root="/r", prefixes=[(BUILT_IN, "/r/no")]).files == ()
    index = read_project(str(STORE), ["x/" + path for path in SOURCES], root="/r", prefixes=[(BUILT_IN, "/r/x")])
    assert [file.path for file in index.files] == ["x/" + path for path in SOURCES]


def test_files_that_the_repository_does_not_have_are_named() -> None:
    """A compiled file that is gone is reported by the name that it had."""
    index = read_project(str(STORE), [path for path in SOURCES if not path.endswith("Fruit.swift")], root=str(PACKAGE))
    assert index.unknown == (f"{BUILT_IN}/Sources/Orchard/Fruit.swift",)


def test_what_has_changed_falls_back_by_itself() -> None:
    """An edited file and a deleted one lose their exact facts; all others keep them."""
    index = read_project(str(STORE), source_files(), root=str(PACKAGE))
    edited, gone = "Sources/Orchard/Trees.swift", "Sources/Market/Basket.swift"

    def read(path: str) -> bytes | None:
        return None if path == gone else b"// new\n" * (path == edited) + read_source(path)

    fresh, stale = keep_fresh(index, read)
    assert {file.path for file in stale} == {edited, gone}
    assert [file.path for file in fresh.files] == [path for path in SOURCES if path not in {edited, gone}]
    assert {call.path for call in calls(fresh.files)} <= {file.path for file in fresh.files}


def test_a_name_that_was_replaced_in_place_is_no_longer_exact() -> None:
    """One call that now names another function goes, with what the compiler made at its place; the other calls of its file stay."""
    index = read_project(str(STORE), source_files(), root=str(PACKAGE))
    path = "Sources/Orchard/Trees.swift"

    def read(name: str) -> bytes:
        return read_source(name).replace(b"        blossom()", b"        wither()", 1) if name == path else read_source(name)

    fresh, stale = keep_fresh(index, read)
    assert stale == ()
    lost = set(calls(index.files)) - set(calls(fresh.files))
    assert {(call.path, call.callee.name) for call in lost} == {(path, "blossom()")}
    assert len(lost) == 1


def test_a_broken_record_costs_its_file(store: Path) -> None:
    """A record that is cut off is a problem and its file is not fresh; the others are."""
    path = next((store / "v5" / "records").glob("*/Trees.swift-*"))
    path.write_bytes(path.read_bytes()[:900])
    index = read_project(str(store), SOURCES, root=BUILT_IN)
    assert {problem.path for problem in index.problems} == {str(path.relative_to(store))}
    _, stale = keep_fresh(index, read_source)
    assert [file.path for file in stale] == ["Sources/Orchard/Trees.swift"]


def test_a_broken_unit_costs_its_files(store: Path) -> None:
    """A unit that cannot be read is a problem; what the other units name is there."""
    path = next((store / "v5" / "units").glob("main.swift*"))
    path.write_bytes(b"IDXU, or not")
    index = read_project(str(store), SOURCES, root=BUILT_IN)
    assert [problem.path for problem in index.problems] == [f"v5/units/{path.name}"]
    assert [file.path for file in index.files] == [path for path in SOURCES if not path.endswith("main.swift")]


def test_what_is_no_regular_file_is_passed_over(store: Path, tmp_path: Path) -> None:
    """A link that leads out of the store and a folder among the units are problems, not read."""
    (store / "v5" / "units" / "linked").symlink_to(tmp_path / "secret")
    (tmp_path / "secret").write_text("secret")
    (store / "v5" / "units" / "folder").mkdir()
    index = read_project(str(store), SOURCES, root=BUILT_IN)
    assert [problem.path for problem in index.problems] == ["v5/units/folder", "v5/units/linked"]
    assert [file.path for file in index.files] == SOURCES


def test_a_folder_that_is_no_store_is_a_problem(tmp_path: Path) -> None:
    """Nothing is read, and why is said."""
    index = read_project(str(tmp_path), SOURCES, root="/r")
    assert (index.files, index.units) == ((), 0)
    assert index.problems == (Problem("v5/units", "No such file or directory"),)


def unit_of(name: str, record: str, module: str = "M") -> bytes:
    dependency = Dependency(DependencyKind.RECORD, record, "/r/Sources/Orchard/Fruit.swift", "", is_system=False)
    return unit_file(Unit(name, module=module, working_directory="/r", dependencies=(dependency,)))


def write_units(store: Path, *units: tuple[str, bytes, int]) -> None:
    import os

    shutil.rmtree(store / "v5" / "units")
    (store / "v5" / "units").mkdir()
    for name, content, modified in units:
        path = store / "v5" / "units" / name
        path.write_bytes(content)
        os.utime(path, (modified, modified))


def record_named(store: Path, start: str) -> str:
    return next((store / "v5" / "records").glob(f"*/{start}-*")).name


def test_the_newest_unit_speaks_for_a_file(store: Path) -> None:
    """Of two compilations of a file for one module, the one written last counts, whatever their names."""
    old, new = record_named(store, "Trees.swift"), record_named(store, "Fruit.swift")
    write_units(store, ("a", unit_of("a", new), 2_000), ("b", unit_of("b", old), 1_000))
    (file,) = read_project(str(store), SOURCES, root="/r").files
    assert file.record.name == new


def test_a_file_of_two_modules_counts_for_both(store: Path) -> None:
    """A file that two modules compile has the symbols of each; one record of it is read once."""
    one, other = record_named(store, "Trees.swift"), record_named(store, "Fruit.swift")
    write_units(store, ("a", unit_of("a", one, "A"), 1), ("b", unit_of("b", other, "B"), 2), ("c", unit_of("c", other, ""), 3))
    files = read_project(str(store), SOURCES, root="/r").files
    assert sorted((file.module, file.record.name) for file in files) == sorted([("A", one), ("B", other)])


def test_records_of_the_system_are_not_read(store: Path) -> None:
    """A record that a unit marks as the system's is not looked for, nor are the units of system modules followed."""
    system = Dependency(DependencyKind.RECORD, "Missing-XX", "/r/Sources/Orchard/Fruit.swift", "", is_system=True)
    project = Dependency(DependencyKind.RECORD, "Missing-XX", "/r/Sources/Orchard/Fruit.swift", "", is_system=False)
    units = (Unit("a", dependencies=(system,)), Unit("b", is_system=True, dependencies=(project,)))
    write_units(store, *((unit.name, unit_file(unit), 1) for unit in units))
    index = read_project(str(store), SOURCES, root="/r")
    assert (index.files, index.problems, index.units, index.unknown) == ((), (), 1, ())


@pytest.mark.parametrize("name", ["../../../secret", "/etc/passwd", "..", "a\0b", ""])
def test_a_record_cannot_lead_out_of_the_store(store: Path, name: str) -> None:
    """A unit that names a path instead of a record finds nothing there."""
    (store.parent / "secret").write_bytes(b"IDXR")
    write_units(store, ("a", unit_of("a", name), 1))
    assert read_project(str(store), SOURCES, root="/r").files == ()


@pytest.mark.parametrize("path", ["a\0b/c.swift", "/r/a\0b.swift", "x/" * 3000 + "c.swift", "//", "\udcff.swift".encode("utf-8", "replace").decode()])
def test_a_source_path_that_no_file_system_has_is_unknown(store: Path, path: str) -> None:
    """Paths that cannot exist are none of the repository's, and do no harm."""
    dependency = Dependency(DependencyKind.RECORD, record_named(store, "Trees.swift"), path, "", is_system=False)
    write_units(store, ("a", unit_file(Unit("a", working_directory="/w", dependencies=(dependency,))), 1))
    index = read_project(str(store), SOURCES, root="/r")
    assert (index.files, len(index.unknown)) == ((), 1)


def test_records_lie_under_the_end_of_their_names() -> None:
    """The folder of a record is the last two characters of its name."""
    assert record_path("Trees.swift-1CLJH9CJ45L78") == "v5/records/78/Trees.swift-1CLJH9CJ45L78"
