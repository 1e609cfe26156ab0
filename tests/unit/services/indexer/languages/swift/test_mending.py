"""What the parser is shown instead of source that it stumbles over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.indexer.language import Source
from services.indexer.languages.swift import Swift
from services.indexer.languages.swift.mending import mend


def calls(code: str) -> list[str]:
    syntax = Swift().parse(Source("a.swift", code, code.encode()))
    return [reference.name for reference in syntax.references if reference.kind.value == "call"]


@given(
    st.lists(st.sampled_from(["if ", "while ", "await x", " try? y", '"/*', '"', "\\", "*/", "{", "\n", "é", "let a = "]), max_size=12).map("".join)
)
def test_nothing_moves(code: str) -> None:
    """Every line keeps its length in bytes, whatever stands in it."""
    content = code.encode()
    assert [len(line) for line in mend(content).split(b"\n")] == [len(line) for line in content.split(b"\n")]


@pytest.mark.parametrize(
    "condition", ["if await gate.isOpen", "while try gate.isOpen", "} else if try await gate.isOpen", "switch try await gate.state"]
)
def test_effects_in_conditions_do_not_swallow_the_block(condition: str) -> None:
    """What follows the block is still seen as code of the function."""
    inside = "case .open: enter()" if "switch" in condition else "enter()"
    before = "if first() {\n" if condition.startswith("}") else ""
    assert calls(f"func go() async {{\n{before}{condition} {{\n{inside}\n}}\nleave(by: door)\n}}\n")[-2:] == ["enter", "leave"]


def test_comment_signs_in_strings_begin_no_comment() -> None:
    """A switch over comment signs hides nothing of what comes after it."""
    code = (
        'func scan() {\nswitch sign {\ncase .open("("), .open(":"),\n     .open("/*"), .open("//"):\n    one()\ncase .close("*/"):\n    two()\n}\n}\n'
    )
    assert calls(code)[-2:] == ["one", "two"]


def test_code_without_either_is_left_alone() -> None:
    """Effects elsewhere, and real comments, stay as they are."""
    code = b'/* "a" */ let x = try await f("b") // "/"\n'
    assert mend(code) == code
