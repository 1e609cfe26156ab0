"""The tables of the benchmark, as values: which checkouts the questions are about, how each set is asked, what others reached."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
OWN_QUESTIONS: Final = HERE.parent / "questions"
BUDGETS: Final = (8_000, 24_000)
"""Tokens: what a small model reads well, and what the product allows by default."""
_DIGITS: Final = 7


@dataclass(frozen=True, slots=True)
class Checkout:
    """One commit of a repository."""

    name: str
    """What the questions call the repository."""
    address: str
    commit: str
    stands_for: str = ""
    """The commit of the questions, where that cannot be had."""
    path: str = ""
    """Where it lies, if not in the folder of all checkouts: then it is whatever lies there, at any commit."""

    @property
    def folder(self) -> str:
        return f"{self.name}@{self.commit[:_DIGITS]}".rstrip("@")

    def place(self, repositories: Path) -> Path:
        return Path(self.path).expanduser() if self.path else repositories / self.folder

    def is_asked_as(self, name: str, commit: str) -> bool:
        """Whether questions about this repository, in any letter case, and commit, which may be cut short, are about this checkout."""
        is_commit = bool(commit) and (self.commit.startswith(commit) or self.stands_for.startswith(commit))
        return name.lower() == self.name.lower() and (is_commit or bool(self.path))

    def how_to_get(self, repositories: Path) -> str:
        """Commands that make the checkout."""
        where = self.place(repositories)
        return f"git init -q '{where}' && git -C '{where}' fetch -q --depth 1 {self.address} {self.commit} && git -C '{where}' checkout -q FETCH_HEAD"


@dataclass(frozen=True, slots=True)
class QuestionSet:
    name: str
    file: str
    part: bool = False
    """Only the folder that the questions name is indexed."""
    budgets: tuple[int, ...] = BUDGETS
    leaves_out: tuple[str, ...] = ()
    """Files that quote the questions."""
    key_points: bool = False
    """The gold is a list of names that the context must contain."""


@dataclass(frozen=True, slots=True)
class Published:
    """What some other system reaches on a set."""

    system: str
    set: str
    figure: str
    source: str
    mean: float
    repositories: Mapping[str, float] = field(default_factory=dict)


def read_checkouts(path: Path = HERE / "repositories.toml") -> tuple[Checkout, ...]:
    return tuple(Checkout(**row) for row in _rows(path, "checkout"))


def read_sets(path: Path = HERE / "sets.toml") -> tuple[QuestionSet, ...]:
    return tuple(
        QuestionSet(**{**row, "budgets": tuple(row.get("budgets", BUDGETS)), "leaves_out": tuple(row.get("leaves_out", ()))})
        for row in _rows(path, "set")
    )


def read_published(path: Path = HERE / "published.toml") -> tuple[Published, ...]:
    return tuple(Published(**row) for row in _rows(path, "published"))


def find_sets(places: Sequence[Path], known: Sequence[QuestionSet]) -> list[tuple[QuestionSet, Path]]:
    """Every set whose file is among the places or lies in a folder that is, in the order of the table; files that are not in the table are sets of
    their own name. Of two files with one name the earlier counts.
    """
    files: dict[str, Path] = {}
    for place in places:
        for path in [place] if place.is_file() else sorted(place.glob("*.jsonl")):
            files.setdefault(path.name, path)
    listed = {known_set.file for known_set in known}
    own = [QuestionSet(Path(name).stem, name) for name in files if name not in listed]
    return [(found, files[found.file]) for found in (*known, *own) if found.file in files]


def _rows(path: Path, table: str) -> Sequence[Mapping[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = tomllib.loads(path.read_text("utf-8"))[table]
    return rows
