"""Command definitions of IBM i: the command that a member defines, and the program that processes it.

Which program that is, the source does not say: whoever creates the command does. By custom it stands in the heading, in one of three wordings;
without one it is the program called like the command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from exegesis.model import Modifier, Reference, ReferenceKind, Span, Step, StepKind, Symbol, SymbolKind, stable_id
from services.indexer.language import Language, Source, Syntax

COMMAND = "*CMD"
"""Label of what a command stands for, and what a reference to one expects."""

_BEGINS = re.compile(r"^[ \t]*+(?:[\w#$@]{1,10}:[ \t]*+)?CMD(?:[ \t]+(?:PROMPT\b|[A-Z]+\(|\+)|[ \t]*$)", re.IGNORECASE | re.MULTILINE)
_NAME = r"(?P<name>[A-Za-z#$@][\w#$@]{0,9})"
_PROCESSORS = (
    re.compile(rf"\bPGM\([ \t]*(?:[\w#$@*]{{1,10}}/)?{_NAME}[ \t]*\)", re.IGNORECASE),
    re.compile(rf"\bCPP\b[ \t]*+(?:is\b|[:=-])?[ \t]*+(?:[\w#$@*]{{1,10}}/)?{_NAME}\b", re.IGNORECASE),
    re.compile(rf"\b{_NAME}[ \t]+is[ \t]+the[ \t]+command[ \t]+processing[ \t]+program", re.IGNORECASE),
)
_KEYWORD = re.compile(r"^[ \t]*PARM[ \t]+(?:\+[ \t]*\n[ \t]*)?KWD\([ \t]*(?P<name>\w+)", re.IGNORECASE | re.MULTILINE)
_COMMENT = re.compile(r"/\*(.*?)(?:\*/|\Z)", re.DOTALL)
_PROMPT = re.compile(r"\bPROMPT\('(?P<text>(?:[^']|'')*)'", re.IGNORECASE)

MOST_KEYWORDS = 75
"""Parameters that a command may have."""


class CommandDefinition(Language):
    """What ``CRTCMD`` reads. Files of the same suffix are scripts elsewhere, and declare nothing here."""

    name = "cmd"
    suffixes = (".cmd",)
    folders = ("qcmdsrc",)
    version: ClassVar[int] = 1

    def parse(self, source: Source) -> Syntax:
        begins = _BEGINS.search(source.text)
        if begins is None:
            return Syntax()
        line = source.text.count("\n", 0, begins.start()) + 1
        name = source.path.rpartition("/")[2].lstrip(".").partition(".")[0] or "CMD"
        said = next((found for pattern in _PROCESSORS if (found := pattern.search(source.text)) is not None), None)
        processor = said["name"] if said else name
        prompt = _PROMPT.search(source.text, begins.start())
        keywords = [match["name"].upper() for match in _KEYWORD.finditer(source.text)][:MOST_KEYWORDS]
        symbol = Symbol(
            id=stable_id(source.path, "cmd", name.upper()),
            name=name,
            qualified=name,
            kind=SymbolKind.PROCEDURE,
            path=source.path,
            span=Span(1, source.text.count("\n") + (not source.text.endswith("\n"))),
            line=line,
            column=1,
            signature=f"command {name}({' '.join(keywords)})"[:600],
            doc="\n".join((*([prompt["text"]] if prompt else []), *_comments(source.text)))[:4000],
            modifiers=Modifier.PUBLIC,
            initializer=(Step(StepKind.CALL, processor, (COMMAND,)),),
        )
        at = said.start("name") if said else begins.start()
        where = source.text.count("\n", 0, at) + 1
        column = at - (source.text.rfind("\n", 0, at) + 1) + 1
        # What is only assumed is not missed where it is not there.
        kind = ReferenceKind.CALL if said else ReferenceKind.ACCESS
        return Syntax((symbol,), (Reference(kind, processor, where, column, symbol.id, expected="*PGM"),))


def _comments(text: str) -> Iterator[str]:
    for match in _COMMENT.finditer(text[:20_000]):
        said = match[1].strip(" \t*-=|\n")
        if said:
            yield said
