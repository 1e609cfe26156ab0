import pytest

from exegesis.model import FileRole, Options, SymbolKind
from services.graph.api import Direction
from services.query.aims import Aim
from services.query.intent import bears, looks_like_code, qualified_names, read_question


def aim(text: str) -> Aim:
    return read_question(text, Options()).aim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Session.request", Aim.SYMBOL),
        ("RequestAdapter", Aim.SYMBOL),
        ("parse_url", Aim.SYMBOL),
        ("session", Aim.TOPIC),
        ("who calls resume()?", Aim.USAGE),
        ("How is the retry policy used?", Aim.USAGE),
        ("Describe the procedure FTP_binaryMode and how it is used", Aim.USAGE),
        ("Where is the cache cleared from, and which code uses it?", Aim.USAGE),
        ("why are observers kept weakly?", Aim.WHY),
        ("Give me an overview of the package", Aim.OVERVIEW),
        ("show me the main procedure", Aim.OVERVIEW),
        ("explain oauth authentication protocol", Aim.FLOW),
        ("How does a token get refreshed?", Aim.FLOW),
        ("request validation and error handling", Aim.TOPIC),
        ("Fix retain cycle in delegate", Aim.TOPIC),
    ],
)
def test_kinds_of_question(text: str, expected: Aim) -> None:
    """Rules tell what is wanted from the wording alone."""
    assert aim(text) is expected


def test_usage_follows_callers() -> None:
    """Who asks for use is led against the calls, everybody else both ways."""
    assert read_question("who calls resume()?", Options()).direction is Direction.CALLERS
    assert read_question("how does resume work?", Options()).direction is Direction.BOTH


def test_an_identifier_is_taken_apart() -> None:
    """The last component is the symbol, the rest its qualifier, whatever the language separates them by."""
    for text in ("Session.request", "Session::request", "Session->request", "`Session.request(_:method:)`"):
        intent = read_question(text, Options())
        assert (intent.qualifier, intent.symbol) == ("Session", "request")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("explain oauth authentication protocol", set()),
        ("protocol RequestAdapter", {SymbolKind.PROTOCOL}),
        ("what does the RequestAdapter protocol demand", {SymbolKind.PROTOCOL}),
        ("which methods start a download?", {SymbolKind.METHOD, SymbolKind.FUNCTION}),
        ("the class that keeps sessions alive", {SymbolKind.CLASS}),
        ("Describe the procedure FTP_binaryMode", {SymbolKind.PROCEDURE, SymbolKind.SUBROUTINE}),
        ("first class support for tables of contents", set()),
    ],
)
def test_kinds_count_where_grammar_says_so(text: str, kinds: set[SymbolKind]) -> None:
    """A kind word beside an identifier or after "which" names a kind; anywhere else it is a word like others."""
    assert read_question(text, Options()).kinds.symbols == kinds


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Why does $s7Orchard4TreeC4growyyF crash?", ("$s7Orchard4TreeC4growyyF",)),
        ("frame 0: _$s7Orchard4TreeC4growyyF + 12\nframe 1: s:7Orchard4TreeC3ageSivg", ("_$s7Orchard4TreeC4growyyF", "s:7Orchard4TreeC3ageSivg")),
        ("who uses c:@F@scale_net", ("c:@F@scale_net",)),
        ("How are classes: structs and $shells used in https://example.org?", ()),
    ],
)
def test_keys_of_compilers_are_seen(text: str, keys: tuple[str, ...]) -> None:
    """Mangled names and USRs, and nothing that looks a little like them."""
    assert read_question(text, Options()).keys == keys


def test_a_kind_given_as_an_option_wins() -> None:
    """What is set explicitly is not guessed."""
    assert read_question("which methods?", Options(kind=SymbolKind.CLASS)).kinds.symbols == {SymbolKind.CLASS}


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("how are requests tested?", FileRole.TEST),
        ("what threshold is used in the assertion about requests?", FileRole.TEST),
        ("example of a chat room", FileRole.EXAMPLE),
        ("which screens show the login?", FileRole.UI),
        ("where is the generated code?", FileRole.GENERATED),
        ("why is the lock recursive?", FileRole.DOCUMENT),
    ],
)
def test_words_ask_for_files_that_are_otherwise_pushed_down(text: str, role: FileRole) -> None:
    """Tests, examples, screens and the like count in full when the question is about them."""
    assert read_question(text, Options()).asked_roles & role
    assert not read_question("how are requests sent?", Options()).asked_roles


def test_a_version_in_the_question_is_noted() -> None:
    """Superseded folders are wanted when they are named."""
    assert read_question("how does v1 parse?", Options()).versions == {"v1"}


@pytest.mark.parametrize("word", ["DataRequest", "snake_case", "OAuth"])
def test_capitals_inside_and_underscores_are_code(word: str) -> None:
    """Prose does not write like that."""
    assert looks_like_code(word)


@pytest.mark.parametrize("word", ["HTTP", "Session", "how"])
def test_acronyms_and_capitalised_words_may_be_prose(word: str) -> None:
    """A sentence begins with a capital, too."""
    assert not looks_like_code(word)


def test_members_written_with_their_type_are_code() -> None:
    """Hosts, abbreviations and the ends of sentences are not."""
    assert qualified_names("Where is Session.request called, e.g. by Cache::load at example.com?") == ("Session.request", "Cache.load")
    assert read_question("Where is Session.request called?", Options()).identifiers == ("request",)


def test_a_symbol_bears_its_qualified_name_with_and_without_labels() -> None:
    """Outer types may be left out, parts of names may not."""
    assert bears("Session.request(_:method:)", ["Session.request"])
    assert bears("App.Session.request", ["Session.request"])
    assert not bears("URLSession.request", ["Session.request"])


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("How is the retry policy used?", ("retrypolicy",)),
        ("who calls resume", ("resume",)),
        ("Where is session.request called?", ("session.request",)),
        ("Where is Session.request called?", ("request",)),
        ("usages of the class Session", ("Session",)),
        ("Who conforms to requestadapter?", ("requestadapter",)),
        ("Describe the procedure ftp_open and how it is used", ("ftp_open",)),
        ("what is the resume method used for?", ("resume",)),
        ("Where is the cache cleared from, and which code uses it?", ()),
        ("How does resume work?", ()),
    ],
)
def test_what_stands_where_a_name_would_may_be_one(text: str, used: tuple[str, ...]) -> None:
    """Also in small letters and in several words; only questions of use ask for it."""
    assert read_question(text, Options()).used == used
