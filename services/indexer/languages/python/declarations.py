"""Python declarations: each becomes a symbol; the code in them is put aside until all heads of the file are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from exegesis.model import Modifier, Parameter, ReferenceKind, Span, Symbol, SymbolKind
from services.indexer.chains import SELF, UNKNOWN, Scope, typed
from services.indexer.languages.python.comments import docstring, read_comments, says_deprecated, start_of_comments
from services.indexer.languages.python.facts import MAX_DEPTH, Body, Facts, Place
from services.indexer.languages.python.imports import IMPORTS, read_import
from services.indexer.languages.python.types import Mention, mention, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

DECLARING = frozenset({"function_definition", "class_definition", "decorated_definition", "type_alias_statement"})

_BRANCHING = frozenset(
    {
        *("if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "except_group_clause", "finally_clause", "with_statement"),
        *("for_statement", "while_statement", "match_statement", "case_clause", "block"),
    }
)
"""What declarations may stand in without being inside of a declaration."""

_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TextChoices", "IntegerChoices", "Choices"})
_PROPERTIES = frozenset({"property", "cached_property", "abstractproperty", "hybrid_property", "classproperty", "setter", "getter", "deleter"})
_STATIC = frozenset({"staticmethod", "classmethod"})
_YIELDING = frozenset({"contextmanager", "asynccontextmanager"})
_PROSE = re.compile(r"(\"\"\"|''').*?\1", re.DOTALL)
"""Strings that run over lines: documentation of parameters, which would hide the parameters."""

_SIGNATURE = 1000
"""Letters; what is longer is a table in the disguise of defaults."""


@dataclass(slots=True)
class Head:
    """What stands before the body of a function."""

    decorators: tuple[Node, ...] = ()
    decorated: frozenset[str] = frozenset()
    """Last names of the decorators."""
    parameters: list[Parameter] = field(default_factory=list)
    scope: Scope = field(default_factory=dict)
    values: list[Node] = field(default_factory=list)
    """Defaults, which are code of the function's surroundings."""
    mentions: list[Mention] = field(default_factory=list)
    result: str = ""


def declare_block(facts: Facts, nodes: Sequence[Node], place: Place) -> None:
    """Statements outside of functions: declarations, imports, variables; whatever else they do is code of the class or module around."""
    code: list[Node] = []
    for node in nodes:
        kind = node.type
        if kind in DECLARING:
            declare(facts, node, place)
        elif kind in IMPORTS:
            read_import(facts, node)
        elif kind in _BRANCHING and place.depth < MAX_DEPTH:
            _note_entry(facts, node)
            declare_block(facts, node.children, replace(place, depth=place.depth + 1))
        elif kind == "expression_statement" and node.named_children and node.named_children[0].type == "assignment":
            _declare_variables(facts, node, node.named_children[0], place)
        elif kind == "ERROR":
            facts.complain(f"syntax not understood at line {node.start_point.row + 1}")
            declare_block(facts, node.children, replace(place, depth=place.depth + 1)) if place.depth < MAX_DEPTH else None
        elif node.is_named and kind not in {"comment", "pass_statement"}:
            code.append(node)
        if node.is_named and kind != "comment" and place.depth < 2:
            facts.breaks.add(node.end_point.row + 1)
    if code:
        facts.bodies.append(Body(tuple(code), place.symbol if place.symbol is not None else facts.module, place))


def _note_entry(facts: Facts, node: Node) -> None:
    condition = node.child_by_field_name("condition") if node.type == "if_statement" else None
    if condition is not None and facts.text(condition).startswith("__name__ =="):
        facts.is_entry = True


def declare(facts: Facts, node: Node, place: Place) -> None:
    """One class, function or alias with its decorators."""
    if place.depth > MAX_DEPTH:
        facts.complain(f"declarations nested too deeply at line {node.start_point.row + 1}")
        return
    decorators: tuple[Node, ...] = ()
    inner = node
    if node.type == "decorated_definition":
        decorators = tuple(child for child in node.named_children if child.type == "decorator")
        definition = node.child_by_field_name("definition")
        if definition is None:
            return
        inner = definition
    if inner.type == "function_definition":
        _declare_function(facts, node, inner, decorators, place)
    elif inner.type == "class_definition":
        _declare_class(facts, node, inner, decorators, place)
    elif inner.type == "type_alias_statement":
        _declare_alias(facts, inner, place)


def _declare_function(facts: Facts, whole: Node, node: Node, decorators: tuple[Node, ...], place: Place) -> None:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return
    head = Head(decorators, _names_of(facts, decorators))
    modifiers = Modifier.NONE
    name = facts.text(name_node)
    if place.member and head.decorated & _STATIC:
        modifiers |= Modifier.STATIC
    _read_parameters(facts, node.child_by_field_name("parameters"), head, receives=place.member and "staticmethod" not in head.decorated)
    result = node.child_by_field_name("return_type")
    if result is not None:
        head.result = read_type(facts, result, head.mentions)
        if head.decorated & _YIELDING and head.result.startswith("list<"):
            head.result = head.result[len("list<") : -1]
    if any(child.type == "async" for child in node.children):
        modifiers |= Modifier.ASYNC
    kind = SymbolKind.METHOD if place.member else SymbolKind.FUNCTION
    if place.member and name == "__init__":
        kind = SymbolKind.INITIALIZER
    elif place.member and head.decorated & _PROPERTIES:
        kind = SymbolKind.PROPERTY
        modifiers |= Modifier.COMPUTED
    if "override" in head.decorated:
        modifiers |= Modifier.OVERRIDE
    symbol, within = add_symbol(facts, whole, node, name_node, kind, place, modifiers, body=body, decorated=head.decorated)
    symbol = replace(symbol, parameters=tuple(head.parameters) if kind.is_callable else (), type=head.result)
    facts.symbols[-1] = symbol
    mention(facts, head.mentions, symbol.id)
    outside = tuple(child for decorator in decorators for child in decorator.named_children) + tuple(head.values)
    if outside:
        facts.bodies.append(Body(outside, symbol.id, place))
    if body is not None:
        inside = replace(within, in_code=True, member=False, scopes=(*place.scopes, head.scope))
        facts.bodies.append(Body((body,), symbol.id, inside, len(facts.symbols) - 1, is_function=True))


def _declare_class(facts: Facts, whole: Node, node: Node, decorators: tuple[Node, ...], place: Place) -> None:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return
    mentions: list[Mention] = []
    inherits: list[str] = []
    arguments = node.child_by_field_name("superclasses")
    code: list[Node] = [child for decorator in decorators for child in decorator.named_children]
    for each in arguments.named_children if arguments is not None else ():
        if each.type in {"identifier", "attribute", "subscript"}:
            inherited = read_type(facts, each, mentions).partition("<")[0]
            if inherited:
                inherits.append(inherited)
        elif each.type != "comment":
            code.append(each)
    bases = {each.rpartition(".")[2] for each in inherits}
    kind = SymbolKind.ENUM if bases & _ENUMS else SymbolKind.PROTOCOL if "Protocol" in bases else SymbolKind.CLASS
    decorated = _names_of(facts, decorators)
    symbol, within = add_symbol(facts, whole, node, name_node, kind, place, Modifier.NONE, body=body, decorated=decorated)
    facts.symbols[-1] = replace(symbol, inherits=tuple(inherits))
    mention(facts, mentions, symbol.id, ReferenceKind.INHERIT)
    if code:
        facts.bodies.append(Body(tuple(code), symbol.id, place))
    if body is not None:
        declare_block(facts, body.children, replace(within, enumerates=kind is SymbolKind.ENUM, scopes=place.scopes))


def _declare_alias(facts: Facts, node: Node, place: Place) -> None:
    """``type Name = Other``."""
    parts = node.named_children
    if len(parts) < 2 or not parts[0].named_children:
        return
    mentions: list[Mention] = []
    symbol, _ = add_symbol(facts, node, node, parts[0].named_children[0], SymbolKind.TYPEALIAS, place, Modifier.NONE)
    facts.symbols[-1] = replace(symbol, type=read_type(facts, parts[1], mentions))
    mention(facts, mentions, symbol.id)


def _declare_variables(facts: Facts, statement: Node, node: Node, place: Place) -> None:
    """Names that a module or class gets by assignment; the value is code of the first of them."""
    if place.in_code:
        return
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    targets = [left] if left is not None and left.type == "identifier" else list(left.named_children) if left is not None else []
    while right is not None and right.type == "assignment":  # a = b = value
        inner = right.child_by_field_name("left")
        targets += [inner] if inner is not None else []
        right = right.child_by_field_name("right")
    mentions: list[Mention] = []
    annotation = node.child_by_field_name("type")
    type_ = read_type(facts, annotation, mentions) if annotation is not None else ""
    named_targets = [target for target in targets if target.type == "identifier"]
    first: int | None = None
    for target in named_targets if not (left is not None and left.type in {"attribute", "subscript"}) else ():
        if (place.symbol or 0, facts.text(target)) in facts.declared:
            continue  # the first assignment is the declaration
        facts.declared.add((place.symbol or 0, facts.text(target)))
        kind = SymbolKind.CASE if place.enumerates else SymbolKind.PROPERTY if place.member else SymbolKind.VARIABLE
        if right is not None and right.type == "lambda":
            kind = SymbolKind.METHOD if place.member else SymbolKind.FUNCTION
        modifiers = Modifier.STATIC if place.member else Modifier.NONE
        symbol, _ = add_symbol(facts, statement, node, target, kind, place, modifiers, first=first is None)
        facts.symbols[-1] = replace(symbol, type=type_)
        first = len(facts.symbols) - 1 if first is None else first
    if first is None:
        facts.bodies.append(Body((statement,), place.symbol if place.symbol is not None else facts.module, place))
        return
    owner = facts.symbols[first].id
    mention(facts, mentions, owner)
    if right is not None and right.type in {"expression_list", "tuple"} and len(right.named_children) == len(targets) == len(named_targets):
        for target, value in zip(named_targets, right.named_children, strict=True):
            index = next((n for n in range(first, len(facts.symbols)) if facts.symbols[n].name == facts.text(target)), None)
            facts.bodies.append(Body((value,), owner if index is None else facts.symbols[index].id, place, index))
    elif right is not None:
        whole = len(targets) == 1 or left is None or left.type == "identifier"
        facts.bodies.append(Body((right,), owner, place, first if whole and not type_ else None))


def add_symbol(  # noqa: PLR0917 - where it stands, how it is called, what it is
    facts: Facts,
    whole: Node,
    node: Node,
    name_node: Node,
    kind: SymbolKind,
    place: Place,
    modifiers: Modifier,
    *,
    body: Node | None = None,
    decorated: frozenset[str] = frozenset(),
    first: bool = True,
) -> tuple[Symbol, Place]:
    """Add a symbol, and say where its inside is. ``whole`` includes decorators; only the ``first`` of several names gets the comments above."""
    row, column = whole.start_point
    start = start_of_comments(facts.lines, row, column) if first else row
    doc = docstring(facts.content, body) or (read_comments(facts.lines, start, row) if start < row else "")
    if says_deprecated(doc) or any("deprecat" in each.lower() for each in decorated):
        modifiers |= Modifier.DEPRECATED
    name = facts.text(name_node)
    identifier, key = facts.identify(f"{place.key}.{kind.value} {name}")
    name_row, name_column = name_node.start_point
    end_row, end_column = whole.end_point
    symbol = Symbol(
        id=identifier,
        name=name,
        qualified=f"{place.qualified}.{name}" if place.qualified else name,
        kind=kind,
        path=facts.path,
        span=Span(start + 1, max(end_row if end_column else end_row - 1, row) + 1),
        line=name_row + 1,
        column=name_column + 1,
        parent=place.symbol,
        container=place.container if place.member else "",
        signature=_signature(facts, whole, node, body),
        doc=doc,
        modifiers=modifiers,
    )
    facts.symbols.append(symbol)
    is_type = kind.is_type and kind is not SymbolKind.TYPEALIAS
    container = (f"{place.container}.{name}" if place.member else name) if is_type else place.container
    inside = Place(
        symbol=identifier,
        key=key,
        container=container,
        qualified=symbol.qualified,
        owner=identifier if is_type else place.owner,
        member=is_type,
        depth=place.depth + 1,
    )
    return symbol, inside


def _signature(facts: Facts, whole: Node, node: Node, body: Node | None) -> str:
    """The declaration without its body, on one line, after the names of its decorators."""
    written = facts.content[node.start_byte : body.start_byte if body is not None else node.end_byte]
    decorators = [facts.content[child.start_byte : child.end_byte] for child in whole.named_children if child.type == "decorator"]
    text = _PROSE.sub('"…"', b" ".join((*decorators, written)).decode("utf-8", "replace"))
    return " ".join(line.split("  #")[0].strip() for line in text.split("\n")).strip().removesuffix(":")[:_SIGNATURE]


def _names_of(facts: Facts, decorators: Sequence[Node]) -> frozenset[str]:
    return frozenset(facts.text(decorator).lstrip("@ ").partition("(")[0].rpartition(".")[2].strip() for decorator in decorators)


def _read_parameters(facts: Facts, node: Node | None, head: Head, *, receives: bool) -> None:
    """``receives``: the first parameter is what the method is called on."""
    only_named = False
    for child in node.named_children if node is not None else ():
        kind = child.type
        if kind in {"positional_separator", "comment"}:
            continue
        if kind == "keyword_separator":
            only_named = True
            continue
        name_node = child if kind == "identifier" else child.child_by_field_name("name")
        if name_node is None:
            name_node = next((each for each in child.named_children if each.type != "type"), None)
        if name_node is None:
            continue
        splat = child.type if child.type.endswith("splat_pattern") else name_node.type
        type_node, value = child.child_by_field_name("type"), child.child_by_field_name("value")
        type_ = read_type(facts, type_node, head.mentions) if type_node is not None else ""
        if value is not None:
            head.values.append(value)
        if splat in {"list_splat_pattern", "dictionary_splat_pattern"}:
            name = facts.text(name_node).lstrip("*")
            many = splat == "list_splat_pattern"
            head.parameters.append(Parameter("_" if many else "**", name, type_, variadic=True))
            head.scope[name] = typed(("list" if many else "dict") + (f"<{type_}>" if type_ and many else ""))
            only_named = True
            continue
        name = facts.text(name_node)
        if receives:
            receives = False
            head.scope[name] = SELF
            continue
        head.parameters.append(Parameter(name if only_named else "_", name, type_, has_default=value is not None))
        head.scope[name] = typed(type_) if type_ else UNKNOWN
