"""DDS: physical and logical files, display and printer files. A file is a table, its record formats are what programs read, write and show."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import ClassVar

from exegesis.model import Modifier, Reference, ReferenceKind, Span, Symbol, SymbolKind, stable_id
from services.indexer.language import Language, Source, Syntax

_FILE = re.compile(r"\b(?:PFILE|JFILE|REF|FORMAT)\((?P<list>[^)']{1,400})\)", re.IGNORECASE)
_NAME = re.compile(r"(?:[\w#$@*]+/)?(?P<name>[A-Za-z#$@][\w#$@]*)")
_TEXT = re.compile(r"\bTEXT\('(?P<text>(?:[^']|'')*)'", re.IGNORECASE)

_KINDS = {"pf": "physical file", "lf": "logical file", "dspf": "display file", "prtf": "printer file", "icff": "communications file"}


class Dds(Language):
    """Data description specifications."""

    name = "dds"
    suffixes = (".dds", ".pf", ".lf", ".dspf", ".prtf", ".icff", ".mnudds")
    folders = ("qddssrc",)
    version: ClassVar[int] = 1

    def parse(self, source: Source) -> Syntax:
        lines = source.text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        code = [(number, line[:80]) for number, line in enumerate(lines, 1) if len(line) > 16 and line[6:7] != "*" and line[5:80].strip()]
        if not code:
            return Syntax()
        file = _file(source.path, code, len(lines))
        records = list(_records(file, code, lines))
        return Syntax((file, *records), tuple(_references(file, records, code)))


def _file(path: str, code: Sequence[tuple[int, str]], count: int) -> Symbol:
    name, _, suffix = path.rpartition("/")[2].lstrip(".").partition(".")
    name = name or "DDS"
    return Symbol(
        id=stable_id(path, "dds", name.upper()),
        name=name,
        qualified=name,
        kind=SymbolKind.TABLE,
        path=path,
        span=Span(1, count),
        line=code[0][0],
        column=1,
        signature=f"{_KINDS.get(suffix.lower(), 'file')} {name}",
        modifiers=Modifier.PUBLIC,
    )


def _records(file: Symbol, code: Sequence[tuple[int, str]], lines: Sequence[str]) -> Iterator[Symbol]:
    """Record formats with their fields, each with the comments above it."""
    heads: list[tuple[int, str]] = []
    fields: list[list[str]] = []
    for number, line in code:
        kind, name = line[16:17].upper(), line[18:28].strip()
        if kind == "R" and name:
            heads.append((number, line))
            fields.append([])
        elif kind in {" ", "K"} and name and fields:
            fields[-1].append(name)
    seen: dict[str, int] = {}
    floor = 0
    for index, (number, line) in enumerate(heads):
        following = heads[index + 1][0] if index + 1 < len(heads) else file.span.end + 1
        start = number
        while start - 1 > floor and lines[start - 2][6:7] == "*":
            start -= 1
        end = following - 1
        while end > number and (lines[end - 1][6:7] == "*" or not lines[end - 1].strip()):
            end -= 1
        name = line[18:28].strip()
        seen[name.upper()] = seen.get(name.upper(), 0) + 1
        text = _TEXT.search(line)
        yield Symbol(
            id=stable_id(file.path, "dds", file.name.upper(), name.upper(), seen[name.upper()]),
            name=name,
            qualified=f"{file.name}.{name}",
            kind=SymbolKind.STRUCT,
            path=file.path,
            span=Span(start, end),
            line=number,
            column=19,
            parent=file.id,
            signature=f"record format {name}: {', '.join(fields[index])}"[:600],
            doc=text["text"] if text else "",
        )
        floor = end


def _references(file: Symbol, records: Sequence[Symbol], code: Sequence[tuple[int, str]]) -> Iterator[Reference]:
    """Files that a logical file stands on, or that fields are taken from."""
    starts = [each.span.start for each in records]
    for number, line in code:
        for match in _FILE.finditer(line):
            before = bisect_right(starts, number) - 1
            source = records[before] if before >= 0 else file
            for name in _NAME.finditer(match["list"]):
                column = match.start("list") + name.start("name")
                yield Reference(
                    ReferenceKind.ACCESS, name["name"], number, len(line[:column].encode("utf-8", "replace")) + 1, source.id, expected="*FILE"
                )
