from __future__ import annotations

import pytest

from benchmarks.retrieval.key_points import names_of, share_named


@pytest.mark.parametrize(
    ("point", "names"),
    [
        ("(*Engine).ServeHTTP", ["ServeHTTP"]),
        ("methodTree / node (radix tree)", ["methodTree", "node"]),
        ("getValue or (*node).getValue", ["getValue", "getValue"]),
        ("c.handlers set during route registration", ["handlers"]),
        ("(*Engine).handleHTTPRequest — no route found branch", ["handleHTTPRequest"]),
        ("serveError or c.Status(404) / default 404 path", ["serveError", "Status"]),
        ("HandlersChain ([]HandlerFunc)", ["HandlersChain"]),
    ],
)
def test_a_point_is_read_as_the_names_in_it(point: str, names: list[str]) -> None:
    """Alternatives each give their name; receivers, explanations and prose give none."""
    assert list(names_of(point)) == names


def test_a_point_is_met_by_any_of_its_names_as_a_whole_word() -> None:
    """``nodes`` is not ``node``, and one alternative suffices."""
    assert share_named(["methodTree / node"], "type nodes struct") == 0.0
    assert share_named(["methodTree / node", "serveError"], "func (n *node) get()") == 0.5


def test_points_without_a_name_are_not_counted() -> None:
    assert share_named(["some words of prose", "serveError"], "serveError()") == 1.0
    assert share_named([], "anything") == 0.0
