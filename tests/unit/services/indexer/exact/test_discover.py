"""Finding stores."""

from __future__ import annotations

import os
import plistlib
from pathlib import Path

import pytest

from services.indexer.exact.discover import find_stores

LAYOUTS = [
    ".build/x86_64-unknown-linux-gnu/debug/index/store",
    ".build/arm64-apple-macosx/release/index/store",
    ".build/index-build/arm64-apple-macosx/debug/index/store",
    "DerivedData/App-abcdef/Index.noindex/DataStore",
    "DerivedData/App-abcdef/Index/DataStore",
    "DerivedData/Index.noindex/DataStore",
    "build/Index.noindex/DataStore",
    "Packages/Core/.build/debug/index/store",
]


def make_store(folder: Path) -> Path:
    (folder / "v5" / "units").mkdir(parents=True)
    (folder / "v5" / "records").mkdir()
    return folder


@pytest.mark.parametrize("layout", LAYOUTS)
def test_stores_are_found_where_tools_put_them(tmp_path: Path, layout: str) -> None:
    """Each known place below a project is searched."""
    assert find_stores(tmp_path) == () or pytest.fail("found before it was made")
    store = make_store(tmp_path / layout)
    assert find_stores(tmp_path) == (store,)


def test_the_store_written_last_comes_first(tmp_path: Path) -> None:
    """Of several stores, the one with the newest units is the first."""
    stores = [make_store(tmp_path / layout) for layout in LAYOUTS[:3]]
    for age, store in enumerate(stores):
        os.utime(store / "v5" / "units", (1_000 + age, 1_000 + age))
    assert find_stores(tmp_path) == tuple(reversed(stores))


def test_stores_of_dependencies_and_linked_folders_are_left_alone(tmp_path: Path) -> None:
    """A checkout's own store is not the project's, and a link may lead out of it."""
    make_store(tmp_path / "project" / ".build" / "checkouts" / "x" / ".build" / "debug" / "index" / "store")
    outside = make_store(tmp_path / "outside" / ".build" / "debug" / "index" / "store")
    (tmp_path / "project" / "linked").symlink_to(outside.parents[3])
    (tmp_path / "project" / ".build" / "debug").symlink_to(outside.parents[1])
    assert find_stores(tmp_path / "project") == ()


def test_derived_data_counts_if_its_workspace_is_in_the_project(tmp_path: Path) -> None:
    """Of Xcode's folder of derived data, only what was made from this project is taken; a broken property list is not ours."""
    project, derived = tmp_path / "project", tmp_path / "derived"
    project.mkdir()
    for name, workspace in (("App-a", project / "App.xcodeproj"), ("Other-b", tmp_path / "other" / "Other.xcodeproj")):
        make_store(derived / name / "Index.noindex" / "DataStore")
        (derived / name / "info.plist").write_bytes(plistlib.dumps({"WorkspacePath": str(workspace)}))
    make_store(derived / "Broken-c" / "Index.noindex" / "DataStore")
    (derived / "Broken-c" / "info.plist").write_bytes(b"<plist><dict>")
    assert find_stores(project, derived_data=derived) == (derived / "App-a" / "Index.noindex" / "DataStore",)


def test_a_project_that_cannot_be_listed_has_no_stores(tmp_path: Path) -> None:
    """A folder that does not exist is no error."""
    assert find_stores(tmp_path / "nowhere") == ()
