"""The state of reading Swift code: who refers, what its locals stand for, and what is done for each kind of node.

Reading an expression emits the references in it and returns the chain that its value stands for. Locals are replaced by what they
stand for, so a receiver never starts with one: after ``let client = Client()``, ``client.send()`` has the receiver ``Client()``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tree_sitter import Node

from exegesis.model import Argument, Chain, Reference, ReferenceKind, StepKind
from services.indexer.chains import UNKNOWN, Scope
from services.indexer.languages.swift.facts import MAX_DEPTH, Body, Facts, Place, type_arguments
from services.indexer.languages.swift.types import read_type


@dataclass(slots=True)
class Frame:
    """The body that is being read."""

    owner: int
    """The symbol that refers."""
    place: Place
    result: str
    """Canonical type that ``return`` expects."""
    scopes: list[Scope]
    """Innermost last."""
    closures: int = 0
    """How many closures of the owner came before: they are numbered, so that their identifiers do not depend on lines."""


class Reader:
    """Reads bodies, one after the other, with a function for each kind of node."""

    def __init__(self, facts: Facts, handlers: Mapping[str, Handler]) -> None:
        self.facts = facts
        self.content = facts.content
        self.modules = frozenset(facts.imports)
        self.frame = Frame(0, Place(), "", [])
        self.generics: Mapping[str, str] = {}
        self.depth = 0
        self.context: Chain = ()
        """Of the node whose handler is called: a value of the type that is expected, where that type is not known by name."""
        self.unnamed: list[int] = []
        """For each closure around, innermost last, how many unnamed parameters it has used so far."""
        self.arity = 0
        """Parameters of the closure that was read last."""
        self._handlers = handlers

    def read(self, body: Body) -> None:
        """Read one body to its end."""
        self.frame = Frame(body.owner, body.place, body.result, [*body.place.scopes, {}])
        self.generics = body.place.generics
        self.depth = 0
        chain = UNKNOWN
        for node, expected in body.nodes:
            chain = self.value(node, expected)
        if body.initializes is not None and chain[0].kind is not StepKind.UNKNOWN:
            self.facts.symbols[body.initializes] = replace(self.facts.symbols[body.initializes], initializer=chain)

    def value(self, node: Node, expected: str = "", context: Chain = ()) -> Chain:
        """Read a node whose value should have the canonical type ``expected`` (empty when unknown): the chain it stands for.

        Where the type is not known by name, ``context`` may be a chain whose value has it.
        Nothing is followed deeper than ``MAX_DEPTH``; where that stops, a problem says so.
        """
        handler = self._handlers.get(node.type)
        if handler is None:
            if not node.children:
                return UNKNOWN
            handler = read_each
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.facts.complain(f"code nested too deeply at line {node.start_point.row + 1}")
            self.depth -= 1
            return UNKNOWN
        self.context = context
        chain = handler(self, node, expected)
        self.depth -= 1
        return chain

    def each(self, node: Node) -> None:
        """Read whatever is inside, in order."""
        for child in node.children:
            self.value(child)

    def refer(
        self,
        kind: ReferenceKind,
        name: str,
        position: tuple[int, int],
        receiver: Chain = (),
        labels: tuple[str, ...] = (),
        *,
        trailing: int = 0,
        expected: str = "",
        arguments: tuple[Argument, ...] = (),
    ) -> None:
        """Emit a reference. ``position`` is the row and column of the name, both 0-based."""
        row, column = position
        self.facts.references.append(Reference(kind, name, row + 1, column + 1, self.frame.owner, receiver, labels, trailing, expected, arguments))

    def type(self, node: Node) -> str:
        """Canonical type of a node, a generic parameter replaced by its bound; the types it mentions become references."""
        type_ = read_type(self.facts, node)
        self.facts.flush(self.frame.owner, self.generics)
        return bound(type_, self.generics)

    def bounded(self, type_: str) -> str:
        """A type, or the bound of what is a generic parameter here."""
        return bound(type_, self.generics)

    def local(self, name: str) -> Chain | None:
        """What a local of that name stands for; None when there is none."""
        for scope in reversed(self.frame.scopes):
            if name in scope:
                if name[0] == "$" and self.unnamed:
                    self.unnamed[-1] = max(self.unnamed[-1], int(name[1:]) + 1)
                return scope[name]
        return None

    def bind(self, name: str, chain: Chain) -> None:
        # `guard let self` and `[weak self]` leave self what it is.
        if name not in {"_", "self"}:
            self.frame.scopes[-1][name] = chain

    def resolve(self, type_: str) -> str:
        """The full name of a type of this file that is named as seen from here; any other as it is."""
        base = type_.partition("<")[0]
        outer = self.frame.place.container
        while outer:
            if f"{outer}.{base}" in self.facts.declared:
                return f"{outer}.{base}"
            outer = outer.rpartition(".")[0]
        return base

    def type_of(self, chain: Chain) -> str:
        """Canonical type of a chain, as far as the declarations of this file tell; empty when they do not."""
        first = chain[0]
        members = self.facts.member_types
        container = self.frame.place.container
        if first.kind in {StepKind.TYPE, StepKind.METATYPE}:
            type_ = first.name
        elif first.kind is StepKind.SELF:
            type_ = container
        elif first.kind is StepKind.NAME:
            type_ = members.get((container, first.name)) or members.get(("", first.name), "")
        else:
            return ""
        for step in chain[1:]:
            if step.kind is not StepKind.NAME or not type_:
                return ""
            type_ = members.get((self.resolve(type_), step.name), "")
        return type_

    def payload(self, type_: str, case: str) -> list[str]:
        """Canonical types of the associated values of an enum's case: those of this file, and of the standard library's two."""
        if case == "some":
            return [type_]
        arguments = type_arguments(type_)
        if type_.startswith("Result<") and len(arguments) == 2:
            return [arguments[case == "failure"]]
        return list(self.facts.payloads.get((self.resolve(type_), case), ()))


Handler = Callable[[Reader, Node, str], Chain]


def read_each(reader: Reader, node: Node, _expected: str) -> Chain:
    """What is not understood: whatever is inside, in order."""
    reader.each(node)
    return UNKNOWN


def bound(type_: str, generics: Mapping[str, str]) -> str:
    """A generic parameter as its bound: its members are those of the bound, and without one it has none but those of Any."""
    of = generics.get(type_)
    return type_ if of is None else of or "Any"
