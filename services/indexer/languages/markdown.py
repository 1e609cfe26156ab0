"""Markdown: headings are its symbols, sections its chunks, and code spans name code.

Blocks are told apart by markdown-it-py (CommonMark with tables); inline text is not parsed, because only code spans matter and they are found faster
by hand. DocC writes links to symbols in double backquotes and to pages as ``<doc:Page>``; both count as mentions.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from exegesis.model import Reference, Symbol
from services.indexer.language import Language, Source, Syntax
from services.indexer.prose import LONGEST_HEADING, reference_to, symbols_of, with_ends

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n[\s\S]*?^\1[ \t]*\r?$", re.MULTILINE)
_LONE_RETURN = re.compile(r"\r(?!\n)")
_BLANK = re.compile(r"[^\r\n]")

_CODE_SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]{1,200})(?<!`)\1(?!`)")
_PAGE_LINK = re.compile(r"<doc:([^>\s]{1,200})>")

_INLINE_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*`]+|<[^>]{1,80}>|\\(?=[^\w\s])")


class Markdown(Language):
    name = "markdown"
    suffixes = (".md", ".markdown", ".mdx")
    version: ClassVar[int] = 1

    def parse(self, source: Source) -> Syntax:
        text = _readable(source.text)
        tokens = _parser().parse(text)
        lines = text.split("\n")
        headings = with_ends(tuple(_headings(tokens)), text.count("\n") + (not text.endswith("\n")))
        symbols = tuple(symbols_of(source.path, headings, lambda heading: _column_of_text(lines[heading.start - 1])))
        return Syntax(symbols=symbols, references=tuple(_mentions(text, symbols, _code_lines(tokens))), breaks=_breaks(tokens))


@functools.cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


def _readable(text: str) -> str:
    """The text with as many lines as it has, as CommonMark should see it: front matter blanked, a lone carriage return no line end."""
    front = _FRONT_MATTER.match(text)
    if front:
        text = _BLANK.sub(" ", front.group()) + text[front.end() :]
    return _LONE_RETURN.sub(" ", text)


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[int, str, int]]:
    """Level, text and line of the headings that structure the document: those at its top level, not in quotations or lists."""
    for token, inner in itertools.pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            yield int(token.tag[1:]), _plain(inner.content), token.map[0] + 1


def _plain(inline: str) -> str:
    """Heading text as people say it, on one line: no emphasis, links or images."""
    without = _INLINE_MARKUP.sub(lambda match: match[1] or "", inline)
    return " ".join(without.split())[:LONGEST_HEADING]


def _column_of_text(line: str) -> int:
    marks = re.match(r"\s*#{0,6}\s*", line)
    return 1 + len(line[: marks.end() if marks else 0].encode())


def _breaks(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Last lines of blocks: paragraphs, tables, code, items of lists."""
    ends = {token.map[1] for token in tokens if token.map and token.block and token.nesting >= 0 and token.type not in _INSIDE}
    return tuple(sorted(end for end in ends if end))


_INSIDE = frozenset({"inline", "thead_open", "tbody_open", "tr_open", "th_open", "td_open"})
"""Blocks of which others consist; cutting there would tear a table."""


def _code_lines(tokens: Sequence[Token]) -> frozenset[int]:
    """Lines of code blocks, 0-based: backquotes in them are code, not marks."""
    return frozenset(line for token in tokens if token.type in {"fence", "code_block"} and token.map for line in range(*token.map))


# ------------------------------------------------------------------------------------------------------------------- mentions


def _mentions(text: str, symbols: Sequence[Symbol], code: frozenset[int]) -> Iterator[Reference]:
    """Code named in prose; what stands before the first heading has no symbol to speak for it and is left out."""
    starts = {symbol.line: symbol for symbol in symbols}
    current: Symbol | None = None
    for number, line in enumerate(text.split("\n")):
        current = starts.get(number + 1, current)
        if current is None or number in code or ("`" not in line and "<doc:" not in line):
            continue
        for match in sorted((*_CODE_SPAN.finditer(line), *_PAGE_LINK.finditer(line)), key=lambda found: found.start()):
            group = match.lastindex or 0
            spot = (number + 1, match.start(group), line)
            if reference := reference_to(match[group], spot, current.id, is_link=match[0].startswith(("``", "<doc:"))):
                yield reference
