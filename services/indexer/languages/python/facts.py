"""What reading one Python file collects, and the work that is left."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exegesis.model import Chain
from services.indexer.chains import UNKNOWN, Scope
from services.indexer.findings import Findings

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 140
"""Nested expressions and blocks followed into one another. Each level costs up to three of the thousand frames that the interpreter allows, and each
link of a chain of calls two levels."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a declaration stands."""

    symbol: int | None = None
    key: str = ""
    """What identifies the enclosing symbol within the file, independently of line numbers."""
    container: str = ""
    """Canonical name of the innermost enclosing class; empty outside of classes."""
    qualified: str = ""
    owner: int | None = None
    """The innermost enclosing class."""
    member: bool = False
    """Directly in the body of a class."""
    in_code: bool = False
    """In a function, where names are locals."""
    enumerates: bool = False
    """In the body of an enum, whose names are its cases."""
    scopes: tuple[Scope, ...] = ()
    """Locals of the functions around."""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Body:
    """Code to read once all declarations around it are known."""

    nodes: tuple[Node, ...]
    owner: int
    place: Place
    symbol: int | None = None
    """Index of the symbol whose value the code yields: what a function returns, or what a variable is given."""
    is_function: bool = False


@dataclass(slots=True)
class Attribute:
    """What methods assign to a name of their instance."""

    name: str
    line: int
    column: int
    place: Place
    signature: str
    type: str = ""
    value: Chain = UNKNOWN


@dataclass(slots=True)
class Facts(Findings):
    """Everything found so far in one file, and the work that is left."""

    language = "python"

    module: int = 0
    """The symbol that owns code outside of any declaration."""
    bodies: deque[Body] = field(default_factory=deque)
    declared: set[tuple[int, str]] = field(default_factory=set)
    """Classes, and names that their bodies declare."""
    attributes: dict[tuple[int, str], Attribute] = field(default_factory=dict)
    """By class and name: what its methods assign."""
    is_entry: bool = False
    """The program may start in this file."""
