"""A source of Swift, on the grammar of tree-sitter-swift.

It is read in two rounds: first the heads of all declarations, so that the types of a file's properties are known; then all code.
Neither round follows nesting by recursion further than a fixed depth, so no source exhausts the stack.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Range

from exegesis.model import Modifier, Span, Symbol, SymbolKind
from services.indexer.language import Source, Syntax
from services.indexer.languages.swift.code import HANDLERS
from services.indexer.languages.swift.declarations import declare, declare_members, recover
from services.indexer.languages.swift.facts import Body, Facts, Place
from services.indexer.languages.swift.mending import mend
from services.indexer.languages.swift.packages import assign, folders_of, place_targets, read_targets
from services.indexer.languages.swift.reader import Reader

_BEGINNING = re.compile(
    rb"^(?:@\w|(?:public|private|fileprivate|internal|open|package|final|indirect|class|struct|enum|protocol|extension|actor|func|import|let|var)\b)",
    re.MULTILINE,
)
"""A line that begins a declaration at the top level, as far as one can tell without its surroundings."""

_DECLARING = frozenset(
    {
        *("function_declaration", "class_declaration", "protocol_declaration", "typealias_declaration", "operator_declaration", "macro_declaration"),
        *("precedence_group_declaration", "import_declaration", "property_declaration", "init_declaration", "deinit_declaration", "enum_entry"),
        *("subscript_declaration", "comment", "multiline_comment", "directive", "diagnostic", "shebang_line", "ERROR", "statement_label"),
        "modifiers",
    }
)
"""What stands at the top level of a file that is no script."""

_SCRIPTING = frozenset(
    {
        *("call_expression", "assignment", "if_statement", "guard_statement", "for_statement", "while_statement", "repeat_while_statement"),
        *("switch_statement", "do_statement", "try_expression", "await_expression"),
    }
)
"""What makes a file without errors a script. A macro at top level does not: ``#Preview`` stands in ordinary files."""


def read(source: Source) -> Syntax:
    """What :meth:`Language.parse` promises."""
    content = source.content
    roots = _parse(content)
    facts = Facts(source.path, content, content.split(b"\n"))
    for root in roots:
        _read_imports(facts, root.children)
    main = _read_main(facts, roots[0].children) if len(roots) == 1 else None
    for root in roots:
        if root.type == "ERROR":
            recover(facts, root, Place())
        else:
            _read_top_level(facts, root.children, main)

    reader = Reader(facts, HANDLERS)
    while facts.types or facts.bodies:
        if facts.types:
            declare_members(facts, *facts.types.popleft())
        else:
            reader.read(facts.bodies.popleft())
    for root in roots:
        if root.has_error and not facts.problems:
            _complain(facts, root)
    return Syntax(
        symbols=tuple(sorted(facts.symbols, key=lambda symbol: symbol.span.start)),
        references=tuple(sorted(facts.references, key=lambda reference: (reference.line, reference.column))),
        imports=tuple(dict.fromkeys(facts.imports)),
        breaks=tuple(sorted(facts.breaks)),
        problems=tuple(facts.problems),
    )


def modules(manifests: Mapping[str, str], paths: Sequence[str]) -> Mapping[str, str]:
    """What :meth:`Language.modules` promises."""
    folders = folders_of(paths)
    placed: dict[str, str] = {}
    for path, text in sorted(manifests.items()):
        content = text.encode("utf-8", "replace")
        targets = [target for root in _parse(content) for target in read_targets(root, content)]
        placed.update(place_targets(path.rpartition("/")[0], targets, folders))
    return assign(paths, placed)


def _parse(content: bytes) -> list[Node]:
    """The tree of a source. One that makes no sense as a whole is parsed again in pieces, cut where a declaration seems to begin.

    A brace that is missing somewhere would otherwise hide all that comes after it.
    """
    import tree_sitter_swift

    content = mend(content)
    parser = Parser(Grammar(tree_sitter_swift.language()))
    root = parser.parse(content).root_node
    if root.type != "ERROR":
        return [root]
    starts = [0, *(match.start() for match in _BEGINNING.finditer(content) if match.start()), len(content)]
    if len(starts) == 2:
        return [root]
    roots: list[Node] = []
    row = 0
    for start, end in itertools.pairwise(starts):
        below = row + content.count(b"\n", start, end)
        column = end - (content.rfind(b"\n", 0, end) + 1)
        parser.included_ranges = [Range((row, 0), (below, column), start, end)]
        roots.append(parser.parse(content).root_node)
        row = below
    return roots


def _complain(facts: Facts, root: Node) -> None:
    """Say where the first error is, when reading did not come across it. A missing ``!`` is how the grammar sees ``()``: no error."""
    stack = [root]
    while stack:
        node = stack.pop()
        if (node.is_error and facts.text(node) != ";") or (node.is_missing and node.type not in {"bang", "!"}):
            facts.complain(f"syntax not understood at line {node.start_point.row + 1}")
            return
        if node.has_error:
            stack.extend(reversed(node.children))


def _read_imports(facts: Facts, children: Sequence[Node]) -> None:
    """``import class UIKit.UIView`` imports from UIKit."""
    for child in children:
        if child.type == "import_declaration":
            for part in child.children:
                if part.type == "identifier":
                    facts.imports.append(facts.text(part).partition(".")[0].strip())


def _read_main(facts: Facts, children: Sequence[Node]) -> Symbol | None:
    """The symbol ``main`` that owns the top-level code of ``main.swift`` and of scripts. It spans the first to the last statement."""
    is_main = facts.path.rpartition("/")[2] == "main.swift"
    shebang = facts.content.startswith(b"#!")
    statements = [child for child in children if child.type not in _DECLARING]
    if is_main or shebang:
        statements = [child for child in children if child.type not in _DECLARING or child.type == "property_declaration"]
    elif not any(child.type in _SCRIPTING for child in statements) or any(child.type == "ERROR" for child in children):
        return None
    if not statements:
        return None
    first, last = statements[0].start_point, statements[-1].end_point
    identifier, _ = facts.identify(".main")
    symbol = Symbol(
        id=identifier,
        name="main",
        qualified="main",
        kind=SymbolKind.FUNCTION,
        path=facts.path,
        span=Span(first.row + 1, max(first.row, last.row) + 1),
        line=first.row + 1,
        column=first.column + 1,
        signature="top-level code",
        modifiers=Modifier.ENTRY,
    )
    facts.symbols.append(symbol)
    facts.breaks.update(statement.end_point.row + 1 for statement in statements)
    return symbol


def _read_top_level(facts: Facts, children: Sequence[Node], main: Symbol | None) -> None:
    code: list[tuple[Node, str]] = []
    top = Place()
    for child in children:
        inside = main is not None and main.span.start <= child.start_point.row + 1 and child.end_point.row + 1 <= main.span.end
        place = Place(symbol=main.id, runs=main.id) if main is not None and inside else top
        kind = child.type
        if kind == "ERROR":
            recover(facts, child, place)
        elif not declare(facts, child, place):
            code.append((child, ""))
    if main is not None and code:
        facts.bodies.append(Body(tuple(code), main.id, Place(symbol=main.id, key=".main", qualified="main")))
    elif macros := tuple((node, expected) for node, expected in code if node.type == "macro_invocation"):
        owner = _declare_file(facts)
        facts.bodies.append(Body(macros, owner.id, Place(symbol=owner.id, key=".file", qualified=owner.name)))


def _declare_file(facts: Facts) -> Symbol:
    """What macros outside of declarations belong to, such as ``#Preview``: the file, which is there once however many pieces it is parsed in."""
    name = facts.path.rpartition("/")[2]
    known = next((symbol for symbol in facts.symbols if symbol.kind is SymbolKind.MODULE), None)
    if known is not None:
        return known
    identifier, _ = facts.identify(".file")
    symbol = Symbol(identifier, name, name, SymbolKind.MODULE, facts.path, Span(1, max(len(facts.lines), 1)), 1, 1, signature=f"file {name}")
    facts.symbols.append(symbol)
    return symbol
