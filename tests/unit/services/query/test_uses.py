from pathlib import Path

import pytest

from exegesis.model import EdgeKind, FileRole, Modifier, Options, SymbolKind
from services.query.corpus import Corpus
from services.query.uses import Group, find_uses
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

FILES = {
    "a.swift": [Piece("refresh", "send()\nrefresh()", calls=("send", "refresh")), Piece("send", "socket()")],
    "b.swift": [Piece("legacy", "x()", calls=("refresh",), modifiers=Modifier.DEPRECATED)],
    "c.swift": [Piece("startUp", "x()\nrefresh(force: true)\nrefresh(force: false)", calls=("send", "refresh", "refresh"))],
    "Examples/d.swift": [Piece("demo", "x()", calls=("refresh",))],
    "t.swift": [Piece("testRefresh", "x()", calls=("refresh",))],
}
ROLES = {"t.swift": FileRole.TEST, "Examples/d.swift": FileRole.EXAMPLE}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return small_repository(tmp_path_factory.mktemp("corpus"), FILES, ROLES)


def test_uses_come_in_groups(corpus: Corpus) -> None:
    """Current code, deprecated code, examples, tests; a chunk once with all its call sites, and recursion is no use."""
    (refresh,) = corpus.graph.symbols_named(corpus.pin, ["refresh"])
    found = find_uses(corpus, [refresh.id])
    assert [(use.chunk.name, use.group) for use in found] == [
        ("startUp", Group.CURRENT),
        ("legacy", Group.DEPRECATED),
        ("demo", Group.EXAMPLE),
        ("testRefresh", Group.TEST),
    ]
    assert len(found[0].lines) == 2


def test_a_call_site_is_shown_by_the_part_that_owns_it(tmp_path: Path) -> None:
    """Of a caller that is cut into parts, not its beginning."""
    long = [
        Piece("drive", "\n".join(f"step{number}()" for number in range(5)), part=0, parts=2),
        Piece("drive", "refresh()", calls=("refresh",), part=1, parts=2),
    ]
    corpus = small_repository(tmp_path, {"a.swift": [Piece("refresh", "send()")], "b.swift": long})
    (refresh,) = corpus.graph.symbols_named(corpus.pin, ["refresh"])
    (use,) = find_uses(corpus, [refresh.id])
    (line,) = use.lines
    assert any(run.start <= line <= run.end for run in use.chunk.runs)


@pytest.mark.parametrize(
    "question",
    [
        "How is refresh used?",
        "who calls REFRESH?",
        "Where is `refresh()` called",
        "Describe the method Refresh and how it is used",
        "callers of refresh",
        "How do I use refresh?",
    ],
)
def test_a_question_of_use_shows_the_definition_and_then_the_uses(corpus: Corpus, question: str) -> None:
    """However it is put, and in any letter case; tests and examples are last and there."""
    names = ask(question, corpus).names
    assert names[:5] == ["refresh", "startUp", "legacy", "demo", "testRefresh"]


def test_the_definition_leaves_room_for_uses(tmp_path: Path) -> None:
    """A long definition with many overloads does not fill the context."""
    overloads = [Piece("load", "\n".join(f"step{line}(everything)" for line in range(30)), enclosing=f"T{number}") for number in range(12)]
    users = [Piece(f"user{number}", "load()", calls=("load",)) for number in range(4)]
    corpus = small_repository(tmp_path, {"a.swift": overloads, "b.swift": users})
    names = ask("Where is load called?", corpus, options=Options(budget=2_000, limit=12)).names
    assert {"user0", "user1", "user2", "user3"} <= set(names)


def test_extensions_are_no_definitions_where_a_declaration_is_found(tmp_path: Path) -> None:
    """They are among the uses."""
    files = {"a.swift": [Piece("Cache", "let limit", kind=SymbolKind.CLASS)], "b.swift": [Piece("Cache", "func more", kind=SymbolKind.EXTENSION)]}
    anchors = ask("How is Cache used?", small_repository(tmp_path, files)).anchors
    assert [anchor.ranked.candidate.chunk.symbol_kind for anchor in anchors] == [SymbolKind.CLASS]


def test_a_caller_that_is_cut_shows_its_call_sites(tmp_path: Path) -> None:
    """Whatever words the rest of a long body says."""
    body = "\n".join(f"refreshToken{line}(refresh, token)" for line in range(200)) + "\nrefresh(now)"
    files = {"a.swift": [Piece("refresh", "send()")], "b.swift": [Piece("work", body, calls=("send",) * 200 + ("refresh",)), Piece("send", "x()")]}
    found = ask("Where is refresh called?", small_repository(tmp_path, files)).context
    work = next(item for item in found.items if item.symbol == "work")
    assert "refresh(now)" in work.text
    assert work.text.count("\n") < 100


def test_what_a_binder_exports_comes_after_the_calls(tmp_path: Path) -> None:
    """It declares the procedure for others, and stands at the top of no list of callers."""
    files = {
        "a/api.bnd": [Piece("api", "EXPORT SYMBOL(send)", kind=SymbolKind.STRUCT, calls=("send",))],
        "b/api.rpgle": [Piece("send", "x", kind=SymbolKind.PROCEDURE)],
        "c/menu.rpgle": [Piece("menu", "send()", kind=SymbolKind.PROCEDURE, calls=("send",))],
    }
    corpus = small_repository(tmp_path, files)
    (send,) = corpus.graph.symbols_named(corpus.pin, ["send"])
    assert [(use.chunk.name, use.edges[0].kind) for use in find_uses(corpus, [send.id])] == [("menu", EdgeKind.CALL), ("api", EdgeKind.EXTEND)]


def test_a_call_from_one_bearer_of_a_name_to_another_is_a_use(tmp_path: Path) -> None:
    """Both are asked about, and only what calls itself is no use."""
    files = {"a.swift": [Piece("link", "app.link()", calls=("join",))], "b.swift": [Piece("join", "join()", calls=("join",))]}
    corpus = small_repository(tmp_path, files)
    both = corpus.graph.symbols_named(corpus.pin, ["link", "join"])
    (use,) = find_uses(corpus, [symbol.id for symbol in both])
    assert (use.chunk.name, use.used) == ("link", "join")


@pytest.mark.parametrize(("declared", "meant"), [(("Abort", "AbortError"), "Abort"), (("AbortError", "abort"), "AbortError")])
def test_a_word_that_says_what_a_name_is_is_no_part_of_it(tmp_path: Path, declared: tuple[str, str], meant: str) -> None:
    """Unless only the joined name is declared in the letters of the question."""
    files = {f"{name}{number}.swift": [Piece(name, "let x", kind=SymbolKind.STRUCT)] for number, name in enumerate(declared)}
    anchors = ask("Where is the Abort error used?", small_repository(tmp_path, files)).anchors
    assert [anchor.ranked.candidate.chunk.name for anchor in anchors] == [meant]
