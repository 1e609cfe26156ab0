"""Documents of any markup: headings are their symbols, and names of code in their prose are mentions. Shared by the languages of documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from exegesis.model import Reference, ReferenceKind, Span, Step, StepKind, Symbol, SymbolKind, stable_id

LONGEST_HEADING = 200
"""Characters of a heading that are kept."""

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


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that structures its document."""

    level: int
    text: str
    start: int
    """First line, 1-based; the heading reaches down to the line before the next one of its level or a higher one."""
    end: int


def with_ends(found: Sequence[tuple[int, str, int]], lines: int) -> Iterator[Heading]:
    """Headings from level, text and first line of each, in their order, in a document of so many lines."""
    for index, (level, text, start) in enumerate(found):
        end = next((later_start - 1 for later_level, _, later_start in found[index + 1 :] if later_level <= level), lines)
        yield Heading(level, text, start, end)


def symbols_of(path: str, headings: Iterable[Heading], column_of: Callable[[Heading], int]) -> Iterator[Symbol]:
    """A symbol for each heading, named with the headings above it; ``column_of`` says where its text begins."""
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
            column=column_of(heading),
            parent=parent.id if parent else None,
        )
        seen[qualified] += 1
        above.append((heading.level, symbol))
        yield symbol


def reference_to(said: str, spot: tuple[int, int, str], source: int, *, is_link: bool) -> Reference | None:
    """The mention of what stands between marks, if it looks like code.

    ``spot`` is the number of its line (1-based), where in the line it begins (in characters), and the line. ``is_link`` where the markup says that it
    is code of the project.
    """
    named = mention(said, is_link=is_link)
    if named is None:
        return None
    name, receiver, labels = named
    number, start, line = spot
    at = start + said.rfind(name, 0, said.find("(") if "(" in said else None)
    return Reference(
        kind=ReferenceKind.MENTION,
        name=name,
        line=number,
        column=1 + len(line[:at].encode()),
        source=source,
        receiver=tuple(Step(StepKind.NAME, step) for step in receiver),
        labels=labels,
    )


def mention(span: str, *, is_link: bool) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """Name, receiver and labels of what a code span names, or None if it looks like no code.

    A plain lower-case word says nothing unless the markup makes it a link.
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
