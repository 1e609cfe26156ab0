"""What must be linked again when some files change: exactly the files that asked a question whose answer differs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from exegesis.model import FileRole, Symbol, SymbolKind
from exegesis.ports import GraphReader
from services.graph.exact import keys_of_difference
from services.graph.families import module_questions, questions_about, questions_of
from services.graph.table import FileContext


@dataclass(frozen=True, slots=True)
class Difference:
    """Between two generations, as far as links can depend on it."""

    files: frozenset[str]
    """Files with new facts, files that came or went, and files that are read differently though their text is the same."""
    keys: frozenset[str]
    """Questions to the symbol table whose answers may differ."""
    contexts: Mapping[str, FileContext]
    """Of each file that has facts in the later one."""


def contexts_of(reader: GraphReader) -> dict[str, FileContext]:
    """What linking must know about each file that has facts."""
    return _contexts(_readings(reader))


def difference(before: GraphReader, after: GraphReader, written: set[str]) -> Difference:
    """What differs, where only the files of ``written`` got new facts."""
    old, new = _readings(before), _readings(after)
    files = written | {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}
    modules = {reading.context.module for reading in old.values()} ^ {reading.context.module for reading in new.values()}
    views, former = _views(after, files, new), _views(before, files, old)
    differing = [*(former[view] for view in former.keys() - views.keys()), *(views[view] for view in views.keys() - former.keys())]
    known = {**old, **new}
    keys = {key for symbol in differing for key in questions_of(symbol, known[symbol.path].context.language)}
    for path in files:
        keys.update(questions_about(path, _context(old, path), _context(new, path)))
    keys.update(module_questions(modules, {reading.context.language for reading in known.values()}))
    return Difference(frozenset(files), frozenset(keys | _exact_keys(before, after, files)), _contexts(new))


def _context(readings: Mapping[str, _Reading], path: str) -> FileContext | None:
    reading = readings.get(path)
    return reading.context if reading else None


def _exact_keys(before: GraphReader, after: GraphReader, files: Collection[str]) -> frozenset[str]:
    """Questions about what compilers recorded whose answers may differ."""
    was, now = list(before.exact(files, uses=False)), list(after.exact(files, uses=False))
    recorded = {each.path for each in (*was, *now)}
    return keys_of_difference(was, now, before.symbols_in(recorded), after.symbols_in(recorded))


@dataclass(frozen=True, slots=True)
class _Reading:
    context: FileContext
    is_test: bool


def _contexts(readings: Mapping[str, _Reading]) -> dict[str, FileContext]:
    return {path: reading.context for path, reading in readings.items()}


_RELATIVE: Final = re.compile(r"^(?:\.{1,2}/)+")
"""What stands before the name of a header that is written from the folder of who includes it."""


def imported(names: Iterable[str]) -> frozenset[str]:
    """What :class:`FileContext` keeps of the names that a file imports or includes."""
    return frozenset(_RELATIVE.sub("", name).partition(".")[0] for name in names)


def _readings(reader: GraphReader) -> Mapping[str, _Reading]:
    files = {row.file.path: row.file for row in reader.files()}
    bindings = reader.bindings()
    found = {}
    for path, imports in reader.imports().items():
        file = files.get(path)
        context = FileContext(file.module if file else "", imported(imports), file.language if file else "", bindings.get(path, ()))
        found[path] = _Reading(context, file is not None and bool(file.roles & FileRole.TEST))
    return found


def _views(reader: GraphReader, paths: Iterable[str], readings: Mapping[str, _Reading]) -> dict[tuple[object, ...], Symbol]:
    symbols = reader.symbols_in(paths)
    kinds = {symbol.id: symbol.kind for symbol in symbols}
    return {_view(symbol, kinds.get(symbol.parent) if symbol.parent is not None else None, readings.get(symbol.path)): symbol for symbol in symbols}


def _view(symbol: Symbol, enclosing: SymbolKind | None, reading: _Reading | None) -> tuple[object, ...]:
    """All of a symbol that the links of other files can depend on: not where it stands, nor what is said about it."""
    return (
        symbol.id,
        symbol.name,
        symbol.kind,
        symbol.path,
        symbol.container,
        symbol.parent is None,
        enclosing,
        int(symbol.modifiers),
        symbol.parameters,
        symbol.type,
        symbol.inherits,
        symbol.generics,
        symbol.initializer,
        reading.context.module if reading else None,
    )
