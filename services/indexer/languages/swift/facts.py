"""What reading one Swift file collects, and the small vocabulary of chains that its readers share."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from exegesis.model import Chain, Reference, ReferenceKind, Step, StepKind, Symbol, stable_id

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 80
"""Nested expressions, blocks or types followed into one another. The deepest of 4,440 real files needs 27; each level costs up to
six Python frames of the thousand that the interpreter allows, and callers need some of those."""

MAX_CHAIN = 16
"""Steps of a receiver chain; what is longer is UNKNOWN. Keeps chains of chained locals from growing with the file."""

MAX_PROBLEMS = 5

UNKNOWN: Chain = (Step(StepKind.UNKNOWN),)
SELF: Chain = (Step(StepKind.SELF),)
SUPER: Chain = (Step(StepKind.SUPER),)
IMPLICIT: Chain = (Step(StepKind.IMPLICIT),)

Scope = dict[str, Chain]
"""Locals of one block: the value that each name stands for."""


def extend(chain: Chain, step: Step) -> Chain:
    return (*chain, step) if len(chain) < MAX_CHAIN else UNKNOWN


def typed(type_: str) -> Chain:
    """The chain of a value of a canonical type."""
    if not type_:
        return UNKNOWN
    if type_.endswith(".Type"):
        return (Step(StepKind.METATYPE, type_[: -len(".Type")]),)
    return (Step(StepKind.TYPE, type_),)


def type_arguments(type_: str) -> list[str]:
    """The arguments of a canonical generic type: ``Dictionary<K, Array<V>>`` has ``K`` and ``Array<V>``."""
    start = type_.find("<")
    if start < 0 or not type_.endswith(">"):
        return []
    found, level, begin = [], 0, start + 1
    for index in range(start + 1, len(type_) - 1):
        character = type_[index]
        if character == "<":
            level += 1
        elif character == ">":
            level -= 1
        elif character == "," and level == 0:
            found.append(type_[begin:index].strip())
            begin = index + 1
    found.append(type_[begin:-1].strip())
    return found


def padded_arguments(type_: str, count: int = 2) -> list[str]:
    """Exactly ``count`` of the arguments of a type, empty where there are fewer."""
    return [*type_arguments(type_)[:count], *[""] * count][:count]


def called(value: Chain) -> Chain:
    """The result of calling a value."""
    last = value[-1]
    if last.kind is StepKind.TYPE and last.name.startswith("Function<"):
        return typed(type_arguments(last.name)[0])
    return UNKNOWN


@lru_cache(maxsize=256)
def argument(place: str, closures: tuple[str, ...] = ()) -> Step:
    """The step from a call with trailing closures of these labels to what takes its argument at a place."""
    return Step(StepKind.ARGUMENT, place, closures)


@lru_cache(maxsize=64)
def parameter(place: int, labels: tuple[str, ...] = ()) -> Step:
    """The step from a function, or the case of an enum, to what it takes at a place."""
    return Step(StepKind.PARAMETER, str(place), labels)


def implied(context: Chain) -> Chain:
    """The chain of a leading dot where the value should be of the type of another."""
    return extend(context, IMPLICIT[0]) if context and context[0].kind is not StepKind.UNKNOWN else IMPLICIT


@lru_cache(maxsize=4096)
def named(name: str) -> Step:
    """The step to a member of that name: shared, because the same names come again and again."""
    return Step(StepKind.NAME, name)


SEQUENCES = frozenset(
    {"Array", "Set", "ArraySlice", "ContiguousArray", "AnySequence", "AnyCollection", "LazySequence", "AsyncStream", "AsyncThrowingStream"}
)


def element(chain: Chain) -> Chain:
    """What iterating over a value yields."""
    last = chain[-1] if chain else None
    if last is not None and last.kind is StepKind.TYPE:
        base = last.name.partition("<")[0]
        arguments = type_arguments(last.name)
        if base in SEQUENCES and arguments:
            return typed(arguments[0])
        if base == "Dictionary":
            return UNKNOWN
    return extend(chain, Step(StepKind.INDEX)) if chain else UNKNOWN


def subscripted(chain: Chain) -> Chain:
    """What a subscript of a value yields."""
    last = chain[-1] if chain else None
    if last is not None and last.kind is StepKind.TYPE and last.name.startswith("Dictionary<"):
        return typed(type_arguments(last.name)[-1])
    if last is not None and last.kind is StepKind.TYPE and last.name.partition("<")[0] in SEQUENCES:
        return element(chain)
    return extend(chain, Step(StepKind.INDEX)) if chain else UNKNOWN


def looks_like_type(name: str) -> bool:
    """Whether a name starts with an upper-case letter, underscores aside: Swift's convention for types."""
    return name.lstrip("_")[:1].isupper()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a declaration stands."""

    symbol: int | None = None
    key: str = ""
    """What identifies the enclosing symbol within the file, independently of line numbers."""
    container: str = ""
    """Canonical name of the innermost enclosing type; empty outside of types."""
    qualified: str = ""
    member: bool = False
    """Directly in the body of a type (or extension, or protocol)."""
    generics: Mapping[str, str] = field(default_factory=dict)
    """Generic parameters in scope and what they are bound to."""
    access: int = 0
    """What members inherit: the access modifiers of an extension."""
    scopes: tuple[Scope, ...] = ()
    """Locals that code here can see."""
    runs: int | None = None
    """The symbol that initialises variables declared here, where that is not the variable itself: the top level of a script."""
    entry: bool = False
    """In the type that the program starts with."""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Body:
    """Code to read once all declarations around it are known."""

    nodes: tuple[tuple[Node, str], ...]
    """Each with the canonical type that its value is expected to have."""
    owner: int
    place: Place
    result: str = ""
    """Canonical type that ``return`` expects."""
    initializes: int | None = None
    """Index of the symbol whose ``initializer`` is the value of the last node."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A type named before it is known which symbol names it."""

    name: str
    line: int
    column: int
    receiver: Chain
    kind: ReferenceKind = ReferenceKind.TYPE


@dataclass(slots=True)
class Facts:
    """Everything found so far in one file, and the work that is left."""

    path: str
    content: bytes
    lines: list[bytes]
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    types: deque[tuple[list[Node], Place]] = field(default_factory=deque)
    """Bodies of types, with their place: read before any code, so that code knows the members of its file."""
    bodies: deque[Body] = field(default_factory=deque)
    member_types: dict[tuple[str, str], str] = field(default_factory=dict)
    """(container, name) of properties of this file, and their declared canonical types."""
    payloads: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """(enum, case) of this file, and the canonical types of its associated values."""
    declared: set[str] = field(default_factory=set)
    """Canonical names of the types of this file."""
    texts: dict[bytes, str] = field(default_factory=dict)
    """Names read so far: most come again, and decoding costs more than looking up."""
    ordinals: Counter[str] = field(default_factory=Counter)

    def text(self, node: Node) -> str:
        """Source of a node, without the backticks of escaped identifiers."""
        source = self.content[node.start_byte : node.end_byte]
        text = self.texts.get(source)
        if text is None:
            text = self.texts[source] = source.decode("utf-8", "replace").strip("`")
        return text

    def identify(self, key: str) -> tuple[int, str]:
        """Identifier of a symbol and its key, made unique among equals by an ordinal. No line numbers: an edit elsewhere keeps it."""
        ordinal = self.ordinals[key]
        self.ordinals[key] += 1
        unique = f"{key}#{ordinal}" if ordinal else key
        return stable_id("swift", self.path, unique), unique

    def flush(self, source: int | None, generics: Mapping[str, str]) -> None:
        """Turn the mentions read since the last flush into references of a symbol; those of generic parameters are none."""
        if source is not None:
            for mention in self.mentions:
                if mention.name not in generics:
                    self.references.append(Reference(mention.kind, mention.name, mention.line, mention.column, source, mention.receiver))
        self.mentions.clear()

    def complain(self, problem: str) -> None:
        if len(self.problems) < MAX_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)
