"""Annotations of TypeScript as canonical types, and the types they mention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exegesis.model import Chain, Reference, ReferenceKind
from services.indexer.chains import named
from services.indexer.languages.javascript.facts import Facts

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 12
"""Arguments of arguments; deeper ones are left out."""

_TRANSPARENT = frozenset({"Promise", "PromiseLike", "Readonly", "Partial", "Required", "NonNullable", "Awaited", "DeepPartial", "Ref"})
"""Generic types of which the argument says what members a value has, once it is awaited."""

_NOTHING = frozenset({"any", "unknown", "never", "void", "undefined", "null", "object"})
_WRAPPING = frozenset({"type_annotation", "parenthesized_type", "readonly_type", "asserts_annotation", "opting_type_annotation", "constraint"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A type named before it is known which symbol names it."""

    name: str
    line: int
    column: int
    receiver: Chain


def read_type(facts: Facts, node: Node, mentions: list[Mention], depth: int = 0) -> str:
    """The canonical type of an annotation, empty where it is none or several; what it names is added to ``mentions``."""
    kind = node.type
    if depth > _DEEPEST:
        return ""
    parts = node.named_children
    if kind in _WRAPPING:
        return read_type(facts, parts[0], mentions, depth + 1) if parts else ""
    if kind in {"type_identifier", "identifier", "nested_type_identifier", "nested_identifier", "member_expression"}:
        return _name(facts, node, mentions)
    if kind == "predefined_type":
        name = facts.text(node)
        return "" if name in _NOTHING else name
    if kind == "this_type":
        return "Self"
    if kind == "generic_type":
        return _generic(facts, node, mentions, depth)
    if kind == "array_type":
        element = read_type(facts, parts[0], mentions, depth + 1) if parts else ""
        return f"Array<{element}>" if element else "Array"
    read = [read_type(facts, each, mentions, depth + 1) for each in parts]
    if kind == "union_type":
        return _one_of([each for each, part in zip(read, parts, strict=True) if facts.text(part) not in {"null", "undefined"}])
    if kind == "intersection_type":
        return next((each for each in read if each), "")
    if kind == "function_type":
        return f"Function<{read[-1] or 'void'}>" if read else ""
    return ""


def _name(facts: Facts, node: Node, mentions: list[Mention]) -> str:
    *around, name = facts.text(node).replace(" ", "").split(".")
    if not name.replace("$", "_").isidentifier():
        return ""
    row, column = node.end_point
    mentions.append(Mention(name, row + 1, column - len(name.encode()) + 1, tuple(map(named, around))))
    return ".".join((*around, name))


def _generic(facts: Facts, node: Node, mentions: list[Mention], depth: int) -> str:
    first, *rest = node.named_children
    base = facts.text(first)
    whole = base if base in _TRANSPARENT else read_type(facts, first, mentions, depth + 1)
    arguments = [read_type(facts, each, mentions, depth + 1) for group in rest for each in group.named_children]
    if base in _TRANSPARENT:
        return arguments[0] if arguments else ""
    known = [each for each in arguments if each]
    return f"{whole}<{', '.join(known)}>" if whole and known and len(known) == len(arguments) else whole


def _one_of(types: Sequence[str]) -> str:
    """What a union is if all its parts are the same or nothing."""
    return types[0] if len(set(types)) == 1 else ""


def mention(facts: Facts, mentions: Sequence[Mention], source: int, kind: ReferenceKind = ReferenceKind.TYPE) -> None:
    """The types named in a declaration as references of a symbol."""
    facts.references.extend(Reference(kind, each.name, each.line, each.column, source, each.receiver) for each in mentions)
