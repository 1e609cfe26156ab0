"""Patterns: the names they bind and the enum cases they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from exegesis.model import Chain, ReferenceKind, Step, StepKind
from services.indexer.chains import UNKNOWN, named, typed
from services.indexer.languages.swift.facts import IMPLICIT, MAX_DEPTH, extend, implied, parameter, type_arguments
from services.indexer.languages.swift.reader import Reader

if TYPE_CHECKING:
    from tree_sitter import Node


MOST = 4
"""Values of an enum's case that are asked for where its declaration is not in this file."""


def payload(matched: str, base: Chain, case: str) -> list[Chain]:
    """What the values of a case stand for, by way of its declaration."""
    of: Chain = (Step(StepKind.METATYPE, matched),) if matched else base
    declared = extend(of, named(case))
    return [extend(declared, parameter(number)) for number in range(MOST)] if of is not IMPLICIT else [UNKNOWN]


def read_pattern(reader: Reader, nodes: Sequence[Node], subject: Chain, *, binding: bool = False) -> None:
    """Bind the names of a pattern and refer to the enum cases in it. ``subject`` is what is matched."""
    reader.depth += 1
    if reader.depth > MAX_DEPTH:
        reader.facts.complain(f"a pattern nested too deeply at line {nodes[0].start_point.row + 1}" if nodes else "a pattern nested too deeply")
        reader.depth -= 1
        return
    cast = next((index for index, node in enumerate(nodes) if node.type in {"as", "is", "as_operator"}), None)
    if cast is not None:
        subject = typed(reader.type(nodes[-1]))
        nodes = nodes[:cast]
    matched = reader.type_of(subject)
    base: Chain = IMPLICIT if matched else implied(subject)
    dotted = False
    case = ""
    # What the patterns between the parentheses are matched against.
    inner: list[Chain] = []
    opening = next((node.type for node in nodes if node.type not in {"value_binding_pattern", "case"}), "")
    if opening == "(":
        inner = [typed(type_) for type_ in type_arguments(matched)] if matched.startswith("Tuple<") else [UNKNOWN]
    position = 0
    for index, node in enumerate(nodes):
        kind = node.type
        if kind == "value_binding_pattern":
            binding = True
        elif kind == "user_type":
            matched = reader.type(node)
            base = (Step(StepKind.METATYPE, matched),) if matched else UNKNOWN
        elif kind == ".":
            dotted = True
        elif kind == "simple_identifier":
            labelled = index + 1 < len(nodes) and nodes[index + 1].type == ":"
            if dotted:
                case = reader.facts.text(node)
                expected = matched if base is IMPLICIT else ""
                reader.refer(ReferenceKind.ACCESS, case, node.start_point, base, expected=expected)
                inner = [typed(type_) for type_ in reader.payload(matched, case)] or payload(matched, base, case)
                if case == "some":
                    inner = [subject]
                dotted = False
            elif binding and not labelled:
                reader.bind(reader.facts.text(node), subject)
            elif not labelled:
                reader.value(node)
        elif kind == ",":
            position += 1
        elif kind == "pattern":
            read_pattern(reader, node.children, (inner[position] if position < len(inner) else UNKNOWN) if inner else subject, binding=binding)
        elif kind == "type_annotation":
            reader.type(node)
        elif node.is_named and kind != "wildcard_pattern":
            reader.value(node, matched)
    reader.depth -= 1
