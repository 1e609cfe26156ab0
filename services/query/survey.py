"""What is known about a repository as a whole, read from its map: the evidence of questions about its parts, its dependencies and where it starts.

A survey names declarations, and every one that it names is shown by a glimpse: the few lines that a reader must see to believe it. So an answer from
the map cites lines of code like any other, and a language model is given them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.heads import Head, head_of, telling_paragraph
from exegesis.model import Chunk, ChunkKind, Edge, EdgeKind, FileRole, Modifier, ModuleSummary, Symbol, SymbolKind
from services.graph.api import Direction
from services.query.corpus import Corpus, Key, owner_of

MOST_MODULES: Final = 16
"""Modules of the project's own code that are told one by one, the largest; the number of the others is."""

MOST_ENTRIES: Final = 24
CENTRAL_OF_MODULE: Final = 4
CENTRAL_OF_PART: Final = 3
MOST_EXPORTED: Final = 8
"""Procedures that a module exports and that are named; the number of all is."""

MOST_CALLS: Final = 6
"""Things that one entry point calls and that are named."""

USERS: Final = 400
"""Users of one central declaration among which an example of a dependency is looked for."""

DOC_LINES: Final = 3
"""Of the comment above a declaration: it says in its first sentence what the declaration is."""

_CALLS: Final = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT})
_USES: Final = _CALLS | {EdgeKind.ACCESS, EdgeKind.TYPE, EdgeKind.INHERIT}
_SHOWN: Final = FileRole.TEST | FileRole.EXAMPLE
_ASIDE: Final = FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.GENERATED
_HEADS: Final = ("__init__.py", "doc.go", "README.md", "README.rst", "mod.rs", "index.ts", "index.js")
"""Files that speak for the folder they lie in, the first that is there and says something."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a file says of itself."""

    path: str
    head: Head


@dataclass(frozen=True, slots=True)
class Entry:
    symbol: Symbol
    module: str
    kind: str
    """What its module is for; empty for the code of the project itself."""
    calls: tuple[tuple[Symbol, int], ...]
    """What it calls first, with the line."""


@dataclass(frozen=True, slots=True)
class Example:
    """One place that shows a dependency."""

    user: Symbol
    used: Symbol
    line: int


@dataclass(frozen=True, slots=True)
class Survey:
    repository: str
    name: str
    """As people call it."""
    modules: tuple[ModuleSummary, ...]
    """All of the map, in its order."""
    said: Mapping[str, Said]
    """By module; the empty name stands for the repository."""
    entries: tuple[Entry, ...]
    """Those of the project's own code first, then those of its examples and tests."""
    exported: Mapping[str, tuple[Symbol, ...]]
    """Of modules without an entry point what others call of them, most used first."""
    examples: Mapping[tuple[str, str], Example]
    """By module and the module that it depends on."""

    @property
    def own(self) -> tuple[ModuleSummary, ...]:
        """The code of the project itself, as far as it is told."""
        return tuple(module for module in self.modules if not module.kind)[:MOST_MODULES]

    def glimpses(self) -> Mapping[str, Mapping[int, None]]:
        """The lines by which everything that the survey names is shown: by path, the most important first."""
        found: dict[str, dict[int, None]] = {}
        for path, lines in self._shown():
            found.setdefault(path, {}).update(dict.fromkeys(lines))
        return found

    def _shown(self) -> Iterable[tuple[str, Iterable[int]]]:
        for said in self.said.values():
            yield said.path, range(said.head.lines.start, min(said.head.lines.end, said.head.lines.start + DOC_LINES) + 1)
        for entry in self.entries:
            yield entry.symbol.path, (*_top(entry.symbol), *(line for _, line in entry.calls))
        for module in self.own:
            for symbol in central_of(module):
                yield symbol.path, _top(symbol)
            for symbol in self.exported.get(module.name, ())[:MOST_EXPORTED]:
                yield symbol.path, _top(symbol)
        for example in self.examples.values():
            yield example.user.path, (example.user.line, example.line)


def central_of(module: ModuleSummary) -> tuple[Symbol, ...]:
    """The declarations by which a module is told: of each of its parts, or its own."""
    parts = [symbol for part in module.parts for symbol in part.central[:CENTRAL_OF_PART]]
    return tuple(parts) or module.central[:CENTRAL_OF_MODULE]


def _top(symbol: Symbol) -> Iterable[int]:
    """The beginning of the comment above a declaration, and the line of its name."""
    return (*range(symbol.span.start, min(symbol.span.start + DOC_LINES, symbol.line)), symbol.line)


def survey(corpus: Corpus, name: str) -> Survey:
    """Read a repository as a whole. The map is kept by the graph service; beside it this reads a few dozen files and symbols."""
    modules = tuple(corpus.graph.map(corpus.pin))
    own = [module for module in modules if not module.kind][:MOST_MODULES]
    return Survey(
        corpus.repository,
        name,
        modules,
        dict(_heads(corpus, own)),
        tuple(_entries(corpus, modules)),
        dict(_exported(corpus, own)),
        _examples(corpus, own),
    )


def _heads(corpus: Corpus, modules: Sequence[ModuleSummary]) -> Iterable[tuple[str, Said]]:
    """What the repository's README and the modules' files say of themselves."""
    rows = corpus.table.rows
    tops = sorted(
        (path for path in rows if path.count("/") == 0 and path.lower().startswith("readme.")), key=lambda path: (not path.endswith(".md"), path)
    )
    if said := next(filter(None, (_said(corpus, path) for path in tops)), None):
        yield "", said
    for module in modules:
        paths = list(dict.fromkeys(symbol.path for symbol in (*module.entry_points, *module.central)))
        folders = list(dict.fromkeys(path.rpartition("/")[0] for path in paths))
        speaking = [f"{folder}/{name}".lstrip("/") for folder in folders[:1] for name in _HEADS] + (paths[:1] if module.files == 1 else [])
        if said := next(filter(None, (_said(corpus, path) for path in speaking if path in rows and path not in tops)), None):
            yield module.name, said


def _said(corpus: Corpus, path: str) -> Said | None:
    chunks = [chunk for chunk in corpus.graph.chunks_in(corpus.pin, [path], text=True) if chunk.symbol is None or chunk.kind is ChunkKind.SECTION]
    lines = sorted(line for chunk in chunks for line in _numbered(chunk))
    head = telling_paragraph(lines) if corpus.role(path) & FileRole.DOCUMENT else head_of(lines)
    return Said(path, head) if head else None


def _numbered(chunk: Chunk) -> Iterable[tuple[int, str]]:
    numbers = (number for run in chunk.runs for number in range(run.start, run.end + 1))
    return zip(numbers, chunk.text.split("\n"), strict=False)


def _entries(corpus: Corpus, modules: Sequence[ModuleSummary]) -> Iterable[Entry]:
    found = [(module, symbol) for module in modules for symbol in module.entry_points if not corpus.role(symbol.path) & _ASIDE]
    found = sorted(found, key=lambda pair: bool(pair[0].kind))[:MOST_ENTRIES]
    nothing: Sequence[Edge] = ()
    ids = [symbol.id for _, symbol in found]
    edges = corpus.hurry.ask(lambda: corpus.graph.edges(corpus.pin, ids, Direction.CALLEES, per_node=64), nothing) if ids else ()
    called = corpus.graph.symbols(corpus.pin, sorted({edge.target for edge in edges}))
    for module, symbol in found:
        calls: dict[int, int] = {}
        for edge in sorted((edge for edge in edges if edge.source == symbol.id and edge.kind in _CALLS), key=lambda edge: (edge.line, edge.column)):
            if edge.target != symbol.id and edge.target in called:
                calls.setdefault(edge.target, edge.line)
        first = sorted(calls.items(), key=lambda call: call[1])[:MOST_CALLS]
        yield Entry(symbol, module.name, module.kind, tuple((called[target], line) for target, line in first))


def _exported(corpus: Corpus, modules: Sequence[ModuleSummary]) -> Iterable[tuple[str, tuple[Symbol, ...]]]:
    """Procedures of modules that no program is in: a service program is what it exports."""
    for module in modules:
        if module.entry_points or module.files != 1 or not module.central:
            continue
        symbols = corpus.graph.symbols_in(corpus.pin, [module.central[0].path])
        procedures = [symbol for symbol in symbols if symbol.kind is SymbolKind.PROCEDURE and symbol.modifiers & Modifier.PUBLIC]
        if procedures:
            degrees = corpus.graph.degrees(corpus.pin, [symbol.id for symbol in procedures])
            procedures.sort(key=lambda symbol: (-degrees[symbol.id].callers if symbol.id in degrees else 0, symbol.line))
            yield module.name, tuple(procedures)


def _examples(corpus: Corpus, modules: Sequence[ModuleSummary]) -> Mapping[tuple[str, str], Example]:
    """For each dependency a place that shows it: a use of something central, so that the example tells what the dependency is about."""
    wanted = {(module.name, name) for module in modules for name, _ in module.depends_on}
    needed = {name for _, name in wanted}
    home = {symbol.id: module.name for module in modules if module.name in needed for symbol in (*module.central, *central_of(module))}
    nothing: Sequence[Edge] = ()
    edges = corpus.hurry.ask(lambda: corpus.graph.edges(corpus.pin, sorted(home), Direction.CALLERS, per_node=USERS), nothing) if home else ()
    users = corpus.graph.symbols(corpus.pin, sorted({edge.source for edge in edges}))
    used = corpus.graph.symbols(corpus.pin, sorted({edge.target for edge in edges}))
    area = _area_by_path(modules, [symbol for symbol in users.values() if not corpus.role(symbol.path) & _SHOWN])
    found: dict[tuple[str, str], Example] = {}
    for edge in sorted(edges, key=lambda edge: (edge.kind not in _CALLS, -edge.confidence, edge.source, edge.line)):
        if edge.kind not in _USES or edge.source not in users or edge.target not in used:
            continue
        pair = (area.get(users[edge.source].path, ""), home[edge.target])
        if pair in wanted:
            found.setdefault(pair, Example(users[edge.source], used[edge.target], edge.line))
    return found


def _area_by_path(modules: Sequence[ModuleSummary], users: Iterable[Symbol]) -> Mapping[str, str]:
    """The module of a user, as far as the map tells: that of a declaration of the same file, else of the same folder."""
    of_file = {symbol.path: module.name for module in modules for symbol in (*module.entry_points, *central_of(module), *module.central)}
    of_folder: dict[str, set[str]] = {}
    for path, name in of_file.items():
        of_folder.setdefault(path.rpartition("/")[0], set()).add(name)
    found = dict(of_file)
    for symbol in users:
        names = of_folder.get(symbol.path.rpartition("/")[0], set())
        if symbol.path not in found and len(names) == 1:
            found[symbol.path] = next(iter(names))
    return found


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What of a chunk is shown because the survey names it."""

    chunk: Chunk
    """Without its text."""
    lines: frozenset[int]
    """Empty for all of it."""
    why: str


def glimpses(corpus: Corpus, known: Survey) -> dict[Key, Glimpse]:
    """The chunks that show what a survey names, the most important first. Sections of documents are shown as they would be without it."""
    wanted = known.glimpses()
    chunks: dict[str, list[Chunk]] = {}
    for chunk in corpus.graph.chunks_in(corpus.pin, sorted(path for path in wanted if path in corpus.table.rows)):
        chunks.setdefault(chunk.path, []).append(chunk)
    found: dict[Key, tuple[Chunk, set[int]]] = {}
    for path, lines in wanted.items():
        for line in lines:
            owner = owner_of(chunks.get(path, ()), line)
            if owner is not None:
                found.setdefault((corpus.repository, owner.id), (owner, set()))[1].add(line)
    why = f"stands on the map of {known.name}"
    return {key: Glimpse(chunk, frozenset() if chunk.kind is ChunkKind.SECTION else frozenset(lines), why) for key, (chunk, lines) in found.items()}
