"""Which generations may go."""

from __future__ import annotations

from exegesis.model import Coverage, Generation
from services.indexer.sweep import outdated


def made_at(*seconds: float) -> list[Generation]:
    return [Generation(f"g{second:g}", "r", "", second, 0, 0, 0, Coverage(0, 0)) for second in sorted(seconds, reverse=True)]


def names(generations: list[Generation]) -> list[str]:
    return [generation.id for generation in generations]


def test_the_head_and_the_one_before_stay_for_ever() -> None:
    """Age alone makes nothing outdated."""
    assert names(outdated(made_at(1, 2), now=1e9)) == []
    assert names(outdated(made_at(1), now=1e9)) == []
    assert outdated([], now=1e9) == []


def test_older_ones_go_when_nobody_can_be_reading_them() -> None:
    """A generation stays for a minute after it stopped being the head, which was when the next one was made."""
    generations = made_at(100, 200, 290, 300, 301)
    assert names(outdated(generations, now=302)) == ["g100"]
    assert names(outdated(generations, now=351)) == ["g200", "g100"]
    assert names(outdated(generations, now=361)) == ["g290", "g200", "g100"]
