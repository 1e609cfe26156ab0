from __future__ import annotations

import pytest

from exegesis.model import ContextItem, Span
from services.query.telling.branches import LONGEST_CODE, When, numbered_lines, read_branches
from tests.fakes.evidence import item


def branches(text: str, path: str = "Sources/App.swift") -> list[tuple[int, str, str, str, str]]:
    """Of a function with these statements, the first of them on line 10."""
    body = "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())
    found = read_branches(item(1, "f", f"f() {{\n{body}}}\n", start=9, path=path))
    return [(one.line, one.when.value, one.condition, one.outcome.value, one.value) for one in found]


def test_a_guard_that_throws() -> None:
    """The condition of a guard is what must hold."""
    assert branches("guard token.isValid else {\n    // too late\n    throw AuthError.expired\n}\n") == [
        (10, "unless", "token.isValid", "throws", "AuthError.expired")
    ]


def test_a_guard_on_one_line() -> None:
    """The way out may stand behind the condition."""
    assert branches("guard let url else { return nil }\n") == [(10, "unless", "let url", "returns", "nil")]


def test_remarks_are_no_code() -> None:
    """What stands behind a value in a comment is not quoted as if it were returned; what looks like one in a text is."""
    assert branches("guard ready else { return nil /* Cancelled */ }\n") == [(10, "unless", "ready", "returns", "nil")]
    assert branches("if ready:\n    return this(that)  # type: ignore[no-any-return]\n") == [(10, "if", "ready", "returns", "this(that)")]
    assert branches('if ready {\n    return "a // b # c"\n}\n') == [(10, "if", "ready", "returns", '"a // b # c"')]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("if let a = first(),\n   let b = second(a) {\n    throw Bad(b)\n}\n", "let a = first(), let b = second(a)"),
        ("if (\n    a &&\n    b\n) {\n    throw Bad(b)\n}\n", "a && b"),
        ("if a(b,\n     c) and d:\n    raise Bad(b)\n", "a(b, c) and d"),
        ("if a\n    || b\n{\n    throw Bad(b)\n}\n", "a || b"),
    ],
)
def test_a_condition_over_several_lines(text: str, condition: str) -> None:
    """Statements that go on are read whole."""
    assert branches(text) == [(10, "if", condition, "throws", "Bad(b)")]


def test_a_guard_over_several_lines() -> None:
    """Its else may stand on a line of its own."""
    assert branches("guard\n    let a,\n    let b\nelse {\n    return nil\n}\n") == [(10, "unless", "let a, let b", "returns", "nil")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if not ready:\n    raise NotReady(name)\n", (10, "if", "not ready", "throws", "NotReady(name)")),
        ("if err != nil {\n\treturn err\n}\n", (10, "if", "err != nil", "returns", "err")),
        ("if (count > 3) {\n  throw new Error('x');\n}\n", (10, "if", "count > 3", "throws", "new Error('x')")),
        ("if (count > 3) return true\n", (10, "if", "count > 3", "returns", "true")),
        ("if (a) && (b) {\n    return 1\n}\n", (10, "if", "(a) && (b)", "returns", "1")),
        ("if (count > 3)\n{\n    return -1;\n}\n", (10, "if", "count > 3", "returns", "-1")),
        ("if (count > 3)\n    return -1;\n", (10, "if", "count > 3", "returns", "-1")),
        ("do {\n    a()\n} catch {\n    throw Wrapped(error)\n}\n", (12, "caught", "", "throws", "Wrapped(error)")),
        ("try:\n    a()\nexcept ValueError as error:\n    return None\n", (12, "caught", "ValueError as error", "returns", "None")),
        ("try {\n    a()\n} catch (e) {\n    return null\n}\n", (12, "caught", "e", "returns", "null")),
        ("guard index < count else {\n    fatalError()\n}\n", (10, "unless", "index < count", "stops", "fatalError")),
        ("if last is e:\n    raise\n", (10, "if", "last is e", "throws", "")),
        ('if kind == f"{name}":\n    return "{"\n', (10, "if", 'kind == f"{name}"', "returns", '"{"')),
    ],
    ids=[
        "python",
        "go",
        "javascript",
        "one line",
        "two in parentheses",
        "allman",
        "no braces",
        "catch",
        "except",
        "catch e",
        "fatal",
        "again",
        "texts",
    ],
)
def test_words_that_many_languages_share(text: str, expected: tuple[object, ...]) -> None:
    """No language is named: the words are enough."""
    assert branches(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "handler = find(error)\nif handler is None:\n    raise\nreturn handler(error)\n",
        "if propagate:\n    log(error)\nreturn finish(error)\n",
        "try:\n    a()\nexcept Exception as e:\n    b(e)\nreturn finish()\n",
        "for a in b {\n    guard let c = a.d else {\n        continue\n    }\n    return c\n}\n",
        "if a < b {\n    c()\n} else {\n    return nil\n}\n",
        "if a {\n    if b {\n        return c\n    }\n    return d\n}\n",
    ],
    ids=["dedent, and a bare raise", "dedent", "after except", "continue", "else", "decides something else first"],
)
def test_what_does_not_follow_from_a_condition_is_not_told_of_it(text: str) -> None:
    """Beyond its block, in the other one, or only where something else holds too."""
    told = {(when, condition, value) for _, when, condition, _, value in branches(text, "a.py")}
    assert told <= {("if", "handler is None", ""), ("if", "b", "c")}


def test_a_condition_within_another_is_told_with_it() -> None:
    """It decides only where that holds; with two around it nobody would follow."""
    (found,) = read_branches(item(1, "f", "f() {\n    if a {\n        if b {\n            return c\n        }\n    }\n}\n"))
    assert (found.within, found.condition, found.value) == ("a", "b", "c")
    assert branches("if a {\n    if b {\n        if c {\n            return d\n        }\n    }\n}\n") == []
    assert branches("if a {\n    d()\n} else {\n    if c {\n        return d\n    }\n}\n") == []


def test_what_else_if_asks_counts_where_nothing_before_it_holds() -> None:
    """And is told so."""
    assert branches("if a {\n    b()\n} else if c {\n    return d\n}\n") == [(12, "otherwise", "c", "returns", "d")]


@pytest.mark.parametrize(
    "text",
    [
        "queue.sync {\n    if closed {\n        return nil\n    }\n}\n",
        "let result = lock.with { value in\n    guard value else { return false }\n}\n",
        "function unsubscribe() {\n    if (!subscribed) {\n        return\n    }\n}\n",
        "return items.map(item => {\n    if (item) {\n        return 1\n    }\n})\n",
        "def inner():\n    if ready:\n        return 1\n",
    ],
)
def test_closures_and_functions_within_decide_for_themselves(text: str) -> None:
    """What these return the declaration does not."""
    assert branches(text) == []


def test_what_is_not_shown_decides_nothing() -> None:
    """A piece of a long function begins anywhere, and between two pieces there may be anything."""
    body = "        if ready {\n            return 1\n        }\n"
    assert read_branches(item(1, "f", body)) == ()
    assert read_branches(item(1, "f", body, path="a.c"))  # there no function stands within another
    split = item(1, "f", f"func f() {{\n    a()\n{body}")
    shown = ContextItem(**{name: getattr(split, name) for name in split.__slots__} | {"runs": (Span(1, 2), Span(9, 11))})
    assert read_branches(shown) == ()


def test_comments_decide_nothing() -> None:
    """A condition in a comment is prose."""
    assert branches("// if x { throw Y }\n/* guard z else { return } */\n") == []


def test_the_text_of_an_error_is_read() -> None:
    """As far as it is a sentence; its name alone says that already."""
    (found,) = read_branches(item(1, "f", "f() {\n    if (busy) {\n        throw new Error(\n            'Not while busy.'\n        )\n    }\n}\n"))
    assert (found.when, found.value, found.message) == (When.IF, "new Error( 'Not while busy.' )", "Not while busy.")
    (found,) = read_branches(
        item(1, "f", "def f():\n    if busy:\n        raise Busy(\n            'Not while '\n            f'{name} is busy.'\n        )\n")
    )
    assert found.message == "Not while {name} is busy."


def test_docstrings_decide_nothing() -> None:
    """Nor do texts over several lines; where only the end of one is shown, what follows it is code."""
    text = 'def f(view):\n    """If view looked like this:\n\n    if view:\n        return old\n    """\n    if not view:\n        return None\n'
    (found,) = read_branches(item(1, "f", text, start=10))
    assert (found.line, found.condition, found.value) == (16, "not view", "None")
    assert branches('a word\n"""\nif not view:\n    return None\n') == [(12, "if", "not view", "returns", "None")]


def test_a_condition_without_a_way_out_is_not_told() -> None:
    """What happens inside is the business of the calls."""
    assert branches("if ready {\n    start()\n}\nreturn value\n") == []


def test_long_conditions_are_cut() -> None:
    """A sentence can hold so much code and no more."""
    ((_, _, condition, outcome, _),) = branches(f"guard {'x' * 300} else {{ return }}\n")
    assert len(condition) == LONGEST_CODE
    assert outcome == "returns"


def test_lines_are_numbered_across_runs() -> None:
    """The header of a type is discontinuous, and an excerpt leaves lines out."""
    split = item(1, "T", "a\nb\nc\n")
    shown = ContextItem(**{name: getattr(split, name) for name in split.__slots__} | {"runs": (Span(3, 4), Span(9, 9))})
    assert list(numbered_lines(shown)) == [(3, "a"), (4, "b"), (9, "c")]
