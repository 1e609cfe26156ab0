"""Declarations of scripts: each becomes a symbol; the code in them is put aside until all heads of the file are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from exegesis.model import Modifier, ReferenceKind, SymbolKind
from services.indexer.languages.javascript.facts import MAX_DEPTH, Attribute, Body, Facts, Place
from services.indexer.languages.javascript.heads import Head, names_in, read_head, read_modifiers
from services.indexer.languages.javascript.imports import DEFAULT, bind_required, export_as, export_module, read_export, read_import, required
from services.indexer.languages.javascript.symbols import Naming, add_symbol
from services.indexer.languages.javascript.types import Mention, mention, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
"""Functions as values."""

CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})

_BRANCHING = frozenset(
    {
        *("if_statement", "else_clause", "statement_block", "try_statement", "catch_clause", "finally_clause", "for_statement", "for_in_statement"),
        *("while_statement", "switch_statement", "switch_body", "switch_case", "labeled_statement", "do_statement", "ambient_declaration"),
    }
)
"""What declarations may stand in without being inside of a declaration."""


def declare_block(facts: Facts, nodes: Sequence[Node], place: Place) -> None:
    """Statements outside of functions; what they do besides declaring is code of the module."""
    code: list[Node] = []
    for node in nodes:
        if not node.is_named or node.type == "comment":
            continue
        if node.type == "ERROR":
            facts.complain(f"syntax not understood at line {node.start_point.row + 1}")
        if not declare(facts, node, place):
            if node.type in _BRANCHING or node.type == "ERROR":
                if place.depth < MAX_DEPTH:
                    declare_block(facts, node.named_children, replace(place, depth=place.depth + 1))
            else:
                code.append(node)
        if place.depth < 2:
            facts.breaks.add(node.end_point.row + 1)
    if code:
        facts.bodies.append(Body(tuple(code), place.symbol if place.symbol is not None else facts.module, place))


def declare(facts: Facts, node: Node, place: Place, whole: Node | None = None) -> bool:
    """Take in one statement; ``whole`` is what it is part of, such as an export. False when it declares nothing."""
    read = _DECLARERS.get(node.type)
    if read is None:
        return False
    if place.depth > MAX_DEPTH:
        facts.complain(f"declarations nested too deeply at line {node.start_point.row + 1}")
        return True
    return read(facts, node, place, whole or node)


# ---- imports and exports


def _declare_import(facts: Facts, node: Node, _place: Place, _whole: Node) -> bool:
    read_import(facts, node)
    return True


def _declare_export(facts: Facts, node: Node, place: Place, _whole: Node) -> bool:
    inner = replace(place, exported=True)
    declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    by_default = any(child.type in {"default", "="} for child in node.children)
    if declaration is not None:
        before = len(facts.symbols)
        declare(facts, declaration, inner, node)
        if by_default and len(facts.symbols) > before:
            export_as(facts, DEFAULT, facts.symbols[before].name)
    elif value is not None:
        export_value(facts, value, inner, node)
    elif by_default:
        for child in node.named_children:
            export_value(facts, child, inner, node)
    else:
        read_export(facts, node)
    return True


def export_value(facts: Facts, value: Node, place: Place, whole: Node) -> None:
    """What a module is as a whole: another name for something, or a thing without a name of its own."""
    if value.type == "identifier":
        export_as(facts, DEFAULT, facts.text(value))
    elif value.type == "object":
        _export_members(facts, value, place)
    elif (module := required(facts, value)) is not None:
        export_module(facts, *module)
    else:
        made = _made_by(value)
        own = made.child_by_field_name("name") if made.type in FUNCTIONS or made.type in CLASSES else None
        name = facts.text(own) if own is not None else facts.called
        declare_value(facts, name, own or value, made, place, whole)
        export_as(facts, DEFAULT, name)
        left = value.child_by_field_name("left") if made is not value else None
        if left is not None:
            facts.bodies.append(Body((left,), facts.symbols[-1].id, place))


def _made_by(value: Node) -> Node:
    """The function or class in ``condition && function …``; any other value as it is."""
    inner: Node | None = value
    while inner is not None and inner.type in {"binary_expression", "parenthesized_expression", "as_expression", "satisfies_expression"}:
        inner = inner.child_by_field_name("right") or (inner.named_children[0] if inner.named_children else None)
    return inner if inner is not None and (inner.type in FUNCTIONS or inner.type in CLASSES) else value


def _export_members(facts: Facts, value: Node, place: Place) -> None:
    """``module.exports = { a, b: c, d() {} }`` and ``export default { … }``: what others see under those names."""
    code: list[Node] = []
    for each in value.named_children:
        key, inner = each.child_by_field_name("key"), each.child_by_field_name("value")
        if each.type == "method_definition":
            name = each.child_by_field_name("name")
            if name is not None and name.type == "property_identifier":
                declare_value(facts, facts.text(name), name, each, place, each)
        elif each.type == "pair" and key is not None and inner is not None and key.type == "property_identifier":
            if inner.type == "identifier":
                export_as(facts, facts.text(key), facts.text(inner))
                code.append(inner)
            elif inner.type in FUNCTIONS or inner.type in CLASSES:
                declare_value(facts, facts.text(key), key, inner, place, each)
            elif (module := required(facts, inner)) is not None:
                export_module(facts, *module, name=facts.text(key))
            else:
                code.append(inner)
        elif each.type != "comment":
            code.append(each)
    if code:
        facts.bodies.append(Body(tuple(code), place.symbol if place.symbol is not None else facts.module, place))


# ---- functions


def _declare_function(facts: Facts, node: Node, place: Place, whole: Node) -> bool:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return False
    if facts.text(name_node) in facts.constructors and not place.in_code:
        _declare_constructor(facts, node, name_node, place, whole)
    else:
        declare_value(facts, facts.text(name_node), name_node, node, place, whole)
    return True


def _declare_constructor(facts: Facts, node: Node, name_node: Node, place: Place, whole: Node) -> None:
    """A function that has a prototype is a class, and its body that of its constructor."""
    naming = Naming(facts.text(name_node), name_node, SymbolKind.CLASS)
    symbol, within = add_symbol(facts, whole, naming, place, body=node.child_by_field_name("body"))
    _queue_function(facts, node, symbol.id, len(facts.symbols) - 1, replace(within, member=False), read_head(facts, node))


def declare_value(  # noqa: PLR0917 - what it is, how it is called, where it stands
    facts: Facts, name: str, name_node: Node, value: Node, place: Place, whole: Node, kind: SymbolKind | None = None
) -> None:
    """Something with a name: a function, a class, an object with functions of its own, or any other value."""
    if value.type in CLASSES:
        _add_class(facts, value, name, name_node, place, whole)
        return
    naming = Naming(name, name_node, kind or SymbolKind.FUNCTION)
    if value.type in FUNCTIONS or value.type in {"function_declaration", "generator_function_declaration", "function_signature", "method_definition"}:
        body = value.child_by_field_name("body")
        head = read_head(facts, value)
        symbol, within = add_symbol(facts, whole, naming, place, read_modifiers(facts, value), body=body)
        facts.symbols[-1] = replace(symbol, parameters=tuple(head.parameters), type=head.result)
        mention(facts, head.mentions, symbol.id)
        has_own_this = place.in_code and value.type != "arrow_function"
        inside = replace(within, container="", owner=None) if has_own_this else within
        _queue_function(facts, value, symbol.id, len(facts.symbols) - 1, inside, head)
        return
    naming = replace(naming, kind=kind or SymbolKind.VARIABLE)
    if value.type == "object" and (name in facts.holders or _has_functions(value)) and not place.in_code and kind is None:
        _declare_object(facts, value, replace(naming, kind=SymbolKind.STRUCT), place, whole)
        return
    symbol, _ = add_symbol(facts, whole, naming, place)
    facts.bodies.append(Body((value,), symbol.id, place, len(facts.symbols) - 1))


def _has_functions(value: Node) -> bool:
    return any(
        each.type == "method_definition" or ((inner := each.child_by_field_name("value")) is not None and inner.type in FUNCTIONS)
        for each in value.named_children
    )


def _declare_object(facts: Facts, value: Node, naming: Naming, place: Place, whole: Node) -> None:
    """An object with functions of its own is a type of which it is the only value."""
    symbol, within = add_symbol(facts, whole, naming, place, body=value)
    code: list[Node] = []
    for each in value.named_children:
        key, inner = each.child_by_field_name("key"), each.child_by_field_name("value")
        if each.type == "method_definition":
            _declare_method(facts, each, within, each)
        elif each.type == "pair" and key is not None and key.type == "property_identifier" and inner is not None and inner.type in FUNCTIONS:
            declare_value(facts, facts.text(key), key, inner, within, each, SymbolKind.METHOD)
        elif each.type == "shorthand_property_identifier" or (inner is not None and inner.type == "identifier" and key is not None):
            name_node = key if key is not None else each
            add_symbol(facts, each, Naming(facts.text(name_node), name_node, SymbolKind.PROPERTY), within)
            facts.bodies.append(Body((inner if inner is not None else each,), facts.symbols[-1].id, place, len(facts.symbols) - 1))
        elif each.type != "comment":
            code.append(each)
        facts.breaks.add(each.end_point.row + 1)
    if code:
        facts.bodies.append(Body(tuple(code), symbol.id, place))


def _queue_function(  # noqa: PLR0917 - what it is, how it is called, where it stands
    facts: Facts, node: Node, owner: int, index: int, place: Place, head: Head
) -> None:
    if head.values:
        facts.bodies.append(Body(tuple(head.values), owner, replace(place, in_code=True)))
    body = node.child_by_field_name("body")
    if body is not None:
        inside = replace(place, in_code=True, member=False, exported=False, scopes=(*place.scopes, head.scope))
        facts.bodies.append(Body((body,), owner, inside, index, is_function=True))


def _declare_class(facts: Facts, node: Node, place: Place, whole: Node) -> bool:
    name_node = node.child_by_field_name("name")
    if name_node is None and not place.exported:
        return False
    _add_class(facts, node, facts.text(name_node) if name_node is not None else facts.called, name_node or node, place, whole)
    return True


def _add_class(  # noqa: PLR0917 - what it is, how it is called, where it stands
    facts: Facts, node: Node, name: str, name_node: Node, place: Place, whole: Node
) -> None:
    mentions: list[Mention] = []
    inherits: list[str] = []
    code = [child for each in {whole.id: whole, node.id: node}.values() for child in each.named_children if child.type == "decorator"]
    for clause in (each for child in node.named_children if child.type == "class_heritage" for each in _clauses(child)):
        if clause.type in {"identifier", "member_expression", "type_identifier", "nested_type_identifier", "generic_type"}:
            inherits.append(read_type(facts, clause, mentions).partition("<")[0])
        elif clause.type not in {"type_arguments", "comment"}:
            code.append(clause)
    body = node.child_by_field_name("body")
    symbol, within = add_symbol(facts, whole, Naming(name, name_node, SymbolKind.CLASS), place, body=body)
    facts.symbols[-1] = replace(symbol, inherits=tuple(filter(None, inherits)))
    mention(facts, mentions, symbol.id, ReferenceKind.INHERIT)
    if code:
        facts.bodies.append(Body(tuple(code), symbol.id, place))
    if body is not None:
        _declare_members(facts, body, within)


def _clauses(heritage: Node) -> list[Node]:
    """What a class extends and implements: the grammar of JavaScript names it at once, that of TypeScript in clauses."""
    found = []
    for child in heritage.named_children:
        found += child.named_children if child.type in {"extends_clause", "implements_clause"} else [child]
    return found


def _declare_members(facts: Facts, body: Node, place: Place) -> None:
    code: list[Node] = []
    for child in body.named_children:
        if child.type in {"method_definition", "method_signature", "abstract_method_signature"}:
            _declare_method(facts, child, place, child)
        elif child.type in {"field_definition", "public_field_definition", "property_signature"}:
            _declare_field(facts, child, place)
        elif child.type == "class_static_block":
            code.append(child)
        if child.type != "comment":
            facts.breaks.add(child.end_point.row + 1)
    if code and place.symbol is not None:
        facts.bodies.append(Body(tuple(code), place.symbol, place))


def _declare_method(facts: Facts, node: Node, place: Place, whole: Node) -> None:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None or name_node.type == "computed_property_name":
        if body is not None and place.symbol is not None:
            facts.bodies.append(Body((body,), place.symbol, replace(place, in_code=True, member=False)))
        return
    name = facts.text(name_node).strip("\"'")
    modifiers = read_modifiers(facts, node)
    kind = SymbolKind.INITIALIZER if name == "constructor" else SymbolKind.METHOD
    if any(child.type in {"get", "set"} for child in node.children):
        kind = SymbolKind.PROPERTY
        modifiers |= Modifier.COMPUTED
    if name.startswith("#"):
        modifiers |= Modifier.PRIVATE
    head = read_head(facts, node)
    symbol, within = add_symbol(facts, whole, Naming(name, name_node, kind), place, modifiers, body=body)
    facts.symbols[-1] = replace(symbol, parameters=tuple(head.parameters) if kind.is_callable else (), type=head.result)
    mention(facts, head.mentions, symbol.id)
    head.values += [child for child in node.named_children if child.type == "decorator"]
    _queue_function(facts, node, symbol.id, len(facts.symbols) - 1, within, head)
    for pattern, type_ in head.properties:
        if place.owner is not None:
            row, column = pattern.start_point
            signature = facts.text(pattern.parent) if pattern.parent is not None else ""
            attribute = Attribute(facts.text(pattern), row + 1, column + 1, place, signature, type_)
            facts.attributes.setdefault((place.owner, attribute.name), attribute)


def _declare_field(facts: Facts, node: Node, place: Place) -> None:
    name_node = node.child_by_field_name("name") or node.child_by_field_name("property")
    value, type_node = node.child_by_field_name("value"), node.child_by_field_name("type")
    if name_node is None or name_node.type == "computed_property_name":
        return
    name = facts.text(name_node).strip("\"'")
    modifiers = read_modifiers(facts, node) | (Modifier.PRIVATE if name.startswith("#") else Modifier.NONE)
    if place.owner is not None:
        facts.declared.add((place.owner, name))
    if value is not None and value.type in FUNCTIONS:
        declare_value(facts, name, name_node, value, place, node, SymbolKind.METHOD)
        facts.symbols[-1] = replace(facts.symbols[-1], modifiers=facts.symbols[-1].modifiers | modifiers)
        return
    mentions: list[Mention] = []
    type_ = read_type(facts, type_node, mentions) if type_node is not None else ""
    symbol, _ = add_symbol(facts, node, Naming(name, name_node, SymbolKind.PROPERTY), place, modifiers)
    facts.symbols[-1] = replace(symbol, type=type_)
    mention(facts, mentions, symbol.id)
    code = [child for child in node.named_children if child.type == "decorator"]
    if code:
        facts.bodies.append(Body(tuple(code), symbol.id, place))
    if value is not None:
        index = next(index for index in range(len(facts.symbols) - 1, -1, -1) if facts.symbols[index].id == symbol.id)
        facts.bodies.append(Body((value,), symbol.id, replace(place, in_code=True, member=False), None if type_ else index))


def _declare_interface(facts: Facts, node: Node, place: Place, whole: Node) -> bool:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return False
    mentions: list[Mention] = []
    clauses = [child for child in node.named_children if child.type in {"extends_type_clause", "extends_clause"}]
    inherits = [read_type(facts, each, mentions).partition("<")[0] for clause in clauses for each in clause.named_children]
    naming = Naming(facts.text(name_node), name_node, SymbolKind.PROTOCOL)
    symbol, within = add_symbol(facts, whole, naming, place, body=body)
    facts.symbols[-1] = replace(symbol, inherits=tuple(filter(None, inherits)))
    mention(facts, mentions, symbol.id, ReferenceKind.INHERIT)
    if body is not None:
        _declare_members(facts, body, within)
    return True


def _declare_alias(facts: Facts, node: Node, place: Place, whole: Node) -> bool:
    name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name_node is None or value is None:
        return False
    mentions: list[Mention] = []
    is_shape = value.type == "object_type"
    type_ = "" if is_shape else read_type(facts, value, mentions)
    naming = Naming(facts.text(name_node), name_node, SymbolKind.TYPEALIAS)
    symbol, within = add_symbol(facts, whole, naming, place, body=value if is_shape else None)
    facts.symbols[-1] = replace(symbol, type=type_)
    mention(facts, mentions, symbol.id)
    if is_shape:
        _declare_members(facts, value, replace(within, container=symbol.name, owner=symbol.id, member=True))
    return True


def _declare_enum(facts: Facts, node: Node, place: Place, whole: Node) -> bool:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return False
    naming = Naming(facts.text(name_node), name_node, SymbolKind.ENUM)
    symbol, within = add_symbol(facts, whole, naming, place, body=body)
    for child in body.named_children if body is not None else ():
        case = child.child_by_field_name("name") if child.type == "enum_assignment" else child
        if case is not None and case.type in {"property_identifier", "string"}:
            add_symbol(facts, child, Naming(facts.text(case).strip("\"'"), case, SymbolKind.CASE), within)
        value = child.child_by_field_name("value")
        if value is not None:
            facts.bodies.append(Body((value,), symbol.id, place))
    return True


def _declare_namespace(facts: Facts, node: Node, place: Place, _whole: Node) -> bool:
    """What a namespace holds is named through it; to the linker it stands at the top level of the file."""
    body = node.child_by_field_name("body")
    if body is not None:
        declare_block(facts, body.named_children, replace(place, depth=place.depth + 1, exported=False))
    return True


# ---- variables


def _declare_variables(facts: Facts, node: Node, place: Place, whole: Node) -> bool:
    declarators = [child for child in node.named_children if child.type == "variable_declarator"]
    for declarator in declarators:
        pattern, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if pattern is None:
            continue
        module = required(facts, value)
        if module is not None:
            bind_required(facts, pattern, *module)
            continue
        at = whole if len(declarators) == 1 else declarator
        while value is not None and value.type == "assignment_expression":  # var app = exports = module.exports = {}
            left = value.child_by_field_name("left")
            if left is not None and facts.text(left) in {"module.exports", "exports"} and pattern.type == "identifier":
                export_as(facts, DEFAULT, facts.text(pattern))
            value = value.child_by_field_name("right")
        if pattern.type == "identifier" and value is not None and facts.text(pattern) in facts.constructors and value.type in FUNCTIONS:
            _declare_constructor(facts, value, pattern, place, at)
        elif pattern.type == "identifier":
            _declare_variable(facts, pattern, declarator.child_by_field_name("type"), value, place, at)
        else:
            _declare_pattern(facts, pattern, value, place, at)
    return True


def _declare_variable(  # noqa: PLR0917 - what it is, how it is called, where it stands
    facts: Facts, name_node: Node, type_node: Node | None, value: Node | None, place: Place, whole: Node
) -> None:
    mentions: list[Mention] = []
    type_ = read_type(facts, type_node, mentions) if type_node is not None else ""
    before = len(facts.symbols)
    if value is None:
        add_symbol(facts, whole, Naming(facts.text(name_node), name_node, SymbolKind.VARIABLE), place)
    else:
        while value.type in {"as_expression", "satisfies_expression", "parenthesized_expression"} and value.named_children:
            value = value.named_children[0]
        declare_value(facts, facts.text(name_node), name_node, value, place, whole)
    symbol = facts.symbols[before]
    if type_ and not symbol.kind.is_callable and not symbol.kind.is_type:
        facts.symbols[before] = replace(symbol, type=type_)
    mention(facts, mentions, symbol.id)


def _declare_pattern(facts: Facts, pattern: Node, value: Node | None, place: Place, whole: Node) -> None:
    """``const { a, b } = value``: the code belongs to the first of the names."""
    owner: int | None = None
    for name in sorted(set(names_in(facts, pattern))):
        symbol, _ = add_symbol(facts, whole, Naming(name, pattern, SymbolKind.VARIABLE), place, first=owner is None)
        owner = symbol.id if owner is None else owner
    if value is not None:
        facts.bodies.append(Body((value,), owner if owner is not None else facts.module, place))


# ---- assignments that declare


def _declare_statement(facts: Facts, node: Node, place: Place, whole: Node) -> bool:
    """``exports.f = …``, ``Foo.prototype.bar = …``, ``Foo.bar = function …``; the body of a function that is called at once."""
    inner = node.named_children[0] if node.named_children else None
    if inner is None or place.in_code:
        return False
    if inner.type == "internal_module":
        return _declare_namespace(facts, inner, place, whole)
    body = _called_at_once(inner)
    if body is not None:
        declare_block(facts, body.named_children, replace(place, depth=place.depth + 1))
        return True
    if inner.type != "assignment_expression":
        return False
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    exported: list[Node] = []
    while left is not None and right is not None and right.type == "assignment_expression":
        exported.append(left)
        left, right = right.child_by_field_name("left"), right.child_by_field_name("right")
    if left is None or right is None:
        return False
    if not _declare_assigned(facts, left, right, place, node):
        return False
    for other in exported:
        target, name = _target(facts, other)
        if target in {"exports", "module.exports"} and right.type == "identifier":
            export_as(facts, name, facts.text(right))
    return True


def _called_at_once(node: Node) -> Node | None:
    """The body of ``(function () { … })()``, however it is written."""
    while node.type in {"unary_expression", "parenthesized_expression", "await_expression"} and node.named_children:
        node = node.named_children[0]
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    while function is not None and function.type in {"parenthesized_expression", "member_expression"}:
        function = function.named_children[0] if function.named_children else None
    body = function.child_by_field_name("body") if function is not None and function.type in FUNCTIONS else None
    return body if body is not None and body.type == "statement_block" else None


def _target(facts: Facts, left: Node) -> tuple[str, str]:
    """What stands before the last name of an assignment's left side, and that name."""
    if left.type == "member_expression":
        of, name = left.child_by_field_name("object"), left.child_by_field_name("property")
        if of is not None and name is not None and of.type in {"identifier", "member_expression"}:
            written = f"{facts.text(of)}.{facts.text(name)}"
            return ("module.exports", "default") if written == "module.exports" else (facts.text(of), facts.text(name))
    return ("exports", "default") if left.type == "identifier" and facts.text(left) == "exports" else ("", "")


def _declare_assigned(facts: Facts, left: Node, right: Node, place: Place, whole: Node) -> bool:
    target, name = _target(facts, left)
    if not target:
        return False
    name_node = left.child_by_field_name("property") or left
    outside = replace(place, exported=True)
    if target in {"exports", "module.exports"}:
        if name == DEFAULT:
            export_value(facts, right, outside, whole)
        elif right.type == "identifier":
            export_as(facts, name, facts.text(right))
        elif (module := required(facts, right)) is not None:
            export_module(facts, *module, name=name)
        elif right.type != "undefined":
            declare_value(facts, name, name_node, right, outside, whole)
        return True
    owner = target.removesuffix(".prototype")
    if name == "prototype" and right.type == "object":
        _declare_prototype(facts, right, target, place)
        return True
    if right.type not in FUNCTIONS or "." in owner:
        return False
    modifiers = Modifier.NONE if target != owner or owner not in facts.constructors else Modifier.STATIC
    holder = next((symbol.id for symbol in facts.symbols if symbol.name == owner and not symbol.container), None)
    member = replace(place, member=True, container=owner, qualified=owner, owner=holder, key=f"{place.key}.{owner}")
    declare_value(facts, name, name_node, right, member, whole, SymbolKind.METHOD)
    facts.symbols[-1] = replace(facts.symbols[-1], modifiers=facts.symbols[-1].modifiers | modifiers)
    return True


def _declare_prototype(facts: Facts, value: Node, owner: str, place: Place) -> None:
    holder = next((symbol.id for symbol in facts.symbols if symbol.name == owner and not symbol.container), None)
    member = replace(place, member=True, container=owner, qualified=owner, owner=holder, key=f"{place.key}.{owner}")
    for each in value.named_children:
        key, inner = each.child_by_field_name("key"), each.child_by_field_name("value")
        if each.type == "method_definition":
            _declare_method(facts, each, member, each)
        elif key is not None and inner is not None and inner.type in FUNCTIONS:
            declare_value(facts, facts.text(key), key, inner, member, each, SymbolKind.METHOD)


_Declarer = Callable[["Facts", "Node", Place, "Node"], bool]

_DECLARERS: Mapping[str, _Declarer] = {
    "import_statement": _declare_import,
    "export_statement": _declare_export,
    "function_declaration": _declare_function,
    "generator_function_declaration": _declare_function,
    "function_signature": _declare_function,
    "class_declaration": _declare_class,
    "abstract_class_declaration": _declare_class,
    "class": _declare_class,
    "interface_declaration": _declare_interface,
    "type_alias_declaration": _declare_alias,
    "enum_declaration": _declare_enum,
    "lexical_declaration": _declare_variables,
    "variable_declaration": _declare_variables,
    "internal_module": _declare_namespace,
    "module": _declare_namespace,
    "expression_statement": _declare_statement,
}
