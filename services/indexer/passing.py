"""Failures that pass: a file that was away for a moment, or changed under the reader, is not to be missing for good.

What a file is made of is part of a generation's name; that it could not be read is not, so the name alone would say that nothing is to be done.
"""

from __future__ import annotations

from typing import Final

from exegesis.model import Generation
from exegesis.ports import Catalog
from services.indexer.identity import GenerationName

PASSING: Final = "failed for now: "
"""How the reason of such a failure begins."""

TRIES: Final = 3
"""Generations of the same files that are made in the hope that it has passed. A file that the walk can read and the parser never, as where they are
different users, must not be tried at every look."""

_NOTE: Final = "passing"
"""Note of a repository: the inputs of the generation in which files failed for now, and how many were made of them."""


def passing_failures(generation: Generation) -> frozenset[str]:
    """Paths of the files that failed of something beside their content."""
    return frozenset(path for path, reason in generation.coverage.failed if reason.startswith(PASSING))


def is_worth_another_try(generation: Generation, catalog: Catalog) -> bool:
    """Whether files failed for now, and have not done so too often."""
    return bool(passing_failures(generation)) and _tries(generation, catalog) < TRIES


def count_try(generation: Generation, catalog: Catalog) -> None:
    """Remember that this generation was made, if files failed for now in it."""
    if passing_failures(generation):
        tries = _tries(generation, catalog) + 1
        catalog.save_note(generation.repository, _NOTE, f"{GenerationName.parse(generation.id).inputs} {tries}".encode())


def _tries(generation: Generation, catalog: Catalog) -> int:
    inputs, _, tries = (catalog.load_note(generation.repository, _NOTE) or b"").decode("ascii", "replace").partition(" ")
    return int(tries) if inputs == GenerationName.parse(generation.id).inputs and tries.isdigit() else 0
