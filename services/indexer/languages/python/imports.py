"""Import statements as bindings of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exegesis.model import Binding
from services.indexer.languages.python.facts import Facts

if TYPE_CHECKING:
    from tree_sitter import Node

IMPORTS = frozenset({"import_statement", "import_from_statement", "future_import_statement"})


def read_import(facts: Facts, node: Node) -> None:
    """One statement, wherever it stands: imports in functions mostly avoid circles, and mean the same everywhere in the file."""
    if node.type == "import_statement":
        for each in node.named_children:
            name, alias = _name(facts, each)
            facts.imports.append(name)
            # Without an alias the first part is bound, and the rest is found inside of it.
            facts.bindings.append(Binding(alias, name) if alias else Binding(name.partition(".")[0], name.partition(".")[0]))
    elif node.type == "import_from_statement":
        module_node = node.child_by_field_name("module_name")
        if module_node is None:
            return
        module = facts.text(module_node).replace(" ", "")
        facts.imports.append(module)
        for each in node.children_by_field_name("name"):
            name, alias = _name(facts, each)
            facts.bindings.append(Binding(alias or name, module, name))
        if any(child.type == "wildcard_import" for child in node.children):
            facts.bindings.append(Binding("*", module, "*"))


def _name(facts: Facts, node: Node) -> tuple[str, str]:
    if node.type == "aliased_import":
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        return (facts.text(name) if name else ""), (facts.text(alias) if alias else "")
    return facts.text(node).replace(" ", ""), ""
