"""The promise of the graph service kept elsewhere: ``RemoteGraph`` is one and asks over gRPC, ``GraphServicer`` takes one and answers."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from exegesis.errors import WireError
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
from exegesis.rpc.address import Address
from exegesis.rpc.ask import Asker, compose
from exegesis.rpc.failures import Broken
from exegesis.rpc.pages import paged, portions
from exegesis.rpc.serve import Context, stream, unary
from exegesis.rpc.server import Hosted
from exegesis.v1 import graph_pb2, graph_pb2_grpc, model_pb2
from exegesis.wire import from_message, to_message
from exegesis.wire.enums import members, numbers
from services.graph.api import Beside, BuildReport, Crossing, Direction, GraphService, Pin
from services.graph.transfer import Builds, files_in, number, unconfirmed

if TYPE_CHECKING:
    from google.protobuf.message import Message

T = TypeVar("T")

SERVICE: Final = "exegesis.v1.GraphService"

_READ = 30.0
"""Seconds; lookups take milliseconds, so more means that the service is drowning."""

READING: Final = {
    "Stored": _READ,
    "Files": 60.0,  # all of a large repository
    "Symbols": _READ,
    "SymbolsIn": _READ,
    "SymbolsAt": _READ,
    "SymbolsNamed": _READ,
    "Find": _READ,
    "Chunks": _READ,
    "ChunksIn": 120.0,  # the text of whole files, of all of them for a baseline
    "ChunksOfSymbols": _READ,
    "Terms": 600.0,  # of every chunk, read as fast as weights are frozen
    "Vocabulary": _READ,
    "Statistics": _READ,
    "Edges": _READ,
    "Degrees": _READ,
    "Unresolved": _READ,
    "Callers": _READ,
    "Callees": _READ,
    "Impact": _READ,
    "Elsewhere": 60.0,  # reads what each of the other repositories declares
    "Path": _READ,
    "Hubs": _READ,
    "Map": 60.0,  # counts every edge
    "Descriptions": 300.0,  # reads every symbol and every edge
    "OnlyThrough": 60.0,  # this and those below read every edge when they are asked first
    "AlwaysWith": 60.0,
    "Cycles": 60.0,
    "DeadEnds": 60.0,
    "EntryPoints": 60.0,
}
"""Seconds that a method may take. All of these may be called twice."""

WRITING: Final = {
    "Begin": 300.0,  # copies a finished generation
    "Write": 300.0,  # what a sender keeps unconfirmed, on a slow disk
    "Finish": 3_600.0,  # links everything
    "Share": 300.0,  # copies where the file system has no links
    "Abort": 60.0,
    "Delete": 60.0,
}

SECONDS: Final[Mapping[str, float]] = READING | WRITING

PAUSES: Final = (0.2, 1.0, 3.0)
"""Seconds before a broken stream of facts is taken up again, each time. A service that restarts has forgotten the generation and says so at once."""


class RemoteGraph:
    """A ``GraphService`` that asks one at an address. Usable from several threads; each generation is built by one.

    Errors are those that the service raised. What is asked about more than ``pages.PORTION`` identifiers, paths or names is asked in portions, whose
    answers follow one another.
    """

    def __init__(self, address: Address) -> None:
        self._ask = Asker(address, service=SERVICE, stub=graph_pb2_grpc.GraphServiceStub, seconds=SECONDS, retried=READING)
        self._writer = secrets.token_hex(8)
        self._sent: dict[Pin, int] = {}
        """Number of the last confirmed message to each generation that is being built."""

    def close(self) -> None:
        self._ask.close()

    # ---- building

    def begin(self, pin: Pin, *, basis: str | None) -> None:
        self._ask.one("Begin", compose(graph_pb2.BeginRequest, pin=_pin(pin), basis=basis, writer=self._writer))
        self._sent[pin] = 0

    def write(self, pin: Pin, facts: Iterable[FileFacts], exact: Iterable[ExactFacts] = ()) -> int:
        files = 0
        for held in unconfirmed(number(facts, exact, after=self._sent.get(pin, 0))):
            self._send(pin, held)
            files += sum(map(files_in, held))
        return files

    def _send(self, pin: Pin, held: Sequence[graph_pb2.WriteRequest]) -> None:
        """Messages as one stream; what did not arrive of one that breaks goes into the next."""
        opening = graph_pb2.WriteRequest(pin=_pin(pin), writer=self._writer)
        missing, is_known = held, True
        for pause in (*PAUSES, None):
            try:
                if not is_known:
                    kept = self._ask.send("Write", [opening]).last_seq
                    missing, is_known = [message for message in held if message.seq > kept], True
                if missing or not held:
                    self._ask.send("Write", [opening, *missing])
                break
            except Broken:
                if pause is None:
                    raise
                is_known = False
                time.sleep(pause)
        if held:
            self._sent[pin] = held[-1].seq

    def finish(self, pin: Pin, files: Sequence[SourceFile]) -> BuildReport:
        pages = paged((to_message(file, model_pb2.SourceFile) for file in files), graph_pb2.FinishRequest, "files")
        opening = graph_pb2.FinishRequest(pin=_pin(pin), writer=self._writer)
        report = from_message(self._ask.send("Finish", [opening, *pages]), BuildReport)
        self._sent.pop(pin, None)
        return report

    def share(self, pin: Pin, generation: str) -> None:
        self._ask.one("Share", compose(graph_pb2.ShareRequest, pin=_pin(pin), generation=generation))

    def abort(self, pin: Pin) -> None:
        self._sent.pop(pin, None)
        self._ask.one("Abort", _pin(pin))

    def delete(self, pin: Pin) -> None:
        self._ask.one("Delete", _pin(pin))

    def stored(self, repository: str) -> Sequence[str]:
        return tuple(self._ask.one("Stored", compose(graph_pb2.StoredRequest, repository=repository)).generations)

    # ---- reading

    def files(self, pin: Pin, paths: Sequence[str] | None = None) -> Sequence[FileRow]:
        if paths is None:
            asked = [graph_pb2.FilesRequest(pin=_pin(pin))]
        else:
            asked = [
                compose(graph_pb2.FilesRequest, pin=_pin(pin), only=compose(graph_pb2.PathSelection, paths=portion)) for portion in _in_order(paths)
            ]
        return [from_message(row, FileRow) for request in asked for page in self._ask.stream("Files", request) for row in page.files]

    def symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Symbol]:
        return {symbol.id: symbol for symbol in self._symbols("Symbols", _ids(graph_pb2.IdsRequest, pin, ids))}

    def symbols_in(self, pin: Pin, paths: Sequence[str]) -> Sequence[Symbol]:
        return self._symbols("SymbolsIn", (compose(graph_pb2.PathsRequest, pin=_pin(pin), paths=portion) for portion in _in_order(paths)))

    def symbols_at(self, pin: Pin, places: Mapping[str, Sequence[Span]]) -> Sequence[Symbol]:
        portion = [graph_pb2.Lines(path=path, runs=_messages(runs, model_pb2.Span)) for path, runs in sorted(places.items())]
        return self._symbols("SymbolsAt", [compose(graph_pb2.PlacesRequest, pin=_pin(pin), places=portion)])

    def symbols_named(self, pin: Pin, names: Sequence[str]) -> Sequence[Symbol]:
        return self._symbols("SymbolsNamed", [compose(graph_pb2.NamesRequest, pin=_pin(pin), names=names)])

    def find(self, pin: Pin, pattern: str) -> Sequence[Symbol]:
        return self._symbols("Find", [compose(graph_pb2.FindRequest, pin=_pin(pin), pattern=pattern)])

    def chunks(self, pin: Pin, ids: Sequence[int], *, text: bool = False) -> Mapping[int, Chunk]:
        return {chunk.id: chunk for chunk in self._chunks("Chunks", _ids(graph_pb2.ChunksRequest, pin, ids, text=text))}

    def chunks_in(self, pin: Pin, paths: Sequence[str], *, text: bool = False) -> Sequence[Chunk]:
        requests = (compose(graph_pb2.ChunksInRequest, pin=_pin(pin), paths=portion, text=text) for portion in _in_order(paths))
        return self._chunks("ChunksIn", requests)

    def chunks_of_symbols(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        pages = self._pages("ChunksOfSymbols", _ids(graph_pb2.IdsRequest, pin, ids))
        return {row.symbol: tuple(row.chunks) for page in pages for row in page.symbols}

    def terms(self, pin: Pin, chunks: Sequence[int] | None = None) -> Iterator[tuple[int, str, bytes]]:
        requests: Iterable[Message] = [graph_pb2.TermsRequest(pin=_pin(pin))]
        if chunks is not None:
            selections = (compose(graph_pb2.IdSelection, ids=portion) for portion in portions(chunks))
            requests = (graph_pb2.TermsRequest(pin=_pin(pin), only=selection) for selection in selections)
        for page in self._pages("Terms", requests):
            for row in page.chunks:
                yield row.chunk, row.path, row.terms

    def vocabulary(self, pin: Pin, terms: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        requests = (compose(graph_pb2.VocabularyRequest, pin=_pin(pin), terms=portion) for portion in portions(terms))
        return {row.term: (row.chunks, row.files) for page in self._pages("Vocabulary", requests) for row in page.terms}

    def statistics(self, pin: Pin) -> LexicalStatistics:
        return from_message(self._ask.one("Statistics", _pin(pin)), LexicalStatistics)

    def edges(self, pin: Pin, ids: Sequence[int], direction: Direction, *, per_node: int = 16) -> Sequence[Edge]:
        requests = _ids(graph_pb2.EdgesRequest, pin, ids, direction=_NUMBERS[direction], per_node=per_node)
        return tuple(dict.fromkeys(from_message(edge, Edge) for page in self._pages("Edges", requests) for edge in page.edges))

    def degrees(self, pin: Pin, ids: Sequence[int]) -> Mapping[int, Degrees]:
        pages = self._pages("Degrees", _ids(graph_pb2.IdsRequest, pin, ids))
        return {row.symbol: from_message(row.degrees, Degrees) for page in pages for row in page.symbols}

    def unresolved(self, pin: Pin, ids: Sequence[int]) -> Sequence[Unresolved]:
        pages = self._pages("Unresolved", _ids(graph_pb2.IdsRequest, pin, ids))
        return [from_message(each, Unresolved) for page in pages for each in page.references]

    # ---- questions

    def callers(self, pin: Pin, symbol: int) -> Sequence[Relation]:
        return self._relations("Callers", compose(graph_pb2.SymbolQuestion, pin=_pin(pin), symbol=symbol))

    def callees(self, pin: Pin, symbol: int) -> Sequence[Relation]:
        return self._relations("Callees", compose(graph_pb2.SymbolQuestion, pin=_pin(pin), symbol=symbol))

    def impact(self, pin: Pin, symbol: int, *, depth: int = 5, limit: int = 200) -> Sequence[Relation]:
        return self._relations("Impact", compose(graph_pb2.ImpactRequest, pin=_pin(pin), symbol=symbol, depth=depth, limit=limit))

    def elsewhere(self, pin: Pin, symbols: Sequence[int], crossing: Crossing, others: Sequence[Beside]) -> Sequence[Relation]:
        beside = [compose(graph_pb2.Beside, name=other.name, pin=_pin(other.pin)) for other in others]
        request = compose(graph_pb2.ElsewhereRequest, pin=_pin(pin), symbols=symbols, crossing=_CROSSINGS[crossing], others=beside)
        return self._relations("Elsewhere", request)

    def path(self, pin: Pin, source: int, target: int, *, limit: int = 5) -> Sequence[Sequence[Relation]]:
        request = compose(graph_pb2.PathRequest, pin=_pin(pin), source=source, target=target, limit=limit)
        return [[from_message(step, Relation) for step in page.relations] for page in self._ask.stream("Path", request)]

    def hubs(self, pin: Pin, *, limit: int = 20) -> Sequence[Hub]:
        return [from_message(hub, Hub) for hub in self._ask.one("Hubs", compose(graph_pb2.HubsRequest, pin=_pin(pin), limit=limit)).hubs]

    def map(self, pin: Pin) -> Sequence[ModuleSummary]:
        return [from_message(module, ModuleSummary) for module in self._ask.one("Map", _pin(pin)).modules]

    def descriptions(self, pin: Pin, *, small: bool = False) -> Sequence[Description]:
        pages = self._ask.stream("Descriptions", compose(graph_pb2.DescriptionsRequest, pin=_pin(pin), small=small))
        return [from_message(description, Description) for page in pages for description in page.descriptions]

    def only_through(self, pin: Pin, symbols: Sequence[int], *, limit: int = 200) -> OnlyThrough:
        return from_message(self._ask.one("OnlyThrough", _whole(pin, symbols, limit)), OnlyThrough)

    def always_with(self, pin: Pin, symbols: Sequence[int], *, limit: int = 20) -> Sequence[Companion]:
        return [from_message(each, Companion) for each in self._ask.one("AlwaysWith", _whole(pin, symbols, limit)).companions]

    def cycles(self, pin: Pin, *, limit: int = 20) -> Sequence[Cycle]:
        return [from_message(each, Cycle) for each in self._ask.one("Cycles", _whole(pin, (), limit)).cycles]

    def dead_ends(self, pin: Pin, *, limit: int = 500) -> Sequence[Symbol]:
        return self._symbols("DeadEnds", (_whole(pin, (), limit),))

    def entry_points(self, pin: Pin, *, limit: int = 50) -> Sequence[EntryPoint]:
        return [from_message(each, EntryPoint) for each in self._ask.one("EntryPoints", _whole(pin, (), limit)).entry_points]

    # ---- answers

    def _pages(self, method: str, requests: Iterable[Message]) -> Iterator[Any]:
        for request in requests:
            yield from self._ask.stream(method, request)

    def _symbols(self, method: str, requests: Iterable[Message]) -> list[Symbol]:
        return [from_message(symbol, Symbol) for page in self._pages(method, requests) for symbol in page.symbols]

    def _chunks(self, method: str, requests: Iterable[Message]) -> list[Chunk]:
        return [from_message(chunk, Chunk) for page in self._pages(method, requests) for chunk in page.chunks]

    def _relations(self, method: str, request: Message) -> list[Relation]:
        return [from_message(relation, Relation) for page in self._ask.stream(method, request) for relation in page.relations]


_NUMBERS: Final = numbers(Direction, graph_pb2.Direction.DESCRIPTOR)
_CROSSINGS: Final[Mapping[Crossing, graph_pb2.Crossing]] = {
    "callers": graph_pb2.CROSSING_CALLERS,
    "callees": graph_pb2.CROSSING_CALLEES,
    "impact": graph_pb2.CROSSING_IMPACT,
}
_DIRECTIONS: Final[Mapping[int, Direction]] = members(Direction, graph_pb2.Direction.DESCRIPTOR)


def _pin(pin: Pin) -> graph_pb2.Pin:
    return compose(graph_pb2.Pin, repository=pin.repository, generation=pin.generation)


def _ids(kind: type[Message], pin: Pin, ids: Sequence[int], **more: Any) -> Iterator[Message]:
    for portion in portions(ids):
        yield compose(kind, pin=_pin(pin), ids=portion, **more)


def _in_order(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    """Portions whose answers, each ordered by path, make one that is ordered by path."""
    return portions(sorted(set(paths)))


# ----------------------------------------------------------------------------------------------------------- the servicer


def host(graph: GraphService) -> Hosted:
    """What a server needs to know to serve ``graph``."""
    servicer = GraphServicer(graph)
    return Hosted(SERVICE, lambda server: graph_pb2_grpc.add_GraphServiceServicer_to_server(servicer, server), SECONDS)


class GraphServicer(graph_pb2_grpc.GraphServiceServicer):
    """Answers for ``graph``, which is asked from several threads."""

    def __init__(self, graph: GraphService) -> None:
        self._graph = graph
        self._builds = Builds(graph)

    # ---- building

    @unary
    def Begin(self, request: graph_pb2.BeginRequest) -> graph_pb2.BeginResponse:
        basis = request.basis if request.HasField("basis") else None
        self._builds.begin(_pinned(request), basis=basis, writer=request.writer)
        return graph_pb2.BeginResponse()

    async def Write(self, requests: AsyncIterator[graph_pb2.WriteRequest], _context: Context) -> graph_pb2.WriteResponse:
        opening, files = await _opening(requests), 0
        pin, writer, message = _pinned(opening), opening.writer, opening
        last = await asyncio.to_thread(self._builds.last, pin, writer=writer)
        if message.seq or message.facts or message.piece or message.exact:
            files += await asyncio.to_thread(self._builds.receive, pin, message, writer=writer)
        async for message in requests:
            files += await asyncio.to_thread(self._builds.receive, pin, message, writer=writer)
        return graph_pb2.WriteResponse(files=files, last_seq=max(last, message.seq))

    async def Finish(self, requests: AsyncIterator[graph_pb2.FinishRequest], _context: Context) -> graph_pb2.BuildReport:
        opening = await _opening(requests)
        files = [*opening.files]
        async for request in requests:
            files += request.files

        def finish() -> BuildReport:
            listed = [from_message(file, SourceFile) for file in files]
            return self._builds.finish(_pinned(opening), listed, writer=opening.writer)

        return to_message(await asyncio.to_thread(finish), graph_pb2.BuildReport)

    @unary
    def Share(self, request: graph_pb2.ShareRequest) -> graph_pb2.ShareResponse:
        self._graph.share(_pinned(request), request.generation)
        return graph_pb2.ShareResponse()

    @unary
    def Abort(self, request: graph_pb2.Pin) -> graph_pb2.AbortResponse:
        self._builds.abort(_named(request))
        return graph_pb2.AbortResponse()

    @unary
    def Delete(self, request: graph_pb2.Pin) -> graph_pb2.DeleteResponse:
        self._graph.delete(_named(request))
        return graph_pb2.DeleteResponse()

    @unary
    def Stored(self, request: graph_pb2.StoredRequest) -> graph_pb2.StoredResponse:
        return graph_pb2.StoredResponse(generations=self._graph.stored(request.repository))

    # ---- reading

    @stream
    def Files(self, request: graph_pb2.FilesRequest) -> Iterator[graph_pb2.FilePage]:
        paths = list(request.only.paths) if request.HasField("only") else None
        return paged(_messages(self._graph.files(_pinned(request), paths), graph_pb2.FileRow), graph_pb2.FilePage)

    @stream
    def Symbols(self, request: graph_pb2.IdsRequest) -> Iterator[graph_pb2.SymbolPage]:
        return _symbol_pages(self._graph.symbols(_pinned(request), request.ids).values())

    @stream
    def SymbolsIn(self, request: graph_pb2.PathsRequest) -> Iterator[graph_pb2.SymbolPage]:
        return _symbol_pages(self._graph.symbols_in(_pinned(request), request.paths))

    @stream
    def SymbolsAt(self, request: graph_pb2.PlacesRequest) -> Iterator[graph_pb2.SymbolPage]:
        places = {place.path: [from_message(run, Span) for run in place.runs] for place in request.places}
        return _symbol_pages(self._graph.symbols_at(_pinned(request), places))

    @stream
    def SymbolsNamed(self, request: graph_pb2.NamesRequest) -> Iterator[graph_pb2.SymbolPage]:
        return _symbol_pages(self._graph.symbols_named(_pinned(request), request.names))

    @stream
    def Find(self, request: graph_pb2.FindRequest) -> Iterator[graph_pb2.SymbolPage]:
        return _symbol_pages(self._graph.find(_pinned(request), request.pattern))

    @stream
    def Chunks(self, request: graph_pb2.ChunksRequest) -> Iterator[graph_pb2.ChunkPage]:
        return _chunk_pages(self._graph.chunks(_pinned(request), request.ids, text=request.text).values())

    @stream
    def ChunksIn(self, request: graph_pb2.ChunksInRequest) -> Iterator[graph_pb2.ChunkPage]:
        return _chunk_pages(self._graph.chunks_in(_pinned(request), request.paths, text=request.text))

    @stream
    def ChunksOfSymbols(self, request: graph_pb2.IdsRequest) -> Iterator[graph_pb2.SymbolChunksPage]:
        found = self._graph.chunks_of_symbols(_pinned(request), request.ids)
        return paged((graph_pb2.SymbolChunks(symbol=symbol, chunks=chunks) for symbol, chunks in found.items()), graph_pb2.SymbolChunksPage)

    @stream
    def Terms(self, request: graph_pb2.TermsRequest) -> Iterator[graph_pb2.TermsPage]:
        found = self._graph.terms(_pinned(request), list(request.only.ids) if request.HasField("only") else None)
        return paged((graph_pb2.ChunkTerms(chunk=chunk, path=path, terms=terms) for chunk, path, terms in found), graph_pb2.TermsPage)

    @stream
    def Vocabulary(self, request: graph_pb2.VocabularyRequest) -> Iterator[graph_pb2.VocabularyPage]:
        found = self._graph.vocabulary(_pinned(request), request.terms)
        rows = (graph_pb2.TermFrequency(term=term, chunks=chunks, files=files) for term, (chunks, files) in found.items())
        return paged(rows, graph_pb2.VocabularyPage)

    @unary
    def Statistics(self, request: graph_pb2.Pin) -> graph_pb2.LexicalStatistics:
        return to_message(self._graph.statistics(_named(request)), graph_pb2.LexicalStatistics)

    @stream
    def Edges(self, request: graph_pb2.EdgesRequest) -> Iterator[graph_pb2.EdgePage]:
        found = self._graph.edges(_pinned(request), request.ids, _direction(request.direction), per_node=request.per_node)
        return paged(_messages(found, model_pb2.Edge), graph_pb2.EdgePage)

    @stream
    def Degrees(self, request: graph_pb2.IdsRequest) -> Iterator[graph_pb2.DegreesPage]:
        found = self._graph.degrees(_pinned(request), request.ids)
        rows = (graph_pb2.SymbolDegrees(symbol=symbol, degrees=to_message(degrees, graph_pb2.Degrees)) for symbol, degrees in found.items())
        return paged(rows, graph_pb2.DegreesPage)

    @stream
    def Unresolved(self, request: graph_pb2.IdsRequest) -> Iterator[graph_pb2.UnresolvedPage]:
        return paged(_messages(self._graph.unresolved(_pinned(request), request.ids), model_pb2.Unresolved), graph_pb2.UnresolvedPage)

    # ---- questions

    @stream
    def Callers(self, request: graph_pb2.SymbolQuestion) -> Iterator[graph_pb2.RelationPage]:
        return _relation_pages(self._graph.callers(_pinned(request), request.symbol))

    @stream
    def Callees(self, request: graph_pb2.SymbolQuestion) -> Iterator[graph_pb2.RelationPage]:
        return _relation_pages(self._graph.callees(_pinned(request), request.symbol))

    @stream
    def Impact(self, request: graph_pb2.ImpactRequest) -> Iterator[graph_pb2.RelationPage]:
        return _relation_pages(self._graph.impact(_pinned(request), request.symbol, depth=request.depth, limit=request.limit))

    @stream
    def Elsewhere(self, request: graph_pb2.ElsewhereRequest) -> Iterator[graph_pb2.RelationPage]:
        others = [Beside(other.name, _pinned(other)) for other in request.others]
        return _relation_pages(self._graph.elsewhere(_pinned(request), request.symbols, _crossing(request.crossing), others))

    @stream
    def Path(self, request: graph_pb2.PathRequest) -> Iterator[graph_pb2.RelationPage]:
        for way in self._graph.path(_pinned(request), request.source, request.target, limit=request.limit):
            yield graph_pb2.RelationPage(relations=_messages(way, model_pb2.Relation))

    @unary
    def Hubs(self, request: graph_pb2.HubsRequest) -> graph_pb2.HubPage:
        return graph_pb2.HubPage(hubs=_messages(self._graph.hubs(_pinned(request), limit=request.limit), model_pb2.Hub))

    @unary
    def Map(self, request: graph_pb2.Pin) -> graph_pb2.ModulePage:
        return graph_pb2.ModulePage(modules=_messages(self._graph.map(_named(request)), model_pb2.ModuleSummary))

    @stream
    def Descriptions(self, request: graph_pb2.DescriptionsRequest) -> Iterator[graph_pb2.DescriptionPage]:
        found = self._graph.descriptions(_pinned(request), small=request.small)
        return paged(_messages(found, model_pb2.Description), graph_pb2.DescriptionPage)

    @unary
    def OnlyThrough(self, request: graph_pb2.WholeQuestion) -> model_pb2.OnlyThrough:
        return to_message(self._graph.only_through(_pinned(request), request.symbols, limit=request.limit), model_pb2.OnlyThrough)

    @unary
    def AlwaysWith(self, request: graph_pb2.WholeQuestion) -> graph_pb2.CompanionPage:
        found = self._graph.always_with(_pinned(request), request.symbols, limit=request.limit)
        return graph_pb2.CompanionPage(companions=_messages(found, model_pb2.Companion))

    @unary
    def Cycles(self, request: graph_pb2.WholeQuestion) -> graph_pb2.CyclePage:
        return graph_pb2.CyclePage(cycles=_messages(self._graph.cycles(_pinned(request), limit=request.limit), model_pb2.Cycle))

    @stream
    def DeadEnds(self, request: graph_pb2.WholeQuestion) -> Iterator[graph_pb2.SymbolPage]:
        return _symbol_pages(self._graph.dead_ends(_pinned(request), limit=request.limit))

    @unary
    def EntryPoints(self, request: graph_pb2.WholeQuestion) -> graph_pb2.EntryPointPage:
        found = self._graph.entry_points(_pinned(request), limit=request.limit)
        return graph_pb2.EntryPointPage(entry_points=_messages(found, model_pb2.EntryPoint))


async def _opening(requests: AsyncIterator[Any]) -> Any:
    """The first message of a stream, which says what the rest is about."""
    async for request in requests:
        return request
    raise WireError("a stream without a message")


def _named(message: graph_pb2.Pin) -> Pin:
    return Pin(message.repository, message.generation)


def _whole(pin: Pin, symbols: Sequence[int], limit: int) -> graph_pb2.WholeQuestion:
    return compose(graph_pb2.WholeQuestion, pin=_pin(pin), symbols=symbols, limit=limit)


def _pinned(request: Any) -> Pin:
    return _named(request.pin)


def _crossing(number: int) -> Crossing:
    for crossing, known in _CROSSINGS.items():
        if known == number:
            return crossing
    raise WireError(f"crossing {number} is not known to this version")


def _direction(number: int) -> Direction:
    try:
        return _DIRECTIONS[number]
    except KeyError:
        raise WireError(f"direction {number} is not known to this version") from None


def _messages(values: Iterable[object], kind: type[T]) -> Iterator[T]:
    return (to_message(value, kind) for value in values)  # type: ignore[type-var]  # every kind is a message


def _symbol_pages(symbols: Iterable[Symbol]) -> Iterator[graph_pb2.SymbolPage]:
    return paged(_messages(symbols, model_pb2.Symbol), graph_pb2.SymbolPage)


def _chunk_pages(chunks: Iterable[Chunk]) -> Iterator[graph_pb2.ChunkPage]:
    return paged(_messages(chunks, model_pb2.Chunk), graph_pb2.ChunkPage)


def _relation_pages(relations: Iterable[Relation]) -> Iterator[graph_pb2.RelationPage]:
    return paged(_messages(relations, model_pb2.Relation), graph_pb2.RelationPage)
