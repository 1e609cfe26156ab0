"""What can be called, as a table: one row per method of ``gateway.proto``, read by both doors and by the OpenAPI document.

A new call is a method in the contract, a function in :mod:`services.gateway.calls`, a row here and a line in :mod:`services.gateway.remote`.

A command that asks it is more: a method of :mod:`services.gateway.api`, kept in :mod:`services.gateway.local` and :mod:`services.gateway.elsewhere`;
how it is typed (:mod:`services.gateway.arguments`); its answer in JSON (:mod:`services.gateway.documents`) and for people
(:mod:`services.gateway.render`); and what joins these, in :mod:`services.gateway.cli` or, for the call graph, :mod:`services.gateway.graph_command`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from exegesis.v1 import gateway_pb2, indexer_pb2, model_pb2, query_pb2
from services.gateway.access import Visit
from services.gateway.calls import Calls

if TYPE_CHECKING:
    from google.protobuf.message import Message

SERVICE: Final = "exegesis.v1.Gateway"

Body = Callable[[Calls, Visit, Any, threading.Event], Any]
"""Answers with a message, or an iterator of them, and may look whether it is still waited for."""


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    """In the contract."""
    route: str
    """Over HTTP, where it is a POST."""
    body: Body
    request: type[Message]
    answer: type[Message]
    """Of a stream: each of its messages."""
    seconds: float
    """That it may take."""
    summary: str
    whole: tuple[str, ...] = ()
    """Where the last message of a stream holds the whole answer, for those who do not want a stream; empty for what is none."""

    @property
    def streams(self) -> bool:
        return bool(self.whole)


_ANSWER: Final = 900.0
"""A language model writes for two minutes at most by default, and a slow one may be allowed more."""
_LOOKUP: Final = 60.0
"""Hundredths of a second, and seconds where candidates are embedded first."""
_RUN: Final = 6 * 3600.0
"""The largest repositories take minutes, and their vectors hours without a graphics card."""

OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "Explain",
        "/v1/explain",
        Calls.explain,
        gateway_pb2.Asked,
        model_pb2.Event,
        _ANSWER,
        "Explain how something works, every statement tied to its lines.",
        whole=("finished", "answer"),
    ),
    Operation(
        "Outline",
        "/v1/outline",
        Calls.outline,
        gateway_pb2.Asked,
        query_pb2.OutlineAnswer,
        _ANSWER,
        "The steps of a flow in the order in which they happen.",
    ),
    Operation("Search", "/v1/search", Calls.search, gateway_pb2.Asked, query_pb2.SearchAnswer, _LOOKUP, "Ranked places, without an explanation."),
    Operation(
        "Compose",
        "/v1/compose",
        Calls.compose,
        gateway_pb2.Asked,
        query_pb2.Composition,
        _LOOKUP,
        "The context that an explanation would be written from.",
    ),
    Operation(
        "Callers", "/v1/graph/callers", Calls.callers, gateway_pb2.SymbolRequest, gateway_pb2.RelationsResponse, _LOOKUP, "Who calls a symbol."
    ),
    Operation(
        "Callees", "/v1/graph/callees", Calls.callees, gateway_pb2.SymbolRequest, gateway_pb2.RelationsResponse, _LOOKUP, "What a symbol calls."
    ),
    Operation(
        "Impact",
        "/v1/graph/impact",
        Calls.impact,
        gateway_pb2.SymbolRequest,
        gateway_pb2.RelationsResponse,
        _LOOKUP,
        "Everything that reaches a symbol, nearest first.",
    ),
    Operation(
        "FindPaths",
        "/v1/graph/paths",
        Calls.find_paths,
        gateway_pb2.FindPathsRequest,
        gateway_pb2.FindPathsResponse,
        _LOOKUP,
        "Shortest ways from one symbol to another.",
    ),
    Operation(
        "ListHubs",
        "/v1/graph/hubs",
        Calls.list_hubs,
        gateway_pb2.ProjectRequest,
        gateway_pb2.ListHubsResponse,
        _LOOKUP,
        "The symbols that most else refers to.",
    ),
    Operation(
        "Describe",
        "/v1/describe",
        Calls.describe,
        gateway_pb2.DescribeRequest,
        query_pb2.DescribeResponse,
        _LOOKUP,
        "What a type, a file, a module or the repository is, in a few sentences.",
    ),
    Operation(
        "DescribeModules",
        "/v1/graph/modules",
        Calls.describe_modules,
        gateway_pb2.ProjectRequest,
        gateway_pb2.DescribeModulesResponse,
        _LOOKUP,
        "Modules, what they depend on, and where the program starts.",
    ),
    Operation(
        "OnlyThrough",
        "/v1/graph/only-through",
        Calls.only_through,
        gateway_pb2.SymbolRequest,
        model_pb2.OnlyThrough,
        _LOOKUP,
        "What is reachable only by way of a symbol.",
    ),
    Operation(
        "AlwaysWith",
        "/v1/graph/always-with",
        Calls.always_with,
        gateway_pb2.SymbolRequest,
        gateway_pb2.AlwaysWithResponse,
        _LOOKUP,
        "What is called wherever a symbol is, by the same callers.",
    ),
    Operation(
        "ListCycles",
        "/v1/graph/cycles",
        Calls.list_cycles,
        gateway_pb2.ProjectRequest,
        gateway_pb2.ListCyclesResponse,
        _LOOKUP,
        "Symbols that call each other in circles.",
    ),
    Operation(
        "ListDeadEnds",
        "/v1/graph/dead-ends",
        Calls.list_dead_ends,
        gateway_pb2.ProjectRequest,
        gateway_pb2.ListDeadEndsResponse,
        _LOOKUP,
        "Functions that nothing leads to.",
    ),
    Operation(
        "ListEntryPoints",
        "/v1/graph/entry-points",
        Calls.list_entry_points,
        gateway_pb2.ProjectRequest,
        gateway_pb2.ListEntryPointsResponse,
        _LOOKUP,
        "Where control comes into the project.",
    ),
    Operation(
        "ListRepositories",
        "/v1/repositories/list",
        Calls.list_repositories,
        gateway_pb2.ListRepositoriesRequest,
        gateway_pb2.ListRepositoriesResponse,
        _LOOKUP,
        "The repositories that the caller may read, with what is indexed of each.",
    ),
    Operation(
        "ListFiles",
        "/v1/repositories/files",
        Calls.list_files,
        gateway_pb2.ListFilesRequest,
        gateway_pb2.ListFilesResponse,
        _LOOKUP,
        "Every file of a repository that was seen, with what became of it and why.",
    ),
    Operation(
        "IndexRepository",
        "/v1/repositories/index",
        Calls.index_repository,
        gateway_pb2.IndexRepositoryRequest,
        indexer_pb2.IndexEvent,
        _RUN,
        "Bring the index of a repository up to date.",
        whole=("report",),
    ),
    Operation(
        "RemoveRepositories",
        "/v1/repositories/remove",
        Calls.remove_repositories,
        gateway_pb2.RemoveRepositoriesRequest,
        gateway_pb2.RemoveRepositoriesResponse,
        _LOOKUP,
        "Delete everything kept about repositories.",
    ),
    Operation(
        "GetEvidence",
        "/v1/evidence",
        Calls.get_evidence,
        gateway_pb2.GetEvidenceRequest,
        gateway_pb2.GetEvidenceResponse,
        _LOOKUP,
        "The lines behind a citation, as they were indexed.",
    ),
)

BY_NAME: Final[Mapping[str, Operation]] = {operation.name: operation for operation in OPERATIONS}
SECONDS: Final[Mapping[str, float]] = {operation.name: operation.seconds for operation in OPERATIONS}
