"""Types as they are written, in canonical form: pointers are what they point to, and what is predeclared has the names that linking knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from exegesis.model import Parameter, ReferenceKind, Step, StepKind
from services.indexer.languages.go.facts import MAX_DEPTH, Facts

if TYPE_CHECKING:
    from tree_sitter import Node

PREDECLARED = frozenset(
    {
        *("any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16", "int32", "int64"),
        *("rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr"),
    }
)

_CONTAINERS = {"slice_type": "element", "array_type": "element", "channel_type": "value"}


def read_type(facts: Facts, node: Node | None, depth: int = 0) -> str:
    """Canonical form of a type; empty for one without a name, such as a struct written in place."""
    if node is None or depth > MAX_DEPTH:
        return ""
    match node.type:
        case "type_identifier" | "identifier" | "package_identifier":
            return facts.text(node)
        case "qualified_type":
            return facts.text(node).replace(" ", "")
        case "pointer_type" | "parenthesized_type" | "type_elem" | "type_constraint" | "implicit_length_array_type":
            inner = [child for child in node.named_children if child.type != "comment"]
            return read_type(facts, inner[-1], depth + 1) if inner else ""
        case "slice_type" | "array_type" | "channel_type":
            return f"Array<{read_type(facts, node.child_by_field_name(_CONTAINERS[node.type]), depth + 1)}>"
        case "map_type":
            key, value = (read_type(facts, node.child_by_field_name(each), depth + 1) for each in ("key", "value"))
            return f"Dictionary<{key}, {value}>"
        case "generic_type":
            arguments = node.child_by_field_name("type_arguments")
            inner_types = [read_type(facts, each, depth + 1) for each in (arguments.named_children if arguments else [])]
            return f"{read_type(facts, node.child_by_field_name('type'), depth + 1)}<{', '.join(inner_types)}>"
        case "function_type":
            return f"Function<{read_result(facts, node.child_by_field_name('result'), depth + 1)}>"
    return ""


def read_result(facts: Facts, node: Node | None, depth: int = 0) -> str:
    """The first of the results: the second is an error or a doubt, as a rule."""
    if node is not None and node.type == "parameter_list":
        first = next((child for child in node.named_children if child.type == "parameter_declaration"), None)
        return read_type(facts, first.child_by_field_name("type"), depth) if first is not None else ""
    return read_type(facts, node, depth)


def read_parameters(facts: Facts, node: Node | None) -> list[Parameter]:
    found: list[Parameter] = []
    for child in node.named_children if node is not None else []:
        if child.type not in {"parameter_declaration", "variadic_parameter_declaration"}:
            continue
        variadic = child.type == "variadic_parameter_declaration"
        type_ = read_type(facts, child.child_by_field_name("type"))
        written = f"Array<{type_}>" if variadic else type_
        names = [facts.text(name) for name in child.children_by_field_name("name")]
        found += [Parameter("_", name, written, variadic=variadic) for name in names or [""]]
    return found


def mention_types(facts: Facts, node: Node | None, source: int, generics: frozenset[str]) -> None:
    """References to the types that are named anywhere in a type, in the order of the text."""
    for each in _named_types(node):
        if each.type == "qualified_type":
            package, name = each.child_by_field_name("package"), each.child_by_field_name("name")
            if package is not None and name is not None:
                facts.refer(ReferenceKind.TYPE, name, source, (Step(StepKind.NAME, facts.text(package)),))
        elif (text := facts.text(each)) not in PREDECLARED and text not in generics:
            facts.refer(ReferenceKind.TYPE, each, source, name=text)


def _named_types(node: Node | None) -> Iterator[Node]:
    pending = [node] if node is not None else []
    while pending:
        each = pending.pop()
        if each.type in {"qualified_type", "type_identifier"}:
            yield each
        elif each.type not in {"block", "func_literal"}:
            pending.extend(reversed(each.named_children))
