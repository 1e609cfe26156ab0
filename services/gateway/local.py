"""The gateway's promise kept in this process: finds projects, brings their index up to date, and passes questions on."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from exegesis.errors import Conflict, NotFound, NotIndexed, Unavailable, UsageError
from exegesis.model import (
    Companion,
    Cycle,
    Description,
    EntryPoint,
    Event,
    Hub,
    ModuleSummary,
    OnlyThrough,
    Progress,
    Question,
    Relation,
    Repository,
    SourceFile,
    Symbol,
)
from exegesis.ports import Catalog
from services.gateway.api import Asked
from services.gateway.graph_questions import ask_paths, ask_relations_everywhere, ask_whole
from services.graph.api import Crossing, GraphService, Pin
from services.indexer.api import IndexerService, IndexOptions, IndexReport, Report, Status
from services.query.api import Composition, OutlineAnswer, QueryService, SearchAnswer


class LocalGateway:
    """``Gateway`` for one person on one machine: everything that is indexed may be asked.

    The query service comes as a function, because bringing an index up to date needs none and it is costly to build.
    """

    def __init__(self, catalog: Catalog, indexer: IndexerService, graph: GraphService, query: Callable[[], QueryService]) -> None:
        self._catalog = catalog
        self._indexer = indexer
        self._graph = graph
        self._query = query

    # ---- indexes

    def index(self, path: str, options: IndexOptions, report: Report, *, cancelled: threading.Event | None = None) -> IndexReport:
        return self._indexer.index(path, options, report, cancelled=cancelled)

    def watch(self, path: str, options: IndexOptions, report: Report, *, cancelled: threading.Event) -> None:
        self._indexer.watch(path, options, report, cancelled=cancelled)

    def prepare(
        self, projects: Sequence[str], report: Report, *, include_dependencies: bool = False, index_store: str = ""
    ) -> tuple[Repository, ...]:
        options = IndexOptions(include_dependencies=include_dependencies, embed=False, index_store=index_store, describe=False)
        return tuple(self._ready(project, options, report) for project in projects or (".",))

    def status(self, projects: Sequence[str]) -> Sequence[Status]:
        if not projects:
            return self._indexer.status()
        return [status for project in projects for status in self._indexer.status(self._find(project).id)]

    def files(self, project: str) -> Sequence[SourceFile]:
        repository = self._find(project)
        if not self._is_known(repository):
            raise NotIndexed(f"{repository.name} is not indexed.")
        return self._indexer.files(repository.id)

    def remove(self, projects: Sequence[str]) -> None:
        for repository in [self._find(project) for project in projects or (".",)]:
            if not self._is_known(repository):
                raise NotIndexed(f"Nothing is kept about {repository.name}.", hint="`exegesis status` lists what is indexed.")
            self._indexer.remove(repository.id)

    # ---- questions

    def explain(self, asked: Asked, *, cancelled: threading.Event | None = None) -> Iterator[Event]:
        return self._query().explain(self._question(asked), cancelled=cancelled)

    def outline(self, asked: Asked) -> OutlineAnswer:
        return self._query().outline(self._question(asked))

    def search(self, asked: Asked) -> SearchAnswer:
        return self._query().search(self._question(asked))

    def compose(self, asked: Asked) -> Composition:
        return self._query().compose(self._question(asked))

    # ---- the call graph

    def callers(self, project: str, symbol: str) -> Sequence[Relation]:
        return self._relations(project, symbol, "callers")

    def callees(self, project: str, symbol: str) -> Sequence[Relation]:
        return self._relations(project, symbol, "callees")

    def impact(self, project: str, symbol: str) -> Sequence[Relation]:
        return self._relations(project, symbol, "impact")

    def path(self, project: str, source: str, target: str) -> Sequence[Sequence[Relation]]:
        return ask_paths(self._graph, self._pin(project), source, target)

    def hubs(self, project: str) -> Sequence[Hub]:
        return self._graph.hubs(self._pin(project))

    def describe(self, project: str, about: str) -> Sequence[Description]:
        return self._query().describe(self._pin(project).repository, about)

    def map(self, project: str) -> Sequence[ModuleSummary]:
        return self._graph.map(self._pin(project))

    def only_through(self, project: str, symbol: str) -> OnlyThrough:
        return ask_whole(self._graph, self._pin(project), symbol, self._graph.only_through)

    def always_with(self, project: str, symbol: str) -> Sequence[Companion]:
        return ask_whole(self._graph, self._pin(project), symbol, self._graph.always_with)

    def cycles(self, project: str) -> Sequence[Cycle]:
        return self._graph.cycles(self._pin(project))

    def dead_ends(self, project: str) -> Sequence[Symbol]:
        return self._graph.dead_ends(self._pin(project))

    def entry_points(self, project: str) -> Sequence[EntryPoint]:
        return self._graph.entry_points(self._pin(project))

    # ---- finding things

    def _ready(self, project: str, options: IndexOptions, report: Report) -> Repository:
        """The repository of a project, brought up to date without vectors: a question embeds what it needs, and does not wait for the rest.

        While somebody else is writing the index, or nothing can be written (a full disk, a folder that may only be read), the head that there is
        answers.
        """
        repository = self._find(project)
        if repository.root and Path(repository.root).is_dir():
            try:
                return self._indexer.index(repository.root, options, report).repository
            except (Conflict, Unavailable) as error:
                if self._catalog.head(repository.id) is None:
                    raise
                why = (
                    "another run is writing the index" if isinstance(error, Conflict) else f"the index cannot be brought up to date ({error.message})"
                )
                report(Progress(f"warning: {why}: answering from the last finished one", 0, 0))
                return repository
        if self._catalog.head(repository.id) is None:
            raise NotFound(f"{project} is not a folder any more, and nothing of it is indexed.")
        return repository

    def _question(self, asked: Asked) -> Question:
        if not asked.text.strip():
            raise UsageError("The question is empty.", hint='Ask something, such as "How does a token get refreshed?".')
        repositories = tuple(dict.fromkeys(self._find(project).id for project in asked.projects or (".",)))
        return Question(asked.text, repositories, asked.options)

    def _find(self, project: str) -> Repository:
        """A folder, or else the name, identifier or former folder of a registered repository."""
        if not project or os.path.isdir(project):  # noqa: PTH112 - pathlib raises for what can be no path
            return self._indexer.locate(project)
        known = self._catalog.repositories()
        try:
            place = os.path.realpath(project)
        except ValueError:  # a NUL, or half a character
            raise UsageError("The name of the project holds a character that no name has.", hint="`exegesis status` lists what is indexed.") from None
        named = [repository for repository in known if project in {repository.id, repository.name} or repository.root == place]
        if len(named) == 1:
            return named[0]
        if named:
            places = ", ".join(repository.root or repository.id for repository in named)
            raise UsageError(f"Several projects are called {project}: {places}.", hint="Give the folder instead of the name.")
        names = ", ".join(sorted({repository.name for repository in known})) or "none yet"
        raise NotFound(f"There is no folder and no indexed project {project!r}.", hint=f"Indexed projects: {names}.")

    def _is_known(self, repository: Repository) -> bool:
        return any(known.id == repository.id for known in self._catalog.repositories())

    def _relations(self, project: str, symbol: str, question: Crossing) -> Sequence[Relation]:
        """In the project, and then in the others that are indexed."""
        readable = self._catalog.repositories()
        found, _ = ask_relations_everywhere(self._graph, self._catalog, self._pin(project), symbol, question, readable=readable)
        return found

    def _pin(self, project: str) -> Pin:
        repository = self._find(project)
        head = self._catalog.head(repository.id)
        if head is None:
            raise NotIndexed(f"{repository.name} is not indexed.")
        return Pin(repository.id, head.id)
