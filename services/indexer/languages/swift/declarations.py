"""Swift declarations: each becomes a symbol; the code in them is put aside until all heads of the file are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tree_sitter import Node

from exegesis.model import SymbolKind
from services.indexer.chains import Scope, typed
from services.indexer.languages.swift.facts import MAX_DEPTH, Body, Facts, Place
from services.indexer.languages.swift.heads import (
    COMPUTED,
    ENTRY,
    STATIC,
    Head,
    read_constraints,
    read_generics,
    read_head,
    read_inherits,
    read_modifiers,
    read_signature,
)
from services.indexer.languages.swift.properties import declare_cases, declare_property, declare_requirement
from services.indexer.languages.swift.reader import bound
from services.indexer.languages.swift.symbols import Naming, add_symbol, inside
from services.indexer.languages.swift.types import TYPE_NODES, compose_inherited, read_type

TYPE_KINDS = {
    "class": SymbolKind.CLASS,
    "struct": SymbolKind.STRUCT,
    "enum": SymbolKind.ENUM,
    "actor": SymbolKind.ACTOR,
    "extension": SymbolKind.EXTENSION,
    "protocol": SymbolKind.PROTOCOL,
}
"""The grammar has one node for all but protocols; the keyword tells them apart."""


def declare(facts: Facts, node: Node, place: Place) -> bool:
    """Take in one declaration. False when the node is no declaration."""
    read = _DECLARERS.get(node.type)
    if read is None:
        return False
    if place.depth > MAX_DEPTH:
        facts.complain(f"declarations nested too deeply at line {node.start_point.row + 1}")
    else:
        read(facts, node, place)
    return True


def declare_members(facts: Facts, children: Sequence[Node], place: Place) -> None:
    """The body of a type. After each member it may be cut."""
    for child in children:
        if child.type == "ERROR":
            recover(facts, child, place)
        elif declare(facts, child, place):
            facts.breaks.add(child.end_point.row + 1)


def recover(facts: Facts, node: Node, place: Place) -> None:
    """Declarations among the pieces of what the grammar could not make sense of.

    A type or function whose braces never close leaves its keyword, its name and its members lying side by side: what follows the
    name is taken to be inside.
    """
    if node.end_byte - node.start_byte > 1:
        facts.complain(f"syntax not understood at line {node.start_point.row + 1}")
    children = node.children
    loose: list[tuple[Node, str]] = []
    for index, child in enumerate(children):
        kind = child.type
        if kind == "ERROR" and place.depth < MAX_DEPTH:
            recover(facts, child, replace(place, depth=place.depth + 1))
        elif declare(facts, child, place):
            continue
        elif (kind in TYPE_KINDS or kind == "func") and index + 1 < len(children):
            name_node = children[index + 1]
            if name_node.type in {"simple_identifier", "type_identifier", "user_type"} and place.depth < MAX_DEPTH:
                place = _declare_unfinished(facts, child, name_node, node, place)
        elif child.is_named and kind.endswith(("_expression", "_statement")):
            loose.append((child, ""))
    if loose and place.symbol is not None:
        facts.bodies.append(Body(tuple(loose), place.symbol, place))


def _declare_unfinished(facts: Facts, start: Node, name_node: Node, whole: Node, place: Place) -> Place:
    keyword = start.type
    name = facts.text(name_node)
    if keyword == "func":
        naming = Naming(name, name_node, SymbolKind.METHOD if place.member else SymbolKind.FUNCTION, "()")
    else:
        naming = Naming(name, name_node, TYPE_KINDS[keyword])
    head = Head()
    symbol, key = add_symbol(facts, start, place, naming, head, signature=f"{keyword} {name}", rows=(start.start_point.row, whole.end_point.row))
    return inside(symbol, key, place, head)


def _declare_callable(facts: Facts, node: Node, place: Place) -> None:
    """Functions, methods, operators, initialisers, deinitialisers, subscripts and macros."""
    subscript = node.type == "subscript_declaration"
    head = read_head(facts, node, labelled=not subscript)
    name_node = head.name
    if name_node is None:
        facts.mentions.clear()
        return
    kind, name = _kind_of_callable(facts, node, name_node, place)
    if kind is SymbolKind.OPERATOR:
        head.parameters = [replace(parameter, label="_") for parameter in head.parameters]
    if subscript:
        head.modifiers |= COMPUTED
    if place.entry and name == "main" and head.modifiers & STATIC:
        head.modifiers |= ENTRY
    labels = "" if kind is SymbolKind.DEINITIALIZER else f"({''.join(f'{parameter.label}:' for parameter in head.parameters)})"
    types = f"{','.join(parameter.type for parameter in head.parameters)}>{head.result}"
    stop = head.body.start_byte if head.body is not None and kind is not SymbolKind.MACRO else None
    signature = read_signature(facts, node.children, stop)
    symbol, key = add_symbol(facts, node, place, Naming(name, name_node, kind, labels, types), head, signature=signature)
    if head.body is None and not head.attributes and not head.defaults:
        return
    within = inside(symbol, key, place, head)
    code: list[tuple[Node, str]] = [(attribute, "") for attribute in head.attributes]
    code.extend((value, bound(type_, within.generics)) for value, type_ in head.defaults)
    if code:
        facts.bodies.append(Body(tuple(code), symbol.id, within))
    if head.body is not None:
        scope: Scope = {}
        for parameter in head.parameters:
            type_ = bound(parameter.type, within.generics)
            scope[parameter.name] = typed(f"Array<{type_}>" if parameter.variadic else type_)
        scope.pop("_", None)
        result = bound(head.result, within.generics)
        facts.bodies.append(Body(((head.body, result),), symbol.id, replace(within, scopes=(*within.scopes, scope)), result))


def _kind_of_callable(facts: Facts, node: Node, name_node: Node, place: Place) -> tuple[SymbolKind, str]:
    kind = node.type
    if kind == "init_declaration":
        return SymbolKind.INITIALIZER, "init"
    if kind == "deinit_declaration":
        return SymbolKind.DEINITIALIZER, "deinit"
    if kind == "subscript_declaration":
        return SymbolKind.SUBSCRIPT, "subscript"
    name = facts.text(name_node)
    if kind == "macro_declaration":
        return SymbolKind.MACRO, name
    if name_node.type != "simple_identifier" and not name[:1].isalpha():
        return SymbolKind.OPERATOR, name
    return (SymbolKind.METHOD if place.member else SymbolKind.FUNCTION), name


def _declare_type(facts: Facts, node: Node, place: Place) -> None:
    """Classes, structs, enums, actors, protocols and extensions."""
    children = node.children
    head = Head()
    keyword, body = "", None
    for child in children:
        kind = child.type
        if kind == "modifiers":
            read_modifiers(facts, child, head)
        elif not keyword and kind in TYPE_KINDS:
            keyword = kind
        elif kind == "type_parameters":
            head.generics.extend(read_generics(facts, child))
        elif kind == "type_constraints":
            read_constraints(facts, child, head)
        elif kind in {"class_body", "enum_class_body", "protocol_body"}:
            body = child
        elif keyword and head.name is None and (kind == "type_identifier" or kind in TYPE_NODES):
            head.name = child
    if head.name is None or not keyword:
        facts.mentions.clear()
        return
    kind_of_type = TYPE_KINDS[keyword]
    read_inherits(facts, children, head)
    name, types = facts.text(head.name), ""
    if kind_of_type is SymbolKind.EXTENSION:
        name = read_type(facts, head.name).partition("<")[0] or name
        types = f":{','.join(head.inherits)} where {head.generics}"
    signature = read_signature(facts, children, body.start_byte if body is not None else None)
    symbol, key = add_symbol(facts, node, place, Naming(name, head.name, kind_of_type, types=types), head, signature=signature)
    within = inside(symbol, key, place, head)
    facts.declared.add(within.container)
    if head.attributes:
        facts.bodies.append(Body(tuple((attribute, "") for attribute in head.attributes), symbol.id, within))
    if body is not None:
        facts.types.append((body.children, within))


def _declare_alias(facts: Facts, node: Node, place: Place) -> None:
    """``typealias`` and ``associatedtype``. What an associated type must conform to, and the parts of ``A & B``, are its supertypes."""
    head = Head()
    bounded = False
    for child in node.children:
        kind = child.type
        if kind == "modifiers":
            read_modifiers(facts, child, head)
        elif kind == "type_parameters":
            head.generics.extend(read_generics(facts, child))
        elif kind == "type_constraints":
            read_constraints(facts, child, head)
        elif kind in {":", "="}:
            bounded = kind == ":"
        elif head.name is None and kind == "type_identifier":
            head.name = child
        elif kind in TYPE_NODES and (bounded or kind == "protocol_composition_type"):
            head.inherits.extend(compose_inherited(facts, child))
            head.result = head.result or ("" if bounded else head.inherits[0] if head.inherits else "")
        elif kind in TYPE_NODES:
            head.result = read_type(facts, child)
    if head.name is None:
        facts.mentions.clear()
        return
    naming = Naming(facts.text(head.name), head.name, SymbolKind.TYPEALIAS)
    add_symbol(facts, node, place, naming, head, signature=read_signature(facts, node.children))


def _declare_operator(facts: Facts, node: Node, place: Place) -> None:
    """``infix operator <+>``."""
    children = node.children
    index = next((index for index, child in enumerate(children) if child.type == "operator"), len(children))
    if index + 1 < len(children):
        name_node = children[index + 1]
        naming = Naming(facts.text(name_node), name_node, SymbolKind.OPERATOR, types=facts.text(children[0]))
        add_symbol(facts, node, place, naming, Head(), signature=read_signature(facts, children))


_Declarer = Callable[[Facts, Node, Place], None]

_DECLARERS: Mapping[str, _Declarer] = {
    "function_declaration": _declare_callable,
    "protocol_function_declaration": _declare_callable,
    "init_declaration": _declare_callable,
    "deinit_declaration": _declare_callable,
    "subscript_declaration": _declare_callable,
    "macro_declaration": _declare_callable,
    "class_declaration": _declare_type,
    "protocol_declaration": _declare_type,
    "typealias_declaration": _declare_alias,
    "associatedtype_declaration": _declare_alias,
    "property_declaration": declare_property,
    "protocol_property_declaration": declare_requirement,
    "enum_entry": declare_cases,
    "operator_declaration": _declare_operator,
}
