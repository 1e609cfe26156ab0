"""What must be linked again when some files change: exactly the files that asked a question whose answer differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exegesis.model import FileRole, Symbol, SymbolKind
from exegesis.ports import GraphReader
from services.graph.table import FileContext, keys_of, module_key


def contexts_of(reader: GraphReader) -> dict[str, FileContext]:
    """What linking must know about each file that has facts."""
    modules = {row.file.path: row.file.module for row in reader.files()}
    return {
        path: FileContext(modules.get(path, ""), frozenset(name.partition(".")[0] for name in imports)) for path, imports in reader.imports().items()
    }


def files_to_link(before: GraphReader, after: GraphReader, written: set[str], consulting: Iterable[str]) -> set[str]:
    """Files whose own facts or context differ, and ``consulting``, those that depend on what differs."""
    present = after.imports().keys()
    return (_differing(before, after, written) | set(consulting)) & set(present)


def changed_keys(before: GraphReader, after: GraphReader, written: set[str]) -> frozenset[str]:
    """Keys of the symbol table whose answers may differ between two generations, of which only ``written`` files have new facts."""
    paths = sorted(_differing(before, after, written))
    old, new = _views(before, paths), _views(after, paths)
    differing = [*(old[view] for view in old.keys() - new.keys()), *(new[view] for view in new.keys() - old.keys())]
    modules = {context.module for context in contexts_of(before).values()} ^ {context.module for context in contexts_of(after).values()}
    return frozenset(key for symbol in differing for key in keys_of(symbol)) | {module_key(module) for module in modules}


def _differing(before: GraphReader, after: GraphReader, written: set[str]) -> set[str]:
    """Files with new facts, files that came or went, and files that are read differently though their text is the same."""
    old, new = _readings(before), _readings(after)
    return written | {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}


def _readings(reader: GraphReader) -> Mapping[str, tuple[FileContext, bool]]:
    tests = {row.file.path for row in reader.files() if row.file.roles & FileRole.TEST}
    return {path: (context, path in tests) for path, context in contexts_of(reader).items()}


def _views(reader: GraphReader, paths: Iterable[str]) -> dict[tuple[object, ...], Symbol]:
    contexts = contexts_of(reader)
    symbols = reader.symbols_in(paths)
    kinds = {symbol.id: symbol.kind for symbol in symbols}
    return {_view(symbol, kinds.get(symbol.parent) if symbol.parent is not None else None, contexts.get(symbol.path)): symbol for symbol in symbols}


def _view(symbol: Symbol, enclosing: SymbolKind | None, context: FileContext | None) -> tuple[object, ...]:
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
        context,
    )
