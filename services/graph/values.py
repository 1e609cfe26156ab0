"""What names and chains turn out to be: the words in which the linker thinks."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from exegesis.model import Argument, Symbol
from services.graph.table import Scope, Type


class Standing(enum.Enum):
    INSTANCE = enum.auto()
    METATYPE = enum.auto()
    SUPER = enum.auto()
    MODULE = enum.auto()
    EXTERNAL = enum.auto()
    """Comes from outside of the project; ``type`` is the external type it came from."""
    UNKNOWN = enum.auto()


@dataclass(frozen=True, slots=True)
class Value:
    standing: Standing
    type: Type | None = None
    module: tuple[str, ...] = ()
    """Files of a module of the project, where imports bind modules to names."""


UNKNOWN = Value(Standing.UNKNOWN)
EXTERNAL = Value(Standing.EXTERNAL)


@dataclass(frozen=True, slots=True)
class Found:
    """What a name turned out to mean. ``symbol`` is None where it means nothing certain."""

    symbol: Symbol | None = None
    rule: str = ""
    owner: Type | None = None
    """The type in whose declaration or extension the member was found."""
    candidates: int = 0
    """Declarations that might be meant."""
    external: bool = False
    among: tuple[Symbol, ...] = ()
    """Those declarations, where they fit as well as one another."""


NOWHERE = Found(external=True)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reference stands."""

    scope: Scope
    self_type: Type | None
    is_static: bool
    around: tuple[int, ...]
    """Those of the symbols around it in the text that declare locals or generic parameters, innermost first."""


@dataclass(frozen=True, slots=True)
class Use:
    """A name as it is used: called with labels and trailing closures, or just named (``labels`` is None)."""

    name: str
    labels: tuple[str, ...] | None = None
    trailing: int = 0
    given: tuple[Argument, ...] = ()
    """What the arguments stand for, read at ``place``; empty when that is not known."""
    place: Place | None = None


def as_metatype(value: Value) -> Value:
    """The type of an instance as a value; anything else as it is."""
    return Value(Standing.METATYPE, value.type) if value.standing is Standing.INSTANCE else value
