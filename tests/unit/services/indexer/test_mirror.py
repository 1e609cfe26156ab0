"""Copies of repositories that lie elsewhere, and the trees of their commits."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.errors import NotFound, Unavailable, UsageError
from exegesis.model import FileStatus
from services.indexer.commit_tree import CommitTree
from services.indexer.mirror import Mirrors, Reach
from services.indexer.parse_process import FACTS, FOR_NOW, Unparsed
from services.indexer.pool import ParserPool
from services.indexer.read import Unreadable
from services.indexer.walk import walk
from tests.fakes.git_http import GitHost, commit_all, git, git_host

OPEN = Reach(protocols=("https", "http", "file"), hosts=("127.0.0.1",))


@pytest.fixture
def host(tmp_path: Path) -> Iterator[GitHost]:
    with git_host(tmp_path / "host") as serving:
        yield serving


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / "Sources").mkdir(parents=True)
    (made / "README.md").write_text("# Title\n\nText.\n")
    (made / "Sources" / "a.swift").write_text("func a() { b() }\nfunc b() {}\n")
    (made / ".gitignore").write_text("*.log\n")
    return made


def fetched(host: GitHost, project: Path, tmp_path: Path) -> tuple[str, str]:
    return Mirrors(tmp_path / "mirrors", OPEN).bring("p", host.publish(project, "owner/name"))


def test_the_newest_commit_is_brought(host: GitHost, project: Path, tmp_path: Path) -> None:
    """Bare, and again after a push, also one that rewrites history; a commit that is there already costs no request."""
    first = commit_all(project)
    address = host.publish(project, "owner/name")
    mirrors = Mirrors(tmp_path / "mirrors", OPEN)
    assert mirrors.newest(address) == first
    mirror, commit = mirrors.bring("p", address)
    assert commit == first
    assert not (Path(mirror) / "README.md").exists()
    (project / "README.md").write_text("# Other\n")
    git(project, "commit", "--quiet", "--all", "--amend", "--message", "rewritten")
    host.publish(project, "owner/name")
    assert mirrors.bring("p", address)[1] == git(project, "rev-parse", "HEAD") != first
    asked = len(host.asked)
    assert mirrors.bring("p", address, commit=first) == (mirror, first)
    assert len(host.asked) == asked


def test_a_walk_of_a_commit_sees_what_a_walk_of_its_checkout_sees(host: GitHost, project: Path, tmp_path: Path) -> None:
    """But for the folder that git keeps in a checkout; and a second walk reads nothing again."""
    (project / "build.log").write_text("tracked and ignored")
    (project / "link.md").symlink_to("/etc/passwd")
    (project / "größe.md").write_text("# Größe\n")
    (project / os.fsdecode(b"bad\xff.md")).write_text("# Bytes\n")
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", "--force", "build.log")
    commit = commit_all(project)
    mirror, _ = fetched(host, project, tmp_path)
    with CommitTree("http://host/p", mirror, commit) as tree:
        seen = walk(tree)
        again = walk(tree, previous=seen.state)
    near = [file for file in walk(str(project)).files if file.path != ".git/"]
    assert list(seen.files) == near
    assert {file.path: file.reason for file in seen.files}["link.md"] == "symbolic link"
    assert seen.read > 0
    assert (again.read, again.files) == (0, seen.files)
    assert seen.blobs == {path: tree.names[path] for path in seen.blobs}


def test_folders_of_a_commit_are_looked_up_not_searched_for(project: Path) -> None:
    """Looking through all siblings for each of twenty thousand would take minutes."""
    many = 20_000
    commit_all(project)
    blob = git(project, "rev-parse", "HEAD:README.md")
    folder = git(project, "mktree", given=f"100644 blob {blob}\tx.md\n".encode())
    commit = wide_commit(project, folder, many)
    started = time.process_time()
    with CommitTree("p", str(project / ".git"), commit) as tree:
        for number in range(many):
            with tree.open(f"p{number}") as opened:
                assert list(opened.entries()) == [b"x.md"]
        assert tree.read(f"p{many - 1}/x.md", limit=100) == b"# Title\n\nText.\n"
    assert time.process_time() - started < 20


def wide_commit(project: Path, folder: str, many: int) -> str:
    """A commit that has so many folders of the same content, ``p0`` and so on."""
    top = git(project, "mktree", given="".join(f"040000 tree {folder}\tp{number}\n" for number in range(many)).encode())
    return git(project, "commit-tree", top, "-m", "wide")


def test_files_are_parsed_out_of_the_object_store(host: GitHost, project: Path, tmp_path: Path) -> None:
    """By name; a blob that is none, or is not there, fails and costs nothing else."""
    commit = commit_all(project)
    mirror, _ = fetched(host, project, tmp_path)
    with CommitTree("p", mirror, commit) as tree:
        files = {file.path: file for file in walk(tree).candidates}
        names = tree.names
    file = files["Sources/a.swift"]
    good = names[file.path]
    blobs = [good, "0" * 40, commit, "HEAD", "x\nHEAD", names["README.md"], good]
    with ParserPool(workers=1) as parsers:
        answers = [answer[:1] for _, answer in parsers.parse(mirror, [Unparsed(file.path, file.digest, file.language, blob) for blob in blobs])]
    assert answers == [FACTS, *[FOR_NOW] * 5, FACTS]


def test_a_hostile_tree_is_read_and_nothing_else(host: GitHost, project: Path, tmp_path: Path) -> None:
    """A submodule is not fetched, a path that leaves the tree is not one, hooks and configuration of the other side stay there."""
    commit_all(project)
    blob = git(project, "rev-parse", "HEAD:README.md")
    inner = git(project, "mktree", given=f"100644 blob {blob}\t..evil.md\n".encode())
    listing = f"100644 blob {blob}\tREADME.md\n160000 commit {'1' * 40}\tmodule\n040000 tree {inner}\tinner\n120000 blob {blob}\tlink\n"
    tree_name = git(project, "mktree", "--missing", given=listing.encode())
    commit = git(project, "commit-tree", tree_name, "-m", "hostile")
    git(project, "update-ref", "refs/heads/main", commit)
    address = host.publish(project, "owner/name")
    hook = host.folder / "owner/name.git" / "hooks" / "post-upload-pack"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch /tmp/never\n")
    mirror, _ = Mirrors(tmp_path / "mirrors", OPEN).bring("p", address)
    with CommitTree("p", mirror, commit) as tree:
        seen = {file.path: file for file in walk(tree).files}
        with pytest.raises(Unreadable):
            tree.read("link", limit=100)
        with pytest.raises(Unreadable):
            tree.read("../README.md", limit=100)
    assert {path: file.reason for path, file in seen.items()} == {
        "README.md": "",
        "inner/..evil.md": "",
        "link": "symbolic link",
        "module": "submodule",
    }
    assert not list((Path(mirror) / "hooks").glob("*"))
    assert seen["README.md"].status is FileStatus.INDEXED


def test_a_tree_that_leaves_itself_is_refused(host: GitHost, project: Path, tmp_path: Path) -> None:
    """Git checks what it fetches; nothing of such a repository is kept."""
    commit_all(project)
    blob = git(project, "rev-parse", "HEAD:README.md")
    content = b"100644 ..\0" + bytes.fromhex(blob)
    bad = git(project, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", given=content)
    git(project, "update-ref", "refs/heads/main", git(project, "commit-tree", bad, "-m", "evil"))
    with pytest.raises(Unavailable, match="not as they should be"):
        fetched(host, project, tmp_path)


def test_a_password_goes_by_the_environment_and_shows_nowhere(host: GitHost, project: Path, tmp_path: Path) -> None:
    """Neither in an error, nor in the copy, nor in a command line; a wrong one is refused in words."""
    commit = commit_all(project)
    address = host.publish(project, "owner/name")
    host.authorization = "Basic " + base64.b64encode(b"bot:s3cret").decode()
    with pytest.raises(Unavailable, match="refuses us"):
        Mirrors(tmp_path / "mirrors", OPEN).newest(address)
    passwords = tmp_path / "netrc"
    passwords.write_text("machine 127.0.0.1 login bot password s3cret\n")
    reach = Reach(protocols=("http",), hosts=("127.0.0.1",), netrc=str(passwords))
    mirror, brought = Mirrors(tmp_path / "mirrors", reach).bring("p", address)
    assert brought == commit
    assert b"s3cret" not in b"".join(path.read_bytes() for path in Path(mirror).rglob("*") if path.is_file())
    passwords.write_text("machine 127.0.0.1 login bot password wr0ng\n")
    with pytest.raises(Unavailable) as raised:
        Mirrors(tmp_path / "mirrors", reach).newest(address)
    assert "wr0ng" not in raised.value.message + raised.value.hint


def test_what_is_not_there_is_said_in_words(host: GitHost, project: Path, tmp_path: Path) -> None:
    """An unknown repository, an empty one, a host that does not answer, a protocol that is not allowed."""
    mirrors = Mirrors(tmp_path / "mirrors", OPEN)
    with pytest.raises(NotFound, match="no such repository"):
        mirrors.bring("p", f"{host.address}/none/such.git")
    host.folder.mkdir(exist_ok=True)
    git(host.folder, "init", "--quiet", "--bare", "empty.git")
    with pytest.raises(NotFound, match="nothing in it"):
        mirrors.newest(f"{host.address}/empty.git")
    with pytest.raises(Unavailable):
        mirrors.newest("http://127.0.0.1:9/a/b.git")
    with pytest.raises(UsageError):
        Mirrors(tmp_path / "mirrors", Reach()).bring("p", f"file://{project}")


def test_a_copy_that_grows_too_large_or_takes_too_long_is_given_up(host: GitHost, project: Path, tmp_path: Path) -> None:
    """Within its limits, and the next repository is fetched as ever."""
    (project / "large.bin").write_bytes(os.urandom(3 << 20))
    commit_all(project)
    address = host.publish(project, "owner/name")
    small = Reach(protocols=("http",), hosts=("127.0.0.1",), mib=1)
    with pytest.raises((UsageError, Unavailable)):
        Mirrors(tmp_path / "small", small).bring("p", address)
    hurried = Reach(protocols=("http",), hosts=("127.0.0.1",), seconds=0.0)
    with pytest.raises(Unavailable, match="longer than"):
        Mirrors(tmp_path / "hurried", hurried).bring("p", address)
    assert Mirrors(tmp_path / "mirrors", OPEN).bring("p", address)


def test_two_who_bring_at_once_bring_one(host: GitHost, project: Path, tmp_path: Path) -> None:
    """The second finds what the first has brought."""
    commit = commit_all(project)
    address = host.publish(project, "owner/name")
    brought: list[str] = []
    threads = [
        threading.Thread(target=lambda: brought.append(Mirrors(tmp_path / "mirrors", OPEN).bring("p", address, commit=commit)[1])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert brought == [commit] * 4


def test_copies_of_what_is_not_known_any_more_are_deleted(host: GitHost, project: Path, tmp_path: Path) -> None:
    """The others stay."""
    commit_all(project)
    address = host.publish(project, "owner/name")
    mirrors = Mirrors(tmp_path / "mirrors", OPEN)
    for name in ("p", "q"):
        mirrors.bring(name, address)
    mirrors.prune({"q"})
    assert not (tmp_path / "mirrors" / "p").exists()
    assert (tmp_path / "mirrors" / "q").is_dir()


def test_no_program_of_the_machine_s_configuration_is_run(host: GitHost, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home folder whose git is told to run something for every fetch is not looked at."""
    home = tmp_path / "home"
    home.mkdir()
    trap = tmp_path / "trap"
    (home / ".gitconfig").write_text(f'[core]\n\tsshCommand = touch {trap}\n\tfsmonitor = touch {trap}\n[credential]\n\thelper = "!touch {trap}"\n')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_SSH_COMMAND", f"touch {trap}")
    monkeypatch.setenv("GIT_ASKPASS", f"touch {trap}")
    commit_all(project)
    address = host.publish(project, "owner/name")
    host.authorization = "Basic none"
    with pytest.raises(Unavailable):
        Mirrors(tmp_path / "mirrors", OPEN).newest(address)
    assert not trap.exists()


def test_git_is_there() -> None:
    """These tests need it, with its server."""
    assert shutil.which("git")
    assert subprocess.run(["git", "http-backend"], capture_output=True, check=False).returncode != 127
