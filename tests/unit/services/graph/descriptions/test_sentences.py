"""How little of what a comment says is told."""

from __future__ import annotations

from services.graph.descriptions.sentences import LONGEST_SAID, said_shortly


def test_a_comment_is_told_by_its_first_sentences() -> None:
    """As many as fit, of its first paragraph."""
    assert said_shortly("Moves money. It never rounds.\n\nDeprecated since 3.") == "Moves money. It never rounds."
    long = f"First. Then {'word ' * 100}end."
    assert said_shortly(long) == "First."


def test_an_endless_sentence_is_cut() -> None:
    """At a word."""
    told = said_shortly("word " * 200)
    assert len(told) <= LONGEST_SAID + 2
    assert told.endswith("word …")


def test_a_licence_says_nothing_about_what_it_stands_above() -> None:
    """Nor do marks of Markdown survive that could end a quotation."""
    assert said_shortly("Copyright (c) 2020 Somebody. All rights reserved.") == ""
    assert said_shortly("Uses `x` [and](y) **z**.") == "Uses x and(y) z."
