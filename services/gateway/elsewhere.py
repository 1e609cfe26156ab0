"""The gateway's promise kept elsewhere: the commands of this machine, answered by a gateway at an address.

Projects are repositories of that gateway, called by name or identifier; a folder of this machine stands for the repository that is called like it.
Nothing is indexed before a question: whoever runs the gateway keeps its indexes up to date.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from exegesis.errors import ExegesisError, NotFound, UsageError
from exegesis.model import (
    Companion,
    Cycle,
    Description,
    EntryPoint,
    Event,
    Finished,
    Hub,
    ModuleSummary,
    OnlyThrough,
    Options,
    Progress,
    Relation,
    Repository,
    SourceFile,
    Symbol,
)
from exegesis.rpc.address import Address
from exegesis.rpc.ask import Asker, compose
from exegesis.rpc.tls import trusting
from exegesis.settings import Settings
from exegesis.v1 import gateway_pb2, gateway_pb2_grpc, indexer_pb2, model_pb2
from exegesis.wire import event_from_message, from_message, to_message
from services.gateway.api import Asked
from services.gateway.operations import SECONDS, SERVICE
from services.gateway.tokens import identifier_in
from services.indexer.api import IndexOptions, IndexReport, Report, Status
from services.query.api import Composition, OutlineAnswer, SearchAnswer

_WRITES: Final = frozenset({"IndexRepository", "RemoveRepositories"})
"""Calls that are not repeated when nobody knows whether they arrived."""


def reach(settings: Settings, address: Address) -> RemoteGateway:
    """The gateway there, asked with the token of the settings.

    Raises ``UsageError`` where a token is none, or would cross a network in the clear.
    """
    token = settings.token.value.strip()
    if token and not identifier_in(token):
        raise UsageError("EXEGESIS_TOKEN is not a token.", hint="`exegesis token create`, on the machine of the gateway, prints one: exg_...")
    return RemoteGateway(address, token, credentials=trusting(settings.server_ca) if speaks_tls(settings, address) else None)


def speaks_tls(settings: Settings, address: Address) -> bool:
    """Always with a gateway on another machine, unless somebody takes the risk; on this one where there is an authority to believe."""
    return bool(settings.server_ca) or not (address.is_private or settings.server_clear)


class RemoteGateway:
    """A ``Gateway`` that asks one at an address. Errors are those that it raised."""

    def __init__(self, address: Address, token: str, *, credentials: Any = None) -> None:
        self._address = address
        self._ask = Asker(
            address,
            service=SERVICE,
            stub=gateway_pb2_grpc.GatewayStub,
            seconds=SECONDS,
            retried=SECONDS.keys() - _WRITES,
            credentials=credentials,
            token=token,
        )

    def close(self) -> None:
        self._ask.close()

    # ---- indexes

    def index(self, path: str, options: IndexOptions, report: Report, *, cancelled: threading.Event | None = None) -> IndexReport:
        """Of a repository that the gateway knows; for administrators also of a folder on its machine, called by its full path, and of an address."""
        if not Path(path).is_absolute():
            try:
                return self._index(_name_of(path), options, report, cancelled)
            except NotFound as error:
                if not os.path.isdir(path):  # noqa: PTH112 - pathlib raises for what can be no path
                    raise
                raise NotFound(error.message, hint="A server reads folders of its own machine: give the full path that it has there.") from None
        try:
            return self._index(path, options, report, cancelled)
        except (NotFound, UsageError) as error:  # nothing over there, or not for this caller: then it is what a folder here stands for
            if _name_of(path) == path:
                raise
            try:
                return self._index(_name_of(path), options, report, cancelled)
            except NotFound:
                raise error from None

    def _index(self, project: str, options: IndexOptions, report: Report, cancelled: threading.Event | None) -> IndexReport:
        request = compose(gateway_pb2.IndexRepositoryRequest, project=project, options=to_message(options, indexer_pb2.IndexOptions))
        done: IndexReport | None = None
        for event in self._ask.stream("IndexRepository", request, cancelled=cancelled):
            if event.WhichOneof("event") == "report":
                done = from_message(event.report, IndexReport)
            else:
                report(from_message(event.progress, Progress))
        if done is None:
            raise ExegesisError(f"The gateway at {self._address} ended a run without a report.")
        return done

    def watch(self, path: str, options: IndexOptions, report: Report, *, cancelled: threading.Event) -> None:  # noqa: ARG002 - as promised
        raise UsageError("--watch follows a folder of this machine, and the index is that of a gateway.", hint="Leave out --server, or --watch.")

    def prepare(
        self,
        projects: Sequence[str],  # noqa: ARG002 - as promised
        report: Report,  # noqa: ARG002
        *,
        include_dependencies: bool = False,  # noqa: ARG002
        index_store: str = "",
    ) -> tuple[Repository, ...]:
        """Nothing: the gateway answers from what it has indexed."""
        if index_store:
            raise UsageError("--index-store names a folder of the machine that indexes.", hint="Leave it out; it belongs to `exegesis index`.")
        return ()

    def status(self, projects: Sequence[str]) -> Sequence[Status]:
        found = self._ask.one("ListRepositories", compose(gateway_pb2.ListRepositoriesRequest, projects=_names_of(projects)))
        return [from_message(status, Status) for status in found.repositories]

    def files(self, project: str) -> Sequence[SourceFile]:
        files: list[SourceFile] = []
        more = True
        while more:
            request = compose(gateway_pb2.ListFilesRequest, project=_name_of(project), after=files[-1].path if files else "")
            page = self._ask.one("ListFiles", request)
            files += [from_message(file, SourceFile) for file in page.files]
            more = page.more and len(page.files) > 0
        return files

    def remove(self, projects: Sequence[str]) -> None:
        self._ask.one("RemoveRepositories", compose(gateway_pb2.RemoveRepositoriesRequest, projects=_names_of(projects or (".",))))

    # ---- questions

    def explain(self, asked: Asked, *, cancelled: threading.Event | None = None) -> Iterator[Event]:
        messages = self._ask.stream("Explain", _question(asked), cancelled=cancelled)
        for message in messages:
            event = event_from_message(message)
            if isinstance(event, Finished):  # nothing follows but the end, and leaving before it would look like giving up
                with suppress(ExegesisError):
                    deque(messages, maxlen=0)
            yield event

    def outline(self, asked: Asked) -> OutlineAnswer:
        return from_message(self._ask.one("Outline", _question(asked)), OutlineAnswer)

    def search(self, asked: Asked) -> SearchAnswer:
        return from_message(self._ask.one("Search", _question(asked)), SearchAnswer)

    def compose(self, asked: Asked) -> Composition:
        return from_message(self._ask.one("Compose", _question(asked)), Composition)

    # ---- the call graph

    def callers(self, project: str, symbol: str) -> Sequence[Relation]:
        return self._relations("Callers", project, symbol)

    def callees(self, project: str, symbol: str) -> Sequence[Relation]:
        return self._relations("Callees", project, symbol)

    def impact(self, project: str, symbol: str) -> Sequence[Relation]:
        return self._relations("Impact", project, symbol)

    def path(self, project: str, source: str, target: str) -> Sequence[Sequence[Relation]]:
        request = compose(gateway_pb2.FindPathsRequest, project=_name_of(project), source=source, target=target)
        return [_relations(way.relations) for way in self._ask.one("FindPaths", request).paths]

    def hubs(self, project: str) -> Sequence[Hub]:
        found = self._ask.one("ListHubs", _whole(project))
        return [from_message(hub, Hub) for hub in found.hubs]

    def describe(self, project: str, about: str) -> Sequence[Description]:
        found = self._ask.one("Describe", compose(gateway_pb2.DescribeRequest, project=_name_of(project), about=about))
        return [from_message(each, Description) for each in found.descriptions]

    def map(self, project: str) -> Sequence[ModuleSummary]:
        found = self._ask.one("DescribeModules", _whole(project))
        return [from_message(module, ModuleSummary) for module in found.modules]

    def only_through(self, project: str, symbol: str) -> OnlyThrough:
        return from_message(self._ask.one("OnlyThrough", _about(project, symbol)), OnlyThrough)

    def always_with(self, project: str, symbol: str) -> Sequence[Companion]:
        return [from_message(each, Companion) for each in self._ask.one("AlwaysWith", _about(project, symbol)).companions]

    def cycles(self, project: str) -> Sequence[Cycle]:
        return [from_message(cycle, Cycle) for cycle in self._ask.one("ListCycles", _whole(project)).cycles]

    def dead_ends(self, project: str) -> Sequence[Symbol]:
        return [from_message(symbol, Symbol) for symbol in self._ask.one("ListDeadEnds", _whole(project)).symbols]

    def entry_points(self, project: str) -> Sequence[EntryPoint]:
        return [from_message(entry, EntryPoint) for entry in self._ask.one("ListEntryPoints", _whole(project)).entry_points]

    def _relations(self, method: str, project: str, symbol: str) -> Sequence[Relation]:
        return _relations(self._ask.one(method, _about(project, symbol)).relations)


def _about(project: str, symbol: str) -> gateway_pb2.SymbolRequest:
    return compose(gateway_pb2.SymbolRequest, project=_name_of(project), symbol=symbol)


def _whole(project: str) -> gateway_pb2.ProjectRequest:
    return compose(gateway_pb2.ProjectRequest, project=_name_of(project))


def _relations(messages: Any) -> list[Relation]:
    return [from_message(message, Relation) for message in messages]


def _question(asked: Asked) -> gateway_pb2.Asked:
    options: Options = asked.options
    return compose(gateway_pb2.Asked, text=asked.text, projects=_names_of(asked.projects or (".",)), options=to_message(options, model_pb2.Options))


def _name_of(project: str) -> str:
    """What the gateway calls it: a folder of this machine by its own name, whatever path leads to it; anything else as it is written."""
    if not (project and os.path.isdir(project)):  # noqa: PTH112 - pathlib raises for what can be no path
        return project
    return Path(os.path.realpath(project)).name or project


def _names_of(projects: Sequence[str]) -> list[str]:
    return [_name_of(project) for project in projects]
