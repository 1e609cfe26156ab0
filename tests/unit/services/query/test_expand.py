from pathlib import Path

from exegesis.model import Ablation, FileRole, Options, Place
from services.query.corpus import Corpus
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

FLOW = {
    "Sources/Login.swift": [Piece("login", "prepare()\nhandOver()", doc="Signs a user in.", calls=("prepare", "handOver"))],
    "Sources/Web.swift": [Piece("prepare", "page.load(url)", calls=("nonce",)), Piece("handOver", "code.exchange()")],
    "Sources/Random.swift": [Piece("nonce", "bytes(16)"), Piece("unrelated", "nothing()")],
    "Tests/T.swift": [Piece("testLogin", "login()", calls=("login",))],
}
ROLES = {"Tests/T.swift": FileRole.TEST}


def test_calls_bring_what_words_do_not_name(tmp_path: Path) -> None:
    """Two hops from the only match, and nothing that no call leads to."""
    asked = ask("how does a user sign in?", small_repository(tmp_path, FLOW, ROLES))
    assert {"login", "prepare", "handOver", "nonce"} <= set(asked.names)
    lent = {key[1]: part.value for key, part in asked.expansion.lent.items()}
    by_name = {item.symbol: item for item in asked.context.items}
    assert lent[by_name["prepare"].chunk] > lent[by_name["nonce"].chunk] > 0
    assert by_name["prepare"].place is Place.CALLEE
    assert "is called by login" in by_name["prepare"].why


def test_what_a_closure_calls_is_called_where_the_closure_stands(tmp_path: Path) -> None:
    """The second hop leaves a neighbour by its closures too: the callback does the work, and no word of the question leads to it."""
    files = {
        "a.swift": [Piece("login", "prepare()", doc="Signs a user in.", calls=("prepare",))],
        "b.swift": [Piece("prepare", "page.load {\n    exchange()\n}", in_closure=("exchange",)), Piece("exchange", "code()")],
    }
    corpus = small_repository(tmp_path, files)
    lent = ask("how does a user sign in?", corpus, options=Options(neighbors=0)).expansion.lent
    names = {chunk.name for chunk in corpus.graph.chunks(corpus.pin, sorted(key[1] for key in lent)).values()}
    assert {"prepare", "exchange"} <= names


def test_tests_are_not_entered_from_outside(tmp_path: Path) -> None:
    """The test that calls the login is not part of how the login works."""
    assert "testLogin" not in {item.symbol for item in ask("signs a user in", small_repository(tmp_path, FLOW, ROLES)).context.items[:4]}


def test_without_the_graph_only_words_count(tmp_path: Path) -> None:
    """The ablation switches the traversal off."""
    asked = ask("user sign in", small_repository(tmp_path, FLOW, ROLES), options=Options(ablation=Ablation.NO_GRAPH, neighbors=0))
    assert "nonce" not in asked.names
    assert not asked.expansion.lent


def test_hubs_receive_less(tmp_path: Path) -> None:
    """What everybody calls explains nobody: a neighbour with forty callers gets less than one with a single caller."""
    callers = [Piece(f"caller{number}", "log()", calls=("log",)) for number in range(40)]
    checkout = Piece("checkout", "log()\nship()", calls=("log", "ship"))
    corpus = small_repository(tmp_path, {"a.swift": [checkout, *callers], "b.swift": [Piece("log", "print()"), Piece("ship", "go()")]})
    lent = {chunk: part.value for (_, chunk), part in ask("checkout", corpus).expansion.lent.items()}
    values = {chunk.name: lent[id_] for id_, chunk in corpus.graph.chunks(corpus.pin, sorted(lent)).items()}
    assert values["ship"] > 2 * values["log"]


LOGIN = {
    "a.swift": [Piece("login", "ask()\nnonce()", doc="Signs a user in.", calls=("ask", "nonce"))],
    "b.swift": [Piece("ask", "page.load(url)", doc="For a user."), Piece("nonce", "bytes(16)")],
}


def test_neighbors_of_a_topic_are_heard_as_far_as_they_speak_of_it(tmp_path: Path) -> None:
    """Of two callees the one with a word of the topic counts for more; the other still counts."""
    parts = _graph_parts("user sign in", small_repository(tmp_path, LOGIN))
    assert parts["ask"] > parts["nonce"] > 0


def test_neighbors_are_heard_in_full_where_a_flow_is_asked_for(tmp_path: Path) -> None:
    """What does the work seldom has the words of a question."""
    parts = _graph_parts("how does a user sign in?", small_repository(tmp_path, LOGIN))
    assert parts["ask"] == parts["nonce"] > 0


def _graph_parts(text: str, corpus: Corpus) -> dict[str, float]:
    return {item.symbol: part.value for item in ask(text, corpus).context.items for part in item.parts if part.name == "graph"}


def test_usage_questions_prefer_callers(tmp_path: Path) -> None:
    """Who asks where something is used gets its callers before its callees."""
    files = {
        "a.swift": [Piece("refreshToken", "send()", calls=("send",))],
        "b.swift": [Piece("startUp", "x()", calls=("refreshToken",)), Piece("send", "y()")],
    }
    asked = ask("where is refreshToken used?", small_repository(tmp_path, files))
    names = {item.symbol: item for item in asked.context.items}
    assert names["startUp"].place is Place.CALLER
    assert names["startUp"].score > names["send"].score
    assert asked.names[:2] == ["refreshToken", "startUp"]
