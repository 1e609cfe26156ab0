"""Names in any letter case."""

from pathlib import Path

import pytest

from exegesis.model import Modifier, Options, Question, SymbolKind
from services.query.spelling import with_declared_spelling
from tests.fakes.small_repository import Piece, small_repository

FILES = {
    "api.rpgle": [
        Piece("FTP_binaryMode", "x", kind=SymbolKind.PROCEDURE, modifiers=Modifier.PUBLIC),
        Piece("PAYROLL", "x", kind=SymbolKind.PROCEDURE),
        Piece("Show", "x", kind=SymbolKind.PROCEDURE),
    ],
    "api_h.rpgleinc": [Piece("ftp_BinaryMode", "x", kind=SymbolKind.PROTOTYPE)],
    "session.swift": [Piece("dataTask", "x"), Piece("DATATASK", "x", kind=SymbolKind.PROCEDURE)],
}


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("How is ftp_binarymode used?", "How is FTP_binaryMode used?"),
        ("How is FTP_BINARYMODE used?", "How is FTP_binaryMode used?"),
        ("How is ftp_BinaryMode used?", "How is FTP_binaryMode used?"),
        ("How is FTP_binaryMode used?", "How is FTP_binaryMode used?"),
        ("What does payroll do?", "What does PAYROLL do?"),
        ("show me payroll_x", "show me payroll_x"),
        ("Who calls DATATASK and datatask?", "Who calls DATATASK and datatask?"),
    ],
)
def test_a_name_in_any_case_is_the_declared_one(tmp_path: Path, asked: str, meant: str) -> None:
    """The definition's spelling before the prototype's; ordinary words, and names that other languages declare, stay as they are."""
    corpus = small_repository(tmp_path, FILES)
    question = Question(asked, (corpus.repository,), Options())
    assert with_declared_spelling(question, [corpus]).text == meant


@pytest.mark.parametrize(
    "asked", ["How is retryorfinish used?", "how is RETRYORFINISH used?", "Who calls retryorfinish?", "callers of RetryOrFinish"]
)
def test_what_is_used_is_spelled_as_it_is_declared_in_any_language(tmp_path: Path, asked: str) -> None:
    """Where only one spelling is declared; a question that is about something else stays as it is."""
    corpus = small_repository(
        tmp_path, {"a.swift": [Piece("retryOrFinish", "x"), Piece("Request", "x", kind=SymbolKind.CLASS), Piece("request", "y")]}
    )

    def meant(text: str) -> str:
        return with_declared_spelling(Question(text, (corpus.repository,), Options()), [corpus]).text

    assert "retryOrFinish" in meant(asked)
    assert meant("How is REQUEST used?") == "How is REQUEST used?"
    assert meant("How does retryorfinish work?") == "How does retryorfinish work?"
