"""Canonical type names taken apart: ``Outer.Inner<Foo, Bar<Baz>>`` is the name ``Outer.Inner`` with the arguments ``Foo`` and ``Bar<Baz>``."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def split_type(text: str) -> tuple[str, tuple[str, ...]]:
    """Name without any arguments, and the arguments of its last component. Total: unbalanced brackets end with the text."""
    if "<" not in text:
        return text, ()
    name: list[str] = []
    arguments: list[str] = []
    depth, start = 0, 0
    for place, letter in enumerate(text):
        if letter == "<":
            depth += 1
            if depth == 1:
                arguments, start = [], place + 1
        elif letter == ">" and depth:
            depth -= 1
            if depth == 0:
                arguments.append(text[start:place].strip())
        elif depth == 1 and letter == ",":
            arguments.append(text[start:place].strip())
            start = place + 1
        elif depth == 0:
            if letter == "." and arguments:
                arguments = []
            name.append(letter)
    return "".join(name).strip(), tuple(argument for argument in arguments if argument)


def last_component(name: str) -> str:
    """``Inner`` of ``Outer.Inner``."""
    return name.rpartition(".")[2]


@lru_cache(maxsize=1 << 14)
def enclosing_names(name: str) -> tuple[str, ...]:
    """A type and the types around it, innermost first: ``A.B.C``, ``A.B``, ``A``. Empty for the empty name."""
    found = []
    while name:
        found.append(name)
        name = name.rpartition(".")[0]
    return tuple(found)
