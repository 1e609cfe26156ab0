"""The promise of the graph service: build a graph generation from facts, and answer about finished ones.

``Pin`` names the generation that a whole question reads. Mirrors ``proto/exegesis/v1/graph.proto``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from exegesis.model import (
    Chunk,
    Companion,
    Cycle,
    Description,
    Edge,
    EntryPoint,
    ExactFacts,
    FileFacts,
    Hub,
    ModuleSummary,
    OnlyThrough,
    Relation,
    SourceFile,
    Span,
    Symbol,
    Unresolved,
)
from exegesis.ports import Degrees, FileRow, LexicalStatistics


@dataclass(frozen=True, slots=True)
class Pin:
    """One generation of one repository."""

    repository: str
    generation: str


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a finished generation holds, and what changed against its basis."""

    symbols: int
    edges: int
    chunks: int
    statistics: LexicalStatistics
    unresolved: int
    external: int
    relinked_files: int


class Direction(StrEnum):
    CALLERS = "callers"
    CALLEES = "callees"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Beside:
    """Another repository that may be asked, and what people call it."""

    name: str
    pin: Pin


Crossing = Literal["callers", "callees", "impact"]
"""Questions whose answers go on in other repositories."""


class GraphReading(Protocol):
    """What questions read of finished generations. Nothing of it changes, so whoever has read it may keep it."""

    def files(self, pin: Pin, paths: Sequence[str] | None = None) -> Sequence[FileRow]: ...
    def symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Symbol]: ...
    def symbols_in(self, pin: Pin, paths: Sequence[str]) -> Sequence[Symbol]: ...
    def symbols_at(self, pin: Pin, places: Mapping[str, Sequence[Span]]) -> Sequence[Symbol]:
        """Symbols whose names stand on these lines of these files, by path and line: what a piece of code declares."""
        ...

    def symbols_named(self, pin: Pin, names: Sequence[str]) -> Sequence[Symbol]: ...
    def find(self, pin: Pin, pattern: str) -> Sequence[Symbol]:
        """Symbols that a person may mean by ``request``, ``Session.request``, ``Session.request(_:method:)`` or ``path:line``, best first."""
        ...

    def chunks(self, pin: Pin, ids: Sequence[int], *, text: bool = False) -> Mapping[int, Chunk]: ...
    def chunks_in(self, pin: Pin, paths: Sequence[str], *, text: bool = False) -> Sequence[Chunk]: ...
    def chunks_of_symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]: ...
    def terms(self, pin: Pin, chunks: Sequence[int] | None = None) -> Iterator[tuple[int, str, bytes]]: ...
    def vocabulary(self, pin: Pin, terms: Sequence[int]) -> Mapping[int, tuple[int, int]]: ...
    def statistics(self, pin: Pin) -> LexicalStatistics: ...
    def edges(self, pin: Pin, ids: Sequence[int], direction: Direction, *, per_node: int = 16) -> Sequence[Edge]: ...
    def degrees(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Degrees]: ...
    def hubs(self, pin: Pin, *, limit: int = 20) -> Sequence[Hub]: ...
    def map(self, pin: Pin) -> Sequence[ModuleSummary]: ...
    def descriptions(self, pin: Pin, *, small: bool = False) -> Sequence[Description]:
        """What is large, in a few sentences each: the repository, its modules, files, types, in this order and by place. Made from declarations
        and edges alone, so a function of the content; ``small`` takes in every type and file of the project's own code.
        """
        ...


class GraphService(GraphReading, Protocol):
    # ---- building; one generation is built by one caller at a time

    def begin(self, pin: Pin, *, basis: str | None) -> None:
        """Start a generation aside, as a copy of ``basis`` where one is given."""
        ...

    def write(self, pin: Pin, facts: Iterable[FileFacts], exact: Iterable[ExactFacts] = ()) -> int:
        """Add or replace the facts of files, and what a compiler recorded about files whose facts are there by then; empty facts take that away.

        Returns of how many files facts were written.
        """
        ...

    def finish(self, pin: Pin, files: Sequence[SourceFile]) -> BuildReport:
        """Take ``files`` as the whole list, drop facts of others, link what needs linking, and make the generation readable. One that is finished
        already stays as it is, and what it holds is told: whoever takes over from the dead need not begin anew. Raises ``NotIndexed`` where it was
        neither begun nor finished.
        """
        ...

    def share(self, pin: Pin, generation: str) -> None:
        """Make a finished generation readable under a further identifier, without copying where the store allows it."""
        ...

    def abort(self, pin: Pin) -> None: ...
    def delete(self, pin: Pin) -> None: ...
    def stored(self, repository: str) -> Sequence[str]:
        """Identifiers of all generations on disk, finished or not."""
        ...

    # ---- further reading

    def unresolved(self, pin: Pin, ids: Sequence[int]) -> Sequence[Unresolved]: ...

    # ---- questions

    def callers(self, pin: Pin, symbol: int) -> Sequence[Relation]: ...
    def callees(self, pin: Pin, symbol: int) -> Sequence[Relation]: ...
    def impact(self, pin: Pin, symbol: int, *, depth: int = 5, limit: int = 200) -> Sequence[Relation]:
        """Everything that reaches the symbol, nearest first, each with the edge by which it does."""
        ...

    def elsewhere(self, pin: Pin, symbols: Sequence[int], crossing: Crossing, others: Sequence[Beside]) -> Sequence[Relation]:
        """What callers, callees or impact of symbols say of other repositories, of one symbol after the other; places there begin with the name of
        the repository and a colon. Others that cannot be read are left out.
        """
        ...

    def path(self, pin: Pin, source: int, target: int, *, limit: int = 5) -> Sequence[Sequence[Relation]]:
        """Shortest ways from one symbol to another, most confident first."""
        ...

    # ---- questions about the whole graph; several symbols are the overloads of one name

    def only_through(self, pin: Pin, symbols: Sequence[int], *, limit: int = 200) -> OnlyThrough:
        """What is reached by way of these symbols and in no other way: what they dominate in the call graph, from its entry points."""
        ...

    def always_with(self, pin: Pin, symbols: Sequence[int], *, limit: int = 20) -> Sequence[Companion]:
        """What the callers of these symbols all, or nearly all, call too."""
        ...

    def cycles(self, pin: Pin, *, limit: int = 20) -> Sequence[Cycle]: ...
    def dead_ends(self, pin: Pin, *, limit: int = 500) -> Sequence[Symbol]:
        """Functions that nothing leads to, in the order of the files; silent where it cannot know."""
        ...

    def entry_points(self, pin: Pin, *, limit: int = 50) -> Sequence[EntryPoint]: ...
