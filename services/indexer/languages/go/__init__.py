"""Go, on the grammar of tree-sitter-go."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tree_sitter import Language as Grammar
from tree_sitter import Parser

from services.indexer.language import Language, Source, Syntax
from services.indexer.languages.go.declarations import declare, read_imports
from services.indexer.languages.go.facts import Facts

if TYPE_CHECKING:
    from tree_sitter import Node

_MODULE = re.compile(r"^\s*module\s+(\S+)", re.MULTILINE)


class Go(Language):
    """Go 1.18 and later: functions, methods on the types they belong to, structs, interfaces, constants and variables of packages."""

    name = "go"
    suffixes = (".go",)
    version = 1
    manifests = ("go.mod",)

    def parse(self, source: Source) -> Syntax:
        import tree_sitter_go

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

    def modules(self, manifests: Mapping[str, str], paths: Sequence[str]) -> Mapping[str, str]:
        """The import path of each file's package: that of the nearest module around it, and the folders below. Without a module, its folder."""
        roots: dict[str, str] = {}
        for path, text in manifests.items():
            declared = _MODULE.search(text)
            if declared:
                roots[path.rpartition("/")[0]] = declared[1].strip('"')
        return {path: _package(path.rpartition("/")[0], roots) for path in paths}


def _package(folder: str, roots: Mapping[str, str]) -> str:
    around = folder
    while True:
        if around in roots:
            below = folder[len(around) :].strip("/")
            return f"{roots[around]}/{below}" if below else roots[around]
        if not around:
            return folder or "."
        around = around.rpartition("/")[0]


def _first_error(root: Node) -> int:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            return node.start_point.row + 1
        pending.extend(reversed([child for child in node.children if child.has_error or child.is_missing]))
    return 1
