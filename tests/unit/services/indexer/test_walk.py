"""Which files a folder has, what they are, and which of them changed."""

import json
import os
import re
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from exegesis.adapters.cache_folder import mark
from exegesis.errors import UsageError
from exegesis.model import FileRole, FileStatus, SourceFile
from services.indexer.extract import extract
from services.indexer.ignore import LIMIT_BYTES
from services.indexer.read import Unreadable, path_of, read_file
from services.indexer.walk import Walk, walk
from services.indexer.walkstate import RACY_SECONDS, decode_state, encode_state
from tests.fixtures.hostile_tree import OUTSIDE, SECRETS, build, reads_everything

LONG_AGO = 1_600_000_000


def write(root: Path, files: Mapping[str, str]) -> None:
    """Files that were written long ago, so that none is racily clean."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        os.utime(target, (LONG_AGO, LONG_AGO))


def by_path(walked: Walk) -> dict[str, SourceFile]:
    return {file.path: file for file in walked.files}


def reasons(walked: Walk) -> dict[str, str]:
    return {file.path: file.reason for file in walked.files}


def settle(walked: Walk) -> Walk:
    """The same walk, as if it had begun long after the files were made: the status of an inode cannot be set back."""
    later = time.time_ns() + (RACY_SECONDS + 1) * 1_000_000_000
    state = walked.state
    return Walk(walked.root, walked.files, type(state)(state.rules, later, state.files), walked.read)


def test_ignore_files_of_every_level_hold(tmp_path: Path) -> None:
    """Patterns of the root, of folders and of the repository's own exclusions hide files; a deeper file has the last word."""
    write(
        tmp_path,
        {
            ".gitignore": "*.txt\nlogs/\n/only_here.swift\n",
            ".git/info/exclude": "private.swift\n",
            "sub/.gitignore": "!kept.txt\nlocal.swift\n",
            "sub/kept.txt": "x",
            "sub/local.swift": "x",
            "sub/only_here.swift": "x",
            "only_here.swift": "x",
            "gone.txt": "x",
            "private.swift": "x",
            "logs/.gitignore": "!a.swift",
            "logs/a.swift": "x",
            "a.swift": "x",
        },
    )
    walked = walk(str(tmp_path))
    assert [file.path for file in walked.candidates] == ["a.swift", "sub/kept.txt", "sub/only_here.swift"]
    assert reasons(walked)["gone.txt"] == "ignored by .gitignore"
    assert reasons(walked)["sub/local.swift"] == "ignored by sub/.gitignore"
    assert reasons(walked)["private.swift"] == "ignored by .git/info/exclude"
    assert reasons(walked)["logs/"] == "ignored by .gitignore"
    assert "logs/a.swift" not in reasons(walked)


def test_the_own_ignore_file_outweighs_the_others(tmp_path: Path) -> None:
    """``.exegesisignore`` hides what git keeps, and brings back what git or a built-in list hides."""
    write(
        tmp_path,
        {
            ".gitignore": "/generated\n",
            ".exegesisignore": "huge.swift\n!generated/\n!DerivedData/\n!Pods/\n",
            "Pods/c.swift": "x",
            "huge.swift": "x",
            "generated/a.swift": "x",
            "DerivedData/b.swift": "x",
        },
    )
    walked = walk(str(tmp_path))
    assert [(file.path, file.roles) for file in walked.candidates] == [
        ("DerivedData/b.swift", FileRole.NONE),
        ("Pods/c.swift", FileRole.DEPENDENCY),
        ("generated/a.swift", FileRole.GENERATED),
    ]
    assert reasons(walked)["huge.swift"] == "ignored by .exegesisignore"


def test_dependencies_are_indexed_on_request(tmp_path: Path) -> None:
    """What package managers fetched is one skipped entry, or files of that role, though ``.gitignore`` hides them; build products stay out."""
    write(
        tmp_path,
        {
            ".gitignore": "Pods/\n.build/\n",
            "Pods/Kit/a.swift": "x",
            ".build/checkouts/Kit/b.swift": "x",
            ".build/debug/c.swift": "x",
            "DerivedData/d.swift": "x",
            "e.swift": "x",
        },
    )
    assert [file.path for file in walk(str(tmp_path)).candidates] == ["e.swift"]
    asked = walk(str(tmp_path), include_dependencies=True)
    assert [(file.path, bool(file.roles & FileRole.DEPENDENCY)) for file in asked.candidates] == [
        (".build/checkouts/Kit/b.swift", True),
        ("Pods/Kit/a.swift", True),
        ("e.swift", False),
    ]


def test_a_name_that_people_give_too_needs_a_witness(tmp_path: Path) -> None:
    """``build`` beside a build script is left out, alone it is a folder like any other."""
    write(tmp_path, {"a/build/x.swift": "x", "b/build/y.swift": "x", "b/build.gradle": "x"})
    walked = walk(str(tmp_path))
    assert "a/build/x.swift" in {file.path for file in walked.candidates}
    assert reasons(walked)["b/build/"] == "build products folder (Gradle, CMake, Xcode)"


@pytest.mark.parametrize(
    "sign",
    [
        {"documentation/index.html": "", "data/documentation/kit.json": "{}", "theme-settings.json": "{}"},
        {"undocumented.json": "{}", "js/jazzy.js": "x"},
        {"doxygen.css": "x"},
    ],
    ids=["DocC", "jazzy", "Doxygen"],
)
def test_generated_documentation_is_left_out(tmp_path: Path, sign: dict[str, str]) -> None:
    """Pages and scripts that a documentation tool wrote are skipped, however deep; a page that a person put among them is not."""
    page = "<!DOCTYPE html><html><body>by hand?</body></html>"
    write(tmp_path, {f"docs/{path}": text for path, text in {"index.html": page, "a/b/c.html": page, "guide.md": "# Guide", **sign}.items()})
    walked = walk(str(tmp_path))
    assert [file.path for file in walked.candidates] == ["docs/guide.md"]
    assert reasons(walked)["docs/a/b/c.html"].startswith("generated documentation")


def test_a_copied_library_is_vendored(tmp_path: Path) -> None:
    """A folder that brings a foreign licence along is somebody else's, with all that lies in it."""
    ours, theirs = "MIT License\nCopyright (c) Example Works\n", "Public domain\nCopyright (c) Tom\n"
    write(tmp_path, {"LICENSE": ours, "a.swift": "x", "math/LICENSE": theirs, "math/src/b.c": "x", "kit/LICENSE": ours, "kit/c.swift": "x"})
    assert {file.path for file in walk(str(tmp_path)).candidates if file.roles & FileRole.VENDORED} == {"math/src/b.c"}


def test_older_versions_beside_newer_ones_are_superseded(tmp_path: Path) -> None:
    """What lies in ``v1`` beside ``v2``, however deep, has that role, folders that are left out among it, and nothing else does."""
    write(
        tmp_path, {"api/v1/a.swift": "x", "api/v2/a.swift": "x", "other/v1/a.swift": "x", "api/v1/in/a.swift": "x", "api/v1/node_modules/a.js": "x"}
    )
    old = [file.path for file in walk(str(tmp_path)).files if file.roles & FileRole.SUPERSEDED]
    assert old == ["api/v1/a.swift", "api/v1/in/a.swift", "api/v1/node_modules/"]


def test_an_unchanged_tree_is_not_read_again(tmp_path: Path) -> None:
    """The second walk reads nothing and finds the same, also from a state that was stored in between."""
    write(tmp_path, {f"f{number}.swift": f"func f{number}() {{}}\n" for number in range(20)})
    first = settle(walk(str(tmp_path)))
    stored = decode_state(encode_state(first.state))
    second = walk(str(tmp_path), previous=stored)
    assert (first.read, second.read) == (20, 0)
    assert second.files == first.files


def test_whatever_changes_is_read(tmp_path: Path) -> None:
    """An edit of equal length with its time set back, a replaced file and a new one are noticed; a file that is gone is gone."""
    write(tmp_path, {"edited.swift": "let a = 1\n", "replaced.swift": "let b = 1\n", "gone.swift": "x", "same.swift": "x"})
    first = settle(walk(str(tmp_path)))
    (tmp_path / "gone.swift").unlink()
    write(tmp_path, {"edited.swift": "let a = 2\n", "other.swift": "let b = 2\n", "new.swift": "y"})
    (tmp_path / "other.swift").replace(tmp_path / "replaced.swift")
    second = walk(str(tmp_path), previous=first.state)
    changed = {path for path, file in by_path(second).items() if by_path(first).get(path) != file}
    assert changed == {"edited.swift", "replaced.swift", "new.swift"}
    assert second.read == 3
    assert "gone.swift" not in by_path(second)


def test_a_file_changed_just_before_the_walk_is_read_again(tmp_path: Path) -> None:
    """It may change again within the same tick of the clock and look the same."""
    write(tmp_path, {"a.swift": "x"})
    first = walk(str(tmp_path))
    assert walk(str(tmp_path), previous=first.state).read == 1
    assert walk(str(tmp_path), previous=settle(first).state).read == 0


def test_state_that_is_none_is_not_believed() -> None:
    """Foreign bytes, or another format's, cost a full reading and nothing more."""
    for stored in (b"", b"garbage", encode_state(walk(str(Path(__file__).parent)).state)[:-9]):
        assert decode_state(stored) is None


def test_progress_is_told_and_ends_the_walk(tmp_path: Path) -> None:
    """Whoever is told how far the walk is may end it by raising."""
    write(tmp_path, {"a.swift": "x", "b/c.swift": "x", "d/e.swift": "x"})
    told: list[int] = []
    assert len(walk(str(tmp_path), report=told.append).files) == told[-1] == 3
    assert told == sorted(told)

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        walk(str(tmp_path), report=interrupt)


def test_a_folder_that_is_none_is_said_so(tmp_path: Path) -> None:
    """The caller named something that cannot be indexed."""
    (tmp_path / "file").write_text("x")
    for name in ("file", "missing"):
        with pytest.raises(UsageError, match=name):
            walk(str(tmp_path / name))


def test_unreadable_folders_and_files_are_failures(tmp_path: Path) -> None:
    """They are counted, with the reason, and cost nothing else."""
    if reads_everything():
        pytest.skip("nothing is unreadable to the superuser")
    write(tmp_path, {"locked/a.swift": "x", "b.swift": "x", "c.swift": "x"})
    (tmp_path / "b.swift").chmod(0)
    (tmp_path / "locked").chmod(0)
    try:
        walked = by_path(walk(str(tmp_path)))
    finally:
        (tmp_path / "locked").chmod(0o700)
    assert (walked["b.swift"].status, walked["b.swift"].reason) == (FileStatus.FAILED, "permission denied")
    assert (walked["locked/"].status, walked["locked/"].reason) == (FileStatus.FAILED, "folder: permission denied")
    assert walked["c.swift"].status is FileStatus.INDEXED


def test_folders_nested_without_end_are_cut_off(tmp_path: Path) -> None:
    """Nesting deeper than any project has costs its own files only."""
    deep = tmp_path
    for _ in range(300):
        deep = deep / "d"
    deep.mkdir(parents=True)
    write(tmp_path, {"a.swift": "x"})
    walked = walk(str(tmp_path))
    assert [file.path for file in walked.candidates] == ["a.swift"]
    assert any(file.reason == "nested deeper than 256 folders" for file in walked.files)


# ------------------------------------------------------------------------------------------------------------- a hostile tree


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile") / "tree"
    root.mkdir()
    build(root)
    return root


def test_every_file_of_a_hostile_tree_is_accounted_for(hostile: Path) -> None:
    """What ``ls -R`` shows is what was seen, each once, skipped ones with a reason; it takes no time."""
    started = time.monotonic()
    walked = walk(str(hostile))
    assert time.monotonic() - started < 5
    there = {path_of(os.fsencode(path.relative_to(hostile))) for path in hostile.rglob("*") if path.is_symlink() or not path.is_dir()}
    assert {file.path for file in walked.files} == there
    assert all((file.status is FileStatus.INDEXED) == (not file.reason) for file in walked.files)


def test_reasons_are_true(hostile: Path) -> None:
    """Each kind of thing that is not indexed says what it is."""
    found = reasons(walk(str(hostile)))
    expected = {
        ".git": "version control",
        "bin/lfs.swift": "Git LFS pointer: the content is elsewhere",
        "bin/no_suffix": "no language claims it",
        "bin/png.swift": "binary: PNG image",
        "big/many_lines.swift": "more than 30,000 lines",
        "enc/nul.swift": "binary: zero bytes",
        "links/zero.swift": "symbolic link",
        "links/folder": "symbolic link",
        "secrets/.env": "may hold secrets: environment",
        "secrets/id_rsa": "may hold secrets: private key",
        "special/pipe.swift": "FIFO",
        "special/sparse.swift": "larger than 1,024 KiB",
    }
    assert {path: found[path] for path in expected} == expected
    assert found["big/one_line.js"].startswith("minified")


def test_facts_of_a_hostile_tree_hold_no_secret_and_nothing_from_outside(hostile: Path) -> None:
    """Whatever is indexed can be extracted, written as UTF-8, and holds neither planted secrets nor what links point at."""
    walked = walk(str(hostile))
    indexed = {}
    for file in walked.candidates:
        facts = extract(file.path, read_file(str(hostile), file.path, limit=1 << 20), file.digest, file.language)
        indexed[file.path] = facts
        told = repr(facts).encode("utf-8").decode()
        assert not [word for word in (*SECRETS, OUTSIDE) if word in told], file.path
    authorize = {path for path, facts in indexed.items() if any("authorize" in chunk.text for chunk in facts.chunks)}
    assert {"good.swift", "enc/utf16.swift", "enc/shift_jis.swift", r"names/bad\xff\xfename.swift", "names/new\nline.swift"} <= authorize
    assert json.dumps(sorted(indexed))


def test_a_link_put_in_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    """Between walk and reading a file or a folder may be exchanged; what is read then is nothing."""
    root = tmp_path / "tree"
    write(root, {"sub/a.swift": "x", "b.swift": "x"})
    write(tmp_path, {"outside/a.swift": "secret"})
    walk(str(root))
    (root / "b.swift").unlink()
    (root / "b.swift").symlink_to(tmp_path / "outside" / "a.swift")
    (root / "sub").rename(root / "was")
    (root / "sub").symlink_to(tmp_path / "outside")
    for path in ("b.swift", "sub/a.swift", "was/../../outside/a.swift"):
        with pytest.raises(Unreadable):
            read_file(str(root), path, limit=100)


def test_caches_of_programs_are_left_out(tmp_path: Path) -> None:
    """A folder that is marked as a cache, such as our own indexes, is one entry; a mark with other words marks nothing."""
    mark(tmp_path / "indexes")
    write(tmp_path, {"indexes/edge_config.json": "{}", "plain/CACHEDIR.TAG": "hello", "plain/a.swift": "func a() {}\n"})
    found = by_path(walk(str(tmp_path)))
    assert {path for path in found if path.startswith("indexes")} == {"indexes/"}
    assert "cache" in found["indexes/"].reason
    assert found["plain/a.swift"].status is FileStatus.INDEXED


def test_a_cache_that_is_asked_about_is_looked_into(tmp_path: Path) -> None:
    """Whoever names the folder itself wants it indexed."""
    write(mark(tmp_path / "indexes"), {"a.swift": "func a() {}\n"})
    assert by_path(walk(str(tmp_path / "indexes")))["a.swift"].status is FileStatus.INDEXED


def test_an_ignore_file_begins_after_its_byte_order_mark(tmp_path: Path) -> None:
    """Its first rule holds, as in git."""
    write(tmp_path, {".gitignore": "\ufeffsecret.swift\n", "secret.swift": "x", "a.swift": "x"})
    assert by_path(walk(str(tmp_path)))["secret.swift"].reason == "ignored by .gitignore"


def test_a_folder_whose_ignore_file_cannot_be_heeded_is_not_looked_into(tmp_path: Path) -> None:
    """What it was to keep private is not known; the rest is as it was, and the reason is told."""
    long = "# long\n" + "x" * LIMIT_BYTES
    write(
        tmp_path, {"a/.gitignore": "secret.swift\n" * 6_000, "a/secret.swift": "x", "b/.exegesisignore": long, "b/secret.swift": "x", "c.swift": "x"}
    )
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / ".gitignore").symlink_to("../c.swift")
    (tmp_path / "d" / "e.swift").write_text("x")
    walked = walk(str(tmp_path))
    assert [file.path for file in walked.candidates] == ["c.swift", "d/e.swift"]
    assert reasons(walked)["a/"] == "folder: a/.gitignore has more than 5,000 rules, so what is to be left out is not known"
    assert reasons(walked)["b/"].startswith("folder: b/.exegesisignore cannot be read (larger than 4,194,304 bytes), so ")
    assert by_path(walked)["a/"].status is FileStatus.FAILED


@pytest.mark.parametrize("name", [".gitignore", ".exegesisignore", ".git/info/exclude"])
def test_nothing_is_indexed_where_the_ignore_files_of_the_root_cannot_be_heeded(tmp_path: Path, name: str) -> None:
    """The error names the file."""
    write(tmp_path, {name: "**/a/**/a/**/a/**/a\n", "a.swift": "x"})
    with pytest.raises(UsageError, match=f"{re.escape(name)} has a rule with more than 3 times"):
        walk(str(tmp_path))
