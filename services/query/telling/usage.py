"""How something is used, read from a context: its definition, and who uses it with which lines. Pure.

The explanation and the prompt of a language model show the same two parts. Language independent: a call site is where an edge of the graph says, or
where the name stands, and what is passed is what the parentheses behind the name hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import takewhile
from typing import Final

from exegesis.model import ContextItem, EdgeKind, Place
from services.query.flow import Call, Flow, Standing, standing
from services.query.programs import is_export_list
from services.query.telling.branches import numbered_lines
from services.query.telling.columns import stands_in_columns
from services.query.telling.names import base_name, owner_of
from services.query.telling.things import TYPES
from services.query.telling.wording import deprecation

LONGEST_SITE: Final = 110
"""Characters of a call site that are quoted; of a longer one the beginning."""

_TELLING: Final[Mapping[EdgeKind, int]] = {EdgeKind.INHERIT: 0, EdgeKind.EXTEND: 2, EdgeKind.TYPE: 3}
"""Kinds of use from the most to the least telling; what runs stands between."""

LINES_OF_SITE: Final = 6
"""Lines over which the arguments of one call are followed."""


class Kind(IntEnum):
    """Who uses it, in the order in which uses are told."""

    CURRENT = 0
    DEPRECATED = 1
    EXAMPLE = 2
    TEST = 3
    EXPORT = 4
    """Lists of what a service program shows: they declare it, and nothing in them runs."""


TITLES: Final[Mapping[Kind, str]] = {
    Kind.CURRENT: "Used from",
    Kind.DEPRECATED: "Used from deprecated code",
    Kind.EXAMPLE: "Used in examples",
    Kind.TEST: "Used in tests",
    Kind.EXPORT: "Exported by",
}


@dataclass(frozen=True, slots=True)
class Site:
    """One place where the name is used."""

    line: int
    shown: str
    """The call with what is passed, or the line; one line, as written."""
    how: EdgeKind
    """MENTION where only the name tells it."""
    certain: bool


@dataclass(frozen=True, slots=True)
class UsedFrom:
    """An item that uses the definition."""

    item: ContextItem
    kind: Kind
    sites: tuple[Site, ...]
    """At least one, the most telling kind of use first, then in the order of the lines."""


@dataclass(frozen=True, slots=True)
class Usage:
    definition: tuple[ContextItem, ...]
    """What the question is about, with its overloads; the first is the one that is meant most likely."""
    used_from: tuple[UsedFrom, ...]

    def of_kind(self, kind: Kind) -> tuple[UsedFrom, ...]:
        return tuple(use for use in self.used_from if use.kind is kind)


def read_usage(flow: Flow, items: Sequence[ContextItem]) -> Usage:
    """The two parts of a context that answers a question of use: it begins with the definition, and its callers are the uses."""
    definition = tuple(takewhile(lambda item: item.place is Place.ANCHOR, items)) or tuple(items[:1])
    name = base_name(definition[0].symbol) if definition else ""
    overloads = [item for item in items if item.place is Place.ANCHOR and item not in definition and _same_name(item, name)]
    defined = (*(item for item in definition if item is definition[0] or _same_name(item, name)), *overloads)
    names = _Names(frozenset({name} | {base_name(item.symbol) for item in definition}), any(stands_in_columns(item.path) for item in definition))
    users = [(item, tuple(_sites(item, names, defined, flow))) for item in items if item.place is Place.CALLER and item not in defined]
    uses = [UsedFrom(item, _kind(item, flow), sites) for item, sites in users if sites]
    return Usage(defined, tuple(sorted(uses, key=lambda use: use.kind)))


_EVENTS: Final = re.compile(r"^\s*what happens\b", re.IGNORECASE)
"""Asks for events, whatever else it mentions being called."""


def is_answered(question: str, usage: Usage) -> bool:
    """Whether a question of use finds its answer: uses, or a thing that it names and that nothing uses."""
    if _EVENTS.match(question) or not usage.definition or usage.definition[0].place is not Place.ANCHOR:
        return False
    asked = {word.lower() for word in _WORD.findall(question)}
    return bool(usage.used_from) or base_name(usage.definition[0].symbol).lower() in asked


_WORD: Final = re.compile(r"[A-Za-z_]\w+")


def _same_name(item: ContextItem, name: str) -> bool:
    return base_name(item.symbol).lower() == name.lower()


def _kind(item: ContextItem, flow: Flow) -> Kind:
    if is_export_list(item.symbol, item.kind, item.path):
        return Kind.EXPORT
    place = standing(item)
    if place is not Standing.SUBJECT:
        return Kind.TEST if place is Standing.TEST else Kind.EXAMPLE
    return Kind.DEPRECATED if item.id in flow.deprecated or deprecation(item) else Kind.CURRENT


@dataclass(frozen=True, slots=True)
class _Names:
    """What is asked about by its names; letter case counts unless its language ignores it: ``RetryResult`` is not what ``retryResult`` calls."""

    names: frozenset[str]
    any_case: bool = False

    def hold(self, name: str) -> bool:
        return name in self.names or (self.any_case and name.lower() in {each.lower() for each in self.names})

    @property
    def pattern(self) -> re.Pattern[str]:
        listed = "|".join(sorted(map(re.escape, self.names))) or "(?!)"
        return re.compile(rf"(?<![\w$@#])(?:{listed})(?![\w$@#])", re.IGNORECASE if self.any_case else re.NOFLAG)


def _sites(item: ContextItem, names: _Names, defined: Sequence[ContextItem], flow: Flow) -> Iterator[Site]:
    """Where edges lead to the definition, each line once; else where the name stands outside of comments."""
    lines = dict(numbered_lines(item))
    ids = {one.id for one in defined}
    found: dict[int, Call] = {}
    for call in flow.uses:
        if call.source.id == item.id and (call.target.id in ids or names.hold(base_name(call.name))) and _is_meant(call, names, defined):
            found.setdefault(call.line, call)
    pattern = names.pattern
    declares = is_export_list(item.symbol, item.kind, item.path)
    if found:
        for line, call in sorted(found.items(), key=lambda entry: (_TELLING.get(entry[1].edge.kind, 1), entry[0])):
            yield Site(line, _site_text(lines, line, pattern), EdgeKind.EXTEND if declares else call.edge.kind, call.certain)
        return
    for line, text in lines.items():
        if not _COMMENT.match(text) and pattern.search(text):
            yield Site(line, _site_text(lines, line, pattern), EdgeKind.EXTEND if declares else EdgeKind.MENTION, certain=True)


def _is_meant(call: Call, names: _Names, defined: Sequence[ContextItem]) -> bool:
    """The name itself; of a type also its initialisers and cases, which bear other names."""
    if names.hold(base_name(call.name)):
        return True
    types = {one.symbol for one in defined if one.kind in TYPES}
    return owner_of(call.name) in types and (call.edge.kind is EdgeKind.CONSTRUCT or call.edge.kind is EdgeKind.ACCESS)


def site_text(lines: Mapping[int, str], line: int, names: Collection[str]) -> str:
    """What stands at a call site: the name with its arguments, also over several lines; the line where no name is called on it. Any letter case."""
    return _site_text(lines, line, _Names(frozenset(names), any_case=True).pattern)


def _site_text(lines: Mapping[int, str], line: int, pattern: re.Pattern[str]) -> str:
    text = lines.get(line, "").strip()
    named = pattern.search(text)
    if named is None:
        return _cut(text)
    start, rest = _beginning(text, named.start()), text[named.end() :]
    if not rest.lstrip().startswith("("):
        return _cut(text)
    following = (lines[number].strip() for number in range(line + 1, line + LINES_OF_SITE) if number in lines)
    call = text[start : named.end()] + rest
    while (end := _closing(call, named.end() - start)) < 0:
        more = next(following, None)
        if more is None:
            return _cut(_without_bodies(call))
        call = f"{call} {more}"
    return _cut(_without_bodies(re.sub(r"([(\[]) | (?=[)\]])", r"\1", call[: end + 1])))


def _without_bodies(call: str) -> str:
    """Closures among the arguments as ``{…}``, also one that does not end within the lines: what they do is no argument."""
    while (bare := re.sub(r"\{[^{}]*\}", "\0", call)) != call:
        call = bare
    return re.sub(r"\{.*$", "{…", call).replace("\0", "{…}")


def _beginning(text: str, at: int) -> int:
    """Where the receiver of a call begins that is written before its name."""
    receiver = re.search(r"(?:[\w$@#]+(?:\([^()]*\))?[?!]?(?:\.|::|->))+$", text[:at])
    return receiver.start() if receiver else at


def _closing(text: str, start: int) -> int:
    """Index of the bracket that closes the first one from ``start`` on; -1 for none."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if depth == 0 and text[index] in ")]}":
            return index
    return -1


def _cut(text: str) -> str:
    flat = " ".join(text.split()).removesuffix("{").rstrip()
    return flat if len(flat) <= LONGEST_SITE else flat[: LONGEST_SITE - 1].rstrip() + "…"


_COMMENT: Final = re.compile(r"^\s*(?://|\*|/\*|#(?![\w\[])|--|;;)")
