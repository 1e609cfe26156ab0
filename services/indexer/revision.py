"""Which state of a folder was indexed: its commit, and whether the files still say what the commit says.

Git is asked two things that need nothing but its object store: the commit, and the tree of that commit. It never looks at the working tree, because
comparing that may run filters that the repository's own configuration names; the walk has computed git's names for all contents already.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Mapping

from services.indexer.git import arguments, environment, is_file, program
from services.indexer.read import path_of
from services.indexer.walk import Walk

SECONDS = 20
"""For one command of git. Listing 100,000 files takes less than one."""


def revision(walk: Walk) -> str:
    """Commit of the folder, followed by ``+`` and a fingerprint where its files differ from it; the fingerprint alone where there is no commit.

    The folder may lie within a repository. Nothing is raised: a git that is missing, broken or too slow leaves the fingerprint.
    """
    fingerprint = fingerprint_of(walk)
    commit = _ask_git(walk.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode("ascii", "replace").strip()
    if not commit:
        return fingerprint
    tracked = read_tree(_ask_git(walk.root, "ls-tree", "-r", "-z", commit))
    if not tracked:  # a folder that the repository around it does not contain
        return fingerprint
    return f"{commit}+{fingerprint}" if differs(walk, tracked) else commit


def fingerprint_of(walk: Walk) -> str:
    """Twelve hexadecimal digits for the paths and contents to be indexed."""
    seen = hashlib.sha256()
    for file in walk.candidates:
        seen.update(f"{file.path}\0{file.digest}\0".encode("utf-8", "surrogatepass"))
    return seen.hexdigest()[:12]


def differs(walk: Walk, tracked: Mapping[str, str]) -> bool:
    """Whether the files that matter are other ones than ``tracked`` (path to blob): edited, added, or gone."""
    if any(tracked.get(path) != blob for path, blob in walk.blobs.items()):
        return True
    seen = {file.path for file in walk.files}
    left_out = tuple(path for path in seen if path.endswith("/"))
    return any(path not in seen and not path.startswith(left_out) for path in tracked)


def read_tree(listing: bytes) -> dict[str, str]:
    """Path and blob of the files in the output of ``git ls-tree -r -z``; whatever else stands in it is passed over."""
    tracked: dict[str, str] = {}
    for entry in listing.split(b"\0"):
        description, tab, path = entry.partition(b"\t")
        fields = description.split()
        if tab and len(fields) == 3 and is_file(fields[0]):
            tracked[path_of(path)] = fields[2].decode("ascii", "replace")
    return tracked


def _ask_git(root: str, *command: str) -> bytes:
    git = program()
    if git is None:
        return b""
    try:
        answer = subprocess.run(  # noqa: S603 - a fixed command, options that switch off what a repository could run
            arguments(git, *command), cwd=root, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return b""
    return answer.stdout if answer.returncode == 0 else b""
