"""What the statements of a procedure name: calls in all their forms, addresses of procedures, files, and data of the whole program.

Arrays are written as calls are (``name(i)``), so what this file declares as data is no call; of what it does not declare the linker decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from exegesis.model import Reference, ReferenceKind, Step, StepKind
from services.indexer.languages.rpg.lines import Form
from services.indexer.languages.rpg.names import NAME, fold
from services.indexer.languages.rpg.statements import Cell, Statement
from services.indexer.languages.rpg.symbols import FILE, PROCEDURE, PROGRAM, SUBROUTINE, VARIABLE
from services.indexer.languages.rpg.words import FREE_OPERATIONS, NO_NAMES

MOST_TEXT = 100_000
"""Characters of one statement in which names are looked for."""

_TOKEN = re.compile(
    rf"(?P<literal>'(?:[^']|'')*'?)|(?P<built>%[A-Za-z]\w*)|(?P<special>\*\w+)"
    rf"|(?P<dot>\.[ \t]*)?(?P<name>{NAME})(?P<open>[ \t]*\()?|(?P<mark>[():;=])"
)
_EXTENDER = re.compile(r"[ \t]*\([ \t]*[A-Za-z](?:[ \t]*[A-Za-z:][ \t]*){0,6}\)(?![ \t]*[=+*/.-])")
_FIRST = re.compile(rf"[ \t]*(?P<name>(?:{NAME})(?:-[A-Za-z]+)?)")
_SUBROUTINE = re.compile(rf"[ \t]*(\*?(?:{NAME}))")
_ASSIGNS = re.compile(r"[ \t]*(?:[-+*/]|\*\*)?=|[ \t]*\.")
_BRACKET = re.compile(r"'(?:[^']|'')*'?|[()]")
_PROGRAM_LITERAL = re.compile(r"'(?:[^'/]*/)?([^'/]+)'?")
_PADDR = re.compile(rf"[ \t]*\([ \t]*(?:'(?P<quoted>[^']*)'|(?P<name>{NAME}))[ \t]*[:)]")
_SQL_CALL = re.compile(rf"\bcall[ \t]+(?:(?:{NAME})[ \t]*[./][ \t]*)?(?P<name>{NAME})", re.IGNORECASE)
_SQL_TABLE = re.compile(rf"\b(?:from|join|into|update)[ \t]+(?:(?:{NAME})[ \t]*[./][ \t]*)?(?P<name>{NAME})", re.IGNORECASE)
_HOST = re.compile(rf":[ \t]*(?P<name>{NAME})(?:[ \t]*\([^()']*\))?(?:\.(?P<part>{NAME}))?")
_SQL_WORDS = frozenset({"SELECT", "VALUES", "TABLE", "SET", "LATERAL", "FINAL", "ONLY"})


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean in one procedure, as far as this file tells. All names are folded."""

    source: int
    """The symbol that refers."""
    locals: AbstractSet[str]
    data: AbstractSet[str]
    """Data of the whole file: variables, constants, data structures."""
    code: AbstractSet[str]
    """Procedures and prototypes of the file, which win over data of other files."""
    constants: Mapping[str, str]
    like: Mapping[str, str]
    """Local data structures and parameters that are like one of the whole file or of its copies, and which."""
    values: Mapping[str, tuple[str, ...]]
    """What variables that hold the names of programs are given."""


class Mentions:
    """Collects the references of one file. Data and files are named once for each source, calls every time."""

    def __init__(self, raw: Sequence[str]) -> None:
        self._raw = raw
        self._seen: set[tuple[int, str]] = set()
        self.found: list[Reference] = []

    def read(self, statement: Statement, scope: Scope) -> None:
        """Everything that one statement names."""
        match statement.form:
            case Form.SQL:
                self._sql(statement, scope)
            case Form.CALCULATION if statement.pieces:
                self._expression(statement, scope, 0, bare=statement.operation == "CALLP")
            case Form.CALCULATION:
                self._fields(statement, scope)
            case Form.FREE if not statement.operation.startswith("DCL-"):
                self._free(statement, scope)
            case _:
                self._keywords(statement, scope)

    # ---- forms

    def _fields(self, statement: Statement, scope: Scope) -> None:
        """A calculation whose operands stand in columns."""
        operation, second, result = statement.operation, statement.factor2, statement.result
        if operation == "EXSR":
            self._call(second, scope, SUBROUTINE)
        elif operation in {"CALL", "CALLB"}:
            self._external(second, scope, PROGRAM if operation == "CALL" else PROCEDURE)
        elif operation[:3] == "CAS" and result.text:
            self._call(result, scope, SUBROUTINE)
        else:
            for cell in (statement.factor1, second, result):
                match = _FIRST.match(cell.text)
                if match is not None:
                    self._data(Cell(match["name"], cell.line, cell.column), scope)

    def _free(self, statement: Statement, scope: Scope) -> None:
        text, operation = statement.text, statement.operation
        first = _FIRST.match(text)
        if first is None:
            self._expression(statement, scope, 0)
            return
        if operation not in FREE_OPERATIONS or _ASSIGNS.match(text, first.end()):
            self._expression(statement, scope, 0, bare=not text[first.end() :].strip(), assigned=True)
            return
        start = len(text) - len(text.lstrip()) + len(operation)
        extender = _EXTENDER.match(text, start)
        if extender is not None:
            start = extender.end()
        if operation == "EXSR":
            name = _SUBROUTINE.match(text, start)
            if name is not None:
                self._call(Cell(name[1], *statement.place(name.start(1))), scope, SUBROUTINE)
        else:
            self._expression(statement, scope, start, bare=operation == "CALLP")

    def _sql(self, statement: Statement, scope: Scope) -> None:
        text = statement.text[:MOST_TEXT]
        for match in _SQL_CALL.finditer(text):
            self._call(_named(statement, match), scope, PROGRAM)
        for match in _SQL_TABLE.finditer(text):
            if fold(match["name"]) not in _SQL_WORDS:
                self._data(_named(statement, match), scope, FILE)
        for match in _HOST.finditer(text):
            self._data(_named(statement, match), scope)
            if match["part"]:
                self._subfield(fold(match["name"]), Cell(match["part"], *statement.place(match.start("part"))), scope)

    def _keywords(self, statement: Statement, scope: Scope) -> None:
        """A definition: nothing is called there, but data and procedures are named."""
        taken = 0
        for match in _TOKEN.finditer(statement.text[:MOST_TEXT]):
            if match.start() < taken:
                continue
            if match["built"] and match["built"].lower() == "%paddr":
                taken = self._address(statement, scope, match.end())
            elif match["name"] and not match["open"] and not match["dot"] and fold(match["name"]) not in scope.code:
                self._data(_named(statement, match), scope)

    # ---- expressions

    def _expression(self, statement: Statement, scope: Scope, start: int, *, bare: bool = False, assigned: bool = False) -> None:
        """``bare``: a name alone is called. ``assigned``: what comes first may be the target of an assignment."""
        text = statement.text[:MOST_TEXT]
        first = True
        taken = 0
        before = ""
        opened: list[str] = []
        for match in _TOKEN.finditer(text, start):
            name = match["name"]
            if match.start() < taken:
                continue
            owner, before = before, self._before(match, opened)
            if name is None:
                if match["built"] and match["built"].lower() == "%paddr":
                    taken = self._address(statement, scope, match.end())
                first = first and match["mark"] is None and match["literal"] is None
                continue
            is_first, first = first, False
            folded = fold(name)
            cell = _named(statement, match)
            if match["dot"] and owner:
                self._subfield(owner, cell, scope)
            if match["dot"] or folded in scope.locals or folded in NO_NAMES:
                continue
            if folded in scope.code:
                self._call(cell, scope)  # without parameters there need be no parentheses
            elif (
                (not match["open"] and not (bare and is_first))
                or folded in scope.data
                or (is_first and assigned and match["open"] and _is_target(text, match.end()))
            ):
                self._data(cell, scope)
            elif folded not in NO_NAMES:
                self._call(cell, scope)

    @staticmethod
    def _before(match: re.Match[str], opened: list[str]) -> str:
        """The data structure of which a part may follow: a name, or the name before the parentheses that end here, which ``opened`` remembers."""
        name = "" if match["dot"] else fold(match["name"] or "")
        if match["open"] or match["mark"] == "(":
            opened.append(name)
            return ""
        return opened.pop() if match["mark"] == ")" and opened else name

    def _address(self, statement: Statement, scope: Scope, at: int) -> int:
        """The procedure whose address is taken, and where that ends."""
        match = _PADDR.match(statement.text, at)
        if match is None:
            return at
        group = "quoted" if match["quoted"] else "name"
        if match[group]:
            self._refer(ReferenceKind.ACCESS, Cell(match[group], *statement.place(match.start(group))), scope, PROCEDURE)
        return match.end()

    def _external(self, written: Cell, scope: Scope, kind: str) -> None:
        """``CALL 'LIB/PGM'``, or a constant or variable that holds the name."""
        quoted = _PROGRAM_LITERAL.match(written.text)
        if quoted is not None:
            self._call(Cell(quoted[1].strip(), written.line, written.column + quoted.start(1)), scope, kind)
            return
        name = written.text.partition("(")[0]
        known = scope.constants.get(fold(name))
        if known is not None or kind != PROGRAM:
            self._call(Cell((known or name).rpartition("/")[2].strip(), written.line, written.column), scope, kind)
            return
        for each in scope.values.get(fold(name)) or (name,):
            self._call(Cell(each, written.line, written.column), scope, VARIABLE)

    # ---- references

    def _call(self, name: Cell, scope: Scope, kind: str = "") -> None:
        if name.text:
            self._refer(ReferenceKind.CALL, name, scope, kind)

    def _data(self, name: Cell, scope: Scope, kind: str = "") -> None:
        folded = fold(name.text)
        key = (scope.source, folded)
        if key in self._seen or (folded in scope.locals and not kind):
            return
        self._seen.add(key)
        self._refer(ReferenceKind.ACCESS, name, scope, kind)

    def _subfield(self, owner: str, name: Cell, scope: Scope) -> None:
        """``address.city``, ``address(i).city``: the part of a data structure that is written with it. Local ones are nobody else's, unless they are
        like another.
        """
        owner = scope.like.get(owner, "" if owner in scope.locals else owner)
        if not owner:
            return
        key = (scope.source, f"{owner}.{fold(name.text)}")
        if key not in self._seen:
            self._seen.add(key)
            structure = (Step(StepKind.NAME, owner),)
            self.found.append(Reference(ReferenceKind.ACCESS, name.text, name.line, self._column(name), scope.source, receiver=structure))

    def _refer(self, kind: ReferenceKind, name: Cell, scope: Scope, expected: str) -> None:
        self.found.append(Reference(kind, name.text, name.line, self._column(name), scope.source, expected=expected))

    def _column(self, name: Cell) -> int:
        """1-based and in bytes of the line as it is written."""
        raw = self._raw[name.line - 1]
        column = max(raw.find(name.text), 0) if "\t" in raw else name.column
        return column + 1 if raw.isascii() else len(raw[:column].encode("utf-8", "replace")) + 1


def _named(statement: Statement, match: re.Match[str]) -> Cell:
    return Cell(match["name"], *statement.place(match.start("name")))


def _is_target(text: str, at: int) -> bool:
    """Whether the parentheses that open before ``at`` close before an equals sign: an element that is assigned to, not a call."""
    depth = 1
    for match in _BRACKET.finditer(text, at):
        depth += 1 if match.group() == "(" else -1 if match.group() == ")" else 0
        if depth == 0:
            return _ASSIGNS.match(text, match.end()) is not None
    return False
