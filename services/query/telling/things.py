"""Types and values that take part in a story, and how: what steps belong to, read from, take or give, and throw. Pure.

Configuration of a flow is what several of its steps read from and none of them makes: that is told by the calls, whatever it is called. What steps
only throw says how the flow fails, which the steps say themselves, so it comes last.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Final

from exegesis.model import ChunkKind, ContextItem, SymbolKind
from services.query.flow import Flow
from services.query.telling.branches import numbered_lines
from services.query.telling.names import base_name, owner_of
from services.query.telling.phases import Phase, phase_of

TYPES: Final = frozenset(kind.value for kind in SymbolKind if kind.is_type) | {ChunkKind.DESCRIPTION.value}
FUNCTIONS: Final = frozenset(kind.value for kind in SymbolKind if kind.is_callable and kind is not SymbolKind.SUBSCRIPT)
"""What is only referred to where it is not called."""

VALUES: Final = frozenset({"property", "variable", "case", "table"})

SEVERAL: Final = 2
"""Steps that read from a type, from which on it is more than an argument: the flow rests on it."""


REMEMBERED: Final = 8_000
"""Characters of a piece up to which its words are remembered: usual ones have 60 of them, and a thousand pieces 6 MB; 60 MB at most."""


class Part(IntEnum):
    """How something takes part, nearest first."""

    OWNER = 0
    """Steps belong to it."""
    READ = 1
    """Several steps read its values: the configuration or the state of the flow."""
    PASSED = 2
    """Steps take it, make it, return it or speak of it."""
    THROWN = 3
    """Steps name it only where they fail."""


def taking_part(items: Sequence[ContextItem], told: Sequence[ContextItem], flow: Flow) -> list[ContextItem]:
    """Types and values that take part in what is told, nearest first, best first among equals; all of them where nothing is told."""
    things = [item for item in items if item.kind in TYPES | VALUES and item.kind != "extension"]
    if not told:
        return sorted(things, key=lambda item: -item.score)
    parts = parts_of(things, told, flow)
    return sorted((item for item in things if item.id in parts), key=lambda item: (parts[item.id], -item.score))


def settings_last(things: Sequence[ContextItem], told: Sequence[ContextItem], flow: Flow) -> list[ContextItem]:
    """The same things in the order in which a story is read: those that settings are read from after what the events pass on."""
    parts = parts_of(things, told, flow)
    return sorted(things, key=lambda item: phase_of(item) is Phase.SETTINGS or parts.get(item.id) is Part.READ)


def parts_of(things: Sequence[ContextItem], told: Sequence[ContextItem], flow: Flow) -> Mapping[str, Part]:
    """The part of each thing, by item; those without one are missing."""
    owners = {owner_of(item.symbol) for item in told}
    named = frozenset[str]().union(*(_words(item.text) for item in told))
    passed = frozenset[str]().union(*(_words("\n".join(line for _, line in numbered_lines(item) if not _FAILS.search(line))) for item in told))
    readers = _readers(told, flow)
    found: dict[str, Part] = {}
    for item in things:
        name = base_name(item.symbol)
        if item.symbol in owners:
            found[item.id] = Part.OWNER
        elif item.kind in TYPES and readers.get(item.symbol, 0) >= SEVERAL:
            found[item.id] = Part.READ
        elif name in passed:
            found[item.id] = Part.PASSED
        elif name in named:
            found[item.id] = Part.THROWN
    return found


def _readers(told: Sequence[ContextItem], flow: Flow) -> Mapping[str, int]:
    """For each type the number of steps outside it that read a value which is stored in it."""
    steps = {item.id: item for item in told}
    reading: dict[str, set[str]] = {}
    for call in flow.reads:
        owner = call.target.symbol if call.target.kind in TYPES else owner_of(call.target.symbol)
        if call.source.id in steps and owner and owner_of(call.source.symbol) != owner:
            reading.setdefault(owner, set()).add(call.source.id)
    return {owner: len(ids) for owner, ids in reading.items()}


def _words(text: str) -> frozenset[str]:
    return _known_words(text) if len(text) <= REMEMBERED else _known_words.__wrapped__(text)


@functools.lru_cache(maxsize=1_000)
def _known_words(text: str) -> frozenset[str]:
    """Asked for four times of each piece of an answer."""
    return frozenset(_WORD.findall(text))


_WORD: Final = re.compile(r"[A-Za-z_]\w+")
_FAILS: Final = re.compile(r"\b(?:throw|throws|raise|catch|except|rescue|fatalError|panic)\b")
"""Lines on which something is named because it failed."""
