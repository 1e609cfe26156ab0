"""Layers, circles and communities of small graphs that can be checked by eye."""

from __future__ import annotations

from services.graph.map import communities, layers_of


def test_layers_lie_above_what_they_depend_on() -> None:
    """The longest way down decides; what depends on nothing is the ground."""
    layers, circles = layers_of({"app": {"core": 3, "net": 1}, "net": {"core": 2}, "core": {}, "alone": {}})
    assert layers == {"app": 2, "net": 1, "core": 0, "alone": 0}
    assert set(circles.values()) == {()}


def test_modules_of_a_circle_share_a_layer() -> None:
    """Each names the others; whoever depends on the circle lies above it."""
    layers, circles = layers_of({"a": {"b": 1}, "b": {"c": 1}, "c": {"a": 1, "ground": 1}, "top": {"b": 1}, "ground": {}})
    assert layers == {"a": 1, "b": 1, "c": 1, "top": 2, "ground": 0}
    assert circles["a"] == ("b", "c")
    assert circles["top"] == ()


def test_targets_that_are_no_modules_count_for_nothing() -> None:
    """A dependency on what the map leaves out is no dependency on the map."""
    assert layers_of({"a": {"gone": 9}})[0] == {"a": 0}


def test_files_that_refer_to_each_other_are_a_community() -> None:
    """Two dense groups with one thread between them are two, whatever the order of the files."""
    left, right = [f"left{number}" for number in range(4)], [f"right{number}" for number in range(5)]
    links = {(a, b): 5 for group in (left, right) for a in group for b in group if a < b} | {("left0", "right0"): 1}
    assert communities([*left, *right], links) == [right, left]
    assert communities([*right[::-1], *left], links) == [right, left]


def test_files_without_references_stand_alone() -> None:
    """Nothing joins them."""
    assert communities(["b", "a"], {}) == [["a"], ["b"]]
