"""Code inside of functions: who is called, on what. Locals are replaced by what they stand for, so a receiver never starts with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from exegesis.model import Chain, Parameter, ReferenceKind, Step, StepKind
from services.indexer.chains import INDEX, SELF, UNKNOWN, extend, of_type
from services.indexer.languages.go.facts import MAX_DEPTH, Facts
from services.indexer.languages.go.types import PREDECLARED, mention_types, read_parameters, read_result, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

_BUILTIN = frozenset(
    {
        *("append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "panic", "print", "println"),
        *("real", "recover", "true", "false", "nil", "iota"),
    }
)

_BLOCKS = frozenset({"block", "expression_case", "type_case", "default_case", "communication_case"})


@dataclass(frozen=True, slots=True)
class Body:
    """The code of one function."""

    node: Node
    owner: int
    """The symbol that refers."""
    parameters: tuple[Parameter, ...] = ()
    self_name: str = ""
    """What the receiver is called; empty for a function."""
    generics: frozenset[str] = frozenset()
    result: Node | None = None


def read_body(facts: Facts, body: Body) -> None:
    scope = {each.name: of_type(each.type) for each in body.parameters if each.name}
    if body.result is not None and body.result.type == "parameter_list":
        scope.update((each.name, of_type(each.type)) for each in read_parameters(facts, body.result) if each.name)
    if body.self_name:
        scope[body.self_name] = SELF
    listed = next((child for child in body.node.named_children if child.type == "statement_list"), body.node)
    facts.breaks.update(child.end_point.row + 1 for child in listed.named_children)
    _Reader(facts, body.owner, [scope], body.generics).each(body.node)


def read_values(facts: Facts, node: Node, owners: list[int], type_: str) -> list[Chain]:
    """The values of package variables, each read on behalf of the variable that has it."""
    found = []
    for value, owner in zip_longest(node.named_children, owners):
        if value is not None:
            found.append(_Reader(facts, owner or owners[0], [{}], frozenset()).value(value, type_))
    return found


class _Reader:
    def __init__(self, facts: Facts, owner: int, scopes: list[dict[str, Chain]], generics: frozenset[str]) -> None:
        self.facts = facts
        self.owner = owner
        self.scopes = scopes
        self.generics = generics
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
        is_block = node.type in _BLOCKS
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

    def bind(self, node: Node, chain: Chain) -> None:
        if node.type == "identifier" and (name := self.facts.text(node)) != "_":
            self.scopes[-1][name] = chain

    def type(self, node: Node | None) -> str:
        """Canonical type of a node; the types that it names become references."""
        mention_types(self.facts, node, self.owner, self.generics)
        type_ = read_type(self.facts, node)
        return "" if type_ in self.generics else type_


def _identifier(reader: _Reader, node: Node, _expected: str) -> Chain:
    name = reader.facts.text(node)
    known = reader.local(name)
    if known is not None:
        return known
    if name in _BUILTIN or name in PREDECLARED or name == "_":
        return UNKNOWN
    reader.facts.refer(ReferenceKind.ACCESS, node, reader.owner)
    return (Step(StepKind.NAME, name),)


def _selector(reader: _Reader, node: Node, _expected: str) -> Chain:
    receiver, name = _receiver(reader, node)
    if name is None:
        return UNKNOWN
    reader.facts.refer(ReferenceKind.ACCESS, name, reader.owner, receiver)
    return extend(receiver, Step(StepKind.NAME, reader.facts.text(name)))


def _receiver(reader: _Reader, node: Node) -> tuple[Chain, Node | None]:
    """What stands before the dot, and the name behind it. A package before the dot is named and not used."""
    operand, name = node.child_by_field_name("operand"), node.child_by_field_name("field")
    if operand is not None and operand.type == "identifier":
        text = reader.facts.text(operand)
        if reader.local(text) is None and any(each.name == text for each in reader.facts.bindings):
            return (Step(StepKind.NAME, text),), name
    return reader.value(operand), name


def _call(reader: _Reader, node: Node, _expected: str) -> Chain:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    while function is not None and function.type in {"parenthesized_expression", "index_expression", "type_instantiation_expression"}:
        inner = function.child_by_field_name("operand") or next(iter(function.named_children), None)
        if function.type == "index_expression" and not _is_instantiated(reader, function):
            break
        function = inner
    given = [child for child in arguments.named_children if child.type != "comment"] if arguments is not None else []
    labels = ("_",) * len(given)
    if function is None:
        return UNKNOWN
    name = reader.facts.text(function) if function.type in {"identifier", "type_identifier"} else ""
    if name and reader.local(name) is None:
        if name in _BUILTIN:
            return _builtin(reader, name, given)
        if name in PREDECLARED or name in reader.generics:
            _each_argument(reader, given)
            return of_type(name) if name in PREDECLARED else UNKNOWN
        reader.facts.refer(ReferenceKind.CALL, function, reader.owner, (), labels)
        _each_argument(reader, given)
        return (Step(StepKind.CALL, name, labels),)
    if function.type == "selector_expression":
        receiver, field = _receiver(reader, function)
        if field is not None:
            reader.facts.refer(ReferenceKind.CALL, field, reader.owner, receiver, labels)
        _each_argument(reader, given)
        return extend(receiver, Step(StepKind.CALL, reader.facts.text(field), labels)) if field is not None else UNKNOWN
    value = reader.value(function)
    _each_argument(reader, given)
    last = value[-1]
    if last.kind is StepKind.TYPE and last.name.startswith("Function<"):
        return of_type(last.name[len("Function<") : -1])
    return UNKNOWN


def _is_instantiated(reader: _Reader, node: Node) -> bool:
    """``f[int](x)``: an index that is a type says that the operand is generic, not that it holds functions."""
    index = node.child_by_field_name("index")
    text = reader.facts.text(index) if index is not None else ""
    return text in PREDECLARED or text in reader.generics or (text[:1].isupper() and reader.local(text) is None)


def _each_argument(reader: _Reader, given: list[Node]) -> None:
    for argument in given:
        reader.value(argument)


def _builtin(reader: _Reader, name: str, given: list[Node]) -> Chain:
    """``make`` and ``new`` give what they are told, ``append`` what it extends."""
    if name in {"make", "new"} and given:
        type_ = reader.type(given[0])
        _each_argument(reader, given[1:])
        return of_type(type_)
    chains = [reader.value(argument) for argument in given]
    return chains[0] if name in {"append", "min", "max"} and chains else UNKNOWN


def _composite(reader: _Reader, node: Node, _expected: str) -> Chain:
    """``Foo{Name: x}`` makes a value; what stands before a colon is a field of it."""
    written, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    type_ = read_type(reader.facts, written)
    named = written.child_by_field_name("type") if written is not None and written.type == "generic_type" else written
    if named is not None and named.type in {"type_identifier", "qualified_type"}:
        name = named.child_by_field_name("name") or named
        package = named.child_by_field_name("package")
        receiver = (Step(StepKind.NAME, reader.facts.text(package)),) if package is not None else ()
        if package is not None or reader.facts.text(name) not in reader.generics:
            reader.facts.refer(ReferenceKind.CALL, name, reader.owner, receiver, ())
    else:
        mention_types(reader.facts, written, reader.owner, reader.generics)
    if body is not None:
        _literal(reader, body, type_)
    return of_type(type_)


def _literal(reader: _Reader, node: Node, type_: str) -> Chain:
    """The braces of a composite literal. Inner ones may leave out their type, which is then that of the elements."""
    is_struct = bool(type_) and not type_.startswith(("Array<", "Dictionary<"))
    inner = "" if is_struct else type_.partition("<")[2][:-1].rpartition(", ")[2] if type_.startswith("Dictionary<") else type_[len("Array<") : -1]
    for element in node.named_children:
        key, value = (element.child_by_field_name(each) for each in ("key", "value")) if element.type == "keyed_element" else (None, element)
        if key is not None:
            name = next(iter(key.named_children), None)
            if is_struct and name is not None and name.type == "identifier":
                reader.facts.refer(ReferenceKind.ACCESS, name, reader.owner, of_type(type_))
            else:
                reader.each(key)
        for part in value.named_children if value is not None and value.type == "literal_element" else [value] if value is not None else []:
            if part.type == "literal_value":
                _literal(reader, part, inner)
            else:
                reader.value(part)
    return of_type(type_)


def _function_literal(reader: _Reader, node: Node, _expected: str) -> Chain:
    parameters, result = node.child_by_field_name("parameters"), node.child_by_field_name("result")
    mention_types(reader.facts, parameters, reader.owner, reader.generics)
    mention_types(reader.facts, result, reader.owner, reader.generics)
    reader.scopes.append({each.name: of_type(each.type) for each in read_parameters(reader.facts, parameters) if each.name})
    reader.value(node.child_by_field_name("body"))
    reader.scopes.pop()
    return of_type(f"Function<{read_result(reader.facts, result)}>")


def _assign(reader: _Reader, node: Node, _expected: str) -> Chain:
    """``a, err := f()``: the first name has the first result; several values go to several names."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    values = [reader.value(each) for each in right.named_children] if right is not None else []
    names = list(left.named_children) if left is not None else []
    for place, name in enumerate(names):
        if node.type != "short_var_declaration" and name.type != "identifier":
            reader.value(name)
        elif node.type == "short_var_declaration":
            reader.bind(name, values[place] if place < len(values) else UNKNOWN)
        elif reader.local(reader.facts.text(name)) is None:
            reader.value(name)
    return UNKNOWN


def _variables(reader: _Reader, node: Node, _expected: str) -> Chain:
    """``var a, b T = x, y`` inside of a function."""
    type_ = reader.type(node.child_by_field_name("type"))
    value = node.child_by_field_name("value")
    values = [reader.value(each) for each in value.named_children] if value is not None else []
    for place, name in enumerate(node.children_by_field_name("name")):
        reader.bind(name, of_type(type_) if type_ else values[place] if place < len(values) else UNKNOWN)
    return UNKNOWN


def _range(reader: _Reader, node: Node, _expected: str) -> Chain:
    """``for i, v := range xs``: the second name is an element."""
    left = node.child_by_field_name("left")
    over = reader.value(node.child_by_field_name("right"))
    for place, name in enumerate(left.named_children if left is not None else []):
        reader.bind(name, extend(over, INDEX) if place == 1 else UNKNOWN)
    return UNKNOWN


def _scoped(reader: _Reader, node: Node, _expected: str) -> Chain:
    """What an ``if``, a ``for`` or a ``switch`` declares in its head lives in it."""
    reader.scopes.append({})
    for child in node.named_children:
        reader.value(child)
    reader.scopes.pop()
    return UNKNOWN


def _type_switch(reader: _Reader, node: Node, _expected: str) -> Chain:
    """``switch t := x.(type)``: in a case of one type the name has that type."""
    reader.scopes.append({})
    reader.value(node.child_by_field_name("initializer"))
    over = reader.value(node.child_by_field_name("value"))
    alias = node.child_by_field_name("alias")
    name = next(iter(alias.named_children), None) if alias is not None else None
    for case in node.named_children:
        if case.type not in {"type_case", "default_case"}:
            continue
        types = case.children_by_field_name("type")
        written = [reader.type(each) for each in types]
        reader.scopes.append({})
        if name is not None:
            reader.bind(name, of_type(written[0]) if len(written) == 1 else over)
        for child in case.named_children:
            if child not in types:
                reader.value(child)
        reader.scopes.pop()
    reader.scopes.pop()
    return UNKNOWN


def _asserted(reader: _Reader, node: Node, _expected: str) -> Chain:
    reader.value(node.child_by_field_name("operand"))
    return of_type(reader.type(node.child_by_field_name("type")))


def _converted(reader: _Reader, node: Node, _expected: str) -> Chain:
    type_ = reader.type(node.child_by_field_name("type"))
    reader.value(node.child_by_field_name("operand"))
    return of_type(type_)


def _index(reader: _Reader, node: Node, _expected: str) -> Chain:
    operand = reader.value(node.child_by_field_name("operand"))
    reader.value(node.child_by_field_name("index"))
    return extend(operand, INDEX)


def _slice(reader: _Reader, node: Node, _expected: str) -> Chain:
    operand = node.child_by_field_name("operand")
    chain = reader.value(operand)
    for child in node.named_children:
        if child != operand:
            reader.value(child)
    return chain


def _unary(reader: _Reader, node: Node, _expected: str) -> Chain:
    """A pointer is what it points to; a receive takes an element out of a channel."""
    chain = reader.value(node.child_by_field_name("operand"))
    sign = node.child_by_field_name("operator")
    mark = sign.type if sign is not None else ""
    return extend(chain, INDEX) if mark == "<-" else chain if mark in {"&", "*"} else UNKNOWN


def _inner(reader: _Reader, node: Node, expected: str) -> Chain:
    chain = UNKNOWN
    for child in node.named_children:
        chain = reader.value(child, expected)
    return chain


def _named_type(reader: _Reader, node: Node, _expected: str) -> Chain:
    mention_types(reader.facts, node, reader.owner, reader.generics)
    return UNKNOWN


def _nothing(_reader: _Reader, _node: Node, _expected: str) -> Chain:
    return UNKNOWN


def _text(_reader: _Reader, _node: Node, _expected: str) -> Chain:
    return of_type("string")


_HANDLERS: Mapping[str, Callable[[_Reader, Node, str], Chain]] = {
    "identifier": _identifier,
    "selector_expression": _selector,
    "call_expression": _call,
    "composite_literal": _composite,
    "func_literal": _function_literal,
    "short_var_declaration": _assign,
    "assignment_statement": _assign,
    "receive_statement": _assign,
    "var_spec": _variables,
    "const_spec": _variables,
    "range_clause": _range,
    "if_statement": _scoped,
    "for_statement": _scoped,
    "expression_switch_statement": _scoped,
    "select_statement": _scoped,
    "type_switch_statement": _type_switch,
    "type_assertion_expression": _asserted,
    "type_conversion_expression": _converted,
    "index_expression": _index,
    "slice_expression": _slice,
    "unary_expression": _unary,
    "parenthesized_expression": _inner,
    "expression_list": _inner,
    "type_identifier": _named_type,
    "qualified_type": _named_type,
    "pointer_type": _named_type,
    "slice_type": _named_type,
    "map_type": _named_type,
    "interpreted_string_literal": _text,
    "raw_string_literal": _text,
    "comment": _nothing,
    "label_name": _nothing,
    "package_identifier": _nothing,
}
