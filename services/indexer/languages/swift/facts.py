"""What reading one Swift file collects, and chains as only Swift has them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from exegesis.model import Chain, Reference, ReferenceKind, Step, StepKind
from services.indexer.chains import MAX_CHAIN, UNKNOWN, Scope, typed
from services.indexer.findings import Findings

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 80
"""Nested expressions, blocks or types followed into one another. The deepest of 4,440 real files needs 27; each level costs up to
six Python frames of the thousand that the interpreter allows, and callers need some of those."""

IMPLICIT: Chain = (Step(StepKind.IMPLICIT),)


def extend(chain: Chain, step: Step) -> Chain:
    """Steps are kept behind what is not known as well: a trailing closure asks for the declaration that a later step names."""
    return (*chain, step) if len(chain) < MAX_CHAIN else UNKNOWN


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
class Facts(Findings):
    """Everything found so far in one file, and the work that is left."""

    language = "swift"

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

    def text(self, node: Node) -> str:
        """Source of a node, without the backticks of escaped identifiers."""
        source = self.content[node.start_byte : node.end_byte]
        text = self.texts.get(source)
        if text is None:
            text = self.texts[source] = source.decode("utf-8", "replace").strip("`")
        return text

    def flush(self, source: int | None, generics: Mapping[str, str]) -> None:
        """Turn the mentions read since the last flush into references of a symbol; those of generic parameters are none."""
        if source is not None:
            for mention in self.mentions:
                if mention.name not in generics:
                    self.references.append(Reference(mention.kind, mention.name, mention.line, mention.column, source, mention.receiver))
        self.mentions.clear()
