"""Lines joined to statements: continued names and expressions, free statements up to their semicolon, embedded SQL.

A statement that does not end is ended by what cannot be part of it, so one missing semicolon costs one statement and not the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from services.indexer.languages.rpg.lines import Form, Line
from services.indexer.languages.rpg.words import EXTENDED

MOST_LINES = 1_000
"""Lines of one statement. The longest real ones are a few hundred lines of SQL; what is longer lacks its end, and what follows is another one."""

_NAME = (6, 21)
"""Columns of a name in definition and procedure specifications."""

_CONTINUED_NAME = re.compile(r"[^\s'.]+\.\.\.")
_WORD = re.compile(r"\s*([A-Za-z][A-Za-z-]*)")
_CODE = re.compile(r"\s*([A-Za-z][\w-]*)")
_BEGINS_ANEW = re.compile(r"(?:dcl-(?:proc|pr|pi|ds|s|c|f|enum|parm|subf)|end-(?:proc|pr|pi|ds|enum)|begsr|endsr|ctl-opt)\b", re.IGNORECASE)
_SQL = re.compile(r"exec[ \t]+sql\b", re.IGNORECASE)
_DIRECTIVE_WORD = re.compile(r"/[ \t]*([A-Za-z-]+)")
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_REST_OF_LITERAL = re.compile(r"(?:[^']|'')*'")
_GOES_ON = frozenset("+-")
"""What a literal ends with on a line when it goes on on the next; without, it ends with its line."""
_QUOTED_OR_END = re.compile(r"'(?:[^']|'')*'?|//|;")


@dataclass(frozen=True, slots=True)
class Cell:
    """A word and where it stands: a field of a specification, or a name."""

    text: str = ""
    line: int = 0
    column: int = 0


_EMPTY = Cell()


@dataclass(slots=True)
class Statement:
    """One statement with its place. Its ``text`` is the part that may hold expressions or keywords, joined from as many lines as it takes."""

    form: Form
    start: int
    end: int
    operation: str = ""
    """First word or operation code, in capitals, without its extender."""
    text: str = ""
    name: Cell = _EMPTY
    """What a definition, file or procedure specification declares."""
    type: str = ""
    """Of a definition: DS, S, C, PR, PI or nothing; of a procedure: B or E."""
    attributes: str = ""
    """Length, data type and decimals of a definition, as people would write them."""
    factor1: Cell = _EMPTY
    factor2: Cell = _EMPTY
    result: Cell = _EMPTY
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    """Where ``text`` comes from: offset in it, line, and the column that offset stands at."""

    def place(self, offset: int) -> tuple[int, int]:
        """Line (1-based) and column (0-based) of a character of ``text``."""
        if not self.pieces:
            return self.start, 0
        piece = self.pieces[max(bisect_right(self.pieces, (offset, 1 << 60, 0)) - 1, 0)]
        return piece[1], piece[2] + offset - piece[0]


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of a calculation's fields, 0-based, ends exclusive."""

    factor1: tuple[int, int]
    operation: tuple[int, int]
    factor2: tuple[int, int]
    result: tuple[int, int]


ILE = Layout((11, 25), (25, 35), (35, 49), (49, 63))
OLD = Layout((17, 27), (27, 32), (32, 42), (42, 48))
"""Of RPG III and RPG II."""


def read_statements(lines: Iterable[Line], layout: Layout = ILE) -> Iterator[Statement]:
    """The statements of a file in the order of their first lines. Raises nothing: what is malformed is joined by the rules above."""
    return _Assembly(layout).run(lines)


class _Assembly:
    """Joins lines. ``_open`` is the statement that the next line may continue, ``_parts`` its text so far."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._open: Statement | None = None
        self._parts: list[str] = []
        self._length = 0
        self._name: tuple[Form, list[str], int, int] | None = None
        """A name that is continued: of what, its parts, and the line and column where it begins."""
        self._quoted = False
        """Whether the open statement ends within a literal that goes on."""

    def run(self, lines: Iterable[Line]) -> Iterator[Statement]:
        for line in lines:
            form = line.form
            if form is Form.BLANK or form is Form.COMMENT:
                continue
            if form is Form.FREE:
                yield from self._free(line)
            elif form is Form.CALCULATION:
                yield from self._calculation(line)
            elif form is Form.DEFINITION or form is Form.PROCEDURE:
                yield from self._declaration(line)
            elif form is Form.DIRECTIVE:
                yield from self._directive(line)
            elif form is Form.SQL:
                if self._open is not None and self._open.form is Form.SQL:
                    self._add(line, line.start, line.text[line.start :])
            elif form is Form.CONTROL or form is Form.FILE:
                yield from self._control(line)
            else:
                yield from self._record(line)
        yield from self._close()

    # ---- the open statement

    def _close(self) -> Iterator[Statement]:
        statement = self._open
        if statement is not None:
            self._open = None
            statement.text = "".join(self._parts)
            self._parts = []
            self._length = 0
            if statement.form is Form.FREE and not statement.operation:
                _name_operation(statement)
            yield statement

    def _begin(self, statement: Statement) -> None:
        self._open = statement
        self._parts = []
        self._length = 0

    def _add(self, line: Line, column: int, text: str) -> None:
        """Append what stands on a line from a column on; a name that ends in dots goes on with what follows."""
        statement = self._open
        if statement is None or line.number - statement.start > MOST_LINES:
            return
        if self._parts:
            last = self._parts[-1]
            if last.endswith("..."):
                self._parts[-1] = last[:-3]
                self._length -= 3
                stripped = text.lstrip()
                column += len(text) - len(stripped)
                text = stripped
            else:
                self._parts.append(" ")
                self._length += 1
        text = text.rstrip()
        statement.pieces.append((self._length, line.number, column))
        self._parts.append(text)
        self._length += len(text)
        statement.end = line.number

    # ---- free statements

    def _free(self, line: Line) -> Iterator[Statement]:
        text, at = line.text, line.start
        opened = self._open
        if opened is not None and (opened.form is not Form.FREE or line.number - opened.start > MOST_LINES or _BEGINS_ANEW.match(text, at)):
            yield from self._close()
        self._name = None
        quoted = self._quoted and self._open is not None
        self._quoted = False
        if not quoted and "'" not in text and "//" not in text:
            end = text.find(";", at)
            while end >= 0:
                yield from self._finish(line, at, end)
                at = end + 1
                end = text.find(";", at)
        else:
            scan = at
            if quoted:
                closing = _REST_OF_LITERAL.match(text, at)
                scan = closing.end() if closing else len(text)
                self._quoted = closing is None and text.rstrip()[-1:] in _GOES_ON
            for match in _QUOTED_OR_END.finditer(text, scan):
                found = match.group()
                if found == ";":
                    yield from self._finish(line, at, match.start())
                    at = match.end()
                elif found == "//":
                    text = text[: match.start()]
                    break
                elif not _LITERAL.fullmatch(found):
                    self._quoted = text.rstrip()[-1:] in _GOES_ON
        rest = text[at:].strip()
        if rest:
            if self._open is None:
                self._begin(Statement(Form.FREE, line.number, line.number))
                at += len(text[at:]) - len(text[at:].lstrip())
            self._add(line, at, text[at:])

    def _finish(self, line: Line, start: int, end: int) -> Iterator[Statement]:
        """A semicolon: what stands before it on this line ends the open statement, or is one."""
        text = line.text[start:end]
        if self._open is None:
            code = text.lstrip()
            if not code:
                return
            statement = Statement(Form.FREE, line.number, line.number, text=code.rstrip())
            statement.pieces.append((0, line.number, end - len(code)))
            _name_operation(statement)
            yield statement
            return
        self._add(line, start, text)
        yield from self._close()

    # ---- specifications

    def _calculation(self, line: Line) -> Iterator[Statement]:
        text, layout = line.text, self._layout
        operation = text[slice(*layout.operation)]
        opened = self._open
        if layout is ILE and not text[6:35].strip():
            if opened is not None and opened.form is Form.CALCULATION and opened.operation in EXTENDED:
                self._add(line, 35, text[35:])
            return
        yield from self._close()
        self._name = None
        word = _CODE.match(operation)
        statement = Statement(Form.CALCULATION, line.number, line.number, word.group(1).upper() if word else "")
        statement.factor1 = _cell(line, layout.factor1)
        self._begin(statement)
        if statement.operation in EXTENDED and layout is ILE:
            self._add(line, 35, text[35:])
            return
        statement.factor2 = _cell(line, layout.factor2)
        statement.result = _cell(line, layout.result)
        yield from self._close()

    def _declaration(self, line: Line) -> Iterator[Statement]:
        text = line.text
        if len(text) < _NAME[1] + 3 or "..." in text:
            word = text[6:].strip()
            if _CONTINUED_NAME.fullmatch(word):
                yield from self._close()
                begun = self._name if self._name is not None and self._name[0] is line.form else None
                if begun is None:
                    begun = self._name = (line.form, [], line.number, len(text) - len(text[6:].lstrip()))
                if line.number - begun[2] < MOST_LINES:
                    begun[1].append(word[:-3])
                return
        begun = self._name if self._name is not None and self._name[0] is line.form else None
        self._name = None
        cell = _cell(line, _NAME)
        opened = self._open
        if line.form is Form.DEFINITION and begun is None and not text[6:42].strip():
            if opened is not None and opened.form is Form.DEFINITION:
                self._add(line, 43, text[43:])
            return
        if line.form is Form.PROCEDURE and begun is None and not text[6:24].strip():
            if opened is not None and opened.form is Form.PROCEDURE:
                self._add(line, 43, text[43:])
            return
        yield from self._close()
        statement = Statement(line.form, line.number, line.number, name=cell)
        if begun is not None:
            statement.start = begun[2]
            statement.name = Cell("".join(begun[1]) + cell.text, begun[2], begun[3])
        if line.form is Form.PROCEDURE:
            statement.type = text[23:24].strip().upper()
        else:
            statement.type = text[23:25].strip().upper()
            statement.attributes = _attributes(text)
        self._begin(statement)
        statement.end = line.number
        self._add(line, 43, text[43:])

    def _control(self, line: Line) -> Iterator[Statement]:
        text, opened = line.text, self._open
        self._name = None
        if line.form is Form.CONTROL:
            if opened is not None and opened.form is Form.CONTROL:
                self._add(line, 6, text[6:])
                return
            yield from self._close()
            self._begin(Statement(Form.CONTROL, line.number, line.number, "CTL-OPT"))
            self._add(line, 6, text[6:])
            return
        name = (6, 16) if self._layout is ILE else (6, 14)
        if not text[slice(*name)].strip():
            if opened is not None and opened.form is Form.FILE:
                self._add(line, 43, text[43:])
            return
        yield from self._close()
        self._begin(Statement(Form.FILE, line.number, line.number, name=_cell(line, name), attributes=text[35:42].strip()))
        self._add(line, 43, text[43:])

    def _record(self, line: Line) -> Iterator[Statement]:
        """Input specifications of RPG III, where data structures stand; all others describe records, and call nothing."""
        yield from self._close()
        if self._layout is ILE or line.text[5:6] not in {"I", "i"}:
            return
        name, subfield = _cell(line, (6, 12)), _cell(line, (52, 58))
        if line.text[18:20].upper() == "DS":
            yield Statement(Form.DEFINITION, line.number, line.number, type="DS", name=name)
        elif subfield.text and not name.text:
            yield Statement(Form.DEFINITION, line.number, line.number, name=subfield, attributes=" ".join(line.text[43:52].split()))

    def _directive(self, line: Line) -> Iterator[Statement]:
        match = _DIRECTIVE_WORD.match(line.text, line.start)
        word = match.group(1).upper() if match else ""
        rest = match.end() if match else line.start
        if word in {"EXEC", "END-EXEC", "COPY", "INCLUDE", "EOF"}:
            yield from self._close()
        if word == "EXEC":
            self._begin(Statement(Form.SQL, line.number, line.number, "EXEC"))
            self._add(line, rest, line.text[rest:])
        elif word in {"COPY", "INCLUDE"}:
            statement = Statement(Form.DIRECTIVE, line.number, line.number, word, line.text[rest:].strip())
            yield statement


def _cell(line: Line, columns: tuple[int, int]) -> Cell:
    raw = line.text[columns[0] : columns[1]]
    word = raw.strip()
    return Cell(word, line.number, columns[0] + len(raw) - len(raw.lstrip())) if word else _EMPTY


def _attributes(text: str) -> str:
    length, kind, decimals = text[25:39].strip(), text[39:40].strip(), text[40:42].strip()
    return " ".join(part for part in (" ".join(length.split()) + kind, decimals) if part)


def _name_operation(statement: Statement) -> None:
    """The first word of a free statement, and whether it is SQL."""
    if _SQL.match(statement.text):
        statement.form = Form.SQL
        statement.operation = "EXEC"
        return
    word = _WORD.match(statement.text)
    statement.operation = word.group(1).upper() if word else ""
