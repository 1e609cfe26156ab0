"""SQL: what is created is a symbol, from the comment above it to the end of the statement. Queries and data are shown as they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar

from exegesis.model import Modifier, Reference, ReferenceKind, Span, Symbol, SymbolKind, stable_id
from services.indexer.language import Language, Source, Syntax

_PART = r"(?:\"[^\"\n]{1,128}\"|`[^`\n]{1,128}`|\[[^\]\n]{1,128}\]|[\w#$@]{1,128})"
_CREATE = re.compile(
    r"^[ \t]*(?P<create>create[ \t]+(?:or[ \t]+replace[ \t]+)?"
    r"(?:(?:unique|global|local|temporary|temp|virtual|materialized|recursive|encoded|vector)[ \t]+)*"
    r"(?P<what>table|view|index|procedure|function|trigger|alias|sequence|type|variable|mask)\s+(?:if[ \t]+not[ \t]+exists[ \t]+)?"
    rf"(?:{_PART}[ \t]*[./][ \t]*){{0,2}}(?P<name>{_PART}))",
    re.IGNORECASE | re.MULTILINE,
)
_TOKEN = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'?|\"[^\"\n]*\"?|\$(?P<tag>\w*)\$.*?(?:\$(?P=tag)\$|\Z)|\b(?P<word>begin|case|end)\b|(?P<mark>;)",
    re.IGNORECASE | re.DOTALL,
)
_EXTERNAL = re.compile(
    r"\bexternal\s+name\s+['\"]?(?:[\w#$@]{1,10}['\"]?\s*[./]\s*['\"]?)?(?P<name>[A-Za-z#$@][\w#$@]{0,127})(?:\(\s*(?P<entry>[\w#$@]{1,256})\s*\))?",
    re.IGNORECASE,
)
_COMMENT_LINE = re.compile(r"[ \t]*--[ \t]?(?P<text>.*)")

_KINDS = {
    "table": SymbolKind.TABLE,
    "view": SymbolKind.TABLE,
    "alias": SymbolKind.TABLE,
    "procedure": SymbolKind.PROCEDURE,
    "function": SymbolKind.FUNCTION,
    "trigger": SymbolKind.PROCEDURE,
    "type": SymbolKind.STRUCT,
}


class Sql(Language):
    """Statements that create something, in whatever dialect."""

    name = "sql"
    suffixes = (".sql", ".table", ".view", ".sqlprc", ".sqludf", ".sqludt", ".sqltrg", ".sqlalias", ".sqlseq", ".sqlvar")
    folders = ("qsqlsrc",)
    version: ClassVar[int] = 2

    def parse(self, source: Source) -> Syntax:
        symbols = tuple(_symbols(source.path, source.text))
        return Syntax(symbols, tuple(_external(symbols, source.text)), breaks=tuple(symbol.span.end for symbol in symbols))


def _symbols(path: str, text: str) -> Iterator[Symbol]:
    lines = text.split("\n")
    seen: Counter[str] = Counter()
    counted, line, floor, at = 0, 1, 0, 0
    while (match := _CREATE.search(text, at)) is not None:
        begin = match.start("create")
        line += text.count("\n", counted, begin)
        end = _end(text, match.end())
        last = line + text.count("\n", begin, end)
        name = match["name"].strip('"`[]')
        start = line
        while start - 1 > floor and _COMMENT_LINE.fullmatch(lines[start - 2]):
            start -= 1
        what = match["what"].lower()
        key = f"{what}:{name.upper()}"
        seen[key] += 1
        named = line + text.count("\n", begin, match.start("name"))
        yield Symbol(
            id=stable_id(path, "sql", key, seen[key]),
            name=name,
            qualified=name,
            kind=_KINDS.get(what, SymbolKind.VARIABLE),
            path=path,
            span=Span(start, last),
            line=named,
            column=len(text[text.rfind("\n", 0, match.start("name")) + 1 : match.start("name")].encode("utf-8", "replace")) + 1,
            signature=" ".join(match["create"].split()),
            doc="\n".join(found["text"].strip("- ") for each in lines[start - 1 : line - 1] if (found := _COMMENT_LINE.fullmatch(each)) is not None),
            modifiers=Modifier.PUBLIC,
        )
        floor, counted, line, at = last, end, last, end


def _external(symbols: Sequence[Symbol], text: str) -> Iterator[Reference]:
    """The program, or the procedure of a service program, that routines of a database stand for."""
    lines = text.split("\n")
    for symbol in symbols:
        if symbol.kind not in {SymbolKind.PROCEDURE, SymbolKind.FUNCTION}:
            continue
        first = symbol.line - 1
        statement = "\n".join(line.partition("--")[0] for line in lines[first : symbol.span.end])
        match = _EXTERNAL.search(statement)
        if match is None:
            continue
        name, entry = match["name"], match["entry"]
        at = match.start("entry" if entry else "name")
        line = first + statement.count("\n", 0, at)
        column = at - statement.rfind("\n", 0, at)
        yield Reference(ReferenceKind.CALL, entry or name, line + 1, column, symbol.id, expected="*PROC" if entry else "*PGM")


def _end(text: str, at: int) -> int:
    """Where a statement ends: at a semicolon outside of BEGIN ... END, of literals and comments."""
    depth = 0
    for match in _TOKEN.finditer(text, at):
        word = match["word"]
        if word:
            depth = max(depth - 1, 0) if word.lower() == "end" else depth + 1
            if word.lower() == "end" and text[match.end() : match.end() + 12].lstrip().lower().startswith(_INNER_ENDS):
                depth += 1
        elif match["mark"] and depth == 0:
            return match.end()
    return len(text)


_INNER_ENDS = ("if", "for", "while", "loop", "repeat")
"""``END IF`` and the like close what neither BEGIN nor CASE opened."""
