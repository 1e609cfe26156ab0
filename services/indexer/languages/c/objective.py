"""What Objective-C adds to C: its classes and their methods, read from the text, and the text without them, for the grammar of C.

No grammar of the language is needed for what a call graph wants: classes begin and end with words of their own, a method's head stands at the
beginning of a line, and what a method does is C but for messages. Of these those to ``self``, ``super`` and classes are read; to whom the others
are sent, types would tell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exegesis.model import Chain, Modifier, Parameter, Reference, ReferenceKind, Span, Step, StepKind, Symbol, SymbolKind
from services.indexer.chains import SELF
from services.indexer.comments import start_of_comments
from services.indexer.languages.c.code import Body, read_body
from services.indexer.languages.c.comments import read_doc, says_deprecated
from services.indexer.languages.c.facts import Facts

if TYPE_CHECKING:
    from tree_sitter import Node

_SPOKEN = re.compile(rb"^[ \t]*(?:@(?:interface|implementation|protocol|class|import|end)\b|#[ \t]*import\b)", re.MULTILINE)

_QUIET = re.compile(rb'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*+"?|\'(?:[^\'\\\n]|\\.){1,12}+\'', re.DOTALL)
"""Comments and texts, in which nothing is meant. A text that nothing ends goes to the end of its line, so that no byte is looked at
for each quote before it; a lone apostrophe parts digits, and ends nothing."""
_CLASS = re.compile(rb"^[ \t]*@implementation[ \t]+(\w+)[ \t]*(\([^)\n]*\))?(?:\s*\{[^}]*\})?(.*?)(?:^[ \t]*@end\b|\Z)", re.DOTALL | re.MULTILINE)
_DECLARED = re.compile(
    rb"^[ \t]*@(?:interface\b.*?(?:^[ \t]*@end\b|\Z)|protocol\b[^;\n]*(?:;|\n.*?(?:^[ \t]*@end\b|\Z)))"
    rb"|@(?:class|import|property|synthesize|dynamic|compatibility_alias)\b[^;\n]*;?",
    re.DOTALL | re.MULTILINE,
)
_METHOD = re.compile(rb"^[ \t]*([-+])[ \t]*(\([^;{}\n]*?\))?[ \t]*(\w[^;{}]{0,2000}?)\{", re.MULTILINE)
_PART = re.compile(rb"(\w+)\s*(?::\s*(?:\(((?:[^()]|\([^()]*\))*)\))?\s*(\w+))?")
_CONSTANT = re.compile(rb"@(?:selector|protocol|encode)[ \t]*\([^()\n]*\)")
_IMPORT = re.compile(rb"^[ \t]*#import[ \t]", re.MULTILINE)
_WORD = re.compile(rb"@(?:autoreleasepool|try|finally|catch|synchronized|throw)?")
_MESSAGE = re.compile(rb"\[\s*(self|super|[A-Z]\w*)\s+(\w+)(?=\s*[\]:])")


@dataclass(frozen=True, slots=True)
class Method:
    start: int
    """Byte of its sign."""
    name: int
    """Byte of the first part of its selector."""
    called: str
    body: int
    """Byte of its brace."""
    is_static: bool
    returns: str
    parts: tuple[Parameter, ...]
    """The parts of the selector as labels, the first one's being the name."""


@dataclass(frozen=True, slots=True)
class Implementation:
    start: int
    end: int
    name: int
    """Byte of its name."""
    called: str
    is_category: bool
    methods: tuple[Method, ...]


def speaks_objective_c(content: bytes) -> bool:
    return _SPOKEN.search(content) is not None


def separate(content: bytes) -> tuple[bytes, tuple[Implementation, ...]]:
    """The same number of bytes without what is no C, and the classes that were there. Bodies of methods are left as blocks of no function."""
    quiet = _QUIET.sub(_blank, content)
    plain = bytearray(content)
    found = []
    for match in _CLASS.finditer(quiet):
        methods = tuple(_methods(quiet, match.start(3), match.end(3)))
        found.append(Implementation(match.start(), match.end(), match.start(1), match[1].decode("utf-8", "replace"), bool(match[2]), methods))
        _erase(plain, match.start(), match.start(3))
        _erase(plain, match.end(3), match.end())
        for method in methods:
            _erase(plain, method.start, method.body)
    for pattern in (_DECLARED, _WORD):
        for match in pattern.finditer(quiet):
            _erase(plain, *match.span())
    for match in _CONSTANT.finditer(quiet):
        _erase(plain, *match.span())
        plain[match.start() : match.start() + 1] = b"0"
    for match in _IMPORT.finditer(quiet):
        plain[match.end() - len(b"#include") : match.end()] = b"#include"
    return bytes(plain), tuple(found)


def declare_classes(facts: Facts, root: Node, found: tuple[Implementation, ...]) -> None:
    """Symbols of the classes and methods, and what these refer to; ``root`` is of the text that was separated from them."""
    lines = [0, *(match.end() for match in re.finditer(rb"\n", facts.content))]
    blocks = _blocks_at(root, {method.body for each in found for method in each.methods})
    quiet = _QUIET.sub(_blank, facts.content)
    for each in found:
        kind = SymbolKind.EXTENSION if each.is_category else SymbolKind.CLASS
        owner = _add(facts, kind, each.called, _Extent(lines, each.start, each.name, each.end))
        limits = (*(method.start for method in each.methods), each.end)[1:]
        for method, limit in zip(each.methods, limits, strict=True):
            block = blocks.get(method.body)
            is_whole = block is not None and block.end_byte <= limit  # where the grammar stumbles, a block goes on into the next method
            end = block.end_byte if block is not None and is_whole else quiet.rfind(b"}", method.body, limit) + 1 or limit
            symbol = _add(facts, SymbolKind.METHOD, method.called, _Extent(lines, method.start, method.name, end), method=method, owner=owner)
            if block is not None and is_whole:
                read_body(facts, Body(block, block, symbol.id, symbol.parameters, in_type=True))
            _read_messages(facts, quiet, symbol.id, _Extent(lines, method.body, method.name, end))


def _blocks_at(root: Node, wanted: set[int]) -> dict[int, Node]:
    """The blocks that begin at some bytes."""
    found: dict[int, Node] = {}
    pending = [root] if wanted else []
    while pending:
        node = pending.pop()
        if node.type == "compound_statement" and node.start_byte in wanted:
            found[node.start_byte] = node
        pending.extend(node.named_children)
    return found


def _methods(quiet: bytes, start: int, end: int) -> Iterator[Method]:
    for match in _METHOD.finditer(quiet, start, end):
        parts: list[Parameter] = []
        for part in _PART.finditer(match[3]):
            label, type_, name = (group.decode("utf-8", "replace").strip() if group else "" for group in part.groups())
            if name:
                parts.append(Parameter(label if parts else "_", name, _type_of(type_)))
        called, returns = (re.match(rb"\w+", match[3]) or match)[0].decode("utf-8", "replace"), (match[2] or b"")[1:-1].decode("utf-8", "replace")
        yield Method(match.start(1), match.start(3), called, match.end() - 1, match[1] == b"+", _type_of(returns), tuple(parts))


def _type_of(written: str) -> str:
    """The class of ``nullable NSArray<NSString *> *``; empty where there is none that has members."""
    names = re.findall(r"\w+", written.partition("<")[0])
    return names[-1] if names and names[-1] not in {"void", "id", "instancetype"} and "^" not in written else ""


def _read_messages(facts: Facts, quiet: bytes, source: int, body: _Extent) -> None:
    """``quiet`` is the content without comments and texts, in which messages are only spoken of."""
    for match in _MESSAGE.finditer(quiet, body.start, body.end):
        receiver: Chain = SELF if match[1] == b"self" else (Step(StepKind.SUPER),) if match[1] == b"super" else (_named(match[1]),)
        row, column = _place(body.lines, match.start(2))
        facts.references.append(Reference(ReferenceKind.CALL, match[2].decode("utf-8", "replace"), row + 1, column + 1, source, receiver))


def _named(name: bytes) -> Step:
    return Step(StepKind.NAME, name.decode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class _Extent:
    """Where a declaration stands, in bytes."""

    lines: Sequence[int]
    """At which byte each line begins."""
    start: int
    name: int
    end: int


def _place(lines: Sequence[int], byte: int) -> tuple[int, int]:
    """Row and column, from 0."""
    row = bisect_right(lines, byte) - 1
    return row, byte - lines[row]


def _add(facts: Facts, kind: SymbolKind, name: str, extent: _Extent, *, method: Method | None = None, owner: Symbol | None = None) -> Symbol:
    first, last = _place(extent.lines, extent.start)[0], _place(extent.lines, max(extent.end - 1, extent.start))[0]
    row, column = _place(extent.lines, extent.name)
    above = start_of_comments(facts.lines, first)
    doc = read_doc(facts.lines, above, first) if above < first else ""
    qualified = f"{owner.name}.{name}" if owner is not None else name
    head = facts.content[extent.start : method.body] if method is not None else facts.lines[first]
    modifiers = Modifier.STATIC if method is not None and method.is_static else Modifier.NONE
    symbol = Symbol(
        id=facts.identify(f"{kind.value} {qualified}")[0],
        name=name,
        qualified=qualified,
        kind=kind,
        path=facts.path,
        span=Span(above + 1, last + 1),
        line=row + 1,
        column=column + 1,
        parent=owner.id if owner is not None else None,
        container=owner.name if owner is not None else "",
        signature=" ".join(head.decode("utf-8", "replace").split())[:300],
        doc=doc,
        modifiers=modifiers | (Modifier.DEPRECATED if doc and says_deprecated(doc) else Modifier.NONE),
        parameters=method.parts if method is not None else (),
        type=method.returns if method is not None else "",
    )
    facts.symbols.append(symbol)
    return symbol


def _blank(match: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", match[0])


def _erase(plain: bytearray, start: int, end: int) -> None:
    plain[start:end] = re.sub(rb"[^\n]", b" ", bytes(plain[start:end]))
