"""What stands at the top level of a Go file: imports, functions, methods, types, constants and variables."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from exegesis.model import Binding, Modifier, Parameter, Reference, ReferenceKind, Span, StepKind, Symbol, SymbolKind
from services.indexer.languages.go.code import Body, read_body, read_values
from services.indexer.languages.go.comments import read_doc, says_deprecated, start_of_comments
from services.indexer.languages.go.facts import Facts
from services.indexer.languages.go.types import mention_types, read_parameters, read_result, read_type

if TYPE_CHECKING:
    from tree_sitter import Node

_VERSION = re.compile(r"v\d+")
_SIGNATURE = 300
"""Characters of a signature; longer ones list a table, not what a reader wants to know."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a declaration says before its body."""

    parameters: tuple[Parameter, ...] = ()
    type: str = ""
    inherits: tuple[str, ...] = ()
    generics: tuple[tuple[str, str], ...] = ()
    modifiers: Modifier = Modifier.NONE


def read_imports(facts: Facts, node: Node) -> None:
    """``import h "net/http"`` binds ``h`` to the package; without a name the last part of the path is taken for it."""
    pending = [node]
    while pending:
        each = pending.pop()
        if each.type != "import_spec":
            pending.extend(reversed(each.named_children))
            continue
        path = each.child_by_field_name("path")
        if path is None:
            continue
        module = facts.text(path).strip('"`')
        named = each.child_by_field_name("name")
        name = facts.text(named) if named is not None else package_of(module)
        facts.imports.append(module)
        if name == ".":
            facts.bindings.append(Binding("*", module, "*"))
        elif name not in {"_", ""}:
            facts.bindings.append(Binding(name, module))


def package_of(module: str) -> str:
    """The name that a package most likely has: ``gopkg.in/yaml.v3`` is ``yaml``, ``a/b/v2`` is ``b``, ``a/go-redis`` is ``redis``."""
    parts = module.split("/")
    last = parts[-2] if len(parts) > 1 and _VERSION.fullmatch(parts[-1]) else parts[-1]
    last = re.sub(r"\.v\d+$", "", last)
    return last.removeprefix("go-").removesuffix("-go").rpartition("-")[2].rpartition(".")[2] if not last.isidentifier() else last


def declare(facts: Facts, node: Node) -> None:
    match node.type:
        case "function_declaration" | "method_declaration":
            _function(facts, node)
        case "type_declaration" | "const_declaration" | "var_declaration":
            specs = list(_specs(node))
            for spec in specs:
                # A declaration of one thing is that thing, from its keyword on; in a group each line stands for itself.
                whole = node if len(specs) == 1 else spec
                if spec.type in {"type_spec", "type_alias"}:
                    _type(facts, spec, whole)
                else:
                    _values(facts, spec, whole)


def _specs(node: Node) -> list[Node]:
    found = []
    for child in node.named_children:
        if child.type == "var_spec_list":
            found += [each for each in child.named_children if each.type == "var_spec"]
        elif child.type in {"type_spec", "type_alias", "const_spec", "var_spec"}:
            found.append(child)
    return found


def _function(facts: Facts, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    receiver = node.child_by_field_name("receiver")
    own = next((child for child in receiver.named_children if child.type == "parameter_declaration"), None) if receiver is not None else None
    container = read_type(facts, own.child_by_field_name("type")).partition("<")[0] if own is not None else ""
    generics = _generics(facts, node.child_by_field_name("type_parameters"))
    head = Head(
        tuple(read_parameters(facts, node.child_by_field_name("parameters"))),
        read_result(facts, node.child_by_field_name("result")),
        generics=generics,
        modifiers=Modifier.ENTRY if facts.package == "main" and facts.text(name) == "main" and not container else Modifier.NONE,
    )
    body = node.child_by_field_name("body")
    kind = SymbolKind.METHOD if container else SymbolKind.FUNCTION
    symbol = _add(facts, node, name, kind, head, container=container, signature=_text_to(facts, node, body))
    known = frozenset(each for each, _ in generics) | _receiver_generics(facts, own)
    for part in ("parameters", "result"):
        mention_types(facts, node.child_by_field_name(part), symbol.id, known)
    if body is not None:
        self_name = next((facts.text(each) for each in own.children_by_field_name("name")), "") if own is not None else ""
        read_body(facts, Body(body, symbol.id, tuple(head.parameters), self_name, known, node.child_by_field_name("result")))


def _receiver_generics(facts: Facts, own: Node | None) -> frozenset[str]:
    """``func (l *List[T]) Push(…)`` names the parameters of its type anew."""
    type_ = read_type(facts, own.child_by_field_name("type")) if own is not None else ""
    inside = type_.partition("<")[2].rstrip(">")
    return frozenset(each.strip() for each in inside.split(",") if each.strip())


def _generics(facts: Facts, node: Node | None) -> tuple[tuple[str, str], ...]:
    found = []
    for child in node.named_children if node is not None else []:
        if child.type == "type_parameter_declaration":
            bound = read_type(facts, child.child_by_field_name("type"))
            found += [(facts.text(name), "" if bound in {"any", "comparable"} else bound) for name in child.children_by_field_name("name")]
    return tuple(found)


def _type(facts: Facts, spec: Node, whole: Node) -> None:
    name, written = spec.child_by_field_name("name"), spec.child_by_field_name("type")
    if name is None:
        return
    generics = _generics(facts, spec.child_by_field_name("type_parameters"))
    known = frozenset(each for each, _ in generics)
    kind = SymbolKind.STRUCT
    head = Head(generics=generics)
    if spec.type == "type_alias":
        kind, head = SymbolKind.TYPEALIAS, replace(head, type=read_type(facts, written))
    elif written is not None and written.type == "interface_type":
        kind = SymbolKind.PROTOCOL
        head = replace(head, inherits=tuple(filter(None, (read_type(facts, each) for each in written.named_children if each.type == "type_elem"))))
    elif written is not None and written.type == "struct_type":
        head = replace(head, inherits=tuple(read_type(facts, each.child_by_field_name("type")) for each in _fields(written) if _is_embedded(each)))
    else:
        head = replace(head, type=read_type(facts, written))
    body = written if written is not None and written.type in {"interface_type", "struct_type"} else None
    symbol = _add(facts, whole, name, kind, head, signature=_text_to(facts, whole if whole is not spec else spec, body))
    if body is None:
        mention_types(facts, written, symbol.id, known)
    for child in (*_fields(written), *written.named_children) if body is not None and written is not None else ():
        if child.type == "field_declaration":
            _field(facts, child, symbol, known)
        elif child.type == "method_elem":
            _requirement(facts, child, symbol, known)
        elif child.type == "type_elem":
            _inherit(facts, child, symbol)


def _fields(node: Node | None) -> list[Node]:
    listed = next((child for child in node.named_children if child.type == "field_declaration_list"), None) if node is not None else None
    return [child for child in listed.named_children if child.type == "field_declaration"] if listed is not None else []


def _is_embedded(node: Node) -> bool:
    return not node.children_by_field_name("name")


def _field(facts: Facts, node: Node, owner: Symbol, generics: frozenset[str]) -> None:
    type_node = node.child_by_field_name("type")
    type_ = read_type(facts, type_node)
    if _is_embedded(node):
        _inherit(facts, node, owner)
        if type_node is not None and type_:
            # The embedded value has a name as well: that of its type.
            named = type_node.child_by_field_name("name") or type_node.child_by_field_name("type") or type_node
            base = type_.partition("<")[0].rpartition(".")[2]
            _add(facts, node, named, SymbolKind.PROPERTY, Head(type=type_), inside=owner, name=base)
        return
    for name in node.children_by_field_name("name"):
        symbol = _add(facts, node, name, SymbolKind.PROPERTY, Head(type=type_), inside=owner, signature=facts.text(node))
        mention_types(facts, type_node, symbol.id, generics)


def _inherit(facts: Facts, node: Node, owner: Symbol) -> None:
    before = len(facts.references)
    mention_types(facts, node.child_by_field_name("type") or node, owner.id, frozenset())
    facts.references[before:] = [_as_inherited(each) for each in facts.references[before:]]


def _as_inherited(reference: Reference) -> Reference:
    return replace(reference, kind=ReferenceKind.INHERIT)


def _requirement(facts: Facts, node: Node, owner: Symbol, generics: frozenset[str]) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    head = Head(tuple(read_parameters(facts, node.child_by_field_name("parameters"))), read_result(facts, node.child_by_field_name("result")))
    symbol = _add(facts, node, name, SymbolKind.METHOD, head, inside=owner, signature=facts.text(node))
    for part in ("parameters", "result"):
        mention_types(facts, node.child_by_field_name(part), symbol.id, generics)


def _values(facts: Facts, spec: Node, whole: Node) -> None:
    """Constants and variables; a value belongs to the name at its place, and to the first where a call gives several."""
    type_node = spec.child_by_field_name("type")
    type_ = read_type(facts, type_node)
    names = [each for each in spec.children_by_field_name("name") if each.type == "identifier"]
    symbols = []
    for name in names:
        if facts.text(name) == "_":
            continue
        place = whole if name is names[0] else spec
        symbols.append(_add(facts, place, name, SymbolKind.VARIABLE, Head(type=type_), signature=_first_line(facts, place), first=name is names[0]))
    if not symbols:
        return
    mention_types(facts, type_node, symbols[0].id, frozenset())
    value = spec.child_by_field_name("value")
    if value is None:
        return
    chains = read_values(facts, value, [symbol.id for symbol in symbols], type_)
    for symbol, chain in zip(symbols, chains, strict=False):
        if not type_ and chain[0].kind is not StepKind.UNKNOWN:
            at = facts.symbols.index(symbol)
            facts.symbols[at] = replace(symbol, initializer=chain)


# ------------------------------------------------------------------------------------------------------------- symbols


def _add(
    facts: Facts,
    node: Node,
    name_node: Node,
    kind: SymbolKind,
    head: Head,
    *,
    container: str = "",
    inside: Symbol | None = None,
    signature: str = "",
    name: str = "",
    first: bool = True,
) -> Symbol:
    name = name or facts.text(name_node)
    owner = inside.name if inside is not None else container
    qualified = f"{owner}.{name}" if owner else name
    row = node.start_point.row
    start = start_of_comments(facts.lines, row) if first and not facts.lines[row][: node.start_point.column].strip() else row
    doc = read_doc(facts.lines, start, row)
    modifiers = head.modifiers | (Modifier.PUBLIC if name[:1].isupper() else Modifier.NONE)
    if doc and says_deprecated(doc):
        modifiers |= Modifier.DEPRECATED
    end_row, end_column = node.end_point
    symbol = Symbol(
        id=facts.identify(f"{kind.value} {qualified}")[0],
        name=name,
        qualified=qualified,
        kind=kind,
        path=facts.path,
        span=Span(start + 1, max(row, end_row if end_column else end_row - 1) + 1),
        line=name_node.start_point.row + 1,
        column=name_node.start_point.column + 1,
        parent=inside.id if inside is not None else None,
        container=owner,
        signature=signature,
        doc=doc,
        modifiers=modifiers,
        parameters=head.parameters,
        type=head.type,
        inherits=head.inherits,
        generics=head.generics,
    )
    facts.symbols.append(symbol)
    return symbol


def _text_to(facts: Facts, node: Node, body: Node | None) -> str:
    """The declaration without its body, on one line."""
    end = body.start_byte if body is not None else node.end_byte
    text = " ".join(facts.content[node.start_byte : end].decode("utf-8", "replace").split())
    if body is not None and body.type in {"struct_type", "interface_type"}:
        text += f" {body.type.removesuffix('_type')}"
    return text[:_SIGNATURE]


def _first_line(facts: Facts, node: Node) -> str:
    return facts.text(node).partition("\n")[0].strip()[:_SIGNATURE]
