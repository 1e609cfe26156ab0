"""Reading a source of C, C++ or Objective-C as a whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tree_sitter import Language as Grammar
from tree_sitter import Parser

from services.indexer.language import Source, Syntax
from services.indexer.languages.c.declarations import Place, declare
from services.indexer.languages.c.facts import Facts
from services.indexer.languages.c.objective import declare_classes, separate, speaks_objective_c

if TYPE_CHECKING:
    from tree_sitter import Node

_CPP = re.compile(rb"^\s*(?:namespace\b|template\s*<|class\s+\w+(?:\s+final)?\s*[:{]|(?:public|private|protected)\s*:|using\s+\w)", re.MULTILINE)
"""What no C header has at the beginning of a line."""


def speaks_cpp(content: bytes) -> bool:
    return _CPP.search(content) is not None


def read(source: Source, grammar: str) -> Syntax:
    """``grammar`` is ``c`` or ``cpp``."""
    content = source.content
    plain, classes = separate(content) if speaks_objective_c(content) else (content, ())
    root = Parser(_grammar(grammar)).parse(plain).root_node
    facts = Facts(source.path, content, content.split(b"\n"))
    declare(facts, root, Place())
    declare_classes(facts, root, classes)
    if root.has_error and not speaks_objective_c(content):  # messages are never understood, and nothing follows from that
        facts.complain(f"syntax not understood at line {_first_error(root)}")
    return Syntax(
        symbols=tuple(sorted(facts.symbols, key=lambda symbol: (symbol.span.start, -symbol.span.end))),
        references=tuple(sorted(facts.references, key=lambda reference: (reference.line, reference.column))),
        imports=tuple(dict.fromkeys(facts.imports)),
        breaks=tuple(sorted(facts.breaks)),
        problems=tuple(facts.problems),
    )


def _grammar(name: str) -> Grammar:
    if name == "c":
        import tree_sitter_c

        return Grammar(tree_sitter_c.language())
    import tree_sitter_cpp

    return Grammar(tree_sitter_cpp.language())


def _first_error(root: Node) -> int:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            return node.start_point.row + 1
        pending.extend(reversed([child for child in node.children if child.has_error or child.is_missing]))
    return 1
