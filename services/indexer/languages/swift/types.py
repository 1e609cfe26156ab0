"""Swift types in canonical form, and which types they mention.

Canonical means what the linker needs for looking up members: optionality, opacity and attributes dropped, sugar spelled out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exegesis.model import Step, StepKind
from services.indexer.languages.swift.facts import MAX_DEPTH, Facts, Mention

if TYPE_CHECKING:
    from tree_sitter import Node

STANDARD = frozenset(
    {
        *("Any", "AnyObject", "Array", "Bool", "Character", "Dictionary", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "Never"),
        *("Optional", "Self", "Set", "String", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Void", "Type", "Protocol"),
    }
)
"""Types that projects do not redeclare: naming them is no reference, which saves a fifth of all."""

_TRANSPARENT = frozenset(
    {
        *("optional_type", "opaque_type", "existential_type", "type_pack_expansion", "type_parameter_pack", "implicitly_unwrapped_type"),
        *("tuple_type_item", "type_annotation", "throws_clause", "inheritance_specifier"),
    }
)
"""Nodes whose canonical form is that of the one type inside."""

TYPE_NODES = frozenset(
    {
        *("user_type", "optional_type", "array_type", "dictionary_type", "function_type", "tuple_type", "opaque_type", "existential_type"),
        *("protocol_composition_type", "metatype", "type_pack_expansion", "type_parameter_pack", "suppressed_constraint"),
    }
)


def read_type(facts: Facts, node: Node, depth: int = 0) -> str:
    """Canonical form of a type node; the types it names become mentions of ``facts``. Empty for what is no type."""
    if depth > MAX_DEPTH:
        facts.complain(f"a type nested too deeply at line {node.start_point.row + 1}")
        return ""
    kind = node.type
    if kind == "user_type":
        return _read_user_type(facts, node, depth)
    if kind == "array_type":
        return f"Array<{_first(facts, node, depth)}>"
    if kind == "dictionary_type":
        return f"Dictionary<{', '.join(_inner(facts, node, depth))}>"
    if kind == "function_type":
        return _read_function_type(facts, node, depth)
    if kind == "tuple_type":
        inner = _inner(facts, node, depth)
        if not inner:
            return "Void"
        return inner[0] if len(inner) == 1 else f"Tuple<{', '.join(inner)}>"
    if kind == "protocol_composition_type":
        # Members of any of them are members of the value; one name has to do, and the first one is the class where there is one.
        return _first(facts, node, depth)
    if kind == "metatype":
        inner = _inner(facts, node, depth)
        return f"{inner[0]}.Type" if inner else ""
    if kind in _TRANSPARENT:
        return _first(facts, node, depth)
    return ""


def _read_function_type(facts: Facts, node: Node, depth: int) -> str:
    """``Function<Result, First, Second>``; a part that is no type to us is Any, so that the others keep their places."""
    parts = [child for child in node.children if child.type in TYPE_NODES or child.type in _TRANSPARENT]
    if not parts:
        return "Function<Any>"
    taken: list[str] = []
    for given in parts[:-1]:
        items = [child for child in given.children if child.type == "tuple_type_item"] if given.type == "tuple_type" else [given]
        taken.extend(read_type(facts, item, depth + 1) or "Any" for item in items)
    return f"Function<{', '.join((read_type(facts, parts[-1], depth + 1) or 'Any', *taken))}>"


def compose_inherited(facts: Facts, node: Node) -> tuple[str, ...]:
    """Canonical names of all parts of ``A & B``; of anything else, the one name."""
    if node.type == "protocol_composition_type":
        return tuple(_inner(facts, node, 0))
    name = read_type(facts, node)
    return (name,) if name else ()


def _inner(facts: Facts, node: Node, depth: int) -> list[str]:
    return [read_type(facts, child, depth + 1) for child in node.children if child.type in TYPE_NODES or child.type in _TRANSPARENT]


def _first(facts: Facts, node: Node, depth: int) -> str:
    inner = _inner(facts, node, depth)
    return inner[0] if inner else ""


def _read_user_type(facts: Facts, node: Node, depth: int) -> str:
    text, outer, name_node = "", "", None
    for child in node.children:
        kind = child.type
        if kind == "type_identifier":
            outer = text
            name = facts.text(child)
            text = f"{text}.{name}" if text and text != "Swift" else name
            name_node = child
        elif kind == "type_arguments":
            text = f"{text}<{', '.join(_inner(facts, child, depth))}>"
    if name_node is not None:
        name = facts.text(name_node)
        if name in {"Type", "Protocol"} and outer:
            text = f"{outer}.Type"
        if name not in STANDARD:
            row, column = name_node.start_point
            receiver = (Step(StepKind.METATYPE, outer.partition("<")[0]),) if outer and outer != "Swift" else ()
            facts.mentions.append(Mention(name, row + 1, column + 1, receiver))
    return text
