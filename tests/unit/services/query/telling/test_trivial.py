from __future__ import annotations

import pytest

from services.query.telling.trivial import forwards, is_trivial
from tests.fakes.evidence import item


@pytest.mark.parametrize(
    ("kind", "text", "trivial"),
    [
        ("property", "var a = 1\n", True),
        ("property", "var a: Int { b.count }\n", True),
        ("initializer", "init(a: Int) {\n    self.a = a\n}\n", True),
        ("initializer", "init(a: Int) {\n    self.a = a\n    start()\n}\n", False),
        ("method", "func f() {\n    g()\n}\n", False),
        ("method", "func f()\n", False),
    ],
)
def test_what_adds_nothing(kind: str, text: str, trivial: bool) -> None:  # noqa: FBT001 - a column of the table
    """Values, and initialisers that only store; a method always does something."""
    assert is_trivial(item(1, "T.f", text, kind=kind)) is trivial


def test_a_long_accessor_adds_something() -> None:
    """From so many statements on, or where somebody found it worth a comment."""
    text = "var a: Int {\n" + "    step()\n" * 3 + "    return b\n}\n"
    assert is_trivial(item(1, "T.a", text, kind="property"))
    assert not is_trivial(item(1, "T.a", text, kind="property", doc="The sum of all."))


@pytest.mark.parametrize(
    ("text", "forward"),
    [
        ("func f() {\n    try await other.f()\n}\n", True),
        ("func f() {\n    a()\n    b()\n}\n", False),
        ("func f() {\n    a = 1\n}\n", False),
    ],
)
def test_forwards(text: str, forward: bool) -> None:  # noqa: FBT001 - a column of the table
    """One call, and nothing else."""
    assert forwards(item(1, "f()", text)) is forward
