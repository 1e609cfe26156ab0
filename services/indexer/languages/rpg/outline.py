"""Statements become declarations: procedures, prototypes, subroutines, data structures, variables, files, and the program itself.

One pass keeps what is open: a procedure, in it or beside it a subroutine, and a definition whose parts follow on further lines.
"""

from __future__ import annotations

from collections.abc import Iterable

from exegesis.model import SymbolKind
from services.indexer.languages.rpg.entities import Entity, Outline, Part, Step
from services.indexer.languages.rpg.freeform import Declaration, declaration, enclosed, part
from services.indexer.languages.rpg.keywords import keywords, literal
from services.indexer.languages.rpg.lines import Form
from services.indexer.languages.rpg.names import fold
from services.indexer.languages.rpg.statements import Cell, Statement
from services.indexer.languages.rpg.words import nesting

DEEPEST = 32
"""Data structures within each other; RPG allows eight."""

_FREE_KINDS = {
    "DCL-PR": SymbolKind.PROTOTYPE,
    "DCL-DS": SymbolKind.STRUCT,
    "DCL-ENUM": SymbolKind.ENUM,
    "DCL-S": SymbolKind.VARIABLE,
    "DCL-C": SymbolKind.VARIABLE,
    "DCL-F": SymbolKind.TABLE,
}
_FIXED_KINDS = {"PR": SymbolKind.PROTOTYPE, "DS": SymbolKind.STRUCT, "S": SymbolKind.VARIABLE, "C": SymbolKind.VARIABLE}
_BLOCKS = frozenset({"DCL-PR", "DCL-DS", "DCL-ENUM", "DCL-PI"})
_BLOCK_ENDS = frozenset({"END-PR", "END-PI", "END-DS", "END-ENUM"})
_PARAMETER_LISTS = frozenset({"PLIST", "PARM"})


def outline(statements: Iterable[Statement], program: str) -> Outline:
    """What a file declares. ``program`` is the name its main procedure gets."""
    reader = _Reader(program)
    for statement in statements:
        reader.take(statement)
    return reader.finish()


class _Reader:
    def __init__(self, program: str) -> None:
        self._program = program
        self._found = Outline()
        self._procedure: Entity | None = None
        self._subroutine: Entity | None = None
        self._open: Entity | None = None
        """The definition whose parts follow; an interface opens what it is the interface of."""
        self._is_block = False
        """The open definition is a free one, which ends at its END."""
        self._nested = 0
        """Data structures that are open within the open one."""
        self._last = 0
        """Last line of the statement before this one."""
        self._depth = 0
        self._entry_list = False
        self._had_procedure = False
        self._taken: list[Part] = []
        """What the program takes."""

    def take(self, statement: Statement) -> None:
        match statement.form:
            case Form.CALCULATION | Form.SQL:
                self._close()
                self._execute(statement)
            case Form.FREE:
                self._free(statement)
            case Form.DEFINITION:
                self._definition(statement)
            case Form.PROCEDURE:
                self._close()
                if statement.type == "E":
                    self._end_procedure(statement)
                elif statement.type == "B" or statement.name.text:
                    self._begin_procedure(statement, statement.name, statement.text)
            case Form.DIRECTIVE:
                self._found.copies.append(statement.text)
            case Form.CONTROL:
                self._close()
                self._control(statement.text)
            case Form.FILE:
                self._close()
                self._declare(SymbolKind.TABLE, statement, Declaration(statement.name, statement.attributes, statement.text))
            case _:
                self._close()
        self._last = max(self._last, statement.end)

    def finish(self) -> Outline:
        self._end_procedure(None)
        if self._found.main is None and self._taken and "NOMAIN" not in self._found.control:
            self._begin_main(self._taken[0].start).end = max(part.end for part in self._taken)
        if self._found.main is not None:
            self._found.main.parts = self._taken
        return self._found

    # ---- procedures and subroutines

    def _begin_procedure(self, statement: Statement, name: Cell, rest: str) -> None:
        self._end_procedure(None)
        self._had_procedure = True
        self._procedure = self._add(SymbolKind.PROCEDURE, statement, name, None)
        self._procedure.keywords = keywords(rest)
        self._found.locals[id(self._procedure)] = set()
        self._depth = 0

    def _end_procedure(self, statement: Statement | None) -> None:
        """Ends what is open; without a statement the procedure lacks its end, and reaches as far as what was read."""
        self._close()
        self._end_subroutine(statement)
        if self._procedure is not None:
            if statement is None:
                self._found.problems.append(f"procedure {self._procedure.name.text} does not end")
            self._procedure.end = statement.end if statement is not None else max(self._procedure.end, self._last)
        self._procedure = None

    def _begin_subroutine(self, statement: Statement, name: Cell) -> None:
        self._end_subroutine(None)
        parent = self._procedure if self._procedure is not None else self._main_of(statement)
        self._subroutine = self._add(SymbolKind.SUBROUTINE, statement, name, parent)
        self._depth = 0

    def _end_subroutine(self, statement: Statement | None) -> None:
        ended = self._subroutine
        if ended is not None:
            ended.end = statement.end if statement is not None else max(ended.end, self._last)
            if ended.parent is not None:
                ended.parent.end = max(ended.parent.end, ended.end)
        self._subroutine = None

    def _main_of(self, statement: Statement) -> Entity:
        """The program itself: what stands outside of procedures and does something. It reaches no farther than the first procedure."""
        main = self._found.main
        if main is None:
            main = self._begin_main(statement.start)
        if not self._had_procedure:
            main.end = max(main.end, statement.end)
        return main

    def _begin_main(self, start: int) -> Entity:
        main = Entity(SymbolKind.PROCEDURE, Cell(self._program, start, 0), start, start, floor=self._last)
        self._found.main = main
        self._found.entities.append(main)
        return main

    # ---- statements that do something

    def _execute(self, statement: Statement) -> None:
        operation = statement.operation
        if operation == "BEGSR" and statement.form is Form.CALCULATION:
            if statement.factor1.text:
                self._begin_subroutine(statement, statement.factor1)
            return
        if operation == "ENDSR":
            self._end_subroutine(statement)
            self._found.breaks.append(statement.end)
            return
        if operation in _PARAMETER_LISTS:
            self._parameter_list(statement)
        owner = self._subroutine or self._procedure or self._main_of(statement)
        if owner is not self._found.main:
            owner.end = max(owner.end, statement.end)
        self._found.steps.append(Step(statement, owner))
        self._depth = max(self._depth + nesting(operation), 0)
        if self._depth == 0:
            self._found.breaks.append(statement.end)

    def _parameter_list(self, statement: Statement) -> None:
        """``*ENTRY PLIST`` and the PARMs under it are what a program of the old style takes."""
        if statement.operation == "PLIST":
            self._entry_list = statement.factor1.text.upper() == "*ENTRY"
        elif self._entry_list and statement.result.text:
            self._taken.append(Part(statement.result, "", "", statement.start, statement.end))

    # ---- free form

    def _free(self, statement: Statement) -> None:
        operation = statement.operation
        if operation == "END-PROC":
            self._end_procedure(statement)
        elif operation in _BLOCK_ENDS:
            self._end_block(statement)
        elif operation == "CTL-OPT":
            self._control(statement.text[len("CTL-OPT") :])
        elif operation == "DCL-PROC":
            declared = declaration(statement)
            self._begin_procedure(statement, declared.name, declared.rest)
        elif operation == "DCL-PI":
            self._close()
            self._interface(statement, declaration(statement))
        elif operation in _FREE_KINDS:
            self._free_definition(statement)
        elif self._open is not None and self._is_block:
            self._open.end = max(self._open.end, statement.end)
            self._add_part(part(statement))
        else:
            self._close()
            if operation == "BEGSR":
                self._begin_subroutine(statement, declaration(statement).name)
            else:
                self._execute(statement)

    def _free_definition(self, statement: Statement) -> None:
        operation, declared = statement.operation, declaration(statement)
        if operation == "DCL-DS" and self._open is not None and self._is_block and self._nested < DEEPEST:
            self._add_part(Part(declared.name, "data structure", declared.rest, statement.start, statement.end))
            self._nested += not enclosed(operation, declared)
            return
        self._close()
        entity = self._declare(_FREE_KINDS[operation], statement, declared)
        if operation == "DCL-C":
            self._constant(declared)
        if operation in _BLOCKS and not enclosed(operation, declared):
            self._open, self._is_block = entity, True

    def _end_block(self, statement: Statement) -> None:
        if self._nested and statement.operation == "END-DS":
            self._nested -= 1
            return
        if self._open is not None:
            self._open.end = max(self._open.end, statement.end)
        self._close()

    # ---- definition specifications

    def _definition(self, statement: Statement) -> None:
        name, type_ = statement.name, statement.type
        declared = Declaration(name, statement.attributes, statement.text)
        if type_ == "PI":
            self._close()
            self._interface(statement, declared)
        elif type_ in _FIXED_KINDS:
            self._close()
            entity = self._declare(_FIXED_KINDS[type_], statement, declared)
            if type_ == "C":
                self._constant(declared)
            if type_ in {"PR", "DS"}:
                self._open = entity
        elif self._open is not None and (name.text or statement.attributes):
            self._open.end = max(self._open.end, statement.end)
            self._add_part(Part(name, statement.attributes, statement.text.strip(), statement.start, statement.end))

    def _interface(self, statement: Statement, declared: Declaration) -> None:
        """What a procedure, or the program, takes and gives back."""
        if self._procedure is not None:
            self._procedure.type = declared.type
            for word, inside in keywords(declared.rest).items():
                self._procedure.keywords.setdefault(word, inside)
            self._procedure.end = max(self._procedure.end, statement.end)
            self._open = self._procedure
        else:
            self._open = Entity(SymbolKind.PROCEDURE, Cell(self._program), statement.start, statement.end, parts=self._taken)
        self._is_block = statement.form is Form.FREE
        if self._is_block and enclosed("DCL-PI", declared):
            self._close()

    def _add_part(self, found: Part) -> None:
        opened = self._open
        if opened is None or self._nested:
            return
        opened.parts.append(found)
        names_it = opened is self._procedure or (opened.kind is SymbolKind.STRUCT and "QUALIFIED" not in opened.keywords)
        if self._procedure is not None and found.name.text and names_it:
            self._found.locals[id(self._procedure)].add(fold(found.name.text))

    def _declare(self, kind: SymbolKind, statement: Statement, declared: Declaration) -> Entity:
        entity = self._add(kind, statement, declared.name, self._procedure)
        entity.type, rest = declared.type, declared.rest
        entity.keywords = keywords(rest)
        if self._procedure is not None:
            self._procedure.end = max(self._procedure.end, statement.end)
            if kind is not SymbolKind.PROTOTYPE:
                self._found.locals[id(self._procedure)].add(fold(declared.name.text))
        if "%" in rest or (kind is SymbolKind.TABLE and "(" in rest):
            self._found.steps.append(Step(statement, self._procedure or entity))
        return entity

    def _add(self, kind: SymbolKind, statement: Statement, name: Cell, parent: Entity | None) -> Entity:
        entity = Entity(kind, name, statement.start, statement.end, parent, floor=self._last)
        self._found.entities.append(entity)
        return entity

    def _constant(self, declared: Declaration) -> None:
        value = literal(declared.rest)
        if value and declared.name.text:
            self._found.constants.setdefault(fold(declared.name.text), value)

    def _close(self) -> None:
        self._open, self._is_block, self._nested = None, False, 0

    def _control(self, text: str) -> None:
        for word, inside in keywords(text).items():
            self._found.control.setdefault(word, inside)
