"""Code inside of functions: who is called, on what. Locals are replaced by what they stand for, so a receiver never starts with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exegesis.model import Chain, Parameter, ReferenceKind, Step, StepKind
from services.indexer.chains import INDEX, SELF, UNKNOWN, extend, of_type
from services.indexer.languages.c.facts import MAX_DEPTH, Facts
from services.indexer.languages.c.types import declared_name, mention_types, read_parameters, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

_CASTS = frozenset({"static_cast", "dynamic_cast", "reinterpret_cast", "const_cast"})
_MAKERS = frozenset({"make_unique", "make_shared"})


@dataclass(frozen=True, slots=True)
class Body:
    """The code of one function."""

    whole: Node
    """With its head: a constructor gives members their values there."""
    node: Node
    owner: int
    """The symbol that refers."""
    parameters: tuple[Parameter, ...] = ()
    in_type: bool = False


def read_body(facts: Facts, body: Body) -> None:
    scope = {each.name: of_type(each.type) for each in body.parameters if each.name}
    reader = _Reader(facts, body.owner, [scope], in_type=body.in_type)
    facts.breaks.update(child.end_point.row + 1 for child in body.node.named_children)
    for child in body.whole.named_children:
        if child.type == "field_initializer_list":
            reader.each(child)
    reader.each(body.node)


def read_value(facts: Facts, node: Node, owner: int, type_: str) -> Chain:
    """The value of a variable outside of functions."""
    return _Reader(facts, owner, [{}], in_type=False).value(node, type_)


class _Reader:
    def __init__(self, facts: Facts, owner: int, scopes: list[dict[str, Chain]], *, in_type: bool) -> None:
        self.facts = facts
        self.owner = owner
        self.scopes = scopes
        self.in_type = in_type
        self.depth = 0

    def value(self, node: Node | None, expected: str = "") -> Chain:
        """Read a node: the chain that its value stands for. Deeper than ``MAX_DEPTH`` nothing is followed."""
        if node is None:
            return UNKNOWN
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.facts.complain(f"code nested too deeply at line {node.start_point.row + 1}")
            self.depth -= 1
            return UNKNOWN
        handler = _HANDLERS.get(node.type)
        if handler is not None:
            chain = handler(self, node, expected)
        else:
            self.each(node)
            chain = UNKNOWN
        self.depth -= 1
        return chain

    def each(self, node: Node) -> None:
        """Read whatever is inside, in order; in a block names have a life of their own."""
        is_block = node.type in {"compound_statement", "for_statement", "for_range_loop", "if_statement", "while_statement", "lambda_expression"}
        if is_block:
            self.scopes.append({})
        for child in node.named_children:
            self.value(child)
        if is_block:
            self.scopes.pop()

    def local(self, name: str) -> Chain | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def bind(self, node: Node | None, chain: Chain) -> None:
        if node is not None and node.type == "identifier":
            self.scopes[-1][self.facts.text(node)] = chain

    def type(self, node: Node | None) -> str:
        """Canonical type of a node; the types that it names become references."""
        mention_types(self.facts, node, self.owner)
        return read_type(self.facts, node)


def _identifier(reader: _Reader, node: Node, _expected: str) -> Chain:
    name = reader.facts.text(node)
    known = reader.local(name)
    if known is not None:
        return known
    reader.facts.refer(ReferenceKind.ACCESS, node, reader.owner)
    return (Step(StepKind.NAME, name),)


def _this(_reader: _Reader, _node: Node, _expected: str) -> Chain:
    return SELF


def _field(reader: _Reader, node: Node, _expected: str) -> Chain:
    receiver, name = reader.value(node.child_by_field_name("argument")), node.child_by_field_name("field")
    name = _plain(name)
    if name is None:
        return UNKNOWN
    reader.facts.refer(ReferenceKind.ACCESS, name, reader.owner, receiver)
    return extend(receiver, Step(StepKind.NAME, reader.facts.text(name)))


def _plain(node: Node | None) -> Node | None:
    """The name itself, without template arguments."""
    while node is not None and node.type in {"template_method", "template_function", "dependent_name"}:
        node = node.child_by_field_name("name") or next(iter(node.named_children), None)
    return node


def _qualified(reader: _Reader, node: Node, _expected: str) -> Chain:
    """``A::b`` names a member of a type, or what a namespace holds: the linker knows which."""
    receiver, name = _scope_of(reader, node)
    if name is None:
        return UNKNOWN
    reader.facts.refer(ReferenceKind.ACCESS, name, reader.owner, receiver)
    return extend(receiver, Step(StepKind.NAME, reader.facts.text(name))) if receiver else (Step(StepKind.NAME, reader.facts.text(name)),)


def _scope_of(reader: _Reader, node: Node) -> tuple[Chain, Node | None]:
    scope: Node | None = None
    current: Node | None = node
    for _ in range(MAX_DEPTH):
        if current is None or current.type != "qualified_identifier":
            break
        scope, current = current.child_by_field_name("scope") or scope, current.child_by_field_name("name")
    text = read_type(reader.facts, scope).partition("<")[0] if scope is not None else ""
    return ((Step(StepKind.NAME, text),) if text else ()), _plain(current)


def _call(reader: _Reader, node: Node, _expected: str) -> Chain:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    given = [child for child in arguments.named_children if child.type != "comment"] if arguments is not None else []
    labels = ("_",) * len(given)
    if function is None:
        return UNKNOWN
    made = _cast_or_made(reader, function, given)
    if made is not None:
        return made
    if function.type == "primitive_type":
        _each_argument(reader, given)
        return of_type(reader.facts.text(function))
    name = _plain(function)
    if name is not None and name.type == "identifier":
        return _named_call(reader, name, given, labels)
    receiver: Chain = ()
    if function.type == "field_expression":
        receiver, name = reader.value(function.child_by_field_name("argument")), _plain(function.child_by_field_name("field"))
    elif function.type == "qualified_identifier":
        receiver, name = _scope_of(reader, function)
    else:
        value = reader.value(function)
        _each_argument(reader, given)
        return _result_of(value)
    if name is None:
        _each_argument(reader, given)
        return UNKNOWN
    reader.facts.refer(ReferenceKind.CALL, name, reader.owner, receiver, labels)
    _each_argument(reader, given)
    step = Step(StepKind.CALL, reader.facts.text(name), labels)
    return extend(receiver, step) if receiver else (step,)


def _named_call(reader: _Reader, name: Node, given: list[Node], labels: tuple[str, ...]) -> Chain:
    text = reader.facts.text(name)
    known = reader.local(text)
    if known is None:
        reader.facts.refer(ReferenceKind.CALL, name, reader.owner, (), labels)
    _each_argument(reader, given)
    return _result_of(known) if known is not None else (Step(StepKind.CALL, text, labels),)


def _result_of(value: Chain) -> Chain:
    last = value[-1]
    return of_type(last.name[len("Function<") : -1]) if last.kind is StepKind.TYPE and last.name.startswith("Function<") else UNKNOWN


def _cast_or_made(reader: _Reader, function: Node, given: list[Node]) -> Chain | None:
    """``static_cast<T*>(x)`` has the type that it names, and ``std::make_unique<T>(…)`` makes one."""
    template = function
    if template.type == "qualified_identifier":
        template = template.child_by_field_name("name") or template
    if template.type != "template_function":
        return None
    name, arguments = template.child_by_field_name("name"), template.child_by_field_name("arguments")
    text = reader.facts.text(name) if name is not None else ""
    if text not in _CASTS | _MAKERS or arguments is None or not arguments.named_children:
        return None
    written = arguments.named_children[0]
    if text in _MAKERS and (made := _type_name(written)) is not None:
        reader.facts.refer(ReferenceKind.CALL, made, reader.owner, (), ("_",) * len(given))
    else:
        mention_types(reader.facts, written, reader.owner)
    _each_argument(reader, given)
    return of_type(read_type(reader.facts, written))


def _type_name(node: Node | None) -> Node | None:
    """The identifier of the type that a node names."""
    while node is not None and node.type != "type_identifier":
        node = node.child_by_field_name("type") or node.child_by_field_name("name")
    return node


def _each_argument(reader: _Reader, given: list[Node]) -> None:
    for argument in given:
        reader.value(argument)


def _new(reader: _Reader, node: Node, _expected: str) -> Chain:
    type_node, arguments = node.child_by_field_name("type"), node.child_by_field_name("arguments")
    name = _type_name(type_node)
    if name is not None:
        count = len(arguments.named_children) if arguments is not None else 0
        reader.facts.refer(ReferenceKind.CALL, name, reader.owner, (), ("_",) * count)
    if arguments is not None:
        reader.each(arguments)
    return of_type(read_type(reader.facts, type_node))


def _declaration(reader: _Reader, node: Node, _expected: str) -> Chain:
    """Locals: of the type that is written, or of that of their value."""
    type_node = node.child_by_field_name("type")
    type_ = reader.type(type_node)
    for declarator in node.children_by_field_name("declarator"):
        name, _ = declared_name(declarator)
        value = declarator.child_by_field_name("value")
        chain = UNKNOWN
        if value is not None and value.type == "argument_list":  # T x(1, 2)
            if (made := _type_name(type_node)) is not None:
                reader.facts.refer(ReferenceKind.CALL, made, reader.owner, (), ("_",) * len(value.named_children))
            reader.each(value)
        elif value is not None:
            chain = reader.value(value, type_)
        reader.bind(name, of_type(type_) if type_ else chain)
    return UNKNOWN


def _range(reader: _Reader, node: Node, _expected: str) -> Chain:
    """``for (auto& x : xs)``: an element, where its type is not written."""
    reader.scopes.append({})
    type_ = reader.type(node.child_by_field_name("type"))
    over = reader.value(node.child_by_field_name("right"))
    name, _ = declared_name(node.child_by_field_name("declarator"))
    reader.bind(name, of_type(type_) if type_ else extend(over, INDEX))
    reader.value(node.child_by_field_name("body"))
    reader.scopes.pop()
    return UNKNOWN


def _lambda(reader: _Reader, node: Node, _expected: str) -> Chain:
    reader.scopes.append(
        {each.name: of_type(each.type) for each in read_parameters(reader.facts, node.child_by_field_name("declarator")) if each.name}
    )
    mention_types(reader.facts, node.child_by_field_name("declarator"), reader.owner)
    reader.value(node.child_by_field_name("body"))
    reader.scopes.pop()
    return of_type("Function<>")


def _cast(reader: _Reader, node: Node, _expected: str) -> Chain:
    type_ = reader.type(node.child_by_field_name("type"))
    reader.value(node.child_by_field_name("value"))
    return of_type(type_)


def _literal(reader: _Reader, node: Node, expected: str) -> Chain:
    """Braces: what is designated is a member of the type, as is every inner pair of braces of an array of it."""
    type_ = expected
    if node.type == "compound_literal_expression":
        type_ = reader.type(node.child_by_field_name("type"))
        return _literal(reader, node.child_by_field_name("value") or node, type_) if node.child_by_field_name("value") is not None else of_type(type_)
    for child in node.named_children:
        if child.type == "initializer_pair":
            for designator in child.children_by_field_name("designator"):
                name = next((each for each in designator.named_children if each.type == "field_identifier"), None)
                if name is not None and type_:
                    reader.facts.refer(ReferenceKind.ACCESS, name, reader.owner, of_type(type_))
            reader.value(child.child_by_field_name("value"))
        else:
            reader.value(child, type_)
    return of_type(type_)


def _index(reader: _Reader, node: Node, _expected: str) -> Chain:
    """A pointer or an array is written with the type of its elements, a container is not."""
    operand = reader.value(node.child_by_field_name("argument"))
    for child in node.named_children:
        if child != node.child_by_field_name("argument"):
            reader.value(child)
    return extend(operand, INDEX)


def _first(reader: _Reader, node: Node, expected: str) -> Chain:
    """What stands for what is inside of it: parentheses, ``*p``, ``&x``, ``x++``."""
    chain = UNKNOWN
    for child in node.named_children:
        chain = reader.value(child, expected)
    return chain


def _assigned(reader: _Reader, node: Node, _expected: str) -> Chain:
    left = reader.value(node.child_by_field_name("left"))
    reader.value(node.child_by_field_name("right"))
    return left


def _choice(reader: _Reader, node: Node, _expected: str) -> Chain:
    reader.value(node.child_by_field_name("condition"))
    chain = reader.value(node.child_by_field_name("consequence"))
    other = reader.value(node.child_by_field_name("alternative"))
    return other if chain[0].kind is StepKind.UNKNOWN else chain


def _member_value(reader: _Reader, node: Node, _expected: str) -> Chain:
    """``: base(x), member_(y)``: a base is made, a member is set."""
    children = node.named_children
    if not children:
        return UNKNOWN
    kind = ReferenceKind.ACCESS if children[0].type == "field_identifier" and reader.facts.text(children[0]).endswith("_") else ReferenceKind.CALL
    name = _type_name(children[0]) or _plain(children[0])
    if name is not None:
        count = len(children[1].named_children) if len(children) > 1 else 0
        reader.facts.refer(kind, name, reader.owner, (), ("_",) * count if kind is ReferenceKind.CALL else ())
    for child in children[1:]:
        reader.each(child)
    return UNKNOWN


def _size(reader: _Reader, node: Node, _expected: str) -> Chain:
    mention_types(reader.facts, node.child_by_field_name("type"), reader.owner)
    reader.value(node.child_by_field_name("value"))
    return UNKNOWN


def _nothing(_reader: _Reader, _node: Node, _expected: str) -> Chain:
    return UNKNOWN


_HANDLERS: Mapping[str, Callable[[_Reader, Node, str], Chain]] = {
    "identifier": _identifier,
    "this": _this,
    "field_expression": _field,
    "qualified_identifier": _qualified,
    "call_expression": _call,
    "new_expression": _new,
    "declaration": _declaration,
    "for_range_loop": _range,
    "lambda_expression": _lambda,
    "cast_expression": _cast,
    "initializer_list": _literal,
    "compound_literal_expression": _literal,
    "subscript_expression": _index,
    "parenthesized_expression": _first,
    "pointer_expression": _first,
    "update_expression": _first,
    "assignment_expression": _assigned,
    "conditional_expression": _choice,
    "field_initializer": _member_value,
    "sizeof_expression": _size,
    "type_descriptor": lambda reader, node, _expected: of_type(reader.type(node)),
    "comment": _nothing,
    "statement_identifier": _nothing,
    "preproc_include": _nothing,
}
