"""Swift properties, top-level variables and enum cases: declarations of several names at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from exegesis.model import Parameter, SymbolKind
from services.indexer.languages.swift.facts import MAX_DEPTH, Body, Facts, Mention, Place, type_arguments
from services.indexer.languages.swift.heads import ASYNC, COMMENTS, COMPUTED, THROWS, Head, one_line, read_modifiers, read_signature
from services.indexer.languages.swift.reader import bound
from services.indexer.languages.swift.symbols import Naming, add_symbol, inside
from services.indexer.languages.swift.types import TYPE_NODES, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

VALUE_BYTES = 80
"""A longer initial value is left out of a property's signature."""


@dataclass(slots=True)
class _Binding:
    """One name, or one tuple of names, with its type and value."""

    pattern: Node
    end: int
    """Byte after name and type."""
    prefix: str = ""
    """Modifiers and keyword."""
    first: bool = True
    only: bool = True
    """The declaration has no other binding."""
    type: str = ""
    mentions: list[Mention] = field(default_factory=list)
    value: Node | None = None
    accessors: Node | None = None


def declare_property(facts: Facts, node: Node, place: Place) -> None:
    """``let`` and ``var``, each name a symbol. Accessors are part of the property."""
    children = node.children
    head = Head()
    keyword = "var"
    bindings: list[_Binding] = []
    equals = False
    for child in children:
        kind = child.type
        if kind == "modifiers":
            read_modifiers(facts, child, head)
        elif kind == "async":
            head.modifiers |= ASYNC
        elif kind == "value_binding_pattern":
            keyword = facts.text(child)
        elif kind == "pattern" and not equals:
            bindings.append(_Binding(child, child.end_byte))
        elif not bindings:
            continue
        elif kind == "type_annotation":
            _annotate(facts, bindings[-1], child)
        elif kind == "=":
            equals = True
        elif kind == ",":
            equals = False
        elif kind in {"computed_property", "willset_didset_block"}:
            bindings[-1].accessors = child
        elif equals and child.is_named and kind not in COMMENTS:
            bindings[-1].value = child
            equals = False
    for position in range(len(bindings) - 2, -1, -1):
        # In `var a, b: Int` the type is that of both.
        if not bindings[position].type and bindings[position].value is None:
            bindings[position].type = bindings[position + 1].type
    prefix = f"{read_signature(facts, [child for child in children if child.type == 'modifiers'])} {keyword}".strip()
    for number, binding in enumerate(bindings):
        binding.first, binding.only, binding.prefix = number == 0, len(bindings) == 1, prefix
        _declare_binding(facts, node, place, head, binding)


def _annotate(facts: Facts, binding: _Binding, node: Node) -> None:
    before = len(facts.mentions)
    binding.type = read_type(facts, node)
    # Kept apart: each name owns what its own type mentions.
    binding.mentions = facts.mentions[before:]
    del facts.mentions[before:]
    binding.end = node.end_byte


def _declare_binding(facts: Facts, node: Node, place: Place, head: Head, binding: _Binding) -> None:
    names = names_of(binding.pattern)
    value, accessors = binding.value, binding.accessors
    types = _split(binding.type, len(names))
    modifiers = head.modifiers
    if accessors is not None:
        if accessors.type == "computed_property" or value is None:
            modifiers |= COMPUTED
        modifiers |= effects(accessors)
    signature = f"{binding.prefix} {one_line(facts.content[binding.pattern.start_byte : binding.end])}"
    if value is not None and value.end_byte - value.start_byte <= VALUE_BYTES:
        signature = f"{signature} = {one_line(facts.content[value.start_byte : value.end_byte])}"
    last = (accessors or value or binding.pattern).end_point.row
    facts.mentions.extend(binding.mentions)
    for position, (name_node, type_) in enumerate(zip(names, types, strict=True)):
        naming = Naming(facts.text(name_node), name_node, SymbolKind.PROPERTY if place.member else SymbolKind.VARIABLE)
        own = Head(modifiers=modifiers, attributes=head.attributes, result=type_)
        rows = None if binding.only and len(names) == 1 else (name_node.start_point.row, last)
        symbol, key = add_symbol(facts, node, place, naming, own, signature=signature, rows=rows, first=binding.first and position == 0)
        if type_:
            facts.member_types[place.container if place.member else "", naming.name] = bound(type_, place.generics)
        if head.attributes or ((value is not None or accessors is not None) and position == 0):
            code = binding if position == 0 else _Binding(binding.pattern, binding.end)
            _put_aside(facts, symbol.id, inside(symbol, key, place, own), own, code, runs=place.runs)


def _put_aside(facts: Facts, owner: int, place: Place, head: Head, binding: _Binding, *, runs: int | None = None) -> None:
    """The code of a property, to be read when all declarations of the file are known."""
    type_ = bound(head.result, place.generics)
    if head.attributes:
        facts.bodies.append(Body(tuple((attribute, "") for attribute in head.attributes), owner, place))
    if binding.value is not None:
        initializes = None if head.result else len(facts.symbols) - 1
        facts.bodies.append(Body(((binding.value, type_),), runs or owner, place, initializes=initializes))
    if binding.accessors is not None:
        facts.bodies.append(Body(((binding.accessors, type_),), owner, place, type_))


def declare_requirement(facts: Facts, node: Node, place: Place) -> None:
    """A property that a protocol asks for."""
    children = node.children
    head = Head()
    names: list[Node] = []
    for child in children:
        kind = child.type
        if kind == "modifiers":
            read_modifiers(facts, child, head)
        elif kind == "pattern":
            names = names_of(child)
        elif kind == "type_annotation":
            head.result = read_type(facts, child)
        elif kind == "protocol_property_requirements":
            head.modifiers |= effects(child)
    for name_node in names[:1]:
        naming = Naming(facts.text(name_node), name_node, SymbolKind.PROPERTY)
        symbol, key = add_symbol(facts, node, place, naming, head, signature=read_signature(facts, children))
        if head.result:
            facts.member_types[place.container, naming.name] = head.result
        if head.attributes:
            _put_aside(facts, symbol.id, inside(symbol, key, place, head), head, _Binding(node, node.end_byte))


@dataclass(slots=True)
class _Entry:
    """One case of a list."""

    name: Node
    last: Node
    parameters: list[Parameter] = field(default_factory=list)
    code: list[tuple[Node, str]] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)


def declare_cases(facts: Facts, node: Node, place: Place) -> None:
    """``case a, b(Int)``: each is a symbol; its associated values are its parameters, its type is the enum."""
    head = Head()
    entries: list[_Entry] = []
    raw = False
    for child in node.children:
        kind = child.type
        if kind == "modifiers":
            read_modifiers(facts, child, head)
        elif kind == "simple_identifier" and not raw:
            entries.append(_Entry(child, child))
        elif kind == "enum_type_parameters" and entries:
            _read_associated(facts, child, entries[-1])
            entries[-1].last = child
            entries[-1].mentions = facts.mentions[:]
            facts.mentions.clear()
        elif kind == "=":
            raw = True
        elif kind == ",":
            raw = False
        elif raw and child.is_named and entries:
            entries[-1].code.append((child, ""))
            entries[-1].last = child
    for number, entry in enumerate(entries):
        parameters = entry.parameters
        label = f"({''.join(f'{parameter.label}:' for parameter in parameters)})" if parameters else ""
        types = ",".join(parameter.type for parameter in parameters)
        naming = Naming(facts.text(entry.name), entry.name, SymbolKind.CASE, label, types)
        own = Head(modifiers=head.modifiers, parameters=parameters, result=place.container)
        rows = None if len(entries) == 1 else (entry.name.start_point.row, entry.last.end_point.row)
        facts.mentions.extend(entry.mentions)
        signature = f"case {one_line(facts.content[entry.name.start_byte : entry.last.end_byte])}"
        symbol, key = add_symbol(facts, node, place, naming, own, signature=signature, rows=rows, first=number == 0)
        if parameters:
            facts.payloads[place.container, naming.name] = tuple(bound(parameter.type, place.generics) for parameter in parameters)
        if entry.code:
            facts.bodies.append(Body(tuple(entry.code), symbol.id, inside(symbol, key, place, own)))


def _read_associated(facts: Facts, node: Node, entry: _Entry) -> None:
    label, name, equals = "", "", False
    parameters = entry.parameters
    for child in node.children:
        kind = child.type
        if kind in {"simple_identifier", "wildcard_pattern"} and not equals:
            label, name = label or facts.text(child), facts.text(child)
        elif kind in TYPE_NODES and not equals:
            parameters.append(Parameter(label or "_", "" if name == "_" else name, read_type(facts, child)))
            label, name = "", ""
        elif kind == "=":
            equals = True
        elif kind == ",":
            equals = False
        elif equals and child.is_named and parameters:
            parameters[-1] = replace(parameters[-1], has_default=True)
            entry.code.append((child, parameters[-1].type))


def names_of(pattern: Node) -> list[Node]:
    """The names that a pattern binds, in order."""
    found: list[Node] = []
    stack = [(pattern, 0)]
    while stack:
        node, depth = stack.pop()
        children: Sequence[Node] = node.children if depth < MAX_DEPTH else ()
        for index, child in enumerate(children):
            if child.type == "pattern":
                stack.append((child, depth + 1))
            elif child.type == "simple_identifier" and (index + 1 == len(children) or children[index + 1].type != ":"):
                found.append(child)
    return sorted(found, key=lambda name: name.start_byte)


def _split(type_: str, count: int) -> list[str]:
    """The types of ``count`` names declared together."""
    if count == 1:
        return [type_]
    parts = type_arguments(type_) if type_.startswith("Tuple<") else []
    return parts if len(parts) == count else [""] * count


def effects(node: Node) -> int:
    """``get async throws``, in accessors or requirements."""
    found = 0
    for accessor in node.children:
        specifier = accessor.children[0] if accessor.type == "computed_getter" and accessor.children else accessor
        if specifier.type == "getter_specifier":
            for child in specifier.children:
                if child.type == "async":
                    found |= ASYNC
                elif child.type in {"throws", "throws_clause"}:
                    found |= THROWS
    return found
