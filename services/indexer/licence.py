"""Whose code a folder holds, told from its licence: a library copied into a tree brings its own along."""

from __future__ import annotations

import re
from collections.abc import Collection

FILE = re.compile(r"(?i)(?:licen[sc]e|copying|unlicense)(?:[-.](?:md|txt|rst|mit|apache|bsd|gpl))?")
"""How licence files are called."""

LIMIT_BYTES = 1 << 16
"""Of a licence file; the longest one in use, the GPL, has 35 kB."""

MANIFESTS = frozenset(
    {
        "Package.swift",
        "package.json",
        "Cargo.toml",
        "pyproject.toml",
        "setup.py",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "composer.json",
        "Gemfile",
    }
)
"""What makes a folder a package of its own. Packages of one project often carry licences that differ from the project's, so nothing follows there."""

_HOLDER = re.compile(r"(?i)\bcopyright\b(?:\s*(?:\(c\)|©))?[\s\d,–-]*(?:present\b)?\s*(?:by\s+)?([^\n\[\]{<]{3,80})")
_WORD = re.compile(r"[a-z]{3,}")
_NO_NAME = frozenset(
    {"and", "the", "all", "rights", "reserved", "inc", "ltd", "llc", "contributors", "authors", "its", "affiliates", "owner", "notice", "holder"}
)


def is_foreign(licence: str, project: str, siblings: Collection[str]) -> bool:
    """Whether a folder with this licence, and these entries beside it, holds somebody else's code, given the licence of the whole project.

    It does if the text is another one, no holder of a copyright is named in both, and the folder is no package of its own.
    """
    if not project or any(name in MANIFESTS for name in siblings):
        return False
    return _words(licence) != _words(project) and not holders(licence) & holders(project)


def holders(licence: str) -> frozenset[str]:
    """Words of the names after ``Copyright``, in lower case."""
    return frozenset(word for name in _HOLDER.findall(licence) for word in _WORD.findall(name.lower())) - _NO_NAME


def _words(licence: str) -> list[str]:
    return _WORD.findall(licence.lower())
