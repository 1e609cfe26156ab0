"""Canonical type names, taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.graph.types import enclosing_names, last_component, split_type


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("Foo", "Foo", ()),
        ("Outer.Inner", "Outer.Inner", ()),
        ("Array<Foo>", "Array", ("Foo",)),
        ("Dictionary<Key, Array<Pair<A, B>>>", "Dictionary", ("Key", "Array<Pair<A, B>>")),
        ("Outer<A>.Inner", "Outer.Inner", ()),
        ("Outer<A>.Inner<B>", "Outer.Inner", ("B",)),
        ("", "", ()),
    ],
)
def test_name_and_arguments(text: str, name: str, arguments: tuple[str, ...]) -> None:
    """Arguments are those of the last component, each whole."""
    assert split_type(text) == (name, arguments)


@given(st.text(alphabet="AB<>., ", max_size=30))
def test_any_text_is_taken_apart(text: str) -> None:
    """Brackets that do not match raise nothing and leave none in the name."""
    name, arguments = split_type(text)
    assert "<" not in name
    assert all(arguments)


def test_types_around_come_innermost_first() -> None:
    """A scope is read from the inside out."""
    assert enclosing_names("A.B.C") == ("A.B.C", "A.B", "A")
    assert enclosing_names("") == ()
    assert last_component("A.B.C") == "C"
