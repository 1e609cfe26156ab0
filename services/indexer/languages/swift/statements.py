"""Statements: the names they bind, and the code in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from exegesis.model import Chain, StepKind
from services.indexer.chains import UNKNOWN, Scope, named, typed
from services.indexer.languages.swift.declarations import declare
from services.indexer.languages.swift.facts import element, extend, padded_arguments
from services.indexer.languages.swift.patterns import read_pattern
from services.indexer.languages.swift.reader import Reader

if TYPE_CHECKING:
    from tree_sitter import Node

ACCESSORS: Mapping[str, str] = {
    "computed_getter": "",
    "computed_setter": "newValue",
    "computed_modify": "",
    "willset_clause": "newValue",
    "didset_clause": "oldValue",
}
"""Accessors, and the name that each binds unless the source gives one."""


_COMMENTS = frozenset({"comment", "multiline_comment", "directive"})


def read_body(reader: Reader, node: Node, expected: str) -> Chain:
    """The statements of a function, accessor or closure: a long body may be cut after each."""
    statements = [child for child in node.children if child.type not in _COMMENTS]
    reader.facts.breaks.update(statement.end_point.row + 1 for statement in statements)
    return read_statements(reader, statements, expected)


def read_statements(reader: Reader, children: Sequence[Node], expected: str) -> Chain:
    """Statements in the scope around them; a single expression is the value of its block."""
    if len(children) == 1:
        return reader.value(children[0], expected)
    for child in children:
        reader.value(child)
    return UNKNOWN


def read_block(reader: Reader, node: Node, expected: str) -> Chain:
    """Nested statements, in a scope of their own."""
    reader.frame.scopes.append({})
    chain = read_statements(reader, [child for child in node.children if child.type not in _COMMENTS], expected)
    reader.frame.scopes.pop()
    return chain


def read_function_body(reader: Reader, node: Node, expected: str) -> Chain:
    for child in node.children:
        if child.type == "statements":
            read_body(reader, child, expected)
        elif child.type == "ERROR":
            reader.value(child)
    return UNKNOWN


def read_accessors(reader: Reader, node: Node, expected: str) -> Chain:
    """``{ get set }``, ``{ willSet didSet }``, or the getter alone."""
    for child in node.children:
        kind = child.type
        if kind == "statements":
            read_body(reader, child, expected)
        elif kind in ACCESSORS:
            implicit = ACCESSORS[kind]
            scope: Scope = {implicit: typed(expected)} if implicit else {}
            reader.frame.scopes.append(scope)
            for part in child.children:
                if part.type == "simple_identifier":
                    scope[reader.facts.text(part)] = typed(expected)
                elif part.type == "statements":
                    read_body(reader, part, expected if kind == "computed_getter" else "")
            reader.frame.scopes.pop()
        elif child.is_named:
            reader.value(child)
    return UNKNOWN


def read_transfer(reader: Reader, node: Node, _expected: str) -> Chain:
    """``return x``, ``throw x``, ``yield x``, ``break``."""
    children = node.children
    expected = reader.frame.result if children[0].type == "return" else ""
    for child in children[1:]:
        reader.value(child, expected)
    return UNKNOWN


def read_conditional(reader: Reader, node: Node, expected: str) -> Chain:
    """``if`` and ``while``: names bound by the conditions are known in the block; ``else if`` goes on in a loop."""
    chain = UNKNOWN
    while node.type in {"if_statement", "while_statement", "repeat_while_statement"}:
        reader.frame.scopes.append({})
        children = node.children
        brace = next((index for index, child in enumerate(children) if child.type == "{"), len(children))
        read_conditions(reader, children[1:brace])
        following: Node | None = None
        for child in children[brace:]:
            kind = child.type
            if kind == "else":
                # What the conditions bind is not known here.
                reader.frame.scopes[-1].clear()
            elif kind == "statements":
                value = read_block(reader, child, expected)
                chain = value if chain[0].kind is StepKind.UNKNOWN else chain
            elif kind == "if_statement":
                following = child
            elif child.is_named:
                reader.value(child)
        reader.frame.scopes.pop()
        if following is None:
            break
        node = following
    return chain


def read_guard(reader: Reader, node: Node, _expected: str) -> Chain:
    children = node.children
    stop = next((index for index, child in enumerate(children) if child.type == "else"), len(children))
    scope: Scope = {}
    reader.frame.scopes.append(scope)
    read_conditions(reader, children[1:stop])
    reader.frame.scopes.pop()
    for child in children[stop:]:
        if child.type == "statements":
            read_block(reader, child, "")
    # What the conditions bind is known after the statement, not in its block.
    reader.frame.scopes[-1].update(scope)
    return UNKNOWN


def read_conditions(reader: Reader, children: Sequence[Node]) -> None:
    """Conditions stand side by side in the tree, between commas; so do the parts of their patterns, between parentheses."""
    begin, level = 0, 0
    for index, child in enumerate(children):
        kind = child.type
        if kind == "(":
            level += 1
        elif kind == ")":
            level -= 1
        elif kind == "," and level <= 0:
            if begin < index:
                read_condition(reader, children[begin:index])
            begin = index + 1
    if begin < len(children):
        read_condition(reader, children[begin:])


def read_condition(reader: Reader, nodes: Sequence[Node]) -> None:
    kind = nodes[0].type
    equals = next((index for index, node in enumerate(nodes) if node.type == "="), len(nodes))
    if kind == "case":
        subject = UNKNOWN
        for node in nodes[equals + 1 :]:
            subject = reader.value(node)
        read_pattern(reader, nodes[1:equals], subject)
    elif kind == "value_binding_pattern":
        name_node = next((node for node in nodes if node.type in {"simple_identifier", "self_expression"}), None)
        declared = next((node for node in nodes if node.type == "type_annotation"), None)
        type_ = reader.type(declared) if declared is not None else ""
        value = UNKNOWN
        if equals < len(nodes):
            for node in nodes[equals + 1 :]:
                value = reader.value(node, type_)
        elif name_node is not None and name_node.type == "simple_identifier" and reader.facts.text(name_node) != "self":
            value = reader.value(name_node)
        if name_node is not None:
            reader.bind(reader.facts.text(name_node), typed(type_) if type_ else value)
    else:
        for node in nodes:
            reader.value(node)


def read_for(reader: Reader, node: Node, _expected: str) -> Chain:
    children = node.children
    item, collection, type_ = None, UNKNOWN, ""
    reader.frame.scopes.append({})
    seen_in = False
    for child in children:
        kind = child.type
        if kind == "pattern" and not seen_in:
            item = child
        elif kind == "type_annotation":
            type_ = reader.type(child)
        elif kind == "in":
            seen_in = True
        elif kind == "statements":
            read_block(reader, child, "")
        elif seen_in and child.is_named:
            value = reader.value(child)
            if item is not None:
                collection = value
                bind_loop_variable(reader, item, typed(type_) if type_ else UNKNOWN, collection)
                item = None
    reader.frame.scopes.pop()
    return UNKNOWN


def bind_loop_variable(reader: Reader, item: Node, declared: Chain, collection: Chain) -> None:
    children = item.children
    last = collection[-1]
    parts = [child for child in children if child.type == "pattern"]
    if declared is not UNKNOWN:
        read_pattern(reader, children, declared, binding=True)
    elif last.kind is StepKind.TYPE and last.name.startswith("Range<"):
        read_pattern(reader, children, typed("Int"), binding=True)
    elif len(parts) == 2 and last.kind is StepKind.CALL and last.name == "enumerated" and len(collection) > 1:
        read_pattern(reader, parts[0].children, typed("Int"), binding=True)
        read_pattern(reader, parts[1].children, element(collection[:-1]), binding=True)
    elif len(parts) == 2 and last.kind is StepKind.TYPE and last.name.startswith("Dictionary<"):
        for part, argument in zip(parts, padded_arguments(last.name), strict=True):
            read_pattern(reader, part.children, typed(argument), binding=True)
    else:
        read_pattern(reader, children, element(collection), binding=True)


def read_switch(reader: Reader, node: Node, expected: str) -> Chain:
    subject = UNKNOWN
    chain = UNKNOWN
    opened = False
    for child in node.children:
        kind = child.type
        if kind == "switch_entry":
            value = read_entry(reader, child, subject, expected)
            chain = value if chain[0].kind is StepKind.UNKNOWN else chain
        elif kind == "{":
            opened = True
        elif child.is_named:
            value = reader.value(child)
            subject = subject if opened else value
    return chain


def read_entry(reader: Reader, node: Node, subject: Chain, expected: str) -> Chain:
    reader.frame.scopes.append({})
    chain = UNKNOWN
    for child in node.children:
        kind = child.type
        if kind == "switch_pattern":
            for pattern in child.children:
                read_pattern(reader, pattern.children, subject)
        elif kind == "statements":
            chain = read_block(reader, child, expected)
        elif child.is_named and kind not in {"modifiers", "where_keyword", "default_keyword"}:
            reader.value(child)
    reader.frame.scopes.pop()
    return chain


def read_do(reader: Reader, node: Node, expected: str) -> Chain:
    for child in node.children:
        kind = child.type
        if kind == "statements":
            read_block(reader, child, expected)
        elif kind == "catch_block":
            reader.frame.scopes.append({"error": typed("Error")})
            for part in child.children:
                if part.type == "pattern":
                    read_pattern(reader, part.children, typed("Error"))
                elif part.type == "statements":
                    read_block(reader, part, expected)
                elif part.is_named and part.type not in {"catch_keyword", "where_keyword"}:
                    reader.value(part)
            reader.frame.scopes.pop()
        elif child.is_named:
            reader.value(child)
    return UNKNOWN


def read_variable(reader: Reader, node: Node, _expected: str) -> Chain:
    """``let`` and ``var`` inside a body: locals."""
    names: Node | None = None
    type_ = ""
    equals = False
    for child in node.children:
        kind = child.type
        if kind == "pattern" and not equals:
            names, type_ = child, ""
        elif kind == "type_annotation":
            type_ = reader.type(child)
            if names is not None:
                destructure(reader, names, typed(type_))
        elif kind == "=":
            equals = True
        elif kind == ",":
            equals = False
        elif equals and child.is_named and kind not in _COMMENTS:
            value = reader.value(child, type_)
            if names is not None:
                destructure(reader, names, typed(type_) if type_ else value)
            equals = False
        elif kind in {"computed_property", "willset_didset_block"}:
            read_accessors(reader, child, type_)
        elif kind == "modifiers":
            reader.value(child)
    return UNKNOWN


def destructure(reader: Reader, pattern: Node, value: Chain) -> None:
    parts = [child for child in pattern.children if child.type == "pattern"]
    last = value[-1]
    if len(parts) > 1 and last.kind is StepKind.TYPE and last.name.startswith("Tuple<"):
        for part, argument in zip(parts, padded_arguments(last.name, len(parts)), strict=True):
            read_pattern(reader, part.children, typed(argument), binding=True)
    elif parts and value[0].kind is not StepKind.UNKNOWN:
        for number, part in enumerate(parts):
            read_pattern(reader, part.children, extend(value, named(str(number))), binding=True)
    else:
        read_pattern(reader, pattern.children, value, binding=True)


def read_declaration(reader: Reader, node: Node, _expected: str) -> Chain:
    frame = reader.frame
    declare(reader.facts, node, replace(frame.place, symbol=frame.owner, member=False, scopes=tuple(frame.scopes)))
    return UNKNOWN
