"""What a repository and a generation are called, and when two states of a folder are the same."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from exegesis.errors import UsageError
from exegesis.model import Repository, SourceFile
from services.indexer.git_address import Remote

FORMAT = 14
"""Raised whenever linking, weights or stored formats change so that a generation made before differs from one made of the same files now."""

_SLUG_LENGTH = 40


def repository_of(root: str) -> Repository:
    """The repository that a folder is: its name for people, and an identifier that tells folders of one name apart.

    Raises ``UsageError`` when there is no such folder.
    """
    if not root:  # most often a variable of a script that is not set, and surely not the current folder
        raise UsageError("The name of the folder is empty.", hint="Give the folder of a project, or a dot for the current one.")
    try:
        path = Path(os.path.realpath(root))
    except ValueError:  # a NUL, or half a character
        raise UsageError("The name of the folder holds a character that no name has.", hint="Give the folder of a project.") from None
    if not os.path.isdir(path):  # noqa: PTH112 - pathlib raises where a name is too long
        raise UsageError(f"{root} is not a folder.", hint="Give the folder of a project.")
    try:
        os.fsencode(path).decode("utf-8")
    except UnicodeDecodeError:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        raise UsageError(
            f"The path {shown} is not text in UTF-8, and cannot be written down.",
            hint="Give the folder, or the one above it that is called so, another name.",
        ) from None
    name = path.name or "root"
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_SLUG_LENGTH] or "project"
    return Repository(f"{slug}-{_digest(os.fsencode(path), 10)}", name, os.fspath(path))


def repository_at(remote: Remote) -> Repository:
    """The repository that lies elsewhere: its name is that of its code host, ``owner/name``."""
    slug = re.sub(r"[^a-z0-9]+", "-", remote.name.lower()).strip("-")[:_SLUG_LENGTH] or "project"
    return Repository(f"{slug}-{_digest(remote.url.removesuffix('.git').encode(), 10)}", remote.name, remote.url)


@dataclass(frozen=True, slots=True)
class GenerationName:
    """The identifier of a generation, which tells what it was made of: generations with equal ``inputs`` and ``recipe`` have equal content."""

    inputs: str
    """Digest of all that the walk saw: paths, content, roles, what is skipped and why."""
    recipe: str
    """Digest of the versions of the code that turns files into facts."""
    serial: str
    """Tells attempts apart. A generation is immutable, so a name is never used twice."""

    @classmethod
    def make(cls, inputs: str, recipe: str) -> Self:
        return cls(inputs, recipe, secrets.token_hex(4))

    @classmethod
    def parse(cls, written: str) -> Self:
        inputs, recipe, serial = written.split("-") if written.count("-") == 2 else (written, "", "")
        return cls(inputs, recipe, serial)

    def __str__(self) -> str:
        return f"{self.inputs}-{self.recipe}-{self.serial}"

    def has_content_of(self, other: GenerationName) -> bool:
        return (self.inputs, self.recipe) == (other.inputs, other.recipe)


def inputs_of(files: Iterable[SourceFile]) -> str:
    """Digest of what a walk saw. Which module a file belongs to follows from paths and manifests, and so is not among it."""
    seen = [(file.path, file.digest, file.language, int(file.roles), file.status, file.reason, file.exact) for file in files]
    return _digest(json.dumps(sorted(seen)).encode("ascii"), 16)


def recipe_of(*versions: object) -> str:
    return _digest(json.dumps(versions).encode("ascii"), 6)


def facts_space(repository: str) -> str:
    """Space of the content cache with answers of :mod:`services.indexer.parse_process`: facts, or why there are none.

    Each repository has its own, because facts hold source text, and removing a repository removes all of it.
    """
    return f"facts/{repository}"


def records_space(repository: str) -> str:
    """Space of the content cache with facts from index stores, which name what the source declares."""
    return f"index-store-records/{repository}"


def _digest(content: bytes, digits: int) -> str:
    return hashlib.sha256(content).hexdigest()[:digits]
