"""The calls of ``gateway.proto``, answered for one visit at a time, whatever door it came through: messages in, messages out, blocking code.

Every repository is named by way of the visit, so what a caller may not read does not exist here.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from exegesis.errors import NotFound, NotIndexed, Unavailable, UsageError
from exegesis.model import Hub, ModuleSummary, Options, Question, Relation, Repository, StageReport
from exegesis.ports import Catalog
from exegesis.rpc.identity import current_request
from exegesis.v1 import gateway_pb2, indexer_pb2, model_pb2, query_pb2
from exegesis.wire import from_message, to_message
from services.gateway.access import Visit
from services.gateway.bounds import check_name, check_question
from services.gateway.follow import follow
from services.gateway.graph_questions import ask_paths, ask_relations_everywhere, ask_whole
from services.gateway.listing import page_of
from services.gateway.relay import explain_in_messages
from services.graph.api import Crossing, GraphService, Pin
from services.indexer.api import IndexerService, IndexOptions, IndexReport, Report, Status
from services.indexer.git_address import is_remote
from services.query.api import Composition, OutlineAnswer, QueryService, SearchAnswer

Timed = TypeVar("Timed", Composition, OutlineAnswer, SearchAnswer)


MOST_RUNS: Final = 2
"""Index runs at one time: each parses on all cores. Further ones are told to come back."""
MOST_WATCHED: Final = 50
"""Likewise where workers run them: each watcher costs a thread that looks into the ledger four times a second."""


class Calls:
    """Usable from several threads.

    Args:
        catalog: Which repositories there are, and which generation of each answers.
        indexer: Brings indexes up to date.
        graph: Answers about calls.
        query: Answers questions.
        on_stage: Hears how long each stage of an answer took.
        most_runs: Index runs that may be waited for at one time.

    """

    def __init__(
        self,
        catalog: Catalog,
        indexer: IndexerService,
        graph: GraphService,
        query: QueryService,
        *,
        on_stage: Callable[[StageReport], None],
        most_runs: int = MOST_RUNS,
    ) -> None:
        self._catalog = catalog
        self._indexer = indexer
        self._graph = graph
        self._query = query
        self._on_stage = on_stage
        self._most_runs = most_runs
        self._runs = threading.BoundedSemaphore(most_runs)

    # ---- questions

    def explain(self, visit: Visit, request: gateway_pb2.Asked, cancelled: threading.Event) -> Iterator[model_pb2.Event]:
        """Events with their place in the stream; the language model hears of ``cancelled`` within a second."""
        question = self._question(visit, request)
        for seq, message in enumerate(explain_in_messages(self._query, question, cancelled), 1):
            if message.WhichOneof("event") == "stage_finished":
                self._on_stage(from_message(message.stage_finished.report, StageReport))
            message.seq, message.request_id = seq, current_request()
            yield message

    def outline(self, visit: Visit, request: gateway_pb2.Asked, cancelled: threading.Event) -> query_pb2.OutlineAnswer:
        answer = self._query.outline(self._question(visit, request), cancelled=cancelled)
        return to_message(self._timed(answer), query_pb2.OutlineAnswer)

    def search(self, visit: Visit, request: gateway_pb2.Asked, _cancelled: threading.Event) -> query_pb2.SearchAnswer:
        return to_message(self._timed(self._query.search(self._question(visit, request))), query_pb2.SearchAnswer)

    def compose(self, visit: Visit, request: gateway_pb2.Asked, _cancelled: threading.Event) -> query_pb2.Composition:
        return to_message(self._timed(self._query.compose(self._question(visit, request))), query_pb2.Composition)

    # ---- the call graph

    def callers(self, visit: Visit, request: gateway_pb2.SymbolRequest, _cancelled: threading.Event) -> gateway_pb2.RelationsResponse:
        return self._relations(visit, request, "callers")

    def callees(self, visit: Visit, request: gateway_pb2.SymbolRequest, _cancelled: threading.Event) -> gateway_pb2.RelationsResponse:
        return self._relations(visit, request, "callees")

    def impact(self, visit: Visit, request: gateway_pb2.SymbolRequest, _cancelled: threading.Event) -> gateway_pb2.RelationsResponse:
        return self._relations(visit, request, "impact")

    def find_paths(self, visit: Visit, request: gateway_pb2.FindPathsRequest, _cancelled: threading.Event) -> gateway_pb2.FindPathsResponse:
        ways = ask_paths(self._graph, self._pin(visit, request.project), check_name(request.source), check_name(request.target))
        return gateway_pb2.FindPathsResponse(paths=[gateway_pb2.GraphPath(relations=_messages(way)) for way in ways])

    def list_hubs(self, visit: Visit, request: gateway_pb2.ProjectRequest, _cancelled: threading.Event) -> gateway_pb2.ListHubsResponse:
        hubs: Sequence[Hub] = self._graph.hubs(self._pin(visit, request.project))
        return gateway_pb2.ListHubsResponse(hubs=[to_message(hub, model_pb2.Hub) for hub in hubs])

    def describe(self, visit: Visit, request: gateway_pb2.DescribeRequest, _cancelled: threading.Event) -> query_pb2.DescribeResponse:
        found = self._query.describe(self._pin(visit, request.project).repository, check_name(request.about))
        return query_pb2.DescribeResponse(descriptions=[to_message(each, model_pb2.Description) for each in found])

    def describe_modules(self, visit: Visit, request: gateway_pb2.ProjectRequest, _cancelled: threading.Event) -> gateway_pb2.DescribeModulesResponse:
        modules: Sequence[ModuleSummary] = self._graph.map(self._pin(visit, request.project))
        return gateway_pb2.DescribeModulesResponse(modules=[to_message(module, model_pb2.ModuleSummary) for module in modules])

    def only_through(self, visit: Visit, request: gateway_pb2.SymbolRequest, _cancelled: threading.Event) -> model_pb2.OnlyThrough:
        found = ask_whole(self._graph, self._pin(visit, request.project), check_name(request.symbol), self._graph.only_through)
        return to_message(found, model_pb2.OnlyThrough)

    def always_with(self, visit: Visit, request: gateway_pb2.SymbolRequest, _cancelled: threading.Event) -> gateway_pb2.AlwaysWithResponse:
        found = ask_whole(self._graph, self._pin(visit, request.project), check_name(request.symbol), self._graph.always_with)
        return gateway_pb2.AlwaysWithResponse(companions=[to_message(each, model_pb2.Companion) for each in found])

    def list_cycles(self, visit: Visit, request: gateway_pb2.ProjectRequest, _cancelled: threading.Event) -> gateway_pb2.ListCyclesResponse:
        found = self._graph.cycles(self._pin(visit, request.project))
        return gateway_pb2.ListCyclesResponse(cycles=[to_message(each, model_pb2.Cycle) for each in found])

    def list_dead_ends(self, visit: Visit, request: gateway_pb2.ProjectRequest, _cancelled: threading.Event) -> gateway_pb2.ListDeadEndsResponse:
        found = self._graph.dead_ends(self._pin(visit, request.project))
        return gateway_pb2.ListDeadEndsResponse(symbols=[to_message(each, model_pb2.Symbol) for each in found])

    def list_entry_points(
        self, visit: Visit, request: gateway_pb2.ProjectRequest, _cancelled: threading.Event
    ) -> gateway_pb2.ListEntryPointsResponse:
        found = self._graph.entry_points(self._pin(visit, request.project))
        return gateway_pb2.ListEntryPointsResponse(entry_points=[to_message(each, model_pb2.EntryPoint) for each in found])

    # ---- repositories

    def list_repositories(
        self, visit: Visit, request: gateway_pb2.ListRepositoriesRequest, _cancelled: threading.Event
    ) -> gateway_pb2.ListRepositoriesResponse:
        found = [status for repository in visit.choose(request.projects) for status in self._indexer.status(repository.id)]
        return gateway_pb2.ListRepositoriesResponse(repositories=[to_message(_shown_status(visit, status), indexer_pb2.Status) for status in found])

    def list_files(self, visit: Visit, request: gateway_pb2.ListFilesRequest, _cancelled: threading.Event) -> gateway_pb2.ListFilesResponse:
        repository = visit.find(request.project)
        page, more = page_of(self._indexer.files(repository.id), request.after)
        return gateway_pb2.ListFilesResponse(files=[to_message(file, model_pb2.SourceFile) for file in page], more=more)

    def index_repository(
        self, visit: Visit, request: gateway_pb2.IndexRepositoryRequest, cancelled: threading.Event
    ) -> Iterator[indexer_pb2.IndexEvent]:
        """Progress, then the report. Whoever stops listening stops the run, which the next one takes up."""
        root = self._root_to_index(visit, request.project)
        options = from_message(request.options, IndexOptions)
        if options.index_store not in {"", "auto", "none"} and not visit.reach.grants.admin:
            raise UsageError("`index_store` names a folder of the machine that indexes.", hint="Leave it out, or give `auto` or `none`.")
        if not self._runs.acquire(blocking=False):
            raise Unavailable(f"{self._most_runs} repositories are being indexed already.", hint="Come back when one of them has finished.")

        def work(report: Report) -> IndexReport:
            try:
                return self._indexer.index(root, options, report, cancelled=cancelled)
            finally:
                self._runs.release()

        for said in follow(work, cancelled):
            if isinstance(said, IndexReport):
                visit.note(said.repository)
                shown = replace(said, repository=_shown(visit, said.repository))
                yield indexer_pb2.IndexEvent(report=to_message(shown, indexer_pb2.IndexReport))
            else:
                yield indexer_pb2.IndexEvent(progress=to_message(said, model_pb2.Progress))

    def remove_repositories(
        self, visit: Visit, request: gateway_pb2.RemoveRepositoriesRequest, _cancelled: threading.Event
    ) -> gateway_pb2.RemoveRepositoriesResponse:
        if not request.projects:
            raise UsageError("Name the repositories to remove.")
        repositories = visit.choose(request.projects)
        visit.reach.require_admin("remove repositories")
        for repository in repositories:
            self._indexer.remove(repository.id)
        return gateway_pb2.RemoveRepositoriesResponse()

    # ---- evidence

    def get_evidence(self, visit: Visit, request: gateway_pb2.GetEvidenceRequest, _cancelled: threading.Event) -> gateway_pb2.GetEvidenceResponse:
        repository = visit.find(request.repository)
        lines = self._query.evidence(repository.id, request.generation, request.path, request.start, request.end)
        return gateway_pb2.GetEvidenceResponse(lines=lines)

    # ---- pieces

    def _question(self, visit: Visit, request: gateway_pb2.Asked) -> Question:
        options = from_message(request.options, Options)
        check_question(request.text, options)
        chosen = visit.reach.choose(request.projects)
        if not request.projects:  # what is not indexed yet does not keep the rest from answering
            chosen = tuple(repository for repository in chosen if self._catalog.head(repository.id) is not None)
        if not chosen:
            raise NotFound("There is no indexed repository that you may read.")
        return Question(request.text, tuple(visit.note(repository).id for repository in chosen), options)

    def _pin(self, visit: Visit, project: str) -> Pin:
        repository = visit.find(project)
        head = self._catalog.head(repository.id)
        if head is None:
            raise NotIndexed(f"{repository.name} is not indexed yet.")
        return Pin(repository.id, head.id)

    def _relations(self, visit: Visit, request: gateway_pb2.SymbolRequest, question: Crossing) -> gateway_pb2.RelationsResponse:
        """In the repository, and then in the others that the caller may read."""
        pin, symbol = self._pin(visit, request.project), check_name(request.symbol)
        found, others = ask_relations_everywhere(self._graph, self._catalog, pin, symbol, question, readable=visit.reach.readable)
        for repository in others:
            visit.note(repository)
        return gateway_pb2.RelationsResponse(relations=_messages(found))

    def _root_to_index(self, visit: Visit, project: str) -> str:
        """Of a registered repository; an administrator may also name a folder of this machine, or an address, that is none yet."""
        try:
            repository = visit.reach.find_to_index(project)
        except NotFound:
            # Where a gateway was started is nobody's business, so a folder is named in full; addresses are judged by whoever fetches from them.
            # An indexer that fetches nothing takes even an address for a folder, where there is one.
            is_named_in_full = Path(project).is_absolute() or (is_remote(project) and not os.path.isdir(project))  # noqa: PTH112 - pathlib raises for what can be no path
            if not (visit.reach.grants.admin and is_named_in_full):
                raise
            return project
        if not repository.root:
            raise UsageError(f"{repository.name} has no folder on this machine.")
        return visit.note(repository).root

    def _timed(self, answer: Timed) -> Timed:
        for report in answer.stages:
            self._on_stage(report)
        return answer


def _messages(relations: Iterable[Relation]) -> list[model_pb2.Relation]:
    return [to_message(relation, model_pb2.Relation) for relation in relations]


def _shown(visit: Visit, repository: Repository) -> Repository:
    """Where a repository lies on this machine is for those who run it."""
    return repository if visit.reach.grants.admin else replace(repository, root="")


def _shown_status(visit: Visit, status: Status) -> Status:
    """Likewise where its index stores lie, which their problems say as well, and in what could not be looked at."""
    shown = replace(status, repository=_shown(visit, status.repository))
    if status.problem and not visit.reach.grants.admin:
        shown = replace(shown, problem=status.problem.replace(status.repository.root, status.repository.name))
    if status.exact is None or visit.reach.grants.admin:
        return shown
    return replace(shown, exact=replace(status.exact, stores=tuple("" for _ in status.exact.stores), problems=()))
