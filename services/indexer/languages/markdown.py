"""Markdown: headings are its symbols, sections its chunks, and code spans name code.

Blocks are told apart by markdown-it-py (CommonMark with tables); inline text is not parsed, because only code spans matter and they are found faster
by hand. DocC writes links to symbols in double backquotes and to pages as ``<doc:Page>``; both count as mentions.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from exegesis.model import Reference, ReferenceKind, Span, Step, StepKind, Symbol, SymbolKind, stable_id
from services.indexer.language import Language, Source, Syntax

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n[\s\S]*?^\1[ \t]*\r?$", re.MULTILINE)
_LONE_RETURN = re.compile(r"\r(?!\n)")
_BLANK = re.compile(r"[^\r\n]")

_CODE_SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]{1,200})(?<!`)\1(?!`)")
_PAGE_LINK = re.compile(r"<doc:([^>\s]{1,200})>")

_NAME = r"[^\W\d]\w*"
_CODE = re.compile(rf"(?:(?P<receiver>{_NAME}(?:(?:\.|/|::|->){_NAME})*)(?:\.|/|::|->))?\.?(?P<name>{_NAME})(?P<call>\((?P<arguments>[^()]*)\))?")
_SEPARATOR = re.compile(r"\.|/|::|->")
_LABELS = re.compile(rf"(?:(?:{_NAME}|_):)+")

_FILE_SUFFIXES = frozenset(
    {
        "swift",
        "md",
        "json",
        "yml",
        "yaml",
        "txt",
        "plist",
        "html",
        "sh",
        "py",
        "js",
        "ts",
        "h",
        "m",
        "c",
        "cpp",
        "rb",
        "xml",
        "toml",
        "css",
        "png",
        "git",
    }
)
"""What stands after the dot of a file name; as members they would name nothing."""

_INLINE_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*`]+|<[^>]{1,80}>|\\(?=[^\w\s])")


class Markdown(Language):
    name = "markdown"
    suffixes = (".md", ".markdown", ".mdx")
    version: ClassVar[int] = 1

    def parse(self, source: Source) -> Syntax:
        text = _readable(source.text)
        tokens = _parser().parse(text)
        headings = tuple(_headings(tokens, text.count("\n") + (not text.endswith("\n"))))
        symbols = tuple(_symbols(source.path, headings, text.split("\n")))
        return Syntax(symbols=symbols, references=tuple(_mentions(text, symbols, _code_lines(tokens))), breaks=_breaks(tokens))


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    text: str
    start: int
    """First line, 1-based; the heading reaches down to the line before the next one of its level or a higher one."""
    end: int


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


def _headings(tokens: Sequence[Token], lines: int) -> Iterator[_Heading]:
    """Headings that structure the document: those at its top level, not in quotations or lists."""
    found: list[tuple[int, str, int]] = []
    for token, inner in itertools.pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            found.append((int(token.tag[1:]), _plain(inner.content), token.map[0] + 1))
    for index, (level, text, start) in enumerate(found):
        end = next((later_start - 1 for later_level, _, later_start in found[index + 1 :] if later_level <= level), lines)
        yield _Heading(level, text, start, end)


def _symbols(path: str, headings: Sequence[_Heading], lines: Sequence[str]) -> Iterator[Symbol]:
    above: list[tuple[int, Symbol]] = []
    seen: Counter[str] = Counter()
    for heading in headings:
        while above and above[-1][0] >= heading.level:
            above.pop()
        parent = above[-1][1] if above else None
        qualified = f"{parent.qualified} › {heading.text}" if parent else heading.text
        symbol = Symbol(
            id=stable_id(path, SymbolKind.HEADING, qualified, seen[qualified]),
            name=heading.text,
            qualified=qualified,
            kind=SymbolKind.HEADING,
            path=path,
            span=Span(heading.start, heading.end),
            line=heading.start,
            column=_column_of_text(lines[heading.start - 1]),
            parent=parent.id if parent else None,
        )
        seen[qualified] += 1
        above.append((heading.level, symbol))
        yield symbol


def _plain(inline: str) -> str:
    """Heading text as people say it, on one line: no emphasis, links or images."""
    without = _INLINE_MARKUP.sub(lambda match: match[1] or "", inline)
    return " ".join(without.split())[:200]


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
            reference = _mention(match[group], is_link=match[0].startswith(("``", "<doc:")))
            if reference is None:
                continue
            name, receiver, labels = reference
            at = match.start(group) + match[group].rfind(name, 0, match[group].find("(") if "(" in match[group] else None)
            yield Reference(
                kind=ReferenceKind.MENTION,
                name=name,
                line=number + 1,
                column=1 + len(line[:at].encode()),
                source=current.id,
                receiver=tuple(Step(StepKind.NAME, step) for step in receiver),
                labels=labels,
            )


def _mention(span: str, *, is_link: bool) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """Name, receiver and labels of what a code span names, or None if it looks like no code.

    A plain lower-case word says nothing unless DocC's double backquotes make it a link.
    """
    match = _CODE.fullmatch(span.strip().removeprefix("@").removesuffix("?").removesuffix("!"))
    if match is None:
        return None
    name, receiver = match["name"], match["receiver"] or ""
    if receiver and name in _FILE_SUFFIXES and not match["call"]:
        return None
    spoken = not receiver and not match["call"] and name.islower() and "_" not in name
    if spoken and not is_link:
        return None
    arguments = (match["arguments"] or "").replace(" ", "")
    labels = tuple(arguments.rstrip(":").split(":")) if _LABELS.fullmatch(arguments) else ()
    return name, tuple(_SEPARATOR.split(receiver)) if receiver else (), labels
