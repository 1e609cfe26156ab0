"""Symbols as people write them: ``request``, ``Session.request``, ``Session.request(_:method:)``, ``Source/Session.swift:120``.

Where a compiler left its index also by their USR or mangled name, and by members that nobody wrote, which their type stands for.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exegesis.errors import UnknownSymbol
from exegesis.model import FileRole, Modifier, Symbol, SymbolKind
from exegesis.ports import GraphReader
from services.graph.exact_names import find_by_key, find_unwritten, is_key
from services.graph.fit import labels_of

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d{1,9})(?::\d+)?")
_SEPARATORS = re.compile(r"::|->|[.#/]")
_CASES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")

ALIKE = 0.75
"""Share of equal letters in both names, in their order, from which one may be meant by the other."""

NEAREST = 5
"""Names that an error offers: more are not read."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A name taken apart."""

    around: tuple[str, ...]
    """Names of enclosing types, outermost first."""
    name: str
    labels: tuple[str, ...] | None
    """Argument labels, None where none are written."""


def parse(text: str) -> Pattern:
    """Total: any text has a last component."""
    written, _, arguments = text.strip().strip("`").partition("(")
    labels = None
    if arguments.rstrip(")").strip():
        labels = tuple(label.strip() or "_" for label in arguments.rstrip(")").split(":") if label.strip())
    *around, name = [part for part in _SEPARATORS.split(written) if part] or [written]
    return Pattern(tuple(around), name, labels)


def find(reader: GraphReader, text: str) -> Sequence[Symbol]:
    """Symbols that may be meant, best first, at least one. Raises ``UnknownSymbol``, whose message offers the nearest names."""
    pattern = parse(text)
    found = (
        find_by_key(reader, text)
        or _at_place(reader, text)
        or _by_name(reader, pattern)
        or find_unwritten(reader, pattern.name, pattern.labels, pattern.around)
    )
    if not found:
        near = () if is_key(text) else nearest_names(reader, text)
        offer = f" The nearest are: {', '.join(near)}." if near else ""
        raise UnknownSymbol(f"No symbol is called {text!r}.{offer}", hint="Write a name, Type.member, Type.member(label:), or path:line.")
    return found


def _at_place(reader: GraphReader, text: str) -> Sequence[Symbol]:
    """The symbols around a line, innermost first."""
    place = _PLACE.fullmatch(text.strip())
    if place is None:
        return ()
    path, line = place["path"].removeprefix("./"), int(place["line"])
    paths = [row.file.path for row in reader.files() if row.file.path == path or row.file.path.endswith(f"/{path}")]
    around = [each for each in reader.symbols_in(paths) if each.span.start <= line <= each.span.end]
    return sorted(around, key=lambda each: (each.span.end - each.span.start, each.kind is SymbolKind.CLOSURE, each.path, each.id))


def _by_name(reader: GraphReader, pattern: Pattern) -> Sequence[Symbol]:
    named = [each for each in reader.symbols_named((pattern.name,)) if _lies_in(each, pattern.around)]
    if pattern.labels is not None:
        named = [each for each in named if labels_of(each) == pattern.labels] or named
    tests = {row.file.path for row in reader.files(sorted({each.path for each in named})) if row.file.roles & FileRole.TEST}
    return sorted(named, key=lambda each: _rank(each, pattern, tests))


def _lies_in(symbol: Symbol, around: Sequence[str]) -> bool:
    """Do the enclosing names end as written, letter case ignored?"""
    if not around:
        return True
    enclosing = symbol.container or symbol.qualified.partition("(")[0].rpartition(".")[0]
    components = [part.lower() for part in enclosing.split(".")]
    return components[-len(around) :] == [part.lower() for part in around]


_STAND_INS = frozenset({SymbolKind.EXTENSION, SymbolKind.CLOSURE, SymbolKind.HEADING, SymbolKind.PROTOTYPE})
"""Kinds that bear the name of what they belong to: nobody calls a prototype where its procedure is known."""


def _rank(symbol: Symbol, pattern: Pattern, tests: set[str]) -> tuple[object, ...]:
    return (
        symbol.name != pattern.name,
        symbol.kind in _STAND_INS,
        symbol.path in tests,
        bool(symbol.modifiers & Modifier.DEPRECATED),
        bool(symbol.modifiers & Modifier.PRIVATE),
        not symbol.kind.is_type,
        len(symbol.container),  # of equally named ones the outermost: it is what a short name means to most
        symbol.path,
        symbol.line,
        symbol.id,
    )


def nearest_names(reader: GraphReader, text: str, limit: int = NEAREST) -> Sequence[str]:
    """Names of the index that look or sound like this one, nearest first: equal parts count, then equal letters."""
    wanted = parse(text).name
    if not wanted:
        return ()
    parts = _parts(wanted)
    known = {name.lower(): name for name in reversed(reader.names())}
    shared = sorted(
        (-len(parts & own) / len(parts | own), name)
        for lower, name in known.items()
        if any(part in lower for part in parts) and (own := _parts(name)) and len(parts & own) * 2 > len(parts)
    )
    spelled = [known[each] for each in difflib.get_close_matches(wanted.lower(), alike(wanted.lower(), known), n=limit, cutoff=ALIKE)]
    return tuple(dict.fromkeys([*spelled, *(name for _, name in shared)]))[:limit]


def alike(wanted: str, known: Iterable[str]) -> list[str]:
    """Those that have enough letters in common, wherever they stand, to be as alike as :data:`ALIKE`: comparing in order is dear."""
    letters = Counter(wanted).items()
    near = []
    for name in known:
        enough = ALIKE * (len(wanted) + len(name))
        if 2 * min(len(wanted), len(name)) >= enough and 2 * sum([min(number, name.count(letter)) for letter, number in letters]) >= enough:
            near.append(name)
    return near


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _CASES.findall(name)}
