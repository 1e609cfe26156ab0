"""Reading an index store: what a compiler wrote down about each file that it compiled.

Xcode, SwiftPM and sourcekit-lsp make stores in passing. A store is a folder:

    v5/units/<UNIT>                 one file per compiled output: its module, its main file, and the records it depends on
    v5/records/<XX>/<RECORD>        symbols and occurrences of one source file; XX are the last two characters of the name

Record files are named by their content and never deleted, so most of a store may be leftovers: only what a unit names is true. Records of
system modules are six sevenths of the bytes and say nothing about a project; they are never read.

The way through: ``discover.find_stores`` finds stores, ``holdings`` keeps which record says what about which file, and ``examine`` reads the records
of files and drops what is out of date. Whoever compares with a whole store has ``read_project`` and ``keep_fresh``.

Nothing here raises for what is in a store. What cannot be read is a ``Problem`` and costs only itself.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from services.indexer.exact.envelope import MAX_FILE_BYTES
from services.indexer.exact.facts import IndexedFile
from services.indexer.exact.freshness import Freshness, measure_freshness
from services.indexer.exact.occurrences import drop_places
from services.indexer.exact.paths import find_in_repository
from services.indexer.exact.records import Record, read_record
from services.indexer.exact.units import DependencyKind, Unit, read_unit
from services.indexer.read import Unreadable, path_of, read_file

FORMAT_FOLDER = "v5"


@dataclass(frozen=True, slots=True)
class Problem:
    path: str
    """Relative to the store."""
    what: str


@dataclass(frozen=True, slots=True)
class ProjectIndex:
    """What a store says about the files of a repository."""

    files: tuple[IndexedFile, ...]
    """By path; a file that several modules compile is here once for each."""
    problems: tuple[Problem, ...]
    units: int
    """Of the project, as opposed to the system's."""
    unknown: tuple[str, ...]
    """Files that were compiled and are none of the repository's, as the building machine named them: of dependencies, generated, deleted since."""


@dataclass(frozen=True, slots=True)
class Stale:
    path: str
    freshness: Freshness


def read_units(store: str, *, system: bool = False) -> tuple[tuple[Unit, ...], tuple[Problem, ...]]:
    """The units of a store, by name; those of system modules only on request."""
    folder = f"{FORMAT_FOLDER}/units"
    units: list[Unit] = []
    problems: list[Problem] = []
    try:
        with os.scandir(os.path.join(store, folder)) as found:  # noqa: PTH118 - names are joined as the reader takes them
            entries = sorted((path_of(os.fsencode(entry.name)), entry.stat(follow_symlinks=False).st_mtime_ns) for entry in found)
    except OSError as error:
        return (), (Problem(folder, error.strerror or "cannot be listed"),)
    for name, modified in entries:
        path = f"{folder}/{name}"
        try:
            unit = read_unit(name, read_file(store, path, limit=MAX_FILE_BYTES), modified=modified, system=system)
        except Unreadable as error:
            problems.append(Problem(path, str(error)))
            continue
        problems += [Problem(path, what) for what in unit.problems]
        if system or not unit.is_system:
            units.append(unit)
    return tuple(units), tuple(problems)


def read_records(store: str, names: Iterable[str]) -> tuple[Mapping[str, Record], tuple[Problem, ...]]:
    """Records by name. One that cannot be read at all is missing and a problem; one that is broken holds what could be read, and is a problem too."""
    records: dict[str, Record] = {}
    problems: list[Problem] = []
    for name in names:
        path = record_path(name)
        try:
            records[name] = read_record(name, read_file(store, path, limit=MAX_FILE_BYTES))
        except Unreadable as error:
            problems.append(Problem(path, str(error)))
            continue
        problems += [Problem(path, what) for what in records[name].problems]
    return records, tuple(problems)


def record_path(name: str) -> str:
    """Where a record lies in its store. A name that would lead elsewhere (it comes out of a unit file) leads nowhere."""
    return f"{FORMAT_FOLDER}/records/{name[-2:]}/{name}" if "/" not in name and "\0" not in name else f"{FORMAT_FOLDER}/records/"


@dataclass(frozen=True, slots=True)
class Source:
    """A source file as one unit names it."""

    path: str
    """As the building machine named it."""
    module: str
    record: str
    modified: int
    """When the unit was written, in nanoseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The sources of a store in a repository."""

    records: tuple[tuple[str, str, str], ...]
    """Path in the repository, module and record, by path: the newest record of each module that compiles the file, each record once."""
    unknown: tuple[str, ...]
    """Files that were compiled and are none of the repository's, as the building machine named them."""


def read_sources(store: str) -> tuple[tuple[Source, ...], tuple[Problem, ...], int]:
    """The source files that the units of a store name, what could not be read, and the number of the units."""
    units, problems = read_units(store)
    return tuple(source for unit in units for source in _sources_of(unit)), problems, len(units)


def place(sources: Sequence[Source], known: Iterable[str], *, root: str, prefixes: Sequence[tuple[str, str]] = ()) -> Placed:
    """Find sources in the repository, whether the store was made here or on another machine.

    ``known`` are the paths of the repository, relative to ``root``, an absolute path; ``prefixes`` as in ``paths.find_in_repository``. A file
    that was compiled several times for one module (architectures, an application and its tests) counts as the newest unit saw it.
    """
    local = find_in_repository((source.path for source in sources), known, root=root, prefixes=prefixes, resolve=_resolve)
    newest: dict[tuple[str, str], Source] = {}
    for source in sorted(sources, key=lambda source: (source.modified, source.record)):
        if source.path in local:
            newest[local[source.path], source.module] = source
    modules = {(path, source.record): module for (path, module), source in sorted(newest.items())}  # of one record, a module that has a name
    unknown = sorted({source.path for source in sources} - local.keys())
    return Placed(tuple((path, module, record) for (path, record), module in sorted(modules.items())), tuple(unknown))


def read_project(store: str, known: Iterable[str], *, root: str, prefixes: Sequence[tuple[str, str]] = ()) -> ProjectIndex:
    """What a store says about the files of a repository; arguments as in ``place``."""
    sources, problems, units = read_sources(store)
    placed = place(sources, known, root=root, prefixes=prefixes)
    records, unread = read_records(store, list(dict.fromkeys(record for _, _, record in placed.records)))
    files = [IndexedFile(path, module, records[record]) for path, module, record in placed.records if record in records]
    return ProjectIndex(tuple(files), (*problems, *unread), units, placed.unknown)


def _resolve(path: str) -> str:
    """Asked of every end of every path that is not ours, so what does not exist must cost one look."""
    return os.path.realpath(path) if os.path.lexists(path) else posixpath.normpath(path)


def _sources_of(unit: Unit) -> Iterable[Source]:
    if unit.is_system or unit.problems:
        return  # what a broken unit says may be half of the truth: its files are resolved without it
    for dependency in unit.dependencies:
        if dependency.kind == DependencyKind.RECORD and not dependency.is_system and dependency.name:
            path = posixpath.normpath(posixpath.join(unit.working_directory, dependency.path))
            yield Source(path, unit.module, dependency.name, unit.modified)


def keep_fresh(index: ProjectIndex, read: Callable[[str], bytes | None]) -> tuple[ProjectIndex, tuple[Stale, ...]]:
    """The index without the files whose text is no longer what was compiled, and these; of the others, names that are not in their places go.

    ``read`` gives the text of a path, None where there is none.
    Only exact facts of the stale files go: edges into their symbols remain in other files, and hold if a definition of that name and owner is
    found anew.
    """
    fresh: list[IndexedFile] = []
    stale: list[Stale] = []
    for file in index.files:
        source = read(file.path)
        freshness = Freshness(0.0, 0) if source is None else measure_freshness(file.record, source)
        if freshness.is_fresh and not file.record.problems:
            fresh.append(_without(file, freshness.misplaced))
        else:
            stale.append(Stale(file.path, freshness))
    return replace(index, files=tuple(fresh)), tuple(stale)


def _without(file: IndexedFile, places: Collection[tuple[int, int]]) -> IndexedFile:
    if not places:
        return file
    return replace(file, record=replace(file.record, columns=drop_places(file.record.columns, places)))
