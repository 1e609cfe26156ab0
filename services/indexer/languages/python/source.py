"""Reading a Python source as a whole.

A file is read in two rounds: first the heads of all declarations outside of functions, then all code. What is declared inside of a function is read
after it. Neither round follows nesting by recursion further than a fixed depth, so no source exhausts the stack.
"""

from __future__ import annotations

import tree_sitter_python
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from exegesis.model import Modifier, ReferenceKind, Span, Symbol, SymbolKind, stable_id
from services.indexer.chains import is_known
from services.indexer.language import Source, Syntax
from services.indexer.languages.python.code import Reader
from services.indexer.languages.python.comments import docstring
from services.indexer.languages.python.declarations import declare_block
from services.indexer.languages.python.facts import Attribute, Facts, Place

_KINDS = {ReferenceKind.CALL: 0, ReferenceKind.ACCESS: 1}


def read(source: Source) -> Syntax:
    content = source.content
    root = Parser(Grammar(tree_sitter_python.language())).parse(content).root_node
    facts = Facts(source.path, content, content.split(b"\n"), module=stable_id("python", source.path, ".module"))
    declare_block(facts, root.children, Place())
    reader = Reader(facts)
    while facts.bodies:
        reader.read(facts.bodies.popleft())
    for attribute in facts.attributes.values():
        _declare_attribute(facts, attribute)
    if root.has_error and not facts.problems:
        _complain(facts, root)
    return Syntax(
        symbols=tuple(sorted((*_module(facts, root), *facts.symbols), key=lambda symbol: (symbol.span.start, -symbol.span.end))),
        references=tuple(sorted(facts.references, key=lambda reference: (reference.line, reference.column, _KINDS.get(reference.kind, 2)))),
        imports=tuple(dict.fromkeys(facts.imports)),
        breaks=tuple(sorted(facts.breaks)),
        problems=tuple(facts.problems),
        bindings=tuple(facts.bindings),
    )


def _module(facts: Facts, root: Node) -> tuple[Symbol, ...]:
    """The symbol that owns code outside of declarations, if there is any that refers to something."""
    if not facts.is_entry and all(reference.source != facts.module for reference in facts.references):
        return ()
    *folders, file = facts.path.split("/")
    name = ".".join((*folders[-1:], file.rpartition(".")[0]))
    is_entry = facts.is_entry or file == "__main__.py"
    return (
        Symbol(
            id=facts.module,
            name=name,
            qualified=name,
            kind=SymbolKind.MODULE,
            path=facts.path,
            span=Span(1, max(len(facts.lines), 1)),
            line=1,
            column=1,
            signature=f"module {name}",
            doc=docstring(facts.content, root),
            modifiers=Modifier.ENTRY if is_entry else Modifier.NONE,
        ),
    )


def _declare_attribute(facts: Facts, attribute: Attribute) -> None:
    """A name that the methods of a class assign on their instance, where it was seen first."""
    place = attribute.place
    assert place.owner is not None
    owner = next(symbol for symbol in facts.symbols if symbol.id == place.owner)
    identifier, _ = facts.identify(f"{owner.qualified}.property {attribute.name}")
    facts.symbols.append(
        Symbol(
            id=identifier,
            name=attribute.name,
            qualified=f"{owner.qualified}.{attribute.name}",
            kind=SymbolKind.PROPERTY,
            path=facts.path,
            span=Span(attribute.line, attribute.line),
            line=attribute.line,
            column=attribute.column,
            parent=place.owner,
            container=place.container,
            signature=attribute.signature,
            type=attribute.type,
            initializer=attribute.value if is_known(attribute.value) and not attribute.type else (),
        )
    )


def _complain(facts: Facts, root: Node) -> None:
    """Say where the first error is, when reading did not come across it."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            facts.complain(f"syntax not understood at line {node.start_point.row + 1}")
            return
        if node.has_error:
            stack.extend(reversed(node.children))
