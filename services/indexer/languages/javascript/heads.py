"""Heads of functions and methods: modifiers, parameters, results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exegesis.model import Modifier, Parameter
from services.indexer.chains import UNKNOWN, Scope, typed
from services.indexer.languages.javascript.facts import Facts
from services.indexer.languages.javascript.types import Mention, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

_ACCESS = {"private": Modifier.PRIVATE, "public": Modifier.PUBLIC}


@dataclass(slots=True)
class Head:
    """What stands before the body of a function."""

    parameters: list[Parameter] = field(default_factory=list)
    scope: Scope = field(default_factory=dict)
    values: list[Node] = field(default_factory=list)
    """Defaults and decorators, which are code of the function's surroundings."""
    mentions: list[Mention] = field(default_factory=list)
    result: str = ""
    properties: list[tuple[Node, str]] = field(default_factory=list)
    """Parameters of a constructor that are properties, each with its type."""


def read_modifiers(facts: Facts, node: Node) -> Modifier:
    modifiers = Modifier.NONE
    for child in node.children:
        if child.type == "async":
            modifiers |= Modifier.ASYNC
        elif child.type == "static":
            modifiers |= Modifier.STATIC
        elif child.type == "override_modifier":
            modifiers |= Modifier.OVERRIDE
        elif child.type == "accessibility_modifier":
            modifiers |= _ACCESS.get(facts.text(child), Modifier.NONE)
    return modifiers


def read_head(facts: Facts, node: Node) -> Head:
    head = Head()
    result = node.child_by_field_name("return_type")
    if result is not None:
        head.result = read_type(facts, result, head.mentions)
    parameters = node.child_by_field_name("parameters")
    single = node.child_by_field_name("parameter")
    for child in parameters.named_children if parameters is not None else [single] if single is not None else []:
        if child.type != "comment":
            read_parameter(facts, child, head)
    return head


def read_parameter(facts: Facts, node: Node, head: Head) -> None:
    """One parameter: ``name: type = default``, a pattern, or the rest."""
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
    type_node = node.child_by_field_name("type")
    value = node.child_by_field_name("value") or (node.child_by_field_name("right") if node.type == "assignment_pattern" else None)
    type_ = read_type(facts, type_node, head.mentions) if type_node is not None else ""
    if value is not None:
        head.values.append(value)
    if pattern.type == "rest_pattern":
        inner = pattern.named_children[0] if pattern.named_children else pattern
        head.parameters.append(Parameter("_", facts.text(inner), type_, variadic=True))
        head.scope[facts.text(inner)] = typed(type_ or "Array")
        return
    if pattern.type == "this":
        return
    optional = value is not None or node.type == "optional_parameter"
    if pattern.type == "identifier":
        name = facts.text(pattern)
        head.parameters.append(Parameter("_", name, type_, has_default=optional))
        head.scope[name] = typed(type_) if type_ else UNKNOWN
        if any(child.type in {"accessibility_modifier", "readonly", "override_modifier"} for child in node.children):
            head.properties.append((pattern, type_))
        return
    head.parameters.append(Parameter("_", "", type_, has_default=optional))
    for name in names_in(facts, pattern):
        head.scope[name] = UNKNOWN


def names_in(facts: Facts, pattern: Node) -> list[str]:
    """Names that a pattern binds."""
    found, pending = [], [pattern]
    while pending:
        node = pending.pop()
        if node.type in {"identifier", "shorthand_property_identifier_pattern"}:
            found.append(facts.text(node))
        elif node.type == "pair_pattern":
            value = node.child_by_field_name("value")
            pending += [value] if value is not None else []
        elif node.type in {"assignment_pattern", "object_assignment_pattern"}:
            left = node.child_by_field_name("left")
            pending += [left] if left is not None else []
        elif node.type in {"object_pattern", "array_pattern", "rest_pattern"}:
            pending += node.named_children
    return found


# ---- classes, interfaces, enums
