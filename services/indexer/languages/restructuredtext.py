"""reStructuredText: titles are its symbols, sections its chunks; roles of Sphinx, directives of autodoc and literals name code.

Read by hand, line by line: docutils opens files that a document includes, loses what stands in directives it does not know, and does not tell on
which line a title stands. What a title is and which level it has follows its specification, "Sections".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from exegesis.model import Reference, Symbol
from services.indexer.language import Language, Source, Syntax
from services.indexer.prose import LONGEST_HEADING, Heading, reference_to, symbols_of, with_ends

_RULE: Final = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*")
"""A line of one sign, three times or more: beneath a title, or above it and beneath."""

SURE: Final = 4
"""Signs from which a rule marks the line above as a title even where that is longer."""

_ROLE: Final = re.compile(r"(?::[a-z+-]{1,20}){1,2}:`(?:[^`<\n]{0,200}<)?[~!]?([^`<>\n]{1,200})>?`")
_CODE_ROLES: Final = re.compile(r":(?:func|meth|class|attr|data|exc|mod|obj|const|macro|type|struct|enum|member|property|decorator|any):`")
"""Roles of which the text names code; others name pages, terms and issues."""

_LITERAL: Final = re.compile(r"(?<!`)``([^`\n]{1,200})``(?!`)")
_DIRECTIVE: Final = re.compile(
    r"\s*\.\.\s+(?:[a-z]+:)?(?:auto)?(?:class|function|method|attribute|exception|module|data|decorator|property|automethod)::\s*([\w.]{1,200})"
)
_INLINE_MARKUP: Final = re.compile(r":[\w+:-]+:`(?:[^`<\n]*<)?[~!]?([^`<>\n]*)>?`|[*`|]+|_{1,2}(?=\s|$)|\\(?=\S)")


_CODE_BLOCK: Final = re.compile(r"\s*\.\.\s+(?:code|code-block|sourcecode|parsed-literal|highlight|math|raw|graphviz|productionlist)::")


class ReStructuredText(Language):
    name = "restructuredtext"
    suffixes = (".rst", ".rest")
    version: ClassVar[int] = 1

    def parse(self, source: Source) -> Syntax:
        lines = source.text.replace("\r", " ").split("\n")
        found = tuple(_titles(lines))
        headings = with_ends(found, len(lines) - (not lines[-1]))
        symbols = tuple(symbols_of(source.path, headings, lambda heading: _column(lines, heading)))
        return Syntax(symbols=symbols, references=tuple(_mentions(lines, symbols)), breaks=tuple(_breaks(lines)))


def _titles(lines: Sequence[str]) -> Iterator[tuple[int, str, int]]:
    """Level, text and first line of each title. Which rule stands for which level is told by the order in which they come."""
    levels: dict[tuple[str, bool], int] = {}
    number = 0
    while number + 1 < len(lines):
        over = _is_rule(lines[number]) and number + 2 < len(lines) and lines[number].rstrip() == lines[number + 2].rstrip()
        at = number + 1 if over else number
        if _is_title(lines, at, over=over):
            level = levels.setdefault((lines[at + 1][0], over), len(levels) + 1)
            yield level, _plain(lines[at]), number + 1
            number = at + 2
        else:
            number += 1


def _is_title(lines: Sequence[str], at: int, *, over: bool) -> bool:
    """Text with a rule beneath, at the beginning of a block; without a rule above it is not indented."""
    text, rule = lines[at].rstrip(), lines[at + 1].rstrip()
    if not text.strip() or not _is_rule(rule) or _is_rule(text) or (text[0].isspace() and not over):
        return False
    first = over or at == 0 or not lines[at - 1].strip() or lines[at - 1].startswith(".. ")
    return first and (len(rule) >= len(text.strip()) or len(rule) >= SURE)


def _is_rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None


def _plain(text: str) -> str:
    return " ".join(_INLINE_MARKUP.sub(lambda match: match[1] or "", text).split())[:LONGEST_HEADING]


def _column(lines: Sequence[str], heading: Heading) -> int:
    line = lines[heading.start - 1]
    title = lines[heading.start] if _is_rule(line) and heading.start < len(lines) else line
    return 1 + len(title) - len(title.lstrip())


def _breaks(lines: Sequence[str]) -> Iterator[int]:
    """Last lines of blocks: where what follows the blank is not indented, and so belongs to nothing above."""
    last = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            if last and last < number - 1 and not line[0].isspace():
                yield last
            last = number
    if last:
        yield last


def _opens_code(line: str) -> bool:
    """Whether what is indented below is code, in which backquotes are no marks."""
    directive = line.lstrip().startswith("..")
    return _CODE_BLOCK.match(line) is not None if directive else line.rstrip().endswith("::")


def _mentions(lines: Sequence[str], symbols: Sequence[Symbol]) -> Iterator[Reference]:
    """Code named in prose; what stands before the first title has no symbol to speak for it and is left out."""
    starts = {symbol.line: symbol for symbol in symbols}
    current: Symbol | None = None
    code = -1
    for number, line in enumerate(lines, 1):
        current = starts.get(number, current)
        inside = not line.strip() or len(line) - len(line.lstrip()) > code >= 0
        if inside and code >= 0:
            continue
        code = len(line) - len(line.lstrip()) if _opens_code(line) else -1
        if current is None or ("`" not in line and ".." not in line):
            continue
        directive = _DIRECTIVE.match(line)
        found = [(match, _CODE_ROLES.search(match[0]) is not None, True) for match in _ROLE.finditer(line)]
        found += [(match, True, False) for match in _LITERAL.finditer(line)]
        found += [(directive, True, True)] if directive else []
        for match, names_code, is_link in sorted(found, key=lambda each: each[0].start()):
            if names_code and (reference := reference_to(match[1].strip(), (number, match.start(1), line), current.id, is_link=is_link)):
                yield reference
