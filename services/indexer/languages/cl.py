"""CL: the programs that call RPG programs. What they call, and their subroutines; the rest is shown as it is.

A reader of commands, not of expressions: comments are blanked, and commands that name another object are found in what is left.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import ClassVar

from exegesis.model import Modifier, Reference, ReferenceKind, Span, Symbol, SymbolKind, stable_id
from services.indexer.language import Language, Source, Syntax

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LETTER = re.compile(r"[^\n]")
_GOES_ON = r"(?:\s|[+-][ \t]*\n)++"
_QUALIFIED = r"(?:[\w#$@*%&]{1,11}/)?'?(?P<name>[A-Za-z#$@][\w#$@]{0,255})"

_COMMANDS = (
    (ReferenceKind.CALL, "*PGM", "CALL|TFRCTL", "PGM"),
    (ReferenceKind.CALL, "*PROC", "CALLPRC", "PRC"),
    (ReferenceKind.CALL, "*SUBR", "CALLSUBR", "SUBR"),
    (ReferenceKind.ACCESS, "*FILE", "DCLF|OVRDBF|OVRDSPF|OVRPRTF|CLRPFM|OPNDBF|RGZPFM|OPNQRYF", "FILE"),
    (ReferenceKind.ACCESS, "*FILE", "CPYF|CPYFRMIMPF|CPYTOIMPF", "FROMFILE"),
)
"""What a command names: the kind of reference, the kind of object, the commands, and the keyword that may introduce it."""

_REFERENCES = tuple(
    (kind, expected, re.compile(rf"\b(?:{commands}){_GOES_ON}(?:{keyword}\(\s*)?+{_QUALIFIED}", re.IGNORECASE))
    for kind, expected, commands, keyword in _COMMANDS
)
_DYNAMIC = re.compile(rf"\b(?:CALL|TFRCTL){_GOES_ON}(?:PGM\(\s*)?+(?:[\w#$@*%&]{{1,11}}/)?(?P<name>&[\w#$@]{{1,10}})", re.IGNORECASE)
"""A call of the program whose name a variable holds."""
_GIVEN = re.compile(
    rf"\b(?:CHGVAR|DCL){_GOES_ON}(?:VAR\(\s*)?+(?P<variable>&[\w#$@]{{1,10}})(?:\s*+\))?+{_GOES_ON}"
    rf"(?:TYPE\(\*CHAR\){_GOES_ON}(?:LEN\([\d ]*\){_GOES_ON})?)?(?:VALUE\(\s*)?+'(?P<value>[^'\n]{{1,21}})'",
    re.IGNORECASE,
)
"""A literal that a variable is given."""
_WORD = re.compile(r"^[ \t]*(?:[\w#$@]+:[ \t]*)?(?:[\w#$@]{1,10}/)?(?P<name>[A-Za-z#$@][\w#$@]{2,9})(?=[ \t]|$)", re.MULTILINE)
"""What a line begins with: a command, or the rest of one."""
_NO_COMMANDS = frozenset("PGM ENDPGM DCL DCLF CHGVAR ELSE ENDDO ENDSUBR SUBR RETURN GOTO MONMSG CALL CALLPRC CALLSUBR THEN DOWHILE DOUNTIL".split())  # noqa: SIM905 - read more easily

_STARTS = re.compile(r"(?:^|(?<=:))[ \t]*PGM\b", re.IGNORECASE | re.MULTILINE)
_ENDS = re.compile(r"^[ \t]*(?:[\w#$@]+:[ \t]*)?ENDPGM\b", re.IGNORECASE | re.MULTILINE)
_SUBROUTINE = re.compile(r"^[ \t]*SUBR[ \t]+(?:SUBR\([ \t]*)?(?P<name>[\w#$@]+)", re.IGNORECASE | re.MULTILINE)
_SUBROUTINE_ENDS = re.compile(r"^[ \t]*(?:[\w#$@]+:[ \t]*)?ENDSUBR\b", re.IGNORECASE | re.MULTILINE)
_PARAMETERS = re.compile(rf"\bPGM{_GOES_ON}PARM\((?P<list>[^()]*)\)", re.IGNORECASE)


class Cl(Language):
    """Control language, of OPM and ILE programs."""

    name = "cl"
    suffixes = (".clle", ".clp", ".sqlclle", ".cllesrc")
    folders = ("qclsrc", "qcllesrc", "qclpsrc")
    version: ClassVar[int] = 2

    def parse(self, source: Source) -> Syntax:
        code = _COMMENT.sub(lambda found: _LETTER.sub(" ", found.group()), source.text)
        places = _Places(code, source.text)
        program = _program(source, code, places)
        if program is None:
            return Syntax()
        subroutines = list(_subroutines(source.path, code, places, program))
        return Syntax(
            symbols=(program, *subroutines),
            references=tuple(sorted(_references(code, places, program, subroutines), key=lambda found: (found.line, found.column))),
        )


class _Places:
    """Offsets as lines and columns."""

    def __init__(self, code: str, text: str) -> None:
        self._code = code
        self._text = text
        self._counted = (0, 1)

    def line(self, offset: int) -> int:
        """Cheap for offsets that grow."""
        before, line = self._counted if self._counted[0] <= offset else (0, 1)
        line += self._code.count("\n", before, offset)
        self._counted = (offset, line)
        return line

    def column(self, offset: int) -> int:
        start = self._text.rfind("\n", 0, offset) + 1
        return len(self._text[start:offset].encode("utf-8", "replace")) + 1

    @property
    def last(self) -> int:
        return self._code.count("\n") + (not self._code.endswith("\n"))


def _program(source: Source, code: str, places: _Places) -> Symbol | None:
    """The whole member, from the comment that heads it to its end."""
    start = _STARTS.search(code)
    if start is None:
        return None
    begin = start.start() + len(start.group()) - len(start.group().lstrip())
    end = None
    for end in _ENDS.finditer(code):  # noqa: B007 - the last one counts
        pass
    name = source.path.rpartition("/")[2].lstrip(".").partition(".")[0] or "CL"
    parameters = _PARAMETERS.search(code)
    listed = " ".join((parameters["list"] if parameters else "").replace("+", " ").split())
    return Symbol(
        id=stable_id(source.path, "cl", name.upper()),
        name=name,
        qualified=name,
        kind=SymbolKind.PROCEDURE,
        path=source.path,
        span=Span(1, max(places.line(end.start()) if end else places.last, places.line(begin))),
        line=places.line(begin),
        column=places.column(begin),
        signature=f"{name}({listed})"[:600],
        doc=_heading(source.text[:begin]),
        modifiers=Modifier.ENTRY | Modifier.PUBLIC,
    )


def _heading(text: str) -> str:
    """What the comments before the program say, without marks and rules."""
    lines = (line.strip().removeprefix("/*").removesuffix("*/").strip(" *-=|") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)[:4000]


def _subroutines(path: str, code: str, places: _Places, program: Symbol) -> Iterator[Symbol]:
    seen: dict[str, int] = {}
    ends = [match.start() for match in _SUBROUTINE_ENDS.finditer(code)]
    at = 0
    for match in _SUBROUTINE.finditer(code):
        while at < len(ends) and ends[at] < match.start():
            at += 1
        name = match["name"]
        seen[name.upper()] = seen.get(name.upper(), 0) + 1
        line = places.line(match.start("name"))
        yield Symbol(
            id=stable_id(path, "cl", program.name.upper(), name.upper(), seen[name.upper()]),
            name=name,
            qualified=f"{program.qualified}.{name}",
            kind=SymbolKind.SUBROUTINE,
            path=path,
            span=Span(line, max(places.line(ends[at]) if at < len(ends) else line, line)),
            line=line,
            column=places.column(match.start("name")),
            parent=program.id,
            signature=f"subr {name}",
            modifiers=Modifier.PRIVATE,
        )


def _references(code: str, places: _Places, program: Symbol, subroutines: list[Symbol]) -> Iterator[Reference]:
    starts = [each.span.start for each in subroutines]

    def refer(kind: ReferenceKind, name: str, offset: int, expected: str) -> Reference:
        line = places.line(offset)
        before = bisect_right(starts, line) - 1
        inside = before >= 0 and line <= subroutines[before].span.end
        return Reference(kind, name, line, places.column(offset), (subroutines[before] if inside else program).id, expected=expected)

    for kind, expected, pattern in _REFERENCES:
        for match in pattern.finditer(code):
            yield refer(kind, match["name"], match.start("name"), expected)
    values = _values(code)
    for match in _DYNAMIC.finditer(code):
        for name in values.get(match["name"].upper()) or (match["name"],):
            yield refer(ReferenceKind.CALL, name, match.start("name"), "*VARIABLE")
    for match in _WORD.finditer(code):
        if match["name"].upper() not in _NO_COMMANDS:
            yield refer(ReferenceKind.ACCESS, match["name"], match.start("name"), "*CMD")


def _values(code: str) -> dict[str, list[str]]:
    """The literals that each variable is given somewhere in the member, as names of objects without their libraries."""
    found: dict[str, list[str]] = {}
    for match in _GIVEN.finditer(code):
        value = match["value"].rpartition("/")[2].strip()
        known = found.setdefault(match["variable"].upper(), [])
        if _OBJECT.fullmatch(value) and value not in known and len(known) < MOST_VALUES:
            known.append(value)
    return found


_OBJECT = re.compile(r"[A-Za-z#$@][\w#$@]{0,9}")
MOST_VALUES = 16
"""Programs that one variable is followed to."""
