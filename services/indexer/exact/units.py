"""Unit files: one per compiled output, saying which module and main file it was made of, and which records, units and files it depends on.

Paths are those of the machine that built; ``services.indexer.exact.paths`` finds them in a repository.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from services.indexer.exact import bitstream
from services.indexer.exact.bitstream import Malformed
from services.indexer.exact.envelope import checked_blocks, unwrap

MAGIC = b"IDXU"

_INFO, _DEPENDENCY, _INCLUDE, _PATH, _PATH_TEXT, _MODULE, _MODULE_TEXT = range(1, 8)
"""Codes of records; a code belongs to one kind of block, so the blocks need not be told apart."""
_FIELDS = {_INFO: 13, _DEPENDENCY: 4, _INCLUDE: 3, _PATH: 5, _MODULE: 2}
"""The least number of fields that a record of a code has."""
_WORKING_DIRECTORY, _SYSROOT = 1, 2
"""Prefixes of a path; 0 is none."""


class DependencyKind(enum.IntEnum):
    """As on disk; the C interface of libIndexStore numbers them otherwise."""

    FILE = 0
    RECORD = 1
    UNIT = 2


@dataclass(frozen=True, slots=True)
class Dependency:
    kind: int
    name: str
    """File name of the record or unit; empty for files, and for a user's Swift module that a unit was compiled against."""
    path: str
    """The source file of a record, the output of a unit, the file itself; absolute, or relative to the working directory."""
    module: str
    is_system: bool


@dataclass(frozen=True, slots=True)
class Include:
    """An ``#include`` or ``#import``."""

    source: str
    line: int
    target: str


@dataclass(frozen=True, slots=True)
class Unit:
    name: str
    is_system: bool = False
    is_module: bool = False
    """Stands for a compiled module that was imported, not for a source file."""
    is_debug: bool = False
    module: str = ""
    main_file: str = ""
    """Empty where one unit stands for many files."""
    working_directory: str = ""
    output: str = ""
    sysroot: str = ""
    target: str = ""
    """Target triple."""
    provider: str = ""
    """``swift`` or ``clang``."""
    provider_version: str = ""
    dependencies: tuple[Dependency, ...] = ()
    includes: tuple[Include, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be read; the rest is here."""
    modified: int = 0
    """When the unit was written, in nanoseconds since 1970; 0 when unknown. Not in the file: the reader of the store adds it."""


def read_unit(name: str, content: bytes, *, modified: int = 0, system: bool = True) -> Unit:
    """All that can be read of a unit file. Never raises: what is broken, cut off or of an unknown version is said in ``problems``.

    Without ``system``, a unit of the system is read no further than to the place that says so, and says nothing else.
    """
    parts = _Parts()
    problems: list[str] = []
    try:
        data, problem = unwrap(content, MAGIC)
        problems += [problem] if problem else []
        for block in checked_blocks(data):
            try:
                for code, fields, blob in bitstream.entries(data, block):
                    parts.add(code, fields, blob)
            except Malformed as error:
                problems.append(str(error))
            if parts.info and parts.info[0][0] and not system:
                return Unit(name, is_system=True, modified=modified)
    except Malformed as error:
        problems.append(str(error))
    return _assemble(name, parts, modified, problems)


@dataclass(slots=True)
class _Parts:
    """What a unit file says, as it comes: paths and modules are named by numbers whose meaning follows later in the file."""

    info: tuple[list[int], bytes] | None = None
    dependencies: list[tuple[list[int], bytes]] = field(default_factory=list)
    includes: list[list[int]] = field(default_factory=list)
    paths: list[list[int]] = field(default_factory=list)
    modules: list[list[int]] = field(default_factory=list)
    path_text: bytes = b""
    module_text: bytes = b""

    def add(self, code: int, fields: list[int], blob: bytes) -> None:
        if len(fields) < _FIELDS.get(code, 0):
            raise Malformed(f"a record of code {code} with {len(fields)} fields")
        if code == _INFO:
            self.info = (fields, blob)
        elif code == _DEPENDENCY:
            self.dependencies.append((fields, blob))
        elif code == _INCLUDE:
            self.includes.append(fields)
        elif code == _PATH:
            self.paths.append(fields)
        elif code == _PATH_TEXT:
            self.path_text = blob
        elif code == _MODULE:
            self.modules.append(fields)
        elif code == _MODULE_TEXT:
            self.module_text = blob
        # other codes are of newer compilers


def _assemble(name: str, parts: _Parts, modified: int, problems: list[str]) -> Unit:
    info, blob = parts.info or ([0] * _FIELDS[_INFO], b"")
    if parts.info is None and not problems:
        problems.append("says nothing about itself")
    (
        is_system,
        work_at,
        work_size,
        output_at,
        output_size,
        sysroot_at,
        sysroot_size,
        main,
        is_debug,
        is_module,
        module_size,
        provider_size,
        version_size,
    ) = info[: _FIELDS[_INFO]]
    cut = _slicer(parts.path_text, problems)
    working_directory, output, sysroot = cut(work_at, work_size), cut(output_at, output_size), cut(sysroot_at, sysroot_size)
    prefixes = {_WORKING_DIRECTORY: working_directory, _SYSROOT: sysroot}
    paths = [_join(prefixes.get(prefix, ""), cut(at, size), cut(file_at, file_size)) for prefix, at, size, file_at, file_size, *_ in parts.paths]
    cut = _slicer(parts.module_text, problems)
    modules = [cut(at, size) for at, size, *_ in parts.modules]
    path, module = _picker(paths, "path", problems), _picker(modules, "module", problems)
    texts = _slicer(blob, problems)
    provider_at, version_at = module_size, module_size + provider_size
    target_at = version_at + version_size
    return Unit(
        name=name,
        is_system=bool(is_system),
        is_module=bool(is_module),
        is_debug=bool(is_debug),
        module=texts(0, module_size),
        main_file=path(main),
        working_directory=working_directory,
        output=output,
        sysroot=sysroot,
        target=texts(target_at, max(len(blob) - target_at, 0)),
        provider=texts(provider_at, provider_size),
        provider_version=texts(version_at, version_size),
        dependencies=tuple(
            Dependency(kind, _text(dependency), path(path_number), module(module_number), bool(system))
            for (kind, system, path_number, module_number, *_), dependency in parts.dependencies
        ),
        includes=tuple(Include(path(source), line, path(target)) for source, line, target, *_ in parts.includes),
        problems=tuple(dict.fromkeys(problems)),
        modified=modified,
    )


def _slicer(text: bytes, problems: list[str]) -> Callable[[int, int], str]:
    """A function that cuts a piece out of the text by offset and size; a piece that is not wholly there is empty, and a problem."""

    def cut(start: int, size: int) -> str:
        if start + size > len(text) and size:
            problems.append("names beyond the end of the text that holds them")
            return ""
        return _text(text[start : start + size])

    return cut


def _picker(values: Sequence[str], what: str, problems: list[str]) -> Callable[[int], str]:
    """A function that gives a value by its number, counted from one; 0 means none."""

    def pick(number: int) -> str:
        if number > len(values):
            problems.append(f"a {what} that is not there")
            return ""
        return values[number - 1] if number else ""

    return pick


def _join(prefix: str, folder: str, file: str) -> str:
    """The path of a prefix, a folder and a file, any of which may be empty."""
    path = prefix
    for part in (folder, file):
        if part:
            path = f"{path.rstrip('/')}/{part}" if path else part
    return path


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")
