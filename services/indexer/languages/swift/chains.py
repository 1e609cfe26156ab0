"""Chains such as ``client.make(for: x)?.session[0]``: calls, members and subscripts, from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from exegesis.model import Chain, ReferenceKind, Step, StepKind
from services.indexer.chains import SELF, UNKNOWN, named, typed
from services.indexer.languages.swift.arguments import labels_of, read_arguments
from services.indexer.languages.swift.closures import read_closure
from services.indexer.languages.swift.facts import IMPLICIT, called, extend, implied, looks_like_type, subscripted
from services.indexer.languages.swift.reader import Reader
from services.indexer.languages.swift.types import STANDARD, TYPE_NODES

if TYPE_CHECKING:
    from tree_sitter import Node

BOOLEAN = frozenset({"comparison_expression", "equality_expression", "conjunction_expression", "disjunction_expression"})
BINARY = frozenset({*BOOLEAN, "additive_expression", "multiplicative_expression", "bitwise_operation", "infix_expression"})
CHAINED = frozenset({"call_expression", "navigation_expression", "postfix_expression"})

RETURNS_ARGUMENT = frozenset({"decode", "decodeIfPresent"})
"""Methods of the standard library that return a value of the type they are given: ``decode(Foo.self, from: data)``."""

STANDARD_OPERATORS = frozenset(
    {
        *("+", "-", "*", "/", "%", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||", "!", "~", "&", "|", "^", "<<", ">>", "&+", "&-"),
        *("&*", "&<<", "&>>", "...", "..<", "??", "~=", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "."),
        *("&+=", "&-=", "&*=", "?", "->"),
    }
)
"""Operators that are no references, whoever declares them: they are everywhere, and types mostly decide which one is meant."""


def read_chained(reader: Reader, outer: Node, expected: str) -> Chain:
    """``a.b(c).d[e]?.f``, from left to right. The tree nests the other way round, so the way down is a loop.

    The grammar binds a prefix closer than a call, as if ``!a.b(c)`` were ``(!a.b)(c)``, and now and then an operator too, as if
    ``a * max(b, c)`` were ``(a * max)(b, c)``; both are set aside on the way.
    """
    lefts: list[Node] = []
    value = _read_chain(reader, outer, expected, lefts)
    while lefts:
        # Sums of calls nest as deep as they are long: their left sides are read one after the other.
        left = lefts.pop()
        if left.type in CHAINED:
            _read_chain(reader, left, "", lefts)
        else:
            reader.value(left)
    return value


def _read_chain(reader: Reader, outer: Node, expected: str, lefts: list[Node]) -> Chain:
    spine: list[Link] = []
    prefixes: list[tuple[Node, int]] = []
    implicit = False
    context = reader.context
    reader.context = ()
    node = outer
    while True:
        kind = node.type
        if kind in CHAINED:
            children = node.children
            link = _link(kind, children)
            if link.call and spine and _is_closures_only(spine[-1].call):
                # The grammar sees a call of what `f(x)` returns in `let y = f(x) { ... }`.
                link = link._replace(call=[*link.call, *(spine.pop().call or ())])
            spine.append(link)
        elif kind == "prefix_expression" and not implicit:
            children = node.children
            if children[0].type == ".":
                implicit = True
            else:
                prefixes.append((children[0], 1))
            node = children[-1]
            continue
        elif kind in {"try_expression", "await_expression"}:
            node = node.children[-1]
            continue
        elif kind in BINARY and implicit and not spine:
            # `.a != b`, which the grammar takes for `.(a != b)`.
            children = node.children
            context = reader.value(children[-1])
            expected = reader.type_of(context)
            prefixes.append((children[1], 2))
            node = children[0]
            continue
        elif kind in BINARY and spine:
            children = node.children
            prefixes.append((children[1], 2))
            if is_comparison(reader, node):
                context = reader.value(children[0])
                expected = reader.type_of(context)
            else:
                lefts.append(children[0])
                expected, context = ("", ()) if kind in BOOLEAN else (expected, context)
            node = children[-1]
            continue
        else:
            break
        node = children[0]
    within = expected if implicit or not prefixes else ""
    value = _read_links(reader, node, spine, within, base=implied(context) if implicit else ())
    if implicit and expected:
        value = typed(expected)
    for operator, operands in prefixes:
        value = _apply(reader, operator, operands, value)
    return value


def _apply(reader: Reader, operator: Node, operands: int, value: Chain) -> Chain:
    kind = operator.type
    if kind == "custom_operator":
        read_operator(reader, operator, operands)
        return UNKNOWN
    if kind == "bang" or (operands > 1 and kind in {"==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||"}):
        return typed("Bool")
    return value if operands == 1 else UNKNOWN


def _read_links(reader: Reader, root: Node, spine: list[Link], expected: str, *, base: Chain) -> Chain:
    """The value of a root with all that follows it; ``spine`` is consumed from its end. ``base`` stands for a leading dot, where there is one."""
    call = spine[-1].call if spine else None
    kind = root.type
    implicit = bool(base)
    if implicit and kind == "simple_identifier":
        value = read_implicit(reader, root, expected, call, base)
    elif kind == "simple_identifier":
        value = read_call_by_name(reader, root, call) if call is not None else read_root(reader, root) if spine else reader.value(root)
    elif call is not None and kind in {"array_literal", "dictionary_literal"}:
        value = read_sugared_type(reader, root)
        read_arguments(reader, call)
    else:
        call = None
        if kind == "user_type":
            name = reader.type(root)
            value = (Step(StepKind.METATYPE, name),) if name else UNKNOWN
        elif kind == "lambda_literal":
            value = read_closure(reader, root, expected)
        elif kind == "bang":
            value = IMPLICIT
        else:
            value = reader.value(root, "" if spine else expected)
    if call is not None:
        spine.pop()
    within = expected if implicit else ""
    while spine:
        link = spine.pop()
        suffix = link.suffix
        if link.kind == "navigation_expression":
            call = spine[-1].call if spine else None
            value = read_member(reader, suffix, value, call, within, last=not spine)
            if call is not None:
                spine.pop()
        elif link.kind == "call_expression":
            value = read_call_of_value(reader, suffix, value)
        elif suffix.type == "custom_operator":
            read_operator(reader, suffix, 1)
            value = UNKNOWN
    return value


def _is_closures_only(call: list[Node] | None) -> bool:
    return bool(call) and call is not None and call[0].type == "lambda_literal"


class Link(NamedTuple):
    """One step of a chain in the tree."""

    kind: str
    suffix: Node
    """What follows the value: a member, arguments, ``!``."""
    call: list[Node] | None
    """The parts of its arguments where it calls what precedes it; None for subscripts and for all else."""


def _link(kind: str, children: list[Node]) -> Link:
    suffix = children[-1]
    if kind != "call_expression":
        return Link(kind, suffix, None)
    call = suffix.children
    return Link(kind, suffix, None if is_index(call) else call)


def read_root(reader: Reader, node: Node) -> Chain:
    """The first name of a chain: a type where it looks like one."""
    name = reader.facts.text(node)
    local = reader.local(name)
    if local is not None:
        return local
    if looks_like_type(name):
        return (Step(StepKind.METATYPE, reader.bounded(name)),)
    return read_identifier(reader, node, "")


def read_identifier(reader: Reader, node: Node, _expected: str) -> Chain:
    """A name that stands alone."""
    name = reader.facts.text(node)
    local = reader.local(name)
    if local is not None:
        return local
    position = node.start_point
    if name.startswith("$"):
        # `$items` is the wrapper of the property `items`, `$0` an unnamed parameter.
        if not name[1:].isdigit():
            reader.refer(ReferenceKind.ACCESS, name[1:], position)
        return UNKNOWN
    if looks_like_type(name) and name not in reader.generics:
        if name not in STANDARD:
            reader.refer(ReferenceKind.TYPE, name, position)
        return (Step(StepKind.METATYPE, name),)
    if name == "_":
        return UNKNOWN
    reader.refer(ReferenceKind.ACCESS, name, position)
    return (named(name),)


def read_call_by_name(reader: Reader, node: Node, call: list[Node]) -> Chain:
    """``f(x)`` and ``Foo(x)``."""
    name = reader.facts.text(node)
    local = reader.local(name)
    labels, position = labels_of(reader, call), node.start_point
    if local is not None and may_be_called(local, name, labels):
        read_arguments(reader, call, function=local)
        return called(local)
    if name == "Self" or name in reader.generics:
        callee: Chain = (Step(StepKind.METATYPE, reader.bounded(name)), Step(StepKind.CALL, "init", labels))
    else:
        callee = (Step(StepKind.CALL, name, labels),)
    arguments = read_arguments(reader, call, callee)
    if name == "defer":
        return UNKNOWN
    if arguments.only_labels:
        reader.refer(ReferenceKind.ACCESS, name, position, (), arguments.labels)
        return UNKNOWN
    if name == "Self" or name in reader.generics:
        given = arguments.given
        reader.refer(ReferenceKind.CALL, "init", position, callee[:1], labels, trailing=arguments.trailing, arguments=given)
        return SELF if name == "Self" else typed(reader.bounded(name))
    if name == "type" and labels == ("of",):
        return (Step(StepKind.METATYPE, "Self"),) if arguments.first is SELF else UNKNOWN
    reader.refer(ReferenceKind.CALL, name, position, (), labels, trailing=arguments.trailing, arguments=arguments.given)
    return callee


def may_be_called(local: Chain, name: str, labels: Sequence[str]) -> bool:
    """Whether a local is what a call of its name calls: values that are called take no labels, and are functions."""
    last = local[-1]
    if any(label != "_" for label in labels) or last.name == name:
        return False  # in `let size = size(of: x)` it is not the local either
    return last.kind is not StepKind.TYPE or last.name.startswith("Function<") or last.name.partition("<")[0] not in STANDARD


def read_implicit(reader: Reader, node: Node, expected: str, call: list[Node] | None, base: Chain) -> Chain:
    """``.name`` and ``.name(x)``. ``base`` is what the dot stands for, unless the type that is expected is known."""
    name = reader.facts.text(node)
    position = node.start_point
    receiver = IMPLICIT if expected else base
    base = (Step(StepKind.METATYPE, expected),) if expected else base
    if call is None:
        reader.refer(ReferenceKind.ACCESS, name, position, receiver, expected=expected)
        return extend(base, named(name))
    callee = extend(base, Step(StepKind.CALL, name, labels_of(reader, call)))
    arguments = read_arguments(reader, call, callee)
    kind = ReferenceKind.ACCESS if arguments.only_labels else ReferenceKind.CALL
    given = arguments.given
    reader.refer(kind, name, position, receiver, arguments.labels, trailing=arguments.trailing, expected=expected, arguments=given)
    return typed(expected) if name == "init" and expected else callee


def read_member(reader: Reader, suffix: Node, receiver: Chain, call: list[Node] | None, expected: str, *, last: bool) -> Chain:
    """``.name`` after a value, called or not."""
    raw = reader.content[suffix.start_byte + 1 : suffix.end_byte]
    row, column = suffix.end_point
    position = (row, column - len(raw))
    name = raw.decode("utf-8", "replace").strip("`")
    if not (name.isidentifier() or name.isdigit()):
        # A comment or a line break between dot and name, or an operator.
        name_node = suffix.children[-1]
        name = reader.facts.text(name_node)
        position = name_node.start_point
    if call is None:
        return _read_named_member(reader, suffix, name, position, receiver, expected=expected, last=last)
    head = receiver[0]
    of_type = len(receiver) == 1 and head.kind is StepKind.METATYPE
    if of_type and head.name in reader.modules:
        receiver = ()
    labels = labels_of(reader, call)
    callee = extend(receiver, Step(StepKind.CALL, name, labels)) if receiver else (Step(StepKind.CALL, name, labels),)
    arguments = read_arguments(reader, call, callee)
    if arguments.only_labels:
        reader.refer(ReferenceKind.ACCESS, name, position, receiver, arguments.labels, expected=expected)
        return UNKNOWN
    given = arguments.given
    reader.refer(ReferenceKind.CALL, name, position, receiver, labels, trailing=arguments.trailing, expected=expected, arguments=given)
    if name == "init":
        return typed(head.name) if of_type else SELF if head.kind in {StepKind.SELF, StepKind.SUPER} else UNKNOWN
    first = arguments.first
    if name in RETURNS_ARGUMENT and len(first) == 1 and first[0].kind is StepKind.METATYPE:
        return typed(first[0].name)
    return callee


def _read_named_member(reader: Reader, suffix: Node, name: str, position: tuple[int, int], receiver: Chain, *, expected: str, last: bool) -> Chain:
    head = receiver[0]
    of_type = len(receiver) == 1 and head.kind is StepKind.METATYPE
    if name == "self":
        type_name = head.name.rpartition(".")[2]
        # Sugared and generic types, and bounds that stand for their parameter, are not written like that: what they name is mentioned already.
        if of_type and last and type_name not in STANDARD and reader.content.endswith(type_name.encode(), 0, suffix.start_byte):
            row, column = position
            reader.refer(ReferenceKind.TYPE, type_name, (row, column - 1 - len(type_name.encode())))
        return receiver
    if name == "Type":
        return receiver
    if of_type and looks_like_type(name) and name.upper() != name:
        qualified = name if head.name in reader.modules else f"{head.name}.{name}"
        if last:
            reader.refer(ReferenceKind.TYPE, name, position, () if qualified is name else receiver)
        return (Step(StepKind.METATYPE, qualified),)
    if not name.isdigit():
        reader.refer(ReferenceKind.ACCESS, name, position, receiver, expected=expected)
    return extend(receiver, named(name))


def read_call_of_value(reader: Reader, suffix: Node, value: Chain) -> Chain:
    """A subscript, or the call of a value that is a closure."""
    call = suffix.children
    if not is_index(call):
        read_arguments(reader, call, function=value)
        return called(value)
    labels = labels_of(reader, call)
    arguments = read_arguments(reader, call, extend(value, Step(StepKind.CALL, "subscript", labels)))
    # Unlabelled subscripts of values of unknown type are those of arrays and dictionaries, nearly always.
    if labels != ("keyPath",) and (any(label != "_" for label in labels) or value[0].kind in {StepKind.SELF, StepKind.TYPE, StepKind.METATYPE}):
        given = arguments.given
        reader.refer(ReferenceKind.CALL, "subscript", suffix.start_point, value, labels, trailing=arguments.trailing, arguments=given)
    return subscripted(value)


def read_sugared_type(reader: Reader, node: Node) -> Chain:
    """``[Foo]`` and ``[Key: Value]`` where they are called: types, not literals. Literals otherwise."""
    names: list[str] = []
    for child in node.children:
        kind = child.type
        if kind in TYPE_NODES:
            names.append(reader.type(child))
        elif kind == "simple_identifier" and looks_like_type(reader.facts.text(child)):
            read_identifier(reader, child, "")
            names.append(reader.bounded(reader.facts.text(child)))
        elif child.is_named:
            chain = reader.value(child)
            if len(chain) == 1 and chain[0].kind is StepKind.METATYPE:
                names.append(chain[0].name)
    if not names:
        return UNKNOWN
    return typed(f"{'Array' if node.type == 'array_literal' else 'Dictionary'}<{', '.join(names)}>")


def read_operator(reader: Reader, node: Node, operands: int) -> None:
    """An operator that the standard library does not have is a call."""
    name = reader.facts.text(node)
    if name not in STANDARD_OPERATORS:
        reader.refer(ReferenceKind.CALL, name, node.start_point, (), ("_",) * operands)


def is_comparison(reader: Reader, node: Node) -> bool:
    """Whether both sides have the same type. To the grammar ``!=`` is an operator like any other."""
    kind = node.type
    return kind in {"equality_expression", "comparison_expression"} or (
        kind == "infix_expression" and len(node.children) > 1 and reader.facts.text(node.children[1]) in {"!=", "~="}
    )


def is_index(call: Sequence[Node]) -> bool:
    """Whether arguments stand in brackets."""
    return bool(call) and call[0].type == "value_arguments" and call[0].children[0].type == "["
