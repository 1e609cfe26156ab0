"""Which steps of long stories are left out, so that the rest fits and still hangs together. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from services.query.flow import Step

INHERITED: Final = 0.75
"""Share of its caller's worth that a step has at least."""

LATER: Final = 0.85
"""What the steps of the stories of one more file are worth beside those of the file before."""


def prune(steps: Sequence[Step], parents: Mapping[str, str], most: int) -> list[Step]:
    """The same steps without those ends of stories that matter least, so that what is left still hangs together."""
    worth = worth_of(steps, parents)
    kept = {step.item.id: step for step in steps}
    while len(kept) > most:
        needed = {parents[identifier] for identifier in kept if identifier in parents}
        ends = [identifier for identifier in kept if identifier not in needed]
        del kept[min(reversed(ends or list(kept)), key=lambda identifier: worth[identifier])]
    return list(kept.values())


def worth_of(steps: Sequence[Step], parents: Mapping[str, str]) -> dict[str, float]:
    """How much each step matters: by its score, or by that of the step it follows from.

    What answers a question is often code whose words say nothing about it: it matters because the code that was found calls it. Steps of later
    stories matter less, because the first story is the one that was asked for.
    """
    files: dict[tuple[str, str], int] = {}
    worth: dict[str, float] = {}
    fading = 1.0
    for step in steps:
        parent = parents.get(step.item.id)
        if parent is None:
            fading = LATER ** files.setdefault((step.item.repository, step.item.path), len(files))
        worth[step.item.id] = max(step.item.score * fading, INHERITED * worth.get(parent, 0.0) if parent else 0.0)
    return worth


def parents_among(starts: Iterable[Step], shown: Collection[str], above: str = "") -> dict[str, str]:
    """For each step the nearest one above it that is shown, where there is one: what is not shown (a protocol on the way) does not cut a story."""
    found: dict[str, str] = {}
    for step in starts:
        identifier = step.item.id
        parent = step.by.source.id if step.by is not None and step.by.source.id in shown else above
        if parent:
            found[identifier] = parent
        found |= parents_among(step.steps, shown, identifier if identifier in shown else parent)
    return found
