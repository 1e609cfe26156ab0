from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.query.telling.wording import (
    as_clause,
    code,
    deprecation,
    first_sentence,
    from_name,
    join_words,
    shorten,
    split_name,
    statement,
    third_person,
)
from tests.fakes.evidence import item


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("createAuthorizationRequest", ["create", "authorization", "request"]),
        ("startOAuthFlow", ["start", "OAuth", "flow"]),
        ("convertToURLRequest", ["convert", "to", "URL", "request"]),
        ("parse_http_header", ["parse", "http", "header"]),
        ("x", ["x"]),
        ("", []),
    ],
)
def test_names_are_split_into_words(name: str, words: list[str]) -> None:
    """Abbreviations stay whole."""
    assert split_name(name) == words


@pytest.mark.parametrize(
    ("symbol", "kind", "clause"),
    [
        ("LoginView.startOAuthFlow()", "method", "starts the OAuth flow"),
        ("Client.isCallbackURL(url:)", "method", "tells whether it is callback URL"),
        ("Client.init(configuration:)", "initializer", ""),
        ("Client.accessToken", "property", ""),
        ("Client.urlRequest()", "method", ""),
        ("View.viewDidLoad()", "method", ""),
        ("Loader.reportDidLoad(url:)", "method", "reports “did load”"),
        ("View.webView(_:decidePolicyFor:handler:)", "method", "is asked to decide policy"),
        ("App.application(_:didFinishLaunching:)", "method", "is called after “application did finish launching”"),
        ("OAuthClient.init()", "initializer", ""),
        ("Client", "actor", ""),
        ("Cache.loadAndStoreImage()", "method", "loads and stores the image"),
        ("Session.open(request:shouldResumeNow:)", "method", ""),
        ("retryAfterDelay(_:)", "function", "retries the after delay"),
    ],
)
def test_a_clause_from_a_name(symbol: str, kind: str, clause: str) -> None:
    """Without a doc comment the name has to do."""
    assert from_name(item(1, symbol, "some code\n", kind=kind)) == clause


@pytest.mark.parametrize(
    ("doc", "clause"),
    [
        ("A client that performs flows. It is big.", "is a client that performs flows"),
        (
            "Creates a request from a URL, e.g. one of a redirect.\n\n- Parameter url: The URL.",
            "creates a request from a URL, e.g. one of a redirect",
        ),
        ("Return the value.", "returns the value"),
        ("- Returns: request for a token\n- Throws: nothing", "returns request for a token"),
        ("Login controller for a client.", "— Login controller for a client"),
        ("This method cancels the request", "cancels the request"),
        ("It retries once.", "retries once"),
        ("Asynchronously ask the delegate.", "asynchronously asks the delegate"),
        ("Called when the task ends.", "is called when the task ends"),
    ],
)
def test_a_clause_from_a_doc_comment(doc: str, clause: str) -> None:
    """The first sentence, as what follows the name."""
    assert as_clause(first_sentence(doc)) == clause


def test_links_and_tags_do_not_leave_a_comment() -> None:
    """Addresses in comments are not for readers of an answer."""
    assert first_sentence("See [the RFC](https://evil.example/x) <b>now</b> at https://evil.example/a. More") == "See the RFC now at"


def test_the_doc_comment_comes_before_the_name() -> None:
    """People say better what they meant."""
    assert statement(item(1, "go()", doc="Sends the mail.")) == "sends the mail"


def test_a_doc_comment_that_begins_with_the_name() -> None:
    """The name is not said twice."""
    assert statement(item(1, "Request", kind="class", doc="`Request` is the superclass of all.")) == "is the superclass of all"


def test_a_declaration_speaks_for_what_runs_in_its_place() -> None:
    """An implementation without a comment has that of its requirement."""
    assert statement(item(1, "P.retry()"), "Determines whether to try again.") == "determines whether to try again"


def test_verbs_in_the_third_person() -> None:
    """The few rules of English that matter here."""
    assert [third_person(verb) for verb in ("start", "push", "retry", "play", "fix", "go")] == [
        "starts",
        "pushes",
        "retries",
        "plays",
        "fixes",
        "goes",
    ]


def test_lists_of_words() -> None:
    """As they are read aloud."""
    assert [join_words(["a", "b", "c"][:number]) for number in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_what_a_deprecated_declaration_says() -> None:
    """The message of its attribute, where it has one."""
    said = deprecation(item(1, "f()", '@available(*, deprecated, message: "Use send(_:).")\nfunc f() {\n}\n'))
    assert said == " (“Use send(_:)”)"
    assert deprecation(item(1, "f()", "@Deprecated\nvoid f() {\n}\n")) == " "
    assert deprecation(item(1, "f()", "func f() {\n}\n")) == ""


@given(st.text(max_size=300))
def test_code_spans_cannot_be_left(text: str) -> None:
    """Whatever backticks and line ends a text holds, its span has one pair of fences and one line."""
    span = code(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    assert "\n" not in span
    assert span.endswith(fence)
    assert not span or fence not in span[len(fence) : -len(fence)]
    assert bool(span) is bool(text.split())


@given(st.text(max_size=600))
def test_comments_never_break_it(doc: str) -> None:
    """Any text has a first sentence, or none, within the limit and with its backticks paired."""
    said = first_sentence(doc)
    assert len(said) <= 220
    assert said.count("`") % 2 == 0
    assert "\n" not in said


def test_shortening_keeps_words_whole() -> None:
    """And says that something is missing."""
    assert shorten("one two three", 9) == "one two…"
