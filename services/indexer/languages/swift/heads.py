"""What stands before the body of a Swift declaration: modifiers, attributes, generics, parameters, result, supertypes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from exegesis.model import Modifier, Parameter, ReferenceKind
from services.indexer.languages.swift.facts import Facts, looks_like_type
from services.indexer.languages.swift.types import TYPE_NODES, compose_inherited, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

SIGNATURE_CHARACTERS = 400
"""Longer signatures are cut: they are read by people and weighed as one field."""

SIGNATURE_PIECES = 64
"""Stretches of a signature between comments that are looked at."""

# Plain integers: combining members of an IntFlag costs a microsecond each time, and every symbol combines some.
STATIC, PRIVATE, PUBLIC = int(Modifier.STATIC), int(Modifier.PRIVATE), int(Modifier.PUBLIC)
ASYNC, THROWS, FAILABLE = int(Modifier.ASYNC), int(Modifier.THROWS), int(Modifier.FAILABLE)
DEPRECATED, ENTRY, COMPUTED = int(Modifier.DEPRECATED), int(Modifier.ENTRY), int(Modifier.COMPUTED)
ACCESS = PRIVATE | PUBLIC

MODIFIERS = {
    "static": STATIC,
    "class": STATIC,
    "private": PRIVATE,
    "fileprivate": PRIVATE,
    "public": PUBLIC,
    "open": PUBLIC,
    "override": int(Modifier.OVERRIDE),
}
"""Words that matter. ``private(set)`` is none of them: reading such a property is not private."""

ENTRY_ATTRIBUTES = frozenset({"main", "UIApplicationMain", "NSApplicationMain"})

COMMENTS = frozenset({"comment", "multiline_comment"})


@dataclass(slots=True)
class Head:
    """What was read so far."""

    modifiers: int = 0
    attributes: list[Node] = field(default_factory=list)
    """Those that name types: property wrappers, result builders, macros, actors."""
    entry: bool = False
    name: Node | None = None
    generics: list[tuple[str, str]] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    defaults: list[tuple[Node, str]] = field(default_factory=list)
    """Default values, with the type of their parameter."""
    inherits: list[str] = field(default_factory=list)
    result: str = ""
    body: Node | None = None


def read_modifiers(facts: Facts, node: Node, head: Head) -> None:
    for part in node.children:
        if part.type == "attribute":
            _read_attribute(facts, part, head)
        else:
            head.modifiers |= MODIFIERS.get(facts.text(part), 0)


def _read_attribute(facts: Facts, node: Node, head: Head) -> None:
    children = node.children
    name = facts.text(children[1]) if len(children) > 1 else ""
    if name in ENTRY_ATTRIBUTES:
        head.entry = True
        head.modifiers |= ENTRY
    elif name == "available":
        if any(child.type == "simple_identifier" and facts.text(child) in {"deprecated", "obsoleted"} for child in children[2:]):
            head.modifiers |= DEPRECATED
    elif looks_like_type(name):
        head.attributes.append(node)


def read_head(facts: Facts, node: Node, *, labelled: bool = True) -> Head:
    """The head of a function, initialiser, subscript or macro. ``labelled``: a parameter's only name is its label too."""
    head = Head()
    expect = ""
    for child in node.children:
        kind = child.type
        if kind == "parameter":
            head.parameters.append(_read_parameter(facts, child, labelled=labelled))
            expect = ""
        elif kind == "modifiers":
            read_modifiers(facts, child, head)
        elif kind in {"func", "init", "subscript", "deinit", "macro"}:
            head.name = head.name or child
            expect = "name" if kind in {"func", "macro"} else ""
        elif expect == "name":
            head.name = child
            expect = ""
        elif kind == "class":
            head.modifiers |= STATIC
        elif kind == "type_parameters":
            head.generics.extend(read_generics(facts, child))
        elif kind == "type_constraints":
            read_constraints(facts, child, head)
        elif kind == "=":
            expect = "value" if head.parameters else ""
        elif kind in {"function_body", "computed_property", "macro_definition"}:
            head.body = child
        elif kind in {"throws", "throws_clause"}:
            head.modifiers |= THROWS
            if kind == "throws_clause":
                read_type(facts, child)
        elif kind == "async":
            head.modifiers |= ASYNC
        elif kind in {"?", "bang"} and head.name is not None and head.name.type == "init":
            head.modifiers |= FAILABLE
        elif expect == "value" and child.is_named and kind not in COMMENTS:
            head.defaults.append((child, head.parameters[-1].type))
            head.parameters[-1] = replace(head.parameters[-1], has_default=True)
            expect = ""
        elif kind in TYPE_NODES:
            head.result = read_type(facts, child) or head.result
        elif kind == "attribute":
            _read_attribute(facts, child, head)
        elif kind == "ERROR":
            facts.complain(f"syntax not understood at line {child.start_point.row + 1}")
    return head


def _read_parameter(facts: Facts, node: Node, *, labelled: bool) -> Parameter:
    names: list[str] = []
    type_, variadic = "", False
    for child in node.children:
        kind = child.type
        if kind == "simple_identifier":
            names.append(facts.text(child))
        elif kind in TYPE_NODES:
            type_ = read_type(facts, child)
        elif kind == "...":
            variadic = True
    if not names:
        return Parameter("_", "", type_, variadic=variadic)
    return Parameter(names[0] if len(names) > 1 or labelled else "_", names[-1], type_, variadic=variadic)


def read_generics(facts: Facts, node: Node) -> list[tuple[str, str]]:
    """``<T: Bound, each U>``."""
    found: list[tuple[str, str]] = []
    for child in node.children:
        if child.type != "type_parameter":
            continue
        name, bound = "", ""
        for part in child.children:
            kind = part.type
            if kind == "type_identifier":
                name = facts.text(part)
            elif kind == "type_parameter_pack":
                name = facts.text(part.children[-1])
            elif kind in TYPE_NODES:
                bound = read_type(facts, part)
        if name:
            found.append((name, bound))
    return found


def read_constraints(facts: Facts, node: Node, head: Head) -> None:
    """``where T: Bound, U == Type``: bounds of generic parameters, and of what an extension leaves open."""
    for constraint in node.children:
        if constraint.type != "type_constraint":
            continue
        for relation in constraint.children:
            parts = relation.children
            if len(parts) < 3:
                continue
            subject = "".join(facts.text(parts[0]).split())
            bound = read_type(facts, parts[-1])
            known = next((index for index, (name, _) in enumerate(head.generics) if name == subject), None)
            if known is None:
                head.generics.append((subject, bound))
            elif not head.generics[known][1]:
                head.generics[known] = (subject, bound)


def read_inherits(facts: Facts, children: Iterable[Node], head: Head) -> None:
    """Supertypes. Their mentions become INHERIT; those of their generic arguments stay TYPE."""
    for child in children:
        if child.type != "inheritance_specifier":
            continue
        for part in child.children:
            if part.type not in TYPE_NODES:
                continue
            before = len(facts.mentions)
            names = compose_inherited(facts, part)
            head.inherits.extend(names)
            bases = {name.partition("<")[0].rpartition(".")[2] for name in names}
            for index in range(before, len(facts.mentions)):
                if facts.mentions[index].name in bases:
                    facts.mentions[index] = replace(facts.mentions[index], kind=ReferenceKind.INHERIT)


def read_signature(facts: Facts, children: Sequence[Node], stop: int | None = None) -> str:
    """A declaration up to the byte ``stop``, without attributes and comments, on one line."""
    content = facts.content
    pieces: list[bytes] = []
    begin: int | None = None
    for child in children:
        if stop is not None and child.start_byte >= stop:
            break
        kind = child.type
        if kind == "modifiers":
            pieces.extend(content[part.start_byte : part.end_byte] for part in child.children if part.type != "attribute")
        elif kind in COMMENTS:
            if begin is not None:
                pieces.append(content[begin : child.start_byte])
                begin = None
        elif begin is None:
            begin = child.start_byte
    if begin is not None:
        pieces.append(content[begin : children[-1].end_byte if stop is None else stop])
    return one_line(b" ".join(pieces[:SIGNATURE_PIECES]))


def one_line(source: bytes) -> str:
    # Four bytes a character at most.
    return " ".join(source[: SIGNATURE_CHARACTERS * 4].decode("utf-8", "replace").split())[:SIGNATURE_CHARACTERS]
