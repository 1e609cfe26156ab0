"""Windows of text and BM25."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.query import baseline


@given(st.text(alphabet=st.sampled_from("ab \n"), max_size=4_000))
def test_windows_cover_every_character_and_name_its_lines(text: str) -> None:
    """Every line of a text lies in the window that holds it."""
    windows = list(baseline.cut("a.txt", text))
    assert windows[0].text == text[: baseline.WINDOW]
    assert sum(len(window.text) for window in windows) - baseline.OVERLAP * (len(windows) - 1) >= len(text)
    for window in windows:
        lines = text.split("\n")[window.span.start - 1 : window.span.end]
        assert window.text in "\n".join([*lines, ""])


def test_the_window_with_the_rarer_word_comes_first() -> None:
    """A word that few windows contain weighs more than one that all contain."""
    texts = {"a.swift": "func common rare", "b.swift": "func common common", "c.swift": "func common"}
    windows = tuple(window for path, text in texts.items() for window in baseline.cut(path, text))
    index = baseline.WindowIndex(windows, (3, 3, 2), {"common": ((0, 1), (1, 2), (2, 1)), "rare": ((0, 1),), "func": ((0, 1), (1, 1), (2, 1))})
    assert [window.path for _, window in baseline.rank("common rare", index)] == ["a.swift", "b.swift", "c.swift"]


def test_the_budget_is_never_exceeded() -> None:
    """Windows are taken in order of rank until the next one would not fit."""
    windows = tuple(baseline.cut("a.txt", "word " * 2_000))
    index = baseline.WindowIndex(windows, (200,) * len(windows), {"word": tuple((number, 200) for number in range(len(windows)))})
    composed = baseline.compose("word", "repo", index, budget=700)
    assert composed.context.tokens <= 700
    assert len(composed.context.items) == 2
