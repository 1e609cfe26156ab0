"""Annotations as canonical types, and the types they mention."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exegesis.model import Chain, Reference, ReferenceKind
from services.indexer.chains import named
from services.indexer.languages.python.facts import Facts

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 12
"""Generic arguments of generic arguments; deeper ones are left out."""

_TRANSPARENT = frozenset({"Optional", "ClassVar", "Final", "Annotated", "Required", "NotRequired", "ReadOnly", "Awaitable", "InitVar"})
"""Generic types of which only the first argument says what a value is."""

_LISTS = frozenset(
    {
        *("List", "Sequence", "MutableSequence", "Iterable", "Iterator", "AsyncIterable", "AsyncIterator", "Collection", "Set", "FrozenSet"),
        *("AbstractSet", "MutableSet", "Deque", "Generator", "AsyncGenerator", "list", "set", "frozenset", "deque"),
    }
)
"""Containers of one kind of thing."""

_MAPPINGS = frozenset({"Dict", "Mapping", "MutableMapping", "DefaultDict", "OrderedDict", "dict", "defaultdict"})
_NOTHING = frozenset({"None", "Any", "object", "NoReturn", "Never"})
_DOTTED = re.compile(r"\s*([^\W\d][\w.]*)\s*")
_OR_NONE = re.compile(r"\s*\|\s*None\b|\bNone\s*\|\s*")


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
    if kind in {"type", "parenthesized_expression"}:
        inner = node.named_children
        return read_type(facts, inner[0], mentions, depth + 1) if inner else ""
    if kind in {"identifier", "attribute", "dotted_name", "member_type"}:
        return _name(facts.text(node), node, mentions)
    if kind in {"generic_type", "subscript"}:
        return _generic(facts, node, mentions, depth)
    if kind in {"binary_operator", "union_type"}:
        return _one_of([read_type(facts, each, mentions, depth + 1) for each in node.named_children if each.type != "none"])
    if kind == "string":
        return _quoted(facts.text(node).strip("\"'"), node, mentions)
    return ""


def _name(written: str, node: Node, mentions: list[Mention]) -> str:
    *around, name = written.replace(" ", "").split(".")
    if name in _NOTHING or not name.isidentifier():
        return ""
    row, column = node.end_point
    mentions.append(Mention(name, row + 1, column - len(name.encode()) + 1, tuple(map(named, around))))
    return "Self" if name == "Self" else ".".join((*around, name))


def _quoted(written: str, node: Node, mentions: list[Mention]) -> str:
    """An annotation in quotation marks, where it is a name, or that and None."""
    found = _DOTTED.fullmatch(_OR_NONE.sub("", written))
    if found is None:
        return ""
    *around, name = found[1].split(".")
    if name in _NOTHING or not name:
        return ""
    row, column = node.start_point
    mentions.append(Mention(name, row + 1, column + 1, tuple(map(named, around))))
    return found[1]


def _generic(facts: Facts, node: Node, mentions: list[Mention], depth: int) -> str:
    first, *rest = node.named_children
    arguments = rest[0].named_children if rest and rest[0].type == "type_parameter" else rest
    base = facts.text(first).rpartition(".")[2]
    if base == "Literal":
        return ""
    of_library = base in _TRANSPARENT or base in _LISTS or base in _MAPPINGS or base in {"Union", "Type", "type", "Callable", "Coroutine"}
    whole = "" if of_library else read_type(facts, first, mentions, depth + 1)
    read = [read_type(facts, each, mentions, depth + 1) for each in arguments]
    if base == "Union":
        return _one_of([each for each, argument in zip(read, arguments, strict=True) if facts.text(argument) != "None"])
    if base == "Callable" and arguments:
        return f"Function<{read[-1] or 'None'}>"
    if base in {"Type", "type"} and read and read[0]:
        return f"{read[0]}.Type"
    if base == "Coroutine":
        return read[-1] if read else ""
    if base in _TRANSPARENT:
        return read[0] if read else ""
    if base in _LISTS:
        return f"list<{read[0]}>" if read and read[0] else "list"
    if base in _MAPPINGS:
        return f"dict<{read[0] or 'str'}, {read[1]}>" if len(read) == 2 and read[1] else "dict"
    known = [each for each in read if each]
    return f"{whole}<{', '.join(known)}>" if whole and known and len(known) == len(read) else whole


def _one_of(types: Sequence[str]) -> str:
    """What a union is if all its parts are the same or nothing."""
    return types[0] if len(set(types)) == 1 else ""


def mention(facts: Facts, mentions: Sequence[Mention], source: int, kind: ReferenceKind = ReferenceKind.TYPE) -> None:
    """The types named in a declaration as references of a symbol."""
    facts.references.extend(Reference(kind, each.name, each.line, each.column, source, each.receiver) for each in mentions)
