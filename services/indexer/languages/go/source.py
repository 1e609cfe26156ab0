"""Reading a Go source as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tree_sitter_go
from tree_sitter import Language as Grammar
from tree_sitter import Parser

from services.indexer.language import Source, Syntax
from services.indexer.languages.go.declarations import declare, read_imports
from services.indexer.languages.go.facts import Facts

if TYPE_CHECKING:
    from tree_sitter import Node


def read(source: Source) -> Syntax:
    content = source.content
    root = Parser(Grammar(tree_sitter_go.language())).parse(content).root_node
    facts = Facts(source.path, content, content.split(b"\n"))
    for child in root.named_children:
        if child.type == "package_clause":
            facts.package = facts.text(child).removeprefix("package").strip()
        elif child.type == "import_declaration":
            read_imports(facts, child)
    for child in root.named_children:
        declare(facts, child)
        if child.type == "ERROR":
            for inner in child.named_children:  # what stands around a mistake may still be whole
                declare(facts, inner)
    if root.has_error:
        facts.complain(f"syntax not understood at line {_first_error(root)}")
    return Syntax(
        symbols=tuple(sorted(facts.symbols, key=lambda symbol: (symbol.span.start, -symbol.span.end))),
        references=tuple(sorted(facts.references, key=lambda reference: (reference.line, reference.column))),
        imports=tuple(dict.fromkeys(facts.imports)),
        breaks=tuple(sorted(facts.breaks)),
        problems=tuple(facts.problems),
        bindings=tuple(facts.bindings),
    )


def _first_error(root: Node) -> int:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            return node.start_point.row + 1
        pending.extend(reversed([child for child in node.children if child.has_error or child.is_missing]))
    return 1
