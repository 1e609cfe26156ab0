"""What reading one file of a script collects, and the small vocabulary of chains that its readers share."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from exegesis.model import Binding, Chain, Reference, Step, StepKind, Symbol, stable_id

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 140
"""Nested expressions and blocks followed into one another. Each level costs up to three of the thousand frames that the interpreter allows, and each
link of a chain of calls two levels."""

MAX_CHAIN = 16
"""Steps of a receiver chain; what is longer is UNKNOWN. Keeps chains of chained locals from growing with the file."""

MAX_PROBLEMS = 5

UNKNOWN: Chain = (Step(StepKind.UNKNOWN),)
SELF: Chain = (Step(StepKind.SELF),)
SUPER: Chain = (Step(StepKind.SUPER),)
INDEX = Step(StepKind.INDEX)

Scope = dict[str, Chain]
"""Locals of one function: the value that each name stands for."""


def extend(chain: Chain, step: Step) -> Chain:
    return (*chain, step) if len(chain) < MAX_CHAIN and chain[0].kind is not StepKind.UNKNOWN else UNKNOWN


def typed(type_: str) -> Chain:
    """The chain of a value of a canonical type."""
    if not type_:
        return UNKNOWN
    if type_.endswith(".Type"):
        return (Step(StepKind.METATYPE, type_[: -len(".Type")]),)
    return (Step(StepKind.TYPE, type_),)


@lru_cache(maxsize=4096)
def named(name: str) -> Step:
    """The step to a member of that name: shared, because the same names come again and again."""
    return Step(StepKind.NAME, name)


def is_known(chain: Chain) -> bool:
    return chain[0].kind is not StepKind.UNKNOWN


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
    """The class, or the object with functions of its own, whose instance ``this`` is."""
    member: bool = False
    """Directly in the body of a class."""
    in_code: bool = False
    """In a function, where names are locals."""
    exported: bool = False
    """Directly in an export."""
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
class Facts:
    """Everything found so far in one file, and the work that is left."""

    path: str
    content: bytes
    lines: list[bytes]
    module: int
    """The symbol that owns code outside of any declaration."""
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    bodies: deque[Body] = field(default_factory=deque)
    declared: set[tuple[int, str]] = field(default_factory=set)
    """Classes, and names that their bodies declare."""
    attributes: dict[tuple[int, str], Attribute] = field(default_factory=dict)
    """By class and name: what its methods assign to ``this``."""
    constructors: frozenset[str] = frozenset()
    """Functions of this file that are given a prototype, and so are classes."""
    holders: frozenset[str] = frozenset()
    """Names that functions are assigned to as members."""
    texts: dict[bytes, str] = field(default_factory=dict)
    """Names read so far: most come again, and decoding costs more than looking up."""
    ordinals: Counter[str] = field(default_factory=Counter)

    @property
    def called(self) -> str:
        """What others most likely call what the file exports without a name: like the file, or like the folder that it is the index of."""
        *folders, file = self.path.split("/")
        stem = file.partition(".")[0]
        return folders[-1] if stem == "index" and folders else stem or "default"

    def text(self, node: Node) -> str:
        source = self.content[node.start_byte : node.end_byte]
        text = self.texts.get(source)
        if text is None:
            text = self.texts[source] = source.decode("utf-8", "replace")
        return text

    def identify(self, key: str) -> tuple[int, str]:
        """Identifier of a symbol and its key, made unique among equals by an ordinal. No line numbers: an edit elsewhere keeps it."""
        ordinal = self.ordinals[key]
        self.ordinals[key] += 1
        unique = f"{key}#{ordinal}" if ordinal else key
        return stable_id("javascript", self.path, unique), unique

    def complain(self, problem: str) -> None:
        if len(self.problems) < MAX_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)
