"""CL, DDS and SQL: what surrounds RPG programs."""

from __future__ import annotations

import time

import pytest

from exegesis.model import Symbol
from services.indexer.chunk import chunk
from services.indexer.language import Language, Source, Syntax, languages

CL = """/* Nightly run.  */
/* ------------ */
             PGM        PARM(&MODE +
                          &DATE)
             DCLF       FILE(LIB/ORDERS)
             CALL       PGM(LIB/PAYROLL) PARM(&MODE)
             CALL       +
               OLDPGM
             CALL       PGM(&VARIABLE)
             /* CALL  PGM(GONE) */
             SBMJOB     CMD(CALL PGM(BATCH))
             CALLSUBR   SUBR(CLEANUP)
             CALLPRC    PRC('bound_one')
             SUBR       SUBR(CLEANUP)
               CALL  LAST
             ENDSUBR
             ENDPGM
"""

DDS = """     A                                      REF(*LIBL/FIELDS)
      * The list of orders.
     A          R SFLDTA                    SFL
     A            CUSNO          7  0O  5  2
     A          R SFLCTL                    SFLCTL(SFLDTA)
     A                                  1  2'Orders'
"""

SQL = """-- One row for each employee.
CREATE OR REPLACE TABLE sales.employee (
  empno CHAR(6) NOT NULL DEFAULT ';'
);
insert into employee values ('1');
create procedure populate () language sql
begin
  if x then call other(); end if;
  select case when 1 then 2 end into y;
end;
create unique index byName on employee (name);
"""


def parse(name: str, path: str, text: str) -> Syntax:
    language: Language = languages()[name]
    return language.parse(Source(path, text, text.encode()))


def shown(symbol: Symbol) -> tuple[str, str, int, int]:
    return str(symbol.kind), symbol.qualified, symbol.span.start, symbol.span.end


def test_a_cl_program_and_what_it_calls() -> None:
    """Programs by name, through jobs too; a variable that is given no name stands for itself, and comments call nothing."""
    syntax = parse("cl", "QCLSRC/NIGHTLY.MBR", CL)
    assert [shown(symbol) for symbol in syntax.symbols] == [("procedure", "NIGHTLY", 1, 17), ("subroutine", "NIGHTLY.CLEANUP", 14, 16)]
    assert syntax.symbols[0].doc == "Nightly run."
    assert syntax.symbols[0].signature == "NIGHTLY(&MODE &DATE)"
    assert [(each.name, each.line, each.expected) for each in syntax.references if each.expected != "*CMD"] == [
        ("ORDERS", 5, "*FILE"),
        ("PAYROLL", 6, "*PGM"),
        ("OLDPGM", 8, "*PGM"),
        ("&VARIABLE", 9, "*VARIABLE"),
        ("BATCH", 11, "*PGM"),
        ("CLEANUP", 12, "*SUBR"),
        ("bound_one", 13, "*PROC"),
        ("LAST", 15, "*PGM"),
    ]
    assert syntax.references[-1].source == syntax.symbols[1].id


def test_a_display_file_and_its_record_formats() -> None:
    """Each format with the comment above it is a chunk of its own."""
    syntax = parse("dds", "QDDSSRC/orders.dspf", DDS)
    assert [shown(symbol) for symbol in syntax.symbols] == [
        ("table", "orders", 1, 6),
        ("struct", "orders.SFLDTA", 2, 4),
        ("struct", "orders.SFLCTL", 5, 6),
    ]
    assert syntax.symbols[1].signature == "record format SFLDTA: CUSNO"
    assert [(each.name, each.expected) for each in syntax.references] == [("FIELDS", "*FILE")]
    assert [piece.name for piece in chunk("QDDSSRC/orders.dspf", DDS, syntax)] == ["orders", "SFLDTA", "SFLCTL"]


def test_what_sql_creates() -> None:
    """Statements with their comments, up to a semicolon that is neither in a literal nor in a body."""
    syntax = parse("sql", "qsqlsrc/all.sql", SQL)
    assert [shown(symbol) for symbol in syntax.symbols] == [
        ("table", "employee", 1, 4),
        ("procedure", "populate", 6, 10),
        ("variable", "byName", 11, 11),
    ]
    assert syntax.symbols[0].doc == "One row for each employee."
    assert syntax.symbols[0].signature == "CREATE OR REPLACE TABLE sales.employee"


def test_commands_and_binder_source_are_pieces_of_text() -> None:
    """Each whole, under its name, with what a reader wants to know first."""
    command = " SHOW:  CMD  PROMPT('Show a file')\n /* CPP is SHOWC. */\n   PARM KWD(FILE) TYPE(*NAME)\n"
    syntax = parse("cmd", "q/SHOW.CMD", command)
    assert (shown(syntax.symbols[0]), syntax.symbols[0].signature) == (("procedure", "SHOW", 1, 3), "command SHOW(FILE)")
    assert syntax.symbols[0].doc == "Show a file\nCPP is SHOWC."
    assert [piece.name for piece in chunk("q/SHOW.CMD", command, syntax)] == ["SHOW"]
    binder = "STRPGMEXP\n  EXPORT SYMBOL(one)\n  EXPORT SYMBOL('TWO')\nENDPGMEXP\n"
    syntax = parse("bnd", "q/SRV.bnd", binder)
    assert syntax.symbols[0].signature == "service program SRV exports one, TWO"
    assert [piece.name for piece in chunk("q/SRV.bnd", binder, syntax)] == ["SRV"]
    assert parse("cmd", "build.cmd", "@echo off\ncmd /c make\n") == Syntax()


@pytest.mark.parametrize("name", ["cl", "dds", "sql", "cmd", "bnd"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "PGM\n" * 20_000,
        "CALL +\n" * 20_000,
        "/*" * 50_000,
        "create table a\n" * 10_000,
        "create procedure p begin " + "begin " * 50_000,
        "     A          R A\n" * 20_000,
        "     A " + "REF(" * 20_000,
        "CMD PROMPT('a')\n" * 10_000,
        "CMD\n" + "CPP is " * 20_000,
        "STRPGMEXP\n" + "EXPORT +\n" * 20_000,
        "PGM\n" + "CHGVAR &A 'B'\n" * 10_000 + "CALL &A\n" * 1_000,
        "create procedure p external name " * 5_000,
        " " * 20_000 + "x",
        "CMD\nCPP" + " " * 20_000 + "x y",
        "CMD\nCPP" + " " * 20_000 + "-",
        "PGM\nCHGVAR &A" + " " * 20_000 + "x",
        "PGM\nCHGVAR VAR(&A" + " " * 20_000 + ")" + " " * 20_000 + "x",
        "PGM PARM(" * 10_000,
        "'" * 99_999,
        "x" * 300_000,
        "PGM\n" + "SUBR A\n" * 10_000 + "CALL B\n" * 10_000,
    ],
    ids=lambda text: text[:20],
)
def test_hostile_members_cost_little(name: str, text: str) -> None:
    """Time in proportion to the length, and every line in one chunk."""
    before = time.process_time()
    syntax = parse(name, "a/B.mbr", text)
    pieces = chunk("a/B.mbr", text, syntax)
    assert time.process_time() - before < 3
    lines = sorted(line for piece in pieces for run in piece.runs for line in range(run.start, run.end + 1))
    assert lines == list(range(1, text.count("\n") + (not text.endswith("\n") and bool(text)) + 1))
