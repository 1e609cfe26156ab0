"""Reading a source of JavaScript, TypeScript or TSX as a whole.

A file is read in two rounds: first the heads of all declarations outside of functions, then all code. What is declared inside of a function is read
after it. Neither round follows nesting by recursion further than a fixed depth, so no source exhausts the stack.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from exegesis.model import ReferenceKind, Span, Symbol, SymbolKind, stable_id
from services.indexer.chains import is_known
from services.indexer.language import Source, Syntax
from services.indexer.languages.javascript.code import Reader
from services.indexer.languages.javascript.declarations import declare_block
from services.indexer.languages.javascript.facts import Attribute, Facts, Place
from services.indexer.languages.javascript.trees import trees_of

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {ReferenceKind.CALL: 0, ReferenceKind.ACCESS: 1}

_PROTOTYPE = re.compile(rb"\b([A-Za-z_$][\w$]*)\.prototype\b\s*(?:\.|=|\[|,)")
"""What gives a function a prototype, or takes it as one: ``Foo.prototype.bar = …``, ``Object.setPrototypeOf(Foo.prototype, …)``."""

_HOLDER = re.compile(rb"^[ \t]*([A-Za-z_$][\w$]*)\.[A-Za-z_$][\w$]*\s*=\s*(?:async\s+)?(?:function\b|\([^()\n]*\)\s*=>|[\w$]+\s*=>)", re.MULTILINE)
"""What is given a function as a member: ``app.use = function …``."""

_BUILT_IN = frozenset({"Array", "Object", "String", "Function", "Promise", "Error", "exports", "module", "window", "global", "this"})


def read(source: Source, grammar: object) -> Syntax:
    """``grammar`` is one of the grammars of tree-sitter, as their packages give it."""
    content = source.content
    roots = trees_of(content, grammar)
    facts = Facts(source.path, content, content.split(b"\n"), module=stable_id("javascript", source.path, ".module"))
    facts.constructors = frozenset(match.decode() for match in _PROTOTYPE.findall(content)) - _BUILT_IN
    facts.holders = frozenset(match.decode() for match in _HOLDER.findall(content)) - _BUILT_IN
    for root in roots:
        declare_block(facts, [root] if root.type == "ERROR" else root.named_children, Place())
    reader = Reader(facts)
    while facts.bodies:
        reader.read(facts.bodies.popleft())
    owners = {symbol.id: symbol for symbol in facts.symbols}
    for attribute in facts.attributes.values():
        _declare_attribute(facts, attribute, owners)
    for root in roots:
        if root.has_error and not facts.problems:
            _complain(facts, root)
    return Syntax(
        symbols=tuple(sorted((*_module(facts), *facts.symbols), key=lambda symbol: (symbol.span.start, -symbol.span.end))),
        references=tuple(sorted(facts.references, key=lambda reference: (reference.line, reference.column, _KINDS.get(reference.kind, 2)))),
        imports=tuple(dict.fromkeys(facts.imports)),
        breaks=tuple(sorted(facts.breaks)),
        problems=tuple(facts.problems),
        bindings=tuple(dict.fromkeys(facts.bindings)),
    )


def _module(facts: Facts) -> tuple[Symbol, ...]:
    """The symbol that owns code outside of declarations, if there is any that refers to something."""
    if all(reference.source != facts.module for reference in facts.references):
        return ()
    *folders, file = facts.path.split("/")
    name = ".".join((*folders[-1:], file.rpartition(".")[0]))
    span = Span(1, max(len(facts.lines), 1))
    return (Symbol(facts.module, name, name, SymbolKind.MODULE, facts.path, span, 1, 1, signature=f"module {name}"),)


def _declare_attribute(facts: Facts, attribute: Attribute, owners: Mapping[int, Symbol]) -> None:
    """A name that the methods of a class assign to ``this``, where it was seen first."""
    place = attribute.place
    owner = owners.get(place.owner) if place.owner is not None else None
    if owner is None:
        return
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
