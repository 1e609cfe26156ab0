from exegesis.v1 import facts_pb2 as _facts_pb2
from exegesis.v1 import model_pb2 as _model_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Direction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIRECTION_UNSPECIFIED: _ClassVar[Direction]
    DIRECTION_CALLERS: _ClassVar[Direction]
    DIRECTION_CALLEES: _ClassVar[Direction]
    DIRECTION_BOTH: _ClassVar[Direction]

class Crossing(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CROSSING_UNSPECIFIED: _ClassVar[Crossing]
    CROSSING_CALLERS: _ClassVar[Crossing]
    CROSSING_CALLEES: _ClassVar[Crossing]
    CROSSING_IMPACT: _ClassVar[Crossing]
DIRECTION_UNSPECIFIED: Direction
DIRECTION_CALLERS: Direction
DIRECTION_CALLEES: Direction
DIRECTION_BOTH: Direction
CROSSING_UNSPECIFIED: Crossing
CROSSING_CALLERS: Crossing
CROSSING_CALLEES: Crossing
CROSSING_IMPACT: Crossing

class Pin(_message.Message):
    __slots__ = ("repository", "generation")
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    repository: str
    generation: str
    def __init__(self, repository: _Optional[str] = ..., generation: _Optional[str] = ...) -> None: ...

class BeginRequest(_message.Message):
    __slots__ = ("pin", "basis", "writer")
    PIN_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    WRITER_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    basis: str
    writer: str
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., basis: _Optional[str] = ..., writer: _Optional[str] = ...) -> None: ...

class BeginResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WriteRequest(_message.Message):
    __slots__ = ("pin", "facts", "seq", "piece", "continues", "writer", "exact")
    PIN_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    CONTINUES_FIELD_NUMBER: _ClassVar[int]
    WRITER_FIELD_NUMBER: _ClassVar[int]
    EXACT_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    facts: _containers.RepeatedCompositeFieldContainer[_facts_pb2.FileFacts]
    seq: int
    piece: bytes
    continues: bool
    writer: str
    exact: _containers.RepeatedCompositeFieldContainer[_facts_pb2.ExactFacts]
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., facts: _Optional[_Iterable[_Union[_facts_pb2.FileFacts, _Mapping]]] = ..., seq: _Optional[int] = ..., piece: _Optional[bytes] = ..., continues: _Optional[bool] = ..., writer: _Optional[str] = ..., exact: _Optional[_Iterable[_Union[_facts_pb2.ExactFacts, _Mapping]]] = ...) -> None: ...

class WriteResponse(_message.Message):
    __slots__ = ("files", "last_seq")
    FILES_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQ_FIELD_NUMBER: _ClassVar[int]
    files: int
    last_seq: int
    def __init__(self, files: _Optional[int] = ..., last_seq: _Optional[int] = ...) -> None: ...

class FinishRequest(_message.Message):
    __slots__ = ("pin", "files", "writer")
    PIN_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    WRITER_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    files: _containers.RepeatedCompositeFieldContainer[_model_pb2.SourceFile]
    writer: str
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., files: _Optional[_Iterable[_Union[_model_pb2.SourceFile, _Mapping]]] = ..., writer: _Optional[str] = ...) -> None: ...

class BuildReport(_message.Message):
    __slots__ = ("symbols", "edges", "chunks", "statistics", "unresolved", "external", "relinked_files")
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    EDGES_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    UNRESOLVED_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_FIELD_NUMBER: _ClassVar[int]
    RELINKED_FILES_FIELD_NUMBER: _ClassVar[int]
    symbols: int
    edges: int
    chunks: int
    statistics: LexicalStatistics
    unresolved: int
    external: int
    relinked_files: int
    def __init__(self, symbols: _Optional[int] = ..., edges: _Optional[int] = ..., chunks: _Optional[int] = ..., statistics: _Optional[_Union[LexicalStatistics, _Mapping]] = ..., unresolved: _Optional[int] = ..., external: _Optional[int] = ..., relinked_files: _Optional[int] = ...) -> None: ...

class ShareRequest(_message.Message):
    __slots__ = ("pin", "generation")
    PIN_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    generation: str
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., generation: _Optional[str] = ...) -> None: ...

class ShareResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AbortResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DeleteResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StoredRequest(_message.Message):
    __slots__ = ("repository",)
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    repository: str
    def __init__(self, repository: _Optional[str] = ...) -> None: ...

class StoredResponse(_message.Message):
    __slots__ = ("generations",)
    GENERATIONS_FIELD_NUMBER: _ClassVar[int]
    generations: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, generations: _Optional[_Iterable[str]] = ...) -> None: ...

class PathSelection(_message.Message):
    __slots__ = ("paths",)
    PATHS_FIELD_NUMBER: _ClassVar[int]
    paths: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, paths: _Optional[_Iterable[str]] = ...) -> None: ...

class IdSelection(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, ids: _Optional[_Iterable[int]] = ...) -> None: ...

class FilesRequest(_message.Message):
    __slots__ = ("pin", "only")
    PIN_FIELD_NUMBER: _ClassVar[int]
    ONLY_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    only: PathSelection
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., only: _Optional[_Union[PathSelection, _Mapping]] = ...) -> None: ...

class FileRow(_message.Message):
    __slots__ = ("file", "indegree")
    FILE_FIELD_NUMBER: _ClassVar[int]
    INDEGREE_FIELD_NUMBER: _ClassVar[int]
    file: _model_pb2.SourceFile
    indegree: int
    def __init__(self, file: _Optional[_Union[_model_pb2.SourceFile, _Mapping]] = ..., indegree: _Optional[int] = ...) -> None: ...

class FilePage(_message.Message):
    __slots__ = ("files",)
    FILES_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[FileRow]
    def __init__(self, files: _Optional[_Iterable[_Union[FileRow, _Mapping]]] = ...) -> None: ...

class IdsRequest(_message.Message):
    __slots__ = ("pin", "ids")
    PIN_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., ids: _Optional[_Iterable[int]] = ...) -> None: ...

class PathsRequest(_message.Message):
    __slots__ = ("pin", "paths")
    PIN_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    paths: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., paths: _Optional[_Iterable[str]] = ...) -> None: ...

class Lines(_message.Message):
    __slots__ = ("path", "runs")
    PATH_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    path: str
    runs: _containers.RepeatedCompositeFieldContainer[_model_pb2.Span]
    def __init__(self, path: _Optional[str] = ..., runs: _Optional[_Iterable[_Union[_model_pb2.Span, _Mapping]]] = ...) -> None: ...

class PlacesRequest(_message.Message):
    __slots__ = ("pin", "places")
    PIN_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    places: _containers.RepeatedCompositeFieldContainer[Lines]
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., places: _Optional[_Iterable[_Union[Lines, _Mapping]]] = ...) -> None: ...

class NamesRequest(_message.Message):
    __slots__ = ("pin", "names")
    PIN_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., names: _Optional[_Iterable[str]] = ...) -> None: ...

class FindRequest(_message.Message):
    __slots__ = ("pin", "pattern")
    PIN_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    pattern: str
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., pattern: _Optional[str] = ...) -> None: ...

class SymbolPage(_message.Message):
    __slots__ = ("symbols",)
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    symbols: _containers.RepeatedCompositeFieldContainer[_model_pb2.Symbol]
    def __init__(self, symbols: _Optional[_Iterable[_Union[_model_pb2.Symbol, _Mapping]]] = ...) -> None: ...

class ChunksRequest(_message.Message):
    __slots__ = ("pin", "ids", "text")
    PIN_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    ids: _containers.RepeatedScalarFieldContainer[int]
    text: bool
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., ids: _Optional[_Iterable[int]] = ..., text: _Optional[bool] = ...) -> None: ...

class ChunksInRequest(_message.Message):
    __slots__ = ("pin", "paths", "text")
    PIN_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    paths: _containers.RepeatedScalarFieldContainer[str]
    text: bool
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., paths: _Optional[_Iterable[str]] = ..., text: _Optional[bool] = ...) -> None: ...

class ChunkPage(_message.Message):
    __slots__ = ("chunks",)
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    chunks: _containers.RepeatedCompositeFieldContainer[_model_pb2.Chunk]
    def __init__(self, chunks: _Optional[_Iterable[_Union[_model_pb2.Chunk, _Mapping]]] = ...) -> None: ...

class SymbolChunks(_message.Message):
    __slots__ = ("symbol", "chunks")
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    symbol: int
    chunks: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, symbol: _Optional[int] = ..., chunks: _Optional[_Iterable[int]] = ...) -> None: ...

class SymbolChunksPage(_message.Message):
    __slots__ = ("symbols",)
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    symbols: _containers.RepeatedCompositeFieldContainer[SymbolChunks]
    def __init__(self, symbols: _Optional[_Iterable[_Union[SymbolChunks, _Mapping]]] = ...) -> None: ...

class TermsRequest(_message.Message):
    __slots__ = ("pin", "only")
    PIN_FIELD_NUMBER: _ClassVar[int]
    ONLY_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    only: IdSelection
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., only: _Optional[_Union[IdSelection, _Mapping]] = ...) -> None: ...

class ChunkTerms(_message.Message):
    __slots__ = ("chunk", "path", "terms")
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    chunk: int
    path: str
    terms: bytes
    def __init__(self, chunk: _Optional[int] = ..., path: _Optional[str] = ..., terms: _Optional[bytes] = ...) -> None: ...

class TermsPage(_message.Message):
    __slots__ = ("chunks",)
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    chunks: _containers.RepeatedCompositeFieldContainer[ChunkTerms]
    def __init__(self, chunks: _Optional[_Iterable[_Union[ChunkTerms, _Mapping]]] = ...) -> None: ...

class VocabularyRequest(_message.Message):
    __slots__ = ("pin", "terms")
    PIN_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    terms: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., terms: _Optional[_Iterable[int]] = ...) -> None: ...

class TermFrequency(_message.Message):
    __slots__ = ("term", "chunks", "files")
    TERM_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    term: int
    chunks: int
    files: int
    def __init__(self, term: _Optional[int] = ..., chunks: _Optional[int] = ..., files: _Optional[int] = ...) -> None: ...

class VocabularyPage(_message.Message):
    __slots__ = ("terms",)
    TERMS_FIELD_NUMBER: _ClassVar[int]
    terms: _containers.RepeatedCompositeFieldContainer[TermFrequency]
    def __init__(self, terms: _Optional[_Iterable[_Union[TermFrequency, _Mapping]]] = ...) -> None: ...

class LexicalStatistics(_message.Message):
    __slots__ = ("chunks", "files", "chunk_lengths", "file_lengths")
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    CHUNK_LENGTHS_FIELD_NUMBER: _ClassVar[int]
    FILE_LENGTHS_FIELD_NUMBER: _ClassVar[int]
    chunks: int
    files: int
    chunk_lengths: _containers.RepeatedScalarFieldContainer[float]
    file_lengths: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, chunks: _Optional[int] = ..., files: _Optional[int] = ..., chunk_lengths: _Optional[_Iterable[float]] = ..., file_lengths: _Optional[_Iterable[float]] = ...) -> None: ...

class EdgesRequest(_message.Message):
    __slots__ = ("pin", "ids", "direction", "per_node")
    PIN_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    PER_NODE_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    ids: _containers.RepeatedScalarFieldContainer[int]
    direction: Direction
    per_node: int
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., ids: _Optional[_Iterable[int]] = ..., direction: _Optional[_Union[Direction, str]] = ..., per_node: _Optional[int] = ...) -> None: ...

class EdgePage(_message.Message):
    __slots__ = ("edges",)
    EDGES_FIELD_NUMBER: _ClassVar[int]
    edges: _containers.RepeatedCompositeFieldContainer[_model_pb2.Edge]
    def __init__(self, edges: _Optional[_Iterable[_Union[_model_pb2.Edge, _Mapping]]] = ...) -> None: ...

class Degrees(_message.Message):
    __slots__ = ("callers", "callees")
    CALLERS_FIELD_NUMBER: _ClassVar[int]
    CALLEES_FIELD_NUMBER: _ClassVar[int]
    callers: int
    callees: int
    def __init__(self, callers: _Optional[int] = ..., callees: _Optional[int] = ...) -> None: ...

class SymbolDegrees(_message.Message):
    __slots__ = ("symbol", "degrees")
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    DEGREES_FIELD_NUMBER: _ClassVar[int]
    symbol: int
    degrees: Degrees
    def __init__(self, symbol: _Optional[int] = ..., degrees: _Optional[_Union[Degrees, _Mapping]] = ...) -> None: ...

class DegreesPage(_message.Message):
    __slots__ = ("symbols",)
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    symbols: _containers.RepeatedCompositeFieldContainer[SymbolDegrees]
    def __init__(self, symbols: _Optional[_Iterable[_Union[SymbolDegrees, _Mapping]]] = ...) -> None: ...

class UnresolvedPage(_message.Message):
    __slots__ = ("references",)
    REFERENCES_FIELD_NUMBER: _ClassVar[int]
    references: _containers.RepeatedCompositeFieldContainer[_model_pb2.Unresolved]
    def __init__(self, references: _Optional[_Iterable[_Union[_model_pb2.Unresolved, _Mapping]]] = ...) -> None: ...

class SymbolQuestion(_message.Message):
    __slots__ = ("pin", "symbol")
    PIN_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    symbol: int
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., symbol: _Optional[int] = ...) -> None: ...

class ImpactRequest(_message.Message):
    __slots__ = ("pin", "symbol", "depth", "limit")
    PIN_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    symbol: int
    depth: int
    limit: int
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., symbol: _Optional[int] = ..., depth: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class Beside(_message.Message):
    __slots__ = ("name", "pin")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PIN_FIELD_NUMBER: _ClassVar[int]
    name: str
    pin: Pin
    def __init__(self, name: _Optional[str] = ..., pin: _Optional[_Union[Pin, _Mapping]] = ...) -> None: ...

class ElsewhereRequest(_message.Message):
    __slots__ = ("pin", "symbols", "crossing", "others")
    PIN_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    CROSSING_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    symbols: _containers.RepeatedScalarFieldContainer[int]
    crossing: Crossing
    others: _containers.RepeatedCompositeFieldContainer[Beside]
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., symbols: _Optional[_Iterable[int]] = ..., crossing: _Optional[_Union[Crossing, str]] = ..., others: _Optional[_Iterable[_Union[Beside, _Mapping]]] = ...) -> None: ...

class PathRequest(_message.Message):
    __slots__ = ("pin", "source", "target", "limit")
    PIN_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    source: int
    target: int
    limit: int
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., source: _Optional[int] = ..., target: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class RelationPage(_message.Message):
    __slots__ = ("relations",)
    RELATIONS_FIELD_NUMBER: _ClassVar[int]
    relations: _containers.RepeatedCompositeFieldContainer[_model_pb2.Relation]
    def __init__(self, relations: _Optional[_Iterable[_Union[_model_pb2.Relation, _Mapping]]] = ...) -> None: ...

class HubsRequest(_message.Message):
    __slots__ = ("pin", "limit")
    PIN_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    limit: int
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., limit: _Optional[int] = ...) -> None: ...

class HubPage(_message.Message):
    __slots__ = ("hubs",)
    HUBS_FIELD_NUMBER: _ClassVar[int]
    hubs: _containers.RepeatedCompositeFieldContainer[_model_pb2.Hub]
    def __init__(self, hubs: _Optional[_Iterable[_Union[_model_pb2.Hub, _Mapping]]] = ...) -> None: ...

class ModulePage(_message.Message):
    __slots__ = ("modules",)
    MODULES_FIELD_NUMBER: _ClassVar[int]
    modules: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModuleSummary]
    def __init__(self, modules: _Optional[_Iterable[_Union[_model_pb2.ModuleSummary, _Mapping]]] = ...) -> None: ...

class DescriptionsRequest(_message.Message):
    __slots__ = ("pin", "small")
    PIN_FIELD_NUMBER: _ClassVar[int]
    SMALL_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    small: bool
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., small: _Optional[bool] = ...) -> None: ...

class DescriptionPage(_message.Message):
    __slots__ = ("descriptions",)
    DESCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    descriptions: _containers.RepeatedCompositeFieldContainer[_model_pb2.Description]
    def __init__(self, descriptions: _Optional[_Iterable[_Union[_model_pb2.Description, _Mapping]]] = ...) -> None: ...

class WholeQuestion(_message.Message):
    __slots__ = ("pin", "symbols", "limit")
    PIN_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    pin: Pin
    symbols: _containers.RepeatedScalarFieldContainer[int]
    limit: int
    def __init__(self, pin: _Optional[_Union[Pin, _Mapping]] = ..., symbols: _Optional[_Iterable[int]] = ..., limit: _Optional[int] = ...) -> None: ...

class CompanionPage(_message.Message):
    __slots__ = ("companions",)
    COMPANIONS_FIELD_NUMBER: _ClassVar[int]
    companions: _containers.RepeatedCompositeFieldContainer[_model_pb2.Companion]
    def __init__(self, companions: _Optional[_Iterable[_Union[_model_pb2.Companion, _Mapping]]] = ...) -> None: ...

class CyclePage(_message.Message):
    __slots__ = ("cycles",)
    CYCLES_FIELD_NUMBER: _ClassVar[int]
    cycles: _containers.RepeatedCompositeFieldContainer[_model_pb2.Cycle]
    def __init__(self, cycles: _Optional[_Iterable[_Union[_model_pb2.Cycle, _Mapping]]] = ...) -> None: ...

class EntryPointPage(_message.Message):
    __slots__ = ("entry_points",)
    ENTRY_POINTS_FIELD_NUMBER: _ClassVar[int]
    entry_points: _containers.RepeatedCompositeFieldContainer[_model_pb2.EntryPoint]
    def __init__(self, entry_points: _Optional[_Iterable[_Union[_model_pb2.EntryPoint, _Mapping]]] = ...) -> None: ...
