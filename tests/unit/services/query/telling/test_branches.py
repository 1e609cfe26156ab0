from __future__ import annotations

import pytest

from exegesis.model import ContextItem, Span
from services.query.telling.branches import LONGEST_CODE, Outcome, numbered_lines, read_branches
from tests.fakes.evidence import item


def branches(text: str) -> list[tuple[int, str, bool, str, str]]:
    return [(found.line, found.condition, found.negated, found.outcome.value, found.value) for found in read_branches(item(1, "f", text, start=10))]


def test_a_guard_that_throws() -> None:
    """The condition of a guard is what must hold."""
    assert branches("guard token.isValid else {\n    // too late\n    throw AuthError.expired\n}\n") == [
        (10, "token.isValid", True, "throws", "AuthError.expired")
    ]


def test_a_guard_on_one_line() -> None:
    """The way out may stand behind the condition."""
    assert branches("guard let url else { return nil }\n") == [(10, "let url", True, "returns", "nil")]


def test_remarks_are_no_code() -> None:
    """What stands behind a value in a comment is not quoted as if it were returned."""
    assert branches("guard ready else { return nil /* Cancelled */ }\n") == [(10, "ready", True, "returns", "nil")]


def test_a_condition_over_several_lines() -> None:
    """Statements broken after a comma or an operator are read whole."""
    assert branches("if let a = first(),\n   let b = second(a) {\n    throw Bad(b)\n}\n") == [
        (10, "let a = first(), let b = second(a)", False, "throws", "Bad(b)")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if not ready:\n    raise NotReady(name)\n", (10, "not ready", False, "throws", "NotReady(name)")),
        ("if err != nil {\n\treturn err\n}\n", (10, "err != nil", False, "returns", "err")),
        ("if (count > 3) {\n  throw new Error('x');\n}\n", (10, "count > 3", False, "throws", "new Error('x')")),
        ("} catch {\n    throw Wrapped(error)\n}\n", (10, "an error is caught", False, "throws", "Wrapped(error)")),
        ("for await item in queue {\n", (10, "item in queue", False, "repeats", "")),
        ("while !done {\n", (10, "!done", False, "repeats", "")),
        ("guard index < count else {\n    fatalError()\n}\n", (10, "index < count", True, "stops", "fatalError")),
    ],
    ids=["python", "go", "javascript", "catch", "for", "while", "fatal"],
)
def test_words_that_many_languages_share(text: str, expected: tuple[object, ...]) -> None:
    """No language is named: the words are enough."""
    assert branches(text) == [expected]


def test_comments_decide_nothing() -> None:
    """A condition in a comment is prose."""
    assert branches("// if x { throw Y }\n/* guard z else { return } */\n") == []


def test_docstrings_decide_nothing() -> None:
    """Nor do texts over several lines; where only the end of one is shown, what follows it is code."""
    text = 'def make(view):\n    """If view looked like this:\n\n    if view:\n        return old\n    """\n    if not view:\n        return None\n'
    assert branches(text) == [(16, "not view", False, "returns", "None")]
    assert branches('    a word\n    """\n    if not view:\n        return None\n') == [(12, "not view", False, "returns", "None")]


def test_a_condition_without_a_way_out_is_not_told() -> None:
    """What happens inside is the business of the calls."""
    assert branches("if ready {\n    start()\n}\nreturn value\n") == []


def test_long_conditions_are_cut() -> None:
    """A sentence can hold so much code and no more."""
    (found,) = read_branches(item(1, "f", f"guard {'x' * 300} else {{ return }}\n"))
    assert len(found.condition) == LONGEST_CODE
    assert found.outcome is Outcome.RETURNS


def test_lines_are_numbered_across_runs() -> None:
    """The header of a type is discontinuous, and an excerpt leaves lines out."""
    split = item(1, "T", "a\nb\nc\n")
    shown = ContextItem(**{name: getattr(split, name) for name in split.__slots__} | {"runs": (Span(3, 4), Span(9, 9))})
    assert list(numbered_lines(shown)) == [(3, "a"), (4, "b"), (9, "c")]
