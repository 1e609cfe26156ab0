"""What is declared outside of functions: functions, types and their members, variables, macros, namespaces; in all branches of ``#if``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from exegesis.model import Modifier, Parameter, ReferenceKind, Span, StepKind, Symbol, SymbolKind
from services.indexer.comments import start_of_comments
from services.indexer.languages.c.code import Body, read_body, read_value
from services.indexer.languages.c.comments import read_doc, says_deprecated
from services.indexer.languages.c.facts import MAX_DEPTH, Facts
from services.indexer.languages.c.types import declared_name, mention_types, read_parameters, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNATURE = 300
_TYPES = {
    "struct_specifier": SymbolKind.STRUCT,
    "union_specifier": SymbolKind.STRUCT,
    "class_specifier": SymbolKind.CLASS,
    "enum_specifier": SymbolKind.ENUM,
}
_AROUND = frozenset(
    {
        *("translation_unit", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef", "declaration_list", "ERROR"),
        *("linkage_specification", "field_declaration_list", "export_declaration"),
    }
)
"""Nodes whose children are declared where they stand themselves."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a declaration stands."""

    owner: Symbol | None = None
    """The type around it."""
    container: str = ""
    around: Node | None = None
    """What is to be shown with it: the ``template <…>`` above."""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Naming:
    name: str
    node: Node
    kind: SymbolKind
    container: str = ""


def declare(facts: Facts, node: Node, place: Place) -> None:
    """Everything that a node declares, however deep it stands in conditions and namespaces."""
    if place.depth > MAX_DEPTH:
        facts.complain(f"code nested too deeply at line {node.start_point.row + 1}")
        return
    inner = replace(place, depth=place.depth + 1, around=None)
    match node.type:
        case kind if kind in _AROUND:
            for child in node.named_children:
                declare(facts, child, inner)
        case "function_definition":
            _function(facts, node, place)
        case "declaration" | "field_declaration":
            _declaration(facts, node, place)
        case "type_definition" | "alias_declaration":
            _definition(facts, node, place)
        case kind if kind in _TYPES:
            _type(facts, node, place)
        case "namespace_definition":
            _namespace(facts, node, inner)
        case "template_declaration":
            for child in node.named_children:
                if child.type != "template_parameter_list":
                    declare(facts, child, replace(inner, around=node))
        case "preproc_include":
            path = node.child_by_field_name("path")
            if path is not None:
                facts.imports.append(facts.text(path).strip('"<>'))
        case "preproc_def" | "preproc_function_def":
            _macro(facts, node)


def _namespace(facts: Facts, node: Node, place: Place) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is not None:
        last = facts.text(name).rpartition("::")[2]
        _add(facts, node, Naming(last, name, SymbolKind.MODULE), Place(), body=body)
    if body is not None:
        declare(facts, body, place)


def _macro(facts: Facts, node: Node) -> None:
    """Function-like macros are called; the others are named values, and both are seen in their file and where that is included. What only says that a
    header was read is neither.
    """
    name = node.child_by_field_name("name")
    is_function = node.type == "preproc_function_def"
    if name is not None and (is_function or node.child_by_field_name("value") is not None):
        kind = SymbolKind.MACRO if is_function else SymbolKind.VARIABLE
        modifiers = Modifier.NONE if facts.is_header else Modifier.PRIVATE
        signature = facts.text(node).partition("\n")[0].rstrip("\\ ")
        _add(facts, node, Naming(facts.text(name), name, kind), Place(), modifiers=modifiers, signature=signature)


def _static(facts: Facts, place: Place) -> Modifier:
    """What ``static`` says: of a member that it belongs to the type, of others that no other file sees them, unless it includes them."""
    if place.owner is not None:
        return Modifier.STATIC
    return Modifier.NONE if facts.is_header else Modifier.PRIVATE


def _function(facts: Facts, node: Node, place: Place) -> None:
    name, function = declared_name(node.child_by_field_name("declarator"))
    body = node.child_by_field_name("body") or next((child for child in node.named_children if child.type == "compound_statement"), None)
    if name is None or function is None:
        if body is not None:  # a macro that the grammar does not know stands in the head: what runs is still read
            declare(facts, body, replace(place, depth=place.depth + 1))
        return
    symbol = _callable(facts, node, name, function, place, body=body)
    if body is None:
        return
    container = symbol.container
    read_body(facts, Body(node, body, symbol.id, symbol.parameters, in_type=bool(container)))


def _callable(facts: Facts, node: Node, name: Node, function: Node, place: Place, *, body: Node | None) -> Symbol:
    """A function, method, constructor or destructor, or the prototype of one."""
    container = place.container
    while name.type == "qualified_identifier":
        scope, inner = name.child_by_field_name("scope"), name.child_by_field_name("name")
        if inner is None:
            break
        container = read_type(facts, scope).partition("<")[0] if scope is not None else container
        name = inner
    text = facts.text(name)
    kind = SymbolKind.METHOD if container else SymbolKind.FUNCTION
    if name.type == "destructor_name":
        kind = SymbolKind.DEINITIALIZER
    elif name.type == "operator_name":
        kind = SymbolKind.OPERATOR
    elif container and text == container.rpartition(".")[2]:
        kind = SymbolKind.INITIALIZER
    if body is None and not _is_defaulted(node):
        kind = SymbolKind.PROTOTYPE
    specifiers = {facts.text(child) for child in node.children if child.type in {"storage_class_specifier", "virtual", "virtual_specifier"}}
    modifiers = Modifier.NONE
    if "static" in specifiers:
        modifiers |= _static(facts, place)
    if text == "main" and not container:
        modifiers |= Modifier.ENTRY
    if any(child.type == "virtual_specifier" and facts.text(child) == "override" for child in function.children):
        modifiers |= Modifier.OVERRIDE
    symbol = _add(
        facts,
        node,
        Naming(text, name, kind, container),
        place,
        body=body,
        parameters=tuple(read_parameters(facts, function)),
        type_=read_type(facts, node.child_by_field_name("type")),
        modifiers=modifiers,
    )
    mention_types(facts, node.child_by_field_name("type"), symbol.id)
    mention_types(facts, function.child_by_field_name("parameters"), symbol.id)
    return symbol


def _is_defaulted(node: Node) -> bool:
    return any(child.type in {"default_method_clause", "delete_method_clause"} for child in node.children)


def _declaration(facts: Facts, node: Node, place: Place) -> None:
    """Variables, members and prototypes; a type that is defined in the same breath is declared first."""
    type_node = node.child_by_field_name("type")
    if type_node is not None and type_node.type in _TYPES and type_node.child_by_field_name("body") is not None:
        _type(facts, type_node, replace(place, around=node if not node.children_by_field_name("declarator") else None))
    first = True
    for declarator in node.children_by_field_name("declarator"):
        name, function = declared_name(declarator)
        if name is None:
            continue
        if function is not None:
            _callable(facts, node, name, function, place, body=None)
            continue
        _variable(facts, node, declarator, place, first=first)
        first = False


def _variable(facts: Facts, node: Node, declarator: Node, place: Place, *, first: bool) -> None:
    name, _ = declared_name(declarator)
    if name is None or name.type not in {"identifier", "field_identifier"}:
        return
    type_ = read_type(facts, node.child_by_field_name("type"))
    kind = SymbolKind.PROPERTY if place.owner is not None else SymbolKind.VARIABLE
    specifiers = {facts.text(child) for child in node.children if child.type == "storage_class_specifier"}
    if "extern" in specifiers and kind is SymbolKind.VARIABLE:
        return  # declared elsewhere
    modifiers = Modifier.NONE
    if "static" in specifiers:
        modifiers |= _static(facts, place)
    naming = Naming(facts.text(name), name, kind, place.container)
    signature = facts.text(node).partition("\n")[0]
    symbol = _add(facts, node, naming, place, type_=type_, modifiers=modifiers, first=first, signature=signature)
    mention_types(facts, node.child_by_field_name("type"), symbol.id)
    value = declarator.child_by_field_name("value") or node.child_by_field_name("default_value")
    if value is not None:
        chain = read_value(facts, value, symbol.id, type_)
        if not type_ and chain[0].kind is not StepKind.UNKNOWN:
            facts.symbols[facts.symbols.index(symbol)] = replace(symbol, initializer=chain)


def _definition(facts: Facts, node: Node, place: Place) -> None:
    """``typedef struct {…} name`` is the struct of that name; any other gives a further name to a type."""
    written = node.child_by_field_name("type")
    has_body = written is not None and written.type in _TYPES and written.child_by_field_name("body") is not None
    names = [name for name, _ in map(declared_name, node.children_by_field_name("declarator")) if name is not None]
    if node.type == "alias_declaration":
        named = node.child_by_field_name("name")
        names = [named] if named is not None else []
    tag = written.child_by_field_name("name") if written is not None and has_body else None
    if written is not None and has_body:
        _type(facts, written, replace(place, around=node), name=tag if tag is not None or not names else names[0])
        names = names if tag is not None else names[1:]
    target = read_type(facts, written)
    for name in names:
        if tag is not None and facts.text(name) == facts.text(tag):
            continue  # the same name for the struct and its tag
        _, function = declared_name(next((each for each in node.children_by_field_name("declarator")), None))
        type_ = f"Function<{target}>" if function is not None else target
        symbol = _add(facts, node, Naming(facts.text(name), name, SymbolKind.TYPEALIAS, place.container), place, type_=type_)
        mention_types(facts, written, symbol.id)


def _type(facts: Facts, node: Node, place: Place, *, name: Node | None = None) -> None:
    body = node.child_by_field_name("body")
    name = name or node.child_by_field_name("name")
    if body is None:
        return  # only named
    if name is None or place.depth > MAX_DEPTH:
        declare(facts, body, replace(place, depth=place.depth + 1, around=None))  # members of what has no name belong to what is around it
        return
    bases = next((child for child in node.named_children if child.type == "base_class_clause"), None)
    inherits = tuple(filter(None, (read_type(facts, each) for each in (bases.named_children if bases is not None else []))))
    text = read_type(facts, name).partition("<")[0] if name.type == "template_type" else facts.text(name)
    naming = Naming(text, name, _TYPES[node.type], place.container)
    symbol = _add(facts, place.around or node, naming, place, body=body, inherits=inherits)
    mention_types(facts, bases, symbol.id, kind=ReferenceKind.INHERIT)
    container = f"{place.container}.{text}" if place.container else text
    if node.type != "enum_specifier":
        declare(facts, body, Place(symbol, container, depth=place.depth + 1))
        return
    for child in body.named_children:
        case = child.child_by_field_name("name") if child.type == "enumerator" else None
        if case is not None:
            # The values of an enum are names of the scope around it.
            _add(facts, child, Naming(facts.text(case), case, SymbolKind.VARIABLE, place.container), place, type_=text, signature=facts.text(child))


def _add(
    facts: Facts,
    node: Node,
    naming: Naming,
    place: Place,
    *,
    body: Node | None = None,
    parameters: tuple[Parameter, ...] = (),
    type_: str = "",
    inherits: tuple[str, ...] = (),
    modifiers: Modifier = Modifier.NONE,
    signature: str = "",
    first: bool = True,
) -> Symbol:
    whole = place.around or node
    row = whole.start_point.row
    start = start_of_comments(facts.lines, row) if first and not facts.lines[row][: whole.start_point.column].strip() else row
    doc = read_doc(facts.lines, start, row) if start < row else ""
    if doc and says_deprecated(doc):
        modifiers |= Modifier.DEPRECATED
    container = naming.container
    qualified = f"{container}.{naming.name}" if container else naming.name
    end_row, end_column = whole.end_point
    symbol = Symbol(
        id=facts.identify(f"{naming.kind.value} {qualified}")[0],
        name=naming.name,
        qualified=qualified,
        kind=naming.kind,
        path=facts.path,
        span=Span(start + 1, max(row, end_row if end_column else end_row - 1) + 1),
        line=naming.node.start_point.row + 1,
        column=naming.node.start_point.column + 1,
        parent=place.owner.id if place.owner is not None else None,
        container=container,
        signature=(signature or _head(facts, whole, body))[:_SIGNATURE],
        doc=doc,
        modifiers=modifiers,
        parameters=parameters,
        type=type_,
        inherits=inherits,
    )
    facts.symbols.append(symbol)
    return symbol


def _head(facts: Facts, node: Node, body: Node | None) -> str:
    """The declaration without its body, on one line."""
    end = body.start_byte if body is not None else node.end_byte
    return " ".join(facts.content[node.start_byte : end].decode("utf-8", "replace").split()).rstrip(" ;")
