"""Reading Python code: who refers to what, and what values stand for.

Reading an expression emits the references in it and returns the chain that its value stands for. Locals are replaced by what they stand for, so a
receiver never starts with one: after ``client = Client()``, ``client.send()`` has the receiver ``Client()``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from exegesis.model import Chain, Reference, ReferenceKind, Step, StepKind
from services.indexer.chains import INDEX, SELF, SUPER, UNKNOWN, Scope, extend, is_known, named, typed
from services.indexer.languages.python.declarations import DECLARING, declare
from services.indexer.languages.python.facts import MAX_DEPTH, Attribute, Body, Facts, Place
from services.indexer.languages.python.imports import IMPORTS, read_import
from services.indexer.languages.python.types import Mention, mention, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNATURE = 300


class Reader:
    """Reads bodies, one after the other, with a function for each kind of node."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.place = Place()
        self.owner = 0
        self.scopes: list[Scope] = []
        self.globals: set[str] = set()
        self.returned: list[Chain] = []
        self.yields = False
        self.depth = 0

    def read(self, body: Body) -> None:
        """Read one body to its end."""
        self.place, self.owner = body.place, body.owner
        self.scopes = [*body.place.scopes] or [{}]
        if not body.is_function:
            self.scopes.append({})
        self.globals = set()
        self.returned, self.yields, self.depth = [], False, 0
        chain = UNKNOWN
        for node in body.nodes:
            chain = self.value(node)
        if body.symbol is not None:
            self._conclude(body.symbol, self._result() if body.is_function else chain)

    def _result(self) -> Chain:
        """What a function returns, if all that it returns is one thing."""
        known = [each for each in self.returned if each != _NONE]
        return known[0] if known and not self.yields and all(each == known[0] for each in known) else UNKNOWN

    def _conclude(self, index: int, chain: Chain) -> None:
        symbol = self.facts.symbols[index]
        if is_known(chain) and not symbol.type and chain != _NONE:
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

    def bind(self, target: Node, chain: Chain) -> None:
        """Give a value to whatever an assignment, a loop or a pattern names."""
        kind = target.type
        if kind == "identifier":
            name = self.facts.text(target)
            if name not in self.globals:
                self.scopes[-1][name] = chain
        elif kind in {"pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "as_pattern_target", "list_splat_pattern", "expression_list"}:
            for each in target.named_children:
                self.bind(each, chain if kind == "as_pattern_target" else UNKNOWN)
        elif kind == "attribute":
            self._bind_attribute(target, chain, "")
        elif kind != "comment":
            self.value(target)

    def _bind_attribute(self, target: Node, chain: Chain, type_: str) -> None:
        of, name_node = target.child_by_field_name("object"), target.child_by_field_name("attribute")
        if of is None or name_node is None:
            return
        receiver = self.value(of)
        name = self.facts.text(name_node)
        self.refer(ReferenceKind.ACCESS, name, name_node, receiver)
        owner = self.place.owner
        if receiver != SELF or owner is None or (owner, name) in self.facts.declared:
            return
        known = self.facts.attributes.get((owner, name))
        if known is None:
            row, column = name_node.start_point
            written = self.facts.lines[row].decode("utf-8", "replace").strip()[:_SIGNATURE]
            known = self.facts.attributes[owner, name] = Attribute(name, row + 1, column + 1, self.place, written)
        known.type = known.type or type_
        if not is_known(known.value) and chain != _NONE:
            known.value = chain


Handler = Callable[[Reader, "Node"], Chain]
_NONE: Chain = (Step(StepKind.LITERAL, "None"),)
"""What a literal None stands for while a body is read; it leaves no trace in the facts."""


def _known(chain: Chain) -> Chain:
    return UNKNOWN if chain == _NONE else chain


def _read_each(reader: Reader, node: Node) -> Chain:
    reader.each(node)
    return UNKNOWN


def _read_inner(reader: Reader, node: Node) -> Chain:
    """What stands for its only part: parentheses, ``await``."""
    chain = UNKNOWN
    for child in node.named_children:
        chain = reader.value(child)
    return chain


# ---- names, members, calls


def _read_name(reader: Reader, node: Node) -> Chain:
    name = reader.facts.text(node)
    chain = reader.local(name)
    if chain is not None:
        return _known(chain)
    reader.refer(ReferenceKind.ACCESS, name, node)
    return (named(name),)


def _read_attribute(reader: Reader, node: Node) -> Chain:
    of, name_node = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if of is None or name_node is None:
        return _read_each(reader, node)
    receiver = _known(reader.value(of))
    name = reader.facts.text(name_node)
    if name == "__class__":
        return _class_of(reader, receiver)
    reader.refer(ReferenceKind.ACCESS, name, name_node, receiver)
    return extend(receiver, named(name))


def _class_of(reader: Reader, chain: Chain) -> Chain:
    if chain == SELF and reader.place.container:
        return (Step(StepKind.METATYPE, reader.place.container),)
    if len(chain) == 1 and chain[0].kind is StepKind.TYPE:
        return (Step(StepKind.METATYPE, chain[0].name),)
    return UNKNOWN


def _read_call(reader: Reader, node: Node) -> Chain:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None:
        return _read_each(reader, node)
    if function.type == "identifier":
        return _call_name(reader, function, arguments)
    if function.type == "attribute":
        of, name_node = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        if of is not None and name_node is not None:
            receiver = _known(reader.value(of))
            name, labels = reader.facts.text(name_node), _labels(reader, arguments)
            reader.refer(ReferenceKind.CALL, name, name_node, receiver, labels)
            _read_arguments(reader, arguments)
            return extend(receiver, Step(StepKind.CALL, name, labels))
    value = _known(reader.value(function))
    _read_arguments(reader, arguments)
    return _called(reader, value, function, _labels(reader, arguments))


def _call_name(reader: Reader, function: Node, arguments: Node | None) -> Chain:
    name = reader.facts.text(function)
    labels = _labels(reader, arguments)
    local = reader.local(name)
    if local is not None:
        chain = _called(reader, _known(local), function, labels)
        _read_arguments(reader, arguments)
        return chain
    if name == "super" and reader.place.container:
        return SUPER
    if name == "type" and labels == ("_",) and arguments is not None:
        return _class_of(reader, _read_arguments(reader, arguments))
    if name == "cast" and len(labels) == 2 and arguments is not None:
        reader.refer(ReferenceKind.CALL, name, function, (), labels)
        first, second = [each for each in arguments.named_children if each.type != "comment"][:2]
        type_ = reader.type(first)
        reader.value(second)
        return typed(type_)
    reader.refer(ReferenceKind.CALL, name, function, (), labels)
    _read_arguments(reader, arguments)
    return (Step(StepKind.CALL, name, labels),)


def _called(reader: Reader, value: Chain, node: Node, labels: tuple[str, ...]) -> Chain:
    """The result of calling a value: a class makes an instance, another name for a function is that function."""
    last = value[-1]
    if value == SELF:  # the class that a class method is called on
        reader.refer(ReferenceKind.CALL, "__init__", node, SELF, labels)
        return typed(reader.place.container)
    if last.kind is StepKind.METATYPE:
        reader.refer(ReferenceKind.CALL, "__init__", node, value, labels)
        return typed(last.name)
    if last.kind is StepKind.NAME:
        if len(value) == 1:
            reader.refer(ReferenceKind.CALL, last.name, node, (), labels)
        return (*value[:-1], Step(StepKind.CALL, last.name, labels))
    if last.kind is StepKind.TYPE and last.name.startswith("Function<"):
        return typed(last.name[len("Function<") : -1].removesuffix("None"))
    return UNKNOWN


def _labels(reader: Reader, arguments: Node | None) -> tuple[str, ...]:
    """``_`` for an argument by position, its name for one by keyword, ``*`` for what stands for several."""
    if arguments is None:
        return ()
    if arguments.type != "argument_list":
        return ("_",)  # a generator without parentheses of its own
    labels = []
    for each in arguments.named_children:
        if each.type == "keyword_argument":
            name = each.child_by_field_name("name")
            labels.append(reader.facts.text(name) if name is not None else "_")
        elif each.type in {"list_splat", "dictionary_splat"}:
            labels.append("*")
        elif each.type != "comment":
            labels.append("_")
    return tuple(labels)


def _read_arguments(reader: Reader, arguments: Node | None) -> Chain:
    """Read all of them; the value of the last."""
    chain = UNKNOWN
    if arguments is not None and arguments.type != "argument_list":
        return reader.value(arguments)
    for each in arguments.named_children if arguments is not None else ():
        value = each.child_by_field_name("value") if each.type == "keyword_argument" else each
        if value is not None:
            chain = _known(reader.value(value))
    return chain


def _read_subscript(reader: Reader, node: Node) -> Chain:
    of, *within = node.named_children
    chain = _known(reader.value(of))
    for each in within:
        reader.value(each)
    return _element(chain)


def _element(chain: Chain) -> Chain:
    """What a subscript yields, or iterating."""
    return extend(chain, INDEX)


def _iterated(chain: Chain) -> Chain:
    last = chain[-1]
    if last.kind is StepKind.TYPE and last.name.startswith("dict"):
        return typed(last.name[len("dict<") :].partition(",")[0])
    return _element(chain)


# ---- operators and literals


def _read_binary(reader: Reader, node: Node) -> Chain:
    """Rows of operators lean to the left as deep as they are long: followed without recursion."""
    right: list[Node] = []
    current: Node | None = node
    while current is not None and current.type in {"binary_operator", "boolean_operator"}:
        other = current.child_by_field_name("right")
        if other is not None:
            right.append(other)
        left = current.child_by_field_name("left")
        if left is None:
            reader.each(current)
        current = left
    first = _known(reader.value(current)) if current is not None else UNKNOWN
    rest = [_known(reader.value(each)) for each in reversed(right)]
    if node.type == "boolean_operator":
        return next((each for each in (first, *rest) if is_known(each)), UNKNOWN)
    return UNKNOWN


def _read_conditional(reader: Reader, node: Node) -> Chain:
    parts = [_known(reader.value(child)) for child in node.named_children]
    values = [part for index, part in enumerate(parts) if index != 1 and is_known(part)]
    return values[0] if values else UNKNOWN


def _literal(type_: str) -> Handler:
    def read(reader: Reader, node: Node) -> Chain:
        reader.each(node)
        return typed(type_)

    return read


def _read_string(reader: Reader, node: Node) -> Chain:
    for child in node.named_children:
        if child.type == "interpolation":
            reader.each(child)
        elif child.type == "string":
            _read_string(reader, child)
    return typed("str")


def _read_none(_reader: Reader, _node: Node) -> Chain:
    return _NONE


def _read_lambda(reader: Reader, node: Node) -> Chain:
    scope: Scope = {}
    parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    for child in parameters.named_children if parameters is not None else ():
        value = child.child_by_field_name("value")
        if value is not None:
            reader.value(value)
        name = child.child_by_field_name("name") or child
        scope[reader.facts.text(name).lstrip("*")] = UNKNOWN
    reader.scopes.append(scope)
    if body is not None:
        reader.value(body)
    reader.scopes.pop()
    return UNKNOWN


def _read_comprehension(reader: Reader, node: Node) -> Chain:
    reader.scopes.append({})
    clauses = [child for child in node.named_children if child.type in {"for_in_clause", "if_clause"}]
    for clause in clauses:
        reader.value(clause)
    for child in node.named_children:
        if child.type not in {"for_in_clause", "if_clause"}:
            reader.value(child)
    reader.scopes.pop()
    return typed("dict" if node.type == "dictionary_comprehension" else "list")


def _read_for(reader: Reader, node: Node) -> Chain:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    chain = _known(reader.value(right)) if right is not None else UNKNOWN
    if left is not None:
        reader.bind(left, _iterated(chain))
    for child in node.named_children:
        if child.type in {"block", "else_clause"}:
            reader.value(child)
    return UNKNOWN


# ---- statements


def _read_block(reader: Reader, node: Node) -> Chain:
    for child in node.named_children:
        reader.value(child)
        if reader.depth <= 3:
            reader.facts.breaks.add(child.end_point.row + 1)
    return UNKNOWN


def _read_assignment(reader: Reader, node: Node) -> Chain:
    left, right, annotation = (node.child_by_field_name(name) for name in ("left", "right", "type"))
    chain = reader.value(right) if right is not None else UNKNOWN
    type_ = reader.type(annotation) if annotation is not None else ""
    if left is None:
        return chain
    if left.type == "attribute":
        reader._bind_attribute(left, typed(type_) if type_ else chain, type_)  # noqa: SLF001 - a part of the reader
    elif left.type in {"pattern_list", "tuple_pattern"} and right is not None and right.type in {"expression_list", "tuple"}:
        _bind_each(reader, left, right)
    else:
        reader.bind(left, typed(type_) if type_ else chain)
    return chain


def _bind_each(reader: Reader, left: Node, right: Node) -> None:
    """``a, b = first, second``: names are bound one by one where there are as many values."""
    targets, values = left.named_children, right.named_children
    if len(targets) != len(values) or any(each.type == "list_splat_pattern" for each in targets):
        reader.bind(left, UNKNOWN)
        return
    chains = [_name_of(reader, value) for value in values]  # the references in them are already there
    for target, chain in zip(targets, chains, strict=True):
        reader.bind(target, chain)


def _name_of(reader: Reader, value: Node) -> Chain:
    """What a value stands for that is a plain name or a construction by name; anything else is unknown."""
    if value.type == "identifier":
        name = reader.facts.text(value)
        local = reader.local(name)
        return _known(local) if local is not None else (named(name),)
    function = value.child_by_field_name("function") if value.type == "call" else None
    if function is not None and function.type == "identifier" and reader.local(reader.facts.text(function)) is None:
        return (Step(StepKind.CALL, reader.facts.text(function), _labels(reader, value.child_by_field_name("arguments"))),)
    return UNKNOWN


def _read_raise(reader: Reader, node: Node) -> Chain:
    """``raise Failure`` makes one, as ``raise Failure()`` does."""
    for child in node.named_children:
        if child.type == "identifier" and reader.local(reader.facts.text(child)) is None:
            reader.refer(ReferenceKind.CALL, reader.facts.text(child), child)
        else:
            reader.value(child)
    return UNKNOWN


def _read_walrus(reader: Reader, node: Node) -> Chain:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    chain = reader.value(value) if value is not None else UNKNOWN
    if name is not None:
        reader.bind(name, chain)
    return _known(chain)


def _read_as(reader: Reader, node: Node) -> Chain:
    """``with open() as file``, ``except Error as error``: the value, or an instance of the class."""
    value, alias = node.named_children[0] if node.named_children else None, node.child_by_field_name("alias")
    chain = _known(reader.value(value)) if value is not None else UNKNOWN
    if alias is not None:
        caught = node.parent is not None and node.parent.type.startswith("except")
        if caught:
            chain = typed(reader.facts.text(value)) if value is not None and value.type in {"identifier", "attribute"} else UNKNOWN
        reader.bind(alias, chain)
    return chain


def _read_if(reader: Reader, node: Node) -> Chain:
    """In what follows ``if isinstance(x, Kind):``, ``x`` is one."""
    condition, consequence = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if condition is not None:
        reader.value(condition)
    narrowed = _narrowed(reader, condition) if condition is not None else None
    if consequence is not None:
        if narrowed is not None:
            name, chain = narrowed
            before = reader.scopes[-1].get(name)
            reader.scopes[-1][name] = chain
            reader.value(consequence)
            if reader.scopes[-1].get(name) == chain:
                reader.scopes[-1][name] = before if before is not None else UNKNOWN
        else:
            reader.value(consequence)
    for child in node.named_children:
        if child.type in {"elif_clause", "else_clause"}:
            reader.value(child)
    return UNKNOWN


def _narrowed(reader: Reader, condition: Node) -> tuple[str, Chain] | None:
    function, arguments = condition.child_by_field_name("function"), condition.child_by_field_name("arguments")
    if condition.type != "call" or function is None or arguments is None or reader.facts.text(function) != "isinstance":
        return None
    given = arguments.named_children
    if len(given) != 2 or given[0].type != "identifier" or given[1].type not in {"identifier", "attribute"}:
        return None
    name = reader.facts.text(given[0])
    return None if reader.local(name) is None else (name, typed(reader.facts.text(given[1])))


def _read_return(reader: Reader, node: Node) -> Chain:
    chain = UNKNOWN
    for child in node.named_children:
        chain = reader.value(child)
    reader.returned.append(chain if node.named_children else _NONE)
    return UNKNOWN


def _read_yield(reader: Reader, node: Node) -> Chain:
    reader.yields = True
    reader.each(node)
    return UNKNOWN


def _read_global(reader: Reader, node: Node) -> Chain:
    if node.type == "global_statement":
        reader.globals.update(reader.facts.text(child) for child in node.named_children)
    return UNKNOWN


def _read_pattern(reader: Reader, node: Node) -> Chain:
    """``case Point(x=0)`` names a type; other names in patterns are bound."""
    if node.type == "class_pattern" and node.named_children:
        reader.type(node.named_children[0])
        for child in node.named_children[1:]:
            reader.value(child)
    elif node.type == "dotted_name" and len(node.named_children) == 1:
        reader.bind(node.named_children[0], UNKNOWN)
    elif node.type == "dotted_name":
        *around, last = node.named_children
        chain = tuple(named(reader.facts.text(each)) for each in around)
        reader.refer(ReferenceKind.ACCESS, reader.facts.text(last), last, chain)
    else:
        reader.each(node)
    return UNKNOWN


def _read_declaration(reader: Reader, node: Node) -> Chain:
    """What is declared in a function sees the function's locals, those that come later too; it is read after it."""
    place = replace(reader.place, scopes=tuple(reader.scopes), member=False, depth=reader.place.depth + 1)
    declare(reader.facts, node, place)
    return UNKNOWN


def _read_import(reader: Reader, node: Node) -> Chain:
    read_import(reader.facts, node)
    return UNKNOWN


def _read_type(reader: Reader, node: Node) -> Chain:
    reader.type(node)
    return UNKNOWN


_HANDLERS: Mapping[str, Handler] = {
    "identifier": _read_name,
    "attribute": _read_attribute,
    "call": _read_call,
    "subscript": _read_subscript,
    "await": _read_inner,
    "parenthesized_expression": _read_inner,
    "expression_statement": _read_inner,
    "binary_operator": _read_binary,
    "boolean_operator": _read_binary,
    "conditional_expression": _read_conditional,
    "string": _read_string,
    "concatenated_string": _read_string,
    "integer": _literal("int"),
    "float": _literal("float"),
    "true": _literal("bool"),
    "false": _literal("bool"),
    "list": _literal("list"),
    "tuple": _literal("tuple"),
    "set": _literal("set"),
    "dictionary": _literal("dict"),
    "none": _read_none,
    "lambda": _read_lambda,
    "list_comprehension": _read_comprehension,
    "set_comprehension": _read_comprehension,
    "generator_expression": _read_comprehension,
    "dictionary_comprehension": _read_comprehension,
    "for_in_clause": _read_for,
    "for_statement": _read_for,
    "block": _read_block,
    "assignment": _read_assignment,
    "named_expression": _read_walrus,
    "as_pattern": _read_as,
    "if_statement": _read_if,
    "return_statement": _read_return,
    "raise_statement": _read_raise,
    "yield": _read_yield,
    "global_statement": _read_global,
    "nonlocal_statement": _read_global,
    "class_pattern": _read_pattern,
    "dotted_name": _read_pattern,
    "case_pattern": _read_pattern,
    "type": _read_type,
    **dict.fromkeys(DECLARING, _read_declaration),
    **dict.fromkeys(IMPORTS, _read_import),
}
"""Kinds that are missing here are read by reading whatever is inside."""
