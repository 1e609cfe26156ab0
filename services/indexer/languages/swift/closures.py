"""Closures: their parameters and captures; the long ones are symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from exegesis.model import Chain, Span, Symbol, SymbolKind
from services.indexer.chains import UNKNOWN, Scope, typed
from services.indexer.languages.swift.facts import MAX_DEPTH, extend, parameter, type_arguments
from services.indexer.languages.swift.reader import Reader
from services.indexer.languages.swift.statements import read_body
from services.indexer.languages.swift.types import TYPE_NODES

if TYPE_CHECKING:
    from tree_sitter import Node

CLOSURE_LINES = 3
"""Shorter closures are part of the symbol around them."""

SIGNATURE_BYTES = 400

UNNAMED = 4
"""Parameters that are known without names: ``$0`` to ``$3``."""


def read_closure_value(reader: Reader, node: Node, expected: str) -> Chain:
    """A closure where a value of some type is expected: of a function type, or of whatever that type turns out to be."""
    context = reader.context
    if expected.startswith("Function<"):
        result, *taken = type_arguments(expected)
        return read_closure(reader, node, result, [typed(reader.bounded(type_)) for type_ in taken])
    function = typed(expected) if expected else context
    return read_closure(reader, node, "", [extend(function, parameter(number)) for number in range(UNNAMED)] if function else ())


def read_closure(reader: Reader, node: Node, result: str, passed: Sequence[Chain] = ()) -> Chain:
    """A closure. Long ones are symbols, and what they refer to is theirs.

    ``result`` is the canonical type that it should return, ``passed`` what it is given, both as far as they are known.
    """
    reader.depth += 1
    if reader.depth > MAX_DEPTH:
        reader.facts.complain(f"closures nested too deeply at line {node.start_point.row + 1}")
        reader.depth -= 1
        return UNKNOWN
    frame = reader.frame
    outer = (frame.owner, frame.place, frame.result, frame.closures)
    children = node.children
    scope: Scope = {f"${number}": passed[number] if number < len(passed) else UNKNOWN for number in range(UNNAMED)}
    first, last = node.start_point, node.end_point
    if last.row - first.row + 1 >= CLOSURE_LINES:
        declare_closure(reader, node, children)
    frame.result = ""
    frame.scopes.append(scope)
    reader.unnamed.append(0)
    named = 0
    for child in children:
        kind = child.type
        if kind == "lambda_function_type":
            frame.result, named = bind_parameters(reader, child, passed)
        elif kind == "capture_list":
            bind_captures(reader, child)
        elif kind == "statements":
            read_body(reader, child, frame.result or result)
        elif kind in {"ERROR", "attribute"}:
            reader.value(child)
    frame.scopes.pop()
    reader.arity = max(named, reader.unnamed.pop())
    result = frame.result or result
    frame.owner, frame.place, frame.result, closures = outer
    # Closures of a closure are numbered within it.
    frame.closures = closures + 1
    reader.depth -= 1
    return typed(f"Function<{result}>") if result else UNKNOWN


def declare_closure(reader: Reader, node: Node, children: Sequence[Node]) -> None:
    frame, facts = reader.frame, reader.facts
    place = frame.place
    start, end = node.start_point, node.end_point
    identifier, key = facts.identify(f"{place.key}.closure{frame.closures}")
    name = f"closure@{start.row + 1}"
    qualified = f"{place.qualified}.{name}" if place.qualified else name
    # The line that it begins on tells what it is passed to.
    begin = node.start_byte - min(start.column, SIGNATURE_BYTES)
    stop = next((child.start_byte for child in children if child.type in {"statements", "comment", "multiline_comment"}), node.start_byte + 1)
    signature = " ".join(reader.content[begin : min(stop, begin + SIGNATURE_BYTES)].decode("utf-8", "replace").split())
    facts.symbols.append(
        Symbol(
            id=identifier,
            name=name,
            qualified=qualified,
            kind=SymbolKind.CLOSURE,
            path=facts.path,
            span=Span(start.row + 1, end.row + 1),
            line=start.row + 1,
            column=start.column + 1,
            parent=frame.owner,
            signature=signature,
        )
    )
    frame.owner = identifier
    frame.closures = 0
    frame.place = replace(place, symbol=identifier, key=key, qualified=qualified, member=False)


def bind_parameters(reader: Reader, node: Node, passed: Sequence[Chain]) -> tuple[str, int]:
    """Bind the parameters of a closure; its written result, and how many there are."""
    result = ""
    arrow = False
    index = 0
    for child in node.children:
        kind = child.type
        if kind == "->":
            arrow = True
        elif kind == "lambda_function_type_parameters":
            for parameter in child.children:
                if parameter.type == "lambda_parameter":
                    bind_parameter(reader, parameter, passed[index] if index < len(passed) else UNKNOWN)
                    index += 1
        elif arrow and kind in TYPE_NODES:
            result = reader.type(child)
    return result, index


def bind_parameter(reader: Reader, node: Node, passed: Chain) -> None:
    names: list[str] = []
    chain = passed
    for child in node.children:
        kind = child.type
        if kind == "simple_identifier":
            names.append(reader.facts.text(child))
        elif kind in TYPE_NODES:
            chain = typed(reader.type(child))
    for name in names:
        reader.bind(name, chain)


def bind_captures(reader: Reader, node: Node) -> None:
    for item in node.children:
        if item.type != "capture_list_item":
            continue
        names = [child for child in item.children if child.type != "ownership_modifier"]
        if not names or names[0].type != "simple_identifier":
            continue
        name = reader.facts.text(names[0])
        if len(names) > 1:
            reader.bind(name, reader.value(names[-1]))
        elif name != "self":
            reader.bind(name, reader.value(names[0]))
