from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.query.telling.names import from_name, parameters_of, result_of, split_name, third_person, title_from_name, with_article
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
        ("Client.isCallbackURL(url:)", "method", "tells whether it is a callback URL"),
        ("Client.init(configuration:)", "initializer", "makes a `Client` from `configuration`"),
        ("Client.accessToken", "property", ""),
        ("Client.urlRequest()", "method", ""),
        ("View.viewDidLoad()", "method", ""),
        ("Loader.reportDidLoad(url:)", "method", "reports “did load”"),
        ("View.webView(_:decidePolicyFor:handler:)", "method", "is asked to decide the policy"),
        ("App.application(_:didFinishLaunching:)", "method", "is called after the application did finish launching"),
        ("OAuthClient.init()", "initializer", "makes an `OAuthClient`"),
        ("Client", "actor", ""),
        ("Cache.loadAndStoreImage()", "method", "loads and stores the image"),
        ("Broker.databaseWillChange(with:)", "method", "is called before the database changes"),
        ("Request.didCreateTask(_:)", "method", "is called after “create task”"),
        ("SignInError.isResetPassword", "property", "tells whether it is reset password"),
        ("Session.performEagerlyIfNecessary(_:)", "method", "performs eagerly if necessary"),
        ("Prefetcher.handleComplete()", "method", "handles “complete”"),
        ("Session.open(request:shouldResumeNow:)", "method", ""),
        ("retryAfterDelay(_:)", "function", "retries after delay"),
    ],
)
def test_a_clause_from_a_name(symbol: str, kind: str, clause: str) -> None:
    """Without a doc comment the name has to do."""
    assert from_name(item(1, symbol, "some code\n", kind=kind)) == clause


def test_a_past_deed_is_a_question_only_where_something_is_returned() -> None:
    """By the signature, or by the body in languages without types."""
    told = "tells whether it did change state"
    assert from_name(item(1, "Store.didChangeState()", signature="func didChangeState() -> Bool")) == told
    assert from_name(item(1, "Store.did_change_state", "def did_change_state(self):\n    return self.changed\n", path="store.py")) == told
    assert (
        from_name(item(1, "Store.did_change_state", "def did_change_state(self):\n    return\n", path="store.py")) == "is called after “change state”"
    )


@pytest.mark.parametrize(
    ("symbol", "signature", "clause"),
    [
        ("Trust.evaluate(_:forHost:)", "func evaluate(_ trust: SecTrust, forHost host: String) throws", "evaluates the trust for the host"),
        ("Item.add(constraints:)", "func add(constraints: [Constraint])", "adds the constraints"),
        ("Form.write(_:to:)", "func write(_ part: BodyPart, to stream: OutputStream) throws", "writes the part to the stream"),
        ("Fetcher.append(cached:)", "func append(cached source: Source)", "appends the cached source"),
        ("Debounce.run(_:cancel:)", "func run<O: Observer>(_ observer: O, cancel: Cancelable)", ""),
        ("Settings.createFrom(file:)", "static func createFrom(file: URL) throws -> Settings", "creates a `Settings` from the file"),
        ("Store.diskFileURL(forKey:)", "func diskFileURL(forKey key: String) -> URL", "gives the disk file URL"),
        ("Task.doAutoSignIn()", "func doAutoSignIn() async throws -> Result", ""),
        ("Subject.synchronized_subscribe(_:)", "func synchronized_subscribe(_ observer: O) -> Disposable", ""),
        ("Response.init(query:)", "public init?(query: [String: String])", ""),
        ("f(_:)", "func f(_ body: (Int, String) -> Void)", ""),
    ],
)
def test_parameters_say_what_a_name_leaves_out(symbol: str, signature: str, clause: str) -> None:
    """The object of a verb that stands alone; nothing where it would be none."""
    assert from_name(item(1, symbol, signature=signature)) == clause


@pytest.mark.parametrize(
    ("symbol", "signature", "clause"),
    [
        (
            "V.webView(_:decidePolicyFor:)",
            "func webView(_ webView: WKWebView, decidePolicyFor action: WKNavigationAction)",
            "is asked to decide the policy for the action",
        ),
        (
            "D.urlSession(_:didReceive:)",
            "func urlSession(_ session: URLSession, didReceive challenge: Challenge)",
            "is called after the url session did receive the challenge",
        ),
        (
            "T.tableView(_:cellForRowAt:)",
            "func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> Cell",
            "is asked for the cell for row at the path",
        ),
        ("T.tableView(_:cellForRowAt:)", "func tableView(_: UITableView, cellForRowAt _: IndexPath) -> Cell", "is asked for the cell for row"),
    ],
)
def test_delegate_methods_say_what_they_are_told_or_asked(symbol: str, signature: str, clause: str) -> None:
    """In a label, and the parameter below it completes the sentence."""
    assert from_name(item(1, symbol, signature=signature)) == clause


def test_a_failing_initialiser_may_make_nothing() -> None:
    """Its signature says so; long lists are cut."""
    one = item(1, "T.init(a:b:c:d:)", kind="initializer", signature="init?(a: A, b: B, c: C, d: D)")
    assert from_name(one) == "makes a `T` from `a`, `b` and `c` and more, or nothing"


def test_titles_for_what_has_no_words() -> None:
    """Hooks of a life cycle, values and closures."""
    assert title_from_name(item(1, "Login.viewDidLoad()")) == "After “view did load”"
    assert title_from_name(item(1, "AFError.underlyingError", kind="property")) == "The underlying error of AFError"
    assert title_from_name(item(1, "Login.closure@4", kind="closure")) == "A closure in Login"
    assert title_from_name(item(1, "run()")) == ""


def test_parameters_of_a_signature() -> None:
    """Those of function types and generics are none of its own."""
    one = item(1, "f", signature="func f<T: P>(_ a: (Int, b: Int) -> Void, with c: [String: Int] = [:], @Wrapped d: D<E, F>) -> G")
    assert parameters_of(one) == [("_", "a"), ("with", "c"), ("d", "d")]
    assert result_of(one) == "G"


def test_articles_follow_the_sound() -> None:
    """As far as spelling tells it."""
    assert [with_article(noun)[0] for noun in ("URLRequest", "HTTPBody", "OAuthClient", "User", "Upload", "Sink")] == [
        "a",
        "an",
        "an",
        "a",
        "an",
        "a",
    ]


@given(st.text(max_size=60), st.text(max_size=80), st.sampled_from(["method", "initializer", "property", "function"]))
def test_no_name_breaks_it(symbol: str, signature: str, kind: str) -> None:
    """Whatever is declared."""
    assert isinstance(from_name(item(1, symbol, "x", kind=kind, signature=signature)), str)


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


def test_what_a_test_of_a_type_says_has_an_article() -> None:
    """``isDate`` asks whether a value is one; prepositions are not said twice, and what succeeds has no object."""
    assert from_name(item(1, "isDate", "function isDate(val) {\n  return val instanceof Date\n}\n", kind="function")) == "tells whether it is a date"
    assert from_name(item(1, "isReady", "function isReady() {\n  return ready\n}\n", kind="function")) == "tells whether it is ready"
    assert "into into" not in from_name(item(1, "hash", kind="function", signature="def hash(into: Hasher)"))
    assert "the held" not in from_name(item(1, "succeed(held:)", signature="func succeed(held: Bool)"))
