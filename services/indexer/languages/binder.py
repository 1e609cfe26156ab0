"""Binder source of IBM i: the procedures that a service program shows, by the names that its modules export them under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from exegesis.model import Modifier, Reference, ReferenceKind, Span, Symbol, SymbolKind, stable_id
from services.indexer.language import Language, Source, Syntax

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LETTER = re.compile(r"[^\n]")
_BEGINS = re.compile(r"^[ \t]*STRPGMEXP\b", re.IGNORECASE | re.MULTILINE)
_EXPORT = re.compile(
    r"^[ \t]*EXPORT(?:[ \t]|[+-][ \t]*\n)+(?:SYMBOL\([ \t]*)?(?P<quote>['\"]?)(?P<name>[^\s'\"()]{1,256})(?P=quote)", re.IGNORECASE | re.MULTILINE
)


class Binder(Language):
    """``STRPGMEXP``, ``EXPORT``, ``ENDPGMEXP``. Several lists in one member are what former versions showed: each procedure counts once."""

    name = "bnd"
    suffixes = (".bnd", ".binder", ".bndsrc")
    folders = ("qsrvsrc", "qbndsrc")
    version: ClassVar[int] = 2

    def parse(self, source: Source) -> Syntax:
        code = _COMMENT.sub(lambda found: _LETTER.sub(" ", found.group()), source.text)
        begins = _BEGINS.search(code)
        if begins is None:
            return Syntax()
        name = source.path.rpartition("/")[2].lstrip(".").partition(".")[0] or "BND"
        exports = tuple(_exports(code, 0))
        symbol = Symbol(
            id=stable_id(source.path, "bnd", name.upper()),
            name=name,
            qualified=name,
            kind=SymbolKind.STRUCT,  # what holds others and is shown whole; modules of other languages are no piece of text
            path=source.path,
            span=Span(1, code.count("\n") + (not code.endswith("\n"))),
            line=code.count("\n", 0, begins.start()) + 1,
            column=1,
            signature=f"service program {name} exports {', '.join(each.name for each in exports)}"[:600],
            modifiers=Modifier.PUBLIC,
        )
        return Syntax((symbol,), tuple(_exports(code, symbol.id)))


def _exports(code: str, owner: int) -> Iterator[Reference]:
    seen: set[str] = set()
    counted, line = 0, 1
    for match in _EXPORT.finditer(code):
        at = match.start("name")
        line += code.count("\n", counted, at)
        counted = at
        if match["name"].upper() not in seen:
            seen.add(match["name"].upper())
            column = at - code.rfind("\n", 0, at)
            yield Reference(ReferenceKind.ACCESS, match["name"], line, column, owner, expected="*PROC")
