"""Imports, exports and calls of ``require`` as bindings of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exegesis.model import Binding
from services.indexer.languages.javascript.facts import Facts

if TYPE_CHECKING:
    from tree_sitter import Node

DEFAULT = "default"
"""What a module exports without a name."""


def unquoted(facts: Facts, node: Node) -> str:
    return facts.text(node).strip("\"'`")


def read_import(facts: Facts, node: Node) -> None:
    """``import`` in all its forms."""
    source = node.child_by_field_name("source")
    for clause in node.named_children:
        if clause.type == "import_require_clause":
            name, required = clause.named_children[0], clause.child_by_field_name("source")
            if required is not None:
                _bind(facts, facts.text(name), unquoted(facts, required), "")
                facts.imports.append(unquoted(facts, required))
        elif clause.type == "import_clause" and source is not None:
            _read_clause(facts, clause, unquoted(facts, source))
    if source is not None:
        facts.imports.append(unquoted(facts, source))


def _read_clause(facts: Facts, clause: Node, module: str) -> None:
    for each in clause.named_children:
        if each.type == "identifier":
            _bind(facts, facts.text(each), module, DEFAULT)
        elif each.type == "namespace_import":
            _bind(facts, facts.text(each.named_children[-1]), module, "")
        elif each.type == "named_imports":
            for specifier in each.named_children:
                name, alias = _names(facts, specifier)
                if name:
                    _bind(facts, alias or name, module, name)


def read_export(facts: Facts, node: Node) -> None:
    """``export { … }``, with or without a module, and ``export *``; not declarations that are exported."""
    source = node.child_by_field_name("source")
    module = unquoted(facts, source) if source is not None else ""
    if module:
        facts.imports.append(module)
    for child in node.children:
        if child.type == "export_clause":
            for specifier in child.named_children:
                name, alias = _names(facts, specifier)
                if name and (module or (alias and alias != name)):
                    _bind(facts, alias or name, module, name)
        elif child.type == "namespace_export":
            _bind(facts, facts.text(child.named_children[-1]), module, "")
        elif child.type == "*" and module and not any(each.type == "namespace_export" for each in node.children):
            _bind(facts, "*", module, "*")


def required(facts: Facts, node: Node | None) -> tuple[str, str] | None:
    """The module of ``require("module")``, and the member of ``require("module").member``; None for anything else."""
    member = ""
    if node is not None and node.type == "member_expression":
        of, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if name is not None:
            node, member = of, facts.text(name)
    if node is not None and node.type == "await_expression" and node.named_children:
        node = node.named_children[0]
    if node is None or node.type != "call_expression":
        return None
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or facts.text(function) not in {"require", "import"}:
        return None
    given = arguments.named_children
    return (unquoted(facts, given[0]), member) if len(given) == 1 and given[0].type == "string" else None


def bind_required(facts: Facts, pattern: Node, module: str, member: str) -> None:
    """``const name = require(…)``, ``const { a, b: c } = require(…)``."""
    facts.imports.append(module)
    if pattern.type == "identifier":
        _bind(facts, facts.text(pattern), module, member)
    elif pattern.type == "object_pattern" and not member:
        for each in pattern.named_children:
            if each.type == "shorthand_property_identifier_pattern":
                _bind(facts, facts.text(each), module, facts.text(each))
            elif each.type == "pair_pattern":
                key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
                if key is not None and value is not None and value.type == "identifier":
                    _bind(facts, facts.text(value), module, facts.text(key))


def export_as(facts: Facts, name: str, own: str) -> None:
    """Others see what is called ``own`` here by another name."""
    if name != own:
        _bind(facts, name, "", own)


def export_module(facts: Facts, module: str, member: str, *, name: str = DEFAULT) -> None:
    """``module.exports = require("./other")``: others see the other module, whole or under a name."""
    facts.imports.append(module)
    _bind(facts, name, module, member or (DEFAULT if name == DEFAULT else ""))
    if not member and name == DEFAULT:
        _bind(facts, "*", module, "*")


def _names(facts: Facts, specifier: Node) -> tuple[str, str]:
    name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
    return (unquoted(facts, name) if name else ""), (unquoted(facts, alias) if alias else "")


def _bind(facts: Facts, name: str, module: str, member: str) -> None:
    facts.bindings.append(Binding(name, module, member))
