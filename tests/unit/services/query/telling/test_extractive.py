from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from exegesis.model import EdgeKind, Place, ScorePart
from services.query.telling.citations import check_citations
from services.query.telling.extractive import MOST_STEPS, Form, explain_from_evidence
from tests.fakes.evidence import context, flow_of, item

LOGIN = item(
    1,
    "LoginScreen.start()",
    "func start() {\n    let request = client.authorize()\n    open(request)\n}\n",
    path="Sources/LoginScreen.swift",
    place=Place.CALLER,
    score=0.3,
)
AUTHORIZE = item(
    2,
    "Client.authorize()",
    "func authorize() throws -> URL {\n    guard let id = Settings.main.id else {\n        throw AuthError.noClient\n    }\n    return make(id)\n}\n",
    start=10,
    doc="Makes the authorization request with a fresh state.",
)
MAKE = item(3, "Client.makeURL(id:)", start=30, place=Place.CALLEE, score=0.5)
SETTINGS = item(4, "Settings", "struct Settings {}\n", kind="struct", path="Sources/Settings.swift", doc="Client id and endpoints.")
GUIDE = item(5, "Sign-in", "# Sign-in\n\nSign-in uses the code grant. It is old.\n", kind="heading", path="README.md")
CALLS = [("LoginScreen.start()", "Client.authorize()", 2), ("Client.authorize()", "Client.makeURL(id:)", 14)]
ITEMS = [LOGIN, AUTHORIZE, MAKE, SETTINGS, GUIDE]


def told(
    items: list[object] = ITEMS,  # type: ignore[assignment]
    calls: list[object] = CALLS,  # type: ignore[assignment]
    form: Form = Form.FLOW,
    question: str = "Why is the grant old?",
) -> str:
    found = context(items, calls)  # type: ignore[arg-type]
    return explain_from_evidence(question, flow_of(found), found.items, form)


def test_steps_come_in_the_order_in_which_they_happen() -> None:
    """The caller first, though it ranks last."""
    steps = re.findall(r"^(\d)\. \*\*`(.+?)`\*\*", told(), re.MULTILINE)
    assert steps == [("1", "LoginScreen.start()"), ("2", "Client.authorize()"), ("3", "Client.makeURL(id:)")]


def test_the_lead_says_what_and_where_it_begins() -> None:
    """The best anchor by its doc comment, then the start of the story."""
    lead = told().split("\n\n")[0]
    assert lead.startswith("`Client.authorize()` makes the authorization request with a fresh state [E2].")
    assert "starts in `LoginScreen.start()` [E1], goes through `Client.authorize()` [E2] and ends in `Client.makeURL(id:)` [E3]." in lead


def test_what_the_question_names_stands_in_the_middle() -> None:
    """However much better another step is described."""
    assert told(question="How does makeURL work?").startswith("`Client.makeURL(id:)`")


def test_what_says_the_words_of_the_question_is_told_first() -> None:
    """Of many ways out two are told."""
    checks = "".join(f"    if {name} {{\n        throw Bad.{name}\n    }}\n" for name in ("first", "second", "dispatching", "fourth"))
    body = f"func run() {{\n{checks}}}\n"
    text = told([item(6, "run()", body)], [], question="What happens while something is dispatching?")
    assert "If `dispatching`, it throws `Bad.dispatching` [E6]." in text
    assert "Bad.fourth" not in text


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            "new Error(\n            'Not while a reducer runs, as this would be without an end.'\n        )",
            "throws `new Error` (“Not while",
        ),
        ("new Error('No.')", "throws `new Error('No.')`"),
        ("'('", "throws `'('`"),
    ],
)
def test_the_text_of_an_error_is_told(value: str, said: str) -> None:
    """Where what makes it is too long to quote."""
    body = f"function run() {{\n    if (busy) {{\n        throw {value}\n    }}\n}}\n"
    assert f"If `busy`, it {said}" in told([item(6, "run", body, path="a.js")], [])


def test_what_is_raised_again_is_told_so() -> None:
    """A bare raise has no value of its own."""
    text = told([item(6, "run", "def run():\n    if handler is None:\n        raise\n    return handler()\n", path="a.py")], [])
    assert "If `handler is None`, it rethrows [E6]." in text


def test_conditions_are_told_with_their_step() -> None:
    """What stops the flow is as important as what carries it on."""
    assert "If `Settings.main.id` is nil, it throws `AuthError.noClient` [E2]." in told()


def test_conditions_are_told_without_the_syntax_of_a_language() -> None:
    """Bindings ask for a value; who reads "unless not" reads twice."""
    body = """func run() {
    guard let self else { return nil }
    if let cached { return cached }
}
"""
    text = told([item(6, "run()", body)], [])
    assert "If `self` is nil, it returns `nil` [E6]." in text
    assert "If `cached` has a value, it returns `cached` [E6]." in text
    negated = "func stop() {\n    guard !request.isCancelled else { return false }\n    if !isOpen(at: 1) { return true }\n}\n"
    text = told([item(6, "stop()", negated)], [])
    assert "If `request.isCancelled`, it returns `false` [E6]." in text
    assert "Unless `isOpen(at: 1)`, it returns `true` [E6]." in text


def test_the_same_decision_is_told_once() -> None:
    """However often the code repeats it."""
    again = item(6, "f()", "func f() {\n" + "    guard ready else { return nil }\n" * 3 + "}\n")
    assert told([again], []).count("Unless `ready`") == 1


def test_types_and_documents_follow() -> None:
    """Settings with their doc comment, prose with its first sentence."""
    text = told()
    assert "- `Settings` — Client id and endpoints [E4]." in text
    assert "- Sign-in: “Sign-in uses the code grant” [E5]." in text


def test_every_sentence_is_cited_and_verified() -> None:
    """The explanation passes the same checks as a model's."""
    found = context(ITEMS, CALLS)  # type: ignore[arg-type]
    checked = check_citations(told(), found, flow_of(found), lambda *_: ())
    assert checked.share == 1.0
    assert checked.rejected == 0
    assert checked.text == told()


def test_a_question_of_use_that_names_nothing_is_told_as_a_flow() -> None:
    """That nobody calls the best match is no answer to it."""
    text = told([AUTHORIZE, MAKE], CALLS[1:], Form.USAGE, "Which part limits calls?")
    assert "Nothing in the evidence" not in text
    assert text.startswith("`Client.authorize()`")


def test_strong_matches_outside_of_every_story_are_named() -> None:
    """Whoever asked may have meant them."""
    apart = item(6, "Audit.record()", path="Sources/Audit.swift", doc="Keeps a record of the grant.", score=0.9)
    assert "**Also matched**\n\n- `Audit.record()` keeps a record of the grant [E6]." in told([*ITEMS, apart])


def test_parts_of_a_symbol_are_one_step_and_cited_by_their_lines() -> None:
    """A step says what all of its parts call; the part that holds the call is cited for it."""
    head = item(1, "big()", "func big() {\n    a()\n", start=1, doc="Does much.")
    tail = dataclasses.replace(item(2, "big()", "    b()\n}\n", start=3), chunk=9)
    text = told([head, tail, item(3, "a()", start=20), item(4, "b()", start=30)], [("big()", "a()", 2), ("big()", "b()", 3)])
    assert "1. **`big()`** does much [E1]. It calls `a` (line 2) and `b` (line 3, step 3) [E1] [E2]." in text
    assert text.count("**`big()`**") == 1


def test_a_question_for_reasons_begins_with_the_documents() -> None:
    """Code says what, documents say why."""
    assert told(form=Form.PROSE).startswith("**From documents**\n\n- Sign-in:")


def test_comments_that_speak_of_the_question_come_first() -> None:
    """They are where code says why."""
    client = item(
        6,
        "Client",
        "class Client {\n    /// The grant is old because\n    /// servers are.\n    let grant = 1 // new\n    // MARK: - grant things\n}\n",
        kind="class",
    )
    assert told([*ITEMS, client], form=Form.PROSE).startswith(
        "**From comments**\n\n- `Client`, lines 2 to 3: “The grant is old because servers are” [E6].\n\n**From documents**"
    )


def test_possible_calls_are_told_as_possible() -> None:
    """What only may run is not told as a fact."""
    assert "It may call `authorize` (line 2) [E1]." in told(
        [LOGIN, AUTHORIZE], [("LoginScreen.start()", "Client.authorize()", 2, EdgeKind.CALL, 0.6)]
    )


def test_implementations_of_one_requirement_are_not_told_alike() -> None:
    """The second one refers to the first; how both are reached is said once."""
    items = [item(1, "T.run()"), item(2, "Policy", kind="protocol", start=10), item(3, "A.retry()", start=20), item(4, "B.retry()", start=30)]
    ways = [("T.run()", "Policy", 2), ("Policy", "A.retry()", 11, EdgeKind.WITNESS, 0.9), ("Policy", "B.retry()", 11, EdgeKind.WITNESS, 0.9)]
    text = told(items, ways)
    assert "**`A.retry()`** stands at line 20 of `App.swift` [E3]. It may run for `Policy` (declared at line 11 of `App.swift`) [E2]." in text
    assert "**`B.retry()`** does what step 2 does, in `B` [E4]." in text


def test_without_calls_the_anchors_are_told() -> None:
    """In the order of the context."""
    steps = re.findall(r"^(\d)\. \*\*`(.+?)`\*\*", told([AUTHORIZE, item(3, "Client.makeURL(id:)", start=30)], []), re.MULTILINE)
    assert [name for _, name in steps] == ["Client.authorize()", "Client.makeURL(id:)"]


def test_tests_are_no_steps() -> None:
    """A test that nobody asked for starts everything and explains nothing."""
    test = dataclasses.replace(item(9, "ClientTests.testAuthorize()", path="Tests/ClientTests.swift"), parts=(ScorePart("test", -0.4),))
    assert "ClientTests" not in told([*ITEMS, test], [*CALLS, ("ClientTests.testAuthorize()", "Client.authorize()", 1)])


def test_long_stories_lose_the_ends_that_matter_least() -> None:
    """What is left still hangs together, in the order of events."""
    items = [item(1, "T.start()", score=0.1), *(item(number, f"T.f{number}()", start=number * 10, score=number / 100) for number in range(2, 40))]
    text = told(items, [("T.start()", one.symbol, one.start) for one in items[1:]])
    numbers = [int(number) for number in re.findall(r"^\d+\. \*\*`T\.f(\d+)\(\)`\*\*", text, re.MULTILINE)]
    assert numbers == list(range(40 - MOST_STEPS + 1, 40))
    assert text.index("1. **`T.start()`**") > 0


def test_a_demonstration_uses_the_subject() -> None:
    """Example code calls the library, and is not where it begins."""
    demo = item(9, "Demo.run()", path="Examples/Demo.swift", place=Place.CALLER)
    text = told([*ITEMS, demo], [*CALLS, ("Demo.run()", "Client.authorize()", 1)])
    assert "It starts in `LoginScreen.start()`" in text
    assert "**Also reached from**\n\n- `Demo.run()` in `Demo.swift` calls `authorize` (line 1) [E9]." in text


def test_faint_types_and_documents_are_left_out() -> None:
    """What only filled the budget is not worth a sentence."""
    faint = item(8, "Colour", kind="struct", score=0.01, path="Sources/Colour.swift")
    assert "Colour" not in told([*ITEMS, faint])


def test_a_type_is_told_with_what_it_holds() -> None:
    """Its stored values, by name."""
    user = item(8, "Client.use()", "func use(token: Token) {\n    authorize()\n}\n", start=50)
    token = item(
        7,
        "Token",
        "struct Token {\n    let code: String\n    private(set) var state: String\n        let inner = 1\n}\n",
        kind="struct",
        path="T.swift",
    )
    assert "- `Token` holds `code` and `state` [E7]." in told([*ITEMS, token, user], [*CALLS, ("Client.use()", "Client.authorize()", 51)])


def test_a_context_of_documents_alone() -> None:
    """Prose answers as prose."""
    assert told([GUIDE], []).startswith("`Sign-in`")


def test_the_same_evidence_gives_the_same_text() -> None:
    """Nothing depends on the order of sets or on time."""
    assert told() == told()


_PIECES = [
    "![x](http://e.x/a)",
    "[E99]",
    "<b>",
    "`",
    "```",
    "A.swift:9",
    "\n",
    "http://e.x",
    " runs. ",
    "word ",
    "# ",
    "- ",
    "guard ",
    " else { throw ",
]
_HOSTILE = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)


@given(_HOSTILE, _HOSTILE, _HOSTILE, st.sampled_from(Form))
@example("", "", "![x](http://e.x/a) runs. ```![x](http://e.x/a)", Form.FLOW)
def test_hostile_code_makes_no_hostile_answer(doc: str, body: str, name: str, form: Form) -> None:
    """Whatever comments, code and names hold: an answer comes out, it cites what exists, and no viewer sees an image, a link or HTML in it."""
    text = body or "x"
    items = [item(1, name or "f()", text, doc=doc), item(2, "g()", start=100), item(3, name or "T", text, kind="struct", doc=doc, start=200), GUIDE]
    found = context(items, [(items[0].symbol, "g()", 1)])
    flow = flow_of(found)
    checked = check_citations(explain_from_evidence("Why does g run a word?", flow, found.items, form), found, flow, lambda *_: ())
    tokens = MarkdownIt("commonmark", {"html": True}).parse(checked.text)
    kinds = {child.type for token in tokens for child in [token, *(token.children or [])]}
    assert not kinds & {"image", "link_open", "html_inline", "html_block"}
    assert {citation.id for citation in checked.citations} <= {"E1", "E2", "E3", "E5"}


def test_wrappers_are_not_told_in_the_words_of_what_they_wrap() -> None:
    """The second bears the same comment, and does it for the first; a third is only described so."""
    doc = "Ignores elements that are followed by another one."
    items = [item(1, "Shared.debounce()", doc=doc), item(2, "Source.debounce()", start=10, doc=doc), item(3, "Other.debounce()", start=20, doc=doc)]
    text = told(items, [("Shared.debounce()", "Source.debounce()", 2), ("Other.debounce()", "Source.debounce()", 21)])
    assert "2. **`Source.debounce()`** does this for step 1 [E2]." in text
    assert "3. **`Other.debounce()`** is described in the words of step 1 [E3]." in text


def test_the_lead_keeps_to_the_thread_that_it_speaks_of() -> None:
    """Threads that only stand beside each other have no common beginning and end; the step number says where it is."""
    items = [
        item(1, "Cache.clean()", start=1, score=0.5),
        item(2, "Cache.remove()", start=10, score=0.5),
        item(3, "Cache.fetch()", start=20, doc="Fetches an image."),
        item(4, "Cache.read()", start=30),
        item(5, "Cache.verify()", start=40),
    ]
    calls = [("Cache.clean()", "Cache.remove()", 2), ("Cache.fetch()", "Cache.read()", 21), ("Cache.read()", "Cache.verify()", 31)]
    lead = told(items, calls).split("\n\n")[0]
    assert lead == "`Cache.fetch()` fetches an image [E3]. It is told in step 3; from there the calls lead to `Cache.verify()` [E5]."


def test_nothing_is_said_to_lead_where_no_call_goes() -> None:
    """Functions of one name in several files, which call nothing, only stand beside each other."""
    text = told([item(number, "charge()", start=10 * number, doc="Takes money.") for number in (1, 2, 3)], [])
    assert "leads to" not in text
    assert "ends in" not in text


def test_a_hand_over_is_told_once() -> None:
    """What a body calls next is said with its line and not among its statements as well."""
    first = item(1, "go(_:)", "func go() {\n    hide()\n    next()\n}\n")
    text = told([first, item(2, "next()", start=10)], [("go(_:)", "next()", 3)])
    assert "1. **`go(_:)`** calls `hide` [E1]. It calls `next` (line 3) [E1]." in text


def test_several_bindings_ask_whether_each_has_a_value() -> None:
    """In words, without the keywords of the language."""
    body = 'func run() {\n    guard let a = dic["a"], let b = dic["b"] else { return nil }\n}\n'
    assert 'If `dic["a"]` or `dic["b"]` is nil, it returns `nil` [E6].' in told([item(6, "run()", body)], [])


def test_chronicles_are_no_documents_to_read_on() -> None:
    """A change log names everything and explains nothing."""
    log = item(6, "1.2", "## 1.2\n\nThe token store was added to the client.\n", kind="heading", path="CHANGELOG.md", score=0.9)
    text = told([*ITEMS, log])
    assert "The token store was added" not in text
    assert "Sign-in uses the code grant" in text


def test_accessors_without_a_comment_are_no_configuration() -> None:
    """They hand on what somebody else holds."""
    accessor = item(6, "Client.id", "var id: Id {\n    keys.id\n}\n", kind="property", signature="var id: Id", start=60)
    stored = item(7, "Client.limit", "let limit = 30\n", kind="property", doc="Most tries.", start=70)
    user = item(8, "Client.authorize()", "func authorize() {\n    use(id, limit)\n}\n", start=10)
    text = told([user, accessor, stored, MAKE], [("Client.authorize()", "Client.makeURL(id:)", 12)])
    assert "`Client.limit` — Most tries" in text
    assert "`Client.id`" not in text


def test_where_all_that_calls_is_idle_the_best_matches_are_told() -> None:
    """None of them is of the one thread there is, and the answer is about them all the same."""
    idle = item(1, "useStore(store:)", "func useStore(store: Store) { store.open() }\n", path="Sources/Use.swift", place=Place.CALLER, score=0.1)
    store = item(2, "Store", "extension Store {}\n", kind="extension", path="Sources/Store.swift", place=Place.CALLEE, score=0.1)
    match = item(3, "describe()", "func describe() {\n    print(1)\n    print(2)\n}\n", path="Sources/Match.swift", score=0.9)
    assert "`describe()`" in told([idle, store, match], [("useStore(store:)", "Store", 1)], question="What does it do?")


def test_what_is_only_mentioned_is_not_said_to_be_called() -> None:
    """A function as a value is referred to, by a step and by who stands beside the story; the story begins where something is called."""
    items = [
        item(1, "Desk.open()", start=10),
        item(2, "Desk.greet()", start=20),
        item(3, "Desk.close()", start=30),
        item(4, "Audit.names()", start=40, path="Sources/Audit.swift", place=Place.CALLER),
    ]
    calls = [
        ("Desk.open()", "Desk.greet()", 12),
        ("Desk.open()", "Desk.close()", 13, EdgeKind.ACCESS, 0.95),
        ("Audit.names()", "Desk.open()", 41, EdgeKind.ACCESS, 0.95),
    ]
    text = told(items, calls)  # type: ignore[arg-type]
    assert re.search(r"^1\. \*\*`Desk.open\(\)`\*\*.* It refers to `close` \(line 13, step 3\) \[E1\]\.$", text, re.MULTILINE)
    assert "`Audit.names()` in `Audit.swift` refers to `open` (line 41) [E4]." in text
    assert "calls `close`" not in text
