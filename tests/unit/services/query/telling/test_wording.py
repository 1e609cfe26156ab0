from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.query.telling.quoting import CONTROL
from services.query.telling.wording import (
    as_clause,
    code,
    deprecation,
    first_sentence,
    join_words,
    shorten,
    statement,
)
from tests.fakes.evidence import item


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
        ("The WSGI server calls the object as the application.", "— The WSGI server calls the object as the application"),
        ("An app context contains information about an app.", "— An app context contains information about an app"),
        ("A list of calls the user made.", "is a list of calls the user made"),
        ("A type that handles the queue.", "is a type that handles the queue"),
    ],
)
def test_a_clause_from_a_doc_comment(doc: str, clause: str) -> None:
    """The first sentence, as what follows the name."""
    assert as_clause(first_sentence(doc)) == clause


def test_links_and_tags_do_not_leave_a_comment() -> None:
    """Addresses in comments are not for readers of an answer."""
    assert first_sentence("See [the RFC](https://evil.example/x) <b>now</b> at https://evil.example/a. More") == "See the RFC now at"


def test_roles_of_markup_leave_the_name() -> None:
    """As reStructuredText writes them in docstrings."""
    assert first_sentence("Called by :meth:`.url_for` if a :exc:`~werkzeug.BuildError` was raised.") == (
        "Called by `url_for` if a `werkzeug.BuildError` was raised"
    )


def test_the_doc_comment_comes_before_the_name() -> None:
    """People say better what they meant."""
    assert statement(item(1, "go()", doc="Sends the mail.")) == "sends the mail"


def test_a_doc_comment_that_begins_with_the_name() -> None:
    """The name is not said twice."""
    assert statement(item(1, "Request", kind="class", doc="`Request` is the superclass of all.")) == "is the superclass of all"


@pytest.mark.parametrize(
    ("doc", "clause"),
    [
        ("A `Migrator` registers and applies migrations.", "registers and applies migrations"),
        ("`Migrator` represents a list of changes.", "represents a list of changes"),
        ("The `Migrator` class manages the order of changes.", "manages the order of changes"),
        ("The `Migrator` class of changes.", "is the `Migrator` class of changes"),
        ("Please take a look at `Other.swift`.", ""),
        ("> The state of a savepoint.", "is the state of a savepoint"),
    ],
)
def test_comments_that_repeat_the_name_or_point_elsewhere(doc: str, clause: str) -> None:
    """Marks of quotations are no words either."""
    assert statement(item(1, "Migrator", kind="class", doc=doc)) == clause


def test_what_is_returned_has_an_article_where_its_type_tells_a_noun() -> None:
    """As it would be said aloud."""
    one = item(1, "f()", doc="- Returns: request for a token", signature="func f() -> URLRequest")
    assert statement(one) == "returns a request for a token"
    assert statement(dataclasses.replace(one, signature="func f() -> Data")) == "returns request for a token"


def test_a_declaration_speaks_for_what_runs_in_its_place() -> None:
    """An implementation without a comment has that of its requirement."""
    assert statement(item(1, "P.retry()"), "Determines whether to try again.") == "determines whether to try again"


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
    assert bool(span) is bool(CONTROL.sub("", text).split())


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


def test_a_sentence_with_a_subject_and_a_verb_stays_one() -> None:
    """``The flask object implements`` is no noun, and neither is what stands in asterisks before ``is,``."""
    assert as_clause("The flask object implements a WSGI application").startswith("— ")
    assert as_clause("An *action creator* is, quite simply, a function").startswith("— ")
