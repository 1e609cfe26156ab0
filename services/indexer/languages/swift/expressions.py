"""Expressions other than chains: operators, literals, casts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exegesis.model import Chain, ReferenceKind, Step, StepKind
from services.indexer.chains import SELF, SUPER, UNKNOWN, typed
from services.indexer.languages.swift.arguments import labels_of, passed_at, read_arguments
from services.indexer.languages.swift.chains import BINARY, BOOLEAN, is_comparison, read_operator, read_root
from services.indexer.languages.swift.closures import read_closure
from services.indexer.languages.swift.facts import element, extend, looks_like_type, subscripted, type_arguments
from services.indexer.languages.swift.reader import Reader
from services.indexer.languages.swift.types import TYPE_NODES, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

LITERALS = {
    "integer_literal": typed("Int"),
    "hex_literal": typed("Int"),
    "oct_literal": typed("Int"),
    "bin_literal": typed("Int"),
    "real_literal": typed("Double"),
    "boolean_literal": typed("Bool"),
}
_BOOL = typed("Bool")
_STRING = typed("String")


def read_binary(reader: Reader, node: Node, expected: str) -> Chain:
    """A row of operators; the tree nests them to the left, so the way down is a loop.

    The grammar binds ``a == .b || c`` as ``a == (.b || c)``: what is expected of a row of conditions concerns its first operand.
    """
    boolean = node.type in BOOLEAN
    if is_comparison(reader, node):
        return read_comparison(reader, node)
    value = UNKNOWN
    while node.type in BINARY and not is_comparison(reader, node):
        children = node.children
        for child in children[1:]:
            if child.type == "custom_operator":
                read_operator(reader, child, 2)
            elif child.is_named:
                value = reader.value(child, "" if boolean else expected)
        node = children[0]
    left = reader.value(node, "" if boolean and expected == "Bool" else expected)
    if boolean:
        return _BOOL
    return left if left[0].kind is StepKind.TYPE and len(left) == 1 else value if value[0].kind is StepKind.TYPE and len(value) == 1 else UNKNOWN


def read_comparison(reader: Reader, node: Node) -> Chain:
    children = node.children
    left, right = children[0], children[-1]
    if right.type == "comparison_expression" and children[1].type == "<":
        parts = right.children
        if parts[1].type == ">" and parts[-1].type in SPECIALIZED:
            return read_specialized(reader, left, parts[0], parts[-1])
    if left.type in {"prefix_expression", "call_expression"} and right.type not in {"prefix_expression", "call_expression"}:
        left, right = right, left
    context = reader.value(left)
    reader.value(right, reader.type_of(context), context)
    return _BOOL


SPECIALIZED = frozenset({"tuple_expression", "call_expression", "prefix_expression", "navigation_expression", "lambda_literal"})
"""What may follow a type's generic arguments."""


def read_specialized(reader: Reader, left: Node, argument: Node, rest: Node) -> Chain:
    """``Foo<Bar>.shared`` and ``decode<Foo>(x)``, which the grammar takes for two comparisons."""
    reader.value(argument)
    if rest.type == "lambda_literal" and left.type == "simple_identifier":
        name = reader.facts.text(left)
        reader.refer(ReferenceKind.CALL, name, left.start_point, trailing=1)
        read_closure(reader, rest, "", passed_at((Step(StepKind.CALL, name),), "+0", ("_",)))
        return typed(reader.bounded(name)) if looks_like_type(name) else (Step(StepKind.CALL, name),)
    if rest.type == "tuple_expression":
        items = tuple_items(reader, rest)
        for _, value in items:
            reader.value(value)
        labels = tuple(label for label, _ in items)
        receiver: Chain = ()
        name_node = left
        if left.type == "navigation_expression":
            receiver = reader.value(left.children[0])
            name_node = left.children[-1].children[-1]
        name = reader.facts.text(name_node)
        if name.isidentifier():
            reader.refer(ReferenceKind.CALL, name, name_node.start_point, receiver, labels)
        return extend(receiver, Step(StepKind.CALL, name, labels))
    base = read_root(reader, left) if left.type == "simple_identifier" else reader.value(left)
    type_ = base[0].name if len(base) == 1 and base[0].kind is StepKind.METATYPE else ""
    return reader.value(rest, type_)


def read_constructor(reader: Reader, node: Node, _expected: str) -> Chain:
    """``Foo<Bar>(x)``: the type itself is called, the types among its arguments are mentioned."""
    constructed, suffix = node.children[0], node.children[-1]
    facts = reader.facts
    type_ = read_type(facts, constructed)
    name_node = next((child for child in reversed(constructed.children) if child.type == "type_identifier"), None)
    receiver: Chain = ()
    if name_node is not None:
        row, column = name_node.start_point
        receiver = next((mention.receiver for mention in facts.mentions if (mention.line, mention.column) == (row + 1, column + 1)), ())
        facts.mentions[:] = [mention for mention in facts.mentions if (mention.line, mention.column) != (row + 1, column + 1)]
    facts.flush(reader.frame.owner, reader.generics)
    call = suffix.children
    callee = (Step(StepKind.METATYPE, reader.bounded(type_)), Step(StepKind.CALL, "init", labels_of(reader, call)))
    arguments = read_arguments(reader, call, callee)
    if name_node is not None:
        name, given = facts.text(name_node), arguments.given
        reader.refer(ReferenceKind.CALL, name, name_node.start_point, receiver, arguments.labels, trailing=arguments.trailing, arguments=given)
    return typed(reader.bounded(type_))


def read_ternary(reader: Reader, node: Node, expected: str) -> Chain:
    children, context = node.children, reader.context
    reader.value(children[0])
    values = [reader.value(child, expected, context) for child in children[1:] if child.is_named and child.type != "comment"]
    return next((value for value in values if value[0].kind is not StepKind.UNKNOWN), UNKNOWN)


def read_coalescing(reader: Reader, node: Node, expected: str) -> Chain:
    children = node.children
    left = reader.value(children[0], expected, reader.context)
    right = reader.value(children[-1], expected or reader.type_of(left), left)
    return left if left[0].kind is not StepKind.UNKNOWN else right


def read_cast(reader: Reader, node: Node, _expected: str) -> Chain:
    children = node.children
    reader.value(children[0])
    return typed(reader.type(children[-1]))


def read_check(reader: Reader, node: Node, _expected: str) -> Chain:
    children = node.children
    reader.value(children[0])
    reader.type(children[-1])
    return _BOOL


def read_tuple(reader: Reader, node: Node, expected: str) -> Chain:
    """Parentheses around one value are nothing; of a tuple, only the types are known."""
    context, items = reader.context, tuple_items(reader, node)
    if len(items) == 1:
        return reader.value(items[0][1], expected, context)
    wanted = type_arguments(expected) if expected.startswith("Tuple<") else []
    wanted += [""] * (len(items) - len(wanted))
    types = [reader.type_of(reader.value(value, type_)) for (_, value), type_ in zip(items, wanted, strict=False)]
    return typed(f"Tuple<{', '.join(types)}>") if any(types) else UNKNOWN


def tuple_items(reader: Reader, node: Node) -> list[tuple[str, Node]]:
    """Labels (``_`` where there is none) and values between parentheses."""
    items: list[tuple[str, Node]] = []
    label = "_"
    children = node.children
    for index, child in enumerate(children):
        kind = child.type
        if not child.is_named or kind in {"bang", "comment", "multiline_comment"}:
            continue
        if kind == "simple_identifier" and index + 1 < len(children) and children[index + 1].type == ":":
            label = reader.facts.text(child)
        else:
            items.append((label, child))
            label = "_"
    return items


def read_array(reader: Reader, node: Node, expected: str) -> Chain:
    inner = typed(expected)
    of = element(inner) if expected else UNKNOWN
    wanted = of[0].name if len(of) == 1 and of[0].kind is StepKind.TYPE else ""
    context = element(reader.context) if reader.context else ()
    first: Chain = UNKNOWN
    for child in node.children:
        if child.is_named:
            value = reader.value(child, wanted, context)
            first = value if first is UNKNOWN else first
    if expected:
        return inner
    step = first[0]
    constructed = len(first) == 1 and step.kind is StepKind.CALL and looks_like_type(step.name)
    type_ = step.name if constructed else reader.type_of(first)
    return typed(f"Array<{type_}>") if type_ else UNKNOWN


def read_dictionary(reader: Reader, node: Node, expected: str) -> Chain:
    inner = typed(expected)
    of = subscripted(inner) if expected.startswith("Dictionary<") else UNKNOWN
    wanted = of[0].name if of[0].kind is StepKind.TYPE else ""
    is_value = False
    for child in node.children:
        kind = child.type
        if kind == ":":
            is_value = True
        elif kind == ",":
            is_value = False
        elif child.is_named:
            reader.value(child, wanted if is_value else "")
    return inner


def read_range(reader: Reader, node: Node, _expected: str) -> Chain:
    reader.each(node)
    closed = node.type != "open_start_range_expression" and any(child.type == "..." for child in node.children)
    return typed("ClosedRange<Int>" if closed else "Range<Int>")


def read_key_path(reader: Reader, node: Node, _expected: str) -> Chain:
    r"""``\Foo``: what follows names members of ``Foo``."""
    children = node.children[1:]
    names = [reader.facts.text(child) for child in children if child.type == "type_identifier"]
    for child in children:
        if child.type in TYPE_NODES:
            return typed(reader.type(child))
    return typed(reader.bounded(".".join(names))) if names else UNKNOWN


def read_macro(reader: Reader, node: Node, _expected: str) -> Chain:
    """``#name(x)``."""
    call: list[Node] = []
    name_node = None
    for child in node.children:
        if child.type == "simple_identifier":
            name_node = child
        elif child.type == "call_suffix":
            call = child.children
    arguments = read_arguments(reader, call)
    if name_node is not None:
        name = reader.facts.text(name_node)
        reader.refer(ReferenceKind.CALL, name, name_node.start_point, (), arguments.labels, trailing=arguments.trailing)
    return UNKNOWN


def read_assignment(reader: Reader, node: Node, _expected: str) -> Chain:
    children = node.children
    target = UNKNOWN
    for child in children[0].children:
        target = reader.value(child)
    for child in children[1:]:
        if child.is_named:
            reader.value(child, reader.type_of(target), target)
    return UNKNOWN


def read_attribute(reader: Reader, node: Node, _expected: str) -> Chain:
    """``@Wrapper(x)``: the type, and whatever is among its arguments. Lower-case attributes are the compiler's own."""
    children = node.children
    name_node = next((child for child in children if child.type == "user_type"), None)
    if name_node is None or not looks_like_type(reader.facts.text(name_node)):
        return UNKNOWN
    reader.type(name_node)
    labelled = False
    for index, child in enumerate(children):
        if child is name_node or not child.is_named:
            continue
        labelled = child.type == "simple_identifier" and index + 1 < len(children) and children[index + 1].type == ":"
        if not labelled and child.type != "user_type":
            reader.value(child)
    return UNKNOWN


def read_string(reader: Reader, node: Node, _expected: str) -> Chain:
    if node.child_count > 3:
        for child in node.children:
            if child.type == "interpolated_expression":
                reader.each(child)
    return _STRING


def read_literal(_reader: Reader, node: Node, _expected: str) -> Chain:
    return LITERALS[node.type]


def read_self(_reader: Reader, _node: Node, _expected: str) -> Chain:
    return SELF


def read_super(_reader: Reader, _node: Node, _expected: str) -> Chain:
    return SUPER


def read_only(reader: Reader, node: Node, expected: str) -> Chain:
    """A node that stands for its last expression: ``try``, ``await``, ``&x``."""
    chain, context = UNKNOWN, reader.context
    for child in node.children:
        if child.is_named:
            chain = reader.value(child, expected, context)
    return chain


def read_skip(_reader: Reader, _node: Node, _expected: str) -> Chain:
    return UNKNOWN


def read_type_node(reader: Reader, node: Node, _expected: str) -> Chain:
    type_ = reader.type(node)
    return (Step(StepKind.METATYPE, type_),) if type_ else UNKNOWN
