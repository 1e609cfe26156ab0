"""How little of what a comment says is told."""

from __future__ import annotations

import time

from exegesis.model import Spot, Subject, SymbolKind
from services.graph.descriptions.material import Material, Member
from services.graph.descriptions.sentences import LONGEST_SAID, describe, said_shortly


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


def test_an_endless_signature_costs_little() -> None:
    """Labels are looked for once, whatever stands in place of them."""
    before = time.process_time()
    for signature in ("(" + "a" * 20_000, "(" + "a " * 10_000, "(" + " " * 20_000, "(a" * 10_000, "(" + "a, " * 10_000):
        member = Member(Spot("init", "a.swift", 2), SymbolKind.INITIALIZER, signature, "", is_public=True, uses=0)
        told = describe(Material(Subject.TYPE, "A", "a.swift", "class", "", 1, Spot("A", "a.swift", 1), members=(member,)))
        assert "`init`" in told.text
    assert time.process_time() - before < 1
