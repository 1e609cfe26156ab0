"""How git is called: with nothing that a repository, a user or a machine has configured, and so that nothing of a repository is run.

No hooks, filters, submodules, credential helpers, editors or prompts; objects that are missing are not fetched behind our back.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

_OPTIONS: Final = (
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.packedGitWindowSize", "32m"),  # reading must fit into the address space that a parser may have
    ("core.packedGitLimit", "256m"),
    ("gc.auto", "0"),
)
"""Set over whatever the repository's configuration says, so that nothing it names is run."""

_CLOSED: Final = (("protocol.allow", "never"),)

_ENVIRONMENT: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""All that git is told about the world besides where programs are."""

_REGULAR: Final = frozenset({b"100644", b"100755", b"100664"})
"""Modes of files."""


def program() -> str | None:
    """Where git is. A search path with relative parts would find programs of a repository."""
    found = shutil.which("git")
    return found if found is not None and Path(found).is_absolute() else None


def arguments(git: str, *command: str, further: Sequence[tuple[str, str]] = _CLOSED) -> list[str]:
    """A command line. ``further`` are options of configuration; unless told otherwise, nothing is fetched."""
    options = [part for name, value in (*_OPTIONS, *further) for part in ("-c", f"{name}={value}")]
    return [git, *options, *command]


def environment(further: Mapping[str, str] | None = None) -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), **_ENVIRONMENT, **(further or {})}


def is_file(mode: bytes) -> bool:
    """Whether an entry of a tree is a file; links and submodules are not read."""
    return mode in _REGULAR
