"""What a file of RPG declares, in the making: a vocabulary between statements and symbols."""

from __future__ import annotations

from dataclasses import dataclass, field

from exegesis.model import SymbolKind
from services.indexer.languages.rpg.statements import Cell, Statement


@dataclass(frozen=True, slots=True)
class Part:
    """A parameter, a subfield or a value of an enumeration."""

    name: Cell
    type: str
    options: str
    """Everything else that is said of it."""
    start: int
    end: int


@dataclass(slots=True)
class Entity:
    """A declaration."""

    kind: SymbolKind
    name: Cell
    start: int
    end: int
    parent: Entity | None = None
    type: str = ""
    keywords: dict[str, str] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    """Parameters of what is called, subfields of a data structure, values of an enumeration."""
    floor: int = 0
    """Last line of what came before it."""


@dataclass(frozen=True, slots=True)
class Step:
    """A statement that names something, and whose it is."""

    statement: Statement
    owner: Entity


@dataclass(slots=True)
class Outline:
    """All that one pass over the statements tells."""

    entities: list[Entity] = field(default_factory=list)
    """In the order of their first lines, what encloses before what it encloses."""
    steps: list[Step] = field(default_factory=list)
    main: Entity | None = None
    locals: dict[int, set[str]] = field(default_factory=dict)
    """For each procedure, by the identity of its entity, the folded names it declares."""
    constants: dict[str, str] = field(default_factory=dict)
    """Named constants that hold a literal, by their folded names."""
    copies: list[str] = field(default_factory=list)
    """What /COPY and /INCLUDE say."""
    control: dict[str, str] = field(default_factory=dict)
    """Keywords of control specifications."""
    breaks: list[int] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
