"""What a generation knows about each subject that is worth a description: its own words, its members, what it uses, who uses it.

One pass over the symbols and one over the edges, both of the whole generation: asked subject by subject it would be the same rows many times over.
Uses are counted in powers of two, so that an edit somewhere else seldom changes what is named first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from exegesis.heads import head_of, telling_paragraph
from exegesis.model import EdgeKind, FileRole, FileStatus, Modifier, ModuleSummary, Spot, Subject, Symbol, SymbolKind
from exegesis.ports import FileRow, GraphReader
from services.graph.descriptions.units import Units, is_whole, members_elsewhere

LARGE_TYPE: Final = 8
"""Members from which on a type is described; one with fewer is read as fast."""
LARGE_FILE: Final = 6_000
"""Bytes, about 150 lines, from which on a file is."""

SURE: Final = 0.8
"""Edges below this are guesses at names, and a description states."""

_USES: Final = (EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS, EdgeKind.TYPE, EdgeKind.INHERIT)
_ASIDE: Final = FileRole.TEST | FileRole.EXAMPLE | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.GENERATED | FileRole.DOCUMENT
_SILENT: Final = frozenset({SymbolKind.CLOSURE, SymbolKind.HEADING, SymbolKind.DEINITIALIZER})
_SPEAKING: Final = ("__init__.py", "doc.go", "README.md", "README.rst", "mod.rs", "index.ts", "index.js")
"""Files that speak for the folder they lie in, the first that is there and says something."""


@dataclass(frozen=True, slots=True)
class Member:
    spot: Spot
    kind: SymbolKind
    signature: str
    doc: str
    is_public: bool
    uses: int
    """From elsewhere, as an exponent of two."""


@dataclass(frozen=True, slots=True)
class Material:
    subject: Subject
    name: str
    path: str
    kind: str
    """Of a type, as people call it; empty for the rest."""
    said: str
    """What it says of itself."""
    symbol: int | None = None
    spot: Spot | None = None
    """Where a type is declared."""
    module: str = ""
    inherits: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()
    """Of a type its members, of a file what it declares, by place; of a module and of the repository what most else uses, most first."""
    uses: tuple[Spot, ...] = ()
    """Most first, as what follows."""
    used_by: tuple[Spot, ...] = ()
    subtypes: tuple[Spot, ...] = ()
    is_tested: bool = False
    modules: tuple[str, ...] = ()
    """Of the repository its modules, of a module those that it depends on."""
    users: tuple[str, ...] = ()
    """Of a module those that depend on it."""
    entries: tuple[Spot, ...] = ()
    files: int = 0
    weight: int = 0


@dataclass(slots=True)
class _Ties:
    """Uses between a subject and the rest, by unit and number."""

    uses: dict[int, int] = field(default_factory=dict)
    used_by: dict[int, int] = field(default_factory=dict)
    subtypes: dict[int, int] = field(default_factory=dict)
    is_tested: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """What one pass over the symbols leaves."""

    rows: Mapping[str, FileRow]
    spots: Mapping[int, Spot]
    """Of what may be named: types and what stands outside of them."""
    types: Mapping[int, Symbol]
    """Those that are described."""
    members: Mapping[int, Sequence[Symbol]]
    """By the type."""
    declared: Mapping[str, Sequence[Symbol]]
    """What stands in no other declaration, by path of the files that are described."""
    units: Units


def gather(reader: GraphReader, modules: Sequence[ModuleSummary], *, small: bool) -> Iterator[Material]:
    """Material of the repository, of the modules of its own code, of files, of types: each by place."""
    own = [module for module in modules if not module.kind]
    known = _read(reader, small=small)
    types, files, counts = _tie(reader, known)
    module_of = _module_by_path(known, own)
    if own:
        yield _repository(reader, known, own)
    for module in sorted(own, key=lambda module: module.name):
        yield _module(reader, known, module, own)
    named = _Naming(known)
    for path, symbols in known.declared.items():
        ties = files[path]
        yield Material(
            Subject.FILE,
            path,
            path,
            "",
            _said(reader, path, known.rows[path].file.roles),
            module=module_of(path),
            members=tuple(_member(symbol, counts) for symbol in symbols),
            uses=named.first(ties.uses),
            used_by=named.first(ties.used_by),
            is_tested=ties.is_tested,
            weight=sum(ties.used_by.values()).bit_length(),
        )
    for id_, symbol in known.types.items():
        ties = types[id_]
        yield Material(
            Subject.TYPE,
            known.spots[id_].name,
            symbol.path,
            symbol.kind.value,
            symbol.doc,
            symbol=id_,
            spot=known.spots[id_],
            module=module_of(symbol.path),
            inherits=symbol.inherits,
            members=tuple(_member(each, counts) for each in known.members.get(id_, ())),
            uses=named.first(ties.uses, without=id_),
            used_by=named.first(ties.used_by, without=id_),
            subtypes=named.first(ties.subtypes),
            is_tested=ties.is_tested,
            weight=sum(ties.used_by.values()).bit_length(),
        )


# -------------------------------------------------------------------------------------------------------------- symbols


def _read(reader: GraphReader, *, small: bool) -> _Known:
    rows = {row.file.path: row for row in reader.files() if row.file.status is FileStatus.INDEXED}
    symbols = [symbol for symbol in reader.all_symbols() if symbol.kind not in _SILENT]
    extended = dict(_pairs(reader, (EdgeKind.EXTEND,)))
    units = Units(reader.skeleton().shapes(), extended, members_elsewhere(symbols))
    spots: dict[int, Spot] = {}
    members: dict[int, list[Symbol]] = {}
    wholes: dict[int, Symbol] = {}
    declared: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        if symbol.kind is SymbolKind.MODULE:
            continue
        unit = units.of(symbol.id)
        if unit == symbol.id:
            spots[unit] = Spot(name_of(symbol), symbol.path, symbol.line)
        own = not int(rows[symbol.path].file.roles) & int(_ASIDE)
        if is_whole(symbol.kind):
            if own:
                wholes[symbol.id] = symbol
            if symbol.parent is not None and not units.is_outermost(symbol.id):
                members.setdefault(units.of(symbol.parent), []).append(symbol)
        elif symbol.kind is not SymbolKind.EXTENSION and unit != symbol.id and units.has_member(unit, symbol.id):
            members.setdefault(unit, []).append(symbol)
        is_outer = unit == symbol.id and units.is_outermost(symbol.id)
        if own and is_outer and (small or rows[symbol.path].file.size >= LARGE_FILE):
            declared.setdefault(symbol.path, []).append(symbol)
    types = {id_: symbol for id_, symbol in wholes.items() if small or len(members.get(id_, ())) >= LARGE_TYPE}
    return _Known(rows, spots, types, members, declared, units)


def name_of(symbol: Symbol) -> str:
    return symbol.qualified.partition("(")[0] or symbol.name


def _member(symbol: Symbol, counts: Mapping[int, int]) -> Member:
    spot = Spot(symbol.name, symbol.path, symbol.line)
    return Member(spot, symbol.kind, symbol.signature, symbol.doc, not symbol.modifiers & Modifier.PRIVATE, counts.get(symbol.id, 0).bit_length())


# ---------------------------------------------------------------------------------------------------------------- edges


def _tie(reader: GraphReader, known: _Known) -> tuple[Mapping[int, _Ties], Mapping[str, _Ties], Mapping[int, int]]:
    """Ties of the types, ties of the files, and how often each symbol is used from outside of its unit."""
    unit_of = known.units.of
    types = {id_: _Ties() for id_ in known.types}
    files = {path: _Ties() for path in known.declared}
    counts: dict[int, int] = {}
    aside = {path for path, row in known.rows.items() if int(row.file.roles) & int(_ASIDE)}
    for source, target in _pairs(reader, _USES):
        user, used = unit_of(source), unit_of(target)
        if user == used or user not in known.spots or used not in known.spots:
            continue
        here, there = known.spots[user].path, known.spots[used].path
        is_aside = here in aside
        if not is_aside:
            counts[target] = counts.get(target, 0) + 1
            users = (types.get(user), files.get(here) if here != there else None)
            for ties in users if there not in aside else ():  # code has no use for its own tests: such an edge took a name for another
                if ties is not None:
                    _count(ties.uses, used)
        for ties in (types.get(used), files.get(there) if here != there else None):
            if ties is not None:
                if is_aside:
                    ties.is_tested |= bool(int(known.rows[here].file.roles) & int(FileRole.TEST))
                else:
                    _count(ties.used_by, user)
    for source, target in _pairs(reader, (EdgeKind.INHERIT,)):
        user, used = unit_of(source), unit_of(target)
        if used in types and user != used and user in known.spots and known.spots[user].path not in aside:
            _count(types[used].subtypes, user)
    return types, files, counts


def _pairs(reader: GraphReader, kinds: Collection[EdgeKind]) -> Iterator[tuple[int, int]]:
    """Source and target of every edge of these kinds that is no guess."""
    found = reader.pairs(kinds)
    sure = found.confidences >= SURE
    return zip(found.sources[sure].tolist(), found.targets[sure].tolist(), strict=True)


def _count(counted: dict[int, int], unit: int) -> None:
    counted[unit] = counted.get(unit, 0) + 1


class _Naming:
    """Units as they are named: those that are used most first."""

    def __init__(self, known: _Known) -> None:
        self._spots = known.spots
        self._encloses = known.units.encloses

    def first(self, counted: Mapping[int, int], *, without: int | None = None) -> tuple[Spot, ...]:
        """``without`` leaves out what encloses it and what it encloses: that is no use."""
        chosen = counted if without is None else [each for each in counted if not (self._encloses(without, each) or self._encloses(each, without))]
        ordered = sorted(chosen, key=lambda each: (-counted[each].bit_length(), self._spots[each].name, self._spots[each].path, each))
        return tuple({self._spots[each].name: self._spots[each] for each in reversed(ordered)}.values())[::-1]


# ------------------------------------------------------------------------------------------- modules and the repository


def _repository(reader: GraphReader, known: _Known, own: Sequence[ModuleSummary]) -> Material:
    tops = [path for path in known.rows if "/" not in path and path.lower().startswith("readme.")]
    tops.sort(key=lambda path: (not path.endswith(".md"), path))
    central = [symbol for module in own for symbol in module.central[:2]]
    return Material(
        Subject.REPOSITORY,
        "",
        "",
        "",
        _first_said(reader, known, tops),
        members=tuple(_member(symbol, {}) for symbol in central),
        modules=tuple(module.name for module in own),
        entries=tuple(Spot(name_of(symbol), symbol.path, symbol.line) for module in own for symbol in module.entry_points),
        files=sum(module.files for module in own),
        weight=1 << 40,  # described before all else
    )


def _module(reader: GraphReader, known: _Known, module: ModuleSummary, own: Sequence[ModuleSummary]) -> Material:
    paths = list(dict.fromkeys(symbol.path for symbol in (*module.entry_points, *module.central)))
    folder = paths[0].rpartition("/")[0] if paths else ""
    speaking = [f"{folder}/{name}" for name in _SPEAKING] if folder else []
    central = [symbol for part in module.parts for symbol in part.central[:2]] or list(module.central)
    return Material(
        Subject.MODULE,
        module.name,
        "",
        "",
        _first_said(reader, known, [*speaking, *(paths[:1] if module.files == 1 else [])]),
        members=tuple(_member(symbol, {}) for symbol in central),
        modules=tuple(name for name, _ in module.depends_on),
        users=tuple(sorted(other.name for other in own if any(name == module.name for name, _ in other.depends_on))),
        entries=tuple(Spot(name_of(symbol), symbol.path, symbol.line) for symbol in module.entry_points),
        files=module.files,
        weight=1 << 20 | module.symbols,  # modules before what they consist of, the largest first
    )


def _first_said(reader: GraphReader, known: _Known, paths: Iterable[str]) -> str:
    return next(filter(None, (_said(reader, path, known.rows[path].file.roles) for path in paths if path in known.rows)), "")


def _said(reader: GraphReader, path: str, roles: FileRole) -> str:
    """What a file says at its top, before it declares anything."""
    chunks = [replace(chunk, text="") for chunk in reader.chunks_in([path], text=False) if chunk.symbol is None or roles & FileRole.DOCUMENT][:2]
    texts = reader.chunks([chunk.id for chunk in chunks], text=True)
    lines = sorted(
        pair
        for chunk in texts.values()
        for pair in zip((number for run in chunk.runs for number in range(run.start, run.end + 1)), chunk.text.split("\n"), strict=False)
    )
    head = telling_paragraph(lines) if roles & FileRole.DOCUMENT else head_of(lines)
    return head.text if head else ""


def _module_by_path(known: _Known, own: Sequence[ModuleSummary]) -> Callable[[str], str]:
    """The module of a file, as far as its build says."""
    names = {module.name for module in own}

    def module_of(path: str) -> str:
        name = known.rows[path].file.module
        return name if name in names else ""

    return module_of
