"""What the Swift project's own library, libIndexStore, reads in a store, in one plain form into which ours can be put too.

The library comes with Swift toolchains only, so it judges the reader where there is one and is never needed to run anything.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from services.indexer.exact.records import Record, RecordSymbol
from services.indexer.exact.units import DependencyKind, Unit

Plain = dict[str, object]

_ACCESS = 7 << 17
"""The bits of the properties in which Swift 6 says of some symbols how far they can be seen."""

_KINDS = {1: DependencyKind.UNIT, 2: DependencyKind.RECORD, 3: DependencyKind.FILE}
"""The library numbers kinds of dependencies otherwise than the files do."""


def find_library() -> Path | None:
    """The library of the toolchain whose compiler is on the path, or of the one that ``SWIFT_TOOLCHAIN`` names (the folder that holds ``bin``)."""
    compiler = shutil.which("swiftc")
    homes = [Path(os.environ["SWIFT_TOOLCHAIN"])] if "SWIFT_TOOLCHAIN" in os.environ else []
    homes += [Path(compiler).resolve().parent.parent] if compiler else []
    return next((path for home in homes for path in (home / "lib").glob("libIndexStore.*") if path.suffix in {".so", ".dylib"}), None)


# -------------------------------------------------------------------------------------------------------- ours, in the plain form


def plain_unit(unit: Unit) -> Plain:
    return {
        "name": unit.name,
        "is_system": unit.is_system,
        "is_module": unit.is_module,
        "is_debug": unit.is_debug,
        "module": unit.module,
        "main_file": unit.main_file,
        "working_directory": unit.working_directory,
        "output": unit.output,
        "sysroot": unit.sysroot,
        "target": unit.target,
        "provider": unit.provider,
        "provider_version": unit.provider_version,
        "dependencies": [[int(d.kind), d.name, d.path, d.module, d.is_system] for d in unit.dependencies],
        "includes": [[include.source, include.line, include.target] for include in unit.includes],
    }


def plain_record(record: Record) -> Plain:
    return {
        "name": record.name,
        "symbols": [_plain_symbol(symbol) for symbol in record.symbols],
        "occurrences": [
            [
                record.symbols[occurrence.symbol].usr,
                occurrence.roles,
                occurrence.line,
                occurrence.column,
                [[relation.roles, record.symbols[relation.symbol].usr] for relation in occurrence.relations],
            ]
            for occurrence in record.occurrences()
        ],
    }


def _plain_symbol(symbol: RecordSymbol) -> list[object]:
    return [
        symbol.usr,
        symbol.name,
        symbol.codegen_name,
        symbol.kind,
        symbol.subkind,
        symbol.language,
        symbol.properties & ~_ACCESS,  # the library keeps only the properties that it has names for, and it has none for these
        symbol.roles,
        symbol.related_roles,
    ]


# ------------------------------------------------------------------------------------------------------------------ the library's


class _Text(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("length", ctypes.c_size_t))

    def __str__(self) -> str:
        return ctypes.string_at(self.data, self.length).decode("utf-8", "backslashreplace") if self.length else ""


_VISIT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
_VISIT_NAME = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, _Text)


class Oracle:
    """A store, read by the library."""

    def __init__(self, library: Path, store: Path) -> None:
        self._library = ctypes.CDLL(str(library))
        error = ctypes.c_void_p()
        self._store = self._call("store_create", str(store).encode(), ctypes.byref(error), result=ctypes.c_void_p)
        if not self._store:
            raise OSError(f"libIndexStore cannot open {store}")

    def close(self) -> None:
        self._call("store_dispose", ctypes.c_void_p(self._store))

    def units(self) -> list[str]:
        """Names of all units, system ones too."""
        names: list[str] = []

        def add(_: object, name: _Text) -> bool:
            names.append(str(name))
            return True

        visit = _VISIT_NAME(add)
        self._call("store_units_apply_f", ctypes.c_void_p(self._store), 1, None, visit)
        return names

    def unit(self, name: str) -> Plain:
        with self._reader("unit_reader", name) as reader:

            def text(field: str) -> str:
                return str(self._call(f"unit_reader_get_{field}", reader, result=_Text))

            def flag(field: str) -> bool:
                return bool(self._call(f"unit_reader_is_{field}", reader, result=ctypes.c_bool))

            return {
                "name": name,
                "is_system": flag("system_unit"),
                "is_module": flag("module_unit"),
                "is_debug": flag("debug_compilation"),
                "module": text("module_name"),
                "main_file": text("main_file"),
                "working_directory": text("working_dir"),
                "output": text("output_file"),
                "sysroot": text("sysroot_path"),
                "target": text("target"),
                "provider": text("provider_identifier"),
                "provider_version": text("provider_version"),
                "dependencies": list(self._each("unit_reader_dependencies_apply_f", reader, self._dependency)),
                "includes": list(self._each("unit_reader_includes_apply_f", reader, self._include)),
            }

    def record(self, name: str) -> Plain:
        with self._reader("record_reader", name) as reader:
            symbols = self._each("record_reader_symbols_apply_f", reader, self._symbol, ctypes.c_bool(True))
            return {"name": name, "symbols": symbols, "occurrences": self._each("record_reader_occurrences_apply_f", reader, self._occurrence)}

    # ---- one value each

    def _dependency(self, it: int) -> list[object]:
        kind = self._number("unit_dependency_get_kind", it)
        name, path, module = (self._text(f"unit_dependency_get_{field}", it) for field in ("name", "filepath", "modulename"))
        return [int(_KINDS[kind]), name, path, module, bool(self._call("unit_dependency_is_system", ctypes.c_void_p(it), result=ctypes.c_bool))]

    def _include(self, it: int) -> list[object]:
        line = self._number("unit_include_get_source_line", it)
        return [self._text("unit_include_get_source_path", it), line, self._text("unit_include_get_target_path", it)]

    def _symbol(self, it: int) -> list[object]:
        texts = [self._text(f"symbol_get_{field}", it) for field in ("usr", "name", "codegen_name")]
        kinds = [self._number(f"symbol_get_{field}", it) for field in ("kind", "subkind", "language")]
        return [*texts, *kinds, *(self._wide(f"symbol_get_{field}", it) for field in ("properties", "roles", "related_roles"))]

    def _occurrence(self, it: int) -> list[object]:
        line, column = ctypes.c_uint(), ctypes.c_uint()
        self._call("occurrence_get_line_col", ctypes.c_void_p(it), ctypes.byref(line), ctypes.byref(column))
        relations = self._each("occurrence_relations_apply_f", ctypes.c_void_p(it), self._relation)
        return [self._usr("occurrence_get_symbol", it), self._wide("occurrence_get_roles", it), line.value, column.value, relations]

    def _relation(self, it: int) -> list[object]:
        return [self._wide("symbol_relation_get_roles", it), self._usr("symbol_relation_get_symbol", it)]

    # ---- calls

    def _usr(self, function: str, it: int) -> str:
        return self._text("symbol_get_usr", self._call(function, ctypes.c_void_p(it), result=ctypes.c_void_p))

    def _text(self, function: str, it: int) -> str:
        return str(self._call(function, ctypes.c_void_p(it), result=_Text))

    def _number(self, function: str, it: int) -> int:
        return int(self._call(function, ctypes.c_void_p(it), result=ctypes.c_uint))

    def _wide(self, function: str, it: int) -> int:
        return int(self._call(function, ctypes.c_void_p(it), result=ctypes.c_uint64))

    def _each(self, function: str, owner: ctypes.c_void_p, value: Callable[[int], list[object]], *options: object) -> Sequence[list[object]]:
        found: list[list[object]] = []

        def add(_: object, it: int) -> bool:
            found.append(value(it))
            return True

        visit = _VISIT(add)
        self._call(function, owner, *options, None, visit, result=ctypes.c_bool)
        return found

    @contextmanager
    def _reader(self, kind: str, name: str) -> Iterator[ctypes.c_void_p]:
        error = ctypes.c_void_p()
        made = self._call(f"{kind}_create", ctypes.c_void_p(self._store), name.encode(), ctypes.byref(error), result=ctypes.c_void_p)
        if not made:
            raise OSError(f"libIndexStore cannot read {name}")
        try:
            yield ctypes.c_void_p(made)
        finally:
            self._call(f"{kind}_dispose", ctypes.c_void_p(made))

    def _call(self, function: str, *arguments: object, result: type | None = None) -> Any:
        symbol = getattr(self._library, f"indexstore_{function}")
        symbol.restype = result
        return symbol(*arguments)
