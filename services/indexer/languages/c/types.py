"""Types as they are written, in canonical form: without qualifiers, pointers and references; smart pointers are what they point to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from exegesis.model import Parameter, ReferenceKind
from services.indexer.languages.c.facts import MAX_DEPTH, Facts

if TYPE_CHECKING:
    from tree_sitter import Node

POINTERS = frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "atomic"})
_LISTS = frozenset({"vector", "list", "deque", "set", "unordered_set", "array", "span", "queue", "stack", "initializer_list"})
_MAPS = frozenset({"map", "unordered_map", "multimap"})

_DECLARATORS = frozenset(
    {"pointer_declarator", "reference_declarator", "array_declarator", "init_declarator", "parenthesized_declarator", "attributed_declarator"}
)


def read_type(facts: Facts, node: Node | None, depth: int = 0) -> str:
    """Canonical form of a type; empty for one without a name and for ``auto``."""
    if node is None or depth > MAX_DEPTH:
        return ""
    match node.type:
        case "type_identifier" | "primitive_type" | "sized_type_specifier" | "namespace_identifier":
            return facts.text(node)
        case "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier":
            return read_type(facts, node.child_by_field_name("name"), depth + 1)
        case "qualified_identifier":
            return read_type(facts, node.child_by_field_name("name"), depth + 1)
        case "type_descriptor" | "dependent_type":
            inner = node.child_by_field_name("type") or next(iter(node.named_children), None)
            return read_type(facts, inner, depth + 1)
        case "template_type":
            name = read_type(facts, node.child_by_field_name("name"), depth + 1)
            arguments = node.child_by_field_name("arguments")
            inner_types = [read_type(facts, each, depth + 1) for each in (arguments.named_children if arguments is not None else [])]
            if name in POINTERS and inner_types:
                return inner_types[0]
            if name in _LISTS and inner_types:
                return f"Array<{inner_types[0]}>"
            if name in _MAPS and len(inner_types) > 1:
                return f"Dictionary<{inner_types[0]}, {inner_types[1]}>"
            return name
    return ""


def declared_name(node: Node | None) -> tuple[Node | None, Node | None]:
    """Of a declarator the node of the name, and the function declarator around it if it declares a function.

    ``(*handler)(client *c)`` declares a pointer, and no function.
    """
    function: Node | None = None
    while node is not None:
        if node.type == "function_declarator":
            function = node
        elif node.type == "parenthesized_declarator" and function is not None:
            inner = next(iter(node.named_children), None)
            function = None if inner is not None and inner.type == "pointer_declarator" else function
        elif node.type not in _DECLARATORS:
            return node, function
        node = node.child_by_field_name("declarator") or next((child for child in node.named_children if _may_declare(child)), None)
    return None, None


def _may_declare(node: Node) -> bool:
    return node.type in _DECLARATORS or node.type in {
        "identifier",
        "field_identifier",
        "type_identifier",
        "function_declarator",
        "qualified_identifier",
    }


def read_parameters(facts: Facts, function: Node | None) -> list[Parameter]:
    listed = function.child_by_field_name("parameters") if function is not None else None
    found: list[Parameter] = []
    for child in listed.named_children if listed is not None else []:
        if child.type not in {"parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"}:
            continue
        name, _ = declared_name(child.child_by_field_name("declarator"))
        type_ = read_type(facts, child.child_by_field_name("type"))
        if type_ == "void" and name is None:
            continue
        is_optional = child.type == "optional_parameter_declaration"
        found.append(Parameter("_", facts.text(name) if name is not None and name.type == "identifier" else "", type_, has_default=is_optional))
    return found


def mention_types(facts: Facts, node: Node | None, source: int, *, kind: ReferenceKind = ReferenceKind.TYPE) -> None:
    """References to the types that are named in a declaration, in the order of the text; its bodies are left to others."""
    for each in _named_types(node):
        facts.refer(kind, each, source)


def _named_types(node: Node | None) -> Iterator[Node]:
    pending = [node] if node is not None else []
    while pending:
        each = pending.pop()
        if each.type == "type_identifier":
            yield each
        elif each.type not in {"compound_statement", "field_declaration_list", "enumerator_list", "lambda_expression", "initializer_list"}:
            pending.extend(reversed(each.named_children))
