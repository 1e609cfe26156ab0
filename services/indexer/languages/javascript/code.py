"""Reading the code of scripts: who refers to what, and what values stand for.

Reading an expression emits the references in it and returns the chain that its value stands for. Locals are replaced by what they stand for, so a
receiver never starts with one: after ``const client = new Client()``, ``client.send()`` has the receiver ``Client()``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from exegesis.model import Chain, Reference, ReferenceKind, Step, StepKind
from services.indexer.chains import INDEX, SELF, SUPER, UNKNOWN, Scope, extend, is_known, named, typed
from services.indexer.languages.javascript.declarations import CLASSES, FUNCTIONS, declare
from services.indexer.languages.javascript.facts import MAX_DEPTH, Attribute, Body, Facts, Place
from services.indexer.languages.javascript.heads import Head, names_in, read_parameter
from services.indexer.languages.javascript.imports import bind_required, required
from services.indexer.languages.javascript.types import Mention, mention, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNATURE = 300

_GLOBALS = frozenset(
    {"undefined", "arguments", "console", "window", "document", "globalThis", "process", "Math", "JSON", "Object", "Array", "Promise"}
)
"""Names of the language that projects do not declare: to refer to them says nothing."""


class Reader:
    """Reads bodies, one after the other, with a function for each kind of node."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.place = Place()
        self.owner = 0
        self.scopes: list[Scope] = []
        self.returned: list[Chain] = []
        self.yields = False
        self.depth = 0

    def read(self, body: Body) -> None:
        """Read one body to its end."""
        self.place, self.owner = body.place, body.owner
        self.scopes = [*body.place.scopes, {}]
        self.returned, self.yields, self.depth = [], False, 0
        chain = UNKNOWN
        for node in body.nodes:
            chain = self.value(node)
        if body.symbol is not None:
            returns = body.is_function and body.nodes[0].type == "statement_block"
            self._conclude(body.symbol, self._result() if returns else chain)

    def _result(self) -> Chain:
        """What a function returns, if all that it returns is one thing."""
        return self.returned[0] if self.returned and not self.yields and len(set(self.returned)) == 1 else UNKNOWN

    def _conclude(self, index: int, chain: Chain) -> None:
        symbol = self.facts.symbols[index]
        if is_known(chain) and not symbol.type and not symbol.kind.is_type:
            self.facts.symbols[index] = replace(symbol, initializer=chain)

    def value(self, node: Node) -> Chain:
        """Read a node: the chain that its value stands for. Nothing is followed deeper than ``MAX_DEPTH``; where that stops, a problem says so."""
        handler = _HANDLERS.get(node.type)
        if handler is None:
            if not node.named_child_count:
                return UNKNOWN
            handler = _read_each
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.facts.complain(f"code nested too deeply at line {node.start_point.row + 1}")
            self.depth -= 1
            return UNKNOWN
        chain = handler(self, node)
        self.depth -= 1
        return chain

    def each(self, node: Node) -> None:
        for child in node.named_children:
            self.value(child)

    def refer(self, kind: ReferenceKind, name: str, node: Node, receiver: Chain = (), labels: tuple[str, ...] = ()) -> None:
        row, column = node.start_point
        self.facts.references.append(Reference(kind, name, row + 1, column + 1, self.owner, receiver, labels))

    def type(self, node: Node) -> str:
        """The canonical type of an annotation, whose mentions become references."""
        mentions: list[Mention] = []
        type_ = read_type(self.facts, node, mentions)
        mention(self.facts, mentions, self.owner)
        return type_

    def local(self, name: str) -> Chain | None:
        """What a local of that name stands for; None when there is none."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def bind(self, pattern: Node, chain: Chain) -> None:
        """Give a value to what a declaration names."""
        if pattern.type == "identifier":
            self.scopes[-1][self.facts.text(pattern)] = chain
            return
        for each in pattern.named_children if pattern.type == "object_pattern" else ():
            if each.type == "shorthand_property_identifier_pattern":
                name = self.facts.text(each)
                self.scopes[-1][name] = extend(chain, named(name))
        for name in names_in(self.facts, pattern):
            self.scopes[-1].setdefault(name, UNKNOWN)


Handler = Callable[[Reader, "Node"], Chain]


def _read_each(reader: Reader, node: Node) -> Chain:
    reader.each(node)
    return UNKNOWN


def _read_inner(reader: Reader, node: Node) -> Chain:
    """What stands for its first part: parentheses, ``await``, ``!``."""
    chain = UNKNOWN
    for number, child in enumerate(node.named_children):
        read = reader.value(child)
        chain = chain if number else read
    return chain


# ---- names, members, calls


def _read_name(reader: Reader, node: Node) -> Chain:
    name = reader.facts.text(node)
    chain = reader.local(name)
    if chain is not None:
        return chain
    if name not in _GLOBALS:
        reader.refer(ReferenceKind.ACCESS, name, node)
    return (named(name),)


def _read_this(reader: Reader, _node: Node) -> Chain:
    return SELF if reader.place.container else UNKNOWN


def _read_super(reader: Reader, _node: Node) -> Chain:
    return SUPER if reader.place.container else UNKNOWN


def _read_member(reader: Reader, node: Node) -> Chain:
    of, name_node = node.child_by_field_name("object"), node.child_by_field_name("property")
    if of is None or name_node is None:
        return _read_each(reader, node)
    receiver = reader.value(of)
    name = reader.facts.text(name_node)
    reader.refer(ReferenceKind.ACCESS, name, name_node, receiver)
    return extend(receiver, named(name))


def _read_call(reader: Reader, node: Node) -> Chain:
    function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    arguments = node.child_by_field_name("arguments")
    if function is None:
        return _read_each(reader, node)
    while function.type in {"parenthesized_expression", "non_null_expression", "instantiation_expression"} and function.named_children:
        function = function.named_children[0]
    for each in node.named_children:
        if each.type == "type_arguments":
            reader.each(each)
    labels = _labels(arguments)
    if function.type == "identifier":
        return _call_name(reader, function, arguments, labels)
    if function.type == "super":
        reader.refer(ReferenceKind.CALL, "constructor", function, SUPER, labels)
        _read_arguments(reader, arguments)
        return UNKNOWN
    if function.type == "member_expression":
        of, name_node = function.child_by_field_name("object"), function.child_by_field_name("property")
        if of is not None and name_node is not None:
            return _call_member(reader, of, name_node, arguments, labels)
    value = reader.value(function)
    _read_arguments(reader, arguments)
    return typed(value[-1].name[len("Function<") : -1]) if value[-1].name.startswith("Function<") else UNKNOWN


_APPLYING = frozenset({"call", "apply", "bind"})


def _call_member(reader: Reader, of: Node, name_node: Node, arguments: Node | None, labels: tuple[str, ...]) -> Chain:
    receiver = reader.value(of)
    name = reader.facts.text(name_node)
    if name in _APPLYING and receiver[-1].kind is StepKind.NAME and of.type in {"identifier", "member_expression"}:
        # Base.call(this) calls Base: the access that was just seen is the call.
        last = reader.facts.references[-1] if reader.facts.references else None
        if last is not None and last.name == receiver[-1].name and last.kind is ReferenceKind.ACCESS:
            reader.facts.references[-1] = replace(last, kind=ReferenceKind.CALL, labels=("*",))
        _read_arguments(reader, arguments)
        return (*receiver[:-1], Step(StepKind.CALL, receiver[-1].name, ("*",))) if name != "bind" else receiver
    reader.refer(ReferenceKind.CALL, name, name_node, receiver, labels)
    _read_arguments(reader, arguments)
    return extend(receiver, Step(StepKind.CALL, name, labels))


def _call_name(reader: Reader, function: Node, arguments: Node | None, labels: tuple[str, ...]) -> Chain:
    name = reader.facts.text(function)
    local = reader.local(name)
    if local is None:
        reader.refer(ReferenceKind.CALL, name, function, (), labels)
        _read_arguments(reader, arguments)
        return (Step(StepKind.CALL, name, labels),)
    last = local[-1]
    if last.kind is StepKind.NAME:  # another name for a function or a class, perhaps a member that was taken apart
        reader.refer(ReferenceKind.CALL, last.name, function, local[:-1], labels)
    _read_arguments(reader, arguments)
    if last.kind is StepKind.NAME:
        return (*local[:-1], Step(StepKind.CALL, last.name, labels))
    return typed(last.name[len("Function<") : -1]) if last.name.startswith("Function<") else UNKNOWN


def _labels(arguments: Node | None) -> tuple[str, ...]:
    if arguments is None or arguments.type != "arguments":
        return ()
    return tuple("*" if each.type == "spread_element" else "_" for each in arguments.named_children if each.type != "comment")


def _read_arguments(reader: Reader, arguments: Node | None) -> None:
    if arguments is not None:
        reader.value(arguments) if arguments.type == "template_string" else reader.each(arguments)


def _read_subscript(reader: Reader, node: Node) -> Chain:
    of, index = node.child_by_field_name("object"), node.child_by_field_name("index")
    chain = reader.value(of) if of is not None else UNKNOWN
    if index is not None:
        reader.value(index)
    return extend(chain, INDEX)


# ---- operators, literals, functions as values


def _read_binary(reader: Reader, node: Node) -> Chain:
    """Rows of operators lean to the left as deep as they are long: followed without recursion."""
    right: list[Node] = []
    current: Node | None = node
    while current is not None and current.type == "binary_expression":
        other = current.child_by_field_name("right")
        if other is not None:
            right.append(other)
        left = current.child_by_field_name("left")
        if left is None:
            reader.each(current)
        current = left
    first = reader.value(current) if current is not None else UNKNOWN
    rest = [reader.value(each) for each in reversed(right)]
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type in {"||", "??", "&&"}:
        return next((each for each in (first, *rest) if is_known(each)), UNKNOWN)
    return UNKNOWN


def _read_ternary(reader: Reader, node: Node) -> Chain:
    condition, *parts = (node.child_by_field_name(name) for name in ("condition", "consequence", "alternative"))
    if condition is not None:
        reader.value(condition)
    values = [reader.value(each) for each in parts if each is not None]
    return next((each for each in values if is_known(each)), UNKNOWN)


def _literal(type_: str) -> Handler:
    def read(reader: Reader, node: Node) -> Chain:
        reader.each(node)
        return typed(type_)

    return read


def _read_cast(reader: Reader, node: Node) -> Chain:
    """``value as Type``: the value where the type says nothing."""
    first, *rest = node.named_children
    chain = reader.value(first)
    types = [reader.type(each) for each in rest]
    return typed(types[0]) if types and types[0] else chain


def _read_function(reader: Reader, node: Node) -> Chain:
    """A function without a name belongs to the declaration around it."""
    head = Head()
    parameters, single, body = (node.child_by_field_name(name) for name in ("parameters", "parameter", "body"))
    for child in parameters.named_children if parameters is not None else [single] if single is not None else []:
        if child.type != "comment":
            read_parameter(reader.facts, child, head)
    result = node.child_by_field_name("return_type")
    if result is not None:
        read_type(reader.facts, result, head.mentions)
    mention(reader.facts, head.mentions, reader.owner)
    for each in head.values:
        reader.value(each)
    before = (reader.returned, reader.yields, reader.place)
    if node.type != "arrow_function":
        reader.place = replace(reader.place, container="", owner=None)
    reader.returned = []
    reader.scopes.append(head.scope)
    if body is not None:
        reader.value(body)
    reader.scopes.pop()
    reader.returned, reader.yields, reader.place = before
    return UNKNOWN


def _read_pair(reader: Reader, node: Node) -> Chain:
    """The key of a pair names nothing unless it is computed."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is not None and key.type == "computed_property_name":
        reader.each(key)
    if value is not None:
        reader.value(value)
    return UNKNOWN


def _read_element(reader: Reader, node: Node) -> Chain:
    """``<Cart items={…}/>`` calls what it names, if that is no element of the document: those begin with a small letter."""
    name_node = node.child_by_field_name("name")
    if name_node is not None:
        if name_node.type == "member_expression":
            of, last = name_node.child_by_field_name("object"), name_node.child_by_field_name("property")
            if of is not None and last is not None:
                reader.refer(ReferenceKind.CALL, reader.facts.text(last), last, reader.value(of))
        elif name_node.type == "identifier" and reader.facts.text(name_node)[:1].isupper() and reader.local(reader.facts.text(name_node)) is None:
            reader.refer(ReferenceKind.CALL, reader.facts.text(name_node), name_node)
    for child in node.named_children:
        if child.type in {"jsx_attribute", "jsx_expression", "type_arguments"}:
            reader.value(child)
    return UNKNOWN


def _read_nothing(_reader: Reader, _node: Node) -> Chain:
    return UNKNOWN


# ---- statements


def _read_block(reader: Reader, node: Node) -> Chain:
    reader.scopes.append({})
    for child in node.named_children:
        reader.value(child)
        if reader.depth <= 2:
            reader.facts.breaks.add(child.end_point.row + 1)
    reader.scopes.pop()
    return UNKNOWN


def _read_variables(reader: Reader, node: Node) -> Chain:
    """Locals; a function with a name is a declaration of its own, and a required module is bound like an imported one."""
    for declarator in node.named_children:
        pattern, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if declarator.type != "variable_declarator" or pattern is None:
            reader.value(declarator)
            continue
        if pattern.type == "identifier" and value is not None and (value.type in FUNCTIONS or value.type in CLASSES):
            _declare(reader, node, pattern, value)
            continue
        module = required(reader.facts, value)
        if module is not None:
            bind_required(reader.facts, pattern, *module)
            continue
        type_node = declarator.child_by_field_name("type")
        type_ = reader.type(type_node) if type_node is not None else ""
        chain = reader.value(value) if value is not None else UNKNOWN
        reader.bind(pattern, typed(type_) if type_ else chain)
    return UNKNOWN


def _declare(reader: Reader, statement: Node, name_node: Node, value: Node) -> None:
    from services.indexer.languages.javascript.declarations import declare_value

    declare_value(reader.facts, reader.facts.text(name_node), name_node, value, _inside(reader), statement)


def _inside(reader: Reader) -> Place:
    """What is declared in a function sees the function's locals, those that come later too; it is read after it."""
    place = reader.place
    return replace(place, symbol=reader.owner, scopes=tuple(reader.scopes), member=False, in_code=True, exported=False, depth=place.depth + 1)


def _read_declaration(reader: Reader, node: Node) -> Chain:
    declare(reader.facts, node, _inside(reader))
    return UNKNOWN


def _read_assignment(reader: Reader, node: Node) -> Chain:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    chain = reader.value(right) if right is not None else UNKNOWN
    if left is None:
        return chain
    if left.type == "identifier":
        name = reader.facts.text(left)
        for scope in reversed(reader.scopes):
            if name in scope:
                if not is_known(scope[name]):
                    scope[name] = chain
                return chain
        reader.refer(ReferenceKind.ACCESS, name, left)
    elif left.type == "member_expression":
        _bind_attribute(reader, left, chain)
    else:
        reader.value(left)
    return chain


def _bind_attribute(reader: Reader, left: Node, chain: Chain) -> None:
    of, name_node = left.child_by_field_name("object"), left.child_by_field_name("property")
    receiver = reader.value(left)
    owner = reader.place.owner
    if of is None or name_node is None or of.type != "this" or receiver[0].kind is not StepKind.SELF or owner is None:
        return
    name = reader.facts.text(name_node)
    if (owner, name) in reader.facts.declared:
        return
    known = reader.facts.attributes.get((owner, name))
    if known is None:
        row, column = name_node.start_point
        written = reader.facts.lines[row].decode("utf-8", "replace").strip()[:_SIGNATURE]
        known = reader.facts.attributes[owner, name] = Attribute(name, row + 1, column + 1, reader.place, written)
    if not is_known(known.value):
        known.value = chain


def _read_for(reader: Reader, node: Node) -> Chain:
    left, right, body = (node.child_by_field_name(name) for name in ("left", "right", "body"))
    chain = reader.value(right) if right is not None else UNKNOWN
    operator = node.child_by_field_name("operator")
    reader.scopes.append({})
    if left is not None:
        reader.bind(left, extend(chain, INDEX) if operator is not None and operator.type == "of" else UNKNOWN)
    if body is not None:
        reader.value(body)
    reader.scopes.pop()
    return UNKNOWN


def _read_catch(reader: Reader, node: Node) -> Chain:
    parameter, body = node.child_by_field_name("parameter"), node.child_by_field_name("body")
    if parameter is not None:
        reader.bind(parameter, UNKNOWN)
    if body is not None:
        reader.value(body)
    return UNKNOWN


def _read_return(reader: Reader, node: Node) -> Chain:
    chain = UNKNOWN
    for child in node.named_children:
        chain = reader.value(child)
    if node.named_children:
        reader.returned.append(chain)
    return UNKNOWN


def _read_yield(reader: Reader, node: Node) -> Chain:
    reader.yields = True
    reader.each(node)
    return UNKNOWN


def _read_type(reader: Reader, node: Node) -> Chain:
    reader.type(node)
    return UNKNOWN


_HANDLERS: Mapping[str, Handler] = {
    "identifier": _read_name,
    "shorthand_property_identifier": _read_name,
    "this": _read_this,
    "super": _read_super,
    "member_expression": _read_member,
    "call_expression": _read_call,
    "new_expression": _read_call,
    "subscript_expression": _read_subscript,
    "await_expression": _read_inner,
    "parenthesized_expression": _read_inner,
    "non_null_expression": _read_inner,
    "expression_statement": _read_inner,
    "sequence_expression": _read_each,
    "binary_expression": _read_binary,
    "ternary_expression": _read_ternary,
    "as_expression": _read_cast,
    "satisfies_expression": _read_inner,
    "string": _read_nothing,
    "template_string": _literal("string"),
    "number": _literal("number"),
    "array": _literal("Array"),
    "regex": _literal("RegExp"),
    "pair": _read_pair,
    "jsx_opening_element": _read_element,
    "jsx_self_closing_element": _read_element,
    "jsx_closing_element": _read_nothing,
    "statement_block": _read_block,
    "lexical_declaration": _read_variables,
    "variable_declaration": _read_variables,
    "assignment_expression": _read_assignment,
    "for_in_statement": _read_for,
    "catch_clause": _read_catch,
    "return_statement": _read_return,
    "yield_expression": _read_yield,
    "type_annotation": _read_type,
    "type_identifier": _read_type,
    "generic_type": _read_type,
    "union_type": _read_type,
    "array_type": _read_type,
    "import_statement": _read_declaration,
    "break_statement": _read_nothing,
    "continue_statement": _read_nothing,
    **dict.fromkeys(FUNCTIONS, _read_function),
    "method_definition": _read_function,
    **dict.fromkeys(("function_declaration", "generator_function_declaration", "function_signature"), _read_declaration),
    **dict.fromkeys(("class_declaration", "abstract_class_declaration"), _read_declaration),
    **dict.fromkeys(("interface_declaration", "type_alias_declaration", "enum_declaration"), _read_declaration),
}
"""Kinds that are missing here are read by reading whatever is inside."""
