"""Programs that a question names."""

import pytest

from services.query.intent import names_in
from services.query.programs import is_export_list, is_program, said_programs


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does program depts do as a whole?", ("depts",)),
        ("What does the depts program do?", ("depts",)),
        ("Who calls program `EX1PUT`?", ("EX1PUT",)),
        ("What does the program do?", ()),
        ("How is a department shown?", ()),
    ],
)
def test_a_program_is_named_where_the_question_says_so(question: str, said: tuple[str, ...]) -> None:
    """Its name is a word like any other, and what stands behind it may be grammar."""
    assert said_programs(question) == said


def test_names_are_words_written_as_code_and_programs() -> None:
    """In small letters, for the members of programs are called in any case."""
    assert names_in("Does program Depts call FTP_put or print?") == {"depts", "ftp_put"}


@pytest.mark.parametrize(
    ("name", "kind", "path", "whole"),
    [
        ("depts", "procedure", "qrpglesrc/depts.pgm.sqlrpgle", True),
        ("EX1PUT", "procedure", "src/ex1put.rpgle", True),
        ("LoadSubfile", "procedure", "qrpglesrc/depts.pgm.sqlrpgle", False),
        ("depts", "table", "qddssrc/depts.dspf", False),
    ],
)
def test_the_procedure_of_a_members_name_is_its_program(name: str, kind: str, path: str, whole: bool) -> None:  # noqa: FBT001 - a column of the table
    """What it calls in its own member is a part of it, and a screen of the name is something else."""
    assert is_program(name, kind, path) is whole


def test_a_binder_lists_what_is_exported() -> None:
    """A data structure that is called like its member is no such list."""
    assert is_export_list("empdet", "struct", "qsrvsrc/empdet.bnd")
    assert not is_export_list("empdet", "struct", "qrpglesrc/empdet.rpgle")
