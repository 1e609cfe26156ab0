"""Which state of a folder was indexed."""

import os
import subprocess
from pathlib import Path

import pytest

from services.indexer.revision import fingerprint_of, read_tree, revision
from services.indexer.walk import walk


def git(root: Path, *command: str) -> str:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    return subprocess.run(["git", *command], cwd=root, env=environment, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "Sources").mkdir(parents=True)
    (root / "Sources" / "a.swift").write_text("func a() {}\n")
    (root / "Sources" / "größe \n.swift").write_text("func b() {}\n")
    (root / "logo.png").write_bytes(b"\x89PNG")
    (root / ".gitignore").write_text("build.log\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def test_a_clean_checkout_is_its_commit(checkout: Path) -> None:
    """Ignored files, and files that are not indexed, do not make it another one."""
    (checkout / "build.log").write_text("x")
    (checkout / "logo.png").write_bytes(b"\x89PNG2")
    assert revision(walk(str(checkout))) == git(checkout, "rev-parse", "HEAD")


@pytest.mark.parametrize("edit", ["edit", "add", "delete", "rename"])
def test_a_changed_checkout_says_so(checkout: Path, edit: str) -> None:
    """Commit, plus, fingerprint of what is there."""
    source = checkout / "Sources" / "a.swift"
    if edit == "edit":
        source.write_text("func c() {}\n")
    elif edit == "add":
        (checkout / "new.swift").write_text("x")
    elif edit == "delete":
        source.unlink()
    else:
        source.rename(checkout / "Sources" / "c.swift")
    walked = walk(str(checkout))
    assert revision(walked) == f"{git(checkout, 'rev-parse', 'HEAD')}+{fingerprint_of(walked)}"


def test_a_folder_within_a_checkout_has_its_commit(checkout: Path) -> None:
    """As long as the folder itself is as committed."""
    (checkout / ".gitignore").write_text("")
    assert revision(walk(str(checkout / "Sources"))) == git(checkout, "rev-parse", "HEAD")


def test_without_a_commit_there_is_a_fingerprint(tmp_path: Path, checkout: Path) -> None:
    """A plain folder, a broken ``.git`` file, and a folder that the repository around it ignores."""
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.swift").write_text("x")
    first = revision(walk(str(plain)))
    (plain / ".git").write_text("gitdir: /nonexistent\n")
    assert revision(walk(str(plain))) == first == fingerprint_of(walk(str(plain)))
    (plain / "a.swift").write_text("y")
    assert revision(walk(str(plain))) != first
    scratch = checkout / "scratch"
    scratch.mkdir()
    (scratch / "a.swift").write_text("x")
    assert revision(walk(str(scratch))) == first


def test_nothing_that_a_repository_configures_is_run(checkout: Path, tmp_path: Path) -> None:
    """Monitors, filters, pagers and hooks of its configuration stay silent."""
    witness = tmp_path / "witness"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\necho ran >> {witness}\ncat\n")
    script.chmod(0o755)
    git(checkout, "config", "core.fsmonitor", str(script))
    git(checkout, "config", "filter.evil.clean", str(script))
    git(checkout, "config", "filter.evil.smudge", str(script))
    git(checkout, "config", "core.pager", str(script))
    git(checkout, "config", "core.sshCommand", str(script))
    git(checkout, "config", "diff.external", str(script))
    (checkout / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (checkout / "Sources" / "a.swift").write_text("func changed() {}\n")
    witness.unlink(missing_ok=True)
    assert "+" in revision(walk(str(checkout)))
    assert not witness.exists()


def test_a_listing_that_is_none_is_passed_over() -> None:
    """Links, submodules and torn entries are left out."""
    listing = b"100644 blob aa\tb.swift\x00120000 blob bb\tlink\x00160000 commit cc\tsub\x00garbage\x00100755 blob dd\tbad\xff"
    assert read_tree(listing) == {"b.swift": "aa", r"bad\xff": "dd"}
