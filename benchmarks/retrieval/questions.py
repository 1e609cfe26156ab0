"""Questions with the places that answer them, as the files of JSON lines hold them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from services.gateway.scoring import Location, location

ESSENTIAL: Final = 2
"""Grade of a place without which the question is not answered; grade 1 helps."""


@dataclass(frozen=True, slots=True)
class Asked:
    id: str
    text: str
    repository: str
    commit: str
    folder: str
    """Of the repository, for sets that are asked of a part of it; often empty."""
    language: str
    category: str
    gold: tuple[Location, ...]
    essential: tuple[Location, ...]
    """Places of the highest grade that have lines."""
    points: tuple[str, ...]
    """Facts that an answer states."""
    absent: bool
    """It asks for what the repository does not have, so a refusal is right."""
    digest: str
    """Of all of it: an answer that was scored against other gold is not this one's."""

    @property
    def files(self) -> int:
        return len({place.path for place in self.gold})


def read_questions(path: Path) -> Iterator[Asked]:
    """The questions of a file. Raises ``ValueError`` with the line's number for one that is none."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield _question(json.loads(line), hashlib.sha256(line.encode()).hexdigest()[:12])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}:{number} is no question: {error!r}") from error


def _question(row: Mapping[str, Any], digest: str) -> Asked:
    gold = row.get("gold") or ()
    return Asked(
        id=str(row["id"]),
        text=str(row["question"]),
        repository=str(row["repo"]),
        commit=str(row.get("commit") or ""),
        folder=str(row.get("index_subdir") or ""),
        language=str(row.get("lang") or ""),
        category=str(row.get("category") or row.get("wording") or ""),
        gold=tuple(map(location, gold)),
        essential=tuple(location(place) for place in gold if place.get("grade", ESSENTIAL) == ESSENTIAL and place.get("start") is not None),
        points=tuple(map(str, row.get("facts") or ())),
        absent=bool(row.get("absent")),
        digest=digest,
    )
