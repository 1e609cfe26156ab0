from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from exegesis.model import Ablation, FileRole, Modifier, Options, Place, SymbolKind
from services.query.corpus import Corpus
from services.query.excerpt import estimate_tokens
from services.query.relevance import judge
from services.query.telling.prompt import explanation_messages
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository


def body(number: int) -> str:
    return "\n".join(f"token.check{line}()" for line in range(4 + 7 * number))


FILES = {
    f"Sources/Part{number}.swift": [Piece(f"step{number}{letter}", body(number), doc="Refreshes a token.") for letter in "abc"] for number in range(6)
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return small_repository(tmp_path_factory.mktemp("corpus"), FILES)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(0, 4_000), whole=st.booleans(), neighbors=st.integers(0, 4), limit=st.integers(0, 12))
def test_no_budget_is_ever_exceeded_and_no_line_shown_twice(corpus: Corpus, budget: int, whole: bool, neighbors: int, limit: int) -> None:  # noqa: FBT001 - hypothesis passes it
    """Whatever the options, tokens stay within the budget, chunks are shown once, and the sum is true."""
    context = ask("how is a token refreshed?", corpus, options=Options(budget=budget, whole_files=whole, neighbors=neighbors, limit=limit)).context
    assert context.tokens == sum(item.tokens for item in context.items) <= budget
    lines = [(item.path, line) for item in context.items for run in item.runs for line in range(run.start, run.end + 1)]
    assert len(lines) == len(set(lines))
    assert [item.id for item in context.items] == [f"E{number}" for number in range(1, len(context.items) + 1)]


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(100, 4_000), whole=st.booleans())
def test_what_a_model_is_sent_of_the_evidence_stays_within_the_budget(corpus: Corpus, budget: int, whole: bool) -> None:  # noqa: FBT001 - hypothesis passes it
    """With the lines that say what each piece is."""
    context = ask("how is a token refreshed?", corpus, options=Options(budget=budget, whole_files=whole)).context
    _, user = explanation_messages("How?", context, fence="f00", budget=budget)
    evidence = user.content.split("f00")[1]
    assert all(f"[{item.id}]" in evidence for item in context.items)
    assert estimate_tokens(evidence) <= context.tokens <= budget


def test_the_same_question_composes_the_same_context(corpus: Corpus) -> None:
    """Ties are broken by place, never by chance."""
    assert len({ask("how is a token refreshed?", corpus, options=Options(budget=900)).context for _ in range(5)}) == 1


def test_what_does_not_fit_is_skipped_not_the_rest(tmp_path: Path) -> None:
    """A huge first match does not keep smaller ones out."""
    huge = Piece("refresh", "\n".join(f"token.refresh{line}(everything)" for line in range(80)), doc="Refresh a token. Refresh.")
    files = {"a.swift": [huge], "b.swift": [Piece("tokenStore", "token.save()")]}
    assert ask("token refresh", small_repository(tmp_path, files), options=Options(budget=120)).names == ["tokenStore"]


@pytest.mark.parametrize(("question", "files"), [("where is a token checked?", 2), ("how is a token checked?", 1)])
def test_who_asks_where_sees_more_files_than_who_asks_how(tmp_path: Path, question: str, files: int) -> None:
    """The best file alone could fill the budget: for a place it may not, for a mechanism it may."""
    best = [Piece(f"checkToken{letter}", "\n".join(f"token.check{line}()" for line in range(20)), doc="Checks a token.") for letter in "abcdefgh"]
    corpus = small_repository(tmp_path, {"token/check.swift": best, "other.swift": [Piece("look", "token.check()\nreturn")]})
    budget = sum(item.tokens for item in ask("how is a token checked?", corpus).context.items if item.path == "token/check.swift") // 2
    context = ask(question, corpus, options=Options(budget=budget)).context
    assert len({item.path for item in context.items}) == files


def test_items_follow_the_order_of_events(tmp_path: Path) -> None:
    """Callers stand before what they call, callees in the order of the call sites, whatever their rank."""
    files = {
        "z.swift": [Piece("open", "connect()\nsend()", calls=("connect", "send"))],
        "a.swift": [Piece("send", "message()"), Piece("connect", "socket()", doc="Connects a message socket to send messages.")],
    }
    assert ask("how do messages connect and send?", small_repository(tmp_path, files)).names == ["open", "connect", "send"]


def test_edges_among_items_are_kept_for_the_story(tmp_path: Path) -> None:
    """The flow holds each call between shown pieces with its call site."""
    files = {"a.swift": [Piece("open", "connect()", calls=("connect",)), Piece("connect", "socket()")]}
    context = ask("how does open connect?", small_repository(tmp_path, files)).context
    ids = {item.symbol: item.symbol_id for item in context.items}
    assert [(edge.source, edge.target) for edge in context.flow] == [(ids["open"], ids["connect"])]


def test_usage_tells_definition_then_current_then_deprecated_callers(tmp_path: Path) -> None:
    """Where something is used today comes before where it was used once."""
    files = {
        "a.swift": [Piece("refreshToken", "send()")],
        "b.swift": [Piece("legacyStart", "x()", calls=("refreshToken",), modifiers=Modifier.DEPRECATED)],
        "c.swift": [Piece("startUp", "x()", calls=("refreshToken",))],
    }
    assert ask("who calls refreshToken?", small_repository(tmp_path, files)).names == ["refreshToken", "startUp", "legacyStart"]


def test_usage_of_a_name_is_anchored_at_all_that_bear_it_as_written(tmp_path: Path) -> None:
    """`Retry` is the type and not the function `retry`, and `Cache.load` no other `load`; where a name has no type, all its bearers count."""
    files = {
        "a.swift": [Piece("Retry", "x()", kind=SymbolKind.STRUCT), Piece("load", "y()", enclosing="Cache")],
        "b.swift": [Piece("retry", "retry retry retry()"), Piece("load", "load load()", enclosing="Disk")],
    }
    corpus = small_repository(tmp_path, files)

    def anchors(question: str) -> set[str]:
        return {anchor.ranked.candidate.chunk.qualified for anchor in ask(question, corpus).anchors}

    assert anchors("Where is Cache.load called?") == {"Cache.load"}
    assert anchors("Where is `CACHE_load` or retry_x called?") > {"Cache.load", "Disk.load"}
    assert ask("RETRY", corpus).anchors
    assert anchors("Retry") == {"Retry"}


def test_neighbours_join_where_the_graph_says_little(tmp_path: Path) -> None:
    """An anchor without calls is shown with what stands beside it, as many as asked for."""
    files = {"a.swift": [Piece("first", "x()"), Piece("decode", "json()"), Piece("second", "y()"), Piece("third", "z()")]}
    corpus = small_repository(tmp_path, files)
    asked = ask("decode", corpus, options=Options(neighbors=2))
    assert {item.symbol for item in asked.context.items if item.place is Place.NEIGHBOR} == {"first", "second"}
    assert ask("decode", corpus, options=Options(neighbors=0)).names == ["decode"]


def test_whole_files_on_request(tmp_path: Path) -> None:
    """All of the best file, in its order, before anything of the next."""
    files = {"a.swift": [Piece("decode", "json()"), Piece("first", "x()"), Piece("second", "y()")], "b.swift": [Piece("other", "decode()")]}
    context = ask("decode", small_repository(tmp_path, files), options=Options(whole_files=True)).context
    assert {item.symbol for item in context.items if item.path == "a.swift"} == {"decode", "first", "second"}
    assert all(item.place is Place.WHOLE_FILE for item in context.items)


def test_parts_of_oversize_symbols_are_anchors_on_request_only(tmp_path: Path) -> None:
    """A cut symbol is shown for its words, and followed only where somebody says so."""
    parts = [Piece("decodeAll", "decode()", part=number, parts=2) for number in range(2)]
    corpus = small_repository(tmp_path, {"a.swift": [*parts, Piece("helper", "decode()")]})
    assert [a.ranked.candidate.chunk.name for a in ask("decode", corpus).anchors] == ["helper"]
    assert "decodeAll" in {a.ranked.candidate.chunk.name for a in ask("decode", corpus, options=Options(oversize_anchors=True)).anchors}


def test_further_chunks_of_the_best_files_join_questions(tmp_path: Path) -> None:
    """Within a file that ranks high, what is rare in the file decides, even for words that every other file has."""
    common = {f"n{number}.swift": [Piece(f"other{number}", "value()\nvalue()")] for number in range(8)}
    files = {"Parser.swift": [Piece("parse", "scan()", doc="Parses a parser's input."), Piece("emit", "value()")], **common}
    asked = ask("how does the parser get a value?", small_repository(tmp_path, files), options=Options(budget=160, neighbors=0))
    assert {"parse", "emit"} <= set(asked.names)


def test_plain_fill_adds_nothing_by_place(tmp_path: Path) -> None:
    """The ablation without composition fills by rank alone."""
    files = {"a.swift": [Piece("first", "x()"), Piece("decode", "json()"), Piece("second", "y()")]}
    assert ask("decode", small_repository(tmp_path, files), options=Options(ablation=Ablation.NO_COMPOSITION)).names == ["decode"]


def test_documents_are_told_after_code_that_happens(tmp_path: Path) -> None:
    """Prose takes part in no event."""
    code = [Piece("open", "c()", calls=("connect",)), Piece("connect", "s()")]
    files = {"README.md": [Piece("Opening", "open connect open connect")], "a.swift": code}
    asked = ask("how does open connect?", small_repository(tmp_path, files, {"README.md": FileRole.DOCUMENT}))
    assert asked.names == ["open", "connect", "Opening"]


def test_an_overview_shows_what_is_built(tmp_path: Path) -> None:
    """The manifest at the root names programs and libraries; another one below does not speak for the whole."""
    files = {
        "Package.swift": [Piece("package", "products()")],
        "Examples/Package.swift": [Piece("examplePackage", "products()")],
        "Sources/Post.swift": [Piece("post", "stamp()")],
    }
    asked = ask("I am new here, give me a tour", small_repository(tmp_path, files))
    landmarks = {candidate.chunk.name for candidate in asked.seeds.candidates if candidate.landmark > 0}
    assert "package" in landmarks
    assert "examplePackage" not in landmarks


def test_an_overview_needs_no_shared_word(tmp_path: Path) -> None:
    """Where programs start, the top document and the most used types answer a question about the whole."""
    files = {
        "README.md": [Piece("Welcome", "Sends letters.")],
        "Sources/main.swift": [Piece("launch", "post()", calls=("post",), modifiers=Modifier.ENTRY)],
        "Sources/Post.swift": [Piece("post", "stamp()"), Piece("Letter", "x", kind=SymbolKind.CLASS)],
    }
    corpus = small_repository(tmp_path, files, {"README.md": FileRole.DOCUMENT})
    asked = ask("give me an overview of this library", corpus)
    assert {"Welcome", "launch", "post"} <= set(asked.names)
    assert judge(asked.seeds, asked.ranking).relevant
