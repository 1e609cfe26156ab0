from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.query.telling.deeds import tell_deeds
from tests.fakes.evidence import item


@pytest.mark.parametrize(
    ("body", "clause"),
    [
        (
            "    let credential = try await gate.usableCredential()\n    return sign(request, with: credential)\n",
            "gets `credential` from `gate.usableCredential` and returns `sign(request, with: credential)`",
        ),
        ("    self.current = value\n    announce(value)\n", "sets `current` and calls `announce`"),
        ("    log(a)\n    store(b)\n    forget(c)\n    return d\n", "calls `log` and `store` and returns `d`"),
        ("    return nil\n", ""),
        ("    _ = count()\n    super.load()\n", ""),
        ("    // nothing yet\n", ""),
        ("    guard ready else { return }\n    print(x)\n", ""),
        ("    state + one\n", "returns `state + one`"),
        (
            "    let sink = DebounceSink(parent: self)\n    let run = sink.run()\n    return (sink: sink, run: run)\n",
            "makes a `DebounceSink` and gets `run` from `sink.run`",
        ),
        ("    if a { return first(a) }\n    self.navigation?.hide(true)\n    return b\n", "calls `navigation.hide` and returns `b`"),
        ("    var total = 0\n    total = add(a)\n    return total\n", ""),
        ("    return open(\n        x)\n", "returns `open`"),
    ],
)
def test_a_body_in_words(body: str, clause: str) -> None:
    """What is fetched, set, called and returned, in the order of the statements; at most three things."""
    assert tell_deeds(item(1, "f()", f"func f() {{\n{body}}}\n")) == clause


def test_calls_that_somebody_else_tells_are_left_out() -> None:
    """A step that hands over to the next says that once."""
    assert tell_deeds(item(1, "f()", "func f() {\n    view.hide()\n    self.startFlow()\n}\n"), {"startFlow"}) == "calls `view.hide`"


def test_a_body_on_one_line() -> None:
    """As accessors are written."""
    assert tell_deeds(item(1, "f()", "func f() -> Int { a.count }\n")) == "returns `a.count`"


def test_a_declaration_without_a_body_does_nothing() -> None:
    """A requirement of a protocol says only what it is."""
    assert tell_deeds(item(1, "f()", "func f() -> Int\n")) == ""


@given(st.text(alphabet='ab={}()`"\n .;:letrun[]', max_size=200))
def test_any_text_has_deeds_or_none(text: str) -> None:
    """And what is quoted is closed."""
    assert tell_deeds(item(1, "f()", "func f() {\n" + text)).count("`") % 2 == 0
