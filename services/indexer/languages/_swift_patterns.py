"""Patterns: the names they bind and the enum cases they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from exegesis.model import Chain, ReferenceKind, Step, StepKind
from services.indexer.languages._swift_facts import IMPLICIT, MAX_DEPTH, UNKNOWN, typed
from services.indexer.languages._swift_reader import Reader

if TYPE_CHECKING:
    from tree_sitter import Node


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
    base: Chain | None = None
    dotted = False
    of_case = False
    for index, node in enumerate(nodes):
        kind = node.type
        if kind == "value_binding_pattern":
            binding = True
        elif kind == "user_type":
            name = reader.type(node)
            base = (Step(StepKind.METATYPE, name),) if name else None
        elif kind == ".":
            dotted = True
        elif kind == "simple_identifier":
            labelled = index + 1 < len(nodes) and nodes[index + 1].type == ":"
            if dotted:
                expected = "" if base else reader.type_of(subject)
                reader.refer(ReferenceKind.ACCESS, reader.facts.text(node), node.start_point, base or IMPLICIT, expected=expected)
                dotted, of_case = False, True
            elif binding and not labelled:
                reader.bind(reader.facts.text(node), subject)
            elif not labelled:
                reader.value(node)
        elif kind == "pattern":
            unwraps = of_case and index > 1 and reader.facts.text(nodes[index - 2]) == "some"
            in_tuple = not of_case and len(nodes) > 1 and nodes[0].type == "("
            read_pattern(reader, node.children, subject if unwraps or not (of_case or in_tuple) else UNKNOWN, binding=binding)
        elif kind == "type_annotation":
            reader.type(node)
        elif node.is_named and kind != "wildcard_pattern":
            reader.value(node, reader.type_of(subject))
    reader.depth -= 1
