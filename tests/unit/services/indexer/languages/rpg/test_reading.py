"""RPG that no annotated source can hold: what breaks the rules, and what must hold of any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exegesis.model import SymbolKind
from services.indexer.chunk import chunk
from services.indexer.language import Source, Syntax, language_of
from services.indexer.languages.rpg import Rpg
from services.indexer.languages.rpg.names import copied, member_of

PIECES = (
    "     P name            B                   EXPORT",
    "     P                 E",
    "     P a_long_...",
    "     D other           PR            10I 0",
    "     D   parm                        10A   const",
    "     D ds              DS",
    "     C                   callp     other('x':",
    "     C                             'y')",
    "     C     sub           BEGSR",
    "     C                   ENDSR",
    "     C/EXEC SQL",
    "     C+ SELECT * FROM T",
    "     C/END-EXEC",
    "      * a comment",
    "      // another;",
    "      /copy LIB/FILE,MEMBER",
    "      /if defined(X)",
    "      /endif",
    "       dcl-proc free export; ",
    "       dcl-ds q qualified;",
    "       end-ds;",
    "       end-proc;",
    "       x = y('it''s; ' + z(1));",
    "       exsr sub;",
    "       begsr sub2;",
    "       endsr;",
    "**free",
    "** data",
    "",
    "\t\tif a(b);",
    "       'open literal",
    "     FFILE      IF   E           K DISK",
    "     H NOMAIN",
)


def parse(text: str, path: str = "lib/QRPGLESRC/PGM.rpgle") -> Syntax:
    return Rpg().parse(Source(path, text, text.encode("utf-8", "surrogatepass")))


def names(syntax: Syntax, kind: SymbolKind) -> list[str]:
    return [symbol.name for symbol in syntax.symbols if symbol.kind is kind]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(alphabet="CDPFH*/+ .;:'()=abcXYZ%@#$0\té\x16", max_size=90)), max_size=40))
def test_any_lines_are_read_and_assembled_again(lines: list[str]) -> None:
    """Whatever stands in a file, its chunks hold all of it, and symbols and references keep their order and stay inside."""
    text = "\n".join(lines)
    syntax = parse(text)
    chunks = chunk("PGM.rpgle", text, syntax)
    written = text.split("\n")
    runs = sorted((run.start, run.end) for piece in chunks for run in piece.runs)
    assert [line for start, end in runs for line in range(start, end + 1)] == list(range(1, len(written) + (not text.endswith("\n")) if text else 1))
    starts = [symbol.span.start for symbol in syntax.symbols]
    assert starts == sorted(starts)
    assert all(1 <= symbol.span.start <= symbol.line <= symbol.span.end <= len(written) for symbol in syntax.symbols)
    known = {symbol.id for symbol in syntax.symbols}
    assert len(known) == len(syntax.symbols)
    assert all(reference.source in known and 1 <= reference.line <= len(written) for reference in syntax.references)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_letter_case_changes_no_identity(lines: list[str]) -> None:
    """The same source in capitals declares the same symbols."""
    text = "\n".join(lines)
    assert {symbol.id for symbol in parse(text).symbols} == {symbol.id for symbol in parse(text.upper()).symbols}


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "     C                   eval      x = " + "(" * 100_000,
        "**free\n" + "a(" * 50_000 + ";",
        "**free\n" + "x = 'a +\n" * 20_000,
        "     D name...\n" * 30_000,
        "     C                   eval      x = 1 +\n" + "     C                             y(2) +\n" * 20_000,
        "      /if defined(A)\n" * 20_000 + "     P p               B\n     P                 E\n",
        "**free\n" + "dcl-ds d qualified;\n" * 10_000,
        "**free\n" + "//" + "*" * 100_000 + "x\ndcl-proc p;\nend-proc;",
        "**free\n// " + "- " * 40_000 + "\ndcl-proc p;\nend-proc;",
        "".join(f"     P p{number}              B\n" for number in range(10_000)),
        "**free\ndcl-s x char(1) " + "inz(" * 20_000 + ";",
        "**free\nx = " + "%paddr(" * 20_000 + ";",
        "\x00\x01\xff" * 30_000,
    ],
    ids=lambda text: text[:24],
)
def test_hostile_text_costs_little(text: str) -> None:
    """Long lines, endless continuation and deep nesting take time in proportion to their length."""
    before = time.process_time()
    parse(text)
    assert time.process_time() - before < 3


def test_a_missing_semicolon_costs_one_statement() -> None:
    """The next declaration ends what has no end of its own."""
    syntax = parse("**free\ndcl-proc one;\n  doThis()\nend-proc;\ndcl-proc two;\nend-proc;\n")
    assert names(syntax, SymbolKind.PROCEDURE) == ["one", "two"]
    assert not syntax.problems


def test_a_statement_without_an_end_does_not_swallow_the_file() -> None:
    """Endless continuation is cut, and what follows is read."""
    syntax = parse("**free\nx = 1\n" + " + y\n" * 1_500 + ";\ndcl-proc after;\nend-proc;\n")
    assert names(syntax, SymbolKind.PROCEDURE) == ["PGM", "after"]


def test_attribute_bytes_take_one_column() -> None:
    """Members carried over as they are begin lines with the bytes that coloured them on a terminal."""
    syntax = parse("\x82    P shown           B\n\x16\x82   D shown           PI\n\x82    P                 E\n")
    assert names(syntax, SymbolKind.PROCEDURE) == ["shown"]


def test_sequence_numbers_and_dates_are_no_code() -> None:
    """What stands before column 6 and behind column 80 says nothing."""
    line = "00100P sold            B".ljust(80) + "call(x)  900101"
    syntax = parse(f"{line}\n00200C                   callp     pay(1)".ljust(80) + "\n00300P                 E")
    assert names(syntax, SymbolKind.PROCEDURE) == ["sold"]
    assert [reference.name for reference in syntax.references] == ["pay"]


def test_tabs_stand_for_columns() -> None:
    """References into lines with tabs still point at the name as it is written."""
    text = "     C\t\t\t callp     pay(1)\n"
    [reference] = parse(text).references
    assert (reference.name, reference.column) == ("pay", text.index("pay") + 1)


def test_code_that_no_column_can_hold_is_free() -> None:
    """A file may lack its first line; declarations at its margin give it away."""
    assert names(parse("dcl-proc one;\n  callp two();\nend-proc;\n"), SymbolKind.PROCEDURE) == ["one"]
    assert names(parse("     dcl-proc one;\n       callp two();\n     end-proc;\n"), SymbolKind.PROCEDURE) == ["one"]


def test_a_subroutine_of_the_program_is_a_chunk_of_its_own() -> None:
    """Programs of the old style are one main procedure of thousands of lines; their subroutines are what is asked about."""
    lines = (
        "     C                   EXSR      load",
        "     C     load          BEGSR",
        "     C                   MOVE      a",
        "     C                   ENDSR",
    )
    text = "\n".join(lines)
    chunks = chunk("PGM.rpgle", text, parse(text))
    assert [(piece.name, piece.start, piece.end) for piece in chunks] == [("PGM", 1, 1), ("load", 2, 4)]


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("// ====== PAY ======\n// Pays everybody.\n", "PAY\nPays everybody."),
        ("ctl-opt main(Start);\n\n// Pays everybody.\n", "Pays everybody."),
        ("// Copyright 1999 Somebody\n", "Begins."),
        ("dcl-s x char(1);\n// Of x.\n", "Begins."),
    ],
)
def test_the_heading_of_a_file_says_what_its_program_does(heading: str, said: str) -> None:
    """Unless it only gives rights away; then the comment above the first statement must do."""
    syntax = parse(f"**free\n{heading}\ndcl-s first int(10);\n\n// Begins.\nfirst = 1;\n")
    assert [symbol.doc for symbol in syntax.symbols if symbol.name == "PGM"] == [said]


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("// pay: Gives money.\n", "Gives money."),
        ("// PAY(): Gives money.\n", "Gives money."),
        ("//=== Pay ======\n// Gives money.\n", "Gives money."),
        ("// Deprecated. See: payAll\n//-----\n// pay: Gives money.\n", "Deprecated. See: payAll\n\nGives money."),
        ("// Pay everybody.\n", "Pay everybody."),
        ("// Gives money: pay\n", "Gives money: pay"),
    ],
)
def test_what_a_comment_says_besides_the_name(comment: str, said: str) -> None:
    """A comment need not tell the name of what it stands above."""
    [symbol] = [each for each in parse(f"**free\n{comment}dcl-proc pay;\nend-proc;\n").symbols if each.name == "pay"]
    assert symbol.doc == said


def test_a_subroutine_of_a_procedure_is_shown_with_it() -> None:
    """Procedures are whole."""
    text = "**free\ndcl-proc p;\n  exsr a;\n  begsr a;\n  endsr;\nend-proc;\n"
    chunks = chunk("PGM.rpgle", text, parse(text))
    assert [piece.name for piece in chunks] == ["", "p"]


def test_a_long_procedure_is_whole() -> None:
    """Fixed form says little on a line."""
    body = "\n".join(f"     C                   eval      a = {number}" for number in range(300))
    text = f"     P long            B\n{body}\n     P                 E\n"
    assert [(piece.name, piece.start, piece.end) for piece in chunk("PGM.rpgle", text, parse(text))] == [("long", 1, 302)]


@pytest.mark.parametrize(
    ("directive", "member"),
    [
        ("FTPAPI_H", "FTPAPI_H"),
        ("qrpglesrc,ftpapi_h", "QRPGLESRC/FTPAPI_H"),
        ("MYLIB/QRPGLESRC,FTPAPI_H", "MYLIB/QRPGLESRC/FTPAPI_H"),
        ("'qrpgleref/constants.rpgleinc'", "QRPGLEREF/CONSTANTS"),
        ("../Copy_Mbrs/SRV_STR_P.RPGLE  // prototypes", "COPY_MBRS/SRV_STR_P"),
        ("", ""),
        ("'../'", ""),
    ],
)
def test_what_a_copy_directive_names(directive: str, member: str) -> None:
    """Member, file and member, library too, or a path: all are one form in capitals."""
    assert copied(directive) == member


@pytest.mark.parametrize(("path", "member"), [("a/depts.pgm.sqlrpgle", "depts"), ("QRPGLESRC/PAY.MBR", "PAY"), ("PAY", "PAY"), (".rpgle", "rpgle")])
def test_the_member_of_a_file(path: str, member: str) -> None:
    """The first part of its name."""
    assert member_of(path) == member


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/A.RPGLE", "rpg"),
        ("src/a.SqlRpgLe", "rpg"),
        ("PGM/QRPGLESRC/PAY", "rpg"),
        ("PGM/QRPGLESRC.FILE/PAY.MBR", "rpg"),
        ("PGM/QCLSRC/START.MBR", "cl"),
        ("QDDSSRC/SCREEN.mbr", "dds"),
        ("elsewhere/PAY.MBR", "rpg"),
        ("elsewhere/PAY", None),
        ("qrpglesrc/Makefile.mk", None),
    ],
)
def test_members_belong_to_the_language_of_their_file(path: str, language: str | None) -> None:
    """Source members carry no suffix of their own; the source file they are in says what they are."""
    found = language_of(path)
    assert (found.name if found else None) == language
