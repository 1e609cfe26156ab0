from pathlib import Path

import pytest

from exegesis.model import FileRole, Options, SymbolKind
from services.query.corpus import Corpus
from services.query.kinds import Kinds, read_kinds
from services.query.present import present
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

FILES = {
    "a.swift": [
        Piece("RetryPolicy", "retry policy requests", kind=SymbolKind.STRUCT),
        Piece("decide", "retry policy decides on requests", doc="Retry policy of requests."),
    ],
    "b.swift": [Piece("Retrier", "retry", kind=SymbolKind.PROTOCOL, doc="Decides on a retry.")],
    "t.swift": [Piece("testRetry", "retry policy")],
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return small_repository(tmp_path_factory.mktemp("corpus"), FILES, {"t.swift": FileRole.TEST})


@pytest.mark.parametrize(
    ("text", "used", "kinds"),
    [
        ("who calls the resume method?", ("resume",), Kinds(frozenset({SymbolKind.METHOD, SymbolKind.FUNCTION}))),
        ("how is procedure ftp_open used", ("ftp_open",), Kinds(frozenset({SymbolKind.PROCEDURE, SymbolKind.SUBROUTINE}))),
        ("which tests cover the retry policy?", (), Kinds(frozenset(), FileRole.TEST)),
        ("the screen that asks for a password", (), Kinds(frozenset(), FileRole.UI, describe=True)),
        ("which prototypes are there", (), Kinds(frozenset({SymbolKind.PROTOTYPE}))),
        ("how does the retry method work", (), Kinds()),
    ],
)
def test_kinds_of_a_question(text: str, used: tuple[str, ...], kinds: Kinds) -> None:
    """Kinds that are told by the file among them; beside a name of which the use is asked every word of the table is one."""
    assert read_kinds(text, used) == kinds


def test_a_kind_narrows_where_an_answer_begins(corpus: Corpus) -> None:
    """However well something else matches, and what is of no kind is still in the list."""
    asked = ask("Which protocol decides on a retry?", corpus)
    assert [anchor.ranked.candidate.chunk.name for anchor in asked.anchors] == ["Retrier"]
    listed = [result.symbol for result in present(asked.seeds, asked.ranking)]
    assert listed[0] == "Retrier"
    assert "decide" in listed


def test_what_a_file_is_narrows_too(corpus: Corpus) -> None:
    """Tests are asked for by a word."""
    assert [anchor.ranked.candidate.chunk.name for anchor in ask("Which tests cover the retry policy?", corpus).anchors] == ["testRetry"]


def test_a_kind_of_which_there_is_nothing_widens(corpus: Corpus) -> None:
    """The answer is what there would be without it."""
    anchors = ask("Which table decides on a retry?", corpus).anchors
    assert {anchor.ranked.candidate.chunk.name for anchor in anchors} >= {"decide", "Retrier"}


def test_of_a_name_whose_use_is_asked_the_kind_chooses(tmp_path: Path) -> None:
    """A type and a function may bear the same name."""
    files = {"a.swift": [Piece("retry", "x()")], "b.swift": [Piece("Retry", "y()", kind=SymbolKind.CLASS)]}
    corpus = small_repository(tmp_path, files)
    for question, kind in (("How is the class RETRY used?", SymbolKind.CLASS), ("How is the method RETRY used?", SymbolKind.METHOD)):
        assert [anchor.ranked.candidate.chunk.symbol_kind for anchor in ask(question, corpus).anchors] == [kind]


def test_a_kind_given_as_an_option_is_listed_first_whatever_it_is_worth(corpus: Corpus) -> None:
    """Who sets it knows what it is for."""
    asked = ask("policy requests decides", corpus, options=Options(kind=SymbolKind.PROTOCOL))
    listed = [result.kind for result in present(asked.seeds, asked.ranking)]
    assert listed == sorted(listed, key=lambda kind: kind != "protocol")


def test_a_kind_that_only_describes_does_not_narrow_what_explains(tmp_path: Path) -> None:
    """Why a method does something may stand anywhere; which method it is, is a method."""
    files = {
        "a.swift": [Piece("Retry", "retry requests", kind=SymbolKind.STRUCT, doc="Retry requests.")],
        "b.swift": [Piece("send", "retry requests")],
    }
    corpus = small_repository(tmp_path, files)
    firsts = [
        present(asked.seeds, asked.ranking)[0].symbol
        for asked in (ask("Why does the method that can retry requests wait?", corpus), ask("Where is the method that can retry requests?", corpus))
    ]
    assert firsts == ["Retry", "send"]
